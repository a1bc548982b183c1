"""One step in a table's life: the events that it brings about, and the state that they lead to."""

from collections.abc import Callable
from typing import Any

from service.game.events.evolve import evolve
from service.game.state.settings import TIME_FOR
from service.game.state.types import Event, State

#: Bytes from the operating system's generator (or from a test), so many as asked for.
Chance = Callable[[int], bytes]


class Turn:
    """Collects the events of one action. Every event is evolved as it is emitted, so `state` is always up to date.

    All events of a turn are stored together or not at all; they share `tx`, the seq of the first.
    """

    __slots__ = ("_seq", "_tx", "answers", "by", "chance", "events", "now", "state")

    def __init__(self, state: State, now: int, chance: Chance, by: str = "server") -> None:
        self.state = state
        self.now = now
        self.chance = chance
        self.by = by
        self.events: list[Event] = []
        #: [seat, decision id, digest] of the action that this turn answers; goes with its first event.
        self.answers: list[Any] | None = None
        self._seq: int = state.get("version", 0)
        self._tx = self._seq + 1

    def emit(self, event_type: str, by: str | None = None, /, **data: Any) -> None:
        """Add an event and take the state with it."""
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
        if self.answers is not None:
            event["answers"] = self.answers
            self.answers = None
        self.state = evolve(state, event)
        self.events.append(event)

    def open_decision(self, kind: str, seats: list[int], deadline: int | None = None, *, limited: bool = True) -> None:
        """Ask seats for something. The time runs from now, unless a deadline is given or there is no limit."""
        clock = self.state["settings"]["clock"]
        if deadline is None and limited:
            deadline = self.now + clock[TIME_FOR[kind]]
        self.emit(
            "decision_opened",
            "server",
            kind=kind,
            seats=seats,
            deadline=deadline,
            on_timeout=clock["on_timeout"],
        )
