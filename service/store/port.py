"""The ports of the store, and the ways in which they fail.

Tables are stored as logs and snapshots, players as records. The store knows no rules, no clock and no randomness. Times
are milliseconds since the epoch. The version of a table is the seq of the last event of its log (1, 2, 3 … without
gaps).

Every method may raise `StoreUnavailable`, and one that reads `StoreCorrupt`. Other errors are documented with the
method.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, NotRequired, Protocol, TypedDict

from service.game.events.types import Event
from service.game.state.types import State

#: A JSON object.
JsonObject = dict[str, Any]


class Suspension(TypedDict):
    """A suspension from `since` until `until` (ms). `cause`: a code; `note`: what the player is told besides."""

    since: int
    until: int
    cause: str
    note: str | None


Accepts = TypedDict(
    "Accepts",
    {
        "rulesets": list[str],
        "players": list[int],
        "clocks": list[str],
        "rated": Literal["any", "rated", "unrated"],
        "from": Literal["anyone", "bots", "friends"],
        "concurrent": int,
    },
)


class Player(TypedDict):
    """The record of a player.

    `muted`: players whose chat this one does not want to read. `presence`: who may see that the player is there; left
    out: friends. `invitations`: who may invite the player to a table; left out: anyone. `suspension`: perhaps over.
    `accepts`: which challenges the player takes, empty lists: any; left out or None: none. `face`: the drawn face
    that was chosen, by its number.
    """

    id: str
    name: str
    kind: Literal["human", "bot"]
    locale: str
    created_at: int
    muted: NotRequired[list[str]]
    presence: NotRequired[Literal["friends", "nobody"]]
    invitations: NotRequired[Literal["anyone", "friends", "nobody"]]
    suspension: NotRequired[Suspension]
    accepts: NotRequired[Accepts | None]
    face: NotRequired[int | None]


class ArchivedGame(TypedDict):
    """What is stored of a finished game: the state before it, and its events, which follow one another."""

    base: State
    events: list[Event]


class VersionConflict(Exception):
    """Somebody else appended first; nothing was written.

    After a lost answer, the winner may be the caller itself, one attempt ago.

    Attributes:
        actual: the version of the table now; 0 if there is none, -1 if it has the expected version but another history.
    """

    def __init__(self, table: str, expected: int, actual: int) -> None:
        super().__init__(f"{table} is at version {actual}, not {expected}")
        self.actual = actual


class StoreUnavailable(Exception):
    """The store cannot be reached, is loading, or refuses writes (full, read-only): try again later.

    A write may or may not have been done; a repeated `append` finds out by the version.

    Attributes:
        original: the error of the client library.
    """

    def __init__(self, original: Exception) -> None:
        super().__init__(f"{type(original).__name__}: {original}")
        self.original = original


class StoreCorrupt(Exception):
    """The store holds an invalid value: a wrong type, a missing or truncated value, an unknown schema."""


class Snapshot(NamedTuple):
    """The state of a table after the event with seq `version`."""

    version: int
    state: State


class Listed(NamedTuple):
    """A table of the lobby, listed since `at` (ms)."""

    at: int
    table: str


class Due(NamedTuple):
    """A table that is due: its version, and the queue given to the last append."""

    table: str
    version: int
    queue: str


class TableStore(Protocol):
    """Logs and snapshots of tables, and when each is due."""

    def load(self, table: str) -> Snapshot | None:
        """Return the snapshot, or None if there is no such table. One round trip."""

    def cached(self, table: str) -> State | None:
        """Return the state that this process wrote last, if it is still in memory. No round trip.

        Another process may have written since. An append to a stale state raises `VersionConflict`, so a successful
        append proves the state current; anything else derived from it may be stale. The state must not be mutated.
        """

    def append(
        self,
        table: str,
        expected: int,
        events: Sequence[Event],
        state: State,
        *,
        wake_at: int | None,
        listed: bool = False,
        watchable: bool = False,
        ttl_ms: int | None = None,
        queue: str = "",
    ) -> None:
        """Append events and replace the snapshot in one atomic step, then wake the streams of the table.

        Args:
            table: id of the table.
            expected: version that `events` follow; 0 creates the table.
            events: at least one; their seqs are `expected` + 1, + 2 …
            state: the snapshot after them.
            wake_at: when the table is due for `claim_due` (ms); None: not until another append sets a time.
            listed: whether the lobby shows the table; it keeps its place while it stays listed.
            watchable: the same for the list of tables to watch.
            ttl_ms: delete the table when this time (ms) passes without an append; None: never.
            queue: returned by `claim_due`, so that a job can be enqueued without loading the table.

        Raises:
            VersionConflict: the table is not at `expected`, or differs from this process's cached state: a store that
                lost its last writes may have reached the same version with another history. Nothing is written.
            ValueError: the seqs of `events` are not those.
        """

    def confirm(self, table: str, event: Event) -> None:
        """Return when as many replicas have an event as the settings want; by default at once.

        Raises:
            StoreUnavailable: they do not, or the table has lost it. It may be there, or not.
        """

    def events(self, table: str, after: int, limit: int) -> list[Event]:
        """Return at most `limit` events with seq > `after`, in ascending order; none for an unknown table."""

    def tidy(self, limit: int) -> int:
        """Compact the older events of some tables, and return how many tables; `events` returns them as before.

        Also removes expired tables from the lobby. Any number of callers may call it; `limit` keeps a call short.
        """

    def claim_due(self, now: int, lease_ms: int, limit: int) -> list[Due]:
        """Claim at most `limit` tables that are due at `now`, longest due first.

        Each becomes due again at `now` + `lease_ms`, unless an append sets another time first, so a lost job is found
        again. Any number of callers may claim at once; no table is claimed twice within a lease.
        """

    def wake(self, now: int) -> int:
        """Make every table that is due after `now` due at `now`, and return how many; an append sets another time."""

    def overdue(self, before: int) -> int:
        """Return how many tables have been due since before a time (ms), whether they are claimed or not."""

    def listed(self, limit: int, before: Listed | None = None, *, watchable: bool = False) -> list[Listed]:
        """Return at most `limit` tables of the lobby, newest first; `before` is the last one of the page before.

        With `watchable`, those that may be watched instead.

        A table that has expired may still be listed; a caller that notices calls `delete`.
        """

    def expire(self, table: str, ttl_ms: int) -> None:
        """Delete a table after `ttl_ms`; it is no longer due or listed. An append would revive it."""

    def delete(self, table: str) -> None:
        """Delete a table now, and wake its streams."""

    def claim_code(self, code: str, table: str, ttl_ms: int) -> bool:
        """Map a code to a table until `ttl_ms` after its last use; False if it maps to another table."""

    def table_of_code(self, code: str, ttl_ms: int) -> str | None:
        """Return the table that a code maps to, and keep the code for another `ttl_ms`. The table may be gone."""

    def add_watcher(self, table: str, code: str, player: str, ttl_ms: int) -> None:
        """Let a player watch a private table as long as it has this watch code.

        All who watch with the code are kept until `ttl_ms` after the last was added.
        """

    def is_watcher(self, table: str, code: str, player: str) -> bool:
        """Return whether a player has been added with this watch code. One round trip."""


def check_sequence(expected: int, events: Sequence[Event]) -> None:
    """Raise ValueError unless there are events, with seqs counting up from `expected` + 1."""
    if [event["seq"] for event in events] != list(range(expected + 1, expected + 1 + max(len(events), 1))):
        raise ValueError(f"events {[event['seq'] for event in events]} do not follow {expected} one by one")


#: Tables that are listed for a player.
MOST_TABLES: Final = 200


class Traces(NamedTuple):
    """What is noted of a player beside the record.

    Attributes:
        guest_at: when the player was last heard of (ms, to the day); None: has finished a game.
        sits: table -> since when the player sits there (ms).
        hosts: table -> since when the player hosts it (ms).
    """

    guest_at: int | None
    sits: dict[str, int]
    hosts: dict[str, int]


class PlayerStore(Protocol):
    """Players, and where they sit. `service.store.players.tokens` knows their tokens."""

    def create(self, player: Player, token_hash: str) -> None:
        """Store a new player, known by the token with this hash.

        Raises:
            ValueError: there is a player with this id or this token hash.
        """

    def get(self, player: str) -> Player | None:
        """Return a player by id."""

    def existing(self, players: Collection[str]) -> set[str]:
        """Return those of some players who exist. One round trip."""

    def update(self, player: str, change: Callable[[Player], Player]) -> Player | None:
        """Replace a record by what `change` returns for it, and return that; None if there is no such player.

        `change` must be pure: it is called again when the record was changed meanwhile.
        """

    def delete(self, player: str) -> bool:
        """Erase record, tokens, codes and lists of tables, and notify streams; False if there is no such player."""

    def idle_guests(self, before: int, limit: int) -> list[str]:
        """Return at most `limit` players not heard of since a time (ms) who are not known to have finished a game."""

    def keep(self, player: str) -> None:
        """Note that a player has finished a game, and is no longer a guest."""

    def expire_guest(self, player: str, before: int) -> bool:
        """Erase a guest as `delete` does, unless heard of since `before` (ms); return whether the guest was erased."""

    def add_table(self, player: str, table: str, at: int) -> None:
        """Add a table to those where the player sits, since `at` (ms).

        The list keeps the latest `MOST_TABLES`, and expires a month after it was last added to or read. The streams of
        the player's account are woken.
        """

    def add_hosted(self, player: str, table: str, at: int) -> list[str]:
        """Add a table to those that the player hosts, since `at` (ms), and return them all.

        The list expires as that of `add_table` does.
        """

    def remove_hosted(self, player: str, *tables: str) -> None:
        """Remove tables from those that the player hosts."""

    def remove_table(self, player: str, table: str) -> None:
        """Remove a table from those where the player sits."""

    def tables_of(self, player: str) -> list[str]:
        """Return the tables of a player, latest first."""

    def traces(self, player: str) -> Traces:
        """Return what is noted of a player beside the record."""


class IdempotencyKeyReused(Exception):
    """The same key came with another request."""


class StillWorking(Exception):
    """The first request with this key was not answered while a second one waited."""


class IdempotencyStore(Protocol):
    """Answers by idempotency key, so that a request sent twice is carried out once."""

    def remember(
        self, scope: str, key: str, digest: str, answer: Callable[[], JsonObject], *, ttl_ms: int
    ) -> JsonObject:
        """Return the recorded answer of the request, or call `answer` to carry it out, and record the result.

        Of concurrent calls with one key, one carries out the request and the others wait for its answer. If `answer`
        raises, nothing is recorded and one of the waiting calls tries.

        Args:
            scope: namespace of the key, e.g. the player's id.
            key: what the client sent.
            digest: hash of the request; the same key with another one is refused.
            answer: carries out the request and returns JSON values.
            ttl_ms: how long the answer is kept.

        Raises:
            IdempotencyKeyReused: the key was used for a request with another digest.
            StillWorking: the call that carries out the request takes too long.
        """


class ArchiveStore(Protocol):
    """Finished games."""

    def archive(self, game: str, record: ArchivedGame, ttl_ms: int | None = None) -> None:
        """Store a game with at least one event, compressed, replacing any earlier copy; `ttl_ms` None: forever."""

    def load_archive(self, game: str) -> ArchivedGame | None:
        """Return a game, or None if it is not there."""

    def archived(self) -> Iterator[tuple[str, int | None]]:
        """Yield the id of each game, and how long it is kept from now on (ms; None: for ever), in any order.

        A game may come twice; one that expires or is archived meanwhile may come or not.
        """


class Stores(NamedTuple):
    """All ports, over one database."""

    tables: TableStore
    players: PlayerStore
    idempotency: IdempotencyStore
    archive: ArchiveStore
