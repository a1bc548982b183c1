"""Hosts beside the service: one that hosts the page, and one that takes whatever is sent to it."""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from harness.client import CLIENT


class _Host(ThreadingHTTPServer):
    #: The page loads its modules all at once.
    request_queue_size = 128


@contextmanager
def _served(handler: Any) -> Iterator[str]:
    with _Host(("127.0.0.1", 0), handler) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}"
        host.shutdown()


@contextmanager
def hosted(services: Iterable[str], providers: str = "", files: Mapping[str, str] | None = None) -> Iterator[str]:
    """Host the page elsewhere, for these services; yield its address.

    Args:
        services: read at each visit.
        providers: names of the OpenID providers of each of them.
        files: path -> what is sent in place of that file, read at each visit.
    """
    attribute = f' data-sign-in="{providers}"' if providers else ""

    class Page(SimpleHTTPRequestHandler):
        """Sends the files of the client as they are, and the page with the list of services written into it."""

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/":
                listed = "".join(f'<meta name="service" content="{each}"{attribute}>\n' for each in services)
                page = (CLIENT / "index.html").read_text("utf-8")
                self._send("text/html", page.replace("<title>", f"{listed}<title>"))
            elif path in (files or {}):
                self._send("text/javascript", (files or {})[path])
            else:
                super().do_GET()

        def _send(self, kind: str, text: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(text.encode())))
            self.send_header("Cache-Control", "no-cache")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with _served(partial(Page, directory=str(CLIENT))) as url:
        yield url


class Thief:
    """A host that takes everything.

    Attributes:
        url: its address.
        got: what was sent to it: method, path, headers and body of each request.
    """

    def __init__(self, url: str, got: list[str]) -> None:
        self.url = url
        self.got = got


@contextmanager
def thief() -> Iterator[Thief]:
    """Run a host that any page may send anything to."""
    got: list[str] = []

    def take(request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0)).decode()
        got.append(f"{request.command} {request.path}\n{request.headers}\n{body}")
        answer = json.dumps({"items": []}).encode()
        request.send_response(200)
        request.send_header("Access-Control-Allow-Origin", "*")
        request.send_header("Access-Control-Allow-Methods", "*")
        request.send_header("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key")
        request.send_header("Content-Length", str(len(answer)))
        request.end_headers()
        request.wfile.write(answer)

    methods = {f"do_{name}": take for name in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")}
    handler = type("Takes", (BaseHTTPRequestHandler,), {**methods, "log_message": lambda *_: None})
    with _served(handler) as url:
        yield Thief(url, got)
