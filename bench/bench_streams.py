"""Latency of event streams: from an action to its events at the other seats, with 1,000 streams in a process.

    python -m bench.bench_streams [--tables 250] [--rate 50] [--seconds 12] [--passes 2] [--gzip]

    python -m bench.bench_streams --tables 1000      4,000 streams
    python -m bench.bench_streams --gzip             streams that are compressed; the bare reader's never are

The service is one API process for the actions and all streams, one for each of the four seats of a table. The baseline,
with the same gunicorn settings, is a bare reader: a process with one subscription that forwards published messages to
as many streams. Both have the same client, and passes alternate. A latency is the time from the start of sending (an
action or a publication) until the client reads the event from a stream.
"""

import argparse
import itertools
import json
import os
import queue
import re
import selectors
import socket
import statistics
import tempfile
import threading
import time
import zlib
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from bench import report
from bench.servers import Seated, Server, cpu_of, percentile, ran_of, request_for, rss_of, seat_bots, waited_of
from service.api.streams.heartbeats import HEARTBEAT_S
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client, listening_client
from service.store.stores import Stores
from service.tables import Tables

SEATS = 4
#: Most streams per table.
MOST = 16
#: An event of typical length, for bare streams.
EVENT = b"id: %d\ndata: " + json.dumps({"x": "y" * 280}).encode() + b"\n\n"
#: Seconds within which every event must arrive.
PATIENCE_S = 10.0

# --- the bare reader ---------------------------------------------------------------------------------------------

_queues: dict[bytes, list[queue.SimpleQueue[bytes]]] = defaultdict(list)
_started = threading.Lock()
_subscribed = threading.Event()


def bare(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
    """WSGI application: stream the messages published as `<name> <number>`, with the name at the end of the path."""
    mine: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    _queues[environ["PATH_INFO"].rpartition("/")[2].encode()].append(mine)
    if _started.acquire(blocking=False):
        threading.Thread(target=_hand_on, daemon=True).start()
    # A stream opened earlier would miss messages.
    _subscribed.wait()
    start_response("200 OK", [("Content-Type", "text/event-stream")])
    yield b"retry: 1000\n\n"
    while True:
        yield mine.get()


def _hand_on() -> None:
    channel = listening_client(os.environ["REDIS_URL"]).pubsub()
    channel.subscribe("bare")
    for message in channel.listen():
        if message["type"] == "subscribe":
            _subscribed.set()
        elif message["type"] == "message":
            name, number = message["data"].split()
            for stream in _queues[name]:
                stream.put(EVENT % int(number))


# --- the client --------------------------------------------------------------------------------------------------


class Stream:
    """A stream at the client, with arrival times of events by seq.

    Attributes:
        seqs: pattern of the numbers of events in the stream.
    """

    seqs = re.compile(rb"^id: (\d+)$", re.MULTILINE)

    def __init__(self, port: int, path: str, token: str, coding: str) -> None:
        self.came: dict[int, float] = {}
        self.open = False
        self.socket = socket.create_connection(("127.0.0.1", port))
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAccept-Encoding: {coding}\r\n"
        self.socket.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
        self._rest = self._lines = b""
        self._unpack: Callable[[bytes], bytes] = bytes

    def receive(self) -> None:
        """Read the received bytes."""
        got, now = self.socket.recv(65536), time.perf_counter()
        assert got, f"a stream has ended: {self._rest!r}"
        self._rest += got
        if not self.open:
            head, separator, self._rest = self._rest.partition(b"\r\n\r\n")
            assert separator
            assert head.startswith(b"HTTP/1.1 200"), (head, self._rest)
            if b"content-encoding: gzip" in head.lower():
                self._unpack = zlib.decompressobj(31).decompress
            self.open = True
        lines, newline, self._lines = (self._lines + b"".join(map(self._unpack, self._chunks()))).rpartition(b"\n")
        for seq in self.seqs.findall(lines + newline):
            self.came.setdefault(int(seq), now)

    def _chunks(self) -> Iterator[bytes]:
        """Yield the complete chunks of the received bytes (RFC 9112 §7.1)."""
        while True:
            size, _, rest = self._rest.partition(b"\r\n")
            end = int(size or b"0", 16)
            if not end or len(rest) < end + 2:
                return
            self._rest = rest[end + 2 :]
            yield rest[:end]


class Asker:
    """A connection for actions, one at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sent: Sent | None = None
        self._buffer = b""

    def send(self, sent: "Sent", request: bytes) -> None:
        """Send an action."""
        self.sent = sent
        sent.at = time.perf_counter()
        self.socket.sendall(request)

    def receive(self) -> bool:
        """Read the received bytes; return whether the response is complete."""
        self._buffer += self.socket.recv(65536)
        head, separator, body = self._buffer.partition(b"\r\n\r\n")
        if not separator or len(body) < int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]):
            return False
        assert head.startswith(b"HTTP/1.1 200"), self._buffer[:600]
        assert self.sent is not None
        self.sent.answered, self.sent.seq = time.perf_counter(), json.loads(body)["seq"]
        self._buffer = b""
        return True


class Sent:
    """An action or a publication, and the streams that must get its last event."""

    def __init__(self, streams: list[Stream], seq: int = 0) -> None:
        self.streams = streams
        self.seq = seq
        self.at = self.answered = 0.0

    def arrived(self) -> bool:
        """Return whether all streams have received it."""
        return self.seq > 0 and all(self.seq in stream.came for stream in self.streams)

    def delays(self) -> list[float]:
        """Return the time until it reached each stream (s)."""
        return [stream.came[self.seq] - self.at for stream in self.streams]


class Crowd:
    """All streams, and the connections for actions, served by one thread.

    Args:
        port: port of the server.
        streams: path and token of each stream.
        coding: accepted content coding.
        kind: kind of streams.
    """

    def __init__(self, port: int, streams: Iterable[tuple[str, str]], coding: str, kind: type[Stream] = Stream) -> None:
        self._port = port
        self.kind = kind
        self._coding = coding
        self._watched = selectors.DefaultSelector()
        self._idle: deque[Asker] = deque()
        self.streams: list[Stream] = []
        self.open(streams)

    def open(self, streams: Iterable[tuple[str, str]]) -> None:
        """Open more streams."""
        for path, token in streams:
            self.streams.append(self.kind(self._port, path, token, self._coding))
            self._watched.register(self.streams[-1].socket, selectors.EVENT_READ, self.streams[-1])
            self.look(0)
        self.until(lambda: all(stream.open for stream in self.streams), 60)

    def asker(self) -> Asker:
        """Return an idle connection."""
        if not self._idle:
            asker = Asker(self._port)
            self._watched.register(asker.socket, selectors.EVENT_READ, asker)
            return asker
        return self._idle.popleft()

    def look(self, seconds: float) -> None:
        """Read, waiting at most a number of seconds."""
        for key, _ in self._watched.select(max(0.0, seconds)):
            if key.data.receive() and isinstance(key.data, Asker):
                self._idle.append(key.data)

    def close(self) -> None:
        """Close all connections."""
        for key in list(self._watched.get_map().values()):
            key.data.socket.close()
        self._watched.close()

    def until(self, reached: Callable[[], bool], seconds: float) -> None:
        """Read until `reached` returns true; fail after a timeout (s)."""
        end = time.perf_counter() + seconds
        while not reached():
            assert time.perf_counter() < end, "not reached in time"
            self.look(0.05)

    def at_a_rate(self, sends: Iterator[Callable[[], Sent]], rate: int, together: int, seconds: float) -> list[Sent]:
        """Send at a rate per second, `together` at a time, without waiting; return all after their arrival."""
        sent, began = [], time.perf_counter()
        for number in range(int(rate * seconds)):
            while (left := began + number // together * together / rate - time.perf_counter()) > 0:
                self.look(left)
            sent.append(next(sends)())
            self.look(0)
        self.until(lambda: all(one.arrived() for one in sent[-rate:]), PATIENCE_S)
        lost = [one for one in sent if not one.arrived()]
        assert not lost, f"{len(lost)} of {len(sent)} did not arrive everywhere"
        return sent


# --- the two sides -----------------------------------------------------------------------------------------------


class Pass(NamedTuple):
    """The measurements of a pass.

    Attributes:
        delays: seconds until the event reached each stream.
        answers: seconds until each response.
        cpu_s: CPU seconds of the server per send.
        waited_s: seconds per send for which the server was ready to run but had no core.
    """

    delays: list[float]
    answers: list[float]
    cpu_s: float
    waited_s: float


class Side:
    """A server with its streams.

    Args:
        streams: path and token of each stream.
        coding: accepted content coding.
        kind: kind of streams.
    """

    def __init__(
        self, server: Server, streams: list[tuple[str, str]], coding: str, kind: type[Stream] = Stream
    ) -> None:
        self._pids = server.pids()
        # The first half also includes memory that streams do not use, such as connections to Redis.
        half = len(streams) // 2
        self.crowd = Crowd(server.port, streams[:half], coding, kind)
        began = rss_of(self._pids)
        self.crowd.open(streams[half:])
        self.kb_each = (rss_of(self._pids) - began) / (len(streams) - half) / 1024
        self.passes: dict[int, list[Pass]] = defaultdict(list)

    def run(self, sends: Iterator[Callable[[], Sent]], rate: int, together: int, seconds: float) -> None:
        """Do a pass."""
        used, waited = cpu_of(self._pids), waited_of(self._pids)
        sent = self.crowd.at_a_rate(sends, rate, together, seconds)
        used, waited = cpu_of(self._pids) - used, waited_of(self._pids) - waited
        delays = [delay for one in sent for delay in one.delays()]
        answers = [one.answered - one.at for one in sent if one.answered]
        self.passes[together].append(Pass(delays, answers, used / len(sent), waited / len(sent)))

    def idle(self, seconds: float) -> float:
        """Return the share of a core used by the idle server."""
        used, end = cpu_of(self._pids), time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.crowd.look(left)
        return (cpu_of(self._pids) - used) / seconds

    def ms(self, together: int, percent: int, what: str = "delays") -> float:
        """Return a percentile in ms: the median of the passes."""
        return 1000 * statistics.median(percentile(getattr(each, what), percent) for each in self.passes[together])

    def row(self, name: str, together: int, what: str = "delays") -> list[str]:
        """Return a row of the report."""
        passes = self.passes[together]
        spent = (statistics.median(getattr(each, of) for each in passes) for of in ("cpu_s", "waited_s"))
        times = (self.ms(together, percent, what) for percent in (50, 99, 100))
        return [name, *(f"{time:.1f}" for time in times), *(f"{seconds * 1000:.2f}" for seconds in spent)]


def actions(crowd: Crowd, seated: list[Seated]) -> Iterator[Callable[[], Sent]]:
    """Yield the next play of each table in turn; its event must reach the three other seats."""
    plays = [table.plays() for table in seated]
    before: dict[int, Sent] = {}
    for at in itertools.cycle(range(len(seated))):
        table, (seat, body) = seated[at], next(plays[at])
        request = request_for(f"/v1/tables/{table.table}/play", table.tokens[seat], body)
        others = [crowd.streams[at * SEATS + other] for other in range(SEATS) if other != seat]

        def send(at: int = at, others: list[Stream] = others, request: bytes = request) -> Sent:
            # With few tables the next player must not overtake the previous one.
            last = before.get(at)
            crowd.until(lambda: last is None or last.answered > 0, PATIENCE_S)
            sent = before[at] = Sent(others)
            crowd.asker().send(sent, request)
            return sent

        yield send


def publications(crowd: Crowd, redis: Any, tables: int) -> Iterator[Callable[[], Sent]]:
    """Yield a publication for each group of streams in turn."""
    for number in itertools.count(1):
        at = number % tables

        def send(number: int = number, at: int = at) -> Sent:
            sent = Sent(crowd.streams[at * SEATS : at * SEATS + SEATS - 1], number)
            sent.at = time.perf_counter()
            redis.publish("bare", f"{at} {number}")
            return sent

        yield send


def further(
    service: Server, redis_pids: list[int], tables: Tables, players: Any, coding: str
) -> dict[int, list[float]]:
    """Measure the cost of further streams at a table: number of streams -> CPU µs per play in each pass."""
    numbers, each = (0, SEATS, MOST), 4
    sides = {}
    for number in numbers:
        seated = [seat_bots(tables, players) for _ in range(each)]
        followed = [
            (f"/v1/tables/{table.table}/events?after={table.state['version']}", table.tokens[at % SEATS])
            for table in seated
            for at in range(number)
        ]
        crowd = Crowd(service.port, followed, coding)
        groups = [crowd.streams[at * number : (at + 1) * number] for at in range(each)]
        plays = [(table, group, table.plays()) for table, group in zip(seated, groups, strict=True)]
        sides[number] = (crowd, itertools.cycle(plays))
    spent: dict[int, list[float]] = defaultdict(list)
    for _ in range(7):
        for number, (crowd, turns) in sides.items():
            used = ran_of(service.pids()), ran_of(redis_pids)
            for table, group, moves in itertools.islice(turns, 50):
                seat, body = next(moves)
                sent = Sent(group)
                crowd.asker().send(sent, request_for(f"/v1/tables/{table.table}/play", table.tokens[seat], body))
                crowd.until(lambda sent=sent: sent.answered > 0 and sent.arrived(), PATIENCE_S)  # type: ignore[misc]
            spent[number].append((ran_of(service.pids()) + ran_of(redis_pids) - sum(used)) / 50 * 1e6)
    for crowd, _ in sides.values():
        crowd.close()
    return spent


def show_further(spent: dict[int, list[float]]) -> None:
    """Print the results of `further`."""
    cost = {number: statistics.median(passes) for number, passes in spent.items()}
    report.table(
        ("a play at a table with", "CPU µs, server and Redis", "range", "times that without streams"),
        (
            (
                f"{number} streams",
                f"{cost[number]:.0f}",
                f"{min(spent[number]):.0f} to {max(spent[number]):.0f}",
                f"{cost[number] / cost[0]:.2f}",
            )
            for number in cost
        ),
    )
    report.aim("µs of CPU for each of the first four streams", (cost[SEATS] - cost[0]) / SEATS, at_most=60)
    last = (cost[MOST] - cost[SEATS]) / (MOST - SEATS)
    report.aim("µs of CPU for each further stream at a table", last, at_most=60)


def parser_of(about: str | None) -> argparse.ArgumentParser:
    """Return the argument parser of the benchmarks of streams."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--rate", type=int, default=50, help="actions a second")
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--passes", type=int, default=2)
    return parser


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--gzip", action="store_true", help="let clients accept gzip")
    options = parser.parse_args()
    coding = "gzip" if options.gzip else "identity"
    with ExitStack() as house:
        redis = house.enter_context(EmbeddedRedis(Path(house.enter_context(tempfile.TemporaryDirectory()))))
        client = command_client(redis.url)
        stores = Stores(client)
        seated = [seat_bots(Tables(stores.tables), stores.players) for _ in range(options.tables)]
        limits = {f"LIMIT_{name}": "0" for name in ("ACT", "READ")}
        service = Server("service.wsgi:app", 1, REDIS_URL=redis.url, **limits)
        house.callback(service.stop)
        redis_pids = [int((redis.folder / "redis.pid").read_text())]
        reader = Server("bench.bench_streams:bare", 1, REDIS_URL=redis.url)
        house.callback(reader.stop)
        followed = [
            (f"/v1/tables/{table.table}/events?after={table.state['version']}", token)
            for table in seated
            for token in table.tokens
        ]
        ours = Side(service, followed, coding)
        theirs = Side(reader, [(f"/{at // SEATS}", "none") for at in range(len(followed))], coding)
        for side in (ours, theirs):
            house.callback(side.crowd.close)
        acted, published = actions(ours.crowd, seated), publications(theirs.crowd, client, options.tables)
        for _ in range(options.passes):
            for together in (1, options.rate):
                theirs.run(published, options.rate, together, options.seconds)
                ours.run(acted, options.rate, together, options.seconds)
        idle = [side.idle(HEARTBEAT_S) for side in (theirs, ours)]
        spent = further(service, redis_pids, Tables(stores.tables), stores.players, coding)
    show(options, coding, {"bare reader": theirs, "service": ours}, idle)
    show_further(spent)
    report.aim("ms from action to event at p99", ours.ms(1, 99), at_most=10)
    report.aim("KB of memory for each stream", ours.kb_each, at_most=25)


def show(options: argparse.Namespace, coding: str, sides: Mapping[str, Side], idle: Sequence[float]) -> None:
    """Print latencies, and what streams cost; `idle`: share of a core that each side takes without events."""
    print(
        f"{options.tables * SEATS} streams in one process ({coding}), {options.rate} actions a second, "
        "each to 3 others.",
        end=" ",
    )
    print(f"{options.passes} passes of {options.seconds:g} s take turns; figures are medians of the passes.")
    report.table(
        ("ms from action to event", "p50", "p99", "worst", "CPU of the server", "it waited for a core"),
        (
            row
            for together, how in ((1, "one by one"), (options.rate, f"{options.rate} at once"))
            for row in (
                *(side.row(f"{name}, {how}", together) for name, side in sides.items()),
                sides["service"].row(f"its answer, {how}", together, "answers"),
            )
        ),
    )
    report.table(
        ("what streams cost", "KB each", "% of a core, all of them idle"),
        (
            (name, f"{side.kb_each:.0f}", f"{100 * share:.1f}")
            for (name, side), share in zip(sides.items(), idle, strict=True)
        ),
    )


if __name__ == "__main__":
    main()
