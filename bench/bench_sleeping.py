"""Cost of tables that sleep: their space, how they are read and woken, and the clock beside 100,000 of them.

    python -m bench.bench_sleeping [--few 1000] [--many 100000] [--batches 15]

Tables by correspondence in the middle of a round, with standing orders on all seats; the baseline is the same table
awake. For the clock, copies of one sleeping table lie in two servers, few and many; batches alternate between them. CPU
is that of the caller and of Redis. The list of tables is asked of the API in this process.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bench import report
from bench.bench_days import all_orders
from harness.driver import Driver
from service.api.http.auth import hash_of, new_salt, token_of
from service.app import build
from service.common import logs
from service.common.settings import Budget, Settings
from service.game.views.ai_view import ai_view
from service.jobs.queues import Queues
from service.jobs.worker_status import Heartbeat
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from service.store.connections.clients import command_client
from service.store.connections.opening import open_tables
from service.store.redis_tables import RedisTableStore
from service.store.shared_clock import wall_clock
from service.store.stores import Stores
from workers.clock import Clock, Part

HOUR_MS: Final = 3_600_000
DAYS: Final = {"correspondence": {"decision_hours": 72}}
#: Rounds that are over when memory is measured, and cards played in the next one.
ROUNDS: Final = (0, 1, 3, 7)
PLAYED: Final = 50
CALLS: Final = 40
#: Tables of an account.
OWN: Final = 200


class Slow:
    """A slow table in a store, in the middle of a round.

    Args:
        stores: where it lies.
        table: its id.
        rounds: rounds that are over.
        players: the ids of its players.
    """

    def __init__(self, stores: Stores, table: str, rounds: int = 0, ruleset: str = "shengji", players: int = 4) -> None:
        self._stores, self.table, self.version = stores, table, 0
        self._rng = random.Random(rounds)
        self.driver = Driver(ruleset, players, clock_settings=DAYS, kind="human", claims=True, seed=rounds)
        self.driver.on_step = self._keep
        self._keep(self.driver)
        for _ in self.driver.rounds(rounds):
            self.driver.now += self._rng.randrange(HOUR_MS)
        while not self._is_far():
            self.driver.now += self._rng.randrange(8 * HOUR_MS)
            self.driver.step()
        for seat in range(players):
            view = ai_view(self.driver.state, seat, self.driver.now)
            orders = {"player": f"p{seat}", "game": view["game"]["id"], "round": 1, "set_at": self.driver.now}
            stores.orders.put(table, seat, {**orders, "orders": all_orders(view)})  # type: ignore[typeddict-item]

    def _is_far(self) -> bool:
        of = self.driver.state["round"]
        return of is not None and sum(of["played"]) >= PLAYED and of["trick"] is not None

    def _keep(self, driver: Driver) -> None:
        events = driver.log[self.version :]
        if events:
            state = {**driver.state, "id": self.table}
            wake_at = wall_clock() + 72 * HOUR_MS
            self._stores.tables.append(self.table, self.version, events, state, wake_at=wake_at)
            self.version = len(driver.log)
            self._stores.tables.tidy(1)

    def act(self) -> None:
        """Append a play."""
        self.driver.step()


def space(client: Any, stores: Stores) -> None:
    """Measure the KB of tables, awake and asleep, and print them."""
    rows, first = [], 0.0
    games = [("shengji", 4, rounds) for rounds in ROUNDS] + [("zhaopengyou", 8, 0)]
    for ruleset, players, rounds in games:
        client.flushdb()
        slow = Slow(stores, "tb_0123456789ab", rounds, ruleset, players)
        parts = (keys.head, keys.log, keys.old, keys.orders)
        awake = [client.memory_usage(key(slow.table), samples=0) or 0 for key in parts]
        assert [*stores.sleeping.put_to_sleep(0)] == [True]
        head = keys.head(slow.table)
        asleep, value = client.memory_usage(head, samples=0), client.hstrlen(head, "s")
        kb = [size / 1024 for size in (sum(awake), *awake, asleep, value)]
        rows.append([f"{ruleset} {players}, round {rounds + 1}", f"{slow.version:,}", *(f"{each:.1f}" for each in kb)])
        first = first or kb[-2]
    heads = ("KB of Redis for a table", "events", "awake", "state", "log", "older log", "orders", "asleep", "its value")
    report.table(heads, rows)
    report.aim("KB of a table that sleeps in the middle of its first round", first, at_most=4)


def measured(
    calls: dict[str, Callable[[], object]], before: Callable[[str], object], times: int
) -> dict[str, tuple[float, float]]:
    """Return the medians of the CPU of the caller and of the elapsed time (ms) of each call, of alternating ones."""
    cpu: dict[str, list[float]] = {name: [] for name in calls}
    elapsed: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(times):
        for name, call in calls.items():
            before(name)
            began, used = time.perf_counter(), time.process_time()
            call()
            cpu[name].append((time.process_time() - used) * 1e3)
            elapsed[name].append((time.perf_counter() - began) * 1e3)
    return {name: (statistics.median(cpu[name]), statistics.median(elapsed[name])) for name in calls}


def waking(client: Any, stores: Stores, batches: int) -> None:
    """Measure how long it takes to read, to wake and to put to sleep a table, and print it."""
    client.flushdb()
    slow, reader = Slow(stores, "tb_slow"), RedisTableStore(client, cached_tables=0)
    state = {**slow.driver.state, "id": slow.table}
    event = {"seq": 0, "type": "chat", "at": slow.driver.now, "round": 1, "by": "player", "data": {"text": "hello"}}

    def append() -> None:
        version = slow.version
        events = [{**event, "seq": version + 1}]
        reader.append(slow.table, version, events, {**state, "version": version + 1}, wake_at=None)
        slow.version += 1

    def before(name: str) -> None:
        if "asleep" in name:
            list(stores.sleeping.put_to_sleep(0))
        elif "put" not in name:
            list(stores.sleeping.wake_all())

    calls = {
        "load, awake": lambda: reader.load(slow.table),
        "load, asleep": lambda: reader.load(slow.table),
        "page of 20 events, awake": lambda: reader.events(slow.table, 40, 20),
        "page of 20 events, asleep": lambda: reader.events(slow.table, 40, 20),
        "append, awake": append,
        "append, asleep": append,
        "put to sleep": lambda: list(stores.sleeping.put_to_sleep(0)),
    }
    done = measured(calls, before, batches * CALLS // 3)
    rows = [(name, f"{cpu:.2f}", f"{elapsed:.2f}") for name, (cpu, elapsed) in done.items()]
    report.table(("ms", "CPU of the caller", "elapsed"), rows)


class Many:
    """A Redis with a number of sleeping tables.

    Args:
        stack: stops the server.
        folder: for the data of the server.
        count: number of tables.
    """

    def __init__(self, stack: ExitStack, folder: Path, count: int) -> None:
        server = stack.enter_context(EmbeddedRedis(folder))
        self.url, self.count = server.url, count
        self._redis: Any = command_client(server.url)
        self._now = wall_clock()
        self.stores = Stores(self._redis, lambda: self._now)
        slow = Slow(self.stores, "tb_model0000000")
        assert [*self.stores.sleeping.put_to_sleep(0)] == [True]
        head = self._redis.hgetall(keys.head(slow.table))
        before = self._redis.info("memory")["used_memory"]
        for start in range(0, count, 1_000):
            pipeline = self._redis.pipeline(transaction=False)
            for number in range(start, start + 1_000):
                name = f"tb_{number:012d}"
                pipeline.hset(keys.head(name), mapping=head)
                pipeline.pexpire(keys.head(name), 86 * HOUR_MS)
                # Deadlines lie far apart, some soon.
                pipeline.zadd(keys.due(keys.bucket_of(name)), {name: self._now + (number + 1) * 72 * HOUR_MS // count})
            pipeline.execute()
        self.kb_each = (self._redis.info("memory")["used_memory"] - before) / count / 1024
        part = Part(Queues(self._redis, lambda: self._now), Heartbeat(self._redis, "clock", wall_clock))
        self._clock = Clock(self.stores.tables, [part], lambda: self._now)
        self.calls: dict[str, tuple[int, Callable[[], object]]] = {
            "PING": (CALLS, self._redis.ping),
            "look of the clock, none due": (CALLS, self._clock.tick),
            "look of the clock after an append": (CALLS, self._look_after_append),
            "start of a clock: checks and first look": (1, self._start),
            "a look which tables may sleep": (1, lambda: [*self.stores.sleeping.put_to_sleep(HOUR_MS)]),
        }

    def _look_after_append(self) -> None:
        name = f"tb_{random.randrange(self.count):012d}"
        self._redis.zadd(keys.due(keys.bucket_of(name)), {name: self._now + 72 * HOUR_MS})
        self._clock.tick()

    def _start(self) -> None:
        assert open_tables(self.url, 16) == []
        tables = RedisTableStore(self._redis, cached_tables=0)
        tables.lease_due(self._now, 3_000, 200)
        tables.overdue(self._now)
        tables.wake(self._now)
        tables.close()

    def batch(self, call: str) -> tuple[float, float]:
        """Make a call some times; return its CPU time (µs) in this process and in the server."""
        times, do = self.calls[call]
        here, there = time.process_time(), self._cpu()
        for _ in range(times):
            do()
        return (time.process_time() - here) / times * 1e6, (self._cpu() - there) / times * 1e6

    def _cpu(self) -> float:
        used = self._redis.info("cpu")
        return float(used["used_cpu_user"] + used["used_cpu_sys"])


def looks(few: int, many: int, batches: int) -> None:
    """Measure the clock beside few and many sleeping tables, and print it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sizes = [Many(stack, folder / str(count), count) for count in (few, many)]
        spent: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for batch in range(batches + 1):
            for call in sizes[0].calls:
                for size in sizes:
                    figures = size.batch(call)
                    if batch:  # the first one only warms up
                        spent.setdefault((call, size.count), []).append(figures)
        memory = {size.count: size.kb_each for size in sizes}
    cost = {key: [statistics.median(each) for each in zip(*figures, strict=True)] for key, figures in spent.items()}
    names = list(dict.fromkeys(call for call, _ in cost))
    report.table(
        ("CPU µs, asking + Redis", *(f"{count:,} asleep" for count in memory)),
        ((call, *("{:.0f} + {:.0f}".format(*cost[call, count]) for count in memory)) for call in names),
    )
    report.table(
        ("", *(f"{count:,} asleep" for count in memory)),
        [("KB of Redis for a table", *(f"{each:.2f}" for each in memory.values()))],
    )
    for call in names[1:4]:
        report.aim(f"times the CPU of {few:,}: {call}", sum(cost[call, many]) / sum(cost[call, few]), at_most=1.3)
    report.aim(f"KB of Redis for each of {many:,} tables, with its place in the clock", memory[many], at_most=4)


def account(batches: int) -> None:
    """Measure the list of tables of an account with many slow ones, and print it."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        client = command_client(redis.url)
        stores = Stores(client)
        settings = Settings(redis_url=redis.url, log_level="error", limit_read=Budget(0, 60))
        logs.configure(settings)
        http, token = build(settings).test_client(), token_of("p0", new_salt())
        lin = {"id": "p0", "name": "Lin", "kind": "human", "locale": "en", "created_at": 0}
        stores.players.create(lin, hash_of(token))  # type: ignore[arg-type]
        for number in range(OWN):
            table = f"tb_{number:012d}"
            Slow(stores, table)
            stores.players.add_table("p0", table, number)

        def ask() -> None:
            answer = http.get("/v1/me/tables", headers={"Authorization": f"Bearer {token}"})
            assert answer.json is not None, answer
            assert len(answer.json["items"]) == OWN, answer.json

        ask()
        put = {"awake": stores.sleeping.wake_all, "asleep": lambda: stores.sleeping.put_to_sleep(0)}
        done = measured(dict.fromkeys(put, ask), lambda name: list(put[name]()), batches)
        client.close()
    rows = [(name, f"{cpu:.0f}", f"{elapsed:.0f}") for name, (cpu, elapsed) in done.items()]
    report.table((f"ms of `GET /v1/me/tables`, {OWN} slow tables", "CPU", "elapsed"), rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--batches", type=int, default=15)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedRedis(Path(folder)) as server,
    ):
        client = command_client(server.url)
        stores = Stores(client)
        space(client, stores)
        waking(client, stores, options.batches)
    account(options.batches)
    looks(options.few, options.many, options.batches)


if __name__ == "__main__":
    main()
