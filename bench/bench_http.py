"""What a play costs over HTTP: `POST …/play` end to end against a bare Flask endpoint, in the same run.

    python -m bench.bench_http [--workers 1] [--tables 40] [--connections 8] [--passes 3]

Both are served by gunicorn with the service's own settings. The bare endpoint answers constant JSON of the same size
and does nothing else. The load is prepared beforehand as bytes: whole rounds of `shengji`, played out in memory, so
that the client does little but send and wait. Passes take turns; throughput and CPU of the workers are of the best
pass of each, since the machine may be shared.
"""

import argparse
import json
import os
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, Response, request

from service.api.identity import hash_of, new_salt, token_of
from service.embedded_redis import EmbeddedRedis
from service.game import defaults
from service.game.decide import decide
from service.store.clients import command_client
from service.store.redis_store import redis_stores
from service.tables import Tables

SLOW_CLOCK = {"play_ms": 3_600_000, "declare_ms": 3_600_000, "discard_ms": 3_600_000, "ready_ms": 3_600_000}

bare = Flask(__name__)
_constant = json.dumps({"x": "y" * max(0, int(os.environ.get("BARE_BYTES", "600")) - 9)}).encode()


@bare.post("/v1/tables/<table>/play")
def constant(table: str) -> Response:  # noqa: ARG001 - Flask hands it in
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
    """Make a table at its first lead, and return the requests that play its round to the end."""
    tokens, ids = [], []
    for seat in range(4):
        token = token_of(new_salt(), None)
        player = {"id": "pl_" + secrets.token_hex(6), "name": f"Bot {seat}", "kind": "bot", "locale": "en"}
        players.create({**player, "created_at": 0}, hash_of(token))
        tokens.append(token)
        ids.append(player["id"])
    spec = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "clock": SLOW_CLOCK}
    table = tables.create({"id": ids[0]}, spec).state["id"]
    code = tables.load(table)["settings"]["join_code"]
    for seat, player in enumerate(ids):
        sit = {"type": "sit", "player": player, "name": "Bot", "kind": "bot", "seat": seat, "join_code": code}
        tables.act(table, sit)
    for player in ids:
        tables.act(table, {"type": "ready", "player": player})
    state = tables.load(table)
    while state["decision"]["kind"] != "play":
        state = tables.act(table, _answer(state, ids)).state
    sent = []
    while state["decision"]["kind"] == "play":
        command = _answer(state, ids)
        seat = state["decision"]["seats"][0]
        body = json.dumps({"decision_id": command["decision_id"], "cards": command["cards"]}).encode()
        sent.append(_request(f"/v1/tables/{table}/play", tokens[seat], body))
        state = decide(state, command, tables.now(), os.urandom).state
    return sent


def _answer(state: Any, ids: list[str]) -> dict[str, Any]:
    decision = state["decision"]
    seat = decision["seats"][0]
    return {**defaults.action(state, seat), "player": ids[seat], "decision_id": decision["id"]}


def _request(path: str, token: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nAccept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class _Connection:
    """A connection that sends its next request when the answer to the one before is complete."""

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
        """Read what has come; True when an answer is complete."""
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
    """Send all requests, those of one table one after the other, and measure."""
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


# --- the servers -------------------------------------------------------------------------------------------------


class Server:
    """A gunicorn with the service's settings."""

    def __init__(self, app: str, workers: int, **environment: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf", app],
            env={
                **os.environ,
                "PORT": str(self.port),
                "API_WORKERS": str(workers),
                "LOG_FORMAT": "json",
                **environment,
            },
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                assert time.monotonic() < deadline, f"{app} does not answer"
                time.sleep(0.1)
        time.sleep(1.5)  # every worker has loaded the application

    def pids(self) -> list[int]:
        """Process ids of the workers (Linux)."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(pid) for pid in children.read_text().split()] if children.exists() else []

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(20)


def cpu_of(pids: list[int]) -> float:
    """CPU seconds that processes have used (Linux; elsewhere 0)."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--passes", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        stores = redis_stores(command_client(redis.url))
        tables = Tables(stores.tables)
        service = Server("service.wsgi:app", given.workers, REDIS_URL=redis.url, LIMIT_ACT="0")
        bare_server = None
        ours: list[Measured] = []
        theirs: list[Measured] = []
        try:
            warm = [make_table(tables, stores.players) for _ in range(given.connections)]
            size = fire(service.port, warm, given.connections, service.pids()).bytes_per_answer
            bare_server = Server("bench.bench_http:bare", given.workers, BARE_BYTES=str(size))
            fire(bare_server.port, warm, given.connections, bare_server.pids())
            for _ in range(given.passes):
                load = [make_table(tables, stores.players) for _ in range(given.tables)]
                ours.append(fire(service.port, load, given.connections, service.pids()))
                theirs.append(fire(bare_server.port, load, given.connections, bare_server.pids()))
        finally:
            service.stop()
            if bare_server is not None:
                bare_server.stop()
    play = max(ours, key=lambda each: each.per_second)
    flask = max(theirs, key=lambda each: each.per_second)
    print(f"{play.requests} plays a pass, {given.workers} worker(s), {given.connections} connections, {size} bytes")
    for name, made in (("bare Flask", flask), ("play", play)):
        print(f"  {name:10}  {made.per_second:7.0f} requests/s   {made.cpu_us:6.0f} µs CPU of the workers each")
    print(f"  play has {100 * play.per_second / flask.per_second:.0f} % of the bare throughput", end="")
    print(f", at {play.cpu_us / flask.cpu_us:.1f} times the CPU" if flask.cpu_us else "")


if __name__ == "__main__":
    main()
