"""A gateway that serves the service under a path and strips it, as an operator's may."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

#: What a proxy does not pass on, or writes itself.
_OWN = frozenset({"transfer-encoding", "connection", "date", "server"})
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@contextmanager
def under_a_path(url: str, path: str = "/game") -> Iterator[tuple[str, list[str]]]:
    """Serve what is at a URL under a path; yield the URL of that, and the paths that were asked for outside it."""
    missed: list[str] = []

    class Gateway(BaseHTTPRequestHandler):
        """Passes on what is below the path."""

        def passes(self) -> None:
            if not self.path.startswith(f"{path}/"):
                missed.append(self.path)
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            there = http.client.HTTPConnection(urlsplit(url).netloc)
            there.request(self.command, self.path.removeprefix(path), body, dict(self.headers))
            answer = there.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _OWN:
                    self.send_header(name, value)
            self.end_headers()
            try:
                while data := answer.read1(65_536):
                    self.wfile.write(data)
                    self.wfile.flush()
            except OSError:
                pass  # a stream has been closed
            finally:
                there.close()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    methods = {f"do_{name}": Gateway.passes for name in _METHODS}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Passes", (Gateway,), methods)) as host:
        host.daemon_threads = True
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}{path}", missed
        host.shutdown()
