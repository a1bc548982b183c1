"""`TableStore` on Redis (6.0 or newer, single or cluster). Each write is one script of `lua/`."""

from collections.abc import Callable, Collection, Sequence
from itertools import cycle, islice
from typing import Final, TypeVar

from redis.exceptions import RedisClusterException, RedisError

from service.game.events.needs import understood
from service.game.events.types import Event
from service.game.state.types import State
from service.store import codec, compaction, keys
from service.store.cache import CACHED_TABLES, CachedState, StateCache
from service.store.confirming import SleepsError, confirm
from service.store.connections.cluster_client import ClusterClient, answers_there_are, is_of_a_node
from service.store.connections.commands import Client
from service.store.connections.opening import newer_release
from service.store.connections.watched import Watched
from service.store.index import Index, packed
from service.store.pages import latest
from service.store.port import Due, Listed, Snapshot, StoreCorrupt, VersionConflict, check_sequence
from service.store.scripts import Script, translate_errors
from service.store.sleep import asleep, sleeping

_T = TypeVar("_T")

APPEND: Final = Script("append", "tell")
_LEASE: Final = Script("lease_tables", "leave", "asleep")
_WAKE: Final = Script("wake")
_POSTPONE: Final = Script("postpone")
_FORGET: Final = Script("forget", "tell")

#: Number of oldest tables in a bucket's lobby that one call of `tidy` checks for expiry.
_LOBBY_CHECKS: Final = 100
#: How long a process leaves a table alone that needs a later release (ms); see `leave.lua`.
LEFT_MS: Final = 10_000
#: Number of buckets in which one call of `tidy` compacts logs.
_COMPACTED: Final = 16
#: Most tries to read a table that is put to sleep or woken between two reads.
_TRIES: Final = 5


class RedisTableStore:
    """`TableStore` on Redis.

    Args:
        client: for commands.
        cached_tables: number of states to keep in memory; 0 turns the cache off.
        replicas: number of replicas that must have an event before `confirm` returns.
    """

    def __init__(self, client: Client, *, cached_tables: int = CACHED_TABLES, replicas: int = 0) -> None:
        self._replicas: Final = replicas
        self._redis: Final = client
        self._publish: Final = "SPUBLISH" if isinstance(client, ClusterClient) else "PUBLISH"
        self._cache: Final = StateCache(cached_tables)
        self._due: Final = Watched(client, keys.due)
        self._listed: Final = cycle(range(keys.buckets()))
        self._long: Final = cycle(range(keys.buckets()))
        #: Releases that this process has noted in `keys.NEEDS`.
        self._noted: Final = {""}

    def close(self) -> None:
        """Give back the connections that hear of changes."""
        self._due.close()

    @translate_errors
    def load(self, table: str) -> Snapshot | None:
        """See `TableStore.load`."""
        version, snapshot, setup = self._redis.hmget(keys.head(table), "v", "s", "o")
        if version is None and snapshot is None:
            return None
        number, what = _version(version, table), f"snapshot of {table}"
        if number < 0:
            return Snapshot(-number, asleep.unpack(snapshot, what).state(what))
        return Snapshot(number, codec.decode_state(snapshot, setup, what))

    def cached(self, table: str) -> State | None:
        """See `TableStore.cached`."""
        return self._cache.state(table)

    @property
    def cached_states(self) -> dict[str, State]:
        """All cached states, by table."""
        return self._cache.states()

    @translate_errors
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
        known = self._cache.at(table, expected)
        if known is not None and codec.same_setup(known.state, state):
            setup, setup_checksum = b"", known.setup_checksum
        else:
            setup = codec.encode_setup(state)
            setup_checksum = codec.checksum(setup)
        needs = state.get("needs", "")
        if needs not in self._noted:
            # First, so that no data need a release that is not noted.
            self._redis.sadd(keys.NEEDS, needs)
            self._noted.add(needs)
        snapshot = codec.encode_state(state)
        checksum = codec.checksum(snapshot, setup_checksum)
        at = events[-1]["at"]
        index: Index = {
            "table": table,
            "expected": expected,
            "replaces": "" if known is None else str(known.checksum),
            "checksum": str(checksum),
            "queue": queue,
            "at": at,
            "due": "" if wake_at is None else str(wake_at),
            "listed": str(at) if listed else "",
            "watchable": str(at) if watchable else "",
            "ttl": "" if ttl_ms is None else str(ttl_ms),
            "field": codec.named(codec.EVENT, needs).decode(),
            "needs": needs,
            "long": compaction.LONG_LOG,
            "publish": self._publish,
        }
        arguments = (packed(index), snapshot, setup, *map(codec.encode_event, events))
        version = APPEND.run(self._redis, keys.of_table(table), *arguments)
        while version == -expected < -1:
            sleeping.rouse(self._redis, table)
            version = APPEND.run(self._redis, keys.of_table(table), *arguments)
        if version != expected:
            self._cache.drop(table)
            raise VersionConflict(table, expected, version if version == -1 else abs(_version(version, table)))
        self._cache.put(table, CachedState(expected + len(events), state, checksum, setup_checksum))

    @translate_errors
    def confirm(self, table: str, event: Event) -> None:
        """See `TableStore.confirm`. No round trip without replicas."""
        if self._replicas:
            try:
                confirm(self._redis, table, event, self._replicas)
            except SleepsError:
                sleeping.rouse(self._redis, table)
                confirm(self._redis, table, event, self._replicas)

    @translate_errors
    def events(self, table: str, after: int, limit: int) -> list[Event]:
        """See `TableStore.events`. One round trip for the latest events, and one more for earlier ones, or none."""
        latest: list[Event] = []
        for _ in range(_TRIES):
            # In this order, events moved between the two reads are seen twice rather than missed.
            latest = compaction.latest(self._redis, table, after, limit)
            if latest and latest[0]["seq"] == after + 1:
                break
            older = compaction.older(self._redis, table, after, limit) if latest else []
            if older:
                return [*(event for event in older if event["seq"] < latest[0]["seq"]), *latest][:limit]
            found = sleeping.events(self._redis, table, after, limit)
            if not isinstance(found, sleeping.Changed):
                return found
            if found.version <= after:
                break
            # It has been put to sleep or woken between two of these reads.
        return latest

    @translate_errors
    def tidy(self, limit: int) -> int:
        """See `TableStore.tidy`."""
        pipeline = self._redis.pipeline(transaction=False)
        for long in islice(self._long, _COMPACTED):
            pipeline.spop(keys.long(long), limit)
        answers = answers_there_are(pipeline.execute(raise_on_error=False))
        tables = [table.decode() for answer in answers for table in answer or ()]
        bucket = next(self._listed)
        self._remove_expired(keys.lobby(bucket))
        self._remove_expired(keys.watch(bucket))
        return sum(compaction.compact(self._redis, table) for table in tables)

    def _remove_expired(self, index: str) -> None:
        """Remove expired tables among the oldest of a list; those with deadlines are removed when leased."""
        oldest = self._redis.zrange(index, 0, _LOBBY_CHECKS - 1)
        if not oldest:
            return
        pipeline = self._redis.pipeline(transaction=False)
        for table in oldest:
            pipeline.exists(keys.head(table.decode()))
        expired = [table for table, exists in zip(oldest, pipeline.execute(), strict=True) if not exists]
        if expired:
            self._redis.zrem(index, *expired)

    @translate_errors
    def lease_due(self, now: int, lease_ms: int, limit: int) -> list[Due]:
        """See `TableStore.lease_due`. One or two round trips, and one more for each bucket with work."""
        due = self._due.due(now, limit)
        leased = {}

        def lease(bucket: int) -> None:
            tables = [table for _, table, its_bucket in due if its_bucket == bucket]
            heads = [keys.head(table) for table in tables]
            answer = _LEASE.run(
                self._redis,
                [keys.due(bucket), keys.owed(bucket), *heads],
                now,
                now + lease_ms,
                understood(),
                now + LEFT_MS,
                *tables,
            )
            for name, version, queue in answer:
                table = name.decode()
                leased[table] = Due(table, abs(_version(version, table)), queue.decode())

        self._on_each(lease, sorted({bucket for _, _, bucket in due}))
        return [leased[table] for _, table, _ in due if table in leased]

    @translate_errors
    def postpone(self, table: str, version: int, at: int | None) -> None:
        """See `TableStore.postpone`."""
        bucket = keys.bucket_of(table)
        names = (keys.head(table), keys.due(bucket), keys.owed(bucket))
        _POSTPONE.run(self._redis, names, table, version, "" if at is None else at)

    @translate_errors
    def wake(self, now: int) -> int:
        """See `TableStore.wake`. One round trip for each bucket."""

        def wake(bucket: int) -> int:
            return int(_WAKE.run(self._redis, [keys.due(bucket), keys.owed(bucket)], now))

        return sum(self._on_each(wake, range(keys.buckets())))

    def _on_each(self, do: Callable[[int], _T], buckets: Collection[int]) -> list[_T]:
        """Call a function for each bucket. On a cluster, buckets of lost nodes are left out.

        Raises:
            RedisError: no bucket can be reached.
        """
        done = []
        for number, bucket in enumerate(buckets):
            try:
                done.append(do(bucket))
            except (RedisError, RedisClusterException) as error:
                is_last = number == len(buckets) - 1
                if not isinstance(self._redis, ClusterClient) or (is_last and not done) or not is_of_a_node(error):
                    raise
        return done

    @translate_errors
    def overdue(self, before: int) -> int:
        """See `TableStore.overdue`. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for bucket in range(keys.buckets()):
            pipeline.zcount(keys.owed(bucket), "-inf", f"({before}")
        return sum(count or 0 for count in answers_there_are(pipeline.execute(raise_on_error=False)))

    @translate_errors
    def newer_release(self) -> str:
        """See `TableStore.newer_release`. One round trip."""
        return newer_release(self._redis)

    @translate_errors
    def listed(self, limit: int, before: Listed | None = None, *, watchable: bool = False) -> list[Listed]:
        """See `TableStore.listed`. One round trip."""
        index = keys.watch if watchable else keys.lobby
        return [Listed(*entry) for entry in latest(self._redis, map(index, range(keys.buckets())), limit, before)]

    @translate_errors
    def expire(self, table: str, ttl_ms: int) -> None:
        """See `TableStore.expire`."""
        _FORGET.run(self._redis, keys.of_table(table), table, max(ttl_ms, 0), self._publish)

    def delete(self, table: str) -> None:
        """See `TableStore.delete`."""
        self.expire(table, 0)

    @translate_errors
    def reserve_code(self, code: str, table: str, ttl_ms: int) -> bool:
        """See `TableStore.reserve_code`."""
        key = keys.code(code)
        return bool(self._redis.set(key, table, nx=True, px=ttl_ms)) or self._redis.get(key) == table.encode()

    @translate_errors
    def table_of_code(self, code: str, ttl_ms: int) -> str | None:
        """See `TableStore.table_of_code`."""
        table = self._redis.get(keys.code(code))
        if table is None:
            return None
        self._redis.pexpire(keys.code(code), ttl_ms)
        return str(table.decode())

    @translate_errors
    def add_watcher(self, table: str, code: str, player: str, ttl_ms: int) -> None:
        """See `TableStore.add_watcher`."""
        key = keys.watchers(table, code)
        self._redis.sadd(key, player)
        self._redis.pexpire(key, ttl_ms)

    @translate_errors
    def is_watcher(self, table: str, code: str, player: str) -> bool:
        """See `TableStore.is_watcher`."""
        return bool(self._redis.sismember(keys.watchers(table, code), player))


def _version(stored: bytes | int | None, table: str) -> int:
    try:
        return int(stored)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise StoreCorrupt(f"version of {table}: {stored!r} is no number") from None
