"""Moderation by operators: reports, suspensions, names, accounts and tables. All need the token of an operator."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http import pagination
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource, operators
from service.api.resources.players import remember_identities
from service.api.resources.showing import words_of
from service.api.schemas import operators as schemas
from service.common.errors import InvalidRequest
from service.game.views.fields import timestamp
from service.moderation.appeals import APPEAL
from service.moderation.moderation import Moderation
from service.store.port import Player, Suspension, is_suspended

resource: Final = Resource(
    "Operators",
    "For those who run the service: send `OPERATOR_TOKEN`, or a token of `OPERATOR_TOKENS`, as a bearer token. "
    "Everything they do is logged and listed, with the operator's name.",
)


@resource.operation(
    "GET",
    "/v1/operator/reports",
    query=schemas.ReportsQuery(),
    response=schemas.KeptReports(),
    auth=operators,
)
def list_reports(request: ApiRequest) -> Response:
    """List reports.

    Newest first, with what was said at the table in the hour before. 1,000 are kept, 50 of each reporter; beyond that,
    the oldest of whoever has made the most goes first.
    """
    query = request.query
    start = int(pagination.decode_cursor(query["cursor"], r"(\d{1,6})")[1]) if "cursor" in query else 0
    is_open = query["status"] == "open" if "status" in query else None
    reports = request.services.moderation.reports(query.get("player"), is_open=is_open)
    end = start + query["limit"]
    cursor = pagination.encode_cursor(str(end)) if end < len(reports) else None
    return json_response({"items": [_report(report) for report in reports[start:end]], "next_cursor": cursor})


@resource.operation(
    "PATCH",
    "/v1/operator/reports/<report>",
    body=schemas.ReportChanges(),
    response=schemas.KeptReport(),
    auth=operators,
    budget="act",
    example={"status": "closed"},
    keeps=NOTHING,
)
def update_report(request: ApiRequest, report: str) -> Response:
    """Close a report.

    Can also open it again. An appeal is a report with the reason `appeal`: lift the suspension if it is right, and
    close it with an `answer`, which the player reads.
    """
    is_closed = request.body["status"] == "closed"
    closed = acting(request).close_report(report, is_closed=is_closed, answer=request.body.get("answer"))
    return json_response(_report(closed))


@resource.operation(
    "GET",
    "/v1/operator/players",
    query=schemas.PlayersQuery(),
    response=schemas.KnownPlayers(),
    auth=operators,
)
def find_players(request: ApiRequest) -> Response:
    """Look up players by name.

    Searches all players; at most 50 are shown.
    """
    records = request.services.moderation.named(request.query["name"])
    return json_response({"items": [_player(player) for player in records], "next_cursor": None})


@resource.operation(
    "GET",
    "/v1/operator/players/<player>",
    response=schemas.PlayerDetails(),
    auth=operators,
)
def look_up_player(request: ApiRequest, player: str) -> Response:
    """Read what is known about a player.

    The tables at which the player sits or is the host, the number of reports about the player, and suspensions.
    """
    moderation, record = request.services.moderation, request.services.accounts.player(player)
    about = [each for each in moderation.reports(player) if each["reason"] != APPEAL]
    body = _player(record) | {"tables": moderation.tables_of(player), "reports": len(about)}
    return json_response(body | {"invited_by": record.get("invited_by")})


@resource.operation(
    "PATCH",
    "/v1/operator/players/<player>",
    body=schemas.Renaming(),
    response=schemas.KnownPlayer(),
    auth=operators,
    budget="act",
    example={"name": "Player 7"},
    keeps=NOTHING,
)
def rename_player(request: ApiRequest, player: str) -> Response:
    """Rename a player.

    The player cannot change the name for 90 days (`name-held`). Entries of events show it at once; tables where the
    player sits keep showing the old name.
    """
    return _changed(request, acting(request).rename(player, request.body["name"]))


@resource.operation("DELETE", "/v1/operator/players/<player>", status=204, auth=operators, budget="act", keeps=NOTHING)
def erase_player(request: ApiRequest, player: str) -> Response:
    """Erase a player.

    As `DELETE /v1/me` does.
    """
    services = request.services
    if is_suspended(services.accounts.player(player), services.tables.now()):
        remember_identities(services, player)
    acting(request).erase(player)
    services.authenticator.forget(player)
    return empty_response()


@resource.operation(
    "POST",
    "/v1/operator/players/<player>/suspensions",
    body=schemas.SuspensionRequest(),
    response=schemas.KnownPlayer(),
    auth=operators,
    budget="act",
    example={"until": "2026-12-01T00:00:00Z", "cause": "chat"},
    keeps=NOTHING,
)
def suspend_player(request: ApiRequest, player: str) -> Response:
    """Suspend a player.

    Until then every request of the player, except reading and deleting the account, is refused with `suspended`, which
    says why and until when. Streams end within a second. An AI takes over the seats in running games; other seats
    become free. Suspending again replaces the suspension, so a retry does no harm.
    """
    body = request.body
    if body["until"] <= request.services.tables.now():
        raise InvalidRequest(reason="suspension_is_past", field="until", until=timestamp(body["until"]))
    suspended = acting(request).suspend(player, body["until"], body["cause"], body.get("note"))
    return _changed(request, suspended)


@resource.operation(
    "DELETE",
    "/v1/operator/players/<player>/suspensions",
    response=schemas.KnownPlayer(),
    auth=operators,
    budget="act",
    keeps=NOTHING,
)
def lift_suspension(request: ApiRequest, player: str) -> Response:
    """Lift a suspension.

    The player finds everything as it was, and can take back the seats in running games with `resume`. Succeeds even if
    there is no suspension.
    """
    return _changed(request, acting(request).lift(player))


@resource.operation("DELETE", "/v1/operator/tables/<table>", status=204, auth=operators, budget="act", keeps=NOTHING)
def close_any_table(request: ApiRequest, table: str) -> Response:
    """Close a table, whoever hosts it.

    A running game ends as abandoned and is not rated. The reason in `closed` of the table is `operator`.
    """
    acting(request).close_table(table)
    return empty_response()


@resource.operation(
    "PATCH",
    "/v1/operator/team-events/<event>",
    body=schemas.RenamedPart(),
    status=204,
    auth=operators,
    keeps=NOTHING,
    budget="act",
    example={"name": "Cup 7"},
)
def rename_team_event(request: ApiRequest, event: str) -> Response:
    """Rename an event of teams.

    The director cannot change the name any more (`name-held`).
    """
    services, name = request.services, request.body["name"]
    before = services.overseer.rename_event(event, name)
    acting(request).note("rename_event", event, {"before": before, "name": name})
    return empty_response()


@resource.operation(
    "DELETE", "/v1/operator/team-events/<event>", status=204, auth=operators, budget="act", keeps=NOTHING
)
def remove_team_event(request: ApiRequest, event: str) -> Response:
    """Remove an event of teams.

    Its tables close; its teams and results are deleted.
    """
    services = request.services
    team_event = services.overseer.remove_event(event)
    details = {"before": team_event.event["teams"]["name"], "player": team_event.progress["director"]}
    acting(request).note("remove_event", event, details)
    return empty_response()


@resource.operation(
    "PATCH",
    "/v1/operator/team-events/<event>/teams/<team>",
    body=schemas.RenamedPart(),
    status=204,
    auth=operators,
    keeps=NOTHING,
    budget="act",
    example={"name": "Team 7"},
)
def rename_team(request: ApiRequest, event: str, team: str) -> Response:
    """Rename a team.

    Its captain and the director cannot change the name any more (`name-held`).
    """
    services, name = request.services, request.body["name"]
    before = services.overseer.rename_team(event, team, name)
    acting(request).note("rename_team", team, {"event": event, "before": before, "name": name})
    return empty_response()


@resource.operation(
    "DELETE", "/v1/operator/team-events/<event>/teams/<team>", status=204, auth=operators, budget="act", keeps=NOTHING
)
def remove_team(request: ApiRequest, event: str, team: str) -> Response:
    """Remove a team.

    As its captain can withdraw it: once a round has begun, it stays in the standings and plays no more.
    """
    services = request.services
    acting(request).note("remove_team", team, {"event": event, "before": services.overseer.remove_team(event, team)})
    return empty_response()


@resource.operation(
    "DELETE",
    "/v1/operator/team-events/<event>/comments/<comment>",
    status=204,
    auth=operators,
    budget="act",
    keeps=NOTHING,
)
def remove_comment(request: ApiRequest, event: str, comment: str) -> Response:
    """Remove a comment on a board, or a note.

    What a commentator of an event that is shown has said, or a director has told all entrants.
    """
    services = request.services
    team_event = services.team_events.event(event)
    words = words_of(services, team_event, comment)
    if words.is_note:
        services.notes.delete(team_event, comment)
    else:
        services.showing.delete(event, words.player, comment)
    acting(request).note("remove_comment", comment, {"event": event, "before": words.text})
    return empty_response()


@resource.operation(
    "PATCH",
    "/v1/operator/rooms/<room>",
    body=schemas.RenamedRoom(),
    status=204,
    auth=operators,
    keeps=NOTHING,
    budget="act",
    example={"name": "Room 7"},
)
def rename_room(request: ApiRequest, room: str) -> Response:
    """Rename a room.

    Its host cannot change the name for 90 days (`name-held`).
    """
    name = request.body["name"]
    before = request.services.circles.rename(room, name)
    acting(request).note("rename_room", room, {"before": before, "name": name})
    return empty_response()


@resource.operation(
    "PATCH",
    "/v1/operator/clubs/<club>",
    body=schemas.RenamedClub(),
    status=204,
    auth=operators,
    keeps=NOTHING,
    budget="act",
    example={"name": "Club 7", "about": ""},
)
def rename_club(request: ApiRequest, club: str) -> Response:
    """Rename a club, or rewrite its description.

    Its owners can change neither for 90 days (`name-held`).
    """
    changes = dict(request.body)
    before = request.services.clubs.rename(club, changes)
    acting(request).note("rename_club", club, {"before": before, "after": changes})
    return empty_response()


@resource.operation("DELETE", "/v1/operator/clubs/<club>", status=204, auth=operators, budget="act", keeps=NOTHING)
def remove_club(request: ApiRequest, club: str) -> Response:
    """Close a club.

    For good, as its owners can.
    """
    acting(request).note("remove_club", club, {"before": request.services.clubs.close_for_operator(club)})
    return empty_response()


@resource.operation(
    "PATCH",
    "/v1/operator/clubs/<club>/seasons/<season>",
    body=schemas.RenamedSeason(),
    status=204,
    auth=operators,
    keeps=NOTHING,
    budget="act",
    example={"name": "Season 7"},
)
def rename_club_season(request: ApiRequest, club: str, season: str) -> Response:
    """Rename a season of a club.

    Nobody else can change the name then (`name-held`). A report of the club has the ids (`said`).
    """
    name = request.body["name"]
    before = request.services.seasons.rename(club, season, name)
    acting(request).note("rename_season", season, {"before": before, "after": name})
    return empty_response()


@resource.operation(
    "GET",
    "/v1/operator/deeds",
    query=schemas.DeedsQuery(),
    response=schemas.Deeds(),
    auth=operators,
)
def list_deeds(request: ApiRequest) -> Response:
    """List what operators did.

    Newest first; the latest 2,000 are kept.
    """
    query, before = request.query, None
    if "cursor" in query:
        before = pagination.decode_cursor(query["cursor"], r"(\d{1,15}-\d{1,6})")[1]
    deeds = request.services.moderation.deeds(before, query["limit"])
    items = []
    for deed in deeds:
        details = dict(deed.details)
        item = {"at": timestamp(deed.at), "deed": deed.deed, "by": details.pop("operator", None), "about": deed.about}
        items.append(item | {"details": details})
    cursor = pagination.encode_cursor(deeds[-1].id) if len(deeds) == query["limit"] else None
    return json_response({"items": items, "next_cursor": cursor})


def acting(request: ApiRequest) -> Moderation:
    """Return moderation by the operator who sent a request."""
    return request.services.moderation.by(request.operator)


def _changed(request: ApiRequest, record: Player) -> Response:
    services = request.services
    services.authenticator.forget(record["id"])
    # Open streams of this process check the record at once, those of others after the announcement.
    services.feeds.revoked(record["id"])
    return json_response(_player(record))


def _report(report: Mapping[str, Any]) -> dict[str, object]:
    messages = [{**message, "at": timestamp(message["at"])} for message in report["said"]]
    times = {"at": timestamp(report["at"]), "closed_at": timestamp(report["closed_at"])}
    # Releases before 0.4 kept less.
    absent = dict.fromkeys(("event", "team", "room", "club", "comment", "answer"))
    return {**absent, "count": 1, **report, **times, "said": messages}


def shown_suspension(suspension: Suspension | None) -> dict[str, object] | None:
    """Return a suspension as in the schema."""
    return suspension and {**suspension, **{name: timestamp(suspension[name]) for name in ("since", "until")}}


def _player(record: Player) -> dict[str, object]:
    suspension = shown_suspension(record.get("suspension"))
    about: dict[str, object] = {name: record[name] for name in ("id", "name", "kind")}
    held = timestamp(record.get("name_held_until"))
    return about | {"created_at": timestamp(record["created_at"]), "suspension": suspension, "name_held_until": held}
