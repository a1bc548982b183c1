"""Cost of a play over HTTP, layer by layer: the stack below, the service, and streams.

    python -m bench.bench_http [--tables 4] [--connections 4] [--passes 12]

The floor (`bench.floor`) and the service run under gunicorn with the service's settings, one process each. All of them
are measured in each pass, in random order; figures are medians of the passes, with the first and third quartile of
ratios. The load is prepared as bytes: whole rounds of `shengji`, played in memory, so that the client only sends and
waits. CPU time is measured for the server process and for Redis. At the end a sampler (`bench.sampled`) shows which
parts of the service take the time.
"""

import argparse
import json
import random
import selectors
import socket
import statistics
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.request import urlopen

from bench import report
from bench.servers import Server, ran_of, request_for, seat_bots
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.tables import Tables

_MINIMAL: Final = b"Prefer: return=minimal\r\n"
_SERVICE: Final = "service.wsgi:app"
_FLOOR: Final = "bench.floor:floor"


# --- the load ----------------------------------------------------------------------------------------------------


class Load(NamedTuple):
    """The plays of a round: requests in order, and the streams of its seats."""

    requests: list[bytes]
    streams: list[bytes]


def make_load(tables: Tables, players: Any) -> Load:
    """Create a table at its first lead, and return the load that plays its round to the end."""
    seated = seat_bots(tables, players)
    path = f"/v1/tables/{seated.table}"
    plays = [request_for(f"{path}/play", seated.tokens[seat], body) for seat, body in seated.plays()]
    head = "GET {}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer {}\r\n\r\n"
    return Load(plays, [head.format(path, token).encode() for token in seated.tokens])


class _Connection:
    """A connection that sends its next request once the last response is complete."""

    def __init__(self, port: int, requests: list[bytes]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.left = deque(requests)
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
        head, separator, body = self._buffer.partition(b"\r\n\r\n")
        if not separator:
            return False
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        if len(body) < length:
            return False
        assert head.startswith(b"HTTP/1.1 200"), self._buffer[:600]
        self.bytes += length
        self._buffer = b""
        return True


def fire(port: int, load: list[list[bytes]], connections: int) -> int:
    """Send all requests, in order for each table; return the bytes of all response bodies."""
    open_ones = [
        _Connection(port, [request for table in load[number::connections] for request in table])
        for number in range(min(connections, len(load)))
    ]
    watched = selectors.DefaultSelector()
    busy = 0
    for each in open_ones:
        watched.register(each.socket, selectors.EVENT_READ, each)
        busy += each.send()
    while busy:
        for key, _ in watched.select():
            if key.data.receive() and not key.data.send():
                busy -= 1
    for each in open_ones:
        each.socket.close()
    return sum(each.bytes for each in open_ones)


@contextmanager
def drained(port: int, streams: list[bytes]) -> Iterator[None]:
    """Keep these event streams open, and read them."""
    sockets, watched, ended = [], selectors.DefaultSelector(), threading.Event()
    for request in streams:
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(request)
        assert b"200 OK" in stream.recv(65536)
        watched.register(stream, selectors.EVENT_READ)
        sockets.append(stream)

    def drain() -> None:
        while not ended.is_set():
            for key, _ in watched.select(0.1):
                key.fileobj.recv(65536)  # type: ignore[union-attr] # these are sockets

    reader = threading.Thread(target=drain)
    reader.start()
    try:
        yield
    finally:
        ended.set()
        reader.join()
        for stream in sockets:
            stream.close()


# --- measurements --------------------------------------------------------------------------------------------------


class Layer(NamedTuple):
    """A measured application, and its requests.

    Attributes:
        name: its row in the report.
        app: application for gunicorn.
        header: header of each play.
        streams: open event streams per table, at most four.
    """

    name: str
    app: str
    header: bytes = b""
    streams: int = 0


FLOOR: Final = "… one script, a line in the log: the floor"
PLAY: Final = "play"
MINIMAL: Final = "play, Prefer: return=minimal"
STREAMS: Final = "play, four streams open"
LAYERS: Final = (
    Layer("bare WSGI", "bench.floor:wsgi"),
    Layer("Flask", "bench.floor:flask_app"),
    Layer("… with marshmallow", "bench.floor:marshmallow_app"),
    Layer(FLOOR, _FLOOR),
    Layer(PLAY, _SERVICE),
    Layer(MINIMAL, _SERVICE, header=_MINIMAL),
    Layer(STREAMS, _SERVICE, streams=4),
)


class Measured(NamedTuple):
    """A pass: µs of CPU per play of the server and of Redis, and bytes of a response and to and from Redis."""

    server: float
    redis: float
    answer: int
    redis_bytes: float

    @property
    def cpu(self) -> float:
        """Both together."""
        return self.server + self.redis


class Bench:
    """The servers, one for each application, on a single Redis.

    Args:
        url: URL of Redis.
        tables: number of rounds in a pass.
        connections: number of connections.
    """

    def __init__(self, url: str, tables: int, connections: int) -> None:
        self._client: Any = command_client(url)
        self._stores = Stores(self._client)
        self._tables = Tables(self._stores.tables)
        self._redis = [self._client.info()["process_id"]]
        self._number, self._connections = tables, connections
        self._url = url
        #: Bytes of a response and of stored data per play, for the floor.
        self._sizes: dict[str, str] = {}

    def run(self, stack: ExitStack, passes: int) -> dict[str, list[Measured]]:
        """Measure all layers in a number of passes, in random order."""
        measured: dict[str, list[Measured]] = {layer.name: [] for layer in LAYERS}
        service = self._server(stack, _SERVICE)
        warm = self.measure(service, LAYERS[4])
        self._sizes = {"FLOOR_ANSWERED": str(warm.answer), "FLOOR_STORED": str(round(warm.redis_bytes))}
        servers = {_SERVICE: service}
        for app in {layer.app for layer in LAYERS} - {_SERVICE}:
            servers[app] = self._server(stack, app, **self._sizes)
        for number in range(passes + 1):
            for layer in random.sample(LAYERS, len(LAYERS)):
                one = self.measure(servers[layer.app], layer)
                # The first pass warms up.
                if number:
                    measured[layer.name].append(one)
        return measured

    def _server(self, stack: ExitStack, app: str, **environment: str) -> Server:
        server = Server(app, 1, REDIS_URL=self._url, LIMIT_ACT="0", **environment)
        stack.callback(server.stop)
        return server

    def measure(self, server: Server, layer: Layer) -> Measured:
        """Do one pass."""
        loads = [make_load(self._tables, self._stores.players) for _ in range(self._number)]
        streams = [stream for load in loads for stream in load.streams[: layer.streams]]
        requests = [
            [
                play.replace(b"Accept: application/json\r\n", b"Accept: application/json\r\n" + layer.header)
                for play in load.requests
            ]
            for load in loads
        ]
        plays = sum(map(len, requests))
        with drained(server.port, streams):
            began = ran_of(server.pids()), ran_of(self._redis), self._redis_bytes()
            answered = fire(server.port, requests, self._connections)
            ended = ran_of(server.pids()), ran_of(self._redis), self._redis_bytes()
        spent = [(new - old) / plays for new, old in zip(ended, began, strict=True)]
        return Measured(1e6 * spent[0], 1e6 * spent[1], answered // plays, spent[2])

    def profile(self, stack: ExitStack, passes: int) -> list[dict[str, float]]:
        """Return the µs of CPU of the server by part: for the floor, for a play without streams, and with four."""
        servers = {
            app: self._server(stack, "bench.sampled:app", SAMPLED=app, **self._sizes) for app in (_FLOOR, _SERVICE)
        }
        spent = {layer: Counter[str]() for layer in LAYERS if layer.name in (FLOOR, PLAY, STREAMS)}
        for number in range(passes + 1):
            for layer, parts in spent.items():
                server = servers[layer.app]
                samples(server.port)
                self.measure(server, layer)
                # The first pass warms up.
                if number:
                    parts.update(samples(server.port))
        plays = 100 * self._number * passes
        return [{part: 1e6 * seconds / plays for part, seconds in parts.items()} for parts in spent.values()]

    def _redis_bytes(self) -> int:
        info = self._client.info("stats")
        return int(info["total_net_input_bytes"] + info["total_net_output_bytes"])


def samples(port: int) -> dict[str, float]:
    """Return the samples of a server since the last call (s)."""
    with urlopen(f"http://127.0.0.1:{port}/samples", timeout=10) as answer:
        seconds: dict[str, float] = json.load(answer)
    return seconds


def show_profile(floor: dict[str, float], play: dict[str, float], streams: dict[str, float]) -> None:
    """Print the parts of the time of a play."""
    rows = [(name, floor[name], alone, streams[name]) for name, alone in play.items()]
    rows.append(("together", sum(floor.values()), sum(play.values()), sum(streams.values())))
    report.table(
        ("µs of CPU of the server, sampled", "the floor", "a play", "with four streams", "each stream"),
        ([name, *(f"{each:,.0f}" for each in (*spent, (spent[2] - spent[1]) / 4))] for name, *spent in rows),
    )


def ratio(measured: list[Measured], base: list[Measured]) -> tuple[float, str]:
    """Return the median of the ratios of CPU, pass by pass, and the text with their quartiles."""
    low, middle, high = statistics.quantiles(
        [one.cpu / other.cpu for one, other in zip(measured, base, strict=True)], n=4
    )
    return middle, f"{middle:.2f} ({low:.2f} to {high:.2f})"


def show(measured: dict[str, list[Measured]]) -> None:
    """Print the table and the aims."""
    rows = []
    for layer in LAYERS:
        passes = measured[layer.name]
        cells = [statistics.median(getattr(each, what) for each in passes) for what in Measured._fields]
        rows.append([layer.name, *(f"{cell:,.0f}" for cell in cells), ratio(passes, measured[FLOOR])[1]])
    heads = ("", "server, µs", "Redis, µs", "bytes answered", "bytes of Redis", "CPU, times the floor (quartiles)")
    report.table(heads, rows)
    for name, most in ((PLAY, 1.3), (MINIMAL, 1.15), (STREAMS, 1.6)):
        report.aim(f"CPU of a {name}, times the floor", ratio(measured[name], measured[FLOOR])[0], at_most=most)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--passes", type=int, default=12)
    options = parser.parse_args()
    print(f"{options.passes} passes of {options.tables} rounds of 100 plays, {options.connections} connections.\n")
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis, ExitStack() as stack:
        bench = Bench(redis.url, options.tables, options.connections)
        show(bench.run(stack, options.passes))
        show_profile(*bench.profile(stack, options.passes))


if __name__ == "__main__":
    main()
