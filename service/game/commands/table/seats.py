"""Who acts: seats, players and hosts, and the refusals when somebody is none of them."""

from service.game.errors import GameRunning, NotFound, NotHost, NotYourSeat
from service.game.state.queries import seat_of
from service.game.state.table_types import Seat
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
        NotHost: somebody else is.
    """
    if state["host"] != player:
        raise NotHost


def numbered_seat(state: State, number: int) -> Seat:
    """Return the seat with this number.

    Raises:
        NotFound: the table has no such seat.
    """
    if not 0 <= number < state["players"]:
        raise NotFound(what="seat", seat=number)
    return state["seats"][number]


def check_between_games(state: State) -> None:
    """Check that no game is running.

    Raises:
        GameRunning: one is.
    """
    if state["status"] == "playing":
        raise GameRunning
