"""Before a game and between rounds: the table goes on when every seat is taken and ready."""

from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_game
from service.game.commands.table.bounds import may_start_game, may_start_round
from service.game.commands.transaction import Transaction
from service.game.events.types import SeatReady
from service.game.state.families import family_of
from service.game.state.queries import is_between_rounds, persons, starters, waited_for
from service.game.state.types import State


def check(tx: Transaction) -> Milestone | None:
    """Start the game, or its next round, when everybody is ready and nothing else is open."""
    state = tx.state
    if not all(seat["occupant"] and seat["ready"] for seat in state["seats"]):
        return None
    if state["status"] != "playing":
        return "game_due" if may_start_game(state) and not _abandoned(state) else None
    decision = state["decision"]
    return _next_round(tx) if decision is not None and decision["kind"] == "ready" else None


def ask(tx: Transaction) -> Milestone | None:
    """Ask the persons at the table whether the next round may begin."""
    waiting = [number for number, seat in enumerate(tx.state["seats"]) if not seat["ready"]]
    if not waiting:
        return _next_round(tx)
    tx.open_decision("ready", waiting)
    return None


def ask_others_anew(tx: Transaction, host: str) -> Milestone | None:
    """Let all but the host be ready anew: they were ready to play on under other conditions."""
    for seat in starters(tx.state):
        occupant = tx.state["seats"][seat]["occupant"]
        place = tx.state["seats"][seat]
        if place["ready"] and not place["autopilot"] and occupant is not None and occupant["player"] != host:
            data: SeatReady = {"seat": seat, "ready": False}
            tx.emit("seat_ready", data, "server")
    return ask_again(tx)


def ask_who_is_back(tx: Transaction, seat: int) -> Milestone | None:
    """Ask the first who comes back to a table that everybody had left: it waits though all are ready."""
    state = tx.state
    waits = is_between_rounds(state) or state["status"] == "finished"
    if not waits or not all(place["occupant"] and place["ready"] for place in state["seats"]):
        return None
    data: SeatReady = {"seat": seat, "ready": False}
    tx.emit("seat_ready", data, "server")
    return ask_again(tx)


def ask_again(tx: Transaction) -> Milestone | None:
    """Between rounds, give all who are not ready the whole time for it again."""
    if not is_between_rounds(tx.state):
        return None
    waiting = waited_for(tx.state)
    if not waiting:
        return "seats_changed"
    tx.open_decision("ready", waiting)
    return None


def _next_round(tx: Transaction) -> Milestone | None:
    if not may_start_round(tx.state):
        end_game(tx, family_of(tx.state).leaders(tx.state), "ended_early")
        return None
    if not _abandoned(tx.state):
        return "round_due"
    tx.open_decision(
        "ready", [seat for seat in range(tx.state["players"]) if not _is_ai(tx.state, seat)], limited=False
    )
    return None


def _abandoned(state: State) -> bool:
    """Tell whether everybody who sat here has gone: the AI players in their places do not play on by themselves."""
    return not persons(state) and not all(_is_ai(state, seat) for seat in range(state["players"]))


def _is_ai(state: State, seat: int) -> bool:
    """Tell whether the seat belongs to an AI player, not to a person for whom one plays."""
    occupant = state["seats"][seat]["occupant"]
    return occupant is not None and occupant["kind"] == "ai"
