"""What has to hold behind every proxy. Each check uses the service through it, and fails by an AssertionError."""

import http.client
import json
import ssl
import subprocess
import sys
import urllib.request
import zlib
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Page

from harness.client import CLIENT, chromium
from harness.make_run import ROOT
from harness.waiting import wait_until
from tools.proxies.machine import ELSEWHERE, NAME, PLAYERS
from tools.proxies.running import SITE, Place

JSON: Final = {"Content-Type": "application/json"}
#: Addresses that only operators may use, and forms of them that a proxy may not recognize; then the service refuses.
HIDDEN: Final = ("/metrics", "/readyz", "/%6detrics", "/read%79z", "/metrics?a")
UNUSUAL: Final = ("/./metrics", "//metrics", "/x/../metrics")


class Answer(NamedTuple):
    """An answer: status, headers, and body."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """Sends requests through the proxy, from an address of its own."""

    def __init__(self, place: Place, source: str) -> None:
        self._below = place.below
        self._context = ssl.create_default_context(cafile=str(place.folder / "fullchain.pem"))
        self._source = source
        self.token = ""

    def connected(self) -> http.client.HTTPSConnection:
        source = (self._source, 0)
        return http.client.HTTPSConnection(NAME, 443, timeout=60, source_address=source, context=self._context)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send a request; `path` is one of the service."""
        connection = self.connected()
        try:
            self.send(connection, method, path, body, **headers)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: object, **headers: str
    ) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        text = None if body is None else json.dumps(body)
        connection.request(method, self._below + path, text, JSON | own | named)


def walk(place: Place, address: str) -> None:
    """Check everything, with the name leading to an address of the proxy."""
    visitor = Visitor(place, PLAYERS[address])
    guest = visitor.ask("POST", "/v1/players", {"name": "Lin", "kind": "human"})
    assert guest.status == HTTPStatus.CREATED, guest
    visitor.token = guest.json["token"]
    a_round_is_played(place)
    for coding in ("identity", "gzip"):
        events_arrive_at_once(visitor, coding)
    the_page_is_whole(place, visitor)
    clients_are_told_apart(place, visitor, address)
    only_operators_see_what_is_theirs(visitor)
    a_large_body_is_refused_by_the_service(visitor)
    http_leads_to_https(place)
    if place.below:
        the_other_site_is_still_there(place, visitor)
    streams_end_with_their_readers(place)
    nothing_is_wrong(place)


def a_round_is_played(place: Place) -> None:
    demo = [sys.executable, "-m", "demo", "--url", place.url, "--pace", "0"]
    played = subprocess.run(demo, cwd=ROOT, env=place.environment, capture_output=True, text=True, check=False)
    assert "next round:" in played.stdout, played.stdout + played.stderr


def events_arrive_at_once(visitor: Visitor, coding: str) -> None:
    """Each message of a chat comes before the next one is written."""
    table = visitor.ask("POST", "/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    assert visitor.ask("POST", f"/v1/tables/{table}/seats", {"seat": 0}).status == HTTPStatus.OK
    connection = visitor.connected()
    stream = f"/v1/tables/{table}/events?after=0"
    visitor.send(connection, "GET", stream, None, Accept="text/event-stream", Accept_Encoding=coding)
    response = connection.getresponse()
    assert response.status == HTTPStatus.OK, response.status
    assert response.headers.get("Content-Encoding", "identity") == coding
    decoded = zlib.decompressobj(31).decompress if coding == "gzip" else bytes
    seen = b""
    for number in range(3):
        text = f"message {number}"
        assert visitor.ask("POST", f"/v1/tables/{table}/chat", {"text": text}).status == HTTPStatus.OK
        while text.encode() not in seen:
            part = response.read1()
            assert part, f"the stream ended before {text!r}"
            seen += decoded(part)
    connection.close()


def the_page_is_whole(place: Place, visitor: Visitor) -> None:
    """Every file of the page arrives as it is; a guest registers on the page, which asks nothing outside its path."""
    connection = visitor.connected()
    for folder in ("app", "style", "art", "vendor"):
        for path in sorted((CLIENT / folder).rglob("*")):
            if path.is_file():
                visitor.send(connection, "GET", f"/{path.relative_to(CLIENT).as_posix()}", None)
                response = connection.getresponse()
                assert (response.status, response.read()) == (HTTPStatus.OK, path.read_bytes()), (path, response.status)
    connection.close()
    with chromium("--ignore-certificate-errors") as browser:
        wrong: list[str] = []
        page = _watched(browser, place, wrong)
        page.goto(f"{place.url}/")
        page.get_by_label("What should we call you").fill("Lin")
        page.get_by_role("button", name="Continue").click()
        page.get_by_text("Hello, Lin").wait_for()
        # The worker of the page lies at its address, and so serves what is below it.
        scope = page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")
        assert scope == f"{place.url}/", scope
        assert not wrong, wrong
        for path in ("docs", "docs/problems", "docs/rulesets/shengji"):
            page = _watched(browser, place, wrong)
            page.goto(f"{place.url}/{path}", wait_until="networkidle")
            assert not wrong, (path, wrong)
            if path == "docs":
                # Where requests go that are tried there.
                assert page.get_by_role("combobox").first.input_value() == place.url


def _watched(browser: Browser, place: Place, wrong: list[str]) -> Page:
    """Open a page of a new visitor, and note what goes wrong on it, and what it asks outside the path."""
    page = browser.new_context(locale="en-GB").new_page()
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(f"{request.url}: {request.failure}"))
    page.on("response", lambda answer: None if answer.status < 400 else wrong.append(f"{answer.url}: {answer.status}"))
    page.on("request", lambda asks: None if asks.url.startswith(f"{place.url}/") else wrong.append(asks.url))
    return page


def clients_are_told_apart(place: Place, visitor: Visitor, address: str) -> None:
    """The service knows the address of a client, whatever that one claims."""
    other, mine = ELSEWHERE[address], PLAYERS[address]

    def is_refused(**headers: str) -> bool:
        answer = visitor.ask("GET", "/v1/me", **headers)
        assert answer.status == HTTPStatus.OK or answer.json["code"] == "address-blocked", answer
        return answer.status != HTTPStatus.OK

    # HTTP has several ways to claim an address.
    claims = {"X_Forwarded_For", "x_forwarded_for", "Forwarded", "X_Real_IP", "True_Client_IP", "CF_Connecting_IP"}
    for blocked, claimed, expected in ((other, other, False), (mine, other, True)):
        block = operate(place, "POST", "/v1/operator/blocks", {"network": blocked, "note": "of a test"})
        try:
            wait_until(lambda expected=expected: is_refused() == expected, f"{blocked} is blocked")  # type: ignore[misc]
            for claim in sorted(claims):
                for text in (claimed, f"{claimed}, {claimed}", f"for={claimed}"):
                    assert is_refused(**{claim: text}) == expected, (blocked, claim, text)
        finally:
            operate(place, "DELETE", f"/v1/operator/blocks/{block['id']}")
    wait_until(lambda: not is_refused(), "nobody is blocked")


def only_operators_see_what_is_theirs(visitor: Visitor) -> None:
    kept = {HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST}
    for path, allowed in (dict.fromkeys(HIDDEN, kept) | dict.fromkeys(UNUSUAL, kept | {HTTPStatus.FORBIDDEN})).items():
        answer = visitor.ask("GET", path)
        assert answer.status in allowed, (path, answer)


def a_large_body_is_refused_by_the_service(visitor: Visitor) -> None:
    answer = visitor.ask("POST", "/v1/players", {"name": "L" * 200_000, "kind": "human"})
    assert (answer.status, answer.json["code"]) == (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large"), answer


def http_leads_to_https(place: Place) -> None:
    connection = http.client.HTTPConnection(NAME, 80, timeout=60)
    connection.request("GET", f"{place.below}/rules?a=b")
    response = connection.getresponse()
    assert response.status in (HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT), response.status
    assert response.headers["Location"] == f"{place.url}/rules?a=b", response.headers["Location"]
    connection.close()


def the_other_site_is_still_there(place: Place, visitor: Visitor) -> None:
    """The service has its path and the place of its metadata (RFC 8414), and nothing else."""
    context = ssl.create_default_context(cafile=str(place.folder / "fullchain.pem"))
    metadata = "/.well-known/oauth-authorization-server"
    with urllib.request.urlopen(f"https://{NAME}/", context=context) as answer:
        assert answer.read().decode() == SITE, "not the site"
    with urllib.request.urlopen(f"https://{NAME}{place.below}", context=context) as answer:
        assert answer.url == f"{place.url}/", answer.url
    with urllib.request.urlopen(f"https://{NAME}{metadata}{place.below}", context=context) as answer:
        issuers = {json.load(answer)["issuer"], visitor.ask("GET", metadata).json["issuer"]}
    assert issuers == {place.url}, issuers


def streams_end_with_their_readers(place: Place) -> None:
    """The proxy tells the service that a client has gone, so that nobody's streams are counted for ever."""

    def open_streams() -> float:
        lines = operate(place, "GET", "/metrics", parse=str).splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith("event_streams"))

    wait_until(lambda: not open_streams(), lambda: f"no stream is open: {open_streams()}")


def nothing_is_wrong(place: Place) -> None:
    status, said = doctor(place)
    assert status == 0, said
    assert f"{place.url} passes on event streams at once" in said, said


def what_collects_is_found(place: Place) -> None:
    status, said = doctor(place)
    assert status == 1, said
    assert "turn off buffering of responses" in said, said


def doctor(place: Place) -> tuple[int, str]:
    """Return status and findings of `shengji doctor`."""
    settings = {"OPERATOR_TOKEN": place.operator, "DATA_DIR": str(place.folder / "var"), "TRUSTED_PROXIES": "1"}
    settings["HOST"] = "::1" if "[" in place.direct else "127.0.0.1"
    command = [sys.executable, "-m", "service", "doctor", "--url", place.url]
    done = subprocess.run(
        command, cwd=ROOT, env=place.environment | settings, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def operate(
    place: Place, method: str, path: str, body: object = None, *, parse: Callable[[str], Any] = json.loads
) -> Any:
    """Ask as an operator, past the proxy."""
    headers = JSON | {"Authorization": f"Bearer {place.operator}"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(place.direct + path, data, headers, method=method)  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        text = answer.read().decode()
    return parse(text) if text else None
