"""Matches and standings of a team event, from its state and the results of its boards."""

from collections.abc import Sequence
from typing import Final, TypedDict

from service.store.boards.events import BoardResult, Results, StoredEvent
from service.store.tournaments.teams import Progress
from service.tournaments.match_scores import BoardScore, board_score, victory_points
from service.tournaments.pairing import paired
from service.tournaments.teams import was_withdrawn

#: Rooms of a match. The first team has the even seats in the first room, the odd ones in the second.
ROOMS: Final = ("a", "b")


class BoardOfMatch(TypedDict):
    """A board of a match. `results`: those of both rooms; None if not finished in time."""

    number: int
    results: list[BoardResult | None]
    score: BoardScore
    reason: str | None


class Match(TypedDict):
    """A match of a finished round. `victory_points`: of both teams; `steps`: of the first one."""

    round: int
    pair: int
    teams: list[str]
    boards: list[BoardOfMatch]
    steps: int
    victory_points: list[float]


class TeamMatch(TypedDict):
    """The outcome of a match for a team. `adjusted`: number of boards that were not comparable or had a ruling."""

    round: int
    match: str
    opponent: str
    steps: int
    victory_points: float
    adjusted: int


class TeamStanding(TypedDict):
    """A team in the standings."""

    rank: int
    team: str
    name: str
    victory_points: float
    steps: int
    matches: list[TeamMatch]
    is_withdrawn: bool


def boards_of(event: StoredEvent, number: int) -> range:
    """Return the numbers of the boards of a round."""
    each = event["teams"]["boards"]
    return range((number - 1) * each + 1, number * each + 1)


def room(pair: int, which: int) -> str:
    """Return the name of a room of a match in the store."""
    return f"{pair}{ROOMS[which]}"


def ruling_of(number: int, pair: int, board: int) -> str:
    """Return the key of a ruling on a board of a match."""
    return f"{number}-{pair}-{board}"


def match_of(event: StoredEvent, progress: Progress, results: Results, number: int, pair: int) -> Match:
    """Return the outcome of a match.

    Args:
        event, progress: the event and how far it is.
        results: results of the boards of the round.
        number: number of the round.
        pair: number of the match in the round, from 1.
    """
    teams, boards = progress["rounds"][number - 1]["pairs"][pair - 1], []
    for board in boards_of(event, number):
        played = [results.get((board, room(pair, which))) for which in (0, 1)]
        ruling = progress["rulings"].get(ruling_of(number, pair, board))
        blamed = _blamed(played, [was_withdrawn(progress, team, number) for team in teams])
        score = board_score(
            [None if result is None else result["value"] for result in played],
            blamed,
            None if ruling is None else ruling["steps"],
        )
        on_board: BoardOfMatch = {
            "number": board,
            "results": played,
            "score": score,
            "reason": None if ruling is None else ruling["reason"],
        }
        boards.append(on_board)
    steps = sum(board["score"].steps for board in boards)
    points = victory_points(steps, len(boards))
    shares = [points, round(20 - points, 2)]
    return {"round": number, "pair": pair, "teams": teams, "boards": boards, "steps": steps, "victory_points": shares}


def _blamed(played: Sequence[BoardResult | None], withdrawn: Sequence[bool]) -> list[bool]:
    """Return whether the teams of a match are to blame for a board without a result in one of the rooms.

    `withdrawn`: whether they had withdrawn when the round ended. Nobody but a team that has
    withdrawn is to blame for what its opponents did not play on.
    """
    unfinished = [result is None or result.get("unfinished", False) for result in played]
    if any(unfinished) and any(withdrawn):
        return list(withdrawn)
    return [
        any(
            result is not None and any((seat + which) % 2 == side for seat in result.get("taken", ()))
            for which, result in enumerate(played)
        )
        for side in (0, 1)
    ]


def matches_of(event: StoredEvent, progress: Progress, results: Results, number: int) -> list[Match]:
    """Return the matches of a finished round."""
    pairs = progress["rounds"][number - 1]["pairs"]
    return [match_of(event, progress, results, number, pair) for pair in range(1, len(pairs) + 1)]


def standings(progress: Progress, matches: Sequence[Match]) -> list[TeamStanding]:
    """Return the teams, the best first: by victory points, then by steps. Teams never complete are left out."""
    played = {team for match in matches for team in match["teams"]}
    rows: dict[str, TeamStanding] = {
        team: {
            "rank": 0,
            "team": team,
            "name": entry["name"],
            "victory_points": 0.0,
            "steps": 0,
            "matches": [],
            "is_withdrawn": entry["is_withdrawn"],
        }
        for team, entry in progress["teams"].items()
        if all(member["is_confirmed"] for member in entry["members"]) or team in played
    }
    for match in matches:
        adjusted = sum(board["score"].why != "played" for board in match["boards"])
        for side, team in enumerate(match["teams"]):
            row, steps, points = rows[team], (-1) ** side * match["steps"], match["victory_points"][side]
            row["steps"] += steps
            row["victory_points"] = round(row["victory_points"] + points, 2)
            row["matches"].append(
                {
                    "round": match["round"],
                    "match": f"{match['round']}-{match['pair']}",
                    "opponent": match["teams"][1 - side],
                    "steps": steps,
                    "victory_points": points,
                    "adjusted": adjusted,
                }
            )
    ordered = sorted(rows.values(), key=lambda row: (-row["victory_points"], -row["steps"]))
    for at, row in enumerate(ordered):
        before: TeamStanding | None = ordered[at - 1] if at else None
        row["rank"] = before["rank"] if before is not None and _level(before) == _level(row) else at + 1
    return ordered


def _level(row: TeamStanding) -> tuple[float, int]:
    return row["victory_points"], row["steps"]


def pairs_of_next_round(
    progress: Progress, teams: Sequence[str], apart: Sequence[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """Return the pairs of the next round, the best first; the number of teams must be even.

    Pairs in `apart` count as if they had met in each round and once more.
    """
    met = [(first, second) for entry in progress["rounds"] for first, second in entry["pairs"]]
    return paired(
        teams, [*met, *{frozenset(pair): pair for pair in apart}.values()] + [*apart] * len(progress["rounds"])
    )
