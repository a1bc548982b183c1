"""Fields of what a game does not have, such as levels in Arm's Length: they are null wherever they are shown.

The state and the log hold a value for them all the same: so games and records of earlier releases are shown alike.
House rules change nothing here: a game has what its ruleset may have.
"""

from collections.abc import Mapping
from typing import Any, Final

from service.game.state.types import Phase
from service.rules.games import ARMS_LENGTH, FRIENDS_GAMES, RULESETS, SHENGJI_FAMILY

#: Fields of the result of a round, in the view and in its event.
_RESULT: Final = ("points", "trick_points", "kitty", "penalties", "sides", "side", "levels")

#: Games, and the fields that no others have, by the part that they stand in; events are parts by their type.
_OF_GAMES: Final[tuple[tuple[frozenset[str], Mapping[str, tuple[str, ...]]], ...]] = (
    (
        SHENGJI_FAMILY,
        {
            "seat": ("level", "penalty", "side", "points"),
            "round": ("level", "declarer", "declarations", "passes", "kitty", "attackers_points"),
            "trick": ("points",),
            "result": _RESULT,
            "game_started": ("level",),
            "round_opened": (
                "level",
                "declarer",
                "declarations",
                "passes",
                "kitty",
                "kitty_cards",
                "attackers_points",
            ),
            "trick_won": ("points", "attackers_points"),
            "trick_reopened": ("points", "attackers_points"),
            "round_scored": _RESULT,
            "recorded_round": ("declarer", "standings", "closings", "levels"),
            "recorded_result": ("points", "side", "levels"),
            "judged": ("gain", "error"),
            "past_game": ("levels",),
        },
    ),
    (
        FRIENDS_GAMES,
        {
            "seat": ("active",),
            "round": ("calls",),
            "round_opened": ("calls",),
            "redealt": ("all_active",),
            "level_change": ("active",),
            "standing": ("active",),
        },
    ),
    (
        frozenset({ARMS_LENGTH}),
        {
            "game": ("scores",),
            "round": ("roads",),
            "game_started": ("scores",),
            "round_opened": ("roads",),
            "past_game": ("scores",),
        },
    ),
)


def _absent_from(ruleset: str) -> dict[str, tuple[str, ...]]:
    absent: dict[str, tuple[str, ...]] = {}
    for games, parts in _OF_GAMES:
        for part, names in parts.items() if ruleset not in games else ():
            absent[part] = (*absent.get(part, ()), *names)
    return absent


_ABSENT: Final = {ruleset: _absent_from(ruleset) for ruleset in RULESETS}


def blank(ruleset: str, part: str, shown: Any) -> None:
    """Set those fields of a part (a fresh dict) to None that the game does not have; what is left out stays so."""
    for name in _ABSENT[ruleset].get(part, ()):
        if name in shown:
            shown[name] = None


def phase_view(ruleset: str, phase: Phase) -> Phase:
    """Show a phase: what comes after the deal of a game without declaring is still the deal."""
    return "dealing" if phase == "declaring" and ruleset not in SHENGJI_FAMILY else phase
