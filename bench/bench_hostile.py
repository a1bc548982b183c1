"""What another player notices of hostile requests: bodies of 64 KB that are refused, and records of 4 MB.

    python -m bench.bench_hostile [--workers 1] [--at-once 40] [--seconds 8] [--only NAME]

One player reads `GET /v1/me`, one request after the other on one connection: first alone (the baseline), then beside
forty hostile requests at once, sent by a process of its own over and over for some seconds (but at least until the
first forty are answered, or a minute has passed). The hostile ones are those of ten other players. The limits are off,
so that the processor time of each request counts and not how soon its player is refused.

On a busy machine elapsed times say how busy it is. So the benchmark also counts the processor time that the process of
the service used from the request to the answer: what a read waits for on a machine of its own.
"""

import argparse
import json
import multiprocessing
import socket
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench import report
from bench.servers import Server, percentile, ran_of
from harness.driver import Driver
from service.common.settings import Settings
from service.game.records import record as records
from service.game.state.queries import game_of
from service.processes.embedded_redis import EmbeddedRedis

_SIZE: Final = 65_400
_LARGE: Final = 4_190_000
_NO_LIMITS: Final = {name.upper(): "0" for name in vars(Settings()) if name.startswith("limit_")}


def _filled(path: str, entry: str, size: int = _SIZE) -> str:
    """A body with an array at a place, as long as possible."""
    names = path.split("/")
    head, tail = "".join(f'{{"{name}":' for name in names), "}" * len(names)
    return head + "[" + ",".join([entry] * ((size - 100) // (len(entry) + 1))) + "]" + tail


def _long_record() -> dict[str, Any]:
    """A record as long as `POST /v1/records` takes: 12,000 steps in rounds of a real game."""
    driver = Driver("shengji", 4, {"start_level": "A"}, seed=3)
    for _ in driver.rounds(1):
        pass
    log = records.game_log(driver.log, game_of(driver.state)["id"])
    record: dict[str, Any] = json.loads(json.dumps(records.record(log, driver.now)))
    [played] = record["rounds"]
    return {**record, "rounds": [played] * (11_900 // len(played["actions"]))}


def _bodies() -> dict[str, list[tuple[str, str, str]]]:
    """Name of a load -> its requests: method, path, body."""
    names = "{" + ",".join(f'"{number:x}":0' for number in range(_SIZE // 9)) + "}"
    short = [
        ("PATCH", "/v1/me", _filled("accepts/rulesets", "0")),
        ("POST", "/v1/me/tokens", _filled("scopes", "0")),
        ("POST", "/v1/me/webhooks", _filled("table_ids", "0")),
        ("POST", "/v1/tables/x/call", _filled("calls", "0")),
        ("POST", "/v1/team-events/x/teams", _filled("teams", "0")),
        ("POST", "/v1/tables", names),
        ("POST", "/v1/rulesets/shengji/throw", _filled("lead", "0")),
    ]
    long = _long_record()
    large = [
        ("POST", "/v1/records", _filled("record/rounds", "0", _LARGE)),
        ("POST", "/v1/records", _filled("record/rounds", "{}", _LARGE)),
        ("POST", "/v1/record-checks", json.dumps({**long, "complete": True})),
        ("POST", "/v1/records", json.dumps({"text": '[Ruleset "shengji"]\n[Players 4]\n' + "\n" * (_LARGE // 3)})),
    ]
    actions = [("POST", "/v1/records", _filled("actions", "0", _LARGE))] * 4
    return {
        "64 KB": short,
        "24 KB of rounds": [("POST", "/v1/records", _filled("record/rounds", "{}", 24_000))],
        "4 MB of zeros, four": actions,
        "4 MB": large,
        "long records": [("POST", "/v1/record-checks", json.dumps(long))],
    }


def _request(method: str, path: str, token: str | None, body: str = "") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    head += f"Authorization: Bearer {token}\r\n" if token else ""
    return f"{head}Content-Length: {len(body.encode())}\r\n\r\n{body}".encode()


class _Connection:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; return status and body of the answer."""
        self.socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, body = received.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += self._more()
        return int(head.split()[1]), body

    def _more(self) -> bytes:
        more = self.socket.recv(65_536)
        if not more:
            raise ConnectionResetError
        return more


def _player(port: int) -> str:
    _, body = _Connection(port).send(_request("POST", "/v1/players", None, '{"name": "Lin"}'))
    return str(json.loads(body)["token"])


def _attack(port: int, requests: list[bytes], seconds: float, queue: Any) -> None:
    """Send each request on a connection of its own, over and over, and tell how often there was which answer."""
    ends, answers = time.monotonic() + seconds, []

    def one(request: bytes) -> None:
        while True:
            status = 0
            with suppress(OSError, ValueError, IndexError):
                status = _Connection(port).send(request)[0]
            answers.append(status)
            if time.monotonic() > ends:
                return
            if status == 503:
                time.sleep(1)

    threads = [threading.Thread(target=one, args=(request,), daemon=True) for request in requests]
    for thread in threads:
        thread.start()
    limit = time.monotonic() + 60
    for thread in threads:
        thread.join(max(0, limit - time.monotonic()))
    queue.put({status: answers.count(status) for status in sorted(set(answers))})


class _Reads(NamedTuple):
    """What each read took, in ms: elapsed time, and processor time of the service."""

    elapsed: list[float]
    processor: list[float]


def _reading(server: Server, token: str, is_over: Any) -> _Reads:
    """Read `GET /v1/me` until it is over."""
    port, pids = server.port, server.pids()
    took, connection, request = _Reads([], []), _Connection(port), _request("GET", "/v1/me", token)
    while not is_over():
        began, ran = time.perf_counter(), ran_of(pids)
        try:
            status, _ = connection.send(request)
            assert status == 200, status
        except OSError:
            connection = _Connection(port)
        took.elapsed.append((time.perf_counter() - began) * 1000)
        took.processor.append((ran_of(pids) - ran) * 1000)
        time.sleep(0.01)
    return took


def _row(name: str, took: _Reads, answers: Mapping[int, int], cpu_s: float) -> list[str]:
    counts = ", ".join(f"{count} of {status or 'no answer'}" for status, count in answers.items()) or "none"
    each = cpu_s * 1000 / sum(answers.values()) if answers else 0.0
    times = [percentile(values, percent) for values in took for percent in (50, 99)]
    return [name, str(len(took.elapsed)), *(f"{each:.1f}" for each in times), counts, f"{each:.1f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows, worst = [], 0.0
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        server = Server("service.wsgi:app", options.workers, REDIS_URL=redis.url, **_NO_LIMITS)
        try:
            reader, hostile = _player(server.port), [_player(server.port) for _ in range(10)]
            ends = time.monotonic() + 4
            rows.append(_row("alone", _reading(server, reader, lambda: time.monotonic() > ends), {}, 0))
            for name, bodies in _bodies().items():
                if options.only not in name:
                    continue
                count = min(options.at_once, len(bodies) if name.endswith("four") else options.at_once)
                requests = [
                    _request(method, path, hostile[number // len(bodies) % 10], body)
                    for number, (method, path, body) in zip(range(count), bodies * count, strict=False)
                ]
                queue: Any = multiprocessing.Queue()
                attack = multiprocessing.Process(target=_attack, args=(server.port, requests, options.seconds, queue))
                began = ran_of(server.pids())
                attack.start()
                took = _reading(server, reader, lambda attack=attack: not attack.is_alive())
                rows.append(_row(name, took, queue.get(), ran_of(server.pids()) - began))
                worst = max(worst, percentile(took.processor, 99))
                attack.join()
        finally:
            server.stop()
    report.table(
        ("hostile requests", "reads", "median ms", "p99 ms", "median CPU", "p99 CPU", "answers", "CPU each"), rows
    )
    report.aim("ms of processor time for the slowest of 100 reads, worst of all loads", worst, at_most=250)


if __name__ == "__main__":
    main()
