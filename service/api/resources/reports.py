"""Muting and reporting other players, events, teams, rooms and clubs."""

from contextlib import suppress
from typing import Final

from flask import Response

from service.accounts.kept_bytes import ENTRY, NOTHING, REPORT
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, run_once
from service.api.operations import ApiRequest, Resource
from service.api.resources.showing import words_of
from service.api.schemas import reports as schemas
from service.circles.circles import host_of
from service.game.errors import NotFound
from service.game.views.fields import timestamp
from service.moderation import appeals
from service.moderation.moderation import chat_of
from service.store.clubs.clubs import owners
from service.store.port import StoreTooNew
from service.tournaments.teams import shown_name, team_of

resource: Final = Resource(
    "Mutes and reports", "Muting and reporting other players, and appealing against what operators did."
)


@resource.operation(
    "GET",
    "/v1/me/mutes",
    response=schemas.Mutes(),
    scope="social:read",
)
def list_mutes(request: ApiRequest) -> Response:
    """List whom I have muted.

    In the order in which I muted them.
    """
    return json_response({"players": request.player.get("muted", [])})


@resource.operation(
    "PUT",
    "/v1/me/mutes/<player>",
    status=204,
    budget="act",
    scope="social:write",
    keeps=ENTRY,
)
def mute(request: ApiRequest, player: str) -> Response:
    """Mute a player.

    Their messages reach me without text and with `muted`, from the next one on and when I read the log again. Nobody
    else notices. The latest 200 are kept.
    """
    request.services.people.mute(request.player_id, player)
    look_again(request)
    return empty_response()


@resource.operation(
    "DELETE",
    "/v1/me/mutes/<player>",
    status=204,
    budget="act",
    scope="social:write",
    keeps=NOTHING,
)
def unmute(request: ApiRequest, player: str) -> Response:
    """Unmute a player.

    Succeeds even if they are not muted or no longer exist.
    """
    request.services.people.unmute(request.player_id, player)
    look_again(request)
    return empty_response()


def look_again(request: ApiRequest) -> None:
    """Have the caller's streams look at the record, which says who is muted.

    Those of this process do so at once, those of others after the announcement.
    """
    request.services.authenticator.forget(request.player_id)
    request.services.feeds.revoked(request.player_id)


@resource.operation(
    "POST",
    "/v1/players/<player>/reports",
    body=schemas.ReportDetails(),
    response=schemas.Report(),
    budget="create",
    headers=(HEADER,),
    errors=("idempotency-key-reused",),
    example={"reason": "chat", "text": "Insults everybody at the table."},
    scope="social:write",
    keeps=REPORT,
)
def report_player(request: ApiRequest, player: str) -> Response:
    """Report a player.

    The report goes to the operators of the service, with what was said at the table in the last hour. The player is not
    told. Reporting the same player for the same reason again adds to the report. Send an `Idempotency-Key`, so that a
    retry does not report twice.
    """
    services = request.services
    record = services.accounts.player(player)

    def report() -> dict[str, object]:
        table, messages = request.body.get("table"), list[dict[str, object]]()
        if table is not None:
            with suppress(NotFound, StoreTooNew):
                messages = chat_of(services.tables.log(table), services.tables.now())
        about = {"player": record["id"], "name": record["name"]}
        return services.moderation.report(request.player_id, about, request.body, messages)

    return json_response(run_once(request, request.player_id, report))


@resource.operation(
    "POST",
    "/v1/team-events/<event>/reports",
    body=schemas.EventReportDetails(),
    response=schemas.Report(),
    keeps=REPORT,
    budget="create",
    headers=(HEADER,),
    errors=("idempotency-key-reused",),
    example={"reason": "display_name", "text": "The name insults a player."},
    scope="social:write",
)
def report_team_event(request: ApiRequest, event: str) -> Response:
    """Report an event of teams.

    The report goes to the operators of the service: about the name of the event or, with `team`, of one of its teams;
    with `comment`, about what a commentator has said or a director has told all entrants. Nobody else is told. Send an
    `Idempotency-Key`, so that a retry does not report twice.
    """
    services, team = request.services, request.body.get("team")
    team_event = services.team_events.event(event)
    about: dict[str, object] = {
        "player": team_event.progress["director"] or "",
        "name": team_event.event["teams"]["name"],
        "event": event,
    }
    if team is not None:
        named = team_of(team_event.progress, team)
        about |= {"player": named["captain"] or "", "name": shown_name(named), "team": team}
    elif "comment" in request.body:
        words = words_of(services, team_event, request.body["comment"])
        about |= {"player": words.player, "name": words.text, "comment": words.id}

    def report() -> dict[str, object]:
        return services.moderation.report(request.player_id, about, request.body, [])

    return json_response(run_once(request, request.player_id, report))


@resource.operation(
    "POST",
    "/v1/rooms/<room>/reports",
    body=schemas.RoomReportDetails(),
    response=schemas.Report(),
    keeps=REPORT,
    budget="create",
    headers=(HEADER,),
    errors=("idempotency-key-reused",),
    example={"text": "The name insults a player."},
    scope="social:write",
)
def report_room(request: ApiRequest, room: str) -> Response:
    """Report the name of a room.

    The report goes to the operators of the service; nobody of the room is told. Only those who belong to the room can
    report it. Send an `Idempotency-Key`, so that a retry does not report twice.
    """
    services = request.services
    circle = services.circles.of(request.player_id, room)
    about: dict[str, object] = {"player": host_of(circle), "name": circle["name"], "room": room}

    def report() -> dict[str, object]:
        return services.moderation.report(request.player_id, about, request.body, [])

    return json_response(run_once(request, request.player_id, report))


@resource.operation(
    "POST",
    "/v1/clubs/<club>/reports",
    body=schemas.ClubReportDetails(),
    response=schemas.Report(),
    keeps=REPORT,
    budget="create",
    headers=(HEADER,),
    errors=("idempotency-key-reused",),
    example={"text": "The description insults a player."},
    scope="social:write",
)
def report_club(request: ApiRequest, club: str) -> Response:
    """Report the name or the description of a club.

    The report goes to the operators of the service, with the description and the names of seasons as they are;
    nobody of the club is told. Whoever sees the club can report it. Send an `Idempotency-Key`, so that a retry does not
    report twice.
    """
    services = request.services
    known = services.clubs.shown(request.player_id, club)
    owner = next(iter(owners(known)), "")
    about: dict[str, object] = {"player": owner, "name": known["name"], "club": club}
    said: list[dict[str, object]] = []
    if known["about"]:
        said = [{"at": services.tables.now(), "player": owner, "name": known["name"], "text": known["about"]}]
    for name in services.seasons.names(club):
        said.append({"at": services.tables.now(), "player": None, "name": None, "text": name})

    def report() -> dict[str, object]:
        return services.moderation.report(request.player_id, about, request.body, said)

    return json_response(run_once(request, request.player_id, report))


# --- appeals ----------------------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/me/appeal", response=schemas.Appeal(), scope="account", is_for_suspended=True)
def get_appeal(request: ApiRequest) -> Response:
    """Read my appeal.

    The latest one, what the operators say, and whether one can be sent now.
    """
    services = request.services
    return _appeal(appeals.appeal_of(services.moderation, request.player, services.tables.now()))


@resource.operation(
    "PUT",
    "/v1/me/appeal",
    body=schemas.AppealDetails(),
    response=schemas.Appeal(),
    budget="create",
    errors=("nothing-to-appeal", "appeal-decided"),
    example={"text": "It was my brother; he has his own account now."},
    scope="account",
    is_for_suspended=True,
    keeps=REPORT,
)
def put_appeal(request: ApiRequest) -> Response:
    """Appeal against my suspension, or against a name that an operator has given me.

    The operators of the service read it. Until they have decided, the text can be sent anew; there is one decision for
    each suspension and each name.
    """
    services = request.services
    text, now = request.body["text"], services.tables.now()
    return _appeal(appeals.appeal(services.moderation, request.player, text, now))


def _appeal(appeal: appeals.Appeal) -> Response:
    return json_response(
        {
            "possible": appeal.is_possible,
            "text": appeal.text,
            "at": timestamp(appeal.at),
            "decided_at": timestamp(appeal.decided_at),
            "answer": appeal.answer,
        }
    )
