"""Ranks: the criteria by which units are ordered, one after the other. Those equal in all of them share a rank.

Everything here follows from the matches of rounds that are over, and from who met whom; `docs/check_standings.py`
computes the same from the answer of the API.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Final

from service.tournaments.match_scores import TeamStanding

Rows = Mapping[str, TeamStanding]


def _head_to_head(row: TeamStanding, among: Rows, _: Rows) -> float:
    """Return the victory points of matches among those who are equal so far."""
    return round(sum(match["victory_points"] for match in row["matches"] if {*match["opponents"]} & among.keys()), 2)


def _wins(row: TeamStanding, _among: Rows, _all: Rows) -> float:
    """Return the number of matches won; one that is even counts half."""
    return sum((match["victory_points"] > _HALF) + (match["victory_points"] == _HALF) / 2 for match in row["matches"])


def _opponents(row: TeamStanding, _: Rows, rows: Rows) -> float:
    """Return the mean of what the opponents have made of a match on average, in victory points, without penalties."""
    of = [rows[opponent]["matches"] for match in row["matches"] for opponent in match["opponents"]]
    means = [round(sum(match["victory_points"] for match in matches), 2) / len(matches) for matches in of]
    return round(fmean(means), 2) if means else 0.0


#: Victory points of a match that is even.
_HALF: Final = 10
#: What a unit has by each criterion, among those who are equal so far, and among all; more is better.
CRITERIA: Final[dict[str, Callable[[TeamStanding, Rows, Rows], float]]] = {
    "percent": lambda row, _among, _all: row["percent"] or 0.0,
    "victory_points": lambda row, _among, _all: row["victory_points"],
    "steps": lambda row, _among, _all: row["steps"] if row["mean_steps"] is None else row["mean_steps"],
    "margin": lambda row, _among, _all: row["margin"],
    "wins": _wins,
    "opponents": _opponents,
    "head_to_head": _head_to_head,
    "arena_points": lambda row, _among, _all: row["arena_points"],
    "reached": lambda row, _among, _all: row["reached"],
}


def ranked(rows: Rows, criteria: Sequence[str]) -> list[TeamStanding]:
    """Set the ranks of rows and what they have by each criterion; return them, the best first.

    A criterion that was not needed, since nobody was equal, is None. Who has not played yet comes after all others, so
    that nobody who enters late is ahead of them.
    """
    ordered: list[TeamStanding] = []
    for line in sorted({row["line"] or 0 for row in rows.values()}):
        of_line = {unit: row for unit, row in rows.items() if (row["line"] or 0) == line}
        begun = {unit: row for unit, row in of_line.items() if _has_begun(row)}
        rest = {unit: row for unit, row in of_line.items() if unit not in begun}
        rank = 1
        for equal in [group for part in (begun, rest) if part for group in _split(part, criteria, rows)]:
            for row in equal.values():
                row["rank"] = rank
                row["criteria"] += [None] * (len(criteria) - len(row["criteria"]))
            ordered += equal.values()
            rank += len(equal)
    return ordered


def _has_begun(row: TeamStanding) -> bool:
    """Return whether a unit has played, or is in a knock-out, where it may have had nobody to meet."""
    return bool(row["matches"]) or row["reached"] > 0


def _split(equal: Rows, criteria: Sequence[str], rows: Rows) -> list[Rows]:
    """Return groups of equal units, the best first; note what each has by the criteria that were needed."""
    if not criteria or (len(equal) < 2 and all(row["criteria"] for row in equal.values())):
        return [equal]
    values = {unit: CRITERIA[criteria[0]](row, equal, rows) for unit, row in equal.items()}
    for unit, row in equal.items():
        row["criteria"].append(values[unit])
    groups: list[Rows] = []
    for value in sorted({*values.values()}, reverse=True):
        groups += _split({unit: row for unit, row in equal.items() if values[unit] == value}, criteria[1:], rows)
    return groups
