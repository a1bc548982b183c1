"""Checks of a screen: accessibility (with axe), size, language and stray text."""

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.support.sorting import is_day
from tests.web.person import DESKTOP, PHONE, Person

#: The rules of axe that pages must pass (WCAG 2.2 AA).
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
#: Every Chinese screen has at least one of these characters, an English one none.
CHINESE = "轮玩规牌局网分址座坐登码账"
#: Returns violations only: far more rules pass, and their results would be large.
VIOLATIONS = """async (tags) => {
  const { violations } = await axe.run({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary]));
}"""

#: Whether a bare number is drawn between the parts of a page, by a condition that was meant to draw nothing.
STRAY = """[...document.querySelectorAll("main, main > div, main section")]
  .some((part) => [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /^\\d+$/.test(node.data)))"""


#: Window, language and colours.
LOOKS = [
    (PHONE, "en-GB", "light"),
    (DESKTOP, "zh-CN", "dark"),
    (PHONE, "zh-CN", "dark"),
    (DESKTOP, "en-GB", "light"),
]


def looks(person: Person, at: int) -> Iterator[tuple[str, bool]]:
    """Give the page of a person each look in which a screen is checked; yield its name, and whether it is in Chinese.

    By day that is one of the first two, by turns (`at`), and by night all. In the end the page looks as it does first.
    """
    for size, locale, colours in LOOKS[at % 2 :][:1] if is_day() else LOOKS:
        person.page.emulate_media(color_scheme=colours)
        person.has_window(size)
        person.speaks(locale)
        yield f"{'phone' if size == PHONE else 'desktop'}-{locale[:2]}", locale == "zh-CN"
    person.page.emulate_media(color_scheme="light")
    person.has_window(PHONE)
    person.speaks("en-GB")


def findings(page: Page, axe: str) -> list[tuple[str, str, str]]:
    """Return what axe finds on the current screen."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(axe)
    values = page.evaluate(VIOLATIONS, TAGS)
    return [(each, html[:200], why[:300]) for each, html, why in values]


def faults(page: Page, axe: str | None, *, chinese: bool) -> Iterator[object]:
    """Find faults of the current screen; without `axe`, only those of its size and texts."""
    if axe:
        yield from findings(page, axe)
    if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
        yield "wider than the window"
    if page.evaluate(STRAY):
        yield "a number that belongs to nothing"
    text = page.inner_text("body")
    if any(sign in text for sign in CHINESE) != chinese:
        yield "in another language"
    if "undefined" in text or "{" in text:
        yield "not a text for people"
