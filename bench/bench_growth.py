"""Growth: what wake-ups cost with many API processes, and what looking for due tables costs with many buckets.

    python -m bench.bench_growth

Processor time, so that a busy machine matters little. Wake-ups: as it is, on one channel that every process reads;
and on a channel for each table, of which a process reads those that it holds streams of. Buckets: the round trip that
the clock makes twenty times a second.
"""

import multiprocessing
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from bench import report
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from service.store.connections.clients import command_client, listening_client
from service.store.live import Announcements
from service.store.redis_tables import RedisTableStore

MESSAGES = 2_000
TABLES = 200
#: Each table has streams in so many processes.
INTERESTED = 2
PROCESSES = (2, 8)
BUCKETS = (16, 64, 256, 1_024)
CALLS = 300


def tables_of(number: int, processes: int) -> list[str]:
    """Return the tables that a process holds streams of."""
    return [f"tb_{n}" for n in range(TABLES) if number in {(n + shift) % processes for shift in range(INTERESTED)}]


class Followers:
    """The part of an API process that is woken: it looks whether it holds streams of the table."""

    def __init__(self, tables: list[str]) -> None:
        self.versions = dict.fromkeys(tables, 0)
        self.is_subscribed = threading.Event()

    def announced(self, table: str, version: int) -> None:
        """Note the version of a table that has streams here."""
        if table in self.versions:
            self.versions[table] = version

    def missed(self) -> None:
        """Note that the channel is open: so the reader says after it has subscribed."""
        self.is_subscribed.set()

    def revoked(self, player: str) -> None:
        """Do nothing."""

    def news(self, player: str, token: str, number: str) -> None:
        """Do nothing."""


def one_channel(url: str, number: int, processes: int, ready: Event, stop: Event, spent: Any) -> None:
    """Be an API process that reads the channel of all tables."""
    announcements, followers = Announcements(listening_client(url)), Followers(tables_of(number, processes))
    announcements.listen(followers)
    assert followers.is_subscribed.wait(10)
    began = time.process_time()
    ready.set()
    stop.wait()
    spent.value = time.process_time() - began
    announcements.close()


def a_channel_each(url: str, number: int, processes: int, ready: Event, stop: Event, spent: Any) -> None:
    """Be an API process that subscribes to its tables alone."""
    with listening_client(url).pubsub() as channel:  # type: ignore[union-attr]
        channel.subscribe(*(f"{keys.LIVE}:{table}" for table in tables_of(number, processes)))
        while channel.get_message(timeout=0.5) is not None:
            pass
        began = time.process_time()
        ready.set()
        while not stop.is_set():
            channel.get_message(timeout=0.25)
        spent.value = time.process_time() - began


def wake_ups(process: Callable[..., None], processes: int, channel_of: Callable[[str], str]) -> tuple[float, float]:
    """Return µs of Redis and of all API processes together for each wake-up."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        stop = context.Event()
        started = [(context.Event(), context.Value("d", 0.0)) for _ in range(processes)]
        children = [
            context.Process(target=process, args=(server.url, number, processes, ready, stop, spent))
            for number, (ready, spent) in enumerate(started)
        ]
        for child in children:
            child.start()
        for ready, _ in started:
            ready.wait(60)
        client = command_client(server.url)
        before = cpu(client)
        for number in range(MESSAGES):
            table = f"tb_{number % TABLES}"
            client.publish(channel_of(table), f"{table} {number}")
        time.sleep(1.0)
        used = cpu(client) - before
        stop.set()
        for child in children:
            child.join(30)
        client.close()
        return used / MESSAGES * 1e6, sum(spent.value for _, spent in started) / MESSAGES * 1e6


def cpu(client: Any) -> float:
    """Return seconds of processor time that Redis has used."""
    info = client.info("cpu")
    return float(info["used_cpu_user"]) + float(info["used_cpu_sys"])


def looking(buckets: int) -> tuple[float, float]:
    """Return µs of the clock and of Redis for one look at all buckets, none of them with due tables."""
    kept = keys.BUCKETS
    keys.BUCKETS = buckets  # type: ignore[misc]
    try:
        with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
            client = command_client(server.url)
            store = RedisTableStore(client)
            store.claim_due(0, 1, 1)
            before, began = cpu(client), time.process_time()
            for _ in range(CALLS):
                store.claim_due(0, 1, 1)
            used = (time.process_time() - began) / CALLS * 1e6, (cpu(client) - before) / CALLS * 1e6
            client.close()
            return used
    finally:
        keys.BUCKETS = kept  # type: ignore[misc]


def main() -> None:
    """Measure and print."""
    rows = []
    for processes in PROCESSES:
        one = wake_ups(one_channel, processes, lambda _: keys.LIVE)
        each = wake_ups(a_channel_each, processes, lambda table: f"{keys.LIVE}:{table}")
        rows.append((str(processes), *(f"{figure:,.0f}" for figure in (*one, *each))))
    print(f"\n{MESSAGES} wake-ups of {TABLES} tables, each of which has streams in {INTERESTED} processes.")
    heads = ("CPU µs for each wake-up, API processes", "one channel: Redis", "all processes")
    report.table((*heads, "a channel each: Redis", "all processes "), rows)
    looks = [(str(buckets), *(f"{figure:,.0f}" for figure in looking(buckets))) for buckets in BUCKETS]
    report.table(("CPU µs for a look at all buckets", "clock", "Redis"), looks)


if __name__ == "__main__":
    main()
