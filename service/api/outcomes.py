"""Commands to a table, and their outcomes as responses."""

from typing import Final, NotRequired, TypedDict

from flask import Request, Response

from service.api.http.responses import json_response
from service.api.operations import ApiRequest
from service.api.visibility import Perspective
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.game.views.types import EventView, View
from service.tables import Outcome

_MINIMAL: Final = "return=minimal"


class OutcomeBody(TypedDict):
    """The body of the response to a command."""

    seq: int
    version: int
    server_time: str
    events: list[EventView]
    view: NotRequired[View]


def execute(request: ApiRequest, table: str, kind: str, **fields: object) -> Response:
    """Execute the caller's command at a table and return the response.

    The command has the fields of the request body and `fields`.
    """
    command = {"type": kind, "player": request.player_id, **request.body, **fields}
    return outcome_response(request, request.services.tables.act(table, command))


def outcome_response(request: ApiRequest, outcome: Outcome) -> Response:
    """Return the response to a command, without the view if the client prefers that."""
    request.services.presence.acted(outcome.state, request.player_id)
    perspective = _perspective(request, outcome)
    body = _body(request, perspective, outcome)
    headers = {"ETag": perspective.etag}
    if _prefers_minimal(request.raw):
        headers["Preference-Applied"] = _MINIMAL
    else:
        body["view"] = perspective.view()
    return json_response(body, headers=headers)


def unchanged_response(request: ApiRequest, state: State) -> Response:
    """Return the response to a command that has been carried out before."""
    return outcome_response(request, Outcome(state["version"], [], state))


def _prefers_minimal(raw: Request) -> bool:
    """Return whether the client prefers a response without a view (RFC 7240)."""
    header: str | None = raw.environ.get("HTTP_PREFER")
    return header is not None and _MINIMAL in header.lower().replace(" ", "").replace('"', "").split(",")


def _perspective(request: ApiRequest, outcome: Outcome) -> Perspective:
    # Access is not checked, since a player who has just left a private table gets an answer too.
    return Perspective.of(request.services.tables, outcome.state, request.player_id)


def _body(request: ApiRequest, perspective: Perspective, outcome: Outcome) -> OutcomeBody:
    """Return the part of an outcome that the caller may know.

    Spectators can only chat, and see their messages after the delay like everything else. So nothing in the answer may
    tell them how far the game has come.
    """
    is_current = perspective.is_current
    return {
        "seq": outcome.seq if is_current else perspective.version,
        "version": perspective.version,
        "server_time": timestamp(request.services.tables.now_at(outcome.state)),
        "events": perspective.tell(outcome.events) if is_current else [],
    }
