"""The clock of the service: all processes share its time, which never goes back (decision 63).

It follows the clock of the tables' Redis server. If that is set back, the service's clock continues and runs two per
cent slower until the two agree again. A process reads it every half second and advances it by its own monotonic clock
in between, so setting the clock of its machine has no effect.

A reading by an API process is also a heartbeat. Gaps between heartbeats are the outages of the service (decision 137):
no API process was running, or none could reach Redis.
"""

import threading
import time
from collections.abc import Callable
from math import inf
from typing import Final

from service.common.interruptions import NO_INTERRUPTIONS, UNHEARD_MS, Interruptions
from service.store.connections.clients import Client
from service.store.keys import CLOCK
from service.store.port import StoreUnavailable
from service.store.scripts import Script, translate_errors

#: Interval at which a process reads the shared clock (s).
_READ_EVERY_S: Final = 0.5
#: See `lua/clock.lua`.
_ORDINARY_PAUSE_MS: Final = 10_000
_LEAVES_OUT_ONE_OF: Final = 50
_GAPS: Final = 32
_EARLIER_PAUSE_MS: Final = 3_000
_MS: Final = 1_000_000
_CLOCK: Final = Script("clock")


class SharedClock:
    """See the module. Call it for milliseconds since the epoch.

    The first call connects and starts the reading thread, so it must come after a server has forked. Until Redis has
    answered once, this is the clock of the machine.

    Args:
        client: client of the tables.
        monotonic: returns nanoseconds of a monotonic clock.
        is_api: whether this is an API process, through which players can act.
    """

    def __init__(
        self, client: Client, monotonic: Callable[[], int] = time.monotonic_ns, *, is_api: bool = False
    ) -> None:
        self._redis: Final = client
        self._monotonic: Final = monotonic
        self._lock: Final = threading.Lock()
        self._reader: threading.Thread | None = None
        self._closed: Final = threading.Event()
        #: The shared time when the monotonic clock is at 0 (ns), and whether it comes from Redis.
        self._origin = time.time_ns() - monotonic()
        self._is_known = False
        self._latest = 0
        self._sign_pause_ms: Final[int | str] = UNHEARD_MS if is_api else ""
        self._reading: Final = threading.Lock()
        self._told = b""
        self._interruptions = NO_INTERRUPTIONS

    def __call__(self) -> int:
        """Return milliseconds since the epoch."""
        if self._reader is None:
            self._start()
        now = (self._monotonic() + self._origin) // _MS
        self._latest = max(self._latest, now)
        return self._latest

    def interruptions(self) -> Interruptions:
        """Return the outages of the service. Before reporting a current one, read the clock again."""
        if self._interruptions.is_going_on(self()):
            self.read()
        return self._interruptions

    def close(self) -> None:
        """End the reading thread."""
        self._closed.set()
        if self._reader is not None:
            self._reader.join()

    def read(self) -> None:
        """Read the shared clock. Without Redis, keep counting; others report that Redis is unreachable."""
        with self._reading:
            self._read()

    def _read(self) -> None:
        asked = self._monotonic()
        try:
            said, heard, gaps = self._ask((asked + self._origin) // _MS if self._is_known else "")
        except StoreUnavailable:
            return
        past = self._interruptions.gaps if gaps == self._told else _gaps(gaps)
        self._told, self._interruptions = gaps, Interruptions(int(heard) if heard else inf, past)
        # The answer was true at some moment since the request, so any origin within that range will do.
        earliest, latest = said * _MS - self._monotonic(), (said + 1) * _MS - asked
        self._origin = min(max(self._origin, earliest), latest) if self._is_known else earliest
        if not self._is_known:
            self._is_known, self._latest = True, 0

    @translate_errors
    def _ask(self, own: int | str) -> tuple[int, bytes, bytes]:
        limits = (_ORDINARY_PAUSE_MS, _LEAVES_OUT_ONE_OF, self._sign_pause_ms, _GAPS, _EARLIER_PAUSE_MS)
        said, heard, gaps = _CLOCK.run(self._redis, [CLOCK], own, *limits)
        return int(said), heard, gaps

    def _start(self) -> None:
        with self._lock:
            if self._reader is None:
                self.read()
                self._reader = threading.Thread(target=self._run, name="clock", daemon=True)
                self._reader.start()

    def _run(self) -> None:
        while not self._closed.wait(_READ_EVERY_S):
            self.read()


def _gaps(told: bytes) -> tuple[tuple[int, int], ...]:
    pairs = (gap.split(b"-") for gap in told.split())
    return tuple((int(since), int(until)) for since, until in pairs)
