"""The levels that a side gains for the attackers' points (`docs/rules.md` §9).

A score table is a tuple of bands. A band says which side gains how many levels from a number of points on.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from service.rules.composition import Composition
from service.rules.games import RULESETS, ZHAOPENGYOU_80
from service.rules.option import Options

DECLARERS: Final = "declarers"
ATTACKERS: Final = "attackers"


class Score(NamedTuple):
    """The side that gains (None: nobody does) and its levels; with `active_passive` these are game points."""

    side: str | None
    levels: int


class Band(NamedTuple):
    """From `points` on, `side` gains `levels`, and with `every` one more level for each further `every` points."""

    points: int
    side: str | None
    levels: int
    every: int | None = None


#: `zhaopengyou`, in points per deck.
_PER_DECK: Final = (
    (0, DECLARERS, 3),
    (20, DECLARERS, 1),
    (40, None, 0),
    (60, ATTACKERS, 1),
    (80, ATTACKERS, 2),
    (100, ATTACKERS, 3),
)
#: With `active_passive`, in points per deck.
_PER_DECK_ACTIVE: Final = ((0, DECLARERS, 2), (40, ATTACKERS, 1), (80, ATTACKERS, 2), (100, ATTACKERS, 3))
#: `zhaopengyou_80`: decks -> points from one band to the next.
_STEP_80: Final = {2: 40, 3: 55}


def threshold(decks: int, options: Options) -> int:
    """Return the points at which the attackers win, in games counted in steps: 40 per deck, or `steps_to_win` steps."""
    steps = options["steps_to_win"]
    return 40 * decks if steps is None else int(steps * options["points_per_level"])


def in_steps(options: Options) -> bool:
    """Return whether points are counted in steps; otherwise the game has a score table."""
    return options["points_per_level"] is not None and not options["active_passive"]


def bands(ruleset: str, decks: int, options: Options) -> tuple[Band, ...]:
    """Return the score table of a game with these effective options, in ascending order of points."""
    if in_steps(options):
        step, win = options["points_per_level"], threshold(decks, options)
        return _in_steps(win, step, options["dead_zone"], options["shut_out_level"])
    return _own_table(ruleset, decks, options["active_passive"])


@lru_cache(maxsize=128)
def _in_steps(win: int, step: int, dead_zone: int, shut_out: bool) -> tuple[Band, ...]:
    """Return the score table of a game counted in steps from the threshold `win`, up and down.

    If `step` does not divide `win`, the lowest step is cut short at 0 points, and counts like any other.
    """
    steps = -(-win // step)
    losing = [Band(max(1, win - at * step), DECLARERS, at) for at in range(steps, 0, -1)]
    dead = [Band(win, ATTACKERS, 0)] if dead_zone > 1 else []
    gaining = Band(win + max(0, dead_zone - 1) * step, ATTACKERS, int(dead_zone == 0), step)
    return (Band(0, DECLARERS, steps + shut_out), *losing, *dead, gaining)


@lru_cache(maxsize=128)
def _own_table(ruleset: str, decks: int, active_passive: bool) -> tuple[Band, ...]:
    if active_passive:
        return _with_first_points(_PER_DECK_ACTIVE, decks, first=1)
    if ruleset == ZHAOPENGYOU_80:
        unit = _STEP_80.get(decks, 20 * decks)
        gains = [Band(at * unit, ATTACKERS, at - 1) for at in range(2, 6)]
        return (Band(0, DECLARERS, 3), Band(1, DECLARERS, 2), Band(unit, DECLARERS, 1), *gains)
    return _with_first_points(_PER_DECK, decks, first=2)


def _with_first_points(rows: Iterable[tuple[int, str | None, int]], decks: int, *, first: int) -> tuple[Band, ...]:
    """Scale rows to the number of decks, and insert a band from 1 point on where the declarers gain `first` levels."""
    shut_out, *rest = (Band(points * decks, side, levels) for points, side, levels in rows)
    return (shut_out, Band(1, DECLARERS, first), *rest)


def points_to_win(ruleset: str, decks: int, options: Options) -> int:
    """Return the fewest points with which the attackers win the round."""
    return next(band.points for band in bands(ruleset, decks, options) if band.side == ATTACKERS)


def score(
    ruleset: str,
    options: Options,
    cards: Composition,
    points: int,
    team_size: int | None,
    last_trick: str | None = None,
) -> Score:
    """Return which side gains, and how many levels.

    `points` is the attackers' total; below 0 it counts only with `negative_points`. `team_size` is the number of
    players on the declarer's side, None if teams are fixed. `last_trick` is the side that won the last trick, None if
    that is the same side, or if it was not played: with `last_trick_to_gain` the winners of the round gain nothing
    without it.
    """
    side, levels = _by_points(ruleset, options, cards.decks, points if options["negative_points"] else max(0, points))
    if RULESETS[ruleset].teams == "friends":
        levels = _with_friends(side, levels, options, cards, team_size)
    if options["last_trick_to_gain"] and last_trick not in (None, side):
        levels = 0
    cap = options["levels_cap"]
    return Score(side, levels if cap == "none" else min(levels, cap))


def _by_points(ruleset: str, options: Options, decks: int, points: int) -> Score:
    table = bands(ruleset, decks, options)
    if points < 0 and in_steps(options):
        return Score(DECLARERS, table[0].levels + _below_nothing(points, options))
    band = table[bisect_right(table, max(0, points), key=lambda each: each.points) - 1]
    further = (points - band.points) // band.every if band.every else 0
    return Score(band.side, band.levels + further)


def _below_nothing(points: int, options: Options) -> int:
    """Return the extra levels for points below 0: one per whole step; without `shut_out_level`, per started step."""
    step = options["points_per_level"]
    return int(-points // step if options["shut_out_level"] else -(points // step))


def _with_friends(side: str | None, levels: int, options: Options, cards: Composition, team_size: int | None) -> int:
    if side == DECLARERS and options["short_team_bonus"] and team_size is not None:
        missing = max(0, cards.declarers_max - team_size)
        if options["short_team_gain"] == "multiplied":
            return levels * (1 + missing)
        return levels + (missing > 0)
    # Only if the attackers might not outnumber the declarers, as with an even number of players
    if side == ATTACKERS and options["auto_level"] and cards.attackers_min <= cards.declarers_max:
        return levels + 1
    return levels


def attackers_total(
    tricks: int, kitty_bonus: int, penalties: Iterable[tuple[str, int]], *, negative: bool = False
) -> int:
    """Return the attackers' points from tricks, kitty bonus, and throw penalties `(side that threw, points)`.

    Penalties of the declarers are added, those of the attackers subtracted. The total can be below 0 only if `negative`
    is set (the option `negative_points`).
    """
    owed = sum(points if by == DECLARERS else -points for by, points in penalties)
    total = tricks + kitty_bonus + owed
    return total if negative else max(0, total)
