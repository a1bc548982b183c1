"""Scoring of a match of teams: steps for each board, and victory points for the match.

Both teams play each board twice, once on each side, so that the cards even out. The difference of the two results gives
steps, and their sum determines how 20 victory points are shared.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

from service.boards.steps import FORFEIT, steps_of

VICTORY_POINTS: Final = 20
#: Steps that win a match of one board by 20 : 0. They grow with the square root of the number of boards, like the
#: spread of luck.
_BLITZ: Final = 6.5
#: Base of the World Bridge Federation's continuous scale, where each further step is worth a little less.
_TAU: Final = (sqrt(5) - 1) / 2


class BoardScore(NamedTuple):
    """The outcome of a board for the first team of a match.

    Attributes:
        steps: steps of the first team; the second one has the reverse.
        points: lead of the first team in points; None if the board cannot be compared.
        why: `played`, `adjusted` (it cannot be compared) or `director`.
    """

    steps: int
    points: int | None
    why: str


def board_score(
    values: Sequence[int | None], blamed: Sequence[bool] = (False, False), ruling: int | None = None
) -> BoardScore:
    """Return the outcome of a board for the first team.

    Args:
        values: results of seat 0 in both rooms; the first team has that seat in the first room. None: it cannot be
            compared.
        blamed: whether the first and the second team are to blame for that.
        ruling: steps awarded by the director.
    """
    first, second = values
    points = None if first is None or second is None else first - second
    if ruling is not None:
        return BoardScore(ruling, points, "director")
    if points is None:
        return BoardScore(FORFEIT * (blamed[1] - blamed[0]), None, "adjusted")
    return BoardScore(steps_of(points), points, "played")


def victory_points(steps: int, boards: int) -> float:
    """Return the victory points (0 to 20) of a team, by its lead in steps and the number of boards."""
    share = min(1.0, abs(steps) / (_BLITZ * sqrt(boards)))
    won: float = round(VICTORY_POINTS / 2 * (1 + (1 - _TAU ** (3 * share)) / (1 - _TAU**3)), 2)
    return won if steps >= 0 else round(VICTORY_POINTS - won, 2)
