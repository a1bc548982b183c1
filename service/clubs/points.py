"""Points of a season, and the order that follows: pure functions of its events and of what counts in it.

Whoever has played at least half of the boards of a unit gets the points of its place. `docs/check_season.py` computes
the same from the answer of the API.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypedDict

from service.common.places import places
from service.store.clubs.seasons import Season, SeasonEvent, UnitBoards, UnitResult

#: Points of the first places; those who share one share the points of the places that they take.
_PLACES: Final = (10, 8, 6, 5, 4, 3, 2, 1)


def _beaten(result: UnitResult) -> float:
    """Return how many units are behind; each that is equal counts half."""
    return result["of"] - result["place"] - (result["equal"] - 1) / 2


def _by_place(result: UnitResult) -> float:
    taken = _PLACES[result["place"] - 1 : result["place"] - 1 + result["equal"]]
    return round(sum(taken) / result["equal"], 2)


#: What an event counts for those who have played it, by their result.
POINTS: Final[dict[str, Callable[[UnitResult], float]]] = {
    "percent": lambda result: result["percent"],
    "beaten": _beaten,
    "places": _by_place,
}


class Line(TypedDict):
    """An event for a player of a season.

    `boards`: how many the player has played, of `unit_boards`; `is_counted`: whether it is among the best.
    """

    event: str
    team: str
    place: int
    equal: int
    of: int
    percent: float
    boards: int
    unit_boards: int
    points: float
    is_counted: bool


class Row(TypedDict):
    """A player in a season. `results`: the best first."""

    rank: int
    player: str
    points: float
    results: list[Line]


def fits(season: Season, event: str, began_at: int) -> bool:
    """Return whether an event (id) is one of a season, by when its first round began (ms)."""
    is_chosen = not season["events"] or event in season["events"]
    return is_chosen and season["starts_at"] <= began_at < season["ends_at"]


def counts(played: SeasonEvent, now: int) -> bool:
    """Return whether an event is over at a time (ms), so that it counts."""
    return played["is_played"] or now >= played["ends_at"]


def table(season: Season, events: Mapping[str, SeasonEvent], now: int) -> list[Row]:
    """Return the players of a season, the best first; of events, only those that fit and are over count."""
    lines: dict[str, list[Line]] = {}
    for event in sorted(events, key=lambda name: (events[name]["began_at"], name)):
        played = events[event]
        if fits(season, event, played["began_at"]) and counts(played, now):
            for player, line in _lines(season, event, played).items():
                lines.setdefault(player, []).append(line)
    rows: list[Row] = []
    for player, of_player in lines.items():
        # Of equally good ones the earlier.
        best = sorted(of_player, key=lambda line: -line["points"])
        for at, line in enumerate(best):
            line["is_counted"] = not season["best"] or at < season["best"]
        points = round(sum(line["points"] for line in best if line["is_counted"]), 2)
        rows.append({"rank": 0, "player": player, "points": points, "results": best})
    rows.sort(key=lambda row: -row["points"])
    place_of = places(row["points"] for row in rows)
    for row in rows:
        row["rank"] = place_of[row["points"]]
    return rows


def _lines(season: Season, event: str, played: SeasonEvent) -> dict[str, Line]:
    """Return what an event counts for each player; of somebody who has played for two units, the better one."""
    lines: dict[str, Line] = {}
    for unit, result in played["results"].items():
        points = POINTS[season["points"]](result)
        known = played["boards"].get(unit, UnitBoards(boards=0, players={}))
        for player, boards in known["players"].items():
            before = lines.get(player)
            if 2 * boards >= known["boards"] and (before is None or before["points"] < points):
                lines[player] = {
                    "event": event,
                    "team": unit,
                    **result,
                    "boards": boards,
                    "unit_boards": known["boards"],
                    "points": points,
                    "is_counted": False,
                }
    return lines
