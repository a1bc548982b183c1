"""A transaction: the events of one command, and the state after them."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, cast

from service.game.events.decision_events import PHASES
from service.game.events.evolve import evolve
from service.game.events.types import DecisionOpened, Event, Origin, Source
from service.game.state.clock import is_on_bank
from service.game.state.queries import game_of, has_time, round_of
from service.game.state.settings import allowance_ms, limit_ms
from service.game.state.table_types import DecisionKind, TimeoutPolicy
from service.game.state.types import Game, Round, State

#: Returns a number of random bytes, from the operating system or a test.
RandomBytes = Callable[[int], bytes]


class Decided(NamedTuple):
    """The result of a command.

    Attributes:
        events: new events, in order; empty if there was nothing to do.
        state: the state after them.
        replay_of: for a retry, the `tx` of the events of the first attempt.
    """

    events: list[Event]
    state: State
    replay_of: int | None = None


class Transaction:
    """Collects events. Every event is evolved as it is emitted, so `state` is always up to date.

    All events of a transaction are stored together or not at all; they share `tx`, the seq of the first.

    Attributes:
        state: the state after the events so far.
        now: milliseconds since the epoch; never before the last event, even if the clocks of processes differ.
        random_bytes: random bytes.
        by: the source of the events.
        events: the events so far.
        origin: the cause of the transaction; stored with the first event.
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
        """The current round."""
        return round_of(self.state)

    @property
    def game(self) -> Game:
        """The current game."""
        return game_of(self.state)

    def result(self) -> Decided:
        """Return the events so far, and the state."""
        return Decided(self.events, self.state)

    def emit(self, event_type: str, data: object, by: Source | None = None) -> None:
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
        """Open a decision for some seats. Its time runs from now, unless a deadline is given or there is no limit.

        With the clock setting `alone`, a person who plays only with AI players has no limit. `passed` are the seats
        that may answer but are not waited for.
        """
        state = self.state
        clock, table_round, phase = state["settings"]["clock"], state["round"], PHASES.get(kind)
        if has_time(state, seats):
            deadline = None
        elif deadline is None and limited:
            deadline = self.now + self._time_ms(kind, seats)
        # A clock that only reminds leaves the decision open.
        late: TimeoutPolicy = "pause" if clock["on_timeout"] == "remind" else clock["on_timeout"]
        data: DecisionOpened = {"kind": kind, "seats": seats, "deadline": deadline, "on_timeout": late}
        if phase is not None and table_round is not None and table_round["phase"] != phase:
            data["phase"] = phase
        if passed:
            data["asked"] = [seat for seat in seats if seat not in passed]
        self.emit("decision_opened", data, "server")

    def _time_ms(self, kind: DecisionKind, seats: list[int]) -> int:
        state = self.state
        if is_on_bank(state, kind, seats):
            return allowance_ms(state, state["seats"][seats[0]])
        return limit_ms(state["settings"]["clock"], kind)
