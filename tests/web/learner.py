"""A learner who knows only what the page says, and acts by keyboard alone or by touch alone."""

import re
from typing import Any

from playwright.sync_api import Locator

from tests.web.person import Person, until

#: Names of ranks on the page -> labels of the choices for a call.
RANKS = {"Ace": "A", "King": "K", "Queen": "Q", "Jack": "J", "Ten": "10"}
#: Names of cards that the coach tells a declarer not to bury.
VALUABLE = re.compile("Ace|King|Ten|Five|joker")
SIGNS = {"♠": "spades", "♥": "hearts", "♣": "clubs", "♦": "diamonds"}


class ByTouch:
    def __init__(self, lin: Person) -> None:
        self.page = lin.page

    def presses(self, target: Locator) -> None:
        if target.get_attribute("type") == "radio":
            target = target.locator("xpath=..")
        target.scroll_into_view_if_needed()
        # Cards overlap: only the left edge of each is visible.
        target.tap(position={"x": 8, "y": 10})


class ByKeyboard:
    def __init__(self, lin: Person) -> None:
        self.page = lin.page

    def presses(self, target: Locator) -> None:
        """Reach the target with Tab and press it; choose a radio button with the arrow keys."""
        if target.get_attribute("type") == "radio":
            group = target.get_attribute("name")
            self._tabs_until(f"document.activeElement.name === '{group}'")
            for _ in range(20):
                if target.is_checked():
                    return
                self.page.keyboard.press("ArrowRight")
            raise AssertionError("not reached by arrows")
        target.evaluate("(node) => void (window.wanted = node)")
        self._tabs_until("document.activeElement === window.wanted")
        self.page.keyboard.press("Space" if target.get_attribute("aria-pressed") else "Enter")

    def _tabs_until(self, reached: str) -> None:
        for _ in range(120):
            if self.page.evaluate(reached):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"not reached by Tab: {reached}")


class Reader:
    """Works through a lesson by what the screen shows."""

    def __init__(self, lin: Person, hand: ByTouch | ByKeyboard) -> None:
        self.lin, self.page, self.presses = lin, lin.page, hand.presses
        self.lines: list[str] = []

    def takes(self, title: str) -> None:
        """Open the lesson with this title from the list, and work through it."""
        self.presses(self.page.get_by_role("link", name=title))
        self.presses(self.page.get_by_role("button", name="Begin"))
        self.page.wait_for_selector(".coach")
        while not self.is_over():
            self.acts()

    def is_over(self) -> bool:
        """Wait until the coach asks for something or the lesson is over; tell whether it is over."""
        until(self.page, "the coach", "Boolean(document.querySelector('.panel, .coach a.main'))")
        return self.page.locator(".coach a.main").count() > 0

    def acts(self) -> None:
        line = self.page.inner_text(".coach p")
        # The page may still show the last step, or the others are playing.
        if self.lines[-1:] == [line] or re.search("Watch|watch what", line):
            self.page.wait_for_timeout(30)
            return
        self.lines.append(line)
        label = self.page.locator(".coach [role=img]")
        named = label.get_attribute("aria-label").split(", ") if label.count() else []
        panel = self.page.locator(".panel")
        decision = panel.get_attribute("data-decision")
        if panel.locator(".calls").count():
            self.calls(named[0])
        elif panel.locator(".set").count():
            self.presses(panel.locator(".set", has=self.page.get_by_role("img", name=", ".join(named), exact=True)))
        else:
            self.plays(named or self.guesses())
        until(
            self.page,
            f"an answer to: {line}",
            f"document.querySelector('.panel')?.dataset.decision !== '{decision}' ||"
            f" document.querySelector('.coach p').innerText !== {line!r}",
        )

    def plays(self, named: list[str]) -> None:
        for name in named:
            cards = self.page.locator(".hand .card[aria-pressed=false]").filter(has_text=re.compile(f"^{name}"))
            self.presses(cards.first)
        self.presses(self.page.locator(".panel .main"))

    def guesses(self) -> list[str]:
        """Choose cards where none are named: as many low ones as the button asks for, no trumps; or the first."""
        button = self.page.inner_text(".panel .main")
        count = int((re.findall(r"\d+", button) or ["1"])[-1])
        level, trumps = self.page.inner_text(".trump b").split()
        names = self.page.locator(".hand .card:not(.dimmed) .visually-hidden").all_inner_texts()
        rank = {"2": "Two"}[level]
        low = [name for name in names if not VALUABLE.search(name) and SIGNS[trumps] not in name and rank not in name]
        return low[:count] if "more" in button else names[:1]

    def calls(self, name: str) -> None:
        rank, suit = name.split(" of ")
        for choice in (("suit", suit), ("rank", RANKS[rank]), ("copy", "1st")):
            self.presses(self._radio(*choice))
        self.presses(self.page.locator(".panel .main"))

    def _radio(self, group: str, choice: str) -> Any:
        choices = self.page.locator(f".panel [data-group={group}] label")
        label = choices.filter(has_text=re.compile(f"^{choice}$"))
        if group == "suit":
            label = choices.filter(has=self.page.locator(f"[aria-label={choice}]"))
        return label.locator("input")
