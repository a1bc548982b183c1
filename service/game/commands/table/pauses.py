"""Pauses: all players vote to pause the game, and any of them ends the pause (decision 60).

A table also pauses where a round would go on without any of its players, until one of them is back.
"""

from typing import Final

from service.game.commands.milestones import Milestone
from service.game.commands.table.seats import own_seat
from service.game.commands.table.take_backs import settle
from service.game.commands.transaction import Transaction
from service.game.commands.types import Plain
from service.game.errors import WrongPhase
from service.game.events.types import GamePaused, GameResumed, SeatData
from service.game.state.clock import left_ms
from service.game.state.queries import game_of, round_of, starters, waits_for_people
from service.game.state.settings import game_left_ms
from service.game.state.types import State

#: How long a table at which nobody plays is kept at least (ms).
KEPT_MS: Final = 7 * 24 * 3_600_000
#: Commands that are refused while the game is paused.
STOPPED = frozenset({"ready", "take_back", "answer_take_back"})


def check_not_paused(state: State, action: str) -> None:
    """Check that the game is not paused.

    Raises:
        WrongPhase: reason `paused`.
    """
    if "pause" in state:
        raise WrongPhase(action=action, expected="end_pause", reason="paused")


def check_may_pause(state: State) -> None:
    """Check that the game may be paused now.

    Raises:
        WrongPhase: reason `paused`, `no_pauses` or `pauses_used_up`.
    """
    check_not_paused(state, "pause")
    if not state["settings"].get("pause_limit_ms"):
        raise WrongPhase(action="pause", expected=None, reason="no_pauses")
    if _left_ms(state) <= 0:
        raise WrongPhase(action="pause", expected=None, reason="pauses_used_up")


def _left_ms(state: State) -> int:
    """Return how long the game may still be paused (ms)."""
    return state["settings"].get("pause_limit_ms", 0) - game_of(state).get("paused_ms", 0)


def begin(tx: Transaction, seat: int) -> None:
    """Pause the game on request of `seat`."""
    _pause(tx, {"by_seat": seat, "until": tx.now + _left_ms(tx.state)})


def wait_for_people(tx: Transaction) -> None:
    """Pause the game until one of its players is back: none of them plays."""
    decision, players = tx.state["decision"], starters(tx.state)
    seats = [seat for seat in decision["seats"] if seat in players] if decision is not None else []
    _pause(tx, {"by_seat": [*seats, *players][0], "until": tx.now + KEPT_MS, "reason": "absent"})


def wait_for_leaver(tx: Transaction, seat: int) -> None:
    """Pause the game of a circle in which a player leaves: others may wait, or let an AI player play on."""
    _pause(tx, {"by_seat": seat, "until": tx.now + KEPT_MS, "reason": "left"})


def _pause(tx: Transaction, data: GamePaused) -> None:
    if "time" in tx.game:
        data["game_ends_at"] = None
    tx.emit("game_paused", data, "server")


def end_pause(tx: Transaction, command: Plain) -> Milestone | None:
    """End the pause, if there is one. Whoever had left is back by that."""
    seat = own_seat(tx.state, command["player"])
    if "pause" not in tx.state:
        return None
    if waits_for_people(tx.state) or tx.state["seats"][seat]["autopilot"]:
        return come_back(tx, seat)
    return _go_on(tx, seat)


def come_back(tx: Transaction, seat: int) -> Milestone | None:
    """End the wait for people: the player of a seat is back, and plays."""
    data: SeatData = {"seat": seat}
    tx.emit("seat_resumed", data)
    return _go_on(tx, seat)


def run_out(tx: Transaction) -> Milestone | None:
    """End a pause whose time is over."""
    tx.by = "server"
    return _go_on(tx, None)


def _go_on(tx: Transaction, seat: int | None) -> Milestone | None:
    """Reopen the decision with the time that was left."""
    pause, waited = tx.state["pause"], waits_for_people(tx.state)
    data: GameResumed = {"by_seat": seat, "paused_ms": tx.now - pause["since"]}
    left = game_left_ms(tx.state, tx.now)
    if left is not None:
        data["game_ends_at"] = tx.now + left
    tx.emit("game_resumed", data)
    decision = pause["decision"]
    if decision is None:
        return None
    if decision["kind"] == "ready":
        # Others may have become ready, or left, meanwhile.
        return "round_over"
    deadline = decision["deadline"]
    if waited and decision["kind"] != "declare":
        # Everybody has the whole time: the old time was over, or meant for an AI player.
        deadline = None
    tx.open_decision(
        decision["kind"],
        decision["seats"],
        None if deadline is None else tx.now + left_ms(decision, pause["since"]),
        limited=waited or deadline is not None,
        passed=round_of(tx.state)["passes"] if decision["kind"] == "declare" else (),
    )
    settle(tx)
    return None
