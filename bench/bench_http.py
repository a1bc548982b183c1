"""Cost of a play over HTTP: `POST …/play` end to end, compared with a bare Flask endpoint.

    python -m bench.bench_http [--workers 1] [--threads 16 0] [--tables 40] [--connections 8] [--passes 3]

Both are served by gunicorn with the service's own settings: with threads, as in `docker-compose.yml`, and with
greenlets, as with `make run`. The bare endpoint returns constant JSON of the same size. The load is prepared as bytes:
whole rounds of `shengji`, played out in memory, so that the client does little but send and wait. Passes alternate.
Throughput and CPU are those of the best pass, since the machine may be shared; on a busy machine, rely on the CPU.
"""

import argparse
import json
import os
import selectors
import socket
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, Response, request

from bench import report
from bench.servers import Server, cpu_of, request_for, seat_bots
from service.embedded_redis import EmbeddedRedis
from service.store.clients import command_client
from service.store.redis_store import redis_stores
from service.tables import Tables

bare = Flask(__name__)
_constant = json.dumps({"x": "y" * max(0, int(os.environ.get("BARE_BYTES", "600")) - 9)}).encode()


@bare.post("/v1/tables/<table>/play")
def constant(table: str) -> Response:  # noqa: ARG001 - passed by Flask
    request.get_data()
    return Response(_constant, content_type="application/json")


class Measured(NamedTuple):
    requests: int
    seconds: float
    cpu_s: float
    bytes_per_answer: int

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds

    @property
    def cpu_us(self) -> float:
        return 1e6 * self.cpu_s / self.requests


# --- the load ----------------------------------------------------------------------------------------------------


def make_table(tables: Tables, players: Any) -> list[bytes]:
    """Create a table at its first lead, and return the requests that play its round to the end."""
    seated = seat_bots(tables, players)
    path = f"/v1/tables/{seated.table}/play"
    return [request_for(path, seated.tokens[seat], body) for seat, body in seated.plays()]


class _Connection:
    """A connection that sends its next request once the last response is complete."""

    def __init__(self, port: int, tables: list[list[bytes]]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.left = deque(each for table in tables for each in table)
        self.answered = 0
        self.bytes = 0
        self._buffer = b""

    def send(self) -> bool:
        if not self.left:
            return False
        self.socket.sendall(self.left.popleft())
        return True

    def receive(self) -> bool:
        """Read what has arrived; return whether the response is complete."""
        self._buffer += self.socket.recv(65536)
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return False
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        if len(body) < length:
            return False
        assert head.startswith(b"HTTP/1.1 200"), self._buffer[:600]
        self.answered += 1
        self.bytes += length
        self._buffer = b""
        return True


def fire(port: int, tables: list[list[bytes]], connections: int, pids: list[int]) -> Measured:
    """Send all requests, those of each table in order, and measure."""
    open_ones = [_Connection(port, tables[number::connections]) for number in range(connections)]
    watched = selectors.DefaultSelector()
    busy = 0
    used, began = cpu_of(pids), time.perf_counter()
    for each in open_ones:
        watched.register(each.socket, selectors.EVENT_READ, each)
        busy += each.send()
    while busy:
        for key, _ in watched.select():
            if key.data.receive() and not key.data.send():
                busy -= 1
    seconds, cpu = time.perf_counter() - began, cpu_of(pids) - used
    for each in open_ones:
        each.socket.close()
    answered = sum(each.answered for each in open_ones)
    return Measured(answered, seconds, cpu, sum(each.bytes for each in open_ones) // answered)


class Cost(NamedTuple):
    """Cost of plays in Redis."""

    commands: int
    cpu_s: float
    bytes: int


def cost_of(client: Any) -> Cost:
    """Return the total cost in Redis up to now."""
    info = client.info()
    cpu = info["used_cpu_user"] + info["used_cpu_sys"]
    return Cost(info["total_commands_processed"], cpu, info["total_net_input_bytes"] + info["total_net_output_bytes"])


def measure(given: argparse.Namespace, redis: EmbeddedRedis, threads: int) -> list[list[str]]:
    """Measure both with one class of gunicorn workers, print the aims, and return the rows of the table."""
    client = command_client(redis.url)
    stores = redis_stores(client)
    tables = Tables(stores.tables)
    settings = {"GUNICORN_CMD_ARGS": f"--worker-class gthread --threads {threads}"} if threads else {}
    service = Server("service.wsgi:app", given.workers, REDIS_URL=redis.url, LIMIT_ACT="0", **settings)
    bare_server = None
    ours: list[tuple[Measured, Cost]] = []
    theirs: list[Measured] = []
    try:
        warm = [make_table(tables, stores.players) for _ in range(given.connections)]
        size = fire(service.port, warm, given.connections, service.pids()).bytes_per_answer
        bare_server = Server("bench.bench_http:bare", given.workers, BARE_BYTES=str(size), **settings)
        fire(bare_server.port, warm, given.connections, bare_server.pids())
        for _ in range(given.passes):
            load = [make_table(tables, stores.players) for _ in range(given.tables)]
            before = cost_of(client)
            measured = fire(service.port, load, given.connections, service.pids())
            after = cost_of(client)
            ours.append((measured, Cost(*(new - old for new, old in zip(after, before, strict=True)))))
            theirs.append(fire(bare_server.port, load, given.connections, bare_server.pids()))
    finally:
        service.stop()
        if bare_server is not None:
            bare_server.stop()
    play, cost = max(ours, key=lambda each: each[0].per_second)
    flask = max(theirs, key=lambda each: each.per_second)
    name = f"{threads} threads" if threads else "greenlets"
    share = 100 * play.per_second / flask.per_second
    report.aim(f"{name}: throughput of plays, % of bare Flask's", share, at_least=40)
    if play.cpu_us:
        # CPU time depends less on the load of the machine.
        share = 100 * flask.cpu_us / play.cpu_us
        report.aim(f"{name}: plays for a second of the workers' CPU, % of bare Flask's", share, at_least=40)
    redis_cost = (cost.commands, 1e6 * cost.cpu_s, cost.bytes)
    each = [f"{spent / play.requests:,.0f}" for spent in redis_cost]
    return [
        [f"{name}: bare Flask", f"{flask.per_second:,.0f}", f"{flask.cpu_us:,.0f}", "", "", ""],
        [f"{name}: play", f"{play.per_second:,.0f}", f"{play.cpu_us:,.0f}", *each],
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, nargs="+", default=[16, 0], help="0: greenlets")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--passes", type=int, default=3)
    given = parser.parse_args()
    print(f"{given.tables} rounds of 100 plays a pass, {given.workers} worker(s), {given.connections} connections.\n")
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        rows = [row for threads in given.threads for row in measure(given, redis, threads)]
    print("\nPer request. Calls include those in scripts; bytes are in both directions.")
    heads = ("", "requests/s", "CPU of the workers, µs", "calls in Redis", "CPU of Redis, µs", "bytes of Redis")
    report.table(heads, rows)


if __name__ == "__main__":
    main()
