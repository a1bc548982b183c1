"""Seats: taking and leaving them, AI seats, readiness, entropy."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import COMMAND, ROUND
from service.api.http.guesses import guess
from service.api.http.rate_limits import client_of
from service.api.operations import ApiRequest, Resource, charge_failure
from service.api.outcomes import execute, outcome_response, unchanged_response
from service.api.schemas import tables as schemas
from service.api.schemas.events.envelope import Outcome
from service.game.errors import NotYourSeat, PrivateTable
from service.game.events.types import Event
from service.game.state.occupants import occupant_of

resource: Final = Resource("Seats", "Who sits where. All of these operations are idempotent.")


@resource.operation(
    "POST",
    "/v1/tables/<table>/seats",
    body=schemas.Sitting(),
    response=Outcome(),
    budget="act",
    errors=("private-table", "seat-taken", "table-full", "already-seated", "game-running", "wrong-phase"),
    example={"seat": 2},
    scope="tables:play",
    keeps=COMMAND,
)
def take_seat(request: ApiRequest, table: str) -> Response:
    """Sit down.

    Takes the given seat, or the first free one. A private table requires its join code.

    Between the rounds of a game, unless a vote is open, seats of AI players, and of players who have left or have been
    away for five minutes, can be taken too. The seat keeps its level. `changes` in the record of the game tells who sat
    there when. The game does not count for the rating of players who come later. It still counts for those who sat
    there at the start, but a win only if they stayed for at least half of the rounds.
    """
    services, player = request.services, request.player
    command = {"type": "sit", **occupant_of(player), **request.body}
    if "join_code" not in request.body:
        return outcome_response(request, services.joining.sit(table, command))
    client = client_of(request.raw)
    with guess(services.rate_limiter, services.metrics, "table", client, wrong=PrivateTable):
        try:
            outcome = services.joining.sit(table, command)
        except PrivateTable:
            charge_failure(services, request.raw)
            raise
    return outcome_response(request, outcome)


@resource.operation(
    "DELETE",
    "/v1/tables/<table>/seats/me",
    response=Outcome(),
    budget="act",
    errors=("not-your-seat",),
    scope="tables:play",
    keeps=COMMAND,
)
def leave_seat(request: ApiRequest, table: str) -> Response:
    """Leave my seat.

    In a running game an AI takes over; `resume` takes the seat back. Leaving again changes nothing.
    """
    tables, player = request.services.tables, request.player_id
    try:
        return execute(request, table, "leave")
    except NotYourSeat:
        state = tables.load(table)
        if state["status"] == "playing" or not _has_sat(tables.log(table), player):
            raise
        return unchanged_response(request, state)


def _has_sat(log: list[Event], player: str) -> bool:
    """Return whether a player has ever sat at a table, and so knows the join code and may see the table."""
    return any(event["type"] == "seat_taken" and event["data"]["occupant"]["player"] == player for event in log)


@resource.operation(
    "DELETE",
    "/v1/tables/<table>/seats/<int:seat>",
    response=Outcome(),
    budget="act",
    errors=("not-host", "game-running", "wrong-phase"),
    scope="tables:host",
    keeps=COMMAND,
)
def kick(request: ApiRequest, table: str, seat: int) -> Response:
    """Empty a seat.

    Only the host may, before the game or between games; between the rounds of a game, unless a vote is open, only the
    seat of an AI, or of a player who has left or has been away for five minutes. If nobody takes that seat before the
    time to be ready is over, an AI does. If a player is removed, the join code changes, and the player needs the new
    one to come back; for all others the old one goes on working.
    """
    tables = request.services.tables
    outcome = tables.act(table, {"type": "kick", "player": request.player_id, "seat": seat})
    tables.reserve_codes(outcome.state)
    return outcome_response(request, outcome)


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/<int:seat>/player",
    body=schemas.MovedPlayer(),
    response=Outcome(),
    budget="act",
    errors=("not-host", "seat-taken", "game-running", "wrong-phase"),
    example={"player": "pl_7h2kx5q2m4na"},
    scope="tables:play",
    keeps=COMMAND,
)
def move(request: ApiRequest, table: str, seat: int) -> Response:
    """Move a player to this seat.

    Possible before the game or between games. A player at the table may move to a free seat or to that of an AI; the
    host may move anybody to any seat. Whoever sat there gets the other's seat, and moved players must be ready again.
    """
    player = request.player_id
    # The `player` of the body is the one to move, not the caller.
    command = {"type": "move", "player": player, "moved": request.body.get("player", player), "seat": seat}
    return outcome_response(request, request.services.tables.act(table, command))


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/<int:seat>/ai",
    body=schemas.AiSeat(),
    response=Outcome(),
    budget="act",
    errors=("not-host", "seat-taken", "game-running", "wrong-phase", "table-full"),
    example={"level": "easy"},
    scope="tables:host",
    keeps=COMMAND,
)
def seat_ai(request: ApiRequest, table: str, seat: int) -> Response:
    """Put an AI on a free seat.

    Only the host may, before the game, between its rounds or between games. Also changes the level of an AI that sits
    there; between rounds, the others must then be ready again.
    """
    command = {"type": "seat_ai", "player": request.player_id, "seat": seat, **request.body}
    return outcome_response(request, request.services.joining.act(table, command))


@resource.operation(
    "POST",
    "/v1/tables/<table>/seats/me/resume",
    response=Outcome(),
    budget="act",
    errors=("not-your-seat", "wrong-phase"),
    scope="tables:play",
    keeps=COMMAND,
)
def resume(request: ApiRequest, table: str) -> Response:
    """Take my seat back from the AI.

    For a player who has left a running game, or has missed three decisions in a row. If the AI is late with a decision,
    it is asked again, with the full time.
    """
    return execute(request, table, "resume")


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/me/ready",
    body=schemas.ReadyState(),
    response=Outcome(),
    budget="act",
    errors=("not-your-seat", "wrong-phase", "table-full"),
    example={"ready": True},
    scope="tables:play",
    keeps=ROUND,
)
def ready(request: ApiRequest, table: str) -> Response:
    """Say that I am ready.

    When every seat is taken and all players are ready, the game or its next round begins. At a finished table this asks
    for another game: once one player is ready, it is the others' turn (`my_turn` in `GET /v1/me/tables`).
    """
    command = {"type": "ready", "player": request.player_id, **request.body}
    return outcome_response(request, request.services.joining.act(table, command))


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/me/entropy",
    body=schemas.Entropy(),
    response=Outcome(),
    budget="act",
    errors=("not-your-seat", "wrong-phase"),
    example={"entropy": "9f86d081884c7d659a2feaa0c55ad015"},
    scope="tables:play",
    keeps=COMMAND,
)
def give_entropy(request: ApiRequest, table: str) -> Response:
    """Add entropy to the next shuffle.

    The server has already committed to its own seed (`next_commitment`), so nobody can steer the cards.
    """
    return execute(request, table, "entropy")
