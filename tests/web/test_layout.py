"""A small phone: nothing at the table covers anything else, and what has to be pressed is in sight."""

import pytest

pytestmark = pytest.mark.browser

SMALL = (360, 640)

#: What of the table's seats and texts lies over something else, or outside of the cloth.
COVERED = """() => {
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".chip, .played .cards, .bubble, .status, .lead, .standing")]
    .filter((part) => part.checkVisibility() && part.textContent)
    .map((part) => [`${part.closest(".seat")?.dataset.seat ?? ""} ${part.className}`, part.getBoundingClientRect()]);
  const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
  const apart = (a, b) => beside(a, b) || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const level = (at) => at.top > cloth.top - 1 && at.bottom < cloth.bottom + 1;
  const within = (at) => level(at) && at.left > -1 && at.right < innerWidth + 1;
  const outside = parts.filter(([, at]) => !within(at));
  const over = parts.flatMap(([one, a], at) =>
    parts.slice(at + 1).filter(([, b]) => !apart(a, b)).map(([other]) => `${one} × ${other}`));
  return [...over, ...outside.map(([name]) => `${name} is outside`)];
}"""


def in_one_row(page):
    """Whether all buttons of the top bar are beside each other."""
    tops = {button.bounding_box()["y"] for button in page.locator(".topbar .plain").all()}
    return len(tops) == 1


def is_reachable(page, selector):
    """Whether the middle of what is selected can be pressed without scrolling."""
    return page.evaluate(
        """(selector) => {
          const wanted = document.querySelector(selector);
          const { left, top, width, height, bottom } = wanted.getBoundingClientRect();
          return bottom <= innerHeight && wanted.contains(document.elementFromPoint(left + width / 2, top + height / 2))
            && wanted.contains(document.elementFromPoint(left + width / 2, bottom - 3));
        }""",
        selector,
    )


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize(("ruleset", "players"), [("arms_length", 4), ("finding_friends", 6), ("finding_friends", 12)])
def test_nothing_covers_anything_on_a_small_phone(person, ruleset, players, locale):
    lin = person(size=SMALL, locale=locale)
    lin.begins(ruleset, players)
    for _ in range(3):
        lin.plays_until("play")
        assert lin.page.evaluate(COVERED) == []
        assert in_one_row(lin.page)
        assert is_reachable(lin.page, ".panel .suggest")
        lin.answers()
    text = lin.page.locator(".chip .who").evaluate_all("all => all.filter(who => who.scrollWidth > who.clientWidth)")
    assert text == []


@pytest.mark.parametrize("players", [6, 12])
def test_friends_can_be_called_on_a_small_phone(person, players):
    lin = person(size=SMALL)
    lin.registers()
    page = lin.page
    table = None
    while not page.locator(".panel.call").count():
        # Who declares first calls; until Lin is the first.
        if table is not None:
            page.goto(f"{lin.url}/#/")
            lin.api("DELETE", f"/tables/{table}")
        table = lin.makes("finding_friends", players)
        lin.api("PUT", f"/tables/{table}/seats/me/ready", {})
        lin.opens(table)
        while (kind := lin.asked()) not in ("call", "play", "summary"):
            shown = page.locator(".panel.declare .set")
            if kind == "declare" and shown.count():
                shown.first.click(timeout=1_000)
                page.wait_for_timeout(300)
            else:
                lin.answers()
    assert page.evaluate(COVERED) == []
    assert in_one_row(page)
    assert is_reachable(page, ".panel.call .main")
    ranks = page.locator(".ranks [role=radio]:not(:disabled)")
    ranks.first.focus()
    page.keyboard.press("ArrowRight")
    assert ranks.nth(1).get_attribute("aria-checked") == "true"
    panel, button = page.locator(".panel").bounding_box(), page.locator(".panel .main").bounding_box()
    assert button["y"] + button["height"] <= panel["y"] + panel["height"]


def test_the_next_round_is_in_sight_on_a_small_phone(person):
    lin = person(size=SMALL)
    lin.begins("finding_friends", 6)
    lin.plays_until("summary")
    assert is_reachable(lin.page, "dialog.summary .main")
    assert is_reachable(lin.page, "dialog.summary a.button")
    lin.page.click("dialog.summary a.button")
    lin.page.wait_for_selector(".replay .bubble")
    assert lin.page.evaluate(COVERED) == []
