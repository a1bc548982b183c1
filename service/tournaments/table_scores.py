"""Scoring of a board that many tables play once each: its result at one is compared with those at all others.

Those who have the even seats compare with those who have the even seats elsewhere, and the others likewise. Matchpoints
say how many they beat; steps say by how much, as the mean over the other tables (like cross-IMPs at bridge).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import fmean
from typing import Final, TypedDict

from service.boards.steps import FORFEIT, steps_of

#: Percentage of who is not to blame for a board that cannot be compared, and of who is; and steps.
NOT_TO_BLAME: Final = (60.0, 3.0)
TO_BLAME: Final = (0.0, float(-FORFEIT))
_EVEN: Final = (50.0, 0.0)


class Share(TypedDict):
    """What a board counts for somebody: matchpoints as a percentage, and steps."""

    percent: float
    steps: float


def shares(values: Sequence[int | None]) -> list[tuple[Share, Share] | None]:
    """Return what a board counts at each table for the even seats and for the odd ones.

    Args:
        values: result of seat 0 at each table; None: it cannot be compared.
    """
    among = sorted(value for value in values if value is not None)
    return [None if value is None else _compared(value, among) for value in values]


def _compared(value: int, among: Sequence[int]) -> tuple[Share, Share]:
    """Return what a value counts among the ordered values that include it."""
    others = len(among) - 1
    if not others:
        return _share(*_EVEN), _share(*_EVEN)
    below = bisect_left(among, value)
    equal = bisect_right(among, value) - below - 1
    percent = round(100 * (below + equal / 2) / others, 2)
    # Its own difference is none.
    steps = round(sum(steps_of(value - other) for other in among) / others, 2)
    return _share(percent, steps), _share(round(100 - percent, 2), -steps)


def adjusted(blamed: Sequence[bool]) -> list[Share]:
    """Return what a board that cannot be compared counts for each, by who is to blame."""
    if not any(blamed):
        return [_share(*_EVEN) for _ in blamed]
    return [_share(*(TO_BLAME if each else NOT_TO_BLAME)) for each in blamed]


def ruled(percents: Sequence[float]) -> list[Share]:
    """Return what a board counts for both sides if the director decides it."""
    return [_share(percent, round((percent - 50) * FORFEIT / 50, 2)) for percent in percents]


def mean(of: Sequence[Share]) -> Share:
    """Return the mean of boards."""
    return _share(round(fmean(each["percent"] for each in of), 2), round(fmean(each["steps"] for each in of), 2))


def _share(percent: float, steps: float) -> Share:
    return {"percent": percent, "steps": steps}
