"""`PlayerStore` on Redis."""

from collections.abc import Callable
from typing import Any, Final

from service.store import codec, keys
from service.store.clients import Client
from service.store.port import Player
from service.store.scripts import Script, translate_errors

#: How long the list of a player's tables lives without being read or added to (ms): longer than an idle table.
TABLES_TTL_MS: Final = 30 * 24 * 3_600_000

_CREATE_PLAYER: Final = Script("create_player")
_PLAYER_BY_TOKEN: Final = Script("player_by_token")
_REPLACE_RECORD: Final = Script("replace_record")
_ROTATE_TOKEN: Final = Script("rotate_token")
_ERASE_PLAYER: Final = Script("erase_player")


class RedisPlayerStore:
    """`PlayerStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def create(self, player: Player, token_hash: str) -> None:
        """See `PlayerStore.create`."""
        record = codec.encode(codec.PLAYER, player)
        who = (keys.RECORDS, keys.TOKENS, keys.HELD)
        if not _CREATE_PLAYER.run(self._redis, who, player["id"], token_hash, record):
            raise ValueError(f"there is a player {player['id']} or one with this token")

    @translate_errors
    def by_token(self, token_hash: str) -> Player | None:
        """See `PlayerStore.by_token`."""
        return _player(_PLAYER_BY_TOKEN.run(self._redis, (keys.RECORDS, keys.TOKENS), token_hash), "player by token")

    @translate_errors
    def get(self, player: str) -> Player | None:
        """See `PlayerStore.get`."""
        return _player(self._redis.hget(keys.RECORDS, player), player)

    @translate_errors
    def update(self, player: str, change: Callable[[Player], Player]) -> Player | None:
        """See `PlayerStore.update`."""
        while (stored := self._redis.hget(keys.RECORDS, player)) is not None:
            changed = change(codec.decode(codec.PLAYER, stored, player))
            record = codec.encode(codec.PLAYER, changed)
            if _REPLACE_RECORD.run(self._redis, (keys.RECORDS,), player, stored, record):
                return changed
        return None

    @translate_errors
    def rotate(self, player: str, token_hash: str) -> bool:
        """See `PlayerStore.rotate`."""
        who = (keys.RECORDS, keys.TOKENS, keys.HELD)
        done: int = _ROTATE_TOKEN.run(self._redis, who, player, token_hash, keys.REVOKED)
        if done < 0:
            raise ValueError("this is another player's token")
        return bool(done)

    @translate_errors
    def delete(self, player: str) -> bool:
        """See `PlayerStore.delete`."""
        everything = (keys.RECORDS, keys.TOKENS, keys.HELD, keys.tables_of(player))
        return bool(_ERASE_PLAYER.run(self._redis, everything, player, keys.REVOKED))

    @translate_errors
    def add_table(self, player: str, table: str, at: int) -> None:
        """See `PlayerStore.add_table`."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(keys.tables_of(player), {table: at})
        pipeline.pexpire(keys.tables_of(player), TABLES_TTL_MS)
        pipeline.execute()

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


def _player(stored: bytes | None, what: str) -> Player | None:
    return None if stored is None else codec.decode(codec.PLAYER, stored, what)
