"""The clock of a sandbox, which only its host advances; opponents move within the request.

The time at such a table is the time of its last event. So only a request can make something due, and it is done within
that request.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from service.common.errors import Refusal
from service.game.commands.decide import catch_up, decide_for_ai
from service.game.commands.table import bounds
from service.game.commands.table.seats import check_host
from service.game.commands.transaction import Decided, RandomBytes, Transaction
from service.game.commands.types import Fields
from service.game.errors import NotFound
from service.game.events.types import ClockAdvanced, Event
from service.game.state import clock
from service.game.state.fallback import fallback_action
from service.game.state.families import family_of
from service.game.state.queries import decision_of, round_of
from service.game.state.table_types import Sandbox, Script
from service.game.state.types import State
from service.rules.cards import names_of

#: Most steps of one request: two rounds of the largest game.
MOST_STEPS: Final = 2_000
#: Most plays from which a random opponent chooses.
_CHOICE: Final = 50


def sandbox_of(state: State) -> Sandbox:
    """Return the settings of a sandbox.

    Raises:
        NotFound: the table is not a sandbox.
    """
    sandbox = state["settings"].get("sandbox")
    if sandbox is None:
        raise NotFound(what="sandbox", id=state["id"])
    return sandbox


def advance_clock(state: State, player: str, elapsed_ms: int, random_bytes: RandomBytes) -> Decided:
    """Advance the clock to `elapsed_ms` after the creation of the table; do nothing if it is there already.

    Raises:
        NotFound: the table is not a sandbox.
        NotHost: another player hosts it.
        WrongPhase: the player has advanced the clock too often in this round.
    """
    sandbox_of(state)
    check_host(state, player)
    until = state["created_at"] + elapsed_ms
    if until <= state["at"]:
        return Decided([], state)
    bounds.check_commands(state, player, "clock")
    done = go_on(state, until, random_bytes)
    # If too much is due, the rest is left to the next request.
    left = None if clock.keeping_is_due(done.state) else clock.due_at(done.state)
    tx = Transaction(done.state, until if left is None else min(left, until), random_bytes, "player")
    tx.origin["actor"] = player
    data: ClockAdvanced = {"ms": tx.now - done.state["at"]}
    tx.emit("clock_advanced", data)
    return Decided([*done.events, *tx.events], tx.state)


def go_on(state: State, until: int, random_bytes: RandomBytes) -> Decided:
    """Do everything automatic until a time (ms): what is due by the clock, and moves of AI seats."""
    events: list[Event] = []
    for _ in range(MOST_STEPS):
        at = clock.due_at(state)
        if at is None or at > until or clock.keeping_is_due(state):
            break
        now = max(at, state["at"])
        due = catch_up(state, now, random_bytes)
        step = _declared(due, now, random_bytes) if due.events else _moved(state, now, random_bytes)
        events += step.events
        state = step.state
    return Decided(events, state)


def _declared(dealt: Decided, now: int, random_bytes: RandomBytes) -> Decided:
    """Let AI seats declare the cards of their scripts as soon as they hold them."""
    events, state = dealt.events, dealt.state
    for seat in clock.ai_seats_watching(state):
        command = _scripted(state, seat)
        if command is not None and seat in clock.ai_seats_watching(state):
            try:
                decided = decide_for_ai(state, seat, command, now, random_bytes)
            except Refusal:
                continue
            events, state = [*events, *decided.events], decided.state
    return Decided(events, state)


def _moved(state: State, now: int, random_bytes: RandomBytes) -> Decided:
    """Let an AI seat decide: by its script, or else randomly or cautiously."""
    seat = clock.ai_seats_asked(state)[0]
    for command in (_scripted(state, seat), _random(state, seat)):
        if command is not None:
            try:
                return decide_for_ai(state, seat, command, now, random_bytes)
            except Refusal:
                continue
    return decide_for_ai(state, seat, fallback_action(state, seat), now, random_bytes)


def _scripted(state: State, seat: int) -> Fields | None:
    """Return the scripted action of a seat for the open decision, or None."""
    script = sandbox_of(state)["scripts"].get(str(seat))
    if script is None or round_of(state)["number"] != 1:
        return None
    return _ANSWERS[decision_of(state)["kind"]](state, seat, script)


def _show(state: State, seat: int, script: Script) -> Mapping[str, object] | None:
    number = sum(each["seat"] == seat for each in round_of(state)["shown"])
    following = script.get("declare", [])[number : number + 1]
    return {"type": "declare", "cards": following[0]} if following else None


def _play(state: State, _: int, script: Script) -> Mapping[str, object] | None:
    trick, last = round_of(state)["trick"], round_of(state)["last_trick"]
    at = trick["number"] - 1 if trick else last["number"] if last else 0
    following = script.get("plays", [])[at : at + 1]
    return {"type": "play", "cards": following[0]} if following else None


def _field(kind: str, field: str, script: Mapping[str, object], name: str) -> Mapping[str, object] | None:
    return {"type": kind, field: script[name]} if name in script else None


_ANSWERS: Final = {
    "declare": _show,
    "defend": _show,
    "discard": lambda _, __, script: _field("discard", "cards", script, "discard"),
    "overcall-kitty": lambda _, __, script: _field("overcall_kitty", "cards", script, "overcall_kitty"),
    "call": lambda _, __, script: _field("call", "calls", script, "calls"),
    "road": lambda _, __, script: _field("road", "road", script, "road"),
    "play": _play,
}


def _random(state: State, seat: int) -> Fields | None:
    """Return a random legal play, determined by the state; None if opponents are cautious."""
    if sandbox_of(state)["opponents"] == "cautious" or decision_of(state)["kind"] != "play":
        return None
    plays, _ = family_of(state).legal_plays(state, seat, _CHOICE)
    # This deals no cards, so it may be predictable.
    chosen = Random(f"{state['next_seed']}|{state['version']}").choice(plays)  # noqa: S311
    return {"type": "play", "cards": names_of(chosen)}
