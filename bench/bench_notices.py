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

from bench import report
from bench.servers import cpu_of, percentile, seat_bots
from harness.notices import SEATS, opened, subscribe
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
        first = seat_bots(Tables(stores.tables), stores.players)
        template = Tables(stores.tables).load(first.table)
        tables = max(1, options.subscriptions // SEATS)
        states, seated = [], []
        for number in range(tables):
            state = copy.deepcopy(template)
            state["id"] = f"tb_{number:012d}"
            players = [f"pl_{number:08d}{seat}" for seat in range(SEATS)]
            for seat, player in zip(state["seats"], players, strict=True):
                assert seat["occupant"] is not None
                seat["occupant"]["player"] = player
                stores.players.create(
                    {"id": player, "name": "Bot", "kind": "bot", "locale": "en", "created_at": 0}, player
                )
            state["version"] = 1
            at = time.time_ns() // 1_000_000
            start = {"seq": 1, "type": "chat", "at": at, "round": None, "by": "player", "data": {"text": "first"}}
            state["decision"] = None
            stores.tables.append(state["id"], 0, [start], state, wake_at=None)  # type: ignore[list-item]
            states.append(state)
            seated.append((state["id"], players))
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
        cpu, began, sent, late = cpu_of(pids), time.monotonic(), {}, 0.0
        count = options.rate * options.seconds
        for number in range(count):
            at = number % tables
            due = began + number / options.rate
            if (left := due - time.monotonic()) > 0:
                time.sleep(left)
            late = max(late, time.monotonic() - due)
            event, states[at] = opened(states[at], number // tables)
            table, decision = states[at]["id"], states[at]["decision"]
            assert decision is not None
            if at >= options.hanging:
                sent[table.encode(), decision["id"].encode()] = time.time()
            stores.tables.append(table, event["seq"] - 1, [event], states[at], wake_at=None)  # type: ignore[operator, list-item]
        took = time.monotonic() - began
        time.sleep(PATIENCE_S)
        cpu = cpu_of(pids) - cpu
        for each in messengers:
            each.kill()
        ours.send("end")
        arrived = ours.recv()
    latencies = [arrived[key] - at for key, at in sent.items() if key in arrived]
    # A decision that is answered before its notice is due gets none.
    report.table(
        ("notices", "decisions/s", "told", "p50 ms", "p95 ms", "p99 ms", "CPU ms each"),
        [
            (
                f"{len(seated) * SEATS:,} subscriptions, {options.hanging} hang",
                f"{count / took:.0f}",
                f"{len(latencies)} of {len(sent)}",
                f"{1000 * statistics.median(latencies):.0f}",
                f"{1000 * percentile(latencies, 95):.0f}",
                f"{1000 * percentile(latencies, 99):.0f}",
                f"{1000 * cpu / max(1, len(latencies)):.2f}",
            )
        ],
    )
    print(f"The benchmark itself was late by {1000 * late:.0f} ms at most.")
    report.aim("p99 from decision to request, s", percentile(latencies, 99), at_most=1)
    report.aim("told, share", len(latencies) / len(sent), at_least=1)


if __name__ == "__main__":
    main()
