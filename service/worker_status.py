"""What can be told of those who work without being asked: whether they live, what waits for them, how late they are.

All of it lies in the Redis of the queues, so that any process of the API can tell it (`/readyz`, `/metrics`):

    sj:alive:<role>    sorted set: process -> its last sign of life (ms); role is `worker` or `clock`
    sj:jobs:<queue>    hash: <what>:<bound> -> jobs for which it took at most so many seconds; <what>:sum -> seconds
"""

import os
import secrets
import socket
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from redis import Redis

from service.store.port import TableStore

#: Milliseconds for which a sign of life counts; seconds after which it is given again.
ALIVE_MS: Final = 15_000
BEAT_S: Final = 3.0
#: A table is told to be overdue when it has been due for so long (ms): a job that was lost comes again after a lease.
OVERDUE_MS: Final = 1_500
#: What is counted of a job: seconds from when it was due to its begin, and from there to its end.
LATENESS: Final = "late"
DURATION: Final = "took"
#: Upper bounds of what jobs are counted by, in seconds.
BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, float("inf"))
#: A wall clock in milliseconds.
Now = Callable[[], int]


class Pulse:
    """Signs of life of this process in one role. Beats when asked to, but no more often than needed."""

    def __init__(self, redis: Redis, role: str, now: Now) -> None:
        self._redis = redis
        self._key = _alive(role)
        self._now = now
        self._name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._last = float("-inf")

    def beat(self) -> bool:
        """Give a sign of life if one is due, and return whether it was."""
        moment = time.monotonic()
        if moment - self._last < BEAT_S:
            return False
        now = self._now()
        signs = self._redis.pipeline(transaction=False)
        signs.zadd(self._key, {self._name: now})
        signs.zremrangebyscore(self._key, "-inf", now - ALIVE_MS)
        signs.pexpire(self._key, ALIVE_MS)
        signs.execute()
        self._last = moment
        return True

    def end(self) -> None:
        """Say that there will be no more signs."""
        self._redis.zrem(self._key, self._name)


def alive(redis: Redis, role: str, now: int) -> int:
    """Return how many processes in this role, `worker` or `clock`, gave a sign of life lately."""
    return int(redis.zcount(_alive(role), now - ALIVE_MS, "+inf"))


def _alive(role: str) -> str:
    return f"sj:alive:{role}"


class Tally:
    """Counts jobs in this process, and adds them to the common counts now and then."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._counts: dict[tuple[str, str], float] = defaultdict(float)

    def job(self, queue: str, late_s: float, took_s: float) -> None:
        """Count one job."""
        for what, seconds in ((LATENESS, late_s), (DURATION, took_s)):
            self._counts[queue, f"{what}:{BOUNDS[bisect_left(BOUNDS, seconds)]}"] += 1
            self._counts[queue, f"{what}:sum"] += seconds

    def hand_in(self) -> None:
        """Add to the common counts what has been counted since the last time."""
        if not self._counts:
            return
        counts, self._counts = self._counts, defaultdict(float)
        added = self._redis.pipeline(transaction=False)
        for (queue, field), value in counts.items():
            added.hincrbyfloat(_jobs(queue), field, value)
        added.execute()


def _jobs(queue: str) -> str:
    return f"sj:jobs:{queue}"


class Times(NamedTuple):
    """Seconds that something took: bound -> how often it was at most that and more than the bound before; the sum."""

    counts: Mapping[float, int]
    sum: float


class Vitals(NamedTuple):
    """What can be told at one moment.

    Attributes:
        processes: role -> how many live.
        waiting: queue -> jobs that wait in it.
        overdue: tables to which something has been owed for longer than `OVERDUE_MS`.
        jobs: (queue, `LATENESS` or `DURATION`) -> how long it was.
    """

    processes: Mapping[str, int]
    waiting: Mapping[str, int]
    overdue: int
    jobs: Mapping[tuple[str, str], Times]


def read(redis: Redis, store: TableStore, queues: tuple[str, ...], now: int) -> Vitals:
    """Return what can be told now.

    Args:
        redis: where the queues are.

    Raises:
        RedisError, StoreUnavailable: somebody who should know is away.
    """
    asked = redis.pipeline(transaction=False)
    for role in ("worker", "clock"):
        asked.zcount(_alive(role), now - ALIVE_MS, "+inf")
    for queue in queues:
        asked.llen(f"rq:queue:{queue}")
        asked.hgetall(_jobs(queue))
    workers, clocks, *of_queues = asked.execute()
    counted = {queue: of_queues[2 * place + 1] for place, queue in enumerate(queues)}
    return Vitals(
        {"worker": workers, "clock": clocks},
        {queue: of_queues[2 * place] for place, queue in enumerate(queues)},
        store.overdue(now - OVERDUE_MS),
        {(queue, what): _times(counted[queue], what) for queue in queues for what in (LATENESS, DURATION)},
    )


def _times(counted: Mapping[bytes, bytes], what: str) -> Times:
    counts = {bound: int(float(counted.get(f"{what}:{bound}".encode(), 0))) for bound in BOUNDS}
    return Times(counts, float(counted.get(f"{what}:sum".encode(), 0)))
