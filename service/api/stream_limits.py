"""How many event streams and long polls a process holds, in all and for each player."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.api.http.problems import TooManyStreams, Unavailable

#: After how many seconds to try again.
_RETRY_AFTER_S: Final = 5


class Streams:
    """Counts them.

    Args:
        most: of all players together.
        most_of_player: of one player.
    """

    def __init__(self, most: int, most_of_player: int) -> None:
        self.most: Final = most
        self._most_of_player: Final = most_of_player
        self._lock: Final = threading.Lock()
        self._open: Final[Counter[str]] = Counter()

    @contextmanager
    def hold(self, player: str) -> Iterator[None]:
        """Count a stream or long poll while it is open.

        Raises:
            TooManyStreams: the player has as many as are allowed.
            Unavailable: the process has.
        """
        with self._lock:
            if self._open[player] >= self._most_of_player:
                raise TooManyStreams(limit=self._most_of_player, retry_after_s=_RETRY_AFTER_S)
            if self._open.total() >= self.most:
                raise Unavailable(retry_after_s=_RETRY_AFTER_S)
            self._open[player] += 1
        try:
            yield
        finally:
            with self._lock:
                self._open[player] -= 1
                if not self._open[player]:
                    del self._open[player]
