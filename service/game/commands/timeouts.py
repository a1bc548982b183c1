"""Timeouts: when the time of a decision is over, a cautious action is taken, or an AI takes over the seat.

Where that would leave no player at the table, it waits for one instead.
"""

from typing import Final

from service.game.commands.flow import advance, perform
from service.game.commands.table.pauses import wait_for_people
from service.game.commands.table.readiness import anybody_is_ready
from service.game.commands.table.seats import ai_occupant
from service.game.commands.transaction import Transaction
from service.game.events.types import DecisionTimedOut, SeatReady, SeatTaken, SeatTakenOver
from service.game.state.clock import COUNTED_DECISIONS
from service.game.state.fallback import fallback_action
from service.game.state.levels import takeover_level
from service.game.state.queries import ai_level, decision_of, is_deserted, is_for_people, starters
from service.game.state.settings import correspondence_of
from service.game.state.table_types import Decision, DecisionKind
from service.game.state.types import State

#: Number of timeouts in a row after which an AI plays the seat until its player resumes.
TIMEOUTS_BEFORE_AI: Final = 3
#: The same at a table by correspondence.
TIMEOUTS_IN_DAYS: Final = 2
#: Number of new deals in a round, since nobody declared, that the clock brings about without a sign of any player.
SILENT_DEALS: Final = 1


def time_out(tx: Transaction) -> None:
    """Act in the open decision for the seats that have not answered it."""
    decision = decision_of(tx.state)
    if decision["kind"] == "declare" and len(decision["seats"]) > 1:
        heard, deals = set(tx.round["passes"]), tx.round["deal"]["attempt"]
        advance(tx, "declaring_over")
        if heard.isdisjoint(starters(tx.state)):
            _stop_dealing(tx, deals)
        return
    if decision["kind"] == "ready" and is_for_people(tx.state) and not anybody_is_ready(tx.state):
        # Nobody is back yet: the table waits for the first, however long that takes.
        tx.open_decision("ready", decision["seats"], limited=False)
        return
    if decision["kind"] in COUNTED_DECISIONS and not _count_timeout(tx, decision):
        return
    tx.by = "timeout"
    deals = tx.round["deal"]["attempt"]
    for seat in decision["seats"]:
        _act_for(tx, seat, decision["kind"])
    if decision["kind"] == "declare":
        _stop_dealing(tx, deals)


def _count_timeout(tx: Transaction, decision: Decision) -> bool:
    """Count the timeout of each late seat, and return whether to act for them now."""
    policy, late = decision["on_timeout"], decision["seats"]
    absent = [seat for seat in late if ai_level(tx.state, seat) is None]
    if absent and _leaves_nobody(tx.state, absent):
        policy = "pause"
    data: DecisionTimedOut = {"decision": decision["id"], "seats": late, "action": policy}
    tx.emit("decision_timed_out", data, "timeout")
    if policy == "pause":
        # The decision stays open, unless the whole table waits.
        if decision["on_timeout"] != "pause" and is_deserted(tx.state):
            wait_for_people(tx)
        return False
    takes_over = policy == "ai_takeover"
    most = TIMEOUTS_BEFORE_AI if correspondence_of(tx.state) is None else TIMEOUTS_IN_DAYS
    taken_over = [seat for seat in absent if takes_over or tx.state["seats"][seat]["timeouts"] >= most]
    for seat in taken_over:
        taken: SeatTakenOver = {"seat": seat, "level": takeover_level(tx.state), "reason": "timeouts"}
        tx.emit("seat_taken_over", taken, "timeout")
    if takes_over and taken_over:
        # Let the AI decide, with the full time.
        tx.open_decision(decision["kind"], late)
        return False
    return True


def _stop_dealing(tx: Transaction, deals: int) -> None:
    """Let the table wait if the clock brought a new deal again: otherwise it would deal for ever without anybody.

    Args:
        deals: number of new deals in this round before.
    """
    dealt = tx.round["deal"]["attempt"]
    if dealt > max(deals, SILENT_DEALS) and is_for_people(tx.state):
        wait_for_people(tx)


def _leaves_nobody(state: State, absent: list[int]) -> bool:
    """Return whether nobody plays any more once these seats have missed the open decision."""
    seats = list(state["seats"])
    for seat in absent:
        seats[seat] = {**seats[seat], "timeouts": seats[seat]["timeouts"] + 1}
    return is_deserted({**state, "seats": seats})


def _act_for(tx: Transaction, seat: int, kind: DecisionKind) -> None:
    if kind == "ready":
        if tx.state["seats"][seat]["occupant"] is None:
            # Do not wait forever for somebody to sit down.
            seat_taken: SeatTaken = {"seat": seat, "occupant": ai_occupant(seat, takeover_level(tx.state))}
            tx.emit("ai_seated", seat_taken)
            advance(tx, "seats_changed")
            return
        data: SeatReady = {"seat": seat, "ready": True}
        tx.emit("seat_ready", data)
        advance(tx, "seats_changed")
    else:
        perform(tx, seat, fallback_action(tx.state, seat))
