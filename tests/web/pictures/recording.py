"""What the service answered to each screen, so that the screens can be drawn again without it."""

import http.client
import json
import time
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Request, Route
from playwright.sync_api import Error as BrowserError

from tests.web.person import until

#: Locales in which each screen is recorded and drawn -> the language of the account.
LANGUAGES = {"en-GB": "en", "zh-CN": "zh-Hans"}
#: Where the pages of a drawing are, and what takes the place of the service's address in a recording.
ORIGIN = "http://127.0.0.1:8797"
#: Windows in which each screen is drawn.
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
#: The longest that a stream takes to send what has happened before (s).
STREAM_S = 3

#: Nothing in a picture depends on chance, on when it is drawn, or on how long the page took.
FIXED = """
  const time = {time};
  window.Date = class extends Date {
    constructor(...parts) {
      super(...(parts.length ? parts : [time]));
    }
    static now() {
      return time;
    }
  };
  let seed = 1;
  Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  performance.now = () => 5000;
"""


@dataclass
class Screen:
    """A screen of the page.

    Attributes:
        name: begins the names of its pictures.
        address: what comes after the address of the page, such as `#/rules`.
        ready: what the page shows when all is there.
        steps: what is done then: `click SELECTOR`, `fill SELECTOR = TEXT` or `wait SELECTOR`.
        account: what the page has stored about the account.
    """

    name: str
    address: str
    ready: str
    steps: list[str] = field(default_factory=list)
    account: dict[str, Any] = field(default_factory=dict)


@dataclass
class Recording:
    """A screen in a language.

    Attributes:
        time: when it was recorded (ms).
        answers: method, path and query -> the answers in their order: status, type and body.
        streams: path -> what a stream sent at first.
    """

    screen: Screen
    locale: str
    time: int
    answers: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)
    streams: dict[str, str] = field(default_factory=dict)


def written(recordings: list[Recording], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([asdict(each) for each in recordings], ensure_ascii=False))


def read(path: Path) -> list[Recording]:
    found = json.loads(path.read_text())
    return [Recording(**{**each, "screen": Screen(**each["screen"])}) for each in found]


def key_of(method: str, url: str) -> str:
    parts = urlsplit(url)
    return f"{method} {parts.path}{f'?{parts.query}' if parts.query else ''}"


def is_stream(path: str, accept: str | None) -> bool:
    return path.partition("?")[0].endswith("/events") and "event-stream" in (accept or "")


def is_stream_request(request: Request) -> bool:
    return is_stream(urlsplit(request.url).path, request.headers.get("accept"))


def new_context(browser: Browser, locale: str, account: dict[str, Any], time_ms: int) -> BrowserContext:
    """A device with this account, on which the time stands still."""
    context = browser.new_context(
        locale=locale,
        timezone_id="UTC",
        viewport={"width": 1440, "height": 900},
        service_workers="block",
        reduced_motion="reduce",
    )
    stored = json.dumps({"pause": "none", "sounds": False, "obvious": False, "language": LANGUAGES[locale], **account})
    fixed = FIXED.replace("{time}", str(time_ms))
    context.add_init_script(f"(() => {{ {fixed}\nlocalStorage.shengji = {json.dumps(stored)}; }})();")
    return context


def shows(page: Page, screen: Screen, origin: str) -> None:
    """Bring a page to a screen."""
    page.goto(f"{origin}/{screen.address}")
    page.wait_for_selector(screen.ready, state="attached")
    for step in screen.steps:
        what, _, rest = step.partition(" ")
        selector, _, text = rest.partition(" = ")
        if what == "click":
            page.click(selector)
        elif what == "fill":
            page.fill(selector, text)
        else:
            page.wait_for_selector(selector, state="attached")


class Recorder:
    """Records screens of a service."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self.recordings: list[Recording] = []

    def records(self, screen: Screen) -> None:
        """Visit a screen in each language, and keep the answers."""
        for locale in LANGUAGES:
            recording = Recording(screen, locale, int(time.time() * 1000))
            context = new_context(self._browser, locale, screen.account, recording.time)
            waiting: set[Request] = set()
            context.route("**/v1**", partial(self._answer, recording))
            page = context.new_page()
            page.set_default_timeout(10_000)
            page.on("request", lambda it, open_=waiting: is_stream_request(it) or open_.add(it))
            page.on("requestfinished", lambda it, open_=waiting: is_stream_request(it) or open_.discard(it))
            page.on("requestfailed", lambda it, open_=waiting: is_stream_request(it) or open_.discard(it))
            try:
                shows(page, screen, self._url)
                for width, height in SIZES.values():  # a wider page may ask for more
                    page.set_viewport_size({"width": width, "height": height})
                    page.wait_for_timeout(150)
                    until(page, "answers", lambda open_=waiting: not open_)
                self.recordings.append(recording)
            except (BrowserError, AssertionError, TimeoutError) as error:
                print(f"{screen.name} {locale}: {str(error)[:300]}\n{page.inner_text('body')[:500]}")
            context.unroute_all(behavior="ignoreErrors")
            context.close()
        print(screen.name, flush=True)

    def _answer(self, kept: Recording, route: Route, request: Request) -> None:
        if is_stream_request(request):
            path = urlsplit(request.url).path
            if path not in kept.streams:
                kept.streams[path] = self._stream(request)
                route.fulfill(status=200, content_type="text/event-stream", body=kept.streams[path])
            else:
                route.continue_()
            return
        try:
            answer = route.fetch()
        except BrowserError:
            return  # the page has been closed
        body = answer.text()
        kind = answer.headers.get("content-type", "")
        kept.answers.setdefault(key_of(request.method, request.url), []).append(
            (answer.status, kind, body.replace(self._url, ORIGIN))
        )
        route.fulfill(response=answer, body=body)

    def _stream(self, request: Request) -> str:
        """What a stream sends up to its first heartbeat."""
        parts = urlsplit(request.url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=STREAM_S)
        headers = {name: value for name, value in request.headers.items() if name in ("authorization", "accept")}
        text = ""
        try:
            connection.request("GET", f"{parts.path}?{parts.query}", headers=headers)
            answer = connection.getresponse()
            while line := answer.readline().decode():
                text += line
                if line == "\n" and "event: heartbeat" in text:
                    break
        except TimeoutError:
            pass
        finally:
            connection.close()
        return text.replace(self._url, ORIGIN)
