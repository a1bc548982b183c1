"""A proxy between the page and the service, whose connections can fall silent without being closed."""

import contextlib
import re
import socket
import threading

_REQUEST = re.compile(rb"^[A-Z]+ (/[^ ?]*)[^ ]* HTTP/1.1\r$", re.MULTILINE)


class Network:
    """Forwards bytes between clients and a local port.

    Attributes:
        url: where clients find the service.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        #: Open connections, both ends of each.
        self._open: list[tuple[socket.socket, socket.socket]] = []
        #: Those of them that no longer forward anything.
        self._silent: set[socket.socket] = set()
        #: Whether new connections forward nothing, either.
        self._swallows = False
        #: Paths of the requests so far, also of those of service workers.
        self.paths: list[str] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def falls_silent(self) -> None:
        """Stop forwarding on all open connections; new ones work."""
        self._silent.update(end for ends in self._open for end in ends)

    def swallows(self) -> None:
        """Take everything that is sent and answer nothing, as in a tunnel."""
        self._swallows = True
        self.falls_silent()

    def close(self) -> None:
        """Close all connections; new ones are refused."""
        with contextlib.suppress(OSError):  # closed before
            # Without this, the thread that waits in `accept` would still take one.
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in (end for ends in self._open for end in ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                ends = (client, socket.create_connection(("127.0.0.1", self._port)))
                self._open.append(ends)
                if self._swallows:
                    self._silent.update(ends)
                for source, target in (ends, ends[::-1]):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self.paths += [path.decode() for path in _REQUEST.findall(data)]
                if source not in self._silent:
                    target.sendall(data)
        if source not in self._silent:
            with contextlib.suppress(OSError):
                target.shutdown(socket.SHUT_RDWR)
