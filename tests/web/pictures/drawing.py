"""Draw recorded screens from the files of a client."""

import mimetypes
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError

from tests.web.pictures.recording import ORIGIN, SIZES, Recording, is_stream, key_of, new_context, shows

COLOURS = ("light", "dark")
#: Interval of heartbeats (s).
HEARTBEAT_S = 4
#: Most pictures taken until two in a row are equal.
MOST_TRIES = 6


class _Host(ThreadingHTTPServer):
    """Serves the files of a client, and the answers of one recording at a time."""

    request_queue_size = 256
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, client: Path) -> None:
        super().__init__(("127.0.0.1", urlsplit(ORIGIN).port or 0), _Handler)
        self.client = client
        self.recording: Recording | None = None
        self.answered: dict[str, int] = {}
        self.unknown: list[str] = []
        self.over = threading.Event()

    def plays(self, recording: Recording) -> None:
        self.over.set()
        self.recording, self.answered, self.over = recording, {}, threading.Event()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Host

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path.startswith("/v1"):
            self._answer()
            return
        file = self.server.client / (path.lstrip("/") or "index.html")
        if not file.is_file():
            self._send(404, "text/plain", b"", "no-cache")
            return
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        self._send(200, kind, file.read_bytes(), "max-age=3600" if path != "/" else "no-cache")

    def _answer(self) -> None:
        recording = self.server.recording
        assert recording
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urlsplit(self.path).path
        if is_stream(path, self.headers.get("Accept")):
            self._stream(recording.streams.get(path, ""), self.server.over)
            return
        key = key_of(self.command, self.path)
        answers = recording.answers.get(key)
        if answers is None:
            self.server.unknown.append(key)
            self._send(404, "application/problem+json", b'{"code": "not-recorded", "title": "", "detail": ""}')
            return
        at = self.server.answered.get(key, 0)
        self.server.answered[key] = at + 1
        status, kind, body = answers[min(at, len(answers) - 1)]
        self._send(status, kind, body.encode())

    def __getattr__(self, name: str) -> object:
        """Answer other methods of HTTP, too."""
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def _stream(self, text: str, over: threading.Event) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        last = text.rstrip("\n").rpartition("\n\n")[2] + "\n\n"
        try:
            self.wfile.write(text.encode())
            while not over.wait(HEARTBEAT_S):
                self.wfile.write(last.encode() if "heartbeat" in last else b": still there\n\n")
        except OSError:
            pass  # the page was left

    def _send(self, status: int, kind: str, body: bytes, cache: str = "no-store") -> None:
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", cache)
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def _hosted(client: Path) -> Iterator[_Host]:
    with _Host(client) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield host
        host.over.set()
        host.shutdown()


def _drawn(page: Page) -> None:
    """Wait for two frames."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def _settled(page: Page) -> bytes:
    """A picture of a page at rest."""
    before = b""
    for _ in range(MOST_TRIES):
        _drawn(page)
        taken = page.screenshot(full_page=True, animations="disabled", caret="hide")
        if taken == before:
            break
        before = taken
    return before


def visited(browser: Browser, client: Path, recordings: list[Recording]) -> Iterator[tuple[Recording, Page]]:
    """Show one recorded screen after the other; yield each with its page.

    What is wrong with a screen is printed: errors of scripts, and requests that were not recorded.
    """
    with _hosted(client) as host:
        for recording in recordings:
            host.plays(recording)
            host.unknown.clear()
            context = new_context(browser, recording.locale, recording.screen.account, recording.time)
            page = context.new_page()
            page.set_default_timeout(20_000)
            errors: list[str] = []
            page.on("pageerror", lambda error, noted=errors: noted.append(str(error)))
            try:
                shows(page, recording.screen, ORIGIN)
                page.wait_for_load_state("load")
                page.wait_for_timeout(100)
                yield recording, page
            except BrowserError as error:
                errors.append(str(error)[:300])
            for each in [*errors, *(f"not recorded: {key}" for key in host.unknown)]:
                print(f"{recording.screen.name} {recording.locale}: {each}", flush=True)
            context.close()


def draw(browser: Browser, client: Path, recordings: list[Recording], folder: Path) -> int:
    """Draw screens in all sizes and colours, as `NAME-LANGUAGE-SIZE-COLOURS.png`; return the number of pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for recording, page in visited(browser, client, recordings):
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for colours in COLOURS:
                page.emulate_media(color_scheme=colours)
                name = f"{recording.screen.name}-{recording.locale[:2]}-{size}-{colours}.png"
                (folder / name).write_bytes(_settled(page))
                count += 1
    return count


#: Each selector of the styles of a page, and whether an element matches it, whatever its state and the size of the
#: window: states and parts of elements are left out.
_SELECTORS = r"""() => {
  const parts = (list) => {
    const [found, depth] = [[""], { now: 0 }];
    for (const letter of list) {
      depth.now += letter === "(" ? 1 : letter === ")" ? -1 : 0;
      if (letter === "," && !depth.now) found.push("");
      else found[found.length - 1] += letter;
    }
    return found.map((each) => each.trim());
  };
  const STATE = /::[\w-]+(\([^()]*\))?|:(hover|active|focus|focus-visible|focus-within|disabled|checked|open|modal)\b/g;
  const matches = (selector) => {
    const plain = selector.replace(STATE, "").replace(/:(not|is|has|where)\(\s*\)/g, "");
    try {
      return document.querySelector(plain || "*") !== null;
    } catch {
      return true;
    }
  };
  const every = [];
  const walk = (rules, file) => {
    for (const rule of rules) {
      if (rule.selectorText) for (const each of parts(rule.selectorText)) every.push([file, each, matches(each)]);
      if (rule.cssRules) walk(rule.cssRules, file);
    }
  };
  for (const sheet of document.styleSheets) walk(sheet.cssRules, new URL(sheet.href ?? location).pathname.slice(1));
  return every;
}"""


def unused(browser: Browser, client: Path, recordings: list[Recording]) -> dict[str, list[str]]:
    """Return the selectors that match no element of any screen: file -> selectors.

    What is only there for a moment, such as a refusal, is among them.
    """
    used: set[tuple[str, str]] = set()
    every: dict[tuple[str, str], None] = {}
    for _, page in visited(browser, client, recordings):
        for file, selector, is_used in page.evaluate(_SELECTORS):
            every[file, selector] = None
            if is_used:
                used.add((file, selector))
    selectors: dict[str, list[str]] = {}
    for file, selector in every:
        if (file, selector) not in used:
            selectors.setdefault(file, []).append(selector)
    return selectors


#: Counts pixels that differ, and the box around them; the pictures are `data:` URLs.
_DIFFERENCE = """async ([one, other]) => {
  const pixels = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { width, height } = image;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return { width, height, data: new Uint32Array(context.getImageData(0, 0, width, height).data.buffer) };
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height)
    return `${a.width}x${a.height} and ${b.width}x${b.height}`;
  let [count, left, top, right, bottom] = [0, a.width, a.height, 0, 0];
  for (let at = 0; at < a.data.length; at += 1)
    if (a.data[at] !== b.data[at]) {
      const [x, y] = [at % a.width, Math.floor(at / a.width)];
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  return count ? `${count} pixels within x ${left}-${right}, y ${top}-${bottom}` : "";
}"""


def differences(browser: Browser, one: Path, other: Path) -> dict[str, str]:
    """Compare the pictures in two folders; return for each that differs how: name -> text."""
    names = [{path.name for path in folder.glob("*.png")} for folder in (one, other)]
    found = {name: f"only in {one if name in names[0] else other}" for name in names[0] ^ names[1]}
    page = browser.new_page()
    for name in sorted(names[0] & names[1]):
        images = [(folder / name).read_bytes() for folder in (one, other)]
        if images[0] == images[1]:
            continue
        urls = [f"data:image/png;base64,{b64encode(image).decode()}" for image in images]
        if said := page.evaluate(_DIFFERENCE, urls):
            found[name] = said
    return dict(sorted(found.items()))
