"""What is stored, as promises: the ports that `redis_store` and `memory` keep, and the three ways they can fail.

The store knows tables by their logs and snapshots, and players by their records; it knows no rules, no clock and no
randomness. Times are milliseconds since the epoch, versions count events: the version of a table is the seq of the
last event of its log (1, 2, 3 … without gaps).

Every method may raise `StoreUnavailable`; a reading one `StoreCorrupt`. What else it raises is said with it.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

#: `{"seq", "type", "at", "round", "by", "data", …}`, JSON values only. `seq` and `at` are all that the store reads.
Event = dict[str, Any]
#: A record about a player; `id` is all that the store reads.
Player = dict[str, Any]


class VersionConflict(Exception):
    """Somebody else appended first; nothing was written.

    After an answer was lost on its way, the winner may be the caller itself, one attempt ago.

    Attributes:
        actual: the version of the table now; 0 if there is none, -1 if it has come to the expected one in another way.
    """

    def __init__(self, table: str, expected: int, actual: int) -> None:
        super().__init__(f"{table} is at version {actual}, not {expected}")
        self.actual = actual


class StoreUnavailable(Exception):
    """The store cannot be reached, is loading, or refuses writes (full, read-only): try again a little later.

    A write may have been done or not; a repeated `append` finds out by its version.

    Attributes:
        original: the error of the client library.
    """

    def __init__(self, original: Exception) -> None:
        super().__init__(f"{type(original).__name__}: {original}")
        self.original = original


class StoreCorrupt(Exception):
    """The store holds something that cannot be: a wrong type, a missing or truncated value, an unknown schema."""


class Stored(NamedTuple):
    """A snapshot: the state of a table after the event with seq `version`."""

    version: int
    state: dict[str, Any]


class Listed(NamedTuple):
    """A table of the lobby and the time (ms) at which it came there."""

    at: int
    table: str


class Due(NamedTuple):
    """A table that is due: its version, and the queue that the last append named."""

    table: str
    version: int
    queue: str


class TableStore(Protocol):
    """Logs and snapshots of tables, and when each is due."""

    def load(self, table: str) -> Stored | None:
        """Return the snapshot, or None if there is no such table. One round trip."""

    def append(
        self,
        table: str,
        expected: int,
        events: Sequence[Event],
        state: dict[str, Any],
        *,
        wake_at: int | None,
        listed: bool = False,
        ttl_ms: int | None = None,
        seal: int | None = None,
        queue: str = "",
    ) -> int:
        """Append events and replace the snapshot, in one atomic step, then wake whoever watches the table.

        Args:
            table: id of the table.
            expected: version that `events` follow; 0 creates the table.
            events: at least one; their seqs are `expected` + 1, + 2 …
            state: the snapshot after them.
            wake_at: when `claim_due` shall find the table (ms); None: not before another append says so.
            listed: whether the lobby shows the table; the place in it is kept while it stays listed.
            ttl_ms: forget the table when this time (ms, give or take a hundredth) passes without an append; None: keep
                it.
            seal: what the append before answered, if the caller remembers the state from there. A store that has lost
                its last moments may have come to the same version in another way; then this is a conflict too.
            queue: told by `claim_due`, so that whoever makes a job of it need not load the table.

        Returns:
            The seal of the new snapshot.

        Raises:
            VersionConflict: the table is not at `expected`, or the snapshot has another seal; nothing has changed.
            ValueError: the seqs of `events` are others.
        """

    def events(self, table: str, after: int, limit: int) -> list[Event]:
        """Return at most `limit` events with seq > `after`, in ascending order; none for an unknown table."""

    def tidy(self, limit: int) -> int:
        """Store older events of some tables in less space, and return at how many; `events` gives them as before.

        Tables that have expired leave the lobby. Called now and then, by any number of callers; `limit` keeps a call
        short.
        """

    def claim_due(self, now: int, lease_ms: int, limit: int) -> list[Due]:
        """Take at most `limit` tables that are due at `now`, longest due first.

        Each becomes due again at `now` + `lease_ms`, unless an append says otherwise before: a lost job is found
        again. Any number of callers may ask at once: no table is taken twice within a lease.
        """

    def overdue(self, before: int) -> int:
        """Return how many tables have been due since before a time (ms), whether they are claimed or not."""

    def listed(self, limit: int, before: Listed | None = None) -> list[Listed]:
        """Return at most `limit` tables of the lobby, newest first; those after `before` to turn the page.

        A table that has expired may still be named: whoever finds it gone calls `delete`.
        """

    def expire(self, table: str, ttl_ms: int) -> None:
        """Forget a table after `ttl_ms`; it is not due and not listed any more. An append would revive it."""

    def delete(self, table: str) -> None:
        """Forget a table now, and wake whoever watches it."""


def check_sequence(expected: int, events: Sequence[Event]) -> None:
    """Raise ValueError unless the seqs of the events are `expected` + 1, + 2 …, at least one."""
    if [event["seq"] for event in events] != list(range(expected + 1, expected + 1 + max(len(events), 1))):
        raise ValueError(f"events {[event['seq'] for event in events]} do not follow {expected} one by one")


class PlayerStore(Protocol):
    """Players, the hashes of their tokens, and where they sit. Never a token itself."""

    def create(self, player: Player, token_hash: str) -> None:
        """Store a new player, known by the token with this hash.

        Raises:
            ValueError: there is a player with this id or this token hash.
        """

    def by_token(self, token_hash: str) -> Player | None:
        """Return the player whose token has this hash. One round trip."""

    def get(self, player: str) -> Player | None:
        """Return a player by id."""

    def update(self, player: str, change: Callable[[Player], Player]) -> Player | None:
        """Replace a record by what `change` makes of it and return that; None if there is no such player.

        `change` is called again when the record was changed meanwhile, so it must not do anything else.
        """

    def rotate(self, player: str, token_hash: str) -> bool:
        """Let a new token take the place of the old one, which is not valid any more; False if there is no such player.

        Raises:
            ValueError: this is another player's token hash.
        """

    def delete(self, player: str) -> bool:
        """Erase record, token and list of tables; False if there is no such player."""

    def add_table(self, player: str, table: str, at: int) -> None:
        """Note that a player has a seat at a table since `at` (ms).

        All of this is forgotten a month after it was last added to or asked for.
        """

    def remove_table(self, player: str, table: str) -> None:
        """Note that a player has no seat at a table any more."""

    def tables_of(self, player: str) -> list[str]:
        """Return the tables of a player, latest first."""


class IdempotencyKeyReused(Exception):
    """The same key came with another request."""


class StillWorking(Exception):
    """The first request with this key has not been answered in the time that a second one waits."""


class IdempotencyStore(Protocol):
    """Answers by idempotency key, so that a request sent twice is done once."""

    def remember(
        self, scope: str, key: str, digest: str, answer: Callable[[], dict[str, Any]], *, ttl_ms: int
    ) -> dict[str, Any]:
        """Return the recorded answer of the request, or call `answer` to do it, and record what that returns.

        Of concurrent calls with one key, one does the request and the others wait for its answer. If `answer` raises,
        nothing is recorded and one of those who wait tries.

        Args:
            scope: whose keys, e.g. the player's id.
            key: what the client sent.
            digest: hash of the request; the same key with another one is refused.
            answer: does the request and returns JSON values.
            ttl_ms: how long the answer is recorded.

        Raises:
            IdempotencyKeyReused: the key was used for a request with another digest.
            StillWorking: whoever does the request takes too long.
        """


class ArchiveStore(Protocol):
    """Records of finished games."""

    def archive(self, game: str, record: dict[str, Any]) -> None:
        """Keep the record of a game, compressed; the same game again replaces it.

        Args:
            record: JSON values; its `events` follow one another, at least one.
        """

    def load_archive(self, game: str) -> dict[str, Any] | None:
        """Return the record of a game, or None if there is none."""


class Stores(NamedTuple):
    """All ports, over one database."""

    tables: TableStore
    players: PlayerStore
    idempotency: IdempotencyStore
    archive: ArchiveStore
