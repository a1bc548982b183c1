"""Matches and standings of a team event, from its state and the results of its boards."""

from collections.abc import Collection, Sequence
from typing import Final, Literal

from service.boards.steps import FORFEIT
from service.store.boards.events import BoardResult, Results, StoredEvent
from service.store.tournaments.teams import Progress
from service.tournaments import arena_standings, fixtures, forms, knock_out, ranks, table_scores
from service.tournaments.match_scores import (
    VICTORY_POINTS,
    BoardOfMatch,
    BoardScore,
    Match,
    TeamStanding,
    board_score,
    victory_points,
)
from service.tournaments.table_scores import Share
from service.tournaments.teams import HOUSE, is_complete, meetings_of, shown_name, was_withdrawn

#: Rooms of a match. The first team has the even seats in the first room, the odd ones in the second.
ROOMS: Final = ("a", "b")


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

    Where tables are compared, results of the whole round are needed.

    Args:
        event, progress: the event and how far it is.
        results: results of the boards of the round.
        number: number of the round.
        pair: number of the match in the round, from 1.
    """
    form = forms.form_of(event)
    if form.grows:
        return arena_standings.match_at(event, progress, results, number, pair)
    if form.rooms == 1:
        return _matches_at_tables(event, progress, results, number)[pair - 1]
    return _match_of_teams(event, progress, results, number, pair)


def _match_of_teams(event: StoredEvent, progress: Progress, results: Results, number: int, pair: int) -> Match:
    """Return the outcome of a match of two teams at two tables."""
    teams, boards = meetings_of(progress["rounds"][number - 1])[pair - 1], []
    for board in boards_of(event, number):
        played = [results.get((board, room(pair, which))) for which in (0, 1)]
        ruling = progress["rulings"].get(ruling_of(number, pair, board))
        absent = fixtures.absent(progress, number, pair)
        blamed = _blamed(played, [was_withdrawn(progress, team, number) for team in teams], absent)
        score = board_score(
            [None if result is None else result["value"] for result in played],
            blamed,
            None if ruling is None else ruling["steps"],
            None if ruling is None or "split" not in ruling else ruling["split"][1],
        )
        on_board: BoardOfMatch = {
            "number": board,
            "results": played,
            "score": score,
            "reason": None if ruling is None else ruling["reason"],
            "shares": None,
        }
        boards.append(on_board)
    steps, other = (sum(board["score"].both[side] for board in boards) for side in (0, 1))
    points = victory_points(steps, len(boards))
    shares = [points, round(20 - points, 2) if other == -steps else victory_points(other, len(boards))]
    return {
        "round": number,
        "pair": pair,
        "teams": teams,
        "boards": boards,
        "steps": steps,
        "other_steps": other,
        "points": sum(board["score"].points or 0 for board in boards),
        "victory_points": shares,
    }


def _blamed(played: Sequence[BoardResult | None], withdrawn: Sequence[bool], absent: Sequence[bool]) -> list[bool]:
    """Return whether the teams of a match are to blame for a board without a result in one of the rooms.

    `withdrawn`: whether they had withdrawn when the round ended; `absent`: see `fixtures.absent`. Nobody but a team
    that has withdrawn is to blame for what its opponents did not play on.
    """
    unfinished = [result is None or result.get("unfinished", False) for result in played]
    if any(unfinished) and any(withdrawn):
        return list(withdrawn)
    if any(absent):
        return list(absent)
    return [
        any(
            result is not None and any((seat + which) % 2 == side for seat in result.get("taken", ()))
            for which, result in enumerate(played)
        )
        for side in (0, 1)
    ]


def matches_of(event: StoredEvent, progress: Progress, results: Results, number: int) -> list[Match]:
    """Return the matches of a finished round; of an arena, those of the tables that are over."""
    meetings = meetings_of(progress["rounds"][number - 1])
    if forms.form_of(event).grows:
        tables = arena_standings.counted(progress["rounds"][number - 1])
        return [match_of(event, progress, results, number, pair) for pair in tables]
    if forms.form_of(event).rooms == 1:
        return _matches_at_tables(event, progress, results, number)
    return [match_of(event, progress, results, number, pair) for pair in range(1, len(meetings) + 1)]


def _matches_at_tables(event: StoredEvent, progress: Progress, results: Results, number: int) -> list[Match]:
    """Return the matches of a round in which each board is played once at each table, and tables are compared."""
    meetings = meetings_of(progress["rounds"][number - 1])
    boards: list[list[BoardOfMatch]] = [[] for _ in meetings]
    for board in boards_of(event, number):
        played = [results.get((board, room(pair, 0))) for pair in range(1, len(meetings) + 1)]
        rulings = [progress["rulings"].get(ruling_of(number, pair, board)) for pair in range(1, len(meetings) + 1)]
        # What the director has decided is not compared with.
        values = [
            result["value"] if result is not None and ruling is None else None
            for result, ruling in zip(played, rulings, strict=True)
        ]
        for at, compared in enumerate(table_scores.shares(values)):
            ruling, units = rulings[at], meetings[at]
            if ruling is not None:
                shares, why = table_scores.ruled(ruling.get("percents", [50.0, 50.0])), "director"
            elif compared is not None:
                shares, why = [*compared], "played"
            else:
                blamed = _units_to_blame(progress, (number, at + 1), units, played[at])
                shares, why = table_scores.adjusted(blamed), "adjusted"
            boards[at].append(
                {
                    "number": board,
                    "results": [played[at]],
                    "score": BoardScore(0, None, why),
                    "reason": None if ruling is None else ruling["reason"],
                    "shares": [shares[place % len(shares)] for place in range(len(units))],
                }
            )
    return [_match_at_table(number, pair, meetings[pair - 1], each) for pair, each in enumerate(boards, 1)]


def _match_at_table(number: int, pair: int, units: list[str], boards: list[BoardOfMatch]) -> Match:
    means = [table_scores.mean([(board["shares"] or [])[at] for board in boards]) for at in range(len(units))]
    values = [result["value"] for board in boards for result in board["results"] if result is not None]
    steps = [round(sum((board["shares"] or [])[side]["steps"] for board in boards)) for side in (0, 1)]
    return {
        "round": number,
        "pair": pair,
        "teams": units,
        "boards": boards,
        "steps": steps[0],
        "other_steps": steps[1],
        "points": sum(value or 0 for value in values),
        "victory_points": [round(each["percent"] * VICTORY_POINTS / 100, 2) for each in means],
    }


def _units_to_blame(
    progress: Progress, where: tuple[int, int], units: Sequence[str], result: BoardResult | None
) -> list[bool]:
    """Return whether each unit at a table is to blame for a board that cannot be compared; see `_blamed`."""
    withdrawn = [was_withdrawn(progress, unit, where[0]) for unit in units]
    if any(withdrawn) and (result is None or result.get("unfinished", False)):
        return withdrawn
    if any(absent := fixtures.absent(progress, *where)):
        return absent
    seats = [] if result is None else result.get("taken", [])
    return [any(seat % len(units) == at for seat in seats) for at in range(len(units))]


def leads_of(matches: Sequence[Match]) -> knock_out.Leads:
    """Return the lead of the first team of each match, by the numbers of round and match; None if both have lost it."""
    return {(match["round"], match["pair"]): _lead(match) for match in matches}


def _lead(match: Match) -> knock_out.Lead | None:
    if match["steps"] == match["other_steps"] == -FORFEIT * len(match["boards"]):
        return None
    return (match["steps"] - match["other_steps"]) / 2, match["points"]


PenaltyUnit = Literal["percent", "victory_points", "arena_points"]


def penalty_unit(event: StoredEvent) -> PenaltyUnit | None:
    """Return from what a penalty is taken: the unit of the standings; None if no rank follows from it."""
    form = forms.form_of(event)
    unit: PenaltyUnit = "arena_points" if form.grows else "percent" if form.rooms == 1 else "victory_points"
    return unit if unit in forms.rules_of(event)["ranks"] else None


def standings(event: StoredEvent, progress: Progress, matches: Sequence[Match]) -> list[TeamStanding]:
    """Return the teams, the best first, as the criteria of the event say. Teams never complete are left out."""
    form = forms.form_of(event)
    played = {team for match in matches for team in match["teams"]}
    # AI players get no place in an arena.
    rows = _rows(event, progress, played - {HOUSE} if form.grows else played)
    if form.grows:
        arena_standings.add_tables(event, rows, matches)
        _penalize(event, progress, rows)
        return ranks.ranked(rows, forms.rules_of(event)["ranks"])
    shares: dict[str, list[Share]] = {team: [] for team in rows}
    for match in matches:
        for at, team in enumerate(match["teams"]):
            of_match = [board["shares"][at] for board in match["boards"] if board["shares"] is not None]
            shares[team] += of_match
            _add(rows[team], match, at, of_match)
    for team, row in rows.items():
        if shares[team]:
            mean = table_scores.mean(shares[team])
            row["percent"], row["mean_steps"] = mean["percent"], mean["steps"]
    if forms.name_of(event) == forms.KNOCK_OUT:
        far = knock_out.reached(progress, leads_of(matches), forms.rounds_of(event, progress))
        for team, row in rows.items():
            row["reached"] = far.get(team, 0.0)
    _penalize(event, progress, rows)
    return ranks.ranked(rows, forms.rules_of(event)["ranks"])


def _penalize(event: StoredEvent, progress: Progress, rows: dict[str, TeamStanding]) -> None:
    unit = penalty_unit(event)
    for team, penalty in progress.get("penalties", {}).items():
        row = rows.get(team)
        if row is not None and unit is not None:
            row["penalty"] = penalty["amount"]
            row[unit] = round((row[unit] or 0.0) - penalty["amount"], 2)


def _add(row: TeamStanding, match: Match, at: int, shares: Sequence[Share]) -> None:
    """Add a match to the row of the unit at a place in it; `shares`: its shares of the boards."""
    sign, points = (-1) ** at, match["victory_points"][at]
    steps = round(sum(share["steps"] for share in shares)) if shares else match["other_steps" if at else "steps"]
    row["steps"] += steps
    row["margin"] += sign * match["points"]
    row["victory_points"] = round(row["victory_points"] + points, 2)
    row["matches"].append(
        {
            "round": match["round"],
            "match": f"{match['round']}-{match['pair']}",
            "partner": match["teams"][(at + 2) % 4] if len(match["teams"]) > 2 else None,
            "opponents": [unit for place, unit in enumerate(match["teams"]) if place % 2 != at % 2],
            "steps": steps,
            "victory_points": points,
            "percent": table_scores.mean(shares)["percent"] if shares else None,
            "adjusted": sum(board["score"].why != "played" for board in match["boards"]),
        }
    )


def _rows(event: StoredEvent, progress: Progress, played: Collection[str]) -> dict[str, TeamStanding]:
    """Return the rows of teams that are complete or have played, before any match; of AI players, if they have."""
    return {
        team: {
            "rank": 0,
            "team": team,
            "name": shown_name(entry),
            "victory_points": 0.0,
            "steps": 0,
            "margin": 0,
            "percent": None,
            "mean_steps": None,
            "reached": 0.0,
            "line": forms.line_of(event, progress, team),
            "arena_points": 0.0,
            "streak": 0,
            "criteria": [],
            "matches": [],
            "penalty": 0.0,
            "is_withdrawn": entry["is_withdrawn"],
        }
        for team, entry in progress["teams"].items()
        if (is_complete(entry) and not entry["is_house"]) or team in played
    }
