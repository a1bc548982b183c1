"""`PlayerStore` on Redis."""

from collections.abc import Callable, Collection
from typing import Final

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import MOST_TABLES, Player, Traces
from service.store.scripts import Script, translate_errors

#: Lifetime of the list of a player's tables without reads or additions (ms), longer than an idle table lives.
TABLES_TTL_MS: Final = 180 * 24 * 3_600_000

_CREATE_PLAYER: Final = Script("create_player")
_REPLACE_RECORD: Final = Script("replace_record")
_ERASE_PLAYER: Final = Script("erase_player")
#: Keys of all players, in which an erasure looks for one of them.
_SHARED: Final = (
    keys.RECORDS,
    keys.TOKENS,
    keys.GRANTS,
    keys.RECOVERIES,
    keys.HELD,
    keys.RECOVERY_GIVERS,
    keys.GUESTS,
    keys.NOTIFY,
    keys.HERE,
    keys.IDENTITIES,
)


class RedisPlayerStore:
    """`PlayerStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def create(self, player: Player, token_hash: str, code_hash: str | None = None) -> bool:
        """See `PlayerStore.create`."""
        record = codec.encode(codec.PLAYER, player)
        who = [keys.RECORDS, keys.TOKENS, keys.HELD, keys.GUESTS]
        who += [keys.invite(code_hash)] if code_hash else []
        done = _CREATE_PLAYER.run(self._redis, who, player["id"], token_hash, record, player.get("created_at", 0))
        if not done:
            raise ValueError(f"there is a player {player['id']} or one with this token")
        return bool(done > 0)

    @translate_errors
    def get(self, player: str) -> Player | None:
        """See `PlayerStore.get`."""
        return _player(self._redis.hget(keys.RECORDS, player), player)

    @translate_errors
    def existing(self, players: Collection[str]) -> set[str]:
        """See `PlayerStore.existing`."""
        pipeline = self._redis.pipeline(transaction=False)
        for player in players:
            pipeline.hexists(keys.RECORDS, player)
        return {player for player, is_there in zip(players, pipeline.execute(), strict=True) if is_there}

    @translate_errors
    def update(self, player: str, change: Callable[[Player], Player]) -> Player | None:
        """See `PlayerStore.update`."""
        while (stored := self._redis.hget(keys.RECORDS, player)) is not None:
            changed = change(codec.decode(codec.PLAYER, stored, player))
            record = codec.encode(codec.PLAYER, changed)
            if _REPLACE_RECORD.run(self._redis, (keys.RECORDS,), player, stored, record, keys.REVOKED):
                return changed
        return None

    @translate_errors
    def delete(self, player: str) -> bool:
        """See `PlayerStore.delete`."""
        return self._erase(player, "")

    @translate_errors
    def idle_guests(self, before: int, limit: int) -> list[str]:
        """See `PlayerStore.idle_guests`."""
        return [guest.decode() for guest in self._redis.zrangebyscore(keys.GUESTS, "-inf", f"({before}", 0, limit)]

    @translate_errors
    def keep(self, player: str) -> None:
        """See `PlayerStore.keep`."""
        self._redis.zrem(keys.GUESTS, player)

    @translate_errors
    def expire_guest(self, player: str, before: int) -> bool:
        """See `PlayerStore.expire_guest`."""
        return self._erase(player, before)

    @translate_errors
    def add_table(self, player: str, table: str, at: int) -> None:
        """See `PlayerStore.add_table`."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(keys.tables_of(player), {table: at})
        pipeline.zremrangebyrank(keys.tables_of(player), 0, -MOST_TABLES - 1)
        pipeline.pexpire(keys.tables_of(player), TABLES_TTL_MS)
        pipeline.execute()
        # Not in the pipeline: pipelines of a cluster do not accept commands without a key.
        self._redis.publish(keys.NEWS, player)

    @translate_errors
    def add_hosted(self, player: str, table: str, at: int) -> list[str]:
        """See `PlayerStore.add_hosted`."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(keys.hosted_by(player), {table: at})
        pipeline.pexpire(keys.hosted_by(player), TABLES_TTL_MS)
        pipeline.zrange(keys.hosted_by(player), 0, -1)
        return [hosted.decode() for hosted in pipeline.execute()[-1]]

    @translate_errors
    def remove_hosted(self, player: str, *tables: str) -> None:
        """See `PlayerStore.remove_hosted`."""
        if tables:
            self._redis.zrem(keys.hosted_by(player), *tables)

    @translate_errors
    def remove_table(self, player: str, table: str) -> None:
        """See `PlayerStore.remove_table`."""
        self._redis.zrem(keys.tables_of(player), table)

    @translate_errors
    def tables_of(self, player: str) -> list[str]:
        """See `PlayerStore.tables_of`."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zrevrange(keys.tables_of(player), 0, -1)
        pipeline.pexpire(keys.tables_of(player), TABLES_TTL_MS)
        tables, _ = pipeline.execute()
        return [table.decode() for table in tables]

    @translate_errors
    def traces(self, player: str) -> Traces:
        """See `PlayerStore.traces`."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zscore(keys.GUESTS, player)
        for key in (keys.tables_of(player), keys.hosted_by(player)):
            pipeline.zrange(key, 0, -1, withscores=True)
        guest_at, *lists = pipeline.execute()
        sits, hosts = ({table.decode(): int(since) for table, since in listed} for listed in lists)
        return Traces(None if guest_at is None else int(guest_at), sits, hosts)

    def _erase(self, player: str, before: int | str) -> bool:
        erased = -1
        # Repeat if somebody has become a friend since the friends were read.
        while erased < 0:
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.hkeys(keys.friends_of(player))
            pipeline.hkeys(keys.notices_of(player))
            others, subscriptions = ([name.decode() for name in names] for names in pipeline.execute())
            # The deliveries of a subscription made at this moment will expire.
            gone = (*keys.all_of(player), *map(keys.sent, subscriptions))
            names = (*_SHARED, *_told_by(player), *map(keys.friends_of, others), *gone)
            erased = _ERASE_PLAYER.run(self._redis, names, player, before, keys.REVOKED, *others)
        return bool(erased)


def _told_by(player: str) -> tuple[str, ...]:
    """Return the keys of a player that say where else the player is."""
    return keys.tokens_of(player), keys.friends_of(player), keys.identities_of(player)


def _player(stored: bytes | None, what: str) -> Player | None:
    return None if stored is None else codec.decode(codec.PLAYER, stored, what)
