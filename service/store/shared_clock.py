"""The clock of the service: all processes have the same time, and it never goes back (decision 63).

It follows the clock of the tables' Redis server. When that is set back, the service's clock continues from where it was
and runs two per cent slower until the two agree again. A process reads it every two seconds and advances it with its
own monotonic clock in between, so that setting the clock of its machine has no effect.
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

    The first call connects and starts the reading thread, that is after a server has forked. Until Redis has answered
    once, this is the clock of the machine.

    Args:
        client: of the tables.
        monotonic: returns nanoseconds of a monotonic clock.
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
        """Read the shared clock. Without Redis, keep counting; other code reports that Redis is unreachable."""
        asked = self._monotonic()
        try:
            said = self._ask((asked + self._origin) // _MS if self._is_known else "")
        except StoreUnavailable:
            return
        # The answer held at some moment since we asked; an origin within that range is as good as any other.
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
