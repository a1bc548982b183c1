"""The lists that players have of what they belong to: circles, clubs.

What is listed says itself who belongs to it, so a list may name something that its player has left since.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import translate_errors

#: How long something may be on the list of who makes it before it is stored (ms).
BEING_MADE_MS: Final = 60_000


class OwnLists:
    """See the module.

    Args:
        client: of the tables' Redis.
        key: returns the key of the list of a player (id).
        kept_ms: how long a list is kept after its last use.
    """

    def __init__(self, client: Client, key: Callable[[str], str], kept_ms: int) -> None:
        self._redis: Final = client
        self._own: Final = key
        self._kept_ms: Final = kept_ms

    @translate_errors
    def add(self, player: str, name: str, at: int) -> list[str]:
        """Put something (id) on the list of a player, and return the list (ids), the latest last."""
        key = self._own(player)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(key, {name: at}, nx=True)
        pipeline.pexpire(key, self._kept_ms)
        pipeline.zrange(key, 0, -1)
        return [each.decode() for each in pipeline.execute()[-1]]

    @translate_errors
    def is_listed(self, player: str, name: str) -> bool:
        """Return whether something (id) is on the list of a player."""
        return self._redis.zscore(self._own(player), name) is not None

    @translate_errors
    def drop(self, player: str, names: Sequence[str]) -> None:
        """Take some (ids) off the list of a player."""
        if names:
            self._redis.zrem(self._own(player), *names)

    @translate_errors
    def announce(self, player: str) -> None:
        """Let the streams of a player check their rights."""
        self._redis.publish(keys.REVOKED, player)

    def _list_of(self, player: str) -> dict[str, float]:
        """Return what is on the list of a player: id -> since when (ms), the latest first. It is kept anew."""
        key = self._own(player)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zrevrange(key, 0, -1, withscores=True)
        pipeline.pexpire(key, self._kept_ms)
        return {name.decode(): at for name, at in pipeline.execute()[0]}

    def _drop_old(self, player: str, listed: Mapping[str, float], stay: Collection[str], now: int) -> None:
        """Take all off the list of a player but those that stay (ids), and what may just be being made."""
        self.drop(player, [name for name, at in listed.items() if name not in stay and at < now - BEING_MADE_MS])
