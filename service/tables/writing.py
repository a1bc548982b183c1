"""Loading and appending for all use cases, and the index data stored with a table."""

from collections.abc import Callable, Sequence
from typing import Final

from service.common.interruptions import NO_INTERRUPTIONS
from service.game.commands.decide import catch_up, note_kept
from service.game.commands.transaction import Decided, RandomBytes
from service.game.errors import NotFound
from service.game.events.types import Event
from service.game.state import clock
from service.game.state.levels import search_is_asked
from service.game.state.queries import persons
from service.game.state.settings import SPARE_MS, SPARE_TO_REMIND_MS, correspondence_of
from service.game.state.types import State
from service.store.port import StoreUnavailable, TableStore
from service.tables.ports import Enqueue, Finished, Interrupted, InTurn, MoreTime, Now, Standing, Streams, no_more_time
from service.tables.reading import whole_log

_HOUR_MS: Final = 3_600_000
#: Status -> how long a table lives without an event (ms).
LIFETIMES: Final = {"lobby": 24 * _HOUR_MS, "playing": 7 * 24 * _HOUR_MS, "finished": 48 * _HOUR_MS}
#: How long a table lives after it was closed without a game: for answers to retries (ms).
UNUSED_LIFETIME_MS: Final = _HOUR_MS // 6


class TableWriter:
    """Loads tables and appends decided events to them.

    Args:
        store: holds logs and snapshots.
        now: returns milliseconds since the epoch.
        enqueue: called after an append if the table is due at once.
        entropy: returns random bytes from the operating system.
        streams: get each append.
        interrupted: returns the times at which the service could not be reached.

    Attributes:
        listeners, of_rounds: see `Tables.on_finished` and `Tables.on_round`.
        standing: what stands at tables of days, such as what players have told them to do in their place.
        more_time: asked before a decision of days times out.
    """

    def __init__(
        self,
        store: TableStore,
        now: Now,
        enqueue: Enqueue,
        entropy: RandomBytes,
        streams: Streams,
        interrupted: Interrupted,
    ) -> None:
        self.store: Final = store
        self.now = now
        self.entropy: Final = entropy
        self._enqueue = enqueue
        self.listeners: Final[list[Finished]] = []
        self.of_rounds: Final[list[Callable[[State], None]]] = []
        self.standing: Standing = InTurn()
        self.more_time: MoreTime = no_more_time
        self._streams: Final = streams
        self._interrupted = interrupted

    def load(self, table: str) -> State:
        """Return the table as it is stored.

        Raises:
            NotFound: there is no such table.
        """
        snapshot = self.store.load(table)
        if snapshot is None:
            raise NotFound(what="table", id=table)
        return snapshot.state

    def append(self, table: str, expected: int, decided: Decided, *, enqueue: bool = True) -> None:
        """Append events that were decided on the version `expected`.

        Args:
            enqueue: whether a table that is due at once gets a job.

        Raises:
            VersionConflict: the table has changed since that version.
        """
        state = decided.state
        wake_at = self.wake_at(state)
        with self._streams.appending(table) as announce:
            self.store.append(
                table,
                expected,
                decided.events,
                state,
                wake_at=wake_at,
                listed=is_listed(state),
                watchable=is_watchable(state),
                ttl_ms=lifetime_of(state),
                queue=queue_for(state),
            )
            announce(decided.events, state)
        if self.of_rounds and any(event["type"] == "round_scored" for event in decided.events):
            for listener in self.of_rounds:
                listener(state)
        if enqueue:
            self.enqueue_if_due(state, wake_at)

    def wake_at(self, state: State) -> int | None:
        """Return when the next job for a table is due (ms), or None."""
        return _earlier(clock.wake_at(state), self.standing.due_at(state))

    def postpone(self, state: State, looked_again_at: int | None) -> None:
        """Let a table wait for what comes next after a look at its standing orders."""
        self.store.postpone(state["id"], state["version"], _earlier(clock.wake_at(state), looked_again_at))

    def enqueue_if_due(self, state: State, wake_at: int | None) -> None:
        """Enqueue a job for a table if `wake_at`, its due time (ms), has come."""
        if wake_at is not None and wake_at <= self.now():
            self._enqueue(state["id"], state["version"], queue_for(state))

    def now_at(self, state: State) -> int:
        """Return the table's time (ms), which stands still in a sandbox."""
        return clock.time_at(state, self.now())

    def due_steps(self, state: State, now: int) -> Decided:
        """Return what must happen before an AI seat moves: archiving a finished game, and what is due by now.

        A finished game is archived even if a player acts before any worker: the next game would replace it in the
        state, and a player who left would be missing from its results.
        """
        if clock.keeping_is_due(state):
            self.finished(state, whole_log(self.store, state["id"]))
            return note_kept(state, now, self.entropy)
        return self.catch_up(state, now)

    def finished(self, state: State, log: Sequence[Event]) -> None:
        """Call the listeners."""
        for listener in self.listeners:
            listener(state, log)

    def due_before_act(self, state: State, now: int) -> Decided:
        """Return what must happen before a player's command; see `due_steps`.

        Nobody may act while the clock stands still: a timed deal would lag behind, and its record would not replay.

        Raises:
            StoreUnavailable: the API cannot write its heartbeat, because Redis is full or has just come back.
        """
        if "sandbox" not in state["settings"] and self.is_unreachable(now):
            raise StoreUnavailable(TimeoutError("no sign of life of the API could be written"))
        return self.due_steps(state, now)

    def catch_up(self, state: State, now: int) -> Decided:
        """Return the next thing that is due at a table by the clock."""
        interruptions = NO_INTERRUPTIONS if "sandbox" in state["settings"] else self._interrupted()
        due = catch_up(state, now, self.entropy, interruptions)
        if due.events and correspondence_of(state) is not None and clock.timeout_is_due(state, now):
            return self.more_time(state, now) or due
        return due

    def is_unreachable(self, now: int) -> bool:
        """Return whether the service cannot be reached now, as far as this process knows."""
        return self._interrupted().is_going_on(now)


def _earlier(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def lifetime_of(state: State) -> int:
    """Return how long a table lives without an event (ms)."""
    if state["settings"]["closed"] and state["game"] is None:
        return UNUSED_LIFETIME_MS
    lifetime = LIFETIMES[state["status"]]
    if correspondence_of(state) is None or state["status"] == "finished":
        return lifetime
    decision = state["decision"]
    deadline = decision["deadline"] if decision is not None else None
    spare = SPARE_MS if state["settings"]["clock"]["on_timeout"] != "remind" else SPARE_TO_REMIND_MS
    return spare + (0 if deadline is None else max(0, deadline - state["at"]))


def queue_for(state: State) -> str:
    """Return the queue for a table's next job: tables with people come first, and searches have their own queue."""
    if search_is_asked(state):
        return "search"
    return "people" if persons(state) else "ai"


def is_listed(state: State) -> bool:
    """Return whether the lobby lists the table: public, no sandbox, with a free seat, and without a running game."""
    return (
        state["settings"]["visibility"] == "public"
        and "sandbox" not in state["settings"]
        and state["status"] == "lobby"
        and any(seat["occupant"] is None for seat in state["seats"])
    )


def is_watchable(state: State) -> bool:
    """Return whether the list of tables to watch shows the table: public, in play, and open to spectators."""
    settings = state["settings"]
    is_open = settings["visibility"] == "public" and settings["spectators"] != "off"
    return state["status"] == "playing" and is_open and "sandbox" not in settings
