"""A proxy between the page and the service, whose connections can fall silent without being closed."""

import contextlib
import socket
import threading


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
        threading.Thread(target=self._accept, daemon=True).start()

    def falls_silent(self) -> None:
        """Stop forwarding on all open connections; new ones work."""
        self._silent.update(end for ends in self._open for end in ends)

    def close(self) -> None:
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
                for source, target in (ends, ends[::-1]):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if source not in self._silent:
                    target.sendall(data)
        if source not in self._silent:
            with contextlib.suppress(OSError):
                target.shutdown(socket.SHUT_RDWR)
