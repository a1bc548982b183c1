"""The catalogue of a ruleset for clients: options by phase with their texts, presets, cards, score tables."""

from collections.abc import Iterator, Mapping
from typing import Final

from service.rules.composition import cards_as_json, composition
from service.rules.games import RULESETS, Ruleset, ruleset_of
from service.rules.option import Option, Options
from service.rules.options.presets import Preset, presets_of
from service.rules.options.round_options import MOST_DECKS_PER_PLAYER
from service.rules.options.rulesets import defaults, effective_options
from service.rules.options.table import OPTIONS, PHASES
from service.rules.rounds.scoring import bands
from service.texts import Text
from service.texts import options as texts
from service.texts.preset_texts import PRESETS

#: The published sources by number (`docs/rules.md` §12).
SEEDS: Final = {
    "000": "Zhao Pengyou (pagat.com)",
    "001": "An Introduction to Sheng Ji (Zhang)",
    "002": "Arm's Length (Parlett)",
    "003": "Zhao Pengyou, or 80",
    "004": "Tractor to no-trump",
}


def catalogue(ruleset: str) -> dict[str, object]:
    """Return everything about a ruleset as JSON.

    `options` are in the order of `phases`; an option with `changeable` false has only one value. `games` maps each
    number of players to its `composition`, its default `options` and its `scores`. Each row of `scores` says which side
    gains how many levels from a number of attackers' points on; with `every`, each further `every` points add a level.

    Raises:
        InvalidRequest: no such ruleset.
    """
    rules = ruleset_of(ruleset)
    known = defaults(rules)
    return {
        "id": rules.id,
        "names": dict(rules.names),
        "seed": rules.seed,
        "source": SEEDS[rules.seed],
        "players": list(rules.players),
        "teams": rules.teams,
        "family": rules.family,
        "phases": list(_phases(known)),
        "options": [
            _option(rules, OPTIONS[name], phase) for phase, rows in PHASES.items() for name in _in(rows, known)
        ],
        "presets": [_preset(rules, preset) for preset in presets_of(rules.id)],
        "games": {
            str(players): game(rules, players, effective_options(rules.id, players, {})) for players in rules.players
        },
    }


def _in(rows: tuple[Option, ...], known: Options) -> list[str]:
    return [row.name for row in rows if row.name in known]


def _phases(known: Options) -> Iterator[dict[str, object]]:
    for phase, rows in PHASES.items():
        if names := _in(rows, known):
            title, meaning = texts.PHASES[phase]
            yield {"id": phase, "title": dict(title), "meaning": dict(meaning), "options": names}


def _option(rules: Ruleset, option: Option, phase: str) -> dict[str, object]:
    default = option.default_for(rules.id)
    changeable = rules.id in option.applies
    told = texts.OPTIONS[option.name]
    values = [value for value in option.values if type(value) is not int] if changeable else [default]
    return {
        "name": option.name,
        "phase": phase,
        "title": dict(told.title),
        "default": default,
        "changeable": changeable,
        "values": [{"value": value, "meaning": dict(_effect(told.values, value))} for value in values],
        "schema": _schema(rules, option) if changeable else {"const": default},
        "meaning": dict(told.meaning),
        "source": option.source,
    }


def _effect(known: Mapping[str, Text], value: object) -> Text:
    if value is None:
        return texts.OWN_NUMBER
    return known.get(value, {}) if isinstance(value, str) else {}


def _schema(rules: Ruleset, option: Option) -> dict[str, object]:
    """Return the values as a JSON Schema; the largest number depends on the ruleset's players."""
    most = {"decks": MOST_DECKS_PER_PLAYER * max(rules.players), "friend_calls": max(rules.players) - 2}
    if option.name not in most:
        return option.json_schema()
    numbers = {"type": "integer", "minimum": option.values[1], "maximum": most[option.name]}
    return {"anyOf": [{"const": None}, numbers]}


def _preset(rules: Ruleset, preset: Preset) -> dict[str, object]:
    title, meaning = PRESETS[preset.id]
    return {
        "id": preset.id,
        "title": dict(title),
        "meaning": dict(meaning),
        "source": preset.source,
        "players": [players for players in rules.players if preset.suits(players)],
        "options": dict(preset.options),
    }


def game(rules: Ruleset, players: int, options: Options) -> dict[str, object]:
    """Return the cards, the options and the score table of a game with these effective options."""
    cards = composition(rules.id, players, options)
    scores = bands(rules.id, cards.decks, options) if rules.family == "shengji" else ()
    return {
        "composition": cards_as_json(cards, rules.teams),
        "options": options,
        "scores": [
            {name: value for name, value in band._asdict().items() if name != "every" or value} for band in scores
        ],
    }


def summary() -> list[dict[str, object]]:
    """Return id, names, players and teams of all rulesets."""
    return [
        {"id": rules.id, "names": dict(rules.names), "players": list(rules.players), "teams": rules.teams}
        for rules in RULESETS.values()
    ]
