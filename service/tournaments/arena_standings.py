"""Tables of an arena as matches, and what follows for the standings."""

from collections.abc import Mapping, Sequence

from service.rules.games import RULESETS
from service.store.boards.events import Results, StoredEvent
from service.store.tournaments.teams import Progress, Round
from service.tournaments.arena_scores import Outcome, points_of, seats_of, streak_of
from service.tournaments.match_scores import BoardOfMatch, BoardScore, Match, TeamMatch, TeamStanding
from service.tournaments.teams import HOUSE, meetings_of


def counted(entry: Round) -> list[int]:
    """Return the numbers of the tables of a round that count: those that are over; in the end, all."""
    return [*range(1, len(meetings_of(entry)) + 1)] if entry["is_scored"] else sorted(entry.get("over", ()))


def match_at(event: StoredEvent, progress: Progress, results: Results, number: int, pair: int) -> Match:
    """Return what has been played at a table of a round."""
    units = meetings_of(progress["rounds"][number - 1])[pair - 1]
    has_teams = RULESETS[event["ruleset"]].teams != "friends"
    first = (number - 1) * event["teams"]["boards"] + 1
    boards: list[BoardOfMatch] = []
    for board in range(first, first + event["teams"]["boards"]):
        result = results.get((board, f"{pair}a"))
        seats = seats_of(result, len(units), has_teams=has_teams)
        is_played = result is not None and result["value"] is not None
        score = BoardScore(0, seats[0]["lead"], "played" if is_played else "adjusted")
        boards.append(
            {"number": board, "results": [result], "score": score, "reason": None, "shares": None, "seats": seats}
        )
    return {
        "round": number,
        "pair": pair,
        "teams": units,
        "boards": boards,
        "steps": 0,
        "other_steps": 0,
        "points": sum(board["score"].points or 0 for board in boards),
        "victory_points": [0.0] * len(units),
    }


def add_tables(event: StoredEvent, rows: Mapping[str, TeamStanding], matches: Sequence[Match]) -> None:
    """Add tables, in the order in which they have begun, to the rows of those who sat there."""
    has_teams = RULESETS[event["ruleset"]].teams != "friends"
    played: dict[str, list[Outcome | None]] = {unit: [] for unit in rows}
    for match in matches:
        for at, unit in enumerate(match["teams"]):
            if unit != HOUSE:
                seats = [board["seats"][at] for board in match["boards"]]
                played[unit] += [seat["outcome"] for seat in seats]
                rows[unit]["margin"] += sum(seat["lead"] or 0 for seat in seats)
                rows[unit]["matches"].append(_of_unit(match, at, has_teams=has_teams))
    boards = event["teams"]["boards"]
    for unit, outcomes in played.items():
        row, points = rows[unit], points_of(outcomes)
        row["arena_points"], row["streak"] = float(sum(each or 0 for each in points)), streak_of(outcomes)
        for at, each in enumerate(row["matches"]):
            each["points"] = points[at * boards : (at + 1) * boards]


def _of_unit(match: Match, at: int, *, has_teams: bool) -> TeamMatch:
    """Return a table for the unit of a seat, without its points, which follow from those before."""
    units = match["teams"]
    mates = _mates(units, at) if has_teams else []
    return {
        "round": match["round"],
        "match": f"{match['round']}-{match['pair']}",
        "partner": mates[0] if len(mates) == 1 else None,
        "opponents": [other for place, other in enumerate(units) if place != at and other not in mates],
        "steps": 0,
        "victory_points": 0.0,
        "percent": None,
        "adjusted": sum(board["score"].why != "played" for board in match["boards"]),
    }


def _mates(units: Sequence[str], at: int) -> list[str]:
    """Return the partners of a seat."""
    return [unit for place, unit in enumerate(units) if place != at and place % 2 == at % 2]
