"""How many event streams and long polls a process holds, in all and for each player (decision 56)."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.api.http.problems import TooManyStreams, Unavailable
from service.api.streams.follower import Reader

#: After how many seconds to try again.
_RETRY_AFTER_S: Final = 5


class Held:
    """A stream or long poll that is open.

    Attributes:
        table: which table it shows; of an account, the token (id) with which it was opened.
        follower: who reads it, once there is one.
        is_leaving: whether it has been told to end.
    """

    __slots__ = ("follower", "is_leaving", "table")

    def __init__(self, table: str) -> None:
        self.table: Final = table
        self.follower: Reader | None = None
        self.is_leaving = False


class Streams:
    """Counts them.

    Args:
        most: of all players together.
        most_of_player: of one player. As many more may be ending.
    """

    def __init__(self, most: int, most_of_player: int) -> None:
        self.most: Final = most
        self._most_of_player: Final = most_of_player
        self._lock: Final = threading.Lock()
        self._count = 0
        #: Player -> what is open, oldest first.
        self._open: Final[dict[str, list[Held]]] = {}

    @contextmanager
    def hold(self, player: str, table: str) -> Iterator[Held]:
        """Count a stream or long poll while it is open.

        A player who has as many as are allowed gets room if several show the same table: the oldest of these ends. It
        is probably one whose connection is dead, which nobody has noticed yet.

        Raises:
            TooManyStreams: the player has as many as are allowed.
            Unavailable: the process has.
        """
        held = Held(table)
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

    def _make_room(self, of_player: list[Held], table: str) -> None:
        staying = [held for held in of_player if not held.is_leaving]
        if len(staying) < self._most_of_player:
            return
        too_many = TooManyStreams(limit=self._most_of_player, retry_after_s=_RETRY_AFTER_S)
        # Whoever does not read cannot be told to end, and must not gain a connection by that.
        if len(of_player) - len(staying) >= self._most_of_player:
            raise too_many
        shown = Counter([table, *(held.table for held in staying)])
        for held in staying:
            if held.follower is not None and shown[held.table] > 1:
                held.is_leaving = True
                held.follower.end(too_many)
                return
        raise too_many
