"""Chat."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import MESSAGE
from service.api.idempotency import HEADER, idempotency_key, run_once
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import outcome_response
from service.api.schemas import chat as schemas
from service.api.schemas.events import envelope as event_schemas
from service.api.visibility import Perspective
from service.game.commands.table.chat import check_silence
from service.tables import Outcome

resource: Final = Resource("Chat", "Players talk to players, spectators to spectators.")


@resource.operation(
    "POST",
    "/v1/tables/<table>/chat",
    body=schemas.Message(),
    response=event_schemas.Outcome(),
    budget="chat",
    headers=(HEADER,),
    errors=("private-table", "no-spectators", "wrong-phase", "idempotency-key-reused"),
    example={"preset": "well_played"},
    scope="chat:write",
    keeps=MESSAGE,
)
def chat(request: ApiRequest, table: str) -> Response:
    """Send a chat message.

    Messages of players reach players only, those of spectators reach spectators only. Arm's Length allows no chat until
    the round has ended. Send an `Idempotency-Key`, so that a retry does not send the message twice.
    """
    tables, player = request.services.tables, request.player
    perspective = Perspective.load(request.services, table, request.player_id)
    if perspective.is_delayed:
        # Decide by the delayed table that a spectator sees, since a refusal must not reveal the current one.
        check_silence(perspective.visible_table)
    command = {
        "type": "chat",
        "player": request.player_id,
        "name": player["name"],
        "key": idempotency_key(request),
        **request.body,
    }

    done: list[Outcome] = []

    def send() -> dict[str, int]:
        done.append(tables.act(table, command))
        return {"seq": done[0].seq}

    seq = run_once(request, request.player_id, send)["seq"]
    # A retry gets the recorded event and the current view; storing the answer would take thirty times the space.
    outcome = done[0] if done else Outcome(seq, tables.recorded(table, seq), tables.load(table))
    return outcome_response(request, outcome)
