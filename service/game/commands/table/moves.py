"""Changing seats, by lot or on request."""

from collections.abc import Sequence

from service.game.commands.milestones import Milestone
from service.game.commands.table.seats import check_no_round, numbered_seat
from service.game.commands.transaction import Transaction
from service.game.commands.types import Move
from service.game.errors import GameRunning, NotFound, NotHost, SeatTaken
from service.game.events.types import LeaveReason, PresenceChanged, SeatLeft
from service.game.events.types import SeatTaken as SeatTakenData
from service.game.names import AI_NAME
from service.game.state.queries import seat_of
from service.game.state.table_types import Seat


def reseat(tx: Transaction, moves: Sequence[tuple[int, int]], reason: LeaveReason) -> None:
    """Move the occupant of the first seat of each pair to the second.

    The events are those of leaving and sitting down, which every client understands.
    """
    seats = tx.state["seats"]
    for number, _ in moves:
        left: SeatLeft = {"seat": number, "reason": reason, "autopilot": None}
        tx.emit("seat_left", left, "server")
    for number, to in moves:
        _seat(tx, seats[number], to)


def _seat(tx: Transaction, before: Seat, number: int) -> None:
    occupant = before["occupant"]
    if occupant is None:
        raise AssertionError("nobody sits there to be moved")
    if occupant["kind"] == "ai":
        ai: SeatTakenData = {"seat": number, "occupant": {**occupant, "name": AI_NAME.format(number + 1)}}
        tx.emit("ai_seated", ai, "server")
        return
    data: SeatTakenData = {"seat": number, "occupant": occupant}
    tx.emit("seat_taken", data, "server")
    if before["presence"] != "online":
        presence: PresenceChanged = {"seat": number, "presence": before["presence"]}
        tx.emit("presence", presence, "server")


def move(tx: Transaction, command: Move) -> Milestone | None:
    """Move a player to another seat before or between games, swapping places with its occupant.

    Players may move to free seats and those of AI players; the host may move anybody to any seat.

    Raises:
        NotHost: only the host may move other players.
        NotFound: that player does not sit here.
        SeatTaken: another player sits there, and the caller is not the host.
        GameRunning: a game is being played.
    """
    state, to = tx.state, command["seat"]
    is_host = state["host"] == command["player"]
    if command["moved"] != command["player"] and not is_host:
        raise NotHost
    number = seat_of(state, command["moved"])
    if number is None:
        raise NotFound(what="player", id=command["moved"])
    occupant = numbered_seat(state, to)["occupant"]
    if number == to:
        return None
    check_no_round(state, "move")
    if state["status"] == "playing":
        raise GameRunning(reason="seat_in_game", seat=to)
    if occupant is not None and occupant["kind"] != "ai" and not is_host:
        raise SeatTaken(seat=to)
    reseat(tx, [(number, to)] + ([(to, number)] if occupant is not None else []), "moved")
    return None
