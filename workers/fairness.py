"""Fair shares of a worker: a host with many busy tables does not delay the AI players of others.

A worker counts the CPU time of each host's tables. If a host exceeds its share, jobs of its tables go to the queue
`heavy`, which is served only if nothing else waits. So an idle worker serves the host in full, and under load the
others go first. Workers do not exchange their counts, since each sees a sample of the same load.
"""

import math
import time
from collections.abc import Callable
from typing import Final

from service.game.state.queries import is_practice
from service.game.state.types import State

#: Share of a worker's time from which other hosts go first, and seconds over which it is averaged.
SHARE: Final = 0.2
MEMORY_S: Final = 3.0
#: Seconds after which a job lets other jobs run.
SLICE_S: Final = 0.03
#: Number of hosts from which those with almost no load are dropped.
_MOST_HOSTS: Final = 2_000


class Shares:
    """Shares of a worker's time by host, averaged with decay over `MEMORY_S`.

    Args:
        clock: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock: Final = clock
        #: Host -> seconds used, and time of their last update.
        self._taken: dict[str, tuple[float, float]] = {}

    def add(self, host: str, seconds: float) -> None:
        """Add the duration of a job for a table of this host."""
        now = self._clock()
        self._taken[host] = (self._left(host, now) + seconds, now)
        if len(self._taken) > _MOST_HOSTS:
            least = 0.01 * SHARE * MEMORY_S
            self._taken = {each: taken for each, taken in self._taken.items() if self._left(each, now) > least}

    def is_over(self, host: str) -> bool:
        """Return whether the host has recently exceeded its share."""
        return self._left(host, self._clock()) > SHARE * MEMORY_S

    def _left(self, host: str, now: float) -> float:
        taken, at = self._taken.get(host, (0.0, now))
        return taken * math.exp((at - now) / MEMORY_S)


class Turn:
    """The scheduling of a job.

    Args:
        shares: shares of this worker.
        is_heavy: whether the job comes from the queue for hosts over their share.
        clock: returns seconds.
        passes_practice: whether practice tables wait, so that their searches, which always do the full work, do not
            delay others.
        work: returns the CPU seconds of this thread. Waiting for Redis or a core is not charged to a host: otherwise an
            outage would make its tables wait for seconds afterwards.
    """

    def __init__(
        self,
        shares: Shares,
        *,
        is_heavy: bool,
        passes_practice: bool = False,
        clock: Callable[[], float] = time.perf_counter,
        work: Callable[[], float] = time.thread_time,
    ) -> None:
        self._shares: Final = shares
        self._is_heavy: Final = is_heavy
        self._passes_practice: Final = passes_practice
        self._clock: Final = clock
        self._work: Final = work
        self._began: Final = clock()
        self._worked: Final = work()
        self._host: str | None = None

    def admits(self, state: State) -> bool:
        """Return whether a table may be advanced now; if not, its job waits in another queue."""
        if self._passes_practice and is_practice(state):
            return False
        # Tables of quick play have no host, so each counts separately.
        host = state["host"] or state["id"]
        if not self._is_heavy and self._shares.is_over(host):
            return False
        self._host = host
        return True

    def is_over(self) -> bool:
        """Return whether other jobs should run now."""
        return self._clock() - self._began > SLICE_S

    def end(self) -> None:
        """Charge the work to the host."""
        if self._host is not None:
            self._shares.add(self._host, self._work() - self._worked)
