"""The clock of the service: all processes have the same time, and it never goes back (decision 63).

It is the clock of the Redis server of the tables. When that is set back, the clock of the service goes on from where
it was, and then runs two per cent slower until the two agree again. A process reads it every two seconds and counts on
with its own monotonic clock, so that nothing happens when the clock of its machine is set.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from service.store.connections.clients import Client
from service.store.keys import CLOCK
from service.store.port import StoreUnavailable
from service.store.scripts import Script, translate_errors

#: How often a process reads the shared clock (s).
_READ_EVERY_S: Final = 2.0
#: See `lua/clock.lua`.
_ORDINARY_PAUSE_MS: Final = 10_000
_LEAVES_OUT_ONE_OF: Final = 50
_MS: Final = 1_000_000
_CLOCK: Final = Script("clock")


class SharedClock:
    """See the module. Call it for milliseconds since the epoch.

    The first call connects, and starts the thread that reads: that is after a server has forked. Until Redis has
    answered once, this is the clock of the machine.

    Args:
        client: of the tables.
        monotonic: nanoseconds, counted by the machine.
    """

    def __init__(self, client: Client, monotonic: Callable[[], int] = time.monotonic_ns) -> None:
        self._redis: Final = client
        self._monotonic: Final = monotonic
        self._lock: Final = threading.Lock()
        self._reader: threading.Thread | None = None
        self._closed: Final = threading.Event()
        #: What the shared clock says when the monotonic one is at 0 (ns), and whether Redis has said so.
        self._origin = time.time_ns() - monotonic()
        self._is_known = False
        self._latest = 0

    def __call__(self) -> int:
        """Return milliseconds since the epoch."""
        if self._reader is None:
            self._start()
        now = (self._monotonic() + self._origin) // _MS
        self._latest = max(self._latest, now)
        return self._latest

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._reader is not None:
            self._reader.join()

    def read(self) -> None:
        """Read the shared clock. Without Redis, this one goes on by itself; others say that Redis is away."""
        asked = self._monotonic()
        try:
            said = self._ask((asked + self._origin) // _MS if self._is_known else "")
        except StoreUnavailable:
            return
        # The answer was true at some moment since we asked; within that, what we have is as good.
        earliest, latest = said * _MS - self._monotonic(), (said + 1) * _MS - asked
        self._origin = min(max(self._origin, earliest), latest) if self._is_known else earliest
        if not self._is_known:
            self._is_known, self._latest = True, 0

    @translate_errors
    def _ask(self, own: int | str) -> int:
        return int(_CLOCK.run(self._redis, [CLOCK], own, _ORDINARY_PAUSE_MS, _LEAVES_OUT_ONE_OF))

    def _start(self) -> None:
        with self._lock:
            if self._reader is None:
                self.read()
                self._reader = threading.Thread(target=self._run, name="clock", daemon=True)
                self._reader.start()

    def _run(self) -> None:
        while not self._closed.wait(_READ_EVERY_S):
            self.read()
