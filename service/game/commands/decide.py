"""decide(state, command) -> events: which commands are allowed at a table, and what events they cause.

A command that is not allowed raises a `Refusal` and changes nothing. Checks run in a fixed order, so that errors are
stable and leak nothing: seat, retry, phase, decision, turn, cards held, rule (docs/contract.md).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.common.errors import RuleBroken
from service.common.interruptions import NO_INTERRUPTIONS, Interruptions
from service.game.commands import flow, retries, timeouts
from service.game.commands.milestones import Milestone
from service.game.commands.round import dealing, ending, kitty
from service.game.commands.table import bounds, chat, deadlines, hosting, lobby, moves, pauses, take_backs, votes
from service.game.commands.table.seats import own_seat
from service.game.commands.transaction import Decided, RandomBytes, Transaction
from service.game.commands.types import Fields
from service.game.errors import IdempotencyKeyReused, NotYourTurn, StaleDecision, WrongPhase
from service.game.events.round_types import GameKept
from service.game.events.types import BankUsed, SeatData
from service.game.state import clock
from service.game.state.interruptions import moved
from service.game.state.queries import ai_level, seat_of
from service.game.state.table_types import Decision, DecisionKind
from service.game.state.types import Answer, State
from service.game.views import hints
from service.game.views.view import decision_view

#: Action -> the kinds of decision that it answers.
ACTIONS: Final[Mapping[str, tuple[DecisionKind, ...]]] = {
    "declare": ("declare", "defend"),
    "pass": ("declare", "defend", "overcall-kitty"),
    "redeal": ("declare",),
    "discard": ("discard",),
    "overcall_kitty": ("overcall-kitty",),
    "call": ("call",),
    "road": ("road",),
    "play": ("play",),
    "claim": ("play",),
}

#: Commands that answer no decision -> handler, which takes the transaction and its own type of command.
_TABLE_COMMANDS: Final[Mapping[str, Callable[[Transaction, Any], Milestone | None]]] = {
    "sit": lobby.sit,
    "leave": lobby.leave,
    "kick": lobby.kick,
    "expel": lobby.expel,
    "move": moves.move,
    "seat_ai": lobby.seat_ai,
    "resume": lobby.resume,
    "ready": lobby.ready,
    "entropy": lobby.entropy,
    "presence": lobby.presence,
    "settings": hosting.change_settings,
    "give_time": deadlines.give_time,
    "close": hosting.close,
    "chat": chat.chat,
    "open_vote": votes.open_vote,
    "cast_vote": votes.cast_vote,
    "end_pause": pauses.end_pause,
    "take_back": take_backs.ask_take_back,
    "answer_take_back": take_backs.answer_take_back,
}
#: Commands allowed at a closed table; closing it again changes nothing.
_WHEN_CLOSED: Final = frozenset({"leave", "expel", "close", "presence"})


def decide(state: State, command: Fields, now: int, random_bytes: RandomBytes) -> Decided:
    """Carry out a player's command.

    Args:
        command: see `service.game.commands.types`.
        now: milliseconds since the epoch.
        random_bytes: returns a number of bytes from a CSPRNG.

    Raises:
        Refusal: it is not allowed; nothing has changed.
    """
    tx = Transaction(state, now, random_bytes, "player")
    if command["type"] in _TABLE_COMMANDS:
        return _run_table_command(tx, command)
    seat = own_seat(state, command["player"])
    answer: Answer = [seat, command["decision_id"], retries.digest_of(command)]
    earlier = retries.earlier_tx(state, answer)
    if earlier is not None and not retries.was_superseded(state, seat, command):
        return Decided([], state, earlier)
    _attribute(tx, seat, answer)
    return _run_action(tx, command, seat, command["decision_id"])


def decide_for_ai(state: State, seat: int, command: Fields, now: int, random_bytes: RandomBytes) -> Decided:
    """Carry out the action of an AI seat, which answers the open decision.

    `reason` of the command is stored with the first event, for the record of the round.
    """
    decision, reason = state["decision"], command.get("reason")
    tx = Transaction(state, now, random_bytes, "ai")
    if reason is not None:
        tx.origin["reason"] = reason
    return _run_action(tx, command, seat, decision["id"] if decision else "")


def _attribute(tx: Transaction, seat: int, answer: Answer, *, shows_presence: bool = True) -> None:
    """Note in the transaction which answer of a seat it carries out, and that the player is back if they were away."""
    tx.origin["answers"] = answer
    if shows_presence and tx.state["seats"][seat]["timeouts"]:
        tx.origin["back"] = seat


def _run_table_command(tx: Transaction, command: Fields) -> Decided:
    state, kind, key = tx.state, command["type"], command.get("key")
    if state["settings"]["closed"] and kind not in _WHEN_CLOSED:
        raise WrongPhase(action=kind, expected=None, reason="table_closed")
    seat = seat_of(state, command["player"])
    if seat is not None and key is not None:
        answer: Answer = [seat, key, retries.digest_of(command)]
        earlier = retries.earlier_tx(state, answer)
        if earlier is not None:
            return Decided([], state, earlier)
        if retries.is_key_used(state, seat, key):
            raise IdempotencyKeyReused
        _attribute(tx, seat, answer, shows_presence=kind != "chat")
    if kind in pauses.STOPPED:
        pauses.check_not_paused(state, kind)
    bounds.check_commands(state, command["player"], kind)
    if kind != "presence":
        tx.origin["actor"] = command["player"]
    flow.advance(tx, _TABLE_COMMANDS[kind](tx, command))
    return tx.result()


def _run_action(tx: Transaction, command: Fields, seat: int, answered: str) -> Decided:
    """Carry out an action that answers the decision with the id `answered`."""
    state, kind = tx.state, command["type"]
    pauses.check_not_paused(state, kind)
    decision = state["decision"]
    if decision is None or decision["kind"] not in ACTIONS[kind]:
        raise WrongPhase(action=kind, expected=decision["kind"] if decision else None)
    if decision["id"] != answered:
        raise StaleDecision(answered, decision_view(state, seat, tx.now), tx.now)
    is_asked = seat in decision["seats"]
    if not is_asked and not (kind == "overcall_kitty" and kitty.may_reinforce(state, seat)):
        raise NotYourTurn(seats=decision["seats"])
    if tx.by == "player":
        if ai_level(state, seat) is not None:
            data: SeatData = {"seat": seat}
            tx.emit("seat_resumed", data)
        elif is_asked:
            _use_bank(tx, seat, decision)
    try:
        flow.perform(tx, seat, command)
    except RuleBroken as refusal:
        if refusal.example is None and is_asked:
            refusal.example = hints.example(state, seat)
        raise
    return tx.result()


def _use_bank(tx: Transaction, seat: int, decision: Decision) -> None:
    """Deduct from the time bank of the seat what its answer has used."""
    deadline = decision["deadline"]
    if deadline is not None and clock.is_on_bank(tx.state, decision["kind"], decision["seats"]):
        left: BankUsed = {"seat": seat, "bank_ms": max(0, clock.left_ms(decision, tx.now))}
        tx.emit("bank_used", left)
        return
    if deadline is None or tx.now <= deadline:
        return
    bank_ms = clock.bank_of(tx.state)
    if bank_ms:
        data: BankUsed = {"seat": seat, "bank_ms": max(0, bank_ms - (tx.now - deadline))}
        tx.emit("bank_used", data)


def catch_up(
    state: State, now: int, random_bytes: RandomBytes, interruptions: Interruptions = NO_INTERRUPTIONS
) -> Decided:
    """Do the next thing that is due by the clock: deal cards, time out a decision, close a vote, end a pause or a game.

    Nothing is due during an outage of the service. After one, open deadlines are extended first.
    """
    tx = Transaction(state, now, random_bytes)
    if state["status"] == "playing" and not interruptions.is_going_on(tx.now):
        more = moved(state, tx.now, interruptions, votes.VOTE_MS)
        if more is not None:
            tx.emit("interrupted", more)
        elif clock.game_is_up(state, tx.now):
            ending.end_by_length(tx, "time_up")
        elif clock.wait_is_due(state):
            pauses.wait_for_people(tx)
        elif clock.deal_is_due(state, tx.now):
            flow.advance(tx, dealing.deal_due(tx))
        elif clock.timeout_is_due(state, tx.now):
            timeouts.time_out(tx)
        elif clock.vote_is_over(state, tx.now):
            votes.run_out(tx)
        elif clock.pause_is_over(state, tx.now):
            flow.advance(tx, pauses.run_out(tx))
    return tx.result()


def note_kept(state: State, now: int, random_bytes: RandomBytes) -> Decided:
    """Note that the record of the finished game has been archived."""
    tx = Transaction(state, now, random_bytes)
    data: GameKept = {"game": tx.game["id"]}
    tx.emit("game_kept", data)
    return tx.result()
