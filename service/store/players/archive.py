"""Records of finished games."""

from collections.abc import Iterator
from typing import Final

from service.store import codec, keys
from service.store.confirming import copied
from service.store.connections.commands import Client
from service.store.port import ArchivedGame
from service.store.scripts import translate_errors


class RedisArchiveStore:
    """`ArchiveStore` on Redis.

    Args:
        client: for commands.
        replicas: number of replicas that must have a record before it counts as archived.
    """

    def __init__(self, client: Client, replicas: int = 0) -> None:
        self._redis: Final = client
        self._replicas: Final = replicas

    @translate_errors
    def archive(self, game: str, record: ArchivedGame, ttl_ms: int | None = None) -> None:
        """See `ArchiveStore.archive`."""
        name, value = keys.game(game), codec.encode_game(record)
        if self._replicas:
            copied(self._redis, name, self._replicas, lambda pipeline: pipeline.set(name, value, px=ttl_ms))
        else:
            self._redis.set(name, value, px=ttl_ms)

    def size(self, record: ArchivedGame) -> int:
        """See `ArchiveStore.size`."""
        return len(codec.encode_game(record))

    @translate_errors
    def load_archive(self, game: str) -> ArchivedGame | None:
        """See `ArchiveStore.load_archive`."""
        value = self._redis.get(keys.game(game))
        return None if value is None else codec.decode_game(value, f"record of {game}")

    def archived(self) -> Iterator[tuple[str, int | None]]:
        """See `ArchiveStore.archived`."""
        names = self._redis.scan_iter(match=keys.game("*"), count=1_000)
        while (part := self._next(names)) is not None:
            yield part

    @translate_errors
    def _next(self, names: Iterator[bytes]) -> tuple[str, int | None] | None:
        for name in names:
            left_ms = self._redis.pttl(name)
            if left_ms != 0:
                return name.decode().removeprefix(keys.game("")), left_ms if left_ms > 0 else None
        return None
