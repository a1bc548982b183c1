"""Seats: sitting down, leaving, AI seats, being ready."""

from typing import Final

from flask import Response

from service.api.http.operations import Call, Resource
from service.api.rendering import act, outcome_of
from service.api.schemas import tables as schemas
from service.api.schemas.events import Outcome

resource: Final = Resource("Seats", "Who sits where. Sending any of these twice is the same as sending it once.")


@resource.operation(
    "POST",
    "/v1/tables/<table>/seats",
    takes=schemas.Sitting(),
    gives=Outcome(),
    budget="act",
    errors=("private-table", "seat-taken", "table-full", "already-seated", "game-running", "wrong-phase"),
    example={"seat": 2},
)
def take_seat(call: Call, table: str) -> Response:
    """Sit down.

    On the seat that is named, or the first that is free. A private table asks for its join code.
    """
    services, player = call.services, call.player
    command = {"type": "sit", "player": player["id"], "name": player["name"], "kind": player["kind"], **call.body}
    outcome = services.tables.act(table, command)
    services.players.add_table(player["id"], table, services.tables.now())
    return outcome_of(call, outcome)


@resource.operation("DELETE", "/v1/tables/<table>/seats/me", gives=Outcome(), budget="act", errors=("not-your-seat",))
def leave_seat(call: Call, table: str) -> Response:
    """Leave my seat.

    In a game an AI plays on, and the player may come back with `resume`.
    """
    return act(call, table, "leave")


@resource.operation(
    "DELETE",
    "/v1/tables/<table>/seats/<int:seat>",
    gives=Outcome(),
    budget="act",
    errors=("not-host", "game-running", "wrong-phase"),
)
def kick(call: Call, table: str, seat: int) -> Response:
    """Empty a seat.

    For the host, before the start or between games.
    """
    return act(call, table, "kick", seat=seat)


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/<int:seat>/ai",
    takes=schemas.AiSeat(),
    gives=Outcome(),
    budget="act",
    errors=("not-host", "seat-taken", "game-running", "wrong-phase"),
    example={"level": "easy"},
)
def seat_ai(call: Call, table: str, seat: int) -> Response:
    """Put an AI on a free seat.

    For the host, before the start or between games; also to change the level of one that sits there.
    """
    return act(call, table, "seat_ai", seat=seat)


@resource.operation(
    "POST",
    "/v1/tables/<table>/seats/me/resume",
    gives=Outcome(),
    budget="act",
    errors=("not-your-seat", "wrong-phase"),
)
def resume(call: Call, table: str) -> Response:
    """Take my seat back from the AI that plays it.

    After leaving a running game, or after three decisions in a row that were not answered in time.
    """
    return act(call, table, "resume")


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/me/ready",
    takes=schemas.ReadyState(),
    gives=Outcome(),
    budget="act",
    errors=("not-your-seat", "wrong-phase"),
    example={"ready": True},
)
def ready(call: Call, table: str) -> Response:
    """Be ready.

    When every seat is taken and all are ready, the game begins, or its next round.
    """
    return act(call, table, "ready")


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/me/entropy",
    takes=schemas.Entropy(),
    gives=Outcome(),
    budget="act",
    errors=("not-your-seat", "wrong-phase"),
    example={"entropy": "9f86d081884c7d659a2feaa0c55ad015"},
)
def give_entropy(call: Call, table: str) -> Response:
    """Add bytes to the next shuffle.

    The server has committed to its own seed before (`next_commitment`), so nobody can steer the cards.
    """
    return act(call, table, "entropy")
