"""A ruleset as client developers see it: options with all that can be said about them, cards, score tables."""

from typing import Any, Final

from service.rules.option import Option
from service.rules.options import OPTIONS
from service.rules.rulesets import RULESETS, Ruleset, cards_as_json, composition, effective_options, ruleset_of
from service.rules.scoring import bands
from service.texts.option_texts import MEANINGS, VALUES

#: The seed documents by number.
SEEDS: Final = {
    "000": "Zhao Pengyou (pagat.com)",
    "001": "An Introduction to Sheng Ji (Zhang)",
    "002": "Arm's Length (Parlett)",
    "003": "Zhao Pengyou, or 80",
    "004": "Tractor to no-trump",
}


def catalogue(ruleset: str) -> dict[str, Any]:
    """Return everything about a ruleset as JSON.

    `options` are in the order of `rules.md` §4; `changeable` tells whether a table may set another value at all.
    `games` maps each number of players to its `composition`, the `options` in effect if none is set, and its `scores`:
    from so many attackers' points on, which side gains how many levels, and one more for `every` further so many.

    Raises:
        InvalidRequest: no such ruleset.
    """
    rules = ruleset_of(ruleset)
    return {
        "id": rules.id,
        "names": dict(rules.names),
        "seed": rules.seed,
        "source": SEEDS[rules.seed],
        "players": list(rules.players),
        "teams": rules.teams,
        "family": rules.family,
        "options": [_option(rules, OPTIONS[name]) for name in rules.defaults],
        "games": {str(players): _game(rules, players) for players in rules.players},
    }


def _option(rules: Ruleset, option: Option) -> dict[str, Any]:
    known = VALUES.get(option.name, {})
    return {
        "name": option.name,
        "default": option.default_for(rules.id),
        "changeable": rules.id in option.applies,
        "values": [{"value": value, "meaning": dict(known.get(value, {}))} for value in option.values],
        "schema": option.json_schema(),
        "meaning": dict(MEANINGS[option.name]),
        "source": option.source,
    }


def _game(rules: Ruleset, players: int) -> dict[str, Any]:
    options = effective_options(rules.id, players, {})
    cards = composition(rules.id, players, options)
    scores = bands(rules.id, cards.decks, options["points_per_level"]) if rules.family == "shengji" else ()
    return {
        "composition": cards_as_json(cards, rules.teams),
        "options": options,
        "scores": [
            {name: value for name, value in band._asdict().items() if name != "every" or value} for band in scores
        ],
    }


def summary() -> list[dict[str, Any]]:
    """Return all rulesets in short."""
    return [
        {"id": rules.id, "names": dict(rules.names), "players": list(rules.players), "teams": rules.teams}
        for rules in RULESETS.values()
    ]
