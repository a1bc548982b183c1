"""gunicorn's gevent worker, with deadlines for slow requests, and head and body of a response sent together.

It checks `Host`, and does not read what the application does not want (RFC 9110 §10.1.1, RFC 9112 §3.2 and §9.6): `100
Continue` is sent when the application reads the body, and a connection with much of a body left is closed, once the
client has had time to read the response.

Without deadlines, a client that sends nothing, or sends a head or body byte by byte, could hold a connection
indefinitely. An idle connection between two requests may stay for `keepalive`.

gunicorn sends head and body of a response separately. Sending them together saves 3 % CPU per play (decision 119), and
the client wakes up once.
"""

import errno
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Final, Protocol

from gunicorn.http.errors import InvalidHeader  # type: ignore[import-untyped] # it has no types
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped] # it has no types

#: Seconds for the head of a request, from the connection or its first byte on, and again for its body.
DEADLINE_S: Final = 10.0
#: Seconds for the client to read a response before a connection with an unread body is closed.
LINGER_S: Final = 2.0
#: Most bytes of an unread body that are read and dropped to keep a connection.
_MOST_DROPPED: Final = 65_536
#: What gunicorn sends to a client that expects it, before it calls the application.
_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
#: `uri-host [ ":" port ]` (RFC 3986 §3.2); an http URI has a host.
_HOST: Final = re.compile(r"(?:\[[0-9A-Fa-fvV:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)(?::\d{0,5})?", re.ASCII)


class _Body(Protocol):
    reader: object


class _Request(Protocol):
    """A request of gunicorn whose head has been received."""

    headers: list[tuple[str, str]]
    version: tuple[int, int]
    body: _Body
    should_close: Callable[[], bool]


class Worker(GeventWorker):  # type: ignore[misc] # see above
    """See the module."""

    def handle(self, listener: object, client: socket.socket, addr: object) -> None:
        """Serve a connection."""
        super().handle(listener, ClientSocket(client), addr)

    def handle_request(self, listener_name: object, req: _Request, sock: "ClientSocket", addr: object) -> None:
        """Serve a request whose head has been received."""
        _check_host(req)
        sock.expect()
        sock.begin(req)
        try:
            super().handle_request(listener_name, req, sock, addr)
        finally:
            sock.flush()
        sock.rest()


def _check_host(request: _Request) -> None:
    """Refuse a request without a host, or with one that is not valid. gunicorn refuses several.

    Raises:
        InvalidHeader: gunicorn answers it with 400.
    """
    host = next((value for name, value in request.headers if name == "HOST"), None)
    if request.version >= (1, 1) if host is None else _HOST.fullmatch(host) is None:
        raise InvalidHeader("HOST", req=request)


class ClientSocket:
    """A socket that fails when expected data arrive too late, and sends head and body of a response together."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._deadline: float | None = None
        #: The head of a response whose body has not begun; empty before the head, None while nothing is held back.
        self._head: bytes | None = None
        #: Whether the client waits for `100 Continue`.
        self._is_asked = False
        #: Whether a body was left unread.
        self._has_rest = False
        self.expect()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def expect(self) -> None:
        """Start the deadline for the head or the body of a request."""
        self._deadline = time.monotonic() + DEADLINE_S

    def rest(self) -> None:
        """Clear the deadline, since the next request may come at any time."""
        self._deadline = None

    def begin(self, request: _Request) -> None:
        """Begin a request: hold back the next data, the head of its response, until the body of the response begins.

        The connection is closed after the response if too much of the body of the request is left then.
        """
        self._head = b""
        self._is_asked = False
        should_close = request.should_close

        def closes() -> bool:
            self._has_rest = self._has_rest or self._leaves(request.body.reader)
            return self._has_rest or bool(should_close())

        request.should_close = closes

    def _leaves(self, reader: object) -> bool:
        """Return whether a reader of gunicorn has left so much of a body that the connection must be closed."""
        if hasattr(reader, "length"):
            return bool(reader.length > (0 if self._is_asked else _MOST_DROPPED))
        # Of a chunked body nobody knows how much is left.
        return getattr(reader, "parser", None) is not None

    def send(self, data: bytes) -> int:
        """Send data; `100 Continue` only when the body is read."""
        if data == _CONTINUE:
            self._is_asked = True
            return len(data)
        return self._sock.send(data)

    def sendall(self, data: bytes) -> None:
        """Send held-back data, then these."""
        if self._head == b"":
            self._head = data
            return
        if self._head is not None:
            data = self._head + data
            self._head = None
        sent = self._sock.send(data)
        if sent < len(data):
            self._sock.sendall(memoryview(data)[sent:])

    def flush(self) -> None:
        """Send held-back data: the head of a response without a body."""
        head, self._head = self._head, None
        if head:
            self._sock.sendall(head)

    def sendfile(self, file: BinaryIO, offset: int = 0, count: int | None = None) -> int:
        """Send a file; see `socket.sendfile`."""
        self.flush()
        return self._sock.sendfile(file, offset, count)

    def close(self) -> None:
        """Close the connection without sending a held-back head.

        If the client is still sending, closing at once would reset the connection, and the response might get lost.
        """
        self._head = None
        if self._has_rest:
            self._linger()
        self._sock.close()

    def _linger(self) -> None:
        ends = time.monotonic() + LINGER_S
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)
            while (left := ends - time.monotonic()) > 0:
                self._sock.settimeout(left)
                if not self._sock.recv(_MOST_DROPPED):
                    return

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Receive data from the client; there is no deadline for peeking (`MSG_PEEK`).

        Raises:
            ConnectionResetError: the deadline has passed.
        """
        if flags:
            return self._sock.recv(size, flags)
        if self._is_asked:
            self._is_asked = False
            self._sock.sendall(_CONTINUE)
        if self._deadline is None:
            # The first bytes of the next request: the deadline for its head starts now.
            data = self._sock.recv(size)
            self.expect()
            return data
        left = self._deadline - time.monotonic()
        if left > 0:
            self._sock.settimeout(left)
            try:
                return self._sock.recv(size)
            except TimeoutError:
                pass
            finally:
                self._sock.settimeout(None)
        raise ConnectionResetError(errno.ECONNRESET, "the request did not arrive in time")
