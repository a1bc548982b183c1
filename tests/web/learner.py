"""A learner who knows only what the page says, and acts by keyboard alone or by touch alone."""

import re

from playwright.sync_api import Locator, expect

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
        self.coach = lin.part("region", "Coach")
        self.lines: list[str] = []

    def takes(self, title: str) -> None:
        """Open the lesson with this title from the list, and work through it."""
        self.presses(self.page.get_by_role("link", name=title))
        self.presses(self.page.get_by_role("button", name="Begin"))
        self.coach.is_there()
        while not self.is_over():
            self.acts()

    def is_over(self) -> bool:
        """Wait until the coach asks for something or the lesson is over; tell whether it is over."""
        onwards = self.coach.control("Lessons")
        expect(self.lin.controls.or_(onwards).first).to_be_visible()
        return onwards.count() > 0

    def acts(self) -> None:
        line = self.line()
        # The page may still show the last step, or the others are playing.
        if self.lines[-1:] == [line] or re.search("Watch|watch what", line):
            self.page.wait_for_timeout(30)
            return
        self.lines.append(line)
        label = self.coach.all("img")
        named = label.get_attribute("aria-label").split(", ") if label.count() else []
        controls, decision = self.lin.controls, self.lin.decision
        if controls.get_by_role("radiogroup").count():
            self.calls(named[0])
        elif controls.get_by_role("button").get_by_role("img").count():
            self.presses(controls.get_by_role("button", name=", ".join(named), exact=True))
        else:
            self.plays(named or self.guesses())
        until(
            self.page,
            f"an answer to: {line}",
            lambda: self.lin.decision != decision or self.line() != line,
        )

    def line(self) -> str:
        """What the coach says."""
        return self.coach.all("status").inner_text()

    def plays(self, named: list[str]) -> None:
        for name in named:
            cards = self.lin.hand.get_by_role("button", name=re.compile(f"^{name}"), pressed=False)
            self.presses(cards.first)
        self.presses(self.answer())

    def answer(self) -> Locator:
        """The button that answers what is asked."""
        return self.lin.controls.get_by_role("button", name=re.compile("^(Play|Bury|Choose|Call|\\d+ of)"))

    def guesses(self) -> list[str]:
        """Choose cards where none are named: as many low ones as the button asks for, no trumps; or the first."""
        button = self.answer().inner_text()
        count = int((re.findall(r"\d+", button) or ["1"])[-1])
        level, trumps = self.page.get_by_title("trumps", exact=True).locator("b").inner_text().split()
        names = [text.splitlines()[0] for text in self.lin.cards.all_inner_texts() if "not playable" not in text]
        rank = {"2": "Two"}[level]
        low = [name for name in names if not VALUABLE.search(name) and SIGNS[trumps] not in name and rank not in name]
        return low[:count] if "more" in button else names[:1]

    def calls(self, name: str) -> None:
        rank, suit = name.split(" of ")
        for group, choice in (("Suit", suit), ("Rank", RANKS[rank]), ("Which copy", "1st")):
            choices = self.lin.controls.get_by_role("radiogroup", name=group)
            self.presses(choices.get_by_role("radio", name=choice, exact=True))
        self.presses(self.answer())
