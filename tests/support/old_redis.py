"""Servers that are too old for the service, as far as they answer it."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: Version -> its answer to `HELLO 3`, the first command of a connection. As Redis 3.2.6 and 5.0.6 answered it.
UNKNOWN: Final = {
    "3.2": b"-ERR unknown command 'HELLO'\r\n",
    "5.0": b"-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n",
}


@contextmanager
def old_redis(version: str) -> Iterator[int]:
    """Run a server that knows no command; the value is its port."""

    class Connection(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            while self.request.recv(1 << 16):
                self.request.sendall(UNKNOWN[version])

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Connection) as server:
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()
