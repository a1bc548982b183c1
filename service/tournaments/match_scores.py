"""Scoring of a match of teams: steps for each board, and victory points for the match; what standings consist of.

Both teams play each board twice, once on each side, so that the cards even out. The difference of the two results gives
steps, and their sum determines how 20 victory points are shared.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple, NotRequired, TypedDict

from service.boards.steps import FORFEIT, steps_of
from service.store.boards.events import BoardResult
from service.tournaments.arena_scores import SeatOfBoard
from service.tournaments.table_scores import Share

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
        other: steps of the second team, if they are not the reverse.
    """

    steps: int
    points: int | None
    why: str
    other: int | None = None

    @property
    def both(self) -> tuple[int, int]:
        """Steps of both teams."""
        return self.steps, -self.steps if self.other is None else self.other


class BoardOfMatch(TypedDict):
    """A board of a match.

    `results`: those of its rooms; None if not finished in time. `shares`: of each unit, where tables are compared.
    `seats`: what it counts for each seat, in arenas.
    """

    number: int
    results: list[BoardResult | None]
    score: BoardScore
    reason: str | None
    shares: list[Share] | None
    seats: NotRequired[list[SeatOfBoard]]


class Match(TypedDict):
    """A match of a finished round.

    `victory_points`: of each unit; `steps`: of the first one, or of its side; `other_steps`: of the second one, the
    reverse unless the director has decided otherwise; `points`: lead of the first one.
    """

    round: int
    pair: int
    teams: list[str]
    boards: list[BoardOfMatch]
    steps: int
    other_steps: int
    points: int
    victory_points: list[float]


class TeamMatch(TypedDict):
    """The outcome of a match for a team. `adjusted`: number of boards that were not comparable or had a ruling.

    `points`: of each board in an arena, None if it does not count.
    """

    round: int
    match: str
    partner: str | None
    opponents: list[str]
    steps: int
    victory_points: float
    percent: float | None
    adjusted: int
    points: NotRequired[list[int | None]]


class TeamStanding(TypedDict):
    """A team in the standings.

    `criteria`: what it has by each criterion, in order, None if it was not needed; `margin`: its lead in points;
    `reached`: how far it has come in a knock-out, 0 in other forms; `line`: the line in which it is ranked, None if
    there is one; `percent`, `mean_steps`: means over its boards, where tables are compared, else None; `arena_points`,
    `streak`: points in an arena, and rounds won in a row there by now; `penalty`: what the director has taken from its
    percentage or points.
    """

    rank: int
    team: str
    name: str
    victory_points: float
    steps: int
    margin: int
    percent: float | None
    mean_steps: float | None
    reached: float
    line: int | None
    arena_points: float
    streak: int
    criteria: list[float | None]
    matches: list[TeamMatch]
    penalty: float
    is_withdrawn: bool


def board_score(
    values: Sequence[int | None],
    blamed: Sequence[bool] = (False, False),
    ruling: int | None = None,
    other: int | None = None,
) -> BoardScore:
    """Return the outcome of a board for the first team.

    Args:
        values: results of seat 0 in both rooms; the first team has that seat in the first room. None: it cannot be
            compared.
        blamed: whether the first and the second team are to blame for that.
        ruling: steps awarded by the director.
        other: those of the second team, if they are not the reverse.
    """
    first, second = values
    points = None if first is None or second is None else first - second
    if ruling is not None:
        return BoardScore(ruling, points, "director", other)
    if points is None:
        return BoardScore(FORFEIT * (blamed[1] - blamed[0]), None, "adjusted")
    return BoardScore(steps_of(points), points, "played")


def victory_points(steps: int, boards: int) -> float:
    """Return the victory points (0 to 20) of a team, by its lead in steps and the number of boards."""
    share = min(1.0, abs(steps) / (_BLITZ * sqrt(boards)))
    won: float = round(VICTORY_POINTS / 2 * (1 + (1 - _TAU ** (3 * share)) / (1 - _TAU**3)), 2)
    return won if steps >= 0 else round(VICTORY_POINTS - won, 2)
