"""Lateness of the clock: how late timeouts are applied, with workers running and after killing them.

    python -m bench.bench_clock [--tables 120] [--seconds 30] [--kills 3]

The whole service runs as processes: an API, two workers, two clocks, Redis. At every table four bots never answer and
have three seconds per play, including grace; a bot whose seat was taken over by an AI resumes at once. A subscriber
records when the store announces the action taken for a seat, and compares that with the seat's time limit. The
baseline, in the same run, is a thread that only checks the same time limits every 50 ms, like the clock: its lateness
is caused by the machine.
"""

import argparse
import heapq
import queue
import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Self

from bench import report
from bench.servers import SLOW_CLOCK, cpu_of, percentile, seat_bots
from harness.processes import RunningService, ServiceProcess
from service.game.state.clock import times_out_at
from service.game.state.queries import ai_level
from service.game.state.types import State
from service.jobs.queues import LEASE_MS
from service.store.connections.clients import command_client, listening_client
from service.store.stores import Stores
from service.tables import Tables, wall_clock
from workers.clock import TICK_S

PLAY_MS, GRACE_MS = 2_500, 500
#: Seconds between kills; a decision counts for a kill if its time limit was at most that long before it.
APART_S, BEFORE_S = 10.0, 1.0
#: Seconds for which workers are paused before they are killed, so that jobs pile up, and for which they then run, so
#: that they are killed during one.
STOPPED_S, BUSY_S = 0.4, 0.02
#: Interval at which the threads check whether to end (s).
LOOK_S = 0.25


class Late(NamedTuple):
    """A decision that timed out: its time limit (ms since the epoch), and lateness of the timeout (ms)."""

    limit: int
    ms: float


class Watch:
    """Records the lateness of timeouts, and lets bots resume whose seats were taken over.

    Args:
        url: URL of the Redis of the tables.
    """

    def __init__(self, url: str, tables: Tables) -> None:
        self.late: list[Late] = []
        self.bare: list[Late] = []
        self._tables = tables
        self._limits: dict[str, int] = {}
        self._versions: dict[str, int] = {}
        self._ahead: list[int] = []
        self._announced: queue.SimpleQueue[tuple[float, str, int]] = queue.SimpleQueue()
        self._channel = listening_client(url).pubsub()
        self._channel.psubscribe("sj:{*}:*:live")
        self._over = threading.Event()
        self._threads = [threading.Thread(target=run) for run in (self._listen, self._follow, self._tick)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def know(self, state: State) -> None:
        """Record the time limit of a table's open decision."""
        self._versions[state["id"]] = state["version"]
        limit = times_out_at(state)
        if limit is not None:
            self._limits[state["id"]] = limit
            heapq.heappush(self._ahead, limit)

    def overdue(self) -> int:
        """Return the number of tables whose open decision has been overdue for a second."""
        return sum(limit < wall_clock() - 1000 for limit in list(self._limits.values()))

    def _listen(self) -> None:
        while not self._over.is_set():
            message = self._channel.get_message(timeout=LOOK_S)
            if message is not None and message["type"] == "pmessage":
                table, version = message["data"].decode().split()
                self._announced.put((time.time() * 1000, table, int(version)))

    def _follow(self) -> None:
        while not self._over.is_set():
            try:
                came, table, version = self._announced.get(timeout=LOOK_S)
            except queue.Empty:
                continue
            if version <= self._versions.get(table, version):
                continue
            limit = self._limits.pop(table, None)
            if limit is not None:
                self.late.append(Late(limit, came - limit))
            state = self._tables.load(table)
            for seat, place in enumerate(state["seats"]):
                if ai_level(state, seat) is not None:
                    state = self._tables.act(table, {"type": "resume", "player": place["occupant"]["player"]}).state
            self.know(state)

    def _tick(self) -> None:
        while not self._over.wait(TICK_S):
            now = time.time() * 1000
            while self._ahead and self._ahead[0] <= now:
                limit = heapq.heappop(self._ahead)
                self.bare.append(Late(limit, now - limit))


def row(name: str, late: Sequence[Late]) -> list[str]:
    """Return a row of the report."""
    figures = [decision.ms for decision in late]
    return [name, str(len(figures)), *(f"{percentile(figures, percent):.0f}" for percent in (50, 95, 99, 100))]


def all_alive(redis: Any, processes: Sequence[ServiceProcess]) -> bool:
    """Return whether all these processes have sent a heartbeat."""
    names = [name.decode() for role in ("worker", "clock") for name in redis.zrange(f"sj:alive:{role}", 0, -1)]
    return all(any(f":{process.popen.pid}:" in name for name in names) for process in processes if process.popen)


def around_kills(
    processes: Sequence[ServiceProcess], kills: int, watch: Watch, redis: Any, starts: list[float]
) -> list[Late]:
    """Kill processes during their work and restart them, several times; return the decisions that timed out then.

    `starts` collects the durations of the restarts (s).
    """
    around: list[Late] = []
    for _ in range(kills):
        for process in processes:
            process.send(signal.SIGSTOP)
        time.sleep(STOPPED_S)
        for process in processes:
            process.send(signal.SIGCONT)
        time.sleep(BUSY_S)
        at = wall_clock()
        for process in processes:
            process.send(signal.SIGKILL)
        for process in processes:
            process.kill()
        for process in processes:
            process.start()
        started = time.monotonic()
        while not all_alive(redis, processes):
            time.sleep(TICK_S)
        starts.append(time.monotonic() - started)
        time.sleep(APART_S)
        assert not watch.overdue(), "a table stands still"
        around += [each for each in list(watch.late) if at - BEFORE_S * 1000 <= each.limit <= at + APART_S * 500]
    return around


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(RunningService(folder, {"LOG_LEVEL": "info", "LOG_FORMAT": "json"}, servers=1))
        redis = command_client(service.redis.url)
        stores = Stores(redis)
        tables = Tables(stores.tables)
        watch = stack.enter_context(Watch(service.redis.url, tables))
        clock = {**SLOW_CLOCK, "play_ms": PLAY_MS, "grace_ms": GRACE_MS}
        for _ in range(options.tables):
            watch.know(seat_bots(tables, stores.players, clock).state)
        time.sleep((PLAY_MS + GRACE_MS) / 1000)
        roles: dict[str, Any] = {"workers": service.workers, "clocks": service.clocks}
        pids = {name: [process.popen.pid for process in processes] for name, processes in roles.items()}
        pids["Redis"] = [int((service.redis.folder / "redis.pid").read_text())]
        for late in (watch.late, watch.bare):
            late.clear()
        used = {name: cpu_of(pids[name]) for name in pids}
        time.sleep(options.seconds)
        used = {name: cpu_of(pids[name]) - used[name] for name in pids}
        alive, bare = list(watch.late), list(watch.bare)
        starts: list[float] = []
        killed = around_kills(service.workers, options.kills, watch, redis, starts)
        both = around_kills([*service.workers, *service.clocks], options.kills, watch, redis, starts)
    print(f"{options.tables} tables of four who never answer, 2 workers, 2 clocks; {options.kills} kills each.")
    print(f"A job that died with its worker comes again after {LEASE_MS / 1000:g} s. What was killed was", end=" ")
    print(f"there again after {', '.join(f'{start:.1f}' for start in starts)} s.")
    report.table(
        ("ms late", "decisions", "p50", "p95", "p99", "worst"),
        (
            row("bare thread, every 50 ms", bare),
            row("workers alive", alive),
            row("every worker killed and started again", killed),
            row("every worker and clock killed and started again", both),
        ),
    )
    report.table(
        ("with workers alive", "CPU ms a decision", "share of a core"),
        (
            (name, f"{1000 * spent / len(alive):.2f}", f"{100 * spent / options.seconds:.1f} %")
            for name, spent in used.items()
        ),
    )
    report.aim("s late at p99, workers alive", percentile([each.ms for each in alive], 99) / 1000, at_most=1.5)
    worst = max(each.ms for each in killed)
    report.aim("s late at worst, every worker killed and started again", worst / 1000, at_most=5)


if __name__ == "__main__":
    main()
