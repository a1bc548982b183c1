"""Lookups of seats, players and hosts, which refuse those who are not."""

from service.game.errors import GameRunning, NotFound, NotHost, NotYourSeat, WrongPhase
from service.game.names import AI_NAME
from service.game.state.queries import is_between_rounds, is_gone, seat_of
from service.game.state.table_types import Occupant, Seat
from service.game.state.types import State


def own_seat(state: State, player: str) -> int:
    """Return the seat of a player.

    Raises:
        NotYourSeat: the player has none.
    """
    seat = seat_of(state, player)
    if seat is None:
        raise NotYourSeat
    return seat


def check_host(state: State, player: str) -> None:
    """Check that a player is the host.

    Raises:
        NotHost: another player is, or nobody, as at a board of an event.
    """
    if state["host"] != player or "board" in state["settings"]:
        raise NotHost


def numbered_seat(state: State, number: int) -> Seat:
    """Return the seat with this number.

    Raises:
        NotFound: the table has no such seat.
    """
    if not 0 <= number < state["players"]:
        raise NotFound(what="seat", seat=number)
    return state["seats"][number]


def ai_occupant(number: int, level: str) -> Occupant:
    """Return an AI player for a seat."""
    return {"kind": "ai", "player": None, "name": AI_NAME.format(number + 1), "level": level}


def check_no_round(state: State, action: str) -> None:
    """Check that no round is being played: before a game, between its rounds, or after it.

    Raises:
        GameRunning: reason `round_running`.
        WrongPhase: reason `paused`, between rounds.
    """
    if state["status"] != "playing" or is_between_rounds(state):
        return
    paused = state["pause"]["decision"] if "pause" in state else None
    if paused is not None and paused["kind"] == "ready":
        raise WrongPhase(action=action, expected="end_pause", reason="paused")
    raise GameRunning(reason="round_running")


def check_no_vote(state: State, action: str) -> None:
    """Check that no vote is open, since votes belong to seats.

    Raises:
        WrongPhase: reason `vote_open`.
    """
    if state["vote"] is not None:
        raise WrongPhase(action=action, expected="vote", reason="vote_open")


def has_gone(state: State, number: int, now: int) -> bool:
    """Return whether the player of the seat has gone, so that it may be taken or freed between rounds."""
    occupant = state["seats"][number]["occupant"]
    return occupant is not None and occupant["player"] is not None and is_gone(state, number, now)
