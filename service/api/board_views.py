"""Boards and events of teams as JSON, and boards of matches as CSV."""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from service.boards.deals import commitments, level_of_match, seed_of_match, shuffle_name_of, starter_of
from service.game.shuffle import commitment
from service.game.views.fields import timestamp
from service.rules.options.rulesets import RULESETS
from service.store.boards.events import BoardResult, StoredEvent
from service.store.tournaments.teams import Act, Progress, Round, Team
from service.tournaments import arenas, fixtures, forms, teams
from service.tournaments.directing import late_entries
from service.tournaments.directing.director import pairing_of
from service.tournaments.directing.entry_links import is_open_by
from service.tournaments.match_scores import BoardOfMatch, Match, TeamStanding
from service.tournaments.match_tables import rooms_begun
from service.tournaments.team_events import TeamEvent


def level_of(event: StoredEvent, level: str) -> str | None:
    """Return the level of a board as in the schemas; None in Arm's Length."""
    return level if RULESETS[event["ruleset"]].family == "shengji" else None


def shown_result(result: BoardResult) -> dict[str, object]:
    """Return the result of a game as in the schemas."""
    return {
        "game": result["game"],
        "points": result.get("points"),
        "side": result.get("side"),
        "scores": result.get("scores"),
    }


def summary(team_event: TeamEvent, now: int) -> dict[str, object]:
    """Return the summary of an event of teams at a time (ms)."""
    event, progress = team_event
    rules, is_over = event["teams"], now >= teams.ended_at(event, progress)
    form = forms.rules_of(event)
    return {
        "event": event["id"],
        **{name: rules[name] for name in ("name", "boards", "round_ms")},
        "rounds": forms.rounds_of(event, progress),
        "form": form["name"],
        "size": forms.form_of(event).size(event["players"]),
        "winners": form["winners"],
        "league": form.get("league"),
        "ranks": form["ranks"],
        "ai_after_ms": form.get("ai_after_ms"),
        "ruleset": event["ruleset"],
        "players": event["players"],
        "members_only": "club" in rules,
        "status": "over" if is_over else "playing" if progress["rounds"] else "entries",
        "created_at": timestamp(event["opens_at"]),
        "round": len(progress["rounds"]),
        "next_round_at": None if is_over else _moment(forms.follows_at(event, progress)),
        "teams": sum(not team["is_house"] for team in progress["teams"].values()),
    }


def listed(team_event: TeamEvent, now: int, player: str) -> dict[str, object]:
    """Return the list entry of an event of teams, for a player."""
    return {**summary(team_event, now), "mine": own_part(team_event, player)}


def whole(
    team_event: TeamEvent,
    now: int,
    player: str,
    table: str | None,
    names: Mapping[str, str],
    muted: Collection[str],
) -> dict[str, object]:
    """Return an event of teams with its teams and rounds, for a player.

    Args:
        team_event: the event.
        now: the time (ms).
        player: who reads it (id).
        table: where they play now.
        names: player -> name, of directors.
        muted: whose words the player does not want to read (ids).
    """
    event, progress = team_event
    return {
        **summary(team_event, now),
        "entries": [_team(name, team) for name, team in progress["teams"].items()],
        "played": played(team_event, now),
        "commitments": [commitments(board)[0] for board in event["boards"]],
        "showing": _showing(progress, player),
        "directors": _directors(progress, names),
        "takes_entries": now < teams.ended_at(event, progress) and late_entries.takes_entries(event, progress, now),
        "by_link": not is_open_by(progress, None),
        "link": progress.get("link") if teams.directs(progress, player) else None,
        "notes": [
            {
                "note": note["id"],
                "at": timestamp(note["at"]),
                "by": note["by"],
                "name": names.get(note["by"]),
                "text": None if note["by"] in muted else note["text"],
            }
            for note in reversed(progress.get("notes", []))
        ],
        "mine": {**own_part(team_event, player), "table": table, "fixture": _fixture(team_event, player, now)},
    }


def _directors(progress: Progress, names: Mapping[str, str]) -> list[dict[str, object]]:
    """Return who directs an event, first who leads it."""
    first = {} if progress["director"] is None else {progress["director"]: ""}
    return [
        {
            "player": player,
            "name": names.get(player),
            "leads": teams.leads(progress, player),
            "offered": player == progress.get("heir"),
        }
        for player in {**first, **progress.get("directors", {})}
    ]


def _showing(progress: Progress, player: str) -> dict[str, object] | None:
    """Return how an event is shown; only its directors read who comments."""
    if "showing" not in progress:
        return None
    return {**progress["showing"], **({} if teams.directs(progress, player) else {"commentators": []})}


def played(team_event: TeamEvent, now: int) -> list[dict[str, object]]:
    """Return the rounds that have begun."""
    return [_round(team_event, now, number) for number in range(1, len(team_event.progress["rounds"]) + 1)]


def next_round(drafted: TeamEvent, now: int) -> dict[str, object]:
    """Return the pairing of the last round of an event, which has not begun."""
    shown = _round(drafted, now, len(drafted.progress["rounds"]))
    return {name: shown[name] for name in ("round", "matches", "byes")} | {"pairing": pairing_of(drafted.progress)}


def _team(name: str, team: Team) -> dict[str, object]:
    members = [
        {
            "player": member["player"],
            "name": member["name"],
            "level": member["level"],
            "confirmed": member["is_confirmed"],
        }
        for member in team["members"]
    ]
    return {
        "team": name,
        "name": teams.shown_name(team),
        "captain": team["captain"],
        "members": members,
        "complete": teams.is_complete(team),
        "withdrawn": team["is_withdrawn"],
        "put_out": team["is_withdrawn"] and team.get("is_put_out", False),
        "house": team["is_house"],
    }


def _round(team_event: TeamEvent, now: int, number: int) -> dict[str, object]:
    event, progress = team_event
    entry = progress["rounds"][number - 1]
    is_over, closes_at = teams.is_over(entry, now), entry["closed_at"] or entry["closes_at"]
    meetings, is_current = teams.meetings_of(entry), number == len(progress["rounds"])
    rooms = len(rooms_begun(event, progress)) if is_current else 0
    # Of an arena that goes on, the tables where people play now: it may have hundreds.
    shown = arenas.open_tables(entry) if "over" in entry and not entry["is_scored"] else range(1, len(meetings) + 1)
    is_last = "slots" in entry and number == forms.rounds_of(event, progress)
    return {
        "round": number,
        "status": "over" if entry["is_scored"] else "open",
        "opened_at": timestamp(entry["opened_at"]),
        "closes_at": timestamp(closes_at),
        "remaining_ms": 0 if is_over else closes_at - now,
        "pending": _pending(entry, closes_at, rooms, is_over=is_over),
        "matches": [
            {
                "match": f"{number}-{pair}",
                "teams": meetings[pair - 1],
                "place": (1 if meetings[pair - 1] == entry.get("slots") else 3) if is_last else None,
                "agreed_at": _moment(fixtures.fixture_of(entry, pair)["at"]),
            }
            for pair in shown
        ],
        "byes": entry.get("byes", []),
        "last_table_at": timestamp(arenas.last_table_at(event, entry)) if "over" in entry else None,
        "waiting": arenas.in_order(progress, entry),
        "tables": len(meetings) if "over" in entry else None,
    }


def _moment(at: int | None) -> str | None:
    return None if at is None else timestamp(at)


def _fixture(team_event: TeamEvent, player: str, now: int) -> dict[str, object] | None:
    """Return the match of a league for which a player and others have to find a time, or None."""
    progress, number = team_event.progress, len(team_event.progress["rounds"])
    pair = fixtures.match_of(progress, player)
    if pair is None or teams.is_over(progress["rounds"][-1], now):
        return None
    entry = progress["rounds"][-1]
    fixture, people = fixtures.fixture_of(entry, pair), fixtures.people_of(progress, entry, pair)
    proposal = fixture["proposal"]
    return {
        "match": f"{number}-{pair}",
        "begun": pair in entry.get("begun", ()),
        "agreed_at": _moment(fixture["at"]),
        "proposed": None
        if proposal is None or proposal["at"] <= now
        else {"at": timestamp(proposal["at"]), "teams": proposal["units"]},
        "players": [*people],
        "ready": fixtures.ready_at(fixture, now),
        "proposals_left": fixtures.MOST_PROPOSALS - fixture["asked"].get(people[player], 0),
    }


def _pending(entry: Round, closes_at: int, total: int, *, is_over: bool) -> dict[str, object] | None:
    """Return what the clock's process still has to do for a round."""
    if is_over:
        work: dict[str, object] = {"what": "results", "since": timestamp(closes_at), "done": None, "total": None}
        return None if entry["is_scored"] else work
    done = entry.get("opened")
    if done is None or done >= total:
        return None
    return {"what": "tables", "since": timestamp(entry["opened_at"]), "done": done, "total": total}


def own_part(team_event: TeamEvent, player: str) -> dict[str, object]:
    """Return the part of a player in an event."""
    place = teams.place_of(team_event.progress, player)
    member = None if place is None else team_event.progress["teams"][place[0]]["members"][place[1]]
    directs = teams.directs(team_event.progress, player)
    return {
        "directs": directs,
        # Only for those who have to do with the event: others must not learn of the club.
        "club": team_event.event["teams"].get("club") if directs or place is not None else None,
        "team": None if place is None else place[0],
        "confirmed": member is not None and member["is_confirmed"],
    }


def act_of(team_event: TeamEvent, act: Act, *, directs: bool, names: Mapping[str, str]) -> dict[str, object]:
    """Return an act of the log, with names of players.

    What a ruling counts in a round that is not over, and why, is for directors.
    """
    number = act.get("round", 0)
    is_shown = directs or "match" not in act or team_event.progress["rounds"][number - 1]["is_scored"]
    about = {field: act.get(field) for field in ("round", "match", "board", "team", "player", "note", "undoes")}
    return {
        "number": act["number"],
        "at": timestamp(act["at"]),
        "by": act["by"],
        "name": names.get(act["by"] or ""),
        "player_name": names.get(act.get("player") or ""),
        "plays": act.get("plays", False),
        "what": act["what"],
        "reason": (act["reason"] or None) if is_shown else None,
        **about,
        "values": act.get("values") if is_shown else None,
    }


def standing(team_event: TeamEvent, row: TeamStanding, *, is_whole: bool = True) -> dict[str, object]:
    """Return a row of the standings; of an arena with its matches only if `is_whole`: they may be hundreds."""
    is_arena = forms.form_of(team_event.event).grows
    matches = row["matches"] if is_whole or not is_arena else []
    ranks, draw = forms.rules_of(team_event.event)["ranks"], team_event.progress.get("draw", [])
    shown = ("rank", "team", "name", "victory_points", "percent", "steps", "margin", "line", "penalty")
    penalty = team_event.progress.get("penalties", {}).get(row["team"])
    return {
        **{name: value for name, value in row.items() if name in shown},
        "penalty_reason": None if penalty is None else penalty["reason"],
        "criteria": [{"name": name, "value": value} for name, value in zip(ranks, row["criteria"], strict=True)],
        # AI players may have several places, and give them to late units.
        "drawn": draw.index(row["team"]) + 1 if row["team"] in draw and row["team"] != teams.HOUSE else None,
        "points": row["arena_points"] if is_arena else None,
        "streak": row["streak"] if is_arena else None,
        "played": len(row["matches"]),
        "matches": [{**match, "opponent": match["opponents"][0], "points": match.get("points")} for match in matches],
        "withdrawn": row["is_withdrawn"],
    }


def match_of(team_event: TeamEvent, match: Match) -> dict[str, object]:
    """Return a match of a finished round."""
    return {
        "match": f"{match['round']}-{match['pair']}",
        "round": match["round"],
        "teams": match["teams"],
        "names": [teams.shown_name(team_event.progress["teams"][team]) for team in match["teams"]],
        "steps": match["steps"],
        "victory_points": match["victory_points"],
        "boards": [_board(team_event, board, match["pair"], match["round"]) for board in match["boards"]],
    }


def _board(team_event: TeamEvent, played: BoardOfMatch, pair: int, at: int) -> dict[str, object]:
    """Return a board of a match; `at`: number of its round."""
    event, number, score = team_event.event, played["number"], played["score"]
    board, seed = event["boards"][number - 1], seed_of_match(event, number, pair)
    is_scored = team_event.progress["rounds"][at - 1]["is_scored"]
    return {
        "number": number,
        "level": level_of(event, level_of_match(event, number, pair)),
        "starter": starter_of(event, number),
        "commitment": commitment(bytes.fromhex(seed)),
        "server_seed": seed,
        # The deals of all matches follow from it, so of tables of an arena that are still to come.
        "drawn_from": board["seeds"][0] if seed != board["seeds"][0] and is_scored else None,
        "shuffle_name": shuffle_name_of(event, number),
        "rooms": [_room(result) for result in played["results"]],
        "points": score.points,
        "steps": score.steps if played["shares"] is None else round(played["shares"][0]["steps"]),
        "shares": played["shares"],
        "seats": played.get("seats"),
        "split": None if score.other is None else [*score.both],
        "counted": score.why,
        "reason": played["reason"],
    }


def _room(result: BoardResult | None) -> dict[str, object] | None:
    if result is None or result.get("unfinished"):
        return None
    return {**shown_result(result), "value": result["value"]}


_COLUMNS: Final = (
    *("round", "match", "team", "opponent", "board", "value_first_room", "value_second_room", "points", "steps"),
    *("counted", "reason", "match_steps", "match_victory_points", "game_first_room", "game_second_room"),
    *("percent_first_side", "percent_second_side", "steps_second_team", "winners"),
)


def as_csv(team_event: TeamEvent, matches: Sequence[Match]) -> str:
    """Return the boards of matches as CSV (RFC 4180), with a header.

    It begins with a byte order mark, without which Excel takes Chinese for another encoding.
    """
    out = StringIO()
    out.write("\ufeff")
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    writer.writerows(row for match in matches for row in _rows(team_event, match))
    return out.getvalue()


def _rows(team_event: TeamEvent, match: Match) -> Iterator[list[object]]:
    of_each = [teams.shown_name(team_event.progress["teams"][team]) for team in match["teams"]]
    names = [_plain(" + ".join(of_each[side::2])) for side in (0, 1)]
    for board in match["boards"]:
        rooms = [None if result is None or result.get("unfinished") else result for result in board["results"]]
        rooms += [None] * (2 - len(rooms))
        percents = [share["percent"] for share in (board["shares"] or ())[:2]]
        score = board["score"]
        yield [
            *(match["round"], f"{match['round']}-{match['pair']}", *names, board["number"]),
            *(None if room is None else room["value"] for room in rooms),
            *(score.points, score.steps, score.why, _plain(board["reason"] or "")),
            *(match["steps"], match["victory_points"][0]),
            *(None if room is None else room["game"] for room in rooms),
            *(percents or (None, None)),
            score.both[1] if board["shares"] is None else None,
            _plain(_winners(board, of_each)),
        ]


def _winners(board: BoardOfMatch, names: Sequence[str]) -> str:
    """Return the names of those who have won a board of an arena."""
    seats = zip(names, board.get("seats", ()), strict=False)
    return " + ".join(name for name, seat in seats if seat["outcome"] == "won")


def _plain(text: str) -> str:
    """Escape a text that a spreadsheet would read as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
