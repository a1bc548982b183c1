"""Cost of the store: an append and a load of a real 12 KB state, compared with SET and GET of the same bytes.

    python -m bench.bench_store

CPU of the client and elapsed time per call in µs, medians of alternating batches, on a separate Redis. Also encoding
and decoding the state, and claiming due tables with and without any.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import report
from harness.driver import Driver
from service.embedded_redis import EmbeddedRedis
from service.store import codec, keys
from service.store.clients import command_client
from service.store.redis_store import redis_stores

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


def main() -> None:
    """Measure and print."""
    state = a_state()
    snapshot, setup = codec.encode_state(state), codec.encode_setup(state)
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        client = command_client(server.url)
        tables, players, *_ = redis_stores(client)
        players.create({"id": "pl_a", "name": "A"}, "hash")
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
                "player by token": lambda: players.by_token("hash"),
                "claim_due, none due": lambda: tables.claim_due(1, 1000, 100),
                "claim_due, 1 due": lambda: tables.claim_due(2, 0, 100),
            }
        )
        memory = client.memory_usage(keys.log("tb_a"), samples=0)
    print(f"A state of {len(snapshot):,} bytes; {BATCHES} x {BATCH} calls each, medians.")
    rows = ((name, f"{cpu:.0f}", f"{elapsed:.0f}") for name, (cpu, elapsed) in figures.items())
    report.table(("µs", "CPU of the caller", "elapsed"), rows)
    bare = figures["bare SET 9 KB"][1] + figures["bare GET 9 KB"][1]
    ours = figures["append 2 events"][1] + figures["load"][1]
    print(f"An append and a load take {ours / bare:.2f} times as long as SET and GET.")
    print(f"The log takes {memory / version:.0f} bytes an event.")


if __name__ == "__main__":
    main()
