"""Time until a new player sees the form, on slow 3G and a processor four times slower.

    python -m bench.bench_form [--loads 7] [--throttle 4]

A browser with an empty cache opens the page: 400 kbit/s in both directions, 400 ms latency. The baseline is an empty
page of the same service on the same network. Requests and bytes are counted until the form is shown, including what the
page preloads meanwhile.
"""

import argparse
import statistics
from collections.abc import Sequence
from typing import Any, Final

from playwright.sync_api import Browser

from bench import report
from harness.client import service_and_chromium

PHONE: Final = {"width": 390, "height": 844}
SLOW: Final = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PATIENCE_MS: Final = 120_000
#: Returns when an element is shown, ms from the navigation.
WAITED: Final = """(selector) => new Promise((found) => {
  const isThere = () => found(performance.now());
  const look = () => requestAnimationFrame(document.querySelector(selector) ? isThere : look);
  look();
})"""
LOADED: Final = """() => {
  const files = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return [files.length, files.reduce((sum, { transferSize }) => sum + transferSize, 0)];
}"""


def load(browser: Browser, url: str, selector: str, throttle: int) -> tuple[float, int, int]:
    """Return the seconds until an element is shown in a new browser, and the requests and bytes until then."""
    context: Any = browser.new_context(viewport=PHONE, service_workers="block")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    page.goto(url, wait_until="commit")
    waited = page.evaluate(WAITED, selector) / 1000
    requests, size = page.evaluate(LOADED)
    context.close()
    return waited, requests, size


def row(name: str, loads: Sequence[tuple[float, int, int]]) -> list[str]:
    """Return a row of the table."""
    times, requests, sizes = zip(*loads, strict=True)
    seconds = (min(times), statistics.median(times), max(times))
    return [
        name,
        *(f"{each:.2f}" for each in seconds),
        f"{statistics.median(requests):.0f}",
        f"{statistics.median(sizes) / 1000:.1f}",
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loads", type=int, default=7)
    parser.add_argument("--throttle", type=int, default=4)
    options = parser.parse_args()
    with service_and_chromium() as (url, browser):
        load(browser, f"{url}/", "form.name input", 1)  # packs the client
        form, empty = [], []
        for _ in range(options.loads):
            form.append(load(browser, f"{url}/", "form.name input", options.throttle))
            empty.append(load(browser, f"{url}/livez", "body", options.throttle))
    report.table(
        ("slow 3G, an empty cache", "best s", "median s", "worst s", "requests", "kB"),
        [row("the form of a newcomer", form), row("an empty page", empty)],
    )
    report.aim("seconds until the form, median", statistics.median(each[0] for each in form), at_most=4)


if __name__ == "__main__":
    main()
