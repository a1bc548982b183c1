"""gunicorn's worker with greenlets, and deadlines for requests that trickle in.

A connection that says nothing, a head or a body that arrives byte by byte: each would hold a connection for as long as
its client likes. An idle connection between two requests may stay for `keepalive`.
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
        super().handle(listener, TimedSocket(client), addr)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Serve a request whose head has arrived."""
        sock.expect()
        super().handle_request(listener_name, req, sock, addr)
        sock.rest()


class TimedSocket:
    """A socket that ends when what is expected of the client does not arrive in time."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock
        self._deadline: float | None = None
        self.expect()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def expect(self) -> None:
        """Begin to wait for something: the head or the body of a request."""
        self._deadline = time.monotonic() + DEADLINE_S

    def rest(self) -> None:
        """Expect nothing: the next request may come at any time."""
        self._deadline = None

    def recv(self, size: int) -> bytes:
        """Return what the client has sent.

        Raises:
            ConnectionResetError: nothing came in time.
        """
        if self._deadline is None:
            # The first bytes of the next request: from now on its head is expected.
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
