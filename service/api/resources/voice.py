"""Voices at a table of a room: access to the TURN server, and messages between pages."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import voice as schemas
from service.api.visibility import Perspective
from service.game.state.types import State
from service.game.views.fields import timestamp

resource: Final = Resource(
    "Voice",
    "Where a room wants it (`rules.voice`), the people at its table talk by WebRTC, always over the TURN server of the "
    "service, which hides their addresses from each other. Nothing of it is kept. Games that count for ratings or for "
    "an event have no voices.",
)

_ERRORS: Final = ("private-table", "no-spectators", "not-your-seat", "no-voice")


def _table(request: ApiRequest, table: str) -> State:
    return Perspective.load(request.services, table, request.player_id).table


@resource.operation(
    "GET", "/v1/tables/<table>/voice", response=schemas.Voice(), errors=_ERRORS, cost=5, scope="chat:write"
)
def get_voice(request: ApiRequest, table: str) -> Response:
    """Ask for what is needed to talk.

    Access to the TURN server for a quarter of an hour, and whom I may hear. Ask again every 20 seconds while talking,
    and close connections to those who are no longer among `partners`; if this is refused, close all.
    """
    access, partners = request.services.voice.room(_table(request, table), request.player)
    return json_response(
        {
            "ice_servers": [{"urls": access.urls, "username": access.username, "credential": access.credential}],
            "expires_at": timestamp(access.until),
            "partners": [{"seat": seat, "player": player} for seat, player in partners],
        }
    )


@resource.operation(
    "POST",
    "/v1/tables/<table>/voice/signals",
    body=schemas.VoiceSignal(),
    status=204,
    budget="voice",
    errors=_ERRORS,
    example={"kind": "hello", "session": "k3v9x2q7m5d1"},
    scope="chat:write",
    keeps=NOTHING,
)
def send_voice_signal(request: ApiRequest, table: str) -> Response:
    """Send a message to the pages of others.

    They get it as the event `voice` on the stream of the account. `hello` and `bye` go to all who sit at the table; who
    gets a `hello` answers with an `offer`. A message may be lost: send it again. Nobody is told who has not got it.
    """
    request.services.voice.send(_table(request, table), request.player, request.body)  # type: ignore[arg-type]
    return empty_response()
