"""Heartbeats and job metrics of workers and clocks.

They are stored in the Redis of the queues, under `alive` and `job_counts` of `service.store.keys`, where any API
process reads them for `/readyz` and `/metrics`.
"""

import os
import secrets
import socket
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final, NamedTuple

from redis import Redis
from redis.exceptions import RedisError

from service.jobs.asked import ANALYSIS, players_waiting
from service.store import keys
from service.store.port import TableStore

#: How long a process counts as alive after a heartbeat (ms), and how often heartbeats are sent (s).
ALIVE_MS: Final = 15_000
HEARTBEAT_S: Final = 3.0
#: A table is overdue when it has been due for longer than this (ms).
OVERDUE_MS: Final = 1_500
#: Metrics of a job: seconds from its due time to its start, and from there to its end.
LATENESS: Final = "late"
DURATION: Final = "took"
#: Events of a search: it got less work than its level allows, or it failed and rules moved.
SEARCH_EVENTS: Final = ("reduced", "failed")
#: Upper bounds of the histogram buckets (s).
BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, float("inf"))
#: Roles of processes.
ROLES: Final = ("worker", "searcher", "clock", "messenger")
#: Name of a pseudo-queue for the counts of messengers.
NOTICES: Final = "notices"
#: Name of another one, for the time of the last backup.
BACKUP: Final = "backup"
#: A wall clock in milliseconds.
Now = Callable[[], int]


class Heartbeat:
    """Heartbeats of this process in one role.

    Args:
        redis: client of the queues.
        role: one of `ROLES`.
        file: touched with every heartbeat that reaches Redis, for a health check of this process.
    """

    def __init__(self, redis: Redis, role: str, now: Now, file: Path | None = None) -> None:
        self._redis = redis
        self._file = file
        self._key = keys.alive(role)
        self._now = now
        self._name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._last = float("-inf")

    def beat(self) -> None:
        """Send a heartbeat if one is due."""
        moment = time.monotonic()
        if moment - self._last < HEARTBEAT_S:
            return
        now = self._now()
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(self._key, {self._name: now})
        pipeline.zremrangebyscore(self._key, "-inf", now - ALIVE_MS)
        pipeline.pexpire(self._key, ALIVE_MS)
        pipeline.execute()
        if self._file is not None:
            self._file.touch()
        self._last = moment

    @contextmanager
    def kept_up(self) -> Iterator[None]:
        """Context manager that sends heartbeats from a thread, for jobs that may outlast `ALIVE_MS`."""
        over = Event()
        Thread(target=self._keep_up, args=(over,), daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def _keep_up(self, over: Event) -> None:
        while not over.wait(HEARTBEAT_S):
            with suppress(RedisError):
                self.beat()

    def others(self, role: str) -> int:
        """Return the number of live processes in a role."""
        return alive(self._redis, role, self._now())

    def end(self) -> None:
        """Remove this process's heartbeat."""
        self._redis.zrem(self._key, self._name)


def alive(redis: Redis, role: str, now: int) -> int:
    """Return the number of live processes in this role."""
    return int(redis.zcount(keys.alive(role), now - ALIVE_MS, "+inf"))


class JobMetrics:
    """Counts jobs in this process; `flush` adds the counts to those in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._counts: dict[tuple[str, str], float] = defaultdict(float)
        self._flushed = float("-inf")

    def count(self, queue: str, late_s: float, took_s: float) -> None:
        """Count one job."""
        for metric, seconds in ((LATENESS, late_s), (DURATION, took_s)):
            self._counts[queue, f"{metric}:{BOUNDS[bisect_left(BOUNDS, seconds)]}"] += 1
            self._counts[queue, f"{metric}:sum"] += seconds

    def event(self, queue: str, name: str) -> None:
        """Count an event in a queue's jobs."""
        self._counts[queue, name] += 1

    def flush_if_due(self) -> None:
        """Add the counts to those in Redis, about as often as a heartbeat is sent."""
        if time.monotonic() - self._flushed >= HEARTBEAT_S:
            self.flush()

    def flush(self) -> None:
        """Add the counts since the last flush to those in Redis."""
        self._flushed = time.monotonic()
        if not self._counts:
            return
        counts, self._counts = self._counts, defaultdict(float)
        pipeline = self._redis.pipeline(transaction=False)
        for (queue, field), value in counts.items():
            pipeline.hincrbyfloat(keys.job_counts(queue), field, value)
        pipeline.execute()


def note_backup(redis: Redis, at: int) -> None:
    """Note that a backup begun at this time (ms) has been checked."""
    redis.hset(keys.job_counts(BACKUP), "at", str(at))


class Times(NamedTuple):
    """A histogram of seconds.

    Attributes:
        counts: upper bound of a bucket -> number of jobs in it, not counting those in lower buckets.
        sum: seconds of all jobs.
    """

    counts: Mapping[float, int]
    sum: float


class WorkerStatus(NamedTuple):
    """The state of workers and queues.

    Attributes:
        processes: role -> number of processes alive.
        waiting: queue -> number of jobs in it; of `analysis`, the players whose questions wait.
        overdue: number of tables that have been due for longer than `OVERDUE_MS`.
        jobs: (queue, `LATENESS` or `DURATION`) -> histogram.
        searches: one of `SEARCH_EVENTS` -> number of moves.
        notices: (carrier, outcome) -> number of attempts to deliver.
        notice_due: due time of the longest overdue notice (ms), or None.
        backup_at: when the last backup that was checked was begun (ms), or None.
        newer_release: see `TableStore.newer_release`.
    """

    processes: Mapping[str, int]
    waiting: Mapping[str, int]
    overdue: int
    jobs: Mapping[tuple[str, str], Times]
    searches: Mapping[str, int]
    notices: Mapping[tuple[str, str], int]
    notice_due: int | None
    backup_at: int | None
    newer_release: str = ""


def read(
    redis: Redis,
    store: TableStore | None,
    queues: tuple[str, ...],
    now: int,
    oldest_notice: Callable[[], int | None] = lambda: None,
) -> WorkerStatus:
    """Return the current state of workers and queues.

    Args:
        redis: client of the queues.
        store: the store of tables; None: leave out what it tells.
        queues: names of the queues.
        now: milliseconds since the epoch.
        oldest_notice: returns the due time of the longest waiting notice (ms).

    Raises:
        RedisError, StoreUnavailable: a server does not answer.
    """
    pipeline = redis.pipeline(transaction=False)
    for role in ROLES:
        pipeline.zcount(keys.alive(role), now - ALIVE_MS, "+inf")
    for queue in queues:
        pipeline.llen(f"rq:queue:{queue}")
        pipeline.hgetall(keys.job_counts(queue))
    pipeline.hgetall(keys.job_counts(NOTICES))
    pipeline.hget(keys.job_counts(BACKUP), "at")
    *answers, notices, backup_at = pipeline.execute()
    of_queues, oldest = answers[len(ROLES) :], oldest_notice()
    waiting, counts = dict(zip(queues, of_queues[::2], strict=True)), of_queues[1::2]
    if ANALYSIS in waiting:
        waiting[ANALYSIS] = players_waiting(redis)
    return WorkerStatus(
        dict(zip(ROLES, answers, strict=False)),
        waiting,
        store.overdue(now - OVERDUE_MS) if store is not None else 0,
        {
            (queue, metric): _times(counted, metric)
            for queue, counted in zip(queues, counts, strict=True)
            for metric in (LATENESS, DURATION)
        },
        {name: sum(int(float(counted.get(name.encode(), 0))) for counted in counts) for name in SEARCH_EVENTS},
        {_pair(name): int(float(number)) for name, number in notices.items()},
        oldest if oldest is not None and oldest <= now else None,
        None if backup_at is None else int(backup_at),
        store.newer_release() if store is not None else "",
    )


def _pair(name: bytes) -> tuple[str, str]:
    carrier, _, outcome = name.decode().partition(":")
    return carrier, outcome


def _times(counted: Mapping[bytes, bytes], metric: str) -> Times:
    counts = {bound: int(float(counted.get(f"{metric}:{bound}".encode(), 0))) for bound in BOUNDS}
    return Times(counts, float(counted.get(f"{metric}:sum".encode(), 0)))
