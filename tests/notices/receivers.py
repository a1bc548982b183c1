"""A local receiver with configurable answers."""

import socket
import threading
from collections.abc import Callable


class Receiver:
    """Accepts one connection after the other; `answer` gets the received bytes and returns the bytes to send, in parts.

    Attributes:
        url: its URL.
        heard: received requests, oldest first.
    """

    def __init__(self, answer: Callable[[bytes], list[bytes]]) -> None:
        self._answer = answer
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/hook"
        self.heard: list[bytes] = []
        self.written = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        with connection:
            data = b""
            while b"\r\n\r\n" not in data or len(data.partition(b"\r\n\r\n")[2]) < _length(data):
                if not (more := connection.recv(65_536)):
                    return  # nothing will come any more, and asking again would keep a core busy until the tests end
                data += more
            self.heard.append(data)
            try:
                for part in self._answer(data):
                    connection.sendall(part)
                    self.written += len(part)
            except OSError:
                pass


def _length(data):
    for line in data.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0
