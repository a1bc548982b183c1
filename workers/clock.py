"""The clock: asks every 50 ms which tables are due, and puts a job for each into its queue.

Any number of clocks may run: a table is claimed by one of them, and comes due again when the lease is over unless its
job has been done. That is the sweep as well: whatever was lost, a job, a worker or all of them, is found by asking
again what is due.
"""

from collections.abc import Callable
from itertools import count
from threading import Event
from typing import Final

import structlog
from redis.exceptions import RedisError

from service.queues import AI, LEASE_MS, PEOPLE, Queues
from service.store.port import StoreUnavailable, TableStore
from service.tables import wall_clock
from service.worker_status import Pulse

log: Final = structlog.get_logger("workers.clock")

#: Seconds between two questions, and after one that the store could not answer.
TICK_S: Final = 0.05
WAIT_S: Final = 1.0
#: Ticks from one look for logs to be tidied to the next, and tables of a bucket that are tidied then: the clock is
#: never long away from what is due.
TIDY_EVERY: Final = 20
TIDIED: Final = 4
#: Tables claimed at once.
CLAIMS: Final = 200
#: With so many jobs waiting, further tables of AI seats alone are left for a later lease: the queue does not grow
#: with jobs for tables that are in it already, and a table with people is found among the claimed ones all the same.
MOST_WAITING: Final = 100


class Clock:
    """See the module.

    Args:
        store: the tables.
        queues: where jobs go.
        pulse: tells that a clock lives.
        now: milliseconds since the epoch.
    """

    def __init__(self, store: TableStore, queues: Queues, pulse: Pulse, now: Callable[[], int] = wall_clock) -> None:
        self._store, self._queues, self._pulse, self._now = store, queues, pulse, now

    def tick(self) -> int:
        """Put a job into its queue for every table that is due; return how many were."""
        total = 0
        waiting: int | None = None
        while claimed := self._store.claim_due(self._now(), LEASE_MS, CLAIMS):
            total += len(claimed)
            # A crowd of AI tables that is due at once must not hold up those with people: theirs come first, and no
            # table is loaded.
            for table, version, queue in sorted(claimed, key=lambda due: due.queue == AI):
                if queue == AI:
                    waiting = self._queues.waiting(AI) if waiting is None else waiting + 1
                    if waiting >= MOST_WAITING:
                        break
                self._queues.enqueue(table, version, queue or PEOPLE)
            if len(claimed) < CLAIMS:
                break
        return total

    def run(self, stop: Event) -> None:
        """Tick until told to stop. While the store is away, wait for it."""
        for number in count():
            if stop.is_set():
                return
            try:
                self.tick()
                if number % TIDY_EVERY == 0:
                    self._store.tidy(TIDIED)
                self._pulse.beat()
                pause = TICK_S
            except (StoreUnavailable, RedisError) as error:
                log.warning("store away", error=str(error))
                pause = WAIT_S
            stop.wait(pause)
