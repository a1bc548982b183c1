"""A transaction: the events that one command brings about, and the state that they lead to."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from service.game.events.evolve import evolve
from service.game.events.table_events import PHASES
from service.game.events.types import DecisionOpened, Event, Source
from service.game.state.queries import game_of
from service.game.state.settings import TIME_LIMITS
from service.game.state.table_types import DecisionKind
from service.game.state.types import Answer, Game, Round, State

#: Returns so many random bytes: from the operating system's generator, or from a test.
Chance = Callable[[int], bytes]


class Decided(NamedTuple):
    """What a command brings about.

    Attributes:
        events: new events, in order; none if there was nothing to do.
        state: the state after them.
        replay_of: set if the command is a retry: the `tx` of the events that it brought about the first time.
    """

    events: list[Event]
    state: State
    replay_of: int | None = None


class Transaction:
    """Collects events. Every event is evolved as it is emitted, so `state` is always up to date.

    All events of a transaction are stored together or not at all; they share `tx`, the seq of the first.

    Attributes:
        state: the state after the events so far.
        now: milliseconds since the epoch; never before the last event, even if the clocks of two processes differ.
        chance: random bytes.
        by: who acts.
        events: the events so far.
        answer: [seat, decision id or key, digest] of the action that is carried out; goes with the first event.
        actor: the player who gave a command that answers no decision; goes with the first event too.
        reason: why the AI of a seat has decided so; goes with the first event too.
    """

    __slots__ = ("_seq", "_tx", "actor", "answer", "by", "chance", "events", "now", "reason", "state")

    def __init__(self, state: State, now: int, chance: Chance, by: Source = "server") -> None:
        self.state = state
        self.now: Final = max(now, state.get("at", 0))
        self.chance: Final = chance
        self.by = by
        self.events: Final[list[Event]] = []
        self.answer: Answer | None = None
        self.actor: str | None = None
        self.reason: dict[str, Any] | None = None
        self._seq = state.get("version", 0)
        self._tx: Final = self._seq + 1

    @property
    def round(self) -> Round:
        """The round as it is now: `round_of`, without its call, since a play asks five times."""
        table_round = self.state["round"]
        if table_round is None:
            raise AssertionError("there is no round before the first game")
        return table_round

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return game_of(self.state)

    def result(self) -> Decided:
        """Return what the transaction has brought about so far."""
        return Decided(self.events, self.state)

    def emit(self, event_type: str, data: Any, by: Source | None = None) -> None:
        """Add an event. `data` is the TypedDict of its type (`service.game.events.types`)."""
        state = self.state
        table_round = state.get("round")
        self._seq += 1
        event: Event = {
            "seq": self._seq,
            "type": event_type,
            "at": self.now,
            "round": table_round["number"] if table_round else None,
            "by": by or self.by,
            "tx": self._tx,
            "data": data,
        }
        if not self.events:
            self._attribute(event)
        self.state = evolve(state, event)
        self.events.append(event)

    def _attribute(self, event: Event) -> None:
        """Let the first event tell what has brought the transaction about."""
        if self.answer is not None:
            event["answers"] = self.answer
            seat = int(self.answer[0])
            if self.state["seats"][seat]["timeouts"] and event["type"] != "chat":
                event["back"] = seat
        if self.actor is not None:
            event["actor"] = self.actor
        if self.reason is not None:
            event["reason"] = self.reason

    def open_decision(
        self,
        kind: DecisionKind,
        seats: list[int],
        deadline: int | None = None,
        *,
        limited: bool = True,
        passed: Sequence[int] = (),
    ) -> None:
        """Ask seats for something. The time runs from now, unless a deadline is given or there is no limit.

        `passed`: those of the seats that may answer, but are not waited for.
        """
        clock = self.state["settings"]["clock"]
        if deadline is None and limited:
            deadline = self.now + clock[TIME_LIMITS[kind]]
        data: DecisionOpened = {"kind": kind, "seats": seats, "deadline": deadline, "on_timeout": clock["on_timeout"]}
        table_round, phase = self.state["round"], PHASES.get(kind)
        if phase is not None and table_round is not None and table_round["phase"] != phase:
            data["phase"] = phase
        if passed:
            data["asked"] = [seat for seat in seats if seat not in passed]
        self.emit("decision_opened", data, "server")
