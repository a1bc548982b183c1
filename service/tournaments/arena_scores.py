"""What a table of an arena counts for those who sit there, and the points that follow.

A round that is won gives two points, one that nobody wins gives each a point. After two wins in a row, rounds count
double until one is not won. `docs/check_standings.py` computes the same from the answer of the API.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypedDict

from service.store.boards.events import BoardResult

Outcome = Literal["won", "drawn", "lost"]
#: Points of a round.
POINTS: Final[dict[str, int]] = {"won": 2, "drawn": 1, "lost": 0}
#: Wins in a row after which rounds count double.
STREAK: Final = 2


class SeatOfBoard(TypedDict):
    """What a board counts for a seat: its outcome, and by how many points it is ahead; None: it does not count."""

    outcome: Outcome | None
    lead: int | None


def seats_of(result: BoardResult | None, seats: int, *, has_teams: bool) -> list[SeatOfBoard]:
    """Return what a board counts for each seat.

    Who is to blame for the end of a game, or left too much of it to AI players, has lost, whatever the cards say. The
    others have what the cards say; without a result, a side without blame wins, and among friends nothing counts.
    """
    if result is None:
        return [{"outcome": None, "lead": None} for _ in range(seats)]
    result = _with_seats(result, seats, has_teams=has_teams)
    blamed, leads = result.get("taken", []), result.get("leads")
    made: list[SeatOfBoard] = []
    for seat in range(seats):
        outcome: Outcome | None
        if seat in blamed:
            outcome = "lost"
        elif leads is not None:
            outcome = _by_cards(result.get("won", []), seat)
        else:
            sides = {each % 2 for each in blamed}
            outcome = "won" if has_teams and sides == {1 - seat % 2} else None
        lead = None if leads is None else leads[seat]
        # What AI players have won is not theirs.
        made.append({"outcome": outcome, "lead": min(0, lead) if lead is not None and seat in blamed else lead})
    return made


def _with_seats(result: BoardResult, seats: int, *, has_teams: bool) -> BoardResult:
    """Return a result with what it is for each seat, also one that a process before 0.4 has stored for seat 0 alone."""
    value = result["value"]
    if "leads" in result or value is None or not has_teams:
        return result
    # Attackers with just enough points are 0 ahead, and have won.
    first_wins = value > 0 or (value == 0 and result.get("side") == "attackers")
    is_drawn = value == 0 and "scores" in result
    won = [] if is_drawn else [seat for seat in range(seats) if (seat % 2 == 0) == first_wins]
    return {**result, "leads": [value if seat % 2 == 0 else -value for seat in range(seats)], "won": won}


def _by_cards(won: Sequence[int], seat: int) -> Outcome:
    if not won:
        return "drawn"
    return "won" if seat in won else "lost"


def points_of(outcomes: Iterable[Outcome | None]) -> list[int | None]:
    """Return the points of rounds, in order; None: it does not count."""
    points: list[int | None] = []
    row = 0
    for outcome in outcomes:
        if outcome is None:
            points.append(None)
            continue
        points.append(POINTS[outcome] * (2 if row >= STREAK else 1))
        row = row + 1 if outcome == "won" else 0
    return points


def streak_of(outcomes: Iterable[Outcome | None]) -> int:
    """Return how many rounds have been won in a row, in the end."""
    row = 0
    for outcome in outcomes:
        if outcome is not None:
            row = row + 1 if outcome == "won" else 0
    return row
