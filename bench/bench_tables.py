"""Cost of tables: scaling from 10 to 5,000 tables, AI tables per core, and people next to many AI tables.

    python -m bench.bench_tables [--crowd 1000] [--seconds 15] [--batches 12]

Scaling is measured on four Redis servers with different numbers of tables in the middle of a game. Batches alternate
between them, so that the load of the machine is the same for all. The figures are CPU time of the client and of Redis,
for a tick of the clock and for an action; the baseline is a `PING`. The rest uses the service as processes: one worker,
one clock, Redis. A bot plays the person at a table with three AI seats, and calls the use cases like the API.
"""

import argparse
import statistics
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any, Final

from bench import report
from bench.servers import SLOW_CLOCK, answer, cpu_of, percentile, seat_bots
from harness.driver import Driver
from harness.processes import RunningService
from harness.wakes import Wakes
from service.game.state.clock import ai_seats_asked
from service.jobs.queues import AI, HEAVY, LEASE_MS, QUEUES, Queues
from service.jobs.worker_status import LATENESS, Heartbeat, read
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from service.store.connections.clients import command_client, queue_client
from service.store.live import Announcements
from service.store.redis_tables import RedisTableStore
from service.store.stores import Stores
from service.tables import Tables, wall_clock
from workers.clock import Clock, Part

SIZES: Final = (10, 100, 1_000, 5_000)
#: Calls per batch, and number of due tables for the clock to find.
CALLS: Final = 50
DUE: Final = 10
#: Progress of the games that are copied: rounds played, and further steps.
STANDS: Final = tuple((rounds, 15 * rounds + 10) for rounds in range(6))
#: Measured numbers of AI tables: few, and about as many as a core has to serve, since more tables share more jobs.
#: Milliseconds per move: the default.
TABLES: Final = (40, 200)
PACE_MS: Final = 600
#: Number of tables with a person, and milliseconds that their AI seats take for a move: none, and the default.
WITH_PEOPLE: Final = 6
PACES: Final = (0, PACE_MS)
#: Seconds within which an AI seat must move under any load.
PATIENCE_S: Final = 30


# --- growth ------------------------------------------------------------------------------------------------------


def models(client: Any) -> list[tuple[str, int]]:
    """Play and store the tables to copy, and return their names and versions."""
    store = RedisTableStore(client)
    tables = []
    for number, (rounds, steps) in enumerate(STANDS):
        name = f"tb_model{number:07d}"
        driver = Driver("shengji", 4, {"start_level": "2"}, seed=number)
        stored = 0

        def keep(driver: Driver, name: str = name) -> None:
            nonlocal stored
            if len(driver.log) > stored:
                state = {**driver.state, "id": name}
                store.append(name, stored, driver.log[stored:], state, wake_at=None)
                stored = len(driver.log)
                if stored % 10 == 0:
                    store.tidy(10)

        driver.on_step = keep
        for _ in driver.rounds(rounds):
            pass
        for _ in range(steps):
            driver.step()
        tables.append((name, stored))
    return tables


class Size:
    """A Redis with a number of tables, and others at which bots act.

    Args:
        stack: stops the server.
        folder: for the data of the server.
        count: number of tables.
    """

    def __init__(self, stack: ExitStack, folder: Path, count: int) -> None:
        server = stack.enter_context(EmbeddedRedis(folder))
        self.count = count
        self._redis: Any = command_client(server.url)
        self._now = wall_clock()
        store = RedisTableStore(self._redis)
        originals = models(self._redis)
        before = self._redis.info("memory")["used_memory"]
        for number, (model, _) in zip(range(count), cycle(originals), strict=False):
            self._copy(model, f"tb_{number:012d}")
        self.kb_each = (self._redis.info("memory")["used_memory"] - before) / count / 1024
        self._clock = Clock(
            store,
            [Part(Queues(self._redis, lambda: self._now), Heartbeat(self._redis, "clock", wall_clock))],
            lambda: self._now,
        )
        self._tables = Tables(store)
        self._commands = self._plays()
        self.calls: dict[str, Callable[[], object]] = {
            "PING": self._redis.ping,
            "look of the clock, none due": self._clock.tick,
            f"look of the clock, {DUE} due": self._look,
            "action": self._act,
        }

    def _copy(self, model: str, name: str) -> None:
        for key in (keys.log, keys.old):
            if (held := self._redis.dump(key(model))) is not None:
                self._redis.restore(key(name), 0, held)
        head = self._redis.hgetall(keys.head(model))
        head[b"s"] = head[b"s"].replace(model.encode(), name.encode())
        self._redis.hset(keys.head(name), mapping=head)
        for index in (keys.due, keys.owed):
            self._redis.zadd(index(keys.bucket_of(name)), {name: self._now + 3_600_000})

    def _plays(self) -> Iterator[dict[str, Any]]:
        while True:
            seated = seat_bots(self._tables, Stores(self._redis).players)
            for seat, body in seated.plays():
                yield {"type": "play", "player": seated.ids[seat], "table": seated.table, **body}

    def _act(self) -> None:
        command = next(self._commands)
        self._tables.act(command.pop("table"), command)

    def _look(self) -> None:
        assert self._clock.tick() == DUE

    def batch(self, call: str) -> tuple[float, float]:
        """Make a call many times; return its CPU time (µs) in this process and in the server."""
        times = CALLS if call != f"look of the clock, {DUE} due" else 1
        if times == 1:
            self._now += 2 * LEASE_MS
            for number in range(DUE):
                name = f"tb_{number:012d}"
                self._redis.zadd(keys.due(keys.bucket_of(name)), {name: self._now})
        here, there = time.process_time(), self._cpu()
        for _ in range(times):
            self.calls[call]()
        return (time.process_time() - here) / times * 1e6, (self._cpu() - there) / times * 1e6

    def _cpu(self) -> float:
        used = self._redis.info("cpu")
        return float(used["used_cpu_user"] + used["used_cpu_sys"])


def growth(batches: int) -> None:
    """Measure the cost for growing numbers of tables, and print it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sizes = [Size(stack, folder / str(count), count) for count in SIZES]
        spent: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
        for batch in range(batches + 1):
            for call in sizes[0].calls:
                for size in sizes:
                    figures = size.batch(call)
                    if batch:  # the first one only warms up
                        spent[call, size.count].append(figures)
        memory = {size.count: size.kb_each for size in sizes}
    cost = {
        key: tuple(statistics.median(figure) for figure in zip(*figures, strict=True)) for key, figures in spent.items()
    }
    report.table(
        ("CPU µs, asking + Redis", *(f"{count:,} tables" for count in SIZES)),
        (
            (call, *("{:.0f} + {:.0f}".format(*cost[call, count]) for count in SIZES))
            for call in dict.fromkeys(call for call, _ in cost)
        ),
    )
    report.table(
        ("", *(f"{count:,} tables" for count in SIZES)),
        [("KB of Redis for a table in play", *(f"{memory[count]:.1f}" for count in SIZES))],
    )
    for call in ("look of the clock, none due", f"look of the clock, {DUE} due", "action"):
        ratio = sum(cost[call, SIZES[-1]]) / sum(cost[call, SIZES[0]])
        report.aim(f"times the CPU at {SIZES[-1]:,} tables that it is at {SIZES[0]}: {call}", ratio, at_most=1.3)
    report.aim("KB of Redis for a table in play", max(memory.values()), at_most=40)


# --- AI tables ---------------------------------------------------------------------------------------------------


class Running:
    """The service as processes, with one worker and one clock, and tables created directly in its store."""

    def __init__(self, stack: ExitStack, searchers: int = 0) -> None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        extra = {"LOG_LEVEL": "info", "LOG_FORMAT": "json"}
        self._service = stack.enter_context(
            RunningService(folder, extra, servers=1, workers=1, clocks=1, searchers=searchers)
        )
        url = self._service.redis.url
        self._queues = queue_client(url)
        self._store = RedisTableStore(command_client(url))
        self.tables = Tables(self._store, enqueue=Queues(self._queues, wall_clock).enqueue)
        self.hub = Wakes(Announcements(command_client(url)))
        stack.callback(self.hub.close)

    def crowd(self, count: int, host: str = "pl_crowd{}") -> None:
        """Add tables with only AI seats, each with its own host unless one is given."""
        for number in range(count):
            self._table(PACE_MS, host.format(number), range(4))

    def _table(self, pace: int, host: str, ai: range) -> str:
        spec = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "clock": SLOW_CLOCK}
        table = str(self.tables.create({"id": host}, {**spec, "ai_pace_ms": pace}).state["id"])
        if ai.start:
            self.tables.act(table, {"type": "sit", "player": host, "name": "Bot", "kind": "bot", "seat": 0})
            self.tables.act(table, {"type": "ready", "player": host})
        for seat in ai:
            self.tables.act(table, {"type": "seat_ai", "player": host, "seat": seat, "level": "easy"})
        return table

    def pids(self) -> dict[str, list[int]]:
        """Return the process ids of worker, clock and Redis."""
        roles = {"worker": self._service.workers, "clock": self._service.clocks}
        running = {name: [process.popen.pid for process in those if process.popen] for name, those in roles.items()}
        return {**running, "Redis": [int((self._service.redis.folder / "redis.pid").read_text())]}

    def late(self) -> Counter[float]:
        """Return the histogram of the lateness of moves at AI tables, from the metrics.

        Includes the queue `heavy` of hosts over their share.
        """
        jobs_of = read(self._queues, self._store, QUEUES, wall_clock()).jobs
        return Counter(jobs_of[AI, LATENESS].counts) + Counter(jobs_of[HEAVY, LATENESS].counts)

    def answers(self, seconds: float) -> dict[int, list[float]]:
        """Return for each pace the times of AI seats to move after a person, beyond the pace (ms)."""
        came: dict[int, list[float]] = {pace: [] for pace in PACES}
        until = time.monotonic() + seconds
        threads = [
            threading.Thread(target=self._person, args=(pace, until, came[pace]))
            for pace in PACES
            for _ in range(WITH_PEOPLE if pace else 1)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return came

    def _person(self, pace: int, until: float, came: list[float]) -> None:
        """Play at a table with three AI seats, and record the time until the next AI seat has moved."""
        table = self._table(pace, "pl_person", range(1, 4))
        with self.hub.subscribe(table) as news:
            while time.monotonic() < until:
                state = self.tables.load(table)
                decision = state["decision"]
                if decision is None or 0 not in decision["seats"]:
                    news.wait(1)
                    continue
                began = time.perf_counter()
                ready = {"type": "ready", "player": "pl_person"}
                command = ready if decision["kind"] == "ready" else answer(state, ["pl_person"])
                state = self.tables.act(table, command).state
                if ai_seats_asked(state):
                    while news.version <= state["version"]:
                        assert news.wait(PATIENCE_S), "an AI seat does not move"
                    came.append((time.perf_counter() - began) * 1000 - pace)


def per_core(running: Running, tables: int, seconds: float) -> float:
    """Measure the cost of a number of tables with only AI seats, print it, and return how many a core could serve."""
    time.sleep(5)
    pids = running.pids()
    used, late = {name: cpu_of(pids[name]) for name in pids}, running.late()
    time.sleep(seconds)
    used, late = {name: cpu_of(pids[name]) - used[name] for name in pids}, running.late() - late
    jobs = late.total()
    report.table(
        (f"{tables} tables of AI seats, {PACE_MS} ms for a move", "CPU ms each", "share of a core", "tables per core"),
        (
            (
                name,
                f"{1000 * spent / jobs:.2f}",
                f"{100 * spent / seconds:.0f} %",
                f"{PACE_MS * jobs / (1000 * spent):.0f}",
            )
            for name, spent in [*used.items(), ("together", sum(used.values()))]
        ),
    )
    bounds = sorted(late)
    p95 = next(bound for bound in bounds if sum(late[one] for one in bounds if one <= bound) >= 0.95 * jobs)
    report.aim(f"s that 95 % of {jobs} AI moves were late at most", p95, at_most=1)
    return PACE_MS * jobs / (1000 * sum(used.values()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crowd", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--batches", type=int, default=12)
    options = parser.parse_args()
    growth(options.batches)
    with ExitStack() as stack:
        running = Running(stack)
        alone = running.answers(options.seconds)
        for before, tables in pairwise((0, *TABLES)):
            running.crowd(tables - before)
            served = per_core(running, tables, options.seconds)
        report.aim("tables of AI seats that a core serves, measured with the most", served, at_least=250)
        running.crowd(options.crowd - TABLES[-1], "pl_crowd")
        beside = running.answers(options.seconds)
    report.table(
        ("ms from a person's action to an AI seat's answer, beyond its pace", "answers", "p50", "p95", "worst"),
        (
            (
                f"{'at once' if pace == 0 else f'after {pace} ms'}, {name}",
                str(len(came[pace])),
                *(f"{percentile(came[pace], percent):.0f}" for percent in (50, 95, 100)),
            )
            for pace in PACES
            for name, came in (("alone", alone), (f"beside {options.crowd:,} AI tables", beside))
        ),
    )
    for pace in PACES:
        more = percentile(beside[pace], 95) - percentile(alone[pace], 95)
        how = "at once" if pace == 0 else f"after {pace} ms"
        report.aim(f"ms that the crowd adds at p95 to answers {how}", more, at_most=250)


if __name__ == "__main__":
    main()
