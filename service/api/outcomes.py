"""Commands to a table, and their outcomes as responses."""

from typing import TypedDict

from flask import Response

from service.api.http.responses import json_response
from service.api.operations import ApiRequest
from service.api.visibility import Perspective
from service.game.views.types import EventView, View
from service.tables import Outcome


class OutcomeBody(TypedDict):
    """The body of the response to a command."""

    seq: int
    version: int
    events: list[EventView]
    view: View


def execute(request: ApiRequest, table: str, kind: str, **fields: object) -> Response:
    """Execute the caller's command at a table and return the response.

    The command has the fields of the request body and `fields`.
    """
    command = {"type": kind, "player": request.player_id, **request.body, **fields}
    return outcome_response(request, request.services.tables.act(table, command))


def outcome_response(request: ApiRequest, outcome: Outcome) -> Response:
    """Return the response to a command."""
    request.services.presence.seen(outcome.state, request.player_id)
    perspective = _perspective(request, outcome)
    return json_response(_body(perspective, outcome), headers={"ETag": perspective.etag})


def outcome_body(request: ApiRequest, outcome: Outcome) -> OutcomeBody:
    """Return the body of the response to a command."""
    return _body(_perspective(request, outcome), outcome)


def _perspective(request: ApiRequest, outcome: Outcome) -> Perspective:
    # Not checked: who has just left a private table gets an answer too.
    return Perspective.of(request.services.tables, outcome.state, request.player_id)


def _body(perspective: Perspective, outcome: Outcome) -> OutcomeBody:
    """Return what the caller may know of an outcome.

    Spectators can do no more than chat, and see it after the delay like everything else: nothing in the answer tells
    them how far the game has come.
    """
    is_current = perspective.is_current
    return {
        "seq": outcome.seq if is_current else perspective.version,
        "version": perspective.version,
        "events": perspective.tell(outcome.events) if is_current else [],
        "view": perspective.view(),
    }
