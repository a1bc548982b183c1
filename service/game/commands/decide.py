"""decide(state, command) -> events: what may be done at a table, and what it brings about.

A command that may not be done raises a `Refusal` and changes nothing. The checks come in one order, so that errors are
stable and leak nothing: seat, replay, phase, decision, turn, cards held, rule (`api.md` §1).
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from service.errors import CardsNotHeld
from service.game.commands import arms_length, dealing, kitty, lobby, playing, together
from service.game.commands.transaction import Chance, Turn
from service.game.errors import IdempotencyKeyReused, NotYourSeat, NotYourTurn, StaleDecision, WrongPhase
from service.game.state import clock, fallback
from service.game.state.queries import ai_level, seat_of
from service.game.state.types import Event, State
from service.rules.cards import kinds_of, missing_from, names_of

Command = Mapping[str, Any]

#: After so many timeouts in a row an AI plays the seat until its player resumes.
TIMEOUTS_BEFORE_AI = 3

_NOT_OF_THE_BODY = frozenset({"player", "decision_id"})


class Decided(NamedTuple):
    """What a command brings about.

    Attributes:
        events: new events, in order; none if there was nothing to do.
        state: the state after them.
        replay_of: set if the command is a retry of one that was done: the `tx` of its events.
    """

    events: list[Event]
    state: State
    replay_of: int | None = None


def _declare(turn: Turn, seat: int, command: Command) -> None:
    dealing.declare(turn, seat, _held(turn, seat, command))


def _pass(turn: Turn, seat: int, _: Command) -> None:
    if turn.state["decision"]["kind"] == "overcall-kitty":
        kitty.pass_overcall(turn, seat)
    else:
        dealing.pass_declaring(turn, seat)


def _redeal(turn: Turn, seat: int, _: Command) -> None:
    dealing.redeal(turn, seat)


def _discard(turn: Turn, seat: int, command: Command) -> None:
    kitty.discard(turn, seat, _held(turn, seat, command), bool(command.get("reveal", False)))


def _overcall_kitty(turn: Turn, seat: int, command: Command) -> None:
    kitty.overcall_kitty(turn, seat, _held(turn, seat, command))


def _call(turn: Turn, seat: int, command: Command) -> None:
    kitty.call(turn, seat, command["calls"])


def _road(turn: Turn, seat: int, command: Command) -> None:
    arms_length.state_road(turn, seat, command["road"])


def _play(turn: Turn, seat: int, command: Command) -> None:
    cards = _held(turn, seat, command)
    if turn.state["round"]["roads"] is not None:
        arms_length.play(turn, seat, cards)
        return
    units = command.get("units")
    playing.play(turn, seat, cards, [kinds_of(unit) for unit in units] if units else None)


class _Action(NamedTuple):
    kinds: tuple[str, ...]
    perform: Callable[[Turn, int, Command], None]


#: Command -> the kinds of decision that it answers, and what it does.
ACTIONS: Mapping[str, _Action] = {
    "declare": _Action(("declare", "defend"), _declare),
    "pass": _Action(("declare", "defend", "overcall-kitty"), _pass),
    "redeal": _Action(("declare",), _redeal),
    "discard": _Action(("discard",), _discard),
    "overcall_kitty": _Action(("overcall-kitty",), _overcall_kitty),
    "call": _Action(("call",), _call),
    "road": _Action(("road",), _road),
    "play": _Action(("play",), _play),
}
_TABLE_COMMANDS: Mapping[str, Callable[[Turn, Command], None]] = {
    "sit": lobby.sit,
    "leave": lobby.leave,
    "kick": lobby.kick,
    "seat_ai": lobby.seat_ai,
    "resume": lobby.resume,
    "ready": lobby.ready,
    "entropy": lobby.entropy,
    "settings": lobby.settings,
    "close": lobby.close,
    "presence": lobby.presence,
    "chat": together.chat,
    "open_vote": together.open_vote,
    "cast_vote": together.cast_vote,
    "take_back": together.take_back,
    "answer_take_back": together.answer_take_back,
}
#: What can be done at a table that its host has closed; a retry of closing it changes nothing.
_WHEN_CLOSED = frozenset({"leave", "close", "presence"})


def decide(state: State, command: Command, now: int, chance: Chance) -> Decided:
    """Return what a player's command brings about.

    Args:
        command: `type`, `player` (its id) and the fields of the type; `key` makes what answers no decision, a chat
            message say, be done once however often it is sent.
        now: milliseconds since the epoch.
        chance: gives so many bytes from a CSPRNG.

    Raises:
        Refusal: it may not be done; nothing has changed.
    """
    kind = command["type"]
    if kind in _TABLE_COMMANDS:
        if state["settings"]["closed"] and kind not in _WHEN_CLOSED:
            raise WrongPhase(action=kind, expected=None, reason="table_closed")
        turn = Turn(state, now, chance, "player")
        seat = seat_of(state, command["player"])
        if seat is not None and command.get("key") is not None:
            turn.answers = [seat, command["key"], digest_of(command)]
            done = _done_before(state, turn.answers)
            if done is not None:
                return Decided([], state, replay_of=done)
            if any(name == command["key"] for name, *_ in state["answers"][seat]):
                raise IdempotencyKeyReused
        _TABLE_COMMANDS[kind](turn, command)
        return Decided(turn.events, turn.state)
    seat = seat_of(state, command["player"])
    if seat is None:
        raise NotYourSeat
    turn = Turn(state, now, chance, "player")
    turn.answers = [seat, command["decision_id"], digest_of(command)]
    done = _done_before(state, turn.answers)
    if done is not None and not _may_be_said_again(state, seat, command):
        return Decided([], state, replay_of=done)
    return _act(turn, command, seat)


def _done_before(state: State, answers: list[Any]) -> int | None:
    """Return the `tx` of an action that this seat has done before: by the decision, or the key, and the body."""
    seat, name, digest = answers
    for known_name, known_digest, tx in reversed(state["answers"][seat]):
        if known_name == name and known_digest == digest:
            return int(tx)
    return None


def _may_be_said_again(state: State, seat: int, command: Command) -> bool:
    """Tell a pass that no longer stands: after a declaration, or when all cards are out, it is a new answer."""
    decision = state["decision"]
    return (
        command["type"] == "pass"
        and decision is not None
        and decision["id"] == command["decision_id"]
        and seat not in state["round"]["passes"]
    )


def decide_for_ai(state: State, seat: int, command: Command, now: int, chance: Chance) -> Decided:
    """Return what the action of an AI seat brings about. It answers the open decision, whichever that is."""
    decision = state["decision"]
    named = {**command, "decision_id": decision["id"] if decision else ""}
    return _act(Turn(state, now, chance, "ai"), named, seat)


def _act(turn: Turn, command: Command, seat: int) -> Decided:
    state = turn.state
    action = ACTIONS[command["type"]]
    decision = state["decision"]
    if decision is None or decision["kind"] not in action.kinds:
        raise WrongPhase(action=command["type"], expected=decision["kind"] if decision else None)
    if decision["id"] != command["decision_id"]:
        raise StaleDecision(str(command["decision_id"]), state)
    if seat not in decision["seats"]:
        raise NotYourTurn(seats=decision["seats"])
    if turn.by == "player" and ai_level(state, seat) is not None:
        turn.emit("seat_resumed", seat=seat)
    _use_bank(turn, seat)
    action.perform(turn, seat, command)
    return Decided(turn.events, turn.state)


def _use_bank(turn: Turn, seat: int) -> None:
    """Take from the seat's time bank what an answer after the deadline has used."""
    deadline = turn.state["decision"]["deadline"]
    if deadline is None or turn.now <= deadline or turn.by != "player":
        return
    left = clock.bank_of(turn.state)
    if left:
        turn.emit("bank_used", seat=seat, bank_ms=max(0, left - (turn.now - deadline)))


def _held(turn: Turn, seat: int, command: Command) -> list[int]:
    """Return the kinds of the command's cards, all of which the seat holds."""
    kinds = kinds_of(command["cards"])
    missing = missing_from(turn.state["round"]["hands"][seat], kinds)
    if missing:
        raise CardsNotHeld(missing=names_of(missing))
    return kinds


def digest_of(command: Command) -> str:
    """Return what tells one answer from another: a digest of the body. The order of cards means nothing."""
    body = sorted(
        (name, sorted(value) if name == "cards" else value)
        for name, value in command.items()
        if name not in _NOT_OF_THE_BODY
    )
    return hashlib.blake2s(repr(body).encode(), digest_size=4).hexdigest()


def catch_up(state: State, now: int, chance: Chance) -> Decided:
    """Return the next thing that the clock owes the table: cards to be dealt, or a decision whose time is over."""
    turn = Turn(state, now, chance)
    if state["status"] == "playing":
        if clock.deal_is_due(state, now):
            dealing.deal_owed(turn)
        elif clock.timeout_is_due(state, now):
            _time_out(turn)
    return Decided(turn.events, turn.state)


def note_kept(state: State, now: int, chance: Chance) -> Decided:
    """Note that what is left of the finished game has been kept."""
    turn = Turn(state, now, chance)
    turn.emit("game_kept", game=state["game"]["id"])
    return Decided(turn.events, turn.state)


def _time_out(turn: Turn) -> None:
    state = turn.state
    decision = state["decision"]
    kind = decision["kind"]
    if kind == "declare" and len(decision["seats"]) > 1:
        dealing.close_declarations(turn)
        return
    late = decision["seats"]
    if kind in clock.HELD_TO_ANSWER:
        how = decision["on_timeout"]
        turn.emit("decision_timed_out", "timeout", decision=decision["id"], seats=late, action=how)
        if how == "pause":
            return
        taken_over = _take_over(turn, [seat for seat in late if ai_level(state, seat) is None], how)
        if how == "ai_takeover" and taken_over:
            # The AI decides, and has as much time for it.
            turn.open_decision(kind, late)
            return
    turn.by = "timeout"
    for seat in late:
        _default(turn, seat, kind)


def _take_over(turn: Turn, absent: list[int], how: str) -> list[int]:
    """Let an AI play for those who are late once too often; return their seats."""
    seats = turn.state["seats"]
    taken = [seat for seat in absent if how == "ai_takeover" or seats[seat]["timeouts"] >= TIMEOUTS_BEFORE_AI]
    for seat in taken:
        turn.emit("seat_taken_over", "timeout", seat=seat, level="easy", reason="timeouts")
    return taken


def _default(turn: Turn, seat: int, kind: str) -> None:
    """Do for a seat what is done when its time is over."""
    if kind == "ready":
        turn.emit("seat_ready", seat=seat, ready=True)
        dealing.go_on_when_all_are_ready(turn)
        return
    command = fallback.action(turn.state, seat)
    ACTIONS[command["type"]].perform(turn, seat, command)
