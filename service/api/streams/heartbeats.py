"""When each feed and each reader of an account sends its next heartbeat."""

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from random import random
from typing import Final, Protocol

from service.store.port import StoreUnavailable

#: Seconds between heartbeats where nobody wants them more often.
HEARTBEAT_S: Final = 10.0


class Beating(Protocol):
    """What sends heartbeats.

    Attributes:
        heartbeat_s: how often (s).
        beats_at: when the next is sent (s, monotonic).
    """

    heartbeat_s: float
    beats_at: float

    @property
    def is_open(self) -> bool:
        """Whether it goes on."""

    def send_beat(self, server_time: bytes) -> None:
        """Send one."""


class Attendance:
    """Lets it be noted, as often as it beats, who follows tables and accounts in this process.

    Args:
        players: returns who does.
        note: notes it.
    """

    is_open = True

    def __init__(self, players: Callable[[], Collection[str]], note: Callable[[Collection[str]], None]) -> None:
        self.heartbeat_s = self.beats_at = 0.0
        self._players: Final = players
        self._note: Final = note

    def send_beat(self, _: bytes) -> None:
        """Let it be noted."""
        with suppress(StoreUnavailable):
            self._note(self._players())


class Heartbeats:
    """See the module. All of it runs in one thread."""

    def __init__(self) -> None:
        #: When, a number that breaks ties, and who.
        self._beats: Final[list[tuple[float, int, Beating]]] = []
        self._numbers: Final = count()

    def soon(self, beating: Beating, every_s: float) -> None:
        """Let it beat so often from now on, first at a random time: what was opened together does not beat together."""
        beating.heartbeat_s = every_s
        self._at(beating, time.monotonic() + every_s * random())  # noqa: S311

    def next_in(self) -> float | None:
        """Return in how many seconds the next heartbeat is due; None: there is none."""
        return self._beats[0][0] - time.monotonic() if self._beats else None

    def send(self, server_time: bytes) -> None:
        """Send those that are due."""
        now = time.monotonic()
        while self._beats and self._beats[0][0] <= now:
            at, _, beating = heappop(self._beats)
            if beating.is_open and at == beating.beats_at:
                beating.send_beat(server_time)
                self._at(beating, now + beating.heartbeat_s)

    def _at(self, beating: Beating, at: float) -> None:
        beating.beats_at = at  # what was planned before is dropped
        heappush(self._beats, (at, next(self._numbers), beating))
