"""From the attackers' points to who gains how many levels (`rules.md` §4.5).

A game's table is a list of bands: from so many points on, this side gains so many levels.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from service.rules.constraints import threshold
from service.rules.games import ZHAOPENGYOU_80
from service.rules.rulesets import RULESETS, Composition

DECLARERS: Final = "declarers"
ATTACKERS: Final = "attackers"


class Score(NamedTuple):
    """The side that gains (None: nobody does) and its levels; with `active_passive` these are game points."""

    side: str | None
    levels: int


class Band(NamedTuple):
    """From `points` on: `side` gains `levels`; with `every` one more for each further so many points, without end."""

    points: int
    side: str | None
    levels: int
    every: int | None = None


#: 000 l.217-249, points for each deck.
_PER_DECK: Final = (
    (0, DECLARERS, 3),
    (20, DECLARERS, 1),
    (40, None, 0),
    (60, ATTACKERS, 1),
    (80, ATTACKERS, 2),
    (100, ATTACKERS, 3),
)
#: 000 l.271, l.281-286: game points where players are active or passive.
_PER_DECK_ACTIVE: Final = ((0, DECLARERS, 2), (40, ATTACKERS, 1), (80, ATTACKERS, 2), (100, ATTACKERS, 3))
#: 003 l.276-312: decks -> points from which each band begins; no attackers' gain above the last one.
_STEP_80: Final = {2: 40, 3: 55}


@lru_cache(maxsize=128)
def bands(ruleset: str, decks: int, step: int | None = None, active_passive: bool = False) -> tuple[Band, ...]:
    """Return the score table of a game, from 0 points up.

    `step` is the option `points_per_level`, None in games that have a table of their own.
    """
    if active_passive:
        return _with_first_points(_PER_DECK_ACTIVE, decks, first=1)
    if ruleset == ZHAOPENGYOU_80:
        unit = _STEP_80.get(decks, 20 * decks)
        gains = [Band(at * unit, ATTACKERS, at - 1) for at in range(2, 6)]
        return (Band(0, DECLARERS, 3), Band(1, DECLARERS, 2), Band(unit, DECLARERS, 1), *gains)
    if step is None:
        return _with_first_points(_PER_DECK, decks, first=2)
    steps = threshold(decks) // step
    # 001 §6.1.1: points are rounded down to whole steps; a shut-out keeps its extra level (§3.8)
    losing = [Band(max(1, at * step), DECLARERS, steps - at) for at in range(steps)]
    return (Band(0, DECLARERS, steps + 1), *losing, Band(threshold(decks), ATTACKERS, 0, step))


def _with_first_points(rows: Iterable[tuple[int, str | None, int]], decks: int, *, first: int) -> tuple[Band, ...]:
    """Return rows for so many decks; the declarers gain `first` from the first points up to the next row."""
    shut_out, *rest = (Band(points * decks, side, levels) for points, side, levels in rows)
    return (shut_out, Band(1, DECLARERS, first), *rest)


def score(ruleset: str, options: Mapping[str, Any], cards: Composition, points: int, team_size: int | None) -> Score:
    """Return who gains what.

    `points` is the attackers' total; `team_size` the declarers' side with its friends, None where teams are fixed.
    """
    table = bands(ruleset, cards.decks, options["points_per_level"], options["active_passive"])
    band = table[bisect_right(table, points, key=lambda each: each.points) - 1]
    levels = band.levels
    if band.every:
        levels += (points - band.points) // band.every
    if RULESETS[ruleset].teams == "friends":
        if band.side == DECLARERS and options["short_team_bonus"] and team_size is not None:
            levels *= 1 + cards.declarers_max - team_size
        # Only with an even number of players may the attackers be no majority (001 §6.5)
        if band.side == ATTACKERS and options["auto_level"] and cards.attackers_min == cards.declarers_max:
            levels += 1
    return Score(band.side, levels)


def attackers_total(tricks: int, kitty_bonus: int, penalties: Iterable[tuple[str, int]]) -> int:
    """Return the attackers' points: tricks, bonus, and throw penalties `(side that threw, points)`.

    What the declarers owe comes to the attackers, what attackers owe leaves them; never below 0 (`rules.md` §4.3).
    """
    owed = sum(points if by == DECLARERS else -points for by, points in penalties)
    return max(0, tricks + kitty_bonus + owed)
