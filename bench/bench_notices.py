"""Latency of notices, from the decision to the request, with many subscriptions and hanging receivers.

    python -m bench.bench_notices [--subscriptions 10000] [--rate 500] [--hanging 100] [--seconds 20] [--messengers 2]

There are two messengers, as with compose. Tables have a bot with a webhook on each of four seats; a decision is opened
at each of them in turn. A latency is the time from just before the append that opens a decision until its receiver has
read the request. Hanging receivers read the request but do not answer.
"""

import argparse
import asyncio
import contextlib
import copy
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from bench import report
from bench.servers import cpu_of, percentile, seat_bots
from harness.notices import SEATS, opened, subscribe
from service.game.state.types import State
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.notices.scans import ScanSchedule
from service.store.stores import Stores
from service.tables import Tables

#: Timeout of pending requests at the end (s).
PATIENCE_S = 5.0


def receive(pipe: Connection) -> None:
    """Run all receivers: note when each decision arrives, and never answer `/hang`."""
    arrived: dict[tuple[bytes, bytes], float] = {}
    pattern = re.compile(rb'"table":"(\w+)".*?"decision_id":"(dc_\d+)"')

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
        notice = pattern.search(await reader.readexactly(length))
        now = time.time()
        if head.startswith(b"POST /hang"):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
        elif notice is not None:
            arrived.setdefault((notice[1], notice[2]), now)
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=4_096)
        pipe.send(server.sockets[0].getsockname()[1])
        while not pipe.poll():
            await asyncio.sleep(0.05)
        pipe.send(arrived)

    asyncio.run(run())


def players_of(number: int) -> list[str]:
    """Return the ids of the players of a table."""
    return [f"pl_{number:08d}{seat}" for seat in range(SEATS)]


def open_tables(stores: Stores, tables: int) -> list[State]:
    """Store a number of tables at which bots sit and nobody is asked; return their states."""
    first = seat_bots(Tables(stores.tables), stores.players)
    template, states = Tables(stores.tables).load(first.table), []
    for number in range(tables):
        state = copy.deepcopy(template)
        state["id"] = f"tb_{number:012d}"
        for seat, player in zip(state["seats"], players_of(number), strict=True):
            assert seat["occupant"] is not None
            seat["occupant"]["player"] = player
            stores.players.create({"id": player, "name": "Bot", "kind": "bot", "locale": "en", "created_at": 0}, player)
        state["version"] = 1
        at = time.time_ns() // 1_000_000
        start = {"seq": 1, "type": "chat", "at": at, "round": None, "by": "player", "data": {"text": "first"}}
        state["decision"] = None
        stores.tables.append(state["id"], 0, [start], state, wake_at=None)  # type: ignore[list-item]
        states.append(state)
    return states


class Run(NamedTuple):
    """Decisions that were opened.

    Attributes:
        sent: (table, decision) -> when it was opened (s since 1970), for bots whose receivers answer.
        took: how long all of them took (s).
        late: by how much one was opened too late, at most (s).
    """

    sent: dict[tuple[bytes, bytes], float]
    took: float
    late: float


def open_decisions(stores: Stores, states: list[State], count: int, rate: float, hanging: int) -> Run:
    """Open decisions at each of the tables in turn, at a rate per second; receivers of the first tables hang."""
    began, late, sent = time.monotonic(), 0.0, {}
    for number in range(count):
        at = number % len(states)
        due = began + number / rate
        if (left := due - time.monotonic()) > 0:
            time.sleep(left)
        late = max(late, time.monotonic() - due)
        event, states[at] = opened(states[at], number // len(states))
        table, decision = states[at]["id"], states[at]["decision"]
        assert decision is not None
        if at >= hanging:
            sent[table.encode(), decision["id"].encode()] = time.time()
        stores.tables.append(table, event["seq"] - 1, [event], states[at], wake_at=None)  # type: ignore[operator, list-item]
    return Run(sent, time.monotonic() - began, late)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (
        ("subscriptions", 10_000),
        ("rate", 500),
        ("hanging", 100),
        ("seconds", 20),
        ("messengers", 2),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    receivers = multiprocessing.Process(target=receive, args=(theirs,), daemon=True)
    receivers.start()
    port = ours.recv()
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        stores = Stores(command_client(redis.url))
        states = open_tables(stores, max(1, options.subscriptions // SEATS))
        seated = [(state["id"], players_of(number)) for number, state in enumerate(states)]
        # Bots of the first tables, one of which is asked at a time, so this many hang at once.
        subscribe(redis.url, seated, f"http://127.0.0.1:{port}", options.hanging)
        command = [sys.executable, "-m", "workers", "messenger"]
        environment = {**os.environ, "REDIS_URL": redis.url, "NOTIFY_PRIVATE": "1", "LOG_LEVEL": "error"}
        messengers = [subprocess.Popen(command, env=environment) for _ in range(options.messengers)]
        # All tables have a look before the measurement.
        scans = ScanSchedule(command_client(redis.url))
        while scans.oldest() is not None:
            time.sleep(0.1)
        pids = [each.pid for each in messengers]
        cpu, count = cpu_of(pids), options.rate * options.seconds
        run = open_decisions(stores, states, count, options.rate, options.hanging)
        time.sleep(PATIENCE_S)
        cpu = cpu_of(pids) - cpu
        for each in messengers:
            each.kill()
        ours.send("end")
        arrived = ours.recv()
    latencies = [arrived[key] - at for key, at in run.sent.items() if key in arrived]
    # A decision that is answered before its notice is due gets none.
    report.table(
        ("notices", "decisions/s", "told", "p50 ms", "p95 ms", "p99 ms", "CPU ms each"),
        [
            (
                f"{len(seated) * SEATS:,} subscriptions, {options.hanging} hang",
                f"{count / run.took:.0f}",
                f"{len(latencies)} of {len(run.sent)}",
                f"{1000 * statistics.median(latencies):.0f}",
                f"{1000 * percentile(latencies, 95):.0f}",
                f"{1000 * percentile(latencies, 99):.0f}",
                f"{1000 * cpu / max(1, len(latencies)):.2f}",
            )
        ],
    )
    print(f"The benchmark itself was late by {1000 * run.late:.0f} ms at most.")
    report.aim("p99 from decision to request, s", percentile(latencies, 99), at_most=1)
    report.aim("told, share", len(latencies) / len(run.sent), at_least=1)


if __name__ == "__main__":
    main()
