"""Those who direct an event of teams, and what they tell its entrants."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import BY_HANDLER, COMMENT, NOTHING, NOTICE, RULING
from service.api.idempotency import HEADER, id_once, run_once
from service.api.operations import ApiRequest, Resource
from service.api.resources.team_events import COST, DIRECTED, shown_event
from service.api.schemas import team_events as schemas
from service.tournaments.directing.notes import readers_of

resource: Final = Resource(
    "Directors of events",
    "Who directs an event of teams: the director who leads it, and others whom that one names. They tell all entrants "
    "what they have to know.",
)


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/directors/<player>",
    errors=("event-closed", "not-director"),
    keeps=NOTICE + RULING,
    **DIRECTED,
)
def name_director(request: ApiRequest, event: str, player: str) -> Response:
    """Name another director.

    Only the director who leads the event may, eight in all with themselves. Directors have the same rights, except to
    name others; in an event of a club they need an office there. The player gets `director_named` on the stream of
    the account, and may give the office up again (`DELETE`). Succeeds even if they direct it already.
    """
    return shown_event(request, request.services.offices.name(event, request.player, player))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/directors/<player>",
    errors=("event-closed", "not-director"),
    keeps=RULING,
    **DIRECTED,
)
def remove_director(request: ApiRequest, event: str, player: str) -> Response:
    """Remove a director.

    The one who leads the event may, and each of the others for themselves. Succeeds even if the player directs it no
    longer.
    """
    return shown_event(request, request.services.offices.remove(event, request.player_id, player))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/director",
    body=schemas.LeadingDirector(),
    errors=("event-closed", "not-director", "too-many-events"),
    example={"player": "pl_x5q2k7d3m4na"},
    keeps=RULING,
    **DIRECTED,
)
def pass_on_lead(request: ApiRequest, event: str) -> Response:
    """Pass on the lead of an event.

    The director who leads it offers the lead to another director, who takes it with the same request: from then on it
    counts among the events that they direct. Whoever led it stays a director. The leading director withdraws the offer
    by naming themselves. If they delete the account, the next director leads it.
    """
    return shown_event(request, request.services.offices.pass_on(event, request.player_id, request.body["player"]))


@resource.operation(
    "POST",
    "/v1/team-events/<event>/notes",
    body=schemas.NoteDraft(),
    response=schemas.TeamEvent(),
    budget="act",
    cost=COST,
    headers=(HEADER,),
    errors=("event-closed", "not-director", "idempotency-key-reused"),
    example={"text": "The second half begins at nine."},
    scope="chat:write",
    keeps=BY_HANDLER,
)
def send_note(request: ApiRequest, event: str) -> Response:
    """Send a note to all entrants.

    Directors may, ten within a day. It is in `notes` of the event, and in its log. Who has agreed to play gets
    `event_note` on the stream of the account, and so do other directors; not those who have blocked or muted its
    author. Send an `Idempotency-Key`, so that a retry does not send it twice.
    """
    player, services = request.player, request.services
    known = services.team_events.directed(event, player["id"])

    def send() -> dict[str, object]:
        request.keep(COMMENT + NOTICE * len(readers_of(known.progress, player["id"])))
        services.notes.send(event, player, request.body["text"], id_once(request, "no_"))
        return {"event": event}

    run_once(request, player["id"], send)
    return shown_event(request, services.team_events.event(event))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/notes/<note>",
    response=schemas.TeamEvent(),
    budget="act",
    cost=COST,
    errors=("not-director",),
    scope="chat:write",
    keeps=NOTHING,
)
def take_back_note(request: ApiRequest, event: str, note: str) -> Response:
    """Take a note back.

    Directors may. The log still tells that there was one. Succeeds even if there is none.
    """
    return shown_event(request, request.services.notes.take_back(event, request.player_id, note))
