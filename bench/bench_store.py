"""Cost of the store: an append and a load of a real 12 KB state, compared with SET and GET of the same bytes.

    python -m bench.bench_store

CPU of the client and elapsed time per call in µs, medians of alternating batches, on a separate Redis. Also encoding
and decoding the state, leasing due tables with and without any, and the memory of a table over a game.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import report
from harness.driver import Driver
from service.processes.embedded_redis import EmbeddedRedis
from service.store import codec, keys
from service.store.connections.clients import command_client
from service.store.players.tokens import TokenStore
from service.store.redis_tables import RedisTableStore
from service.store.stores import Stores

#: Numbers of rounds of a game after which memory is measured.
ROUNDS = (1, 4, 8, 12)
BATCH = 200
BATCHES = 15


def a_state() -> dict[str, Any]:
    """Return a large state of a real table: twelve seats, far into a round."""
    driver = Driver("zhaopengyou", 12)
    while len(codec.encode_state(driver.state)) < 9_000:
        driver.step()
    return driver.state


def measured(calls: dict[str, Callable[[], object]]) -> dict[str, tuple[float, float]]:
    """Return CPU and elapsed µs per call of each."""
    cpu: dict[str, list[float]] = {name: [] for name in calls}
    elapsed: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(BATCHES):
        for name, call in calls.items():
            begin, used = time.perf_counter(), time.process_time()
            for _ in range(BATCH):
                call()
            cpu[name].append((time.process_time() - used) / BATCH * 1e6)
            elapsed[name].append((time.perf_counter() - begin) / BATCH * 1e6)
    return {name: (statistics.median(cpu[name]), statistics.median(elapsed[name])) for name in calls}


def game(client: Any, store: RedisTableStore) -> list[list[str]]:
    """Play a random game of `shengji`; return rows with the KB in Redis after some of its rounds.

    The indexes, which take the same space for every table, are not counted.
    """
    table, driver, stored = "tb_long", Driver("shengji", 4, seed=1), 0

    def keep(driver: Driver) -> None:
        nonlocal stored
        if len(driver.log) > stored:
            store.append(table, stored, driver.log[stored:], {**driver.state, "id": table}, wake_at=None)
            stored = len(driver.log)

    driver.on_step = keep
    rows = []
    for number, _ in enumerate(driver.rounds(max(ROUNDS)), 1):
        # The clock does this every second, for one bucket after the other.
        for _ in range(2 * keys.buckets()):
            store.tidy(1)
        if number in ROUNDS:
            parts = [client.memory_usage(key(table), samples=0) or 0 for key in (keys.head, keys.log, keys.old)]
            figures = [f"{size / 1024:.1f}" for size in (sum(parts), *parts)]
            rows.append([f"round {number}", f"{stored:,}", *figures])
    return rows


def main() -> None:
    """Measure and print."""
    state = a_state()
    snapshot, setup = codec.encode_state(state), codec.encode_setup(state)
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        client = command_client(server.url)
        stores = Stores(client)
        tables, players = stores.tables, stores.players
        players.create({"id": "pl_a", "name": "A"}, "hash")
        tokens = TokenStore(client)
        tokens.find("hash", 1)
        version = 0

        def append() -> None:
            nonlocal version
            events = [
                {
                    "seq": version + n,
                    "type": "played",
                    "at": 1,
                    "round": 1,
                    "by": "player",
                    "data": {"seat": 1, "cards": [1] * 20},
                }
                for n in (1, 2)
            ]
            tables.append("tb_a", version, events, state, wake_at=2, listed=False)
            version += 2

        client.set("bare", snapshot)
        append()
        figures = measured(
            {
                "bare SET 9 KB": lambda: client.set("bare", snapshot),
                "bare GET 9 KB": lambda: client.get("bare"),
                "encode state": lambda: codec.encode_state(state),
                "decode state": lambda: codec.decode_state(snapshot, setup, "it"),
                "append 2 events": append,
                "load": lambda: tables.load("tb_a"),
                "events, page of 20": lambda: tables.events("tb_a", 0, 20),
                "player by token": lambda: tokens.find("hash"),
                "lease_due, none due": lambda: tables.lease_due(1, 1000, 100),
                "lease_due, 1 due": lambda: tables.lease_due(2, 0, 100),
            }
        )
        memory = client.memory_usage(keys.log("tb_a"), samples=0)
        rows_of_game = game(client, tables)
    print(f"A state of {len(snapshot):,} bytes; {BATCHES} x {BATCH} calls each, medians.")
    rows = ((name, f"{cpu:.0f}", f"{elapsed:.0f}") for name, (cpu, elapsed) in figures.items())
    report.table(("µs", "CPU of the caller", "elapsed"), rows)
    bare = figures["bare SET 9 KB"][1] + figures["bare GET 9 KB"][1]
    ours = figures["append 2 events"][1] + figures["load"][1]
    print(f"An append and a load take {ours / bare:.2f} times as long as SET and GET.")
    print(f"The log takes {memory / version:.0f} bytes an event.")
    report.table(("KB of Redis for a table after", "events", "in all", "state", "log", "older log"), rows_of_game)
    report.aim(f"KB of Redis for a table after {rows_of_game[-1][0]}", float(rows_of_game[-1][2]), at_most=40)


if __name__ == "__main__":
    main()
