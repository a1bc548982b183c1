"""In-memory implementations of the ports in `service.store.port`, for tests.

Values are stored encoded, as in Redis: a state that is not JSON fails here too, and changing a state after storing it
does not change the stored value. Event streams are not notified; their tests use the real store.
"""

import copy
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, Self

from service.game.events.types import Event
from service.game.state.types import State
from service.store import codec
from service.store.cache import CACHED_TABLES, CachedState, StateCache
from service.store.players.standing_orders import Act, SeatOrders, StandingOrderStore, StoredOrders
from service.store.port import (
    MOST_TABLES,
    ArchivedGame,
    Due,
    IdempotencyKeyReused,
    JsonObject,
    Listed,
    Player,
    Snapshot,
    StillWorking,
    Traces,
    VersionConflict,
    check_sequence,
)
from service.store.shared_clock import wall_clock


class MemoryStores:
    """Empty stores; `now` returns milliseconds since the epoch, for expiry."""

    def __init__(self, now: Callable[[], int] = wall_clock) -> None:
        self.tables: Final = MemoryTableStore(now)
        self.players: Final = MemoryPlayerStore()
        self.idempotency: Final = MemoryIdempotencyStore(now)
        self.archive: Final = MemoryArchiveStore()


class _Table:
    """A table, encoded."""

    def __init__(self) -> None:
        self.version = 0
        self.state = b""
        self.setup = b""
        self.queue = ""
        self.log: list[bytes] = []
        self.ends: int | None = None


class MemoryTableStore:
    """`TableStore` in memory."""

    def __init__(self, now: Callable[[], int] = wall_clock, *, cached_tables: int = CACHED_TABLES) -> None:
        self._now: Final = now
        self._cache_size: Final = cached_tables
        self._cache = StateCache(cached_tables)
        self._lock: Final = threading.Lock()
        self._tables: Final[dict[str, _Table]] = {}
        self._due: Final[dict[str, int]] = {}
        self._owed: Final[dict[str, int]] = {}
        self._lobby: Final[dict[str, int]] = {}
        self._watch: Final[dict[str, int]] = {}
        #: Code -> its table and expiry.
        self._codes: Final[dict[str, tuple[str, int]]] = {}
        #: Table and watch code -> watchers and expiry.
        self._watchers: Final[dict[tuple[str, str], tuple[set[str], int]]] = {}

    def load(self, table: str) -> Snapshot | None:
        """See `TableStore.load`."""
        with self._lock:
            stored = self._live(table)
            return Snapshot(stored.version, codec.decode_state(stored.state, stored.setup, table)) if stored else None

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
        """See `TableStore.append`."""
        check_sequence(expected, events)
        snapshot, setup = codec.encode_state(state), codec.encode_setup(state)
        entries = [codec.encode_event(event) for event in events]
        with self._lock:
            stored = self._live(table) or _Table()
            if stored.version != expected:
                self._cache.drop(table)
                raise VersionConflict(table, expected, stored.version)
            known = self._cache.at(table, expected)
            if known is not None and known.checksum != codec.checksum(stored.state, codec.checksum(stored.setup)):
                self._cache.drop(table)
                raise VersionConflict(table, expected, -1)
            self._tables[table] = stored
            stored.version, stored.state, stored.setup, stored.queue = expected + len(events), snapshot, setup, queue
            stored.log += entries
            stored.ends = None if ttl_ms is None else self._now() + ttl_ms
            for times in (self._due, self._owed):
                times.pop(table, None)
                if wake_at is not None:
                    times[table] = wake_at
            for index, is_in in ((self._lobby, listed), (self._watch, watchable)):
                if is_in:
                    index.setdefault(table, events[-1]["at"])
                else:
                    index.pop(table, None)
        checksum = codec.checksum(setup)
        version = expected + len(events)
        self._cache.put(table, CachedState(version, state, codec.checksum(snapshot, checksum), checksum))

    def cached(self, table: str) -> State | None:
        """See `TableStore.cached`."""
        return self._cache.state(table)

    def of_another_process(self) -> Self:
        """Return a store with the same tables and another cache."""
        other = copy.copy(self)
        other._cache = StateCache(self._cache_size)
        return other

    def confirm(self, table: str, event: Event) -> None:
        """See `TableStore.confirm`. There are no replicas."""

    def events(self, table: str, after: int, limit: int) -> list[Event]:
        """See `TableStore.events`."""
        with self._lock:
            stored = self._live(table)
            entries = stored.log[after : after + limit] if stored else []
        return [codec.decode_event({codec.EVENT: entry}, table) for entry in entries]

    def tidy(self, limit: int) -> int:  # noqa: ARG002 - memory is not compacted
        """See `TableStore.tidy`."""
        return 0

    def lease_due(self, now: int, lease_ms: int, limit: int) -> list[Due]:
        """See `TableStore.lease_due`."""
        with self._lock:
            for gone in [table for table in self._due if self._live(table) is None]:
                del self._due[gone]
                self._owed.pop(gone, None)
            due = sorted((at, table) for table, at in self._due.items() if at <= now)[:limit]
            self._due.update((table, now + lease_ms) for _, table in due)
            return [Due(table, self._tables[table].version, self._tables[table].queue) for _, table in due]

    def postpone(self, table: str, version: int, at: int | None) -> None:
        """See `TableStore.postpone`."""
        with self._lock:
            stored = self._live(table)
            if stored is None or stored.version != version:
                return
            for times in (self._due, self._owed):
                times.pop(table, None)
                if at is not None:
                    times[table] = at

    def wake(self, now: int) -> int:
        """See `TableStore.wake`."""
        with self._lock:
            later = [table for table, at in self._owed.items() if at > now]
            self._due.update(dict.fromkeys(later, now))
            return len(later)

    def overdue(self, before: int) -> int:
        """See `TableStore.overdue`."""
        with self._lock:
            return sum(at < before for at in self._owed.values())

    def newer_release(self) -> str:
        """See `TableStore.newer_release`."""
        return ""

    def listed(self, limit: int, before: Listed | None = None, *, watchable: bool = False) -> list[Listed]:
        """See `TableStore.listed`."""
        index = self._watch if watchable else self._lobby
        with self._lock:
            entries = sorted((Listed(at, table) for table, at in index.items()), reverse=True)
        return [entry for entry in entries if before is None or entry < before][:limit]

    def expire(self, table: str, ttl_ms: int) -> None:
        """See `TableStore.expire`."""
        with self._lock:
            self._due.pop(table, None)
            self._owed.pop(table, None)
            self._lobby.pop(table, None)
            self._watch.pop(table, None)
            if stored := self._live(table):
                stored.ends = self._now() + ttl_ms

    def delete(self, table: str) -> None:
        """See `TableStore.delete`."""
        self.expire(table, 0)

    def reserve_code(self, code: str, table: str, ttl_ms: int) -> bool:
        """See `TableStore.reserve_code`."""
        with self._lock:
            holder, ends = self._codes.get(code, (table, 0))
            if ends <= self._now():
                holder = table
                self._codes[code] = (table, self._now() + ttl_ms)
            return holder == table

    def table_of_code(self, code: str, ttl_ms: int) -> str | None:
        """See `TableStore.table_of_code`."""
        with self._lock:
            holder, ends = self._codes.get(code, ("", 0))
            if ends <= self._now():
                return None
            self._codes[code] = (holder, self._now() + ttl_ms)
            return holder

    def add_watcher(self, table: str, code: str, player: str, ttl_ms: int) -> None:
        """See `TableStore.add_watcher`."""
        with self._lock:
            players, ends = self._watchers.get((table, code), (set(), 0))
            watchers = players if ends > self._now() else set()
            self._watchers[table, code] = (watchers | {player}, self._now() + ttl_ms)

    def is_watcher(self, table: str, code: str, player: str) -> bool:
        """See `TableStore.is_watcher`."""
        with self._lock:
            players, ends = self._watchers.get((table, code), (set(), 0))
            return player in players and ends > self._now()

    def _live(self, table: str) -> _Table | None:
        stored = self._tables.get(table)
        if stored is not None and stored.ends is not None and stored.ends <= self._now():
            del self._tables[table]
            return None
        return stored


class MemoryPlayerStore:
    """`PlayerStore` in memory."""

    def __init__(self) -> None:
        self._lock: Final = threading.RLock()
        self._records: Final[dict[str, bytes]] = {}
        #: SHA-256 of an unrestricted token -> player.
        self._tokens: Final[dict[str, str]] = {}
        self._at: Final[dict[str, dict[str, int]]] = {}
        self._hosted: Final[dict[str, dict[str, int]]] = {}
        self._guests: Final[dict[str, int]] = {}

    def create(self, player: Player, token_hash: str, code_hash: str | None = None) -> bool:
        """See `PlayerStore.create`; it has no registration codes."""
        if code_hash is not None:
            return False
        record = codec.encode(codec.PLAYER, player)
        with self._lock:
            if player["id"] in self._records or token_hash in self._tokens:
                raise ValueError(f"there is a player {player['id']} or one with this token")
            self._records[player["id"]] = record
            self._tokens[token_hash] = player["id"]
            self._guests[player["id"]] = player.get("created_at", 0)
        return True

    def get(self, player: str) -> Player | None:
        """See `PlayerStore.get`."""
        stored = self._records.get(player)
        return None if stored is None else codec.decode(codec.PLAYER, stored, player)

    def existing(self, players: Collection[str]) -> set[str]:
        """See `PlayerStore.existing`."""
        return {player for player in players if player in self._records}

    def update(self, player: str, change: Callable[[Player], Player]) -> Player | None:
        """See `PlayerStore.update`."""
        with self._lock:
            record = self.get(player)
            if record is None:
                return None
            changed = change(record)
            self._records[player] = codec.encode(codec.PLAYER, changed)
            return changed

    def delete(self, player: str) -> bool:
        """See `PlayerStore.delete`."""
        with self._lock:
            self._drop_token(player)
            for lists in (self._at, self._hosted, self._guests):
                lists.pop(player, None)  # type: ignore[attr-defined]
            return self._records.pop(player, None) is not None

    def idle_guests(self, before: int, limit: int) -> list[str]:
        """See `PlayerStore.idle_guests`."""
        with self._lock:
            return [guest for guest, at in sorted(self._guests.items(), key=lambda each: each[1]) if at < before][
                :limit
            ]

    def keep(self, player: str) -> None:
        """See `PlayerStore.keep`."""
        with self._lock:
            self._guests.pop(player, None)

    def expire_guest(self, player: str, before: int) -> bool:
        """See `PlayerStore.expire_guest`."""
        with self._lock:
            return player in self._guests and self._guests[player] < before and self.delete(player)

    def add_table(self, player: str, table: str, at: int) -> None:
        """See `PlayerStore.add_table`."""
        with self._lock:
            at_tables = self._at.setdefault(player, {})
            at_tables[table] = at
            for oldest in sorted(at_tables, key=lambda table: (at_tables[table], table))[:-MOST_TABLES]:
                del at_tables[oldest]

    def add_hosted(self, player: str, table: str, at: int) -> list[str]:
        """See `PlayerStore.add_hosted`."""
        with self._lock:
            hosted = self._hosted.setdefault(player, {})
            hosted[table] = at
            return sorted(hosted, key=lambda table: (hosted[table], table))

    def remove_hosted(self, player: str, *tables: str) -> None:
        """See `PlayerStore.remove_hosted`."""
        with self._lock:
            for table in tables:
                self._hosted.get(player, {}).pop(table, None)

    def remove_table(self, player: str, table: str) -> None:
        """See `PlayerStore.remove_table`."""
        with self._lock:
            self._at.get(player, {}).pop(table, None)

    def tables_of(self, player: str) -> list[str]:
        """See `PlayerStore.tables_of`."""
        with self._lock:
            return [table for _, table in sorted(((at, t) for t, at in self._at.get(player, {}).items()), reverse=True)]

    def traces(self, player: str) -> Traces:
        """See `PlayerStore.traces`."""
        with self._lock:
            return Traces(self._guests.get(player), dict(self._at.get(player, {})), dict(self._hosted.get(player, {})))

    def _drop_token(self, player: str) -> None:
        for token_hash in [token_hash for token_hash, owner in self._tokens.items() if owner == player]:
            del self._tokens[token_hash]


class MemoryIdempotencyStore:
    """`IdempotencyStore` in memory."""

    def __init__(self, now: Callable[[], int] = wall_clock, *, wait_ms: int = 10_000) -> None:
        self._now: Final = now
        self._wait_s: Final = wait_ms / 1000
        self._changed: Final = threading.Condition()
        #: (scope, key) -> digest, encoded answer (None: not yet), expiry (ms).
        self._stored: Final[dict[tuple[str, str], tuple[str, bytes | None, int]]] = {}

    def remember(
        self, scope: str, key: str, digest: str, answer: Callable[[], JsonObject], *, ttl_ms: int
    ) -> JsonObject:
        """See `IdempotencyStore.remember`."""
        name = (scope, key)
        with self._changed:
            while (recorded := self._stored.get(name)) and (recorded[1] is None or recorded[2] > self._now()):
                if recorded[0] != digest:
                    raise IdempotencyKeyReused(key)
                if recorded[1] is not None:
                    result: JsonObject = codec.decode(codec.ANSWER, recorded[1], key)
                    return result
                if not self._changed.wait(self._wait_s):
                    raise StillWorking(key)
            self._stored[name] = (digest, None, 0)
        try:
            result = answer()
            stored = (digest, codec.encode(codec.ANSWER, result), self._now() + ttl_ms)
        except BaseException:
            with self._changed:
                del self._stored[name]
                self._changed.notify_all()
            raise
        with self._changed:
            self._stored[name] = stored
            self._changed.notify_all()
        return result


class MemoryArchiveStore:
    """`ArchiveStore` in memory."""

    def __init__(self) -> None:
        self._records: Final[dict[str, bytes]] = {}

    def archive(self, game: str, record: ArchivedGame, ttl_ms: int | None = None) -> None:  # noqa: ARG002
        """See `ArchiveStore.archive`."""
        self._records[game] = codec.encode_game(record)

    def size(self, record: ArchivedGame) -> int:
        """See `ArchiveStore.size`."""
        return len(codec.encode_game(record))

    def load_archive(self, game: str) -> ArchivedGame | None:
        """See `ArchiveStore.load_archive`."""
        stored = self._records.get(game)
        return None if stored is None else codec.decode_game(stored, game)

    def archived(self) -> Iterator[tuple[str, int | None]]:
        """See `ArchiveStore.archived`. Nothing expires."""
        return iter([(game, None) for game in self._records])


class MemoryStandingOrderStore(StandingOrderStore):
    """Standing orders in memory, of one process."""

    def __init__(self, now: Callable[[], int] = wall_clock) -> None:
        self._now = now  # type: ignore[misc]
        self._orders: Final[dict[tuple[str, int], StoredOrders]] = {}
        self._acts: Final[dict[tuple[str, int], list[Act]]] = {}

    def put(self, table: str, seat: int, orders: StoredOrders | None) -> None:
        """See `StandingOrderStore.put`."""
        self._orders.pop((table, seat), None)
        if orders is not None:
            self._orders[table, seat] = orders

    def of_table(self, table: str, seats: Sequence[int]) -> dict[int, SeatOrders]:
        """See `StandingOrderStore.of_table`."""
        return {seat: SeatOrders(self._orders[table, seat], b"") for seat in seats if (table, seat) in self._orders}

    def take(self, table: str, seat: int, raw: bytes) -> bool:  # noqa: ARG002 - see the class
        """See `StandingOrderStore.take`."""
        return True

    def done(self, table: str, seat: int, act: Act | None) -> None:
        """See `StandingOrderStore.done`. Remembers all acts."""
        if act is not None:
            self._acts.setdefault((table, seat), []).append(act)

    def of_seat(self, table: str, seat: int) -> tuple[StoredOrders | None, list[Act]]:
        """See `StandingOrderStore.of_seat`."""
        return self._orders.get((table, seat)), self._acts.get((table, seat), [])
