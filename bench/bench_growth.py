"""Scaling: appends with many API processes, due tables with many buckets, jobs with several Redis servers.

    python -m bench.bench_growth

Figures are CPU time, which depends little on the load of the machine. Wake-ups: a channel per table, where a process
subscribes to the tables of its streams, compared in the same run with releases before 0.3, where every process reads
one channel. Buckets: the work of the clock twenty times a second, compared with releases before 0.3.
"""

import hashlib
import logging
import multiprocessing
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final

import structlog

from bench import report
from service.jobs.queues import PEOPLE
from service.jobs.several import SeveralQueues, queues_of
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys, redis_tables
from service.store.connections.clients import command_client, listening_client, queue_client
from service.store.live import Announcements
from service.store.redis_tables import RedisTableStore
from service.store.scripts import Script
from service.tables import Tables, wall_clock
from workers.jobs import Worker

TABLES: Final = 200
#: Number of processes with streams of each table.
INTERESTED: Final = 2
PROCESSES: Final = (2, 8, 32)
#: Appends of a run, and their rate per second, since a service does not get them in batches.
APPENDS: Final = 1_200
RATE: Final = 400
ROUNDS: Final = 2
#: Number of runs of 1,000 appends that wake nobody.
ALONE: Final = 24
BUCKETS = (16, 64, 256, 1_024)
CALLS = 200
QUEUES: Final = (1, 2, 4)
JOBS: Final = 2_000
#: 25 appends between two looks are 500 per second, the rate of a worker's core with AI players.
WRITTEN = 25
#: The channel of all tables of releases before 0.3.
ONE_CHANNEL: Final = "sj:live"
STATE: Final = {"options": {}, "settings": {}, "hands": [["7S", "10H"] * 12] * 4}


def tables_of(number: int, processes: int) -> list[str]:
    """Return the tables of which a process has streams."""
    return [f"tb_{n}" for n in range(TABLES) if number in {(n + shift) % processes for shift in range(INTERESTED)}]


class Followers:
    """The woken part of an API process, which checks whether it has streams of the table."""

    def __init__(self, tables: list[str]) -> None:
        self.versions = dict.fromkeys(tables, 0)

    def announced(self, table: str, version: int) -> None:
        """Note the version of a table with streams here."""
        if table in self.versions:
            self.versions[table] = version

    def missed(self, table: str | None = None) -> None:
        """Do nothing."""

    def signalled(self, player: str, message: str) -> None:
        """Do nothing."""

    def deaf(self) -> None:
        """Do nothing."""

    def revoked(self, player: str) -> None:
        """Do nothing."""

    def news(self, player: str, token: str, number: str) -> None:
        """Do nothing."""


class Spent:
    """CPU time of a child process while others write, minus its CPU time when idle."""

    def __init__(self, context: Any) -> None:
        self.ready, self.start, self.stop = context.Event(), context.Event(), context.Event()
        self.seconds = context.Value("d", 0.0)

    def measure(self, wait: Callable[[Event], None]) -> None:
        """Measure a process that idles, then is woken; `wait` waits for an event and handles it."""
        self.ready.set()
        wall, used = time.monotonic(), time.process_time()
        wait(self.start)
        idle = (time.process_time() - used) / (time.monotonic() - wall)
        wall, used = time.monotonic(), time.process_time()
        wait(self.stop)
        self.seconds.value = time.process_time() - used - idle * (time.monotonic() - wall)


def one_channel(url: str, tables: list[str], spent: Spent) -> None:
    """Run an API process of releases before 0.3, which reads the channel of all tables."""
    followers = Followers(tables)
    with listening_client(url).pubsub() as channel:  # type: ignore[union-attr]
        channel.subscribe(ONE_CHANNEL)
        assert channel.get_message(timeout=10) is not None

        def wait(event: Event) -> None:
            while not event.is_set():
                message = channel.get_message(timeout=0.25)
                if message is not None:
                    table, _, version = message["data"].decode().partition(" ")
                    followers.announced(table, int(version))

        spent.measure(wait)


def a_channel_each(url: str, tables: list[str], spent: Spent) -> None:
    """Run an API process that reads only the channels of its tables."""
    announcements = Announcements(command_client(url))
    for table in tables:
        announcements.follow(table)
    announcements.listen(Followers(tables))
    time.sleep(2)
    spent.measure(lambda event: event.wait() and None)
    announcements.close()


class OneChannel(Script):
    """The appending script of releases before 0.3."""

    def __init__(self) -> None:
        super().__init__("append", "tell")
        call = "tell(index.publish, channel, table_id, version)"
        assert call in self.text
        self.text = self.text.replace(call, f"redis.call('PUBLISH', '{ONE_CHANNEL}', table_id .. ' ' .. version)")
        self._sha = hashlib.sha1(self.text.encode("ascii"), usedforsecurity=False).hexdigest()


def wake_ups(process: Callable[..., None], processes: int) -> tuple[float, float, float]:
    """Return the µs per append of the appending process, of Redis, and of all API processes together."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        children = [Spent(context) for _ in range(processes)]
        started = [
            context.Process(target=process, args=(server.url, tables_of(number, processes), spent))
            for number, spent in enumerate(children)
        ]
        for child in started:
            child.start()
        for spent in children:
            spent.ready.wait(120)
        client = command_client(server.url)
        store = RedisTableStore(client)
        time.sleep(2.0)
        for spent in children:
            spent.start.set()
        redis, own, begin = cpu(client), 0.0, time.monotonic()
        for number in range(APPENDS):
            time.sleep(max(0.0, begin + number / RATE - time.monotonic()))
            version, used = number // TABLES, time.process_time()
            append(store, f"tb_{number % TABLES}", version)
            own += time.process_time() - used
        time.sleep(0.5)
        redis = cpu(client) - redis
        for spent in children:
            spent.stop.set()
        for child in started:
            child.join(30)
        client.close()
        all_of_them = sum(spent.seconds.value for spent in children)
        return own / APPENDS * 1e6, redis / APPENDS * 1e6, all_of_them / APPENDS * 1e6


def alone() -> float:
    """Return the ratio of the costs of an append without receivers and with one channel, for client and Redis."""
    now, earlier = redis_tables.APPEND, OneChannel()
    runs: dict[Script, list[float]] = {now: [], earlier: []}
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        client = command_client(server.url)
        store = RedisTableStore(client)
        for version in range(0, 5 * ALONE, 5):
            redis_tables.APPEND = (now, earlier)[version % 2]
            used = cpu(client) + time.process_time()
            for number in range(5 * TABLES):
                append(store, f"tb_{number % TABLES}", version + number // TABLES)
            runs[redis_tables.APPEND].append(cpu(client) + time.process_time() - used)
        client.close()
    redis_tables.APPEND = now
    return min(runs[now]) / min(runs[earlier])


def append(store: RedisTableStore, table: str, version: int, wake_at: int | None = None) -> None:
    """Append an event to a table."""
    event: Any = {"seq": version + 1, "type": "chat", "at": 0, "round": None, "by": "player", "data": {"text": "Hello"}}
    state: Any = {**STATE, "id": table, "version": version + 1}
    store.append(table, version, [event], state, wake_at=wake_at)


def cpu(client: Any) -> float:
    """Return the CPU seconds used by Redis."""
    info = client.info("cpu")
    return float(info["used_cpu_user"]) + float(info["used_cpu_sys"])


def looking(buckets: int, *, every_bucket: bool, written: int) -> tuple[float, float]:
    """Return the µs of the clock and of Redis for a look for due tables, none of which is due.

    Args:
        every_bucket: whether to read all buckets, like releases before 0.3.
        written: number of appends between two looks.
    """
    keys.use_buckets(buckets)
    try:
        with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
            client = command_client(server.url)
            store, other = RedisTableStore(client), RedisTableStore(command_client(server.url))
            store._due._can_track = not every_bucket  # noqa: SLF001
            store.lease_due(0, 1, 1)
            used = redis = 0.0
            for number in range(CALLS):
                for table in range(written):
                    append(other, f"tb_{table}", number, wake_at=1)
                redis_before, began = cpu(client), time.process_time()
                store.lease_due(0, 1, 1)
                used += time.process_time() - began
                redis += cpu(client) - redis_before
            client.close()
            return used / CALLS * 1e6, redis / CALLS * 1e6
    finally:
        keys.use_buckets(keys.USUAL_BUCKETS)


def queues_over(number: int) -> tuple[float, float]:
    """Return the µs per job of the busiest Redis and of all of them, for its way through the queue and a worker."""
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(number + 1)]
        tables, *servers = [stack.enter_context(EmbeddedRedis(folder)) for folder in folders]
        redises = [queue_client(server.url) for server in servers]
        parts = queues_of(redises, wall_clock)
        store = Tables(RedisTableStore(command_client(tables.url)))
        before = [cpu(redis) for redis in redises]
        queues = SeveralQueues(parts)
        for job in range(JOBS):
            # There are no such tables, so the job has nothing to do.
            queues.enqueue(f"tb_{job}", 1, PEOPLE)
        for server, part in zip(servers, parts, strict=True):
            worker = Worker(queue_client(server.url, blocking=True), store, threading.Event(), part)
            worker.work(burst=True, logging_level="ERROR")
        used = [cpu(redis) - was for redis, was in zip(redises, before, strict=True)]
        return max(used) / JOBS * 1e6, sum(used) / JOBS * 1e6


def ways(processes: int) -> dict[str, tuple[float, ...]]:
    """Return the µs of both ways, measured alternately: the minimum of each figure."""
    now = redis_tables.APPEND
    runs: dict[str, list[tuple[float, ...]]] = {"one channel": [], "a channel each": []}
    try:
        for _ in range(ROUNDS):
            redis_tables.APPEND = OneChannel()
            runs["one channel"].append(wake_ups(one_channel, processes))
            redis_tables.APPEND = now
            runs["a channel each"].append(wake_ups(a_channel_each, processes))
    finally:
        redis_tables.APPEND = now
    return {way: tuple(map(min, zip(*figures, strict=True))) for way, figures in runs.items()}


def main() -> None:
    """Measure and print."""
    print(f"{APPENDS} appends to {TABLES} tables, each of which has streams in {INTERESTED} processes.")
    measured = {processes: ways(processes) for processes in PROCESSES}
    report.table(
        ("µs of CPU for each append", "who appends", "Redis", "all API processes"),
        (
            (f"{processes} API processes, {way}", *(f"{figure:,.0f}" for figure in figures))
            for processes, both in measured.items()
            for way, figures in both.items()
        ),
    )
    least, most = (sum(measured[processes]["a channel each"]) for processes in (min(PROCESSES), max(PROCESSES)))
    report.aim("of an append and its wake-ups with 32 processes, times that with 2", most / least, at_most=1.1)
    report.aim("of an append that wakes nobody, times that on one channel", alone(), at_most=1.02)
    looks = {
        (buckets, every_bucket, written): looking(buckets, every_bucket=every_bucket, written=written)
        for buckets in BUCKETS
        for every_bucket, written in ((True, 0), (False, 0), (False, WRITTEN))
    }
    report.table(
        ("µs of CPU for a look for due tables", "every bucket: clock", "Redis", "what has changed: clock", "Redis "),
        (
            (
                f"{buckets} buckets, {written} appends since the last look",
                *(f"{figure:,.0f}" for figure in (*looks[buckets, True, 0], *looks[buckets, False, written])),
            )
            for buckets in BUCKETS
            for written in (0, WRITTEN)
        ),
    )
    idle = [sum(looks[buckets, False, 0]) for buckets in (max(BUCKETS), min(BUCKETS))]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    jobs = {number: queues_over(number) for number in QUEUES}
    report.table(
        ("µs of CPU for each job", "the busiest Redis", "all Redis of the queues"),
        ((f"{number} Redis", *(f"{figure:,.0f}" for figure in figures)) for number, figures in jobs.items()),
    )
    report.aim("of a look at 1,024 buckets, times that at 16", idle[0] / idle[1], at_most=1.5)


if __name__ == "__main__":
    main()
