"""What a match of teams counts for: steps for each board, victory points for all of them.

Both teams play each board twice, once on each side, so that the cards count for nothing. The difference of both results
gives steps as in bridge, so that one wild board does not decide a match; the sum of the steps gives 20 victory points
to be shared.
"""

from bisect import bisect_right
from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

#: From which difference in points on a board is worth one step more.
STEPS: Final = (5, 15, 30, 45, 60, 80, 100, 125, 150, 180, 215, 250)
#: What a board is worth to who is not to blame that it cannot be compared, and the reverse to the other team (60 : 40).
ADJUSTED: Final = 3
VICTORY_POINTS: Final = 20
#: Steps that win a match of one board by 20 : 0; they grow with the square root of the boards, as the spread of luck.
_BLITZ: Final = 6.5
#: The base of the continuous scale of the World Bridge Federation: each further step is worth a little less.
_TAU: Final = (sqrt(5) - 1) / 2


class BoardScore(NamedTuple):
    """The outcome of a board for the first team of a match.

    Attributes:
        steps: those of the first team; the second one has the reverse.
        points: by how many it is ahead; None: it cannot be compared.
        why: `played`, `adjusted` (somebody is to blame, or it broke off) or `director`.
    """

    steps: int
    points: int | None
    why: str


def steps_of(points: float) -> int:
    """Return the steps that a difference in points is worth."""
    steps = bisect_right(STEPS, abs(points))
    return steps if points > 0 else -steps


def board_score(
    values: Sequence[int | None], blamed: Sequence[bool] = (False, False), ruling: int | None = None
) -> BoardScore:
    """Return the outcome of a board for the first team.

    Args:
        values: what seat 0 has made of it in both rooms; the first team has that seat in the first one. None: it cannot
            be compared.
        blamed: whether the first team and the second are to blame for that.
        ruling: the steps that the director has given it.
    """
    first, second = values
    points = None if first is None or second is None else first - second
    if ruling is not None:
        return BoardScore(ruling, points, "director")
    if points is None:
        return BoardScore(ADJUSTED * (blamed[1] - blamed[0]), None, "adjusted")
    return BoardScore(steps_of(points), points, "played")


def victory_points(steps: int, boards: int) -> float:
    """Return the victory points (0 to 20) of a team that is so many steps ahead after so many boards."""
    share = min(1.0, abs(steps) / (_BLITZ * sqrt(boards)))
    won: float = round(VICTORY_POINTS / 2 * (1 + (1 - _TAU ** (3 * share)) / (1 - _TAU**3)), 2)
    return won if steps >= 0 else round(VICTORY_POINTS - won, 2)
