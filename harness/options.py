"""Random valid combinations of options."""

from random import Random
from typing import Any, Final

from service.common.errors import InvalidOption
from service.rules.cards import RANKS
from service.rules.options.rulesets import RULESETS, defaults, effective_options
from service.rules.options.table import OPTIONS

#: Rulesets and numbers of players.
SIZES: Final = [(rules.id, players) for rules in RULESETS.values() for players in rules.players]
#: Values of options that do not list them.
VALUES: Final[dict[str, list[Any]]] = {
    "special_decks": [
        [],
        [{"from": "6"}],
        [{"from": "6"}, {"from": "6"}],
        [{"from": "9"}, {"little_joker": False}],
        [{"little_joker": False}, {"big_joker": False}],
        [{"little_joker": False, "big_joker": False}],
    ],
    "misdeal": [
        {},
        {"no_points": True},
        {"points_below": 5},
        {"points_below": 30, "most": 2},
        {"no_trumps": True, "most": 0},
        {"trumps_below": 4, "most": 1},
    ],
    "points_per_level": [None, 5, 10, 15, 20, 25, 40, 60, 80],
    "level_ladder": [[], ["2", "6", "T", "A"], ["3", "A"], ["2", "5", "T"], ["T", "J", "Q", "K", "A"]],
    "must_play": [[], ["5", "K"], ["2", "5", "T", "J", "K"], ["A"]],
    "hooks": [{}, {"J": "2", "Q": "6", "A": "J"}, {"3": "2"}, {"A": "2"}],
}
assert all(OPTIONS[name].values or name in VALUES for name in OPTIONS)


def values_of(name: str) -> list[Any]:
    """Return all values of an option, or if they are not listed, examples of each kind."""
    return list(OPTIONS[name].values) or VALUES[name]


def some_options(ruleset: str, players: int, most: int, random: Random) -> dict[str, Any]:
    """Return up to `most` random options that are valid together, mainly those with an effect."""
    chosen: dict[str, Any] = {}
    names = [name for name in defaults(RULESETS[ruleset]) if ruleset in OPTIONS[name].applies]
    for name in random.sample(names, min(most, len(names))):
        wider = {**chosen, name: random.choice(values_of(name))}
        try:
            effective_options(ruleset, players, wider)
        except InvalidOption:
            continue
        chosen = wider
    return chosen


def levels_worth(ruleset: str, players: int, chosen: dict[str, Any], random: Random) -> dict[str, Any]:
    """Add a random start level to options, so that rounds are played at all levels."""
    for level in random.sample([*RANKS, "NT", "joker"], len(RANKS) + 2):
        try:
            effective_options(ruleset, players, {**chosen, "start_level": level})
        except InvalidOption:
            continue
        return {**chosen, "start_level": level}
    return chosen
