"""What a screen looks like to everybody: findings of axe, and whether it fits its window."""

from collections.abc import Iterator

from playwright.sync_api import Page

#: Rules that pages of ours have to keep (WCAG 2.2 AA).
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
#: What every text in Chinese has one of, and no text in English.
CHINESE = "轮玩规牌局网分址座登码"
#: What passes is not worked out in full, nor sent: there is far more of it.
SERIOUS = """async (tags) => {
  const { violations } = await axe.run({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary]));
}"""

#: Whether a number stands alone among the parts of a page: a condition that was meant to draw nothing.
STRAY = """[...document.querySelectorAll(".page, .page :is(section, .list)")]
  .some((part) => [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /^\\d+$/.test(node.data)))"""


def findings(page: Page, axe: str) -> list[tuple[str, str, str]]:
    """Return the serious findings of axe on the screen that is shown."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(axe)
    found = page.evaluate(SERIOUS, TAGS)
    return [(each, html[:200], why[:300]) for each, html, why in found]


def faults(page: Page, axe: str | None, *, chinese: bool) -> Iterator[object]:
    """Find what is wrong with the screen that is shown, whatever it is; without `axe`, by its size and texts alone."""
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
