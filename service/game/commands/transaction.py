"""A transaction: the events that one command brings about, and the state that they lead to."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, cast

from service.game.events.evolve import evolve
from service.game.events.table_events import PHASES
from service.game.events.types import DecisionOpened, Event, Origin, Source
from service.game.state.queries import game_of, has_time, round_of
from service.game.state.settings import TIME_LIMITS
from service.game.state.table_types import DecisionKind
from service.game.state.types import Game, Round, State

#: Returns so many random bytes: from the operating system's generator, or from a test.
RandomBytes = Callable[[int], bytes]


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
        random_bytes: random bytes.
        by: who acts.
        events: the events so far.
        origin: what has brought the transaction about; goes with the first event.
    """

    __slots__ = ("_tx", "by", "events", "now", "origin", "random_bytes", "state")

    def __init__(self, state: State, now: int, random_bytes: RandomBytes, by: Source = "server") -> None:
        self.state = state
        self.now: Final = max(now, state.get("at", 0))
        self.random_bytes: Final = random_bytes
        self.by = by
        self.events: Final[list[Event]] = []
        self.origin: Origin = {}
        self._tx: Final = state.get("version", 0) + 1

    @property
    def round(self) -> Round:
        """The round as it is now."""
        return round_of(self.state)

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return game_of(self.state)

    def result(self) -> Decided:
        """Return what the transaction has brought about so far."""
        return Decided(self.events, self.state)

    def emit(self, event_type: str, data: Any, by: Source | None = None) -> None:
        """Add an event. `data` is the TypedDict of its type (`service.game.events.types`)."""
        state, events = self.state, self.events
        table_round = state.get("round")
        event: Event = {
            "seq": self._tx + len(events),
            "type": event_type,
            "at": self.now,
            "round": table_round["number"] if table_round else None,
            "by": by or self.by,
            "tx": self._tx,
            "data": data,
        }
        if self.origin and not events:
            event.update(cast("Event", self.origin))
        self.state = evolve(state, event)
        events.append(event)

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

        A person who plays with AI players only has no limit, where the clock says so.

        `passed`: those of the seats that may answer, but are not waited for.
        """
        state = self.state
        clock, table_round, phase = state["settings"]["clock"], state["round"], PHASES.get(kind)
        if has_time(state, seats):
            deadline = None
        elif deadline is None and limited:
            deadline = self.now + clock[TIME_LIMITS[kind]]
        data: DecisionOpened = {"kind": kind, "seats": seats, "deadline": deadline, "on_timeout": clock["on_timeout"]}
        if phase is not None and table_round is not None and table_round["phase"] != phase:
            data["phase"] = phase
        if passed:
            data["asked"] = [seat for seat in seats if seat not in passed]
        self.emit("decision_opened", data, "server")
