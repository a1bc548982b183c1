"""The clock: every 50 ms it leases the due tables and enqueues their jobs.

Any number of clocks may run, since each table is leased to only one of them. If the job has not run
by the end of the lease, the table is due again. This recovers from lost jobs and crashed workers.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from threading import Event
from typing import Final, NamedTuple

import structlog
from redis.exceptions import RedisError

from service.jobs.queues import AI, LEASE_MS, PEOPLE, SEARCH, LeftOutError, Queues
from service.jobs.several import one_of
from service.jobs.worker_status import Heartbeat
from service.store.port import Due, StoreCorrupt, StoreUnavailable, TableStore
from service.tables.ports import Interrupted, never_interrupted

log: Final = structlog.get_logger("workers.clock")

#: Seconds between ticks, and after a tick that failed because the store did not answer.
TICK_S: Final = 0.05
RETRY_S: Final = 1.0
#: Ticks between two calls of `tidy`, and number of tables of a bucket that each call compacts: few, so that no tick is
#: late.
TICKS_PER_TIDY: Final = 20
TIDY_LIMIT: Final = 4
#: A clock that starts later than this after an outage assumes that the tables have been notified (ms).
TOLD_WITHIN_MS: Final = 60_000
#: Most tables leased in one call.
LEASE_LIMIT: Final = 200
#: Tables with only AI seats per job. More would gain little, and tables with people wait for its end.
MOST_TABLES: Final = 16
#: With this many waiting jobs, as many as a worker does within a lease, no more are enqueued for tables with only AI
#: seats. These tables are due again when their lease ends; otherwise the queue would fill up with repeated jobs.
MOST_WAITING: Final = 50
#: With this many waiting searches, AI seats that search move by rules.
MOST_SEARCHES: Final = 50


class Part(NamedTuple):
    """The part of a clock for one Redis of the queues."""

    queues: Queues
    heartbeat: Heartbeat


class Clock:
    """Finds due tables and enqueues their jobs.

    Args:
        store: the tables.
        parts: for each Redis its queues, which receive the jobs, and the heartbeat of this clock.
        now: returns milliseconds since the epoch.
        tidy: called about once a second, to clean up other data than tables.
        interrupted: returns the outages of the service.
    """

    def __init__(
        self,
        store: TableStore,
        parts: Sequence[Part],
        now: Callable[[], int],
        tidy: Callable[[], object] = lambda: None,
        interrupted: Interrupted = never_interrupted,
    ) -> None:
        self._store, self._parts, self._now, self._tidy = store, parts, now, tidy
        self._interrupted = interrupted
        self._told_until = 0

    def tick(self) -> int:
        """Enqueue jobs for all due tables; return the number of tables."""
        self._tell_of_more_time()
        total = 0
        while leased := self._store.lease_due(self._now(), LEASE_MS, LEASE_LIMIT):
            total += len(leased)
            of_parts: dict[Part, list[Due]] = defaultdict(list)
            for due in leased:
                of_parts[one_of(self._parts, due.table)].append(due)
            for part, its in of_parts.items():
                self._attempt(part, partial(self._enqueue, part, its))
            if len(leased) < LEASE_LIMIT:
                break
        return total

    def _attempt(self, part: Part, action: Callable[[], None]) -> None:
        """Do something with one Redis. If it is lost, the others go on, and its tables will be due again."""
        try:
            with part.queues.asking():
                action()
        except RedisError as error:
            if len(self._parts) == 1:
                raise
            if not isinstance(error, LeftOutError):
                log.warning("queues are lost", number=self._parts.index(part) + 1, error=str(error))

    def _enqueue(self, part: Part, leased: Sequence[Due]) -> None:
        # Tables with people go first, no matter how many AI tables are due.
        self._enqueue_urgent(part, [due for due in leased if due.queue not in (AI, SEARCH)])
        self._enqueue_searches(part, [due for due in leased if due.queue == SEARCH])
        self._enqueue_ai(part, [(due.table, due.version) for due in leased if due.queue == AI])

    def _tell_of_more_time(self) -> None:
        """After an outage, make all tables due to move their open windows, so that nobody sees the old ones."""
        now, until = self._now(), self._interrupted().noticed_until()
        if until > self._told_until and now - until < TOLD_WITHIN_MS:
            self._store.wake(now)
        self._told_until = until

    def _enqueue_urgent(self, part: Part, leased: Sequence[Due]) -> None:
        for table, version, queue in leased:
            part.queues.enqueue(table, version, queue or PEOPLE)

    def _enqueue_searches(self, part: Part, leased: Sequence[Due]) -> None:
        by_rules = bool(leased) and not self._can_search(part)
        for table, version, _ in leased:
            part.queues.enqueue(table, version, AI if by_rules else SEARCH, by_rules=by_rules)

    def _enqueue_ai(self, part: Part, leased: Sequence[tuple[str, int]]) -> None:
        """Enqueue tables with only AI seats, several per job, since a job's overhead is twice the cost of a move."""
        waiting = part.queues.waiting(AI) if leased else 0
        for at in range(0, min(len(leased), (MOST_WAITING - waiting) * MOST_TABLES), MOST_TABLES):
            part.queues.enqueue_all(leased[at : at + MOST_TABLES], AI)

    def _can_search(self, part: Part) -> bool:
        """Return whether searchers are alive and can do all waiting searches in time."""
        return part.queues.waiting(SEARCH) < MOST_SEARCHES and part.heartbeat.others("searcher") > 0

    def _beat(self) -> None:
        for part in self._parts:
            self._attempt(part, part.heartbeat.beat)

    def _clean_up(self) -> None:
        """Do what can wait. If it fails, for instance for a lost node of a cluster, ticks go on."""
        for action in (lambda: self._store.tidy(TIDY_LIMIT), self._tidy):
            try:
                action()
            except (StoreUnavailable, StoreCorrupt, RedisError) as error:
                log.warning("cannot clean up; trying again", error=f"{type(error).__name__}: {error}")

    def run(self, stop: Event) -> None:
        """Tick until `stop` is set; less often while Redis is unreachable or answers with errors."""
        for number in count():
            if stop.is_set():
                return
            try:
                self.tick()
                if number % TICKS_PER_TIDY == 0:
                    self._clean_up()
                self._beat()
                pause = TICK_S
            except (StoreUnavailable, StoreCorrupt, RedisError) as error:
                # Also after errors from Redis, so that repairing it does not require restarting the clock.
                log.warning("cannot tick; trying again", error=f"{type(error).__name__}: {error}", in_s=RETRY_S)
                pause = RETRY_S
            stop.wait(pause)
