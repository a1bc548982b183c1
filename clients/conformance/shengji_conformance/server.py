"""A server for one case: answers as the service does, fails as the case says, and notes what arrives."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from shengji_conformance.cases import Case, Json, problems, route
from shengji_conformance.streams import AccountStream, BreaksOff, Stream
from shengji_conformance.world import TOKEN, World, changed, refusal

_JSON: Final = "application/json"
_PROBLEM: Final = "application/problem+json"
#: Version of the service from which the recordings are.
ABOUT: Final = {"api_versions": ["v1"]}


@dataclass
class Arrival:
    """A request as it arrived. Times are of a monotonic clock, s."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    at: float
    answered_at: float = 0.0

    @property
    def is_stream(self) -> bool:
        """Whether it asks for an event stream."""
        return "text/event-stream" in self.headers.get("accept", "") and self.path.endswith("/events")

    @property
    def name(self) -> str:
        """Method and path; `STREAM` instead of `GET` if it asks for a stream."""
        return f"{'STREAM' if self.is_stream else self.method} {self.path}"


@dataclass
class Fault:
    """What to do with the next requests of a kind instead of answering them as the service would."""

    row: Json
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.row.get("times", 1)

    def takes(self, arrival: Arrival) -> bool:
        """Return whether it is for this request, and count it."""
        if not self.left or not route(self.row["on"]).fullmatch(arrival.name):
            return False
        self.left -= 1
        return True


class CaseServer(ThreadingHTTPServer):
    """A server on a port of its own for one case.

    Attributes:
        arrivals: the requests, in order.
        world: the table; its `wrong` has what is wrong with the requests whatever the case is about.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, case: Case, version: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.world = World(case.get("world", {"game": "games/shengji"}))
        self.version = version
        self.arrivals: list[Arrival] = []
        self._faults = [Fault(row) for row in case.get("faults", [])]
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The base URL for the client."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def note(self, arrival: Arrival) -> Json:
        """Note a request, and return the fault for it, or {}."""
        with self._lock:
            self.arrivals.append(arrival)
            return next((fault.row for fault in self._faults if fault.takes(arrival)), {})

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients break off too."""


@contextmanager
def serving(case: Case, version: str) -> Iterator[CaseServer]:
    """Serve a case."""
    with CaseServer(case, version) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.world.is_closed = True
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: CaseServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass

    def _handle(self) -> None:
        arrival = self._arrival()
        world = self.server.world
        if arrival.path == "/v1":
            self._send(200, {"version": self.server.version, **ABOUT})
            return
        fault = self.server.note(arrival)
        try:
            if "stream" in fault or (arrival.is_stream and not {"answer", "dropped", "silent"} & fault.keys()):
                self._stream(arrival, fault)
            elif "answer" in fault:
                self._refuse(fault["answer"])
            elif "dropped" in fault:
                self._break(fault["dropped"])
            elif "silent" in fault:
                while not world.is_closed:
                    time.sleep(0.1)
                self._break("close")
            else:
                status, body = self._answer(arrival)
                if "lost" in fault:
                    self._lose(fault["lost"], body)
                else:
                    self._send(status, changed(body, fault.get("change", ())), fault.get("headers", {}))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            arrival.answered_at = time.monotonic()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle  # noqa: N815 (names of `BaseHTTPRequestHandler`)

    def _arrival(self) -> Arrival:
        url = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = None
        if raw:
            try:
                body = json.loads(raw)
            except ValueError:
                self.server.world.wrong.append(f"{self.command} {url.path}: the body is not JSON")
            if headers.get("content-type", "").partition(";")[0] != _JSON:
                self.server.world.wrong.append(f"{self.command} {url.path}: its Content-Type is not {_JSON}")
        return Arrival(self.command, url.path, dict(parse_qsl(url.query)), headers, body, time.monotonic())

    def _answer(self, arrival: Arrival) -> tuple[int, Json]:
        """Answer as the service does."""
        world, here = self.server.world, f"/v1/tables/{self.server.world.table}"
        key = arrival.headers.get("idempotency-key", "")
        if arrival.name != "POST /v1/players" and not self._has_token(arrival):
            return refusal("unauthorized", "Send `Authorization: Bearer` with the token.")
        fixed: dict[str, Callable[[], tuple[int, Json]]] = {
            "POST /v1/players": lambda: world.create("player", key),
            "POST /v1/tables": lambda: world.create("table", key),
            f"GET {here}": lambda: (200, world.view),
            f"GET {here}/events": lambda: world.page(arrival.query),
        }
        if arrival.name in fixed:
            return fixed[arrival.name]()
        if arrival.path.startswith(f"{here}/") and arrival.method in ("POST", "PUT"):
            return world.act(arrival.method, arrival.path.removeprefix(f"{here}/"), arrival.body or {})
        world.wrong.append(f"{arrival.name}: nothing in this case asks for that")
        return refusal("not-found", "There is no such thing here.")

    def _has_token(self, arrival: Arrival) -> bool:
        has = arrival.headers.get("authorization") == f"Bearer {TOKEN}"
        if not has:
            self.server.world.wrong.append(f"{arrival.name}: it must have the token of the player")
        return has

    def _send(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode()
        kind = _PROBLEM if status >= 400 else _JSON
        self.send_response(status)
        fields = {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})}
        for name, value in fields.items():
            self.send_header(name, value.replace("{url}", self.server.url))
        self.end_headers()
        if status not in (204, 304):
            self.wfile.write(data)

    def _refuse(self, answer: Json) -> None:
        body = problems()[answer["problem"]] if "problem" in answer else answer.get("body", "")
        headers = dict(answer.get("headers", {}))
        if isinstance(body, str):
            headers.setdefault("Content-Type", "text/html")
        self._send(answer["status"], body, headers)

    def _lose(self, how: str, body: Json) -> None:
        """Lose an answer, whole or from the middle on."""
        if how == "half":
            data = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", _JSON)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
        self._break("close")

    def _break(self, how: str) -> None:
        """Close the connection, or reset it."""
        self.close_connection = True
        if how == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)

    def _stream(self, arrival: Arrival, fault: Json) -> None:
        self._has_token(arrival)
        place = arrival.headers.get("last-event-id", arrival.query.get("after"))
        world, told = self.server.world, (fault.get("stream", ()), fault.get("change", ()))
        if arrival.path == "/v1/me/events":
            self._flow(AccountStream(world, place, *told))
            return
        if place and not place.isdigit():
            world.wrong.append(f"{arrival.name}: {place!r} is no seq")
            self._send(*world.page({"after": str(world.view["version"] + 1)}))
            return
        after = int(place) if place else None
        if after is not None and after > world.view["version"]:
            self._send(*world.page({"after": str(after)}))
            return
        if "last-event-id" in arrival.headers and world.is_over and after == world.view["version"] and not fault:
            self._send(204, "")
            return
        self._flow(Stream(world, after, *told))

    def _flow(self, stream: Stream) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for data in stream.chunks():
                self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
                self.wfile.flush()
        except BreaksOff:
            self._break("close")
        else:
            self.wfile.write(b"0\r\n\r\n")
