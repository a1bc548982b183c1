"""The web client for a person: taps per round, and seconds from the last dealt card to the first lead.

    python -m bench.bench_taps [--rounds 20] [--tables 10]

Several tables are played at once, each in its own page, from the start page on: the classic game against AI players, as
set up by the page. The simulated person shows a set as soon as the page offers one, once per round. It takes 2.5 s to
see what is asked, and half a second for each further tap. It plays the cards selected by the page; if there are none,
it taps "Suggest" first. Actions of the page itself cost no tap. Hints of the AI are off, so "Suggest" selects a legal
play at once: this measures the page, not the search. Each table has the same deals in all runs.

The script uses only elements of the page that exist since its first release, so it also works with older checkouts:

    git worktree add ../before <commit> && cp bench/bench_taps.py ../before/bench/
    python -m bench taps --against ../before --pairs 1

If an older page has no button to play without a name, a name is typed, which counts as one tap. If a page does not set
the clock, a card may take ten minutes, so that on a busy machine none is played for the person.
"""

import argparse
import json
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, Route

from bench import report
from harness.client import chromium
from harness.processes import RunningService

PHONE: Final = {"width": 390, "height": 844}
#: Time of the person to see what is asked, and for each further tap (s).
SEES_S: Final = 2.5
TAPS_S: Final = 0.5
#: Interval of checking the page (s).
LOOKS_S: Final = 0.1
#: The clock for pages that do not set it.
PATIENT: Final = dict.fromkeys(("play_ms", "discard_ms", "ready_ms"), 600_000)
#: Longest time without any question at a table (s).
PATIENCE_S: Final = 300

#: Returns the question of the page: its kind, an identifier, and the elements to tap.
ASKED: Final = """() => {
  const shown = (selector) => Boolean(document.querySelector(selector));
  if (shown("dialog.summary")) return ["summary", "summary", shown("dialog.summary .main:not(:disabled)"), false];
  const panel = document.querySelector(".panel[data-decision]");
  if (!panel) return ["", "", false, false];
  const ready = shown(".panel .buttons .main:not(:disabled)");
  return [panel.classList[1], panel.dataset.decision, ready, shown(".panel .set:not(:disabled)")];
}"""

#: Taps visible enabled elements; returns the number of taps.
TAP: Final = """(selector) => {
  const found = document.querySelector(selector);
  if (!found || found.disabled) return 0;
  found.click();
  return 1;
}"""


class Player:
    """A person at a table; `plays` continues each time it is due."""

    def __init__(self, browser: Browser, url: str, seed: str, rounds: int) -> None:
        self._url, self._seed, self._rounds = url, seed, rounds
        self._context = browser.new_context(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
        self.page: Page = self._context.new_page()
        self._taps = 0
        #: Taps until cards are dealt, and in each round until the next one is requested.
        self.first_taps = 0
        self.taps: list[int] = []

    def _tap(self, selector: str) -> None:
        """Tap an element if it is still there; the page may have been faster."""
        self._taps += self.page.evaluate(TAP, selector)

    def _table(self, route: Route) -> None:
        """Give the table known deals and no hints."""
        body = route.request.post_data_json
        if route.request.method != "POST" or not isinstance(body, dict):
            route.continue_()
        else:
            route.continue_(post_data=json.dumps({"clock": PATIENT, **body, "hints": "off", "seed": self._seed}))

    def plays(self) -> Iterator[float]:
        """Play the rounds; yields pauses (s)."""
        page = self.page
        page.route(re.compile(r"/v1/tables$"), self._table)
        page.goto(f"{self._url}/")
        page.wait_for_selector(".play-now .alone")
        yield SEES_S
        self._tap(".play-now .alone")
        page.wait_for_selector("main.table.playing")
        self.first_taps, self._taps = self._taps, 0
        while len(self.taps) < self._rounds:
            yield from self._round()
            self.taps.append(self._taps)
            self._taps = 0

    def _round(self) -> Iterator[float]:
        """Answer all questions until the next round is requested."""
        last, has_shown = "", False
        changed = time.monotonic()
        while True:
            kind, decision, ready, offers = self.page.evaluate(ASKED)
            wants = ready or kind in ("play", "discard") or (offers and not has_shown)
            if kind == "declare" and has_shown and not ready:
                wants = False
            about = f"{kind} {decision}" if wants else ""
            if about != last:
                last, changed = about, time.monotonic()
            if not about:
                assert time.monotonic() - changed < PATIENCE_S, f"nothing is asked: {self.page.inner_text('body')}"
                yield LOOKS_S
                continue
            if time.monotonic() - changed < SEES_S:
                yield LOOKS_S
                continue
            last = ""
            if kind == "summary":
                self._tap("dialog.summary .main:not(:disabled)")
                yield TAPS_S
                if not self.page.query_selector("dialog.summary"):
                    return
            elif offers and not has_shown:
                self._tap(".panel .set:not(:disabled)")
                has_shown = True
            elif ready:
                self._tap(f".panel[data-decision='{decision}'] .buttons .main:not(:disabled)")
            else:
                self._tap(f".panel[data-decision='{decision}'] .suggest")
                yield TAPS_S
                self._tap(f".panel[data-decision='{decision}'] .buttons .main:not(:disabled)")
            yield TAPS_S

    def leads(self) -> list[float]:
        """Return the seconds from the last dealt card to the first lead of each round."""
        account = json.loads(self.page.evaluate("localStorage.shengji"))
        table = re.findall(r"#/table/(\w+)", self.page.url)[0]
        times: dict[int, float] = {}
        dealt: dict[int, datetime] = {}
        after, more = 0, True
        while more:
            answer = self._context.request.get(
                f"{self._url}/v1/tables/{table}/events?after={after}&limit=500",
                headers={"Authorization": f"Bearer {account['token']}"},
            )
            assert answer.ok, answer.text()
            events: list[dict[str, Any]] = answer.json()["events"]
            for event in events:
                number = event["round"]
                if event["type"] in ("dealt", "cards_dealt"):
                    dealt[number] = datetime.fromisoformat(event["at"])
                if event["type"] == "played" and number not in times:
                    times[number] = (datetime.fromisoformat(event["at"]) - dealt[number]).total_seconds()
            more = bool(events)
            after = events[-1]["seq"] if events else after
        return [times[number] for number in sorted(times)[: self._rounds]]


def play_all(players: list[Player]) -> None:
    """Let all play concurrently, each when due."""
    running = [(player.plays(), 0.0) for player in players]
    while running:
        now = time.monotonic()
        going = []
        for moves, due in running:
            pause = 0.0 if due > now else next(moves, None)
            if pause is not None:
                going.append((moves, max(due, now + pause)))
        running = going
        players[0].page.wait_for_timeout(20)  # lets all pages run


def row(name: str, values: list[float]) -> list[str]:
    """Return a row of the table of results."""
    return [
        name,
        *(f"{each:.1f}" for each in (statistics.mean(values), statistics.median(values), min(values), max(values))),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--tables", type=int, default=10)
    options = parser.parse_args()
    rounds = -(-options.rounds // options.tables)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(RunningService(folder, servers=1, workers=1, clocks=1))
        browser = stack.enter_context(chromium())
        url = f"http://127.0.0.1:{service.port}"
        players = [Player(browser, url, f"the table of person {number}", rounds) for number in range(options.tables)]
        play_all(players)
        rows = [
            row("taps until cards are dealt", [float(player.first_taps) for player in players]),
            row("taps a round", [float(taps) for player in players for taps in player.taps]),
            row("seconds from the last dealt card to the first lead", [s for each in players for s in each.leads()]),
        ]
    report.table((f"{rounds * options.tables} rounds of `shengji`", "mean", "median", "least", "most"), rows)


if __name__ == "__main__":
    main()
