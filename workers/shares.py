"""Fair shares of a worker: who hosts many busy tables does not make the AI players of others late.

A worker counts the processor time that the tables of each host take. A host that takes more than a share is over it:
jobs of its tables go to the queue `heavy`, which is done when nothing else waits. So an idle worker serves it in full,
and under load the others come first. Nothing is shared between workers: each sees a sample of the same load.
"""

import math
import time
from collections.abc import Callable
from typing import Final

#: The share of a worker's time that a host may take before others go first, and over how many seconds it is measured.
SHARE: Final = 0.2
MEMORY_S: Final = 3.0
#: Seconds after which a job lets other jobs run.
SLICE_S: Final = 0.03
#: Hosts that are remembered before those who take next to nothing are forgotten.
_MOST_HOSTS: Final = 2_000


class Shares:
    """How much of a worker's time each host takes: an average that forgets over `MEMORY_S`.

    Args:
        clock: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock: Final = clock
        #: Host -> seconds taken, and when they were last brought up to date.
        self._taken: dict[str, tuple[float, float]] = {}

    def add(self, host: str, seconds: float) -> None:
        """Note that a job for a table of this host took so long."""
        now = self._clock()
        self._taken[host] = (self._left(host, now) + seconds, now)
        if len(self._taken) > _MOST_HOSTS:
            least = 0.01 * SHARE * MEMORY_S
            self._taken = {each: taken for each, taken in self._taken.items() if self._left(each, now) > least}

    def is_over(self, host: str) -> bool:
        """Tell whether the host has taken more than a share lately."""
        return self._left(host, self._clock()) > SHARE * MEMORY_S

    def _left(self, host: str, now: float) -> float:
        taken, at = self._taken.get(host, (0.0, now))
        return taken * math.exp((at - now) / MEMORY_S)


class Turn:
    """The turn of one job.

    Args:
        shares: of this worker.
        is_heavy: whether the job comes from the queue in which hosts wait that are over their share.
        clock: returns seconds.
        work: returns the seconds that this thread has computed. Those in which it waited, for Redis or for a core, are
            nobody's fault: charged to a host, an outage would make its tables wait for seconds after the end of it.
    """

    def __init__(
        self,
        shares: Shares,
        *,
        is_heavy: bool,
        clock: Callable[[], float] = time.perf_counter,
        work: Callable[[], float] = time.thread_time,
    ) -> None:
        self._shares: Final = shares
        self._is_heavy: Final = is_heavy
        self._clock: Final = clock
        self._work: Final = work
        self._began: Final = clock()
        self._worked: Final = work()
        self._host: str | None = None

    def admits(self, host: str) -> bool:
        """Tell whether a table of this host may be advanced now; if not, its job waits until nothing else does."""
        if not self._is_heavy and self._shares.is_over(host):
            return False
        self._host = host
        return True

    def is_over(self) -> bool:
        """Tell whether other jobs shall run now."""
        return self._clock() - self._began > SLICE_S

    def end(self) -> None:
        """Charge the work to the host."""
        if self._host is not None:
            self._shares.add(self._host, self._work() - self._worked)
