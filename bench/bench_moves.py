"""Cost of a move of an AI seat in a worker, step by step, without the job queue.

    python -m bench.bench_moves [--moves 1200]

Tables with only AI seats are advanced in turn by one process with its own Redis, like by a worker without cached
tables. Figures are CPU time of this process; the baseline is a `PING`, of which a move needs two: for loading and
appending. `bench_tables` shows the cost of the same move with the queue, the clock and Redis.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from bench import report
from bench.servers import SLOW_CLOCK
from service.game.commands.ai_moves import seed_for
from service.game.commands.decide import decide_for_ai
from service.game.state import clock
from service.game.views.ai_view import ai_view
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.port import TableStore
from service.store.redis_tables import RedisTableStore
from service.tables import Tables
from service.tables.writing import LIFETIMES, queue_for
from workers import ai

TABLES: Final = 8
_T = TypeVar("_T")


class Stopwatch:
    """Sums up the CPU time of steps by name."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = defaultdict(list)

    def time(self, name: str, step: Callable[[], _T]) -> _T:
        began = time.process_time()
        result = step()
        self.spent[name].append(time.process_time() - began)
        return result


def crowd(tables: Tables, level: str) -> list[str]:
    """Create tables with only AI seats, and return their ids."""
    spec = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "clock": SLOW_CLOCK}
    names = [str(tables.create({"id": "pl_crowd"}, {**spec, "ai_pace_ms": 0}).state["id"]) for _ in range(TABLES)]
    for name in names:
        for seat in range(4):
            tables.act(name, {"type": "seat_ai", "player": "pl_crowd", "seat": seat, "level": level})
    return names


def move(store: TableStore, table: str, level: str, watch: Stopwatch) -> None:
    """Move the AI seat whose turn it is, as `service.tables.advancing` does."""
    now = int(time.time() * 1000)
    snapshot = watch.time("load", lambda: store.load(table))
    assert snapshot is not None
    state = snapshot.state
    seat = clock.ai_seats_asked(state)[0]
    view_of_seat = watch.time("view of the seat", lambda: ai_view(state, seat, now))
    command = watch.time("choice of the AI player", lambda: ai.choose(view_of_seat, seed_for(state, seat), level))
    decided = watch.time("decide and evolve", lambda: decide_for_ai(state, seat, command, now, os.urandom))

    def append() -> None:
        wake_at, ttl_ms, queue = clock.wake_at(decided.state), LIFETIMES["playing"], queue_for(decided.state)
        store.append(
            table, state["version"], decided.events, decided.state, wake_at=wake_at, ttl_ms=ttl_ms, queue=queue
        )

    watch.time("append", append)


def measure(moves: int, level: str) -> dict[str, float]:
    """Return the mean CPU time (µs) of each step over a number of moves."""
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        client = command_client(redis.url)
        names = crowd(Tables(RedisTableStore(client)), level)
        store = RedisTableStore(client)
        for number in range(moves):
            watch.time("PING", client.ping)
            move(store, names[number % TABLES], level, watch)
    return {name: 1e6 * statistics.mean(spent[moves // 10 :]) for name, spent in watch.spent.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=1200)
    options = parser.parse_args()
    figures = {level: measure(options.moves, level) for level in ("easy", "normal")}
    steps = [name for name in figures["easy"] if name != "PING"]
    rows = [("PING", *(f"{spent['PING']:.0f}" for spent in figures.values()))]
    rows += [(name, *(f"{spent[name]:.0f}" for spent in figures.values())) for name in steps]
    rows += [("a move", *(f"{sum(spent[name] for name in steps):.0f}" for spent in figures.values()))]
    report.table(("CPU µs of a move", *figures), rows)


if __name__ == "__main__":
    main()
