"""The clock of the service: all processes share its time, which never goes back (decision 63).

It follows the clock of the tables' Redis server. If that is set back, the service's clock continues and runs two per
cent slower until the two agree again. A process reads it every half second and advances it by its own monotonic clock
in between, so setting the clock of its machine has no effect.

A reading by an API process is also a heartbeat. Gaps between heartbeats are the outages of the service (decision 63):
no API process was running, or none could reach Redis.
"""

import threading
import time
from collections.abc import Callable
from math import inf
from typing import Final

from service.common.interruptions import NO_INTERRUPTIONS, UNHEARD_MS, Interruptions
from service.common.reckoning import LEAVES_OUT_ONE_OF, TOLERANCE_MS, USUAL_PAUSE_MS, Reckoning, Said
from service.store.connections.commands import Client
from service.store.keys import CLOCK
from service.store.port import StoreUnavailable
from service.store.scripts import Script, translate_errors

#: Interval at which a process reads the shared clock (s).
_READ_EVERY_S: Final = 0.5
#: How often it asks at once, until an answer counts.
_ASKS: Final = 4
#: See `lua/clock.lua`.
_GAPS: Final = 32
_EARLIER_PAUSE_MS: Final = 3_000
CLOCK_SCRIPT: Final = Script("clock")


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
        moment = monotonic()
        self._reckoning: Final = Reckoning(moment, time.time_ns())
        self._latest = 0
        self._is_api: Final = is_api
        self._reading: Final = threading.Lock()
        self._gaps = b""
        self._interruptions = NO_INTERRUPTIONS

    def __call__(self) -> int:
        """Return milliseconds since the epoch."""
        if self._reader is None:
            self._start()
        self._latest = max(self._latest, self._reckoning.at(self._monotonic()))
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
        for _ in range(_ASKS):
            began, was_known = self._monotonic(), self._reckoning.is_known
            try:
                answer = self._ask(*self._reckoning.question(began))
            except StoreUnavailable:
                return
            if self._reckoning.take(began, self._monotonic(), answer):
                if not was_known:
                    self._latest = 0
                self._note(answer)
                return

    def _note(self, answer: Said) -> None:
        past = self._interruptions.gaps if answer.gaps == self._gaps else gaps_of(answer.gaps)
        self._gaps, self._interruptions = answer.gaps, Interruptions(int(answer.heard) if answer.heard else inf, past)

    @translate_errors
    def _ask(self, own: int | str, last_server: int | str) -> Said:
        at, heard, gaps, server, unnoted = CLOCK_SCRIPT.run(
            self._redis, [CLOCK], own, last_server, *limits(is_api=self._is_api)
        )
        return Said(int(at), heard, gaps, int(server), unnoted)

    def _start(self) -> None:
        with self._lock:
            if self._reader is None:
                self.read()
                self._reader = threading.Thread(target=self._run, name="clock", daemon=True)
                self._reader.start()

    def _run(self) -> None:
        while not self._closed.wait(_READ_EVERY_S):
            self.read()


def wall_clock() -> int:
    """Return milliseconds since the epoch by the clock of this machine."""
    return time.time_ns() // 1_000_000


def limits(*, is_api: bool) -> tuple[int | str, ...]:
    """Return what `lua/clock.lua` needs to know besides the question; see there."""
    unheard: int | str = UNHEARD_MS if is_api else ""
    return USUAL_PAUSE_MS, LEAVES_OUT_ONE_OF, TOLERANCE_MS, unheard, _GAPS, _EARLIER_PAUSE_MS


def gaps_of(text: bytes) -> tuple[tuple[int, int], ...]:
    """Return the gaps (ms) that an answer of `lua/clock.lua` lists."""
    pairs = (gap.split(b"-") for gap in text.split())
    return tuple((int(since), int(until)) for since, until in pairs)
