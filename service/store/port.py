"""The ports of the stores behind which two things stand, Redis and memory, and the errors of all stores.

Tables are stored as logs and snapshots, players as records. The store has no rules, no clock and no randomness. Times
are milliseconds since the epoch. The version of a table is the seq of the last event of its log (1, 2, 3 … without
gaps).

Every method may raise `StoreUnavailable`, and those that read may raise `StoreCorrupt`. Other errors are documented
with the method.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, NotRequired, Protocol, TypedDict

from service.game.events.types import Event
from service.game.state.table_types import Chosen
from service.game.state.types import State

#: A JSON object.
JsonObject = dict[str, Any]


class Suspension(TypedDict):
    """A suspension from `since` until `until` (ms). `cause`: a code; `note`: an additional message to the player."""

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


class Holiday(TypedDict):
    """Days on which a player does not play games of days.

    `first` and `last`: the days, as ISO 8601 has them; `since` and `until`: when they begin and end (ms). `table`: the
    only game for which they count; left out: all.
    """

    id: str
    first: str
    last: str
    since: int
    until: int
    table: NotRequired[str]


class Calendar(TypedDict):
    """When the clock of a player stands still in games of days.

    `zone`: the time zone. `quiet`: minutes of the day between which it stands still every day; left out: none.
    """

    zone: str
    quiet: NotRequired[list[int]]
    holidays: list[Holiday]


class Player(Chosen):
    """The record of a player, with what the player has chosen to show.

    `muted`: players whose chat is hidden. `presence`: who may see that the player is online; left out: friends.
    `invitations`: who may invite the player to a table; left out: anyone. `suspension`: may be over. `accepts`: which
    challenges the player accepts; empty lists: any; left out or None: none.
    `name_held_until`: until when (ms) the player cannot change a name that an operator has given. `invited_by`: the
    player (id) with whose registration code this one came, or `operators`. `calendar`: left out: the player has none.
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
    name_held_until: NotRequired[int]
    invited_by: NotRequired[str]
    calendar: NotRequired[Calendar]


def is_suspended(player: Player, now: int) -> bool:
    """Return whether a player is suspended at a time (ms)."""
    return "suspension" in player and player["suspension"]["until"] > now


class ArchivedGame(TypedDict):
    """A stored finished game: the state before it, and its consecutive events."""

    base: State
    events: list[Event]


class VersionConflict(Exception):
    """Another process appended first; nothing was written.

    After a lost answer, it may have been the caller's own previous attempt.

    Attributes:
        actual: the version of the table now; 0 if there is none, -1 if it has the expected version but another history.
    """

    def __init__(self, table: str, expected: int, actual: int) -> None:
        super().__init__(f"{table} is at version {actual}, not {expected}")
        self.actual = actual


class StoreUnavailable(Exception):
    """The store cannot be reached, is loading, or refuses writes (full, read-only). Retry later.

    A write may or may not have been done; repeating `append` finds out by the version.

    Attributes:
        original: the error of the client library.
    """

    def __init__(self, original: Exception) -> None:
        super().__init__(f"{type(original).__name__}: {original}")
        self.original = original


class StoreCorrupt(Exception):
    """The store holds an invalid value: a wrong type, a missing or truncated value, an unknown schema."""


class StoreTooNew(StoreUnavailable):
    """The store holds something that only a later release understands; leave it to processes of that release.

    Attributes:
        needs: the first release that understands it; "": not known.
    """

    def __init__(self, what: str, needs: str) -> None:
        super().__init__(ValueError(what))
        self.needs = needs
        self.args = (f"{what} needs release {needs} or newer" if needs else f"{what} is of a newer release",)


class Snapshot(NamedTuple):
    """The state of a table after event `version`."""

    version: int
    state: State


class Listed(NamedTuple):
    """A table of the lobby, listed since `at` (ms)."""

    at: int
    table: str


class Due(NamedTuple):
    """A due table: its version, and the queue given to the last append."""

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
        append proves the state current; anything else derived from it may be stale. Do not mutate the state.
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
        """Append events and replace the snapshot atomically, then wake the streams of the table.

        Args:
            table: id of the table.
            expected: version before `events`; 0 creates the table.
            events: at least one; their seqs are `expected` + 1, + 2 …
            state: the snapshot after them.
            wake_at: when the table is due for `lease_due` (ms); None: not until another append sets a time.
            listed: whether the lobby shows the table; it keeps its place while it stays listed.
            watchable: the same for the list of tables to watch.
            ttl_ms: delete the table when this time (ms) passes without an append; None: never.
            queue: returned by `lease_due`, so that a job can be enqueued without loading the table.

        Raises:
            VersionConflict: the table is not at `expected`, or differs from this process's cached state: a store that
                lost its last writes may have reached the same version with another history. Nothing is written.
            ValueError: the seqs of `events` do not follow `expected`.
        """

    def confirm(self, table: str, event: Event) -> None:
        """Wait until as many replicas have an event as the settings demand; by default none.

        Raises:
            StoreUnavailable: they do not have it in time, or the table has lost it. The event may exist or not.
        """

    def events(self, table: str, after: int, limit: int) -> list[Event]:
        """Return at most `limit` events with seq > `after`, in ascending order; none for an unknown table."""

    def tidy(self, limit: int) -> int:
        """Compact the older events of some tables, and return how many tables; `events` still returns them.

        Also removes expired tables from the lobby. Safe to call concurrently; `limit` keeps a call short.
        """

    def lease_due(self, now: int, lease_ms: int, limit: int) -> list[Due]:
        """Lease at most `limit` tables that are due at `now`, longest due first.

        Each becomes due again at `now` + `lease_ms`, unless an append sets another time first, so that lost jobs are
        repeated. Safe to call concurrently; no table is leased twice within a lease.
        """

    def postpone(self, table: str, version: int, at: int | None) -> None:
        """Set when a table is due (ms), if it is still at a version; None: not until another append sets a time."""

    def wake(self, now: int) -> int:
        """Make all tables that are due after `now` due at `now`, and return how many. Appends set new times."""

    def overdue(self, before: int) -> int:
        """Return how many tables have been due since before a time (ms), leased or not."""

    def newer_release(self) -> str:
        """Return the release that some tables have needed, if this process does not understand it; else ""."""

    def listed(self, limit: int, before: Listed | None = None, *, watchable: bool = False) -> list[Listed]:
        """Return at most `limit` tables of the lobby, newest first; `before` is the last one of the previous page.

        With `watchable`, return the tables that may be watched instead.

        Expired tables may still be listed; callers that notice one call `delete`.
        """

    def expire(self, table: str, ttl_ms: int) -> None:
        """Delete a table after `ttl_ms`; it is no longer due or listed. An append would revive it."""

    def delete(self, table: str) -> None:
        """Delete a table now, and wake its streams."""

    def reserve_code(self, code: str, table: str, ttl_ms: int) -> bool:
        """Map a code to a table until `ttl_ms` after its last use; False if it maps to another table."""

    def table_of_code(self, code: str, ttl_ms: int) -> str | None:
        """Return the table that a code maps to, and extend the code by `ttl_ms`. The table may be gone."""

    def add_watcher(self, table: str, code: str, player: str, ttl_ms: int) -> None:
        """Allow a player to watch a private table as long as it has this watch code.

        The list of watchers of a code expires `ttl_ms` after the last addition.
        """

    def is_watcher(self, table: str, code: str, player: str) -> bool:
        """Return whether a player has been added with this watch code. One round trip."""


def check_sequence(expected: int, events: Sequence[Event]) -> None:
    """Raise ValueError unless `events` is not empty and its seqs count up from `expected` + 1."""
    if [event["seq"] for event in events] != list(range(expected + 1, expected + 1 + max(len(events), 1))):
        raise ValueError(f"events {[event['seq'] for event in events]} do not follow {expected} one by one")


#: How long standing orders are kept after they were last set or read (ms): longer than a table waits for any decisions.
ORDERS_KEPT_MS: Final = 180 * 24 * 3_600_000
#: Most tables listed for a player.
MOST_TABLES: Final = 200


class Traces(NamedTuple):
    """Data of a player besides the record.

    Attributes:
        guest_at: last request (ms, to the day); None if the player has finished a game.
        sits: table -> since when the player sits there (ms).
        hosts: table -> since when the player hosts it (ms).
    """

    guest_at: int | None
    sits: dict[str, int]
    hosts: dict[str, int]


class PlayerStore(Protocol):
    """Players, and their tables. Their tokens are in `service.store.players.tokens`."""

    def create(self, player: Player, token_hash: str, code_hash: str | None = None) -> bool:
        """Store a new player, with the hash of their token.

        With the hash of a registration code, one use of it is spent in the same step; False: it has none left, and
        nothing was stored.

        Raises:
            ValueError: the id or the token hash exists.
        """

    def get(self, player: str) -> Player | None:
        """Return a player by id."""

    def existing(self, players: Collection[str]) -> set[str]:
        """Return which of these players exist. One round trip."""

    def update(self, player: str, change: Callable[[Player], Player]) -> Player | None:
        """Apply `change` to a record, and store and return the result; None if there is no such player.

        `change` must be pure: it is called again if the record was changed meanwhile.
        """

    def delete(self, player: str) -> bool:
        """Delete record, tokens, codes and lists of tables, and notify streams; False if there is no such player."""

    def idle_guests(self, before: int, limit: int) -> list[str]:
        """Return at most `limit` guests without a request since a time (ms). A guest has not finished a game."""

    def keep(self, player: str) -> None:
        """Note that a player has finished a game, and is no longer a guest."""

    def expire_guest(self, player: str, before: int) -> bool:
        """Delete a guest unless there was a request since `before` (ms); return whether the guest was deleted."""

    def add_table(self, player: str, table: str, at: int) -> None:
        """Add a table to those where the player has been seated, since `at` (ms).

        The list keeps the latest `MOST_TABLES`, and expires a month after the last addition or read. Wakes the streams
        of the player's account.
        """

    def add_hosted(self, player: str, table: str, at: int) -> list[str]:
        """Add a table to those hosted by the player, since `at` (ms), and return all of them.

        The list expires like the one of `add_table`.
        """

    def remove_hosted(self, player: str, *tables: str) -> None:
        """Remove tables from those that the player hosts."""

    def remove_table(self, player: str, table: str) -> None:
        """Remove a table from those where the player sits."""

    def tables_of(self, player: str) -> list[str]:
        """Return the tables of a player, latest first."""

    def traces(self, player: str) -> Traces:
        """Return the data of a player besides the record."""


class IdempotencyKeyReused(Exception):
    """The key was used for another request."""


class StillWorking(Exception):
    """The first request with this key is still being processed."""


class IdempotencyStore(Protocol):
    """Answers by idempotency key, so that a repeated request is carried out once."""

    def remember(
        self, scope: str, key: str, digest: str, answer: Callable[[], JsonObject], *, ttl_ms: int
    ) -> JsonObject:
        """Return the recorded answer to the request, or call `answer` to carry it out, and record the result.

        Of concurrent calls with one key, one carries out the request and the others wait for its answer. If `answer`
        raises, nothing is recorded, and one of the waiting calls tries next.

        Args:
            scope: namespace of the key, e.g. the player's id.
            key: the client's key.
            digest: hash of the request; the same key with another digest is refused.
            answer: carries out the request and returns JSON values.
            ttl_ms: how long the answer is kept.

        Raises:
            IdempotencyKeyReused: the key was used with another digest.
            StillWorking: the first call takes too long.
        """


class ArchiveStore(Protocol):
    """Finished games."""

    def archive(self, game: str, record: ArchivedGame, ttl_ms: int | None = None) -> None:
        """Store a game with at least one event, replacing any earlier copy; `ttl_ms` None: forever."""

    def size(self, record: ArchivedGame) -> int:
        """Return how many bytes a game takes."""

    def load_archive(self, game: str) -> ArchivedGame | None:
        """Return a game, or None."""

    def archived(self) -> Iterator[tuple[str, int | None]]:
        """Yield the id of each game and its remaining lifetime (ms; None: forever), in any order.

        A game may be yielded twice; one that expires or is archived meanwhile may be missing.
        """
