"""The ports of `port` on Redis (5.0 or newer, single or cluster). Thin: each write is one script of `lua/`."""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any, Final

from service.store import codec, compaction, keys
from service.store.clients import Client, Script, edge
from service.store.idempotency import RedisIdempotencyStore
from service.store.port import (
    Due,
    Event,
    Listed,
    Player,
    StoreCorrupt,
    Stored,
    Stores,
    VersionConflict,
    check_sequence,
)

#: How long the list of a player's tables is kept without being asked for or added to: longer than any table that
#: nothing happens at.
SEATS_MS: Final = 30 * 24 * 3_600_000

_APPEND: Final = Script("append")
_CLAIM: Final = Script("claim")
_FORGET: Final = Script("forget")
_CREATE_PLAYER: Final = Script("create_player")
_PLAYER_BY_TOKEN: Final = Script("player_by_token")
_REPLACE_RECORD: Final = Script("replace_record")
_ROTATE_TOKEN: Final = Script("rotate_token")
_ERASE_PLAYER: Final = Script("erase_player")


#: Tables of a bucket's lobby, the oldest, of which it is asked whether they are still there.
_LOBBY_LOOK: Final = 100


def redis_stores(client: Client) -> Stores:
    """Return all ports over one client."""
    return Stores(
        RedisTableStore(client), RedisPlayerStore(client), RedisIdempotencyStore(client), RedisArchiveStore(client)
    )


class RedisTableStore:
    """`TableStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client
        self._bucket: Final = cycle(range(keys.BUCKETS))

    @edge
    def load(self, table: str) -> Stored | None:
        """See `TableStore.load`."""
        version, snapshot = self._redis.hmget(keys.head(table), "v", "s")
        if version is None and snapshot is None:
            return None
        return Stored(_version(version, table), codec.decode(codec.STATE, snapshot, f"snapshot of {table}"))

    @edge
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
        """See `TableStore.append`."""
        check_sequence(expected, events)
        snapshot = codec.encode(codec.STATE, state)
        new_seal = codec.seal(snapshot)
        found = _APPEND.run(
            self._redis,
            keys.of_table(table),
            table,
            expected,
            snapshot,
            "" if wake_at is None else wake_at,
            events[-1]["at"] if listed else "",
            "" if ttl_ms is None else ttl_ms,
            keys.LIVE,
            compaction.LONG,
            "" if seal is None else seal,
            new_seal,
            queue,
            codec.EVENT,
            *map(codec.encode_event, events),
        )
        if found != expected:
            raise VersionConflict(table, expected, _version(found, table))
        return new_seal

    @edge
    def events(self, table: str, after: int, limit: int) -> list[Event]:
        """See `TableStore.events`. One round trip for the latest events, and one more for those before."""
        # In this order: what is moved between the two reads is seen twice rather than not at all.
        latest = compaction.latest(self._redis, table, after, limit)
        if not latest or latest[0]["seq"] == after + 1:
            return latest
        older = compaction.older(self._redis, table, after, limit)
        return [*(event for event in older if event["seq"] < latest[0]["seq"]), *latest][:limit]

    @edge
    def tidy(self, limit: int) -> int:
        """See `TableStore.tidy`."""
        self._leave_lobby(next(self._bucket))
        asked = self._redis.pipeline(transaction=False)
        for bucket in range(keys.BUCKETS):
            asked.spop(keys.long(bucket), limit)
        tables = [table.decode() for found in asked.execute() for table in found or ()]
        return sum(compaction.compact(self._redis, table) for table in tables)

    def _leave_lobby(self, bucket: int) -> None:
        """Take tables out of the lobby that have expired. What is due is taken out when it is claimed."""
        oldest = self._redis.zrange(keys.lobby(bucket), 0, _LOBBY_LOOK - 1)
        asked = self._redis.pipeline(transaction=False)
        for table in oldest:
            asked.exists(keys.head(table.decode()))
        gone = [table for table, there in zip(oldest, asked.execute(), strict=True) if not there] if oldest else []
        if gone:
            self._redis.zrem(keys.lobby(bucket), *gone)

    @edge
    def claim_due(self, now: int, lease_ms: int, limit: int) -> list[Due]:
        """See `TableStore.claim_due`. One round trip when nothing is due, and one more for each bucket with work."""
        asked = self._redis.pipeline(transaction=False)
        for bucket in range(keys.BUCKETS):
            asked.zrangebyscore(keys.due(bucket), "-inf", now, 0, limit, withscores=True)
        overdue = sorted(
            (at, table.decode(), bucket) for bucket, found in enumerate(asked.execute()) for table, at in found
        )[:limit]
        taken = {}
        for bucket in sorted({bucket for _, _, bucket in overdue}):
            tables = [table for _, table, its_bucket in overdue if its_bucket == bucket]
            heads = [keys.head(table) for table in tables]
            answer = _CLAIM.run(
                self._redis, [keys.due(bucket), keys.owed(bucket), *heads], now, now + lease_ms, *tables
            )
            for name, version, queue in answer:
                table = name.decode()
                taken[table] = Due(table, _version(version, table), queue.decode())
        return [taken[table] for _, table, _ in overdue if table in taken]

    @edge
    def overdue(self, before: int) -> int:
        """See `TableStore.overdue`. One round trip."""
        asked = self._redis.pipeline(transaction=False)
        for bucket in range(keys.BUCKETS):
            asked.zcount(keys.owed(bucket), "-inf", f"({before}")
        return sum(asked.execute())

    @edge
    def listed(self, limit: int, before: Listed | None = None) -> list[Listed]:
        """See `TableStore.listed`. One round trip."""
        asked = self._redis.pipeline(transaction=False)
        for bucket in range(keys.BUCKETS):
            lobby = keys.lobby(bucket)
            if before is None:
                asked.zrevrangebyscore(lobby, "+inf", "-inf", 0, limit, withscores=True)
            else:
                # All of the same millisecond, since `before` may stand between them, and then what is older.
                asked.zrevrangebyscore(lobby, before.at, before.at, withscores=True)
                asked.zrevrangebyscore(lobby, f"({before.at}", "-inf", 0, limit, withscores=True)
        found = (Listed(int(at), table.decode()) for answer in asked.execute() for table, at in answer)
        return sorted((entry for entry in found if before is None or entry < before), reverse=True)[:limit]

    @edge
    def expire(self, table: str, ttl_ms: int) -> None:
        """See `TableStore.expire`."""
        _FORGET.run(self._redis, keys.of_table(table), table, max(ttl_ms, 0), keys.LIVE)

    def delete(self, table: str) -> None:
        """See `TableStore.delete`."""
        self.expire(table, 0)


class RedisPlayerStore:
    """`PlayerStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @edge
    def create(self, player: Player, token_hash: str) -> None:
        """See `PlayerStore.create`."""
        record = codec.encode(codec.PLAYER, player)
        who = (keys.RECORDS, keys.TOKENS, keys.HELD)
        if not _CREATE_PLAYER.run(self._redis, who, player["id"], token_hash, record):
            raise ValueError(f"there is a player {player['id']} or one with this token")

    @edge
    def by_token(self, token_hash: str) -> Player | None:
        """See `PlayerStore.by_token`."""
        return _player(_PLAYER_BY_TOKEN.run(self._redis, (keys.RECORDS, keys.TOKENS), token_hash), "player by token")

    @edge
    def get(self, player: str) -> Player | None:
        """See `PlayerStore.get`."""
        return _player(self._redis.hget(keys.RECORDS, player), player)

    @edge
    def update(self, player: str, change: Callable[[Player], Player]) -> Player | None:
        """See `PlayerStore.update`."""
        while (stored := self._redis.hget(keys.RECORDS, player)) is not None:
            changed = change(codec.decode(codec.PLAYER, stored, player))
            record = codec.encode(codec.PLAYER, changed)
            if _REPLACE_RECORD.run(self._redis, (keys.RECORDS,), player, stored, record):
                return changed
        return None

    @edge
    def rotate(self, player: str, token_hash: str) -> bool:
        """See `PlayerStore.rotate`."""
        done: int = _ROTATE_TOKEN.run(self._redis, (keys.RECORDS, keys.TOKENS, keys.HELD), player, token_hash)
        if done < 0:
            raise ValueError("this is another player's token")
        return bool(done)

    @edge
    def delete(self, player: str) -> bool:
        """See `PlayerStore.delete`."""
        everything = (keys.RECORDS, keys.TOKENS, keys.HELD, keys.seats_of(player))
        return bool(_ERASE_PLAYER.run(self._redis, everything, player))

    @edge
    def add_table(self, player: str, table: str, at: int) -> None:
        """See `PlayerStore.add_table`."""
        added = self._redis.pipeline(transaction=False)
        added.zadd(keys.seats_of(player), {table: at})
        added.pexpire(keys.seats_of(player), SEATS_MS)
        added.execute()

    @edge
    def remove_table(self, player: str, table: str) -> None:
        """See `PlayerStore.remove_table`."""
        self._redis.zrem(keys.seats_of(player), table)

    @edge
    def tables_of(self, player: str) -> list[str]:
        """See `PlayerStore.tables_of`."""
        asked = self._redis.pipeline(transaction=False)
        asked.zrevrange(keys.seats_of(player), 0, -1)
        asked.pexpire(keys.seats_of(player), SEATS_MS)
        tables, _ = asked.execute()
        return [table.decode() for table in tables]


class RedisArchiveStore:
    """`ArchiveStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @edge
    def archive(self, game: str, record: dict[str, Any]) -> None:
        """See `ArchiveStore.archive`."""
        self._redis.set(keys.game(game), codec.encode_game(record))

    @edge
    def load_archive(self, game: str) -> dict[str, Any] | None:
        """See `ArchiveStore.load_archive`."""
        stored = self._redis.get(keys.game(game))
        return None if stored is None else codec.decode_game(stored, f"record of {game}")


def _version(stored: bytes | int | None, table: str) -> int:
    try:
        return int(stored)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise StoreCorrupt(f"version of {table}: {stored!r} is no number") from None


def _player(stored: bytes | None, what: str) -> Player | None:
    return None if stored is None else codec.decode(codec.PLAYER, stored, what)
