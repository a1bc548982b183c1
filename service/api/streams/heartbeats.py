"""The schedule of heartbeats of feeds and readers of accounts."""

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from random import random
from typing import Final, Protocol

from service.store.port import StoreUnavailable

#: Default interval of heartbeats (s).
HEARTBEAT_S: Final = 10.0


class Beating(Protocol):
    """A sender of heartbeats.

    Attributes:
        heartbeat_s: interval (s).
        beats_at: when the next one is sent (s, monotonic).
    """

    heartbeat_s: float
    beats_at: float

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""

    def send_beat(self, server_time: bytes) -> None:
        """Send a heartbeat."""


class Attendance:
    """Notes at each beat which players follow tables and accounts in this process.

    Args:
        players: returns these players.
        note: notes them.
    """

    is_open = True

    def __init__(self, players: Callable[[], Collection[str]], note: Callable[[Collection[str]], None]) -> None:
        self.heartbeat_s = self.beats_at = 0.0
        self._players: Final = players
        self._note: Final = note

    def send_beat(self, _: bytes) -> None:
        """Note the players."""
        with suppress(StoreUnavailable):
            self._note(self._players())


class Heartbeats:
    """See the module. Runs in a single thread."""

    def __init__(self) -> None:
        #: A heap of (time, number that breaks ties, sender).
        self._beats: Final[list[tuple[float, int, Beating]]] = []
        self._numbers: Final = count()

    def soon(self, beating: Beating, every_s: float) -> None:
        """Set the interval, with a random first beat, so that senders opened together do not beat together."""
        beating.heartbeat_s = every_s
        self._at(beating, time.monotonic() + every_s * random())  # noqa: S311

    def next_in(self) -> float | None:
        """Return the seconds until the next heartbeat; None if there is none."""
        return self._beats[0][0] - time.monotonic() if self._beats else None

    def send(self, server_time: bytes) -> None:
        """Send the due heartbeats."""
        now = time.monotonic()
        while self._beats and self._beats[0][0] <= now:
            at, _, beating = heappop(self._beats)
            if beating.is_open and at == beating.beats_at:
                beating.send_beat(server_time)
                self._at(beating, now + beating.heartbeat_s)

    def _at(self, beating: Beating, at: float) -> None:
        beating.beats_at = at  # drop outdated entries
        heappush(self._beats, (at, next(self._numbers), beating))
