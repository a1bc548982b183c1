"""The web client: its size, the time until a table is shown, and frame times while cards are dealt and gathered.

    python -m bench.bench_web [--loads 9] [--throttle 4]

Debian's Chromium opens the client of a service on this machine. Loads have an empty cache and are measured by the
browser's own clock, from the navigation to the first paint and to the hand. Frames are those that the browser draws
while it deals a card every 250 ms, and while tricks are played and gathered, on a processor slowed down by
`--throttle`; the baseline is an empty page whose script does nothing but move one element. Tricks are played once at
the pace that AI players have by default, which is what people see, and once without any pause, as fast as the script
and the page can.
"""

import argparse
import itertools
import json
import statistics
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page

from bench import report
from bench.servers import percentile
from harness.client import service_and_chromium, weight

PHONE: Final = {"width": 390, "height": 844}
PLAYERS: Final = 6
#: Number of dealt cards after which the measurement ends; the whole hand has 17.
DEALT: Final = 16
PATIENCE_MS: Final = 60_000
#: Number of tricks played and gathered.
TRICKS: Final = 8
SLOW: Final = {"declare_ms": 600_000, "play_ms": 600_000}

#: Records the start of each frame, and when the hand was first drawn.
NOTE: Final = """
    window.frames_at = [];
    const note = (now) => { frames_at.push(now); requestAnimationFrame(note); };
    requestAnimationFrame(note);
    const look = () => {
        if (document.querySelector(".hand .card")) requestAnimationFrame(() => (window.hand_at = performance.now()));
        else requestAnimationFrame(look);
    };
    look();
"""
MOVING: Final = """
    <div id="it" style="position: absolute; width: 40px; height: 60px; background: teal"></div>
    <script>
      const move = (now) => { it.style.transform = `translateX(${(now / 5) % 300}px)`; requestAnimationFrame(move); };
      requestAnimationFrame(move);
    </script>
"""

#: Looks four times a second whether cards are asked for, and takes the suggestion. The page does it itself: looking and
#: clicking from outside runs scripts in the page that cost as much as what is measured.
PLAYING: Final = """() => {
    window.plays = 0;
    setInterval(() => {
        const panel = document.querySelector(".panel.play");
        const main = panel?.querySelector(".buttons .main:not(:disabled)");
        if (main) plays += 1;
        (main ?? panel?.querySelector(".suggest"))?.click();
    }, 250);
}"""


class Player:
    """A player with a table open in a browser.

    Args:
        chosen: settings of the player on this device.
    """

    def __init__(self, browser: Browser, url: str, **chosen: object) -> None:
        self.url = url
        self._context: BrowserContext = browser.new_context(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
        known = self._call("POST", "/players", {"name": "Lin", "kind": "human"})
        self._token = known["token"]
        account = {"token": self._token, "player": known["player"]["id"], "name": "Lin", "sounds": False, **chosen}
        self._context.add_init_script(f"localStorage.shengji ??= {json.dumps(json.dumps(account))}")
        self._context.add_init_script(NOTE)

    def _call(self, method: str, path: str, body: object, token: str = "") -> Any:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        answer = self._context.request.fetch(
            f"{self.url}/v1{path}", method=method, headers=headers, data=json.dumps(body)
        )
        assert answer.ok, answer.text()
        return answer.json()

    def table(self, *, players: int = PLAYERS, **spec: Any) -> str:
        """Create a table with AI players; the game begins once this player is ready."""
        spec = {"ruleset": "zhaopengyou", "players": players, **spec}
        table: str = self._call("POST", "/tables", spec, self._token)["id"]
        self._call("POST", f"/tables/{table}/seats", {"seat": 0}, self._token)
        for seat in range(1, players):
            self._call("PUT", f"/tables/{table}/seats/{seat}/ai", {}, self._token)
        return table

    def ready(self, table: str) -> None:
        """Begin the game."""
        self._call("PUT", f"/tables/{table}/seats/me/ready", {}, self._token)

    def open(self, table: str) -> Page:
        """Open a table in a new tab with an empty cache."""
        page = self._context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
        page.goto(f"{self.url}/#/table/{table}")
        return page


def loads(player: Player, number: int) -> tuple[list[float], list[float]]:
    """Return the ms until the first paint and until the hand, for a number of loads."""
    table = player.table(options={"deal_pace": "instant"}, clock=SLOW)
    player.ready(table)
    painted, hands = [], []
    for _ in range(number):
        page = player.open(table)
        page.wait_for_selector(".hand .card")
        page.wait_for_timeout(300)
        painted.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        hands.append(page.evaluate("hand_at"))
        page.close()
    return painted, hands


def frames(page: Page, throttle: int, wait: Any) -> list[float]:
    """Return the ms between frames until `wait` returns, on a slowed-down processor."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    page.evaluate("frames_at.length = 0")
    wait()
    at = page.evaluate("frames_at")
    # A table that is left open plays on, and takes frames from the next one.
    page.close()
    return [later - earlier for earlier, later in itertools.pairwise(at)]


def dealing(player: Player, throttle: int) -> list[float]:
    """Return the ms between frames while a hand is dealt."""
    table = player.table(options={"deal_pace": "timed"}, clock={**SLOW, "deal_interval_ms": 250})
    page = player.open(table)
    page.wait_for_selector("main.table")
    player.ready(table)
    page.wait_for_selector(".hand .card")

    def dealt() -> None:
        while page.locator(".hand .card").count() < DEALT:
            page.wait_for_timeout(500)

    return frames(page, throttle, dealt)


def gathering(player: Player, throttle: int, **pace: int) -> list[float]:
    """Return ms between frames while tricks are played, looked at and gathered."""
    quick = {"options": {"deal_pace": "instant"}, "hints": "off", "seed": "gathering of tricks"}
    table = player.table(ruleset="shengji", players=4, clock=SLOW, **quick, **pace)
    page = player.open(table)
    page.wait_for_selector("main.table")
    player.ready(table)

    def answered() -> str:
        panel = page.wait_for_selector(".panel[data-decision]")
        assert panel is not None
        kind = (panel.get_attribute("class") or "").split()[1]
        here = f".panel[data-decision='{panel.get_attribute('data-decision')}']"
        button = f"{here} .buttons .main:not(:disabled)"
        if kind in ("play", "discard") and page.query_selector(button) is None:
            page.click(f"{here} .suggest")
        page.locator(button).first.click()
        page.wait_for_selector(here, state="detached")
        return kind

    while answered() != "play":
        pass

    def played() -> None:
        page.evaluate(PLAYING)
        while page.evaluate("plays") < TRICKS:
            page.wait_for_timeout(500)

    return frames(page, throttle, played)


def row(name: str, spaces: list[float]) -> list[str]:
    """Return a row of the table of frames."""
    rate = 1000 / statistics.mean(spaces)
    return [name, f"{rate:.1f}", *(f"{percentile(spaces, percent):.1f}" for percent in (50, 95, 99))]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loads", type=int, default=9)
    parser.add_argument("--throttle", type=int, default=4)
    options = parser.parse_args()
    with service_and_chromium() as (url, browser):
        # This plays itself, so the page must not.
        player = Player(browser, url, obvious=False)
        painted, hands = loads(player, options.loads)
        played = dealing(player, options.throttle)
        gathered = gathering(player, options.throttle)
        hurried = gathering(player, options.throttle, ai_pace_ms=0)
        empty = browser.new_page()
        empty.goto("about:blank")
        empty.set_content(MOVING)
        empty.evaluate(NOTE)
        bare = frames(empty, options.throttle, lambda: empty.wait_for_timeout(4_000))
    report.table(
        ("ms from the navigation, an empty cache", "best", "median", "worst"),
        [
            [name, *(f"{value:.0f}" for value in (min(times), statistics.median(times), max(times)))]
            for name, times in (("first paint", painted), ("the hand is drawn", hands))
        ],
    )
    report.table(
        (f"a processor {options.throttle} times slower", "frames a second", "p50 ms", "p95 ms", "p99 ms"),
        [
            row("an empty page", bare),
            row(f"a hand is dealt, {PLAYERS} seats", played),
            row(f"{TRICKS} tricks are gathered, 4 seats", gathered),
            row("the same without a pause", hurried),
        ],
    )
    report.aim("kB of the whole client, compressed", weight() / 1000, at_most=400)
    report.aim("ms until the first paint, median", statistics.median(painted), at_most=1_000)
    report.aim("ms until the hand is drawn, median", statistics.median(hands), at_most=1_000)
    for name, spaces in (("dealing", played), ("gathering", gathered)):
        share = statistics.mean(bare) / statistics.mean(spaces)
        report.aim(f"frames while {name}, of those of an empty page", share, at_least=0.9)


if __name__ == "__main__":
    main()
