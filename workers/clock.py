"""The clock: every 50 ms it claims the tables that are due and enqueues their jobs.

Any number of clocks may run, since only one of them gets a claim. A claim is a lease: if the job has not run when the
lease ends, the table is due again. This recovers lost jobs and crashed workers without a separate sweep.
"""

from collections.abc import Callable, Sequence
from itertools import count
from threading import Event
from typing import Final

import structlog
from redis.exceptions import RedisError

from service.jobs.queues import AI, LEASE_MS, PEOPLE, SEARCH, Queues
from service.jobs.worker_status import Heartbeat
from service.store.port import Due, StoreCorrupt, StoreUnavailable, TableStore
from service.tables.ports import Interrupted, never_interrupted

log: Final = structlog.get_logger("workers.clock")

#: Seconds between ticks, and after a tick that failed because the store did not answer.
TICK_S: Final = 0.05
RETRY_S: Final = 1.0
#: Ticks between two calls of `tidy`, and how many tables of a bucket each call compacts: few, so that no tick is late.
TICKS_PER_TIDY: Final = 20
TIDY_LIMIT: Final = 4
#: A clock that starts later than this after an interruption takes the tables as told of it (ms).
TOLD_WITHIN_MS: Final = 60_000
#: Tables claimed in one call.
CLAIM_LIMIT: Final = 200
#: Tables with AI seats only that share a job. More would gain little, and tables with people wait for it to end.
MOST_TABLES: Final = 8
#: While this many jobs are waiting, as much as a worker does within a lease, no more are enqueued for tables with AI
#: seats only. Those tables are due again when their lease ends; otherwise the queue would fill up with repeated jobs.
MOST_WAITING: Final = 50
#: While this many searches are waiting, AI seats that search move by rules.
MOST_SEARCHES: Final = 50


class Clock:
    """Finds the tables that are due and enqueues their jobs.

    Args:
        store: the tables.
        queues: receive the jobs.
        heartbeat: of this clock.
        now: returns milliseconds since the epoch.
        tidy: called about once a second, to clean up what does not belong to a table.
        interrupted: returns when nobody could reach the service.
    """

    def __init__(
        self,
        store: TableStore,
        queues: Queues,
        heartbeat: Heartbeat,
        now: Callable[[], int],
        tidy: Callable[[], object] = lambda: None,
        interrupted: Interrupted = never_interrupted,
    ) -> None:
        self._store, self._queues, self._heartbeat, self._now, self._tidy = store, queues, heartbeat, now, tidy
        self._interrupted = interrupted
        self._told_until = 0

    def tick(self) -> int:
        """Enqueue jobs for all tables that are due; return the number of tables."""
        self._tell_of_more_time()
        total = 0
        while claimed := self._store.claim_due(self._now(), LEASE_MS, CLAIM_LIMIT):
            total += len(claimed)
            # Tables with people go first, however many AI tables are due.
            self._enqueue_urgent([due for due in claimed if due.queue not in (AI, SEARCH)])
            self._enqueue_searches([due for due in claimed if due.queue == SEARCH])
            self._enqueue_ai([(due.table, due.version) for due in claimed if due.queue == AI])
            if len(claimed) < CLAIM_LIMIT:
                break
        return total

    def _tell_of_more_time(self) -> None:
        """After an interruption, let every table move its open windows, so that nobody sees the old ones."""
        now, until = self._now(), self._interrupted().noticed_until()
        if until > self._told_until and now - until < TOLD_WITHIN_MS:
            self._store.wake(now)
        self._told_until = until

    def _enqueue_urgent(self, claimed: Sequence[Due]) -> None:
        for table, version, queue in claimed:
            self._queues.enqueue(table, version, queue or PEOPLE)

    def _enqueue_searches(self, claimed: Sequence[Due]) -> None:
        by_rules = bool(claimed) and not self._can_search()
        for table, version, _ in claimed:
            self._queues.enqueue(table, version, AI if by_rules else SEARCH, by_rules=by_rules)

    def _enqueue_ai(self, claimed: Sequence[tuple[str, int]]) -> None:
        """Enqueue tables with AI seats only, several per job: a job's overhead is twice the cost of a move."""
        waiting = self._queues.waiting(AI) if claimed else 0
        for at in range(0, min(len(claimed), (MOST_WAITING - waiting) * MOST_TABLES), MOST_TABLES):
            self._queues.enqueue_all(claimed[at : at + MOST_TABLES], AI)

    def _can_search(self) -> bool:
        """Return whether there are searchers, with no more searches waiting than they can do in time."""
        return self._queues.waiting(SEARCH) < MOST_SEARCHES and self._heartbeat.others("searcher") > 0

    def run(self, stop: Event) -> None:
        """Tick until `stop` is set; less often while Redis is away or answers with errors."""
        for number in count():
            if stop.is_set():
                return
            try:
                self.tick()
                if number % TICKS_PER_TIDY == 0:
                    self._store.tidy(TIDY_LIMIT)
                    self._tidy()
                self._heartbeat.beat()
                pause = TICK_S
            except (StoreUnavailable, StoreCorrupt, RedisError) as error:
                # Also when Redis answers with an error: repairing it must not require restarting the clock as well.
                log.warning("cannot tick; trying again", error=f"{type(error).__name__}: {error}", in_s=RETRY_S)
                pause = RETRY_S
            stop.wait(pause)
