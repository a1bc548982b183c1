"""Limits of open event streams and long polls, per process and per player (decision 56)."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from service.api.http.problems import TooManyStreams, Unavailable
from service.api.streams.follower import Reader
from service.common.addresses import Client

#: `Retry-After` (s).
_RETRY_AFTER_S: Final = 5


class Held:
    """An open stream or long poll.

    Attributes:
        table: the table; for an account, the id of the token with which it was opened.
        client: where it goes; None: not known.
        follower: its reader, once there is one.
        is_leaving: whether it was asked to end.
    """

    __slots__ = ("client", "follower", "is_leaving", "table")

    def __init__(self, table: str, client: Client | None) -> None:
        self.table: Final = table
        self.client: Final = client
        self.follower: Reader | None = None
        self.is_leaving = False


class Streams:
    """Counts open streams and long polls.

    Args:
        most: limit of all players together.
        most_of_player: limit per player. The same number may be ending in addition.
    """

    def __init__(self, most: int, most_of_player: int) -> None:
        self.most: Final = most
        self._most_of_player: Final = most_of_player
        self._lock: Final = threading.Lock()
        self._count = 0
        #: Player -> open streams and polls, oldest first.
        self._open: Final[dict[str, list[Held]]] = {}

    @contextmanager
    def hold(self, player: str, table: str, client: Client | None = None) -> Iterator[Held]:
        """Count a stream or long poll while it is open.

        If a player at the limit has several for the same table, the oldest of these ends: its connection is probably
        dead without anybody having noticed yet.

        Raises:
            TooManyStreams: the player has reached the limit.
            Unavailable: the process has reached the limit.
        """
        held = Held(table, client)
        with self._lock:
            if self._count >= self.most:
                raise Unavailable(retry_after_s=_RETRY_AFTER_S)
            self._make_room(self._open.get(player, []), table)
            self._open.setdefault(player, []).append(held)
            self._count += 1
        try:
            yield held
        finally:
            with self._lock:
                self._count -= 1
                self._open[player].remove(held)
                if not self._open[player]:
                    del self._open[player]

    def end(self, ends: Callable[[Client], bool], reason: Exception) -> None:
        """End the streams of these clients. Those that are just opening go on until they are opened again."""
        with self._lock:
            streams = [held for of_player in self._open.values() for held in of_player]
        for held in streams:
            if held.client is not None and held.follower is not None and ends(held.client):
                held.follower.end(reason)

    def _make_room(self, of_player: list[Held], table: str) -> None:
        staying = [held for held in of_player if not held.is_leaving]
        if len(staying) < self._most_of_player:
            return
        too_many = TooManyStreams(limit=self._most_of_player, retry_after_s=_RETRY_AFTER_S)
        # A client that does not read cannot be asked to end, and must not gain a connection by that.
        if len(of_player) - len(staying) >= self._most_of_player:
            raise too_many
        tables = Counter([table, *(held.table for held in staying)])
        for held in staying:
            if held.follower is not None and tables[held.table] > 1:
                held.is_leaving = True
                held.follower.end(too_many)
                return
        raise too_many
