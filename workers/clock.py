"""The clock: claims every 50 ms the tables that are due, and enqueues a job for each.

Any number of clocks may run: one of them claims a table, and unless its job is done the table is due again when the
lease ends. So whatever was lost, a job or all workers, is found again; there is no other sweep.
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
from service.worker_status import Heartbeat

log: Final = structlog.get_logger("workers.clock")

#: Seconds between two ticks, and after one in which the store did not answer.
TICK_S: Final = 0.05
RETRY_S: Final = 1.0
#: Ticks between two calls of `tidy`, and how many tables of a bucket it compacts: few, so that no tick is late.
TICKS_PER_TIDY: Final = 20
TIDY_LIMIT: Final = 4
#: Tables claimed at once.
CLAIM_LIMIT: Final = 200
#: With so many jobs waiting, other tables of AI seats alone wait for their next lease: the queue must not fill with
#: jobs for tables that it already holds.
MOST_WAITING: Final = 100


class Clock:
    """See the module.

    Args:
        store: the tables.
        queues: where jobs go.
        heartbeat: of this clock.
        now: milliseconds since the epoch.
    """

    def __init__(
        self, store: TableStore, queues: Queues, heartbeat: Heartbeat, now: Callable[[], int] = wall_clock
    ) -> None:
        self._store, self._queues, self._heartbeat, self._now = store, queues, heartbeat, now

    def tick(self) -> int:
        """Enqueue a job for every table that is due; return how many were."""
        total = 0
        waiting: int | None = None
        while claimed := self._store.claim_due(self._now(), LEASE_MS, CLAIM_LIMIT):
            total += len(claimed)
            # Tables with people come first, however many AI tables are due at once.
            for table, version, queue in sorted(claimed, key=lambda due: due.queue == AI):
                if queue == AI:
                    waiting = self._queues.waiting(AI) if waiting is None else waiting + 1
                    if waiting >= MOST_WAITING:
                        break
                self._queues.enqueue(table, version, queue or PEOPLE)
            if len(claimed) < CLAIM_LIMIT:
                break
        return total

    def run(self, stop: Event) -> None:
        """Tick until `stop` is set. While the store is unavailable, wait for it."""
        for number in count():
            if stop.is_set():
                return
            try:
                self.tick()
                if number % TICKS_PER_TIDY == 0:
                    self._store.tidy(TIDY_LIMIT)
                self._heartbeat.beat()
                pause = TICK_S
            except (StoreUnavailable, RedisError) as error:
                log.warning("store unavailable", error=str(error))
                pause = RETRY_S
            stop.wait(pause)
