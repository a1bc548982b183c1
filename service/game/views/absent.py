"""Fields that do not apply to a game, such as levels in Arm's Length: they are null wherever they are shown.

State and log have values for them nevertheless, so games and records of earlier releases are shown in the same way.
Which fields apply depends on the ruleset only, not on its options.
"""

from collections.abc import Mapping
from typing import Final, cast

from service.game.state.types import Phase
from service.rules.games import ARMS_LENGTH, FRIENDS_GAMES, RULESETS, SHENGJI_FAMILY

#: Fields of the result of a round, in the view and in its event.
_RESULT: Final = ("points", "trick_points", "kitty", "penalties", "sides", "side", "levels")

#: Part of a view or type of event -> fields that only these games have.
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


def blank(ruleset: str, part: str, view: Mapping[str, object]) -> None:
    """Set the fields of a part (a fresh dict) that do not apply to the game to None; missing ones stay missing."""
    for name in _ABSENT[ruleset].get(part, ()):
        if name in view:
            cast("dict[str, object]", view)[name] = None


def phase_view(ruleset: str, phase: Phase) -> Phase:
    """Show a phase; in a game without declaring, the declaring phase counts as the deal."""
    return "dealing" if phase == "declaring" and ruleset not in SHENGJI_FAMILY else phase
