"""Readiness before a game and between rounds: the table continues once every seat is taken and ready."""

from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_by_length, end_game
from service.game.commands.table.bounds import may_start_game, may_start_round
from service.game.commands.transaction import Transaction
from service.game.events.types import SeatReady
from service.game.state.families import family_of
from service.game.state.queries import is_between_rounds, is_untimed, persons, starters, waited_for
from service.game.state.settings import is_game_time_up
from service.game.state.types import State


def check(tx: Transaction) -> Milestone | None:
    """Start the game or the next round if everybody is ready and no other decision is open."""
    state = tx.state
    if not all(seat["occupant"] and seat["ready"] for seat in state["seats"]):
        return None
    if state["status"] != "playing":
        return "game_due" if may_start_game(state) and not _abandoned(state) else None
    decision = state["decision"]
    return _next_round(tx) if decision is not None and decision["kind"] == "ready" else None


def check_or_ask(tx: Transaction) -> Milestone | None:
    """Go on after somebody became ready, or unready: the first of them starts the time of the others anew."""
    decision = tx.state["decision"]
    waits = decision is not None and decision["kind"] == "ready" and decision["deadline"] is None
    if waits and not is_untimed(tx.state) and waited_for(tx.state) and anybody_is_ready(tx.state):
        return ask_again(tx)
    return "seats_changed"


def anybody_is_ready(state: State) -> bool:
    """Return whether any player has become ready. Nothing is dealt by the clock alone."""
    return any(state["seats"][seat]["ready"] for seat in persons(state))


def ask(tx: Transaction) -> Milestone | None:
    """Ask people whether the next round may begin."""
    waiting = [number for number, seat in enumerate(tx.state["seats"]) if not seat["ready"]]
    if not waiting:
        return _next_round(tx)
    tx.open_decision("ready", waiting)
    return None


def ask_others_anew(tx: Transaction, host: str) -> Milestone | None:
    """Make all but the host unready, since the conditions of the game have changed."""
    for seat in starters(tx.state):
        occupant = tx.state["seats"][seat]["occupant"]
        place = tx.state["seats"][seat]
        if place["ready"] and not place["autopilot"] and occupant is not None and occupant["player"] != host:
            data: SeatReady = {"seat": seat, "ready": False}
            tx.emit("seat_ready", data, "server")
    return ask_again(tx)


def ask_who_is_back(tx: Transaction, seat: int) -> Milestone | None:
    """Make the first player unready who returns to a table that everybody had left; otherwise it would not go on."""
    state = tx.state
    waits = is_between_rounds(state) or state["status"] == "finished"
    if not waits or not all(place["occupant"] and place["ready"] for place in state["seats"]):
        return None
    data: SeatReady = {"seat": seat, "ready": False}
    tx.emit("seat_ready", data, "server")
    return ask_again(tx)


def ask_again(tx: Transaction) -> Milestone | None:
    """Between rounds, restart the time of those who are not ready."""
    if not is_between_rounds(tx.state):
        return None
    waiting = waited_for(tx.state)
    if not waiting:
        return "seats_changed"
    tx.open_decision("ready", waiting)
    return None


def _next_round(tx: Transaction) -> Milestone | None:
    if is_game_time_up(tx.state, tx.now):
        end_by_length(tx, "time_up")
        return None
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
    """Return whether all people have left; the AI players in their places do not continue without them."""
    return not persons(state) and not all(_is_ai(state, seat) for seat in range(state["players"]))


def _is_ai(state: State, seat: int) -> bool:
    """Return whether an AI player has the seat, not just the autopilot of a person."""
    occupant = state["seats"][seat]["occupant"]
    return occupant is not None and occupant["kind"] == "ai"
