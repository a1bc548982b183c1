"""The page behind somebody's gateway, which serves the service under a path and strips it."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def gateway(service):
    """The address of the service under a path; everything else is missing, and its paths are kept."""
    missed = []

    class Gateway(BaseHTTPRequestHandler):
        """Passes on what is below the path."""

        def passes(self):
            if not self.path.startswith("/game/"):
                missed.append(self.path)
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            there = http.client.HTTPConnection(urlsplit(service.url).netloc)
            there.request(self.command, self.path.removeprefix("/game"), body, dict(self.headers))
            answer = there.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"transfer-encoding", "connection", "date", "server"}:
                    self.send_header(name, value)
            self.end_headers()
            try:
                while data := answer.read1(65_536):
                    self.wfile.write(data)
                    self.wfile.flush()
            except OSError:
                pass  # the page has closed a stream
            finally:
                there.close()

        def log_message(self, *_):
            """Log nothing."""

    methods = {f"do_{name}": Gateway.passes for name in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Passes", (Gateway,), methods)) as host:
        host.daemon_threads = True
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}/game/", missed
        host.shutdown()


def test_a_game_is_played_under_a_path(person, gateway):
    url, missed = gateway
    lin = person(name="", fresh=True)
    page = lin.page
    page.goto(url)
    page.wait_for_selector(".games li")
    page.click(".play-now .alone")
    page.wait_for_selector("main.table.playing .hand .card")
    assert page.url.startswith(f"{url}#/table/")
    kept = page.evaluate("Object.keys(localStorage)")
    assert [name for name in kept if name.endswith("/game")], "another service of this host does not see the account"
    page.goto(url)
    page.wait_for_selector(".my-tables a")
    assert page.get_attribute("text=For developers", "href").startswith(f"{url}docs")
    assert missed == []
