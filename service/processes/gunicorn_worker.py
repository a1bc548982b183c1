"""gunicorn's gevent worker, with deadlines for slow requests, and head and body of a response sent together.

Without deadlines, a client that sends nothing, or sends a head or body byte by byte, could hold a connection
indefinitely. An idle connection between two requests may stay for `keepalive`.

gunicorn sends head and body of a response separately. Sending them together saves 3 % CPU per play (decision 117), and
the client wakes up once.
"""

import errno
import time
from typing import Any, Final

from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped] # it has no types

#: Seconds for the head of a request, from the connection or its first byte on, and again for its body.
DEADLINE_S: Final = 10.0


class Worker(GeventWorker):  # type: ignore[misc] # see above
    """See the module."""

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection."""
        super().handle(listener, ClientSocket(client), addr)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Serve a request whose head has been received."""
        sock.expect()
        sock.hold_head()
        try:
            super().handle_request(listener_name, req, sock, addr)
        finally:
            sock.flush()
        sock.rest()


class ClientSocket:
    """A socket that fails when expected data arrive too late, and sends head and body of a response together."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock
        self._deadline: float | None = None
        #: The head of a response whose body has not begun; empty before the head, None while nothing is held back.
        self._head: bytes | None = None
        self.expect()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def expect(self) -> None:
        """Start the deadline for the head or the body of a request."""
        self._deadline = time.monotonic() + DEADLINE_S

    def rest(self) -> None:
        """Clear the deadline, since the next request may come at any time."""
        self._deadline = None

    def hold_head(self) -> None:
        """Hold back the next data, the head of a response, until its body begins."""
        self._head = b""

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

    def sendfile(self, *args: Any, **options: Any) -> Any:
        """Send a file; see `socket.sendfile`."""
        self.flush()
        return self._sock.sendfile(*args, **options)

    def close(self) -> None:
        """Close the connection without sending a held-back head."""
        self._head = None
        self._sock.close()

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Receive data from the client; there is no deadline for peeking (`MSG_PEEK`).

        Raises:
            ConnectionResetError: the deadline has passed.
        """
        if flags:
            return bytes(self._sock.recv(size, flags))
        if self._deadline is None:
            # The first bytes of the next request: the deadline for its head starts now.
            data: bytes = self._sock.recv(size)
            self.expect()
            return data
        left = self._deadline - time.monotonic()
        if left > 0:
            self._sock.settimeout(left)
            try:
                return bytes(self._sock.recv(size))
            except TimeoutError:
                pass
            finally:
                self._sock.settimeout(None)
        raise ConnectionResetError(errno.ECONNRESET, "the request did not arrive in time")
