"""Loading and appending: what all use cases share, and what is stored beside the state of a table."""

from typing import Final

from service.game.commands.decide import catch_up, note_kept
from service.game.commands.transaction import Chance, Decided
from service.game.errors import NotFound
from service.game.state import clock
from service.game.state.queries import persons
from service.game.state.types import State
from service.store.port import TableStore
from service.tables.ports import Enqueue, Keep, Now
from service.tables.reading import whole_log

_HOUR_MS: Final = 3_600_000
#: Status -> how long a table lives without an event (ms).
LIFETIMES: Final = {"lobby": 24 * _HOUR_MS, "playing": 7 * 24 * _HOUR_MS, "finished": 48 * _HOUR_MS}


class TableWriter:
    """Loads tables, and appends to them what has been decided.

    Args:
        store: where logs and snapshots are.
        now: milliseconds since the epoch.
        enqueue: called after an append if the table is due at once.
        archive: called when a game is over, before anything else happens at its table.
        entropy: bytes from the operating system's generator.
    """

    def __init__(self, store: TableStore, now: Now, enqueue: Enqueue, archive: Keep, entropy: Chance) -> None:
        self.store: Final = store
        self.now = now
        self.entropy: Final = entropy
        self._enqueue = enqueue
        self._archive = archive

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
        """Append what was decided on the version `expected`.

        Args:
            enqueue: whether a table that is due at once gets a job.

        Raises:
            VersionConflict: somebody else was faster.
        """
        state = decided.state
        wake_at = clock.wake_at(state)
        self.store.append(
            table,
            expected,
            decided.events,
            state,
            wake_at=wake_at,
            listed=is_listed(state),
            ttl_ms=LIFETIMES[state["status"]],
            queue=queue_for(state),
        )
        if enqueue:
            self.enqueue_if_due(state, wake_at)

    def enqueue_if_due(self, state: State, wake_at: int | None) -> None:
        """Enqueue a job for a table if its due time (ms) has come."""
        if wake_at is not None and wake_at <= self.now():
            self._enqueue(state["id"], state["version"], queue_for(state))

    def due_steps(self, state: State, now: int) -> Decided:
        """Return what comes before any command: the archiving of a finished game, and what is due by the clock.

        A player who acts before a worker archives the game: the next game replaces it in the state, and whoever leaves
        a seat would no longer be known to have played.
        """
        if clock.keeping_is_due(state):
            self._archive(state, whole_log(self.store, state["id"]))
            return note_kept(state, now, self.entropy)
        return catch_up(state, now, self.entropy)


def queue_for(state: State) -> str:
    """Return the queue of a table's jobs: tables with people go before tables of AI seats alone."""
    return "people" if persons(state) else "ai"


def is_listed(state: State) -> bool:
    """Tell whether the lobby lists the table: it is public, has a free seat, and no game is running."""
    return (
        state["settings"]["visibility"] == "public"
        and state["status"] == "lobby"
        and any(seat["occupant"] is None for seat in state["seats"])
    )
