"""Rounds of a person at a phone: seconds from the last dealt card to the first lead, and taps a round.

    python -m bench.bench_person [--rounds 20] [--think 400]

Plays `shengji` against AI players with the controls of the page alone: shows what may be shown, buries and plays what
the page suggests, which is its legal example, passes where it must, and goes on to the next round. Between seeing what
is asked and a tap it thinks for `--think` ms. Cards are dealt every 40 ms and AI players move at once, so that what is
left is what the page and its player take.
"""

import argparse
import statistics
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as Late

from bench import report
from bench.bench_web import Player
from harness.client import chromium
from harness.processes import RunningService

#: Cards that each player is dealt.
HAND: Final = 25
PATIENCE_S: Final = 180

#: Notes when the last card of a hand came and when the first card was led, and counts taps.
NOTE: Final = """
    window.taps = 0;
    window.leads = [];
    addEventListener("click", () => (window.taps += 1), { capture: true });
    let dealt = null;
    const look = () => {
        const held = document.querySelectorAll(".hand [data-card]").length;
        if (held < 3) dealt = null;
        if (held === HAND && dealt === null) dealt = performance.now();
        if (dealt > 0 && document.querySelector(".played .card")) {
            leads.push(performance.now() - dealt);
            dealt = 0; // until the next deal
        }
        requestAnimationFrame(look);
    };
    look();
""".replace("HAND", str(HAND))


def answer(page: Page, think_ms: int) -> None:
    """Answer what the page asks, as its controls offer it; nothing, if it asks nothing by then."""
    panel = page.query_selector(".panel[data-decision]")
    if panel is None:
        return
    kind = (panel.get_attribute("class") or "").split()[1]
    here = f".panel[data-decision='{panel.get_attribute('data-decision')}']"
    page.wait_for_timeout(think_ms)
    with suppress(Late):  # the page, or somebody else, was faster
        if kind in ("play", "discard"):
            button = f"{here} .buttons .main:not(:disabled)"
            if page.query_selector(button) is None:
                page.click(f"{here} .suggest", timeout=2_000)
                page.wait_for_selector(f"{here} .reason", timeout=2_000)
            page.click(button, timeout=2_000)
        elif page.query_selector(f"{here} .set"):
            page.locator(f"{here} .set").first.click(timeout=1_000)
        else:
            page.locator(f"{here} .buttons .main:not(:disabled)").first.click(timeout=500)
        page.wait_for_selector(here, state="detached", timeout=2_000)


def play_round(page: Page, think_ms: int) -> int:
    """Play to the result of a round and go on; return the taps."""
    before, deadline = page.evaluate("taps"), time.monotonic() + PATIENCE_S
    while page.query_selector("dialog.summary") is None:
        assert time.monotonic() < deadline, "the round does not end"
        answer(page, think_ms)
        page.wait_for_timeout(20)
    page.wait_for_timeout(think_ms)
    page.locator("dialog.summary .buttons .main").last.click()
    page.wait_for_selector("dialog.summary", state="detached")
    return int(page.evaluate("taps") - before)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--think", type=int, default=400)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(RunningService(folder, servers=1, workers=1, clocks=1))
        browser = stack.enter_context(chromium())
        player = Player(browser, f"http://127.0.0.1:{service.port}", NOTE, pause="none")
        spec: dict[str, Any] = {
            "ruleset": "shengji",
            "players": 4,
            "hints": "off",
            "ai_pace_ms": 0,
            "seed": "a person plays on",
        }
        table = player.table(**spec, clock={"deal_interval_ms": 40, "ready_ms": 600_000})
        page = player.open(table)
        page.wait_for_selector("main.table")
        player.ready(table)
        taps = [play_round(page, given.think) for _ in range(given.rounds)]
        leads = [each / 1000 for each in page.evaluate("leads")]
    report.table(
        (f"{given.rounds} rounds of `shengji`, 4 seats", "least", "median", "mean", "most"),
        [
            [
                name,
                *(f"{value:.1f}" for value in (min(all_), statistics.median(all_), statistics.mean(all_), max(all_))),
            ]
            for name, all_ in (("seconds from the last dealt card to the first lead", leads), ("taps a round", taps))
        ],
    )


if __name__ == "__main__":
    main()
