"""Small phones, tablets, landscape: nothing at the table covers anything else, and buttons are in sight."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route

from tests.support.sorting import by_day, is_day
from tests.web.beside import asks, follows, is_scored, only
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser

SMALL = (360, 640)
TABLET = (768, 1024)
LANDSCAPE = (844, 390)
TELEVISION = (3840, 2160)
#: With this deal, seat 0 can make trumps.
LARGE_HAND = "monday, the cards of"

#: Seats, plays and texts of the table that overlap, or lie outside of the cloth.
COVERED = """() => {
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".chip, .played .cards, .bubble, .middle .lead, .standing")]
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


#: The texts of selected elements that are cut off.
CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent)"""
NAMES, WORDS = ".chip .who, .chip .name > span:first-child", ".middle .lead"

#: Whether the status ends before the time left begins.
WORDS_APART = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(".strip .status"));
  return range.getBoundingClientRect().right <= document.querySelector(".strip .seconds").getBoundingClientRect().left;
}"""

#: Whether the note on the connection ends above the cloth.
BELOW_THE_NOTE = """() => {
  const [note, cloth] = [".offline", ".cloth"].map((part) => document.querySelector(part).getBoundingClientRect());
  return note.bottom <= cloth.top + 1;
}"""


def in_one_row(page):
    """Tell whether all buttons of the top bar are in one row."""
    tops = {button.bounding_box()["y"] for button in page.locator(".topbar .plain").all()}
    return len(tops) == 1


def is_reachable(page, selector):
    """Tell whether an element can be pressed without scrolling, at its middle and its lower edge."""
    return page.evaluate(
        """(selector) => {
          const wanted = document.querySelector(selector);
          const { left, top, width, height, bottom } = wanted.getBoundingClientRect();
          return bottom <= innerHeight && wanted.contains(document.elementFromPoint(left + width / 2, top + height / 2))
            && wanted.contains(document.elementFromPoint(left + width / 2, bottom - 3));
        }""",
        selector,
    )


#: Windows and languages in which each table is checked.
TABLES = {
    ("arms_length", 4): [(SMALL, "en-GB"), (SMALL, "zh-CN")],
    ("finding_friends", 6): [(SMALL, "en-GB"), (SMALL, "zh-CN"), (TABLET, "en-GB"), (LANDSCAPE, "en-GB")],
    ("finding_friends", 12): [(SMALL, "en-GB"), (SMALL, "zh-CN"), (PHONE, "en-GB"), (LANDSCAPE, "en-GB")],
    ("zhaopengyou", 16): [(SMALL, "en-GB"), (DESKTOP, "en-GB"), (TABLET, "zh-CN"), (LANDSCAPE, "zh-CN")],
    ("shengji", 4): [(LANDSCAPE, "zh-CN"), (LANDSCAPE, "en-GB")],
}


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_nothing_covers_anything_at_the_table(person, picture, ruleset, players):
    lin = person(size=SMALL)
    lin.begins(ruleset, players)
    assert lin.page.locator(".seat .chip").count() == players
    for _ in range(1 if is_day() else 3):
        lin.plays_until("play")
        for size, locale in TABLES[ruleset, players]:
            lin.speaks(locale)
            lin.has_window(size)
            picture(lin.page, f"table-{size[0]}x{size[1]}-{players}-{locale[:2]}.png")
            where = f"{size[0]}x{size[1]}-{players}-{locale[:2]}"
            assert lin.page.evaluate(COVERED) == [], where
            assert in_one_row(lin.page), where
            assert is_reachable(lin.page, ".panel .suggest"), where
            assert lin.page.evaluate(CUT, f"{NAMES}, {WORDS}") == [], where
        lin.answers()


#: Leads, by their units; every seat plays the same cards.
TUPLES = [["TS", "TS"], ["JS"]]
TRACTOR = [["TS", "TS", "JS", "JS"]]
THROW = [["TS", "TS", "JS", "JS"], ["KS", "KS"]]


def with_a_trick(units: list[list[str]], *, is_complete: bool) -> Callable[[dict[str, Any]], None]:
    """Return a function that puts a trick into a view: all but seat 0 have played, or seat 0 too, and won it."""

    def changes(view):
        table_round, cards = view["round"], [card for unit in units for card in unit]
        seats = [*range(1, view["players"]), 0]
        plays = [{"seat": seat, "cards": cards, "units": None, "throw": None} for seat in seats]
        plays[0]["units"] = units
        trick = {**table_round["trick"], "leader": 1, "plays": plays[:-1], "winning": 3}
        table_round["trick"] = trick
        for seat in view["seats"]:
            seat["side"] = "declarers"
        if is_complete:
            table_round["trick"] = None
            table_round["last_trick"] = {**trick, "plays": plays, "winner": 0, "points": 25}
            view["seats"][0]["occupant"]["name"] = "Wolfeschlegelsteinhausen"

    return changes


@pytest.mark.parametrize(
    ("ruleset", "players", "sizes"),
    by_day(
        [("shengji", 4, (SMALL, PHONE, LANDSCAPE)), ("zhaopengyou", 16, (SMALL, TABLET, DESKTOP))],
        [
            ("shengji", 4, (SMALL, PHONE, LANDSCAPE)),
            ("finding_friends", 6, (SMALL, LANDSCAPE, TABLET)),
            ("finding_friends", 8, (PHONE,)),
            ("finding_friends", 12, (SMALL, LANDSCAPE)),
            ("zhaopengyou", 16, (SMALL, TABLET, DESKTOP)),
        ],
    ),
)
def test_large_plays_and_long_names_cover_nothing(person, picture, ruleset, players, sizes):
    lin = person(size=SMALL)
    table = lin.begins(ruleset, players, until=follows)
    changes = []

    def answer(route: Route) -> None:
        response = route.fetch()
        view = response.json()
        changes[-1](view)
        route.fulfill(response=response, json=view)

    def shows(selector: str) -> None:
        """Open the table again, so that the page asks for the view."""
        lin.page.goto(f"{lin.url}/#/")
        lin.page.wait_for_selector(".hello")
        lin.opens(table)
        lin.page.wait_for_selector(selector)

    lin.page.route(re.compile(rf"/v1/tables/{table}(\?.*)?$"), answer)
    for units, is_complete in ((TUPLES, False), (TRACTOR, False), (THROW, False), (THROW, True)):
        changes.append(with_a_trick(units, is_complete=is_complete))
        shows(".lead.won" if is_complete else ".lead")
        for size in sizes:
            lin.has_window(size)
            assert lin.page.evaluate(COVERED) == [], size
            assert is_complete or lin.page.evaluate(CUT, WORDS) == [], size  # the winner's name is too long
            if is_complete:
                picture(lin.page, f"throw-{size[0]}x{size[1]}-{players}.png")
    # An offline browser keeps its open stream, whose next heartbeat would remove the note: so streams fail instead.
    lin.tolerated += ("ERR_INTERNET_DISCONNECTED",)
    lin.page.route(f"**/v1/tables/{table}/events*", lambda route: route.abort("internetdisconnected"))
    shows(".offline >> text=No connection")
    for size in sizes:
        lin.has_window(size)
        picture(lin.page, f"offline-{size[0]}x{size[1]}-{players}.png")
        assert lin.page.evaluate(COVERED) == [], size
        assert lin.page.evaluate(BELOW_THE_NOTE), size
        assert is_reachable(lin.page, ".topbar .plain:first-child"), size
        assert is_reachable(lin.page, ".topbar .plain + .plain"), size


def test_making_trumps_covers_nothing_and_the_clock_is_beside_the_status(person):
    lin = person(size=PHONE)
    lin.begins("shengji", 4, seed=LARGE_HAND, until=asks("declare"), shows=only(0))
    lin.page.wait_for_selector(".panel.declare .set")
    for size, locale in ((PHONE, "en-GB"), ((360, 740), "en-GB"), ((360, 740), "zh-CN"), (LANDSCAPE, "zh-CN")):
        lin.speaks(locale)
        lin.has_window(size)
        panel, chip = (lin.page.locator(part).bounding_box() for part in (".panel", ".seat.bottom .chip"))
        assert panel["x"] >= chip["x"] + chip["width"] or panel["y"] >= chip["y"] + chip["height"], (size, locale)
        assert lin.page.evaluate(WORDS_APART), (size, locale)


#: Buttons that are not within the panel, and what the panel covers of the status and of one's own seat.
CROWDED = """() => {
  const at = (part) => document.querySelector(part).getBoundingClientRect();
  const panel = at(".panel");
  const isOut = ({ bottom, right }) => bottom > panel.bottom + 1 || right > panel.right + 1;
  const out = [...document.querySelectorAll(".panel .buttons button:not(.set), .panel .sets")]
    .filter((part) => isOut(part.getBoundingClientRect()));
  const isUnder = ({ bottom, right }) => bottom > panel.top + 1 && right > panel.left + 1;
  const over = [".strip", ".strip .seconds", ".seat.bottom .chip"].filter((part) => isUnder(at(part)));
  return [...out.map((part) => part.textContent || part.className), ...over];
}"""


@pytest.mark.parametrize("pace", ["timed", "instant"])
def test_many_sets_to_show_cover_neither_status_nor_time_nor_the_own_seat(person, picture, pace):
    lin = person(size=PHONE)

    def offers(view):
        if view.get("decision") and view["decision"]["kind"] == "declare" and "hints" in view["decision"]:
            view["decision"]["hints"]["possible"] = [["2S"], ["2H"], ["2D"], ["2C"], ["2S", "2S"], ["BJ", "BJ"]]
            view["decision"]["seats"] = [0]
            view["phase"] = "dealing" if pace == "timed" else "declaring"

    lin.page.route(re.compile(r"/v1/tables/[^/]+$"), lambda route: changed(route, offers))
    lin.begins("shengji", 4, seed=LARGE_HAND, until=asks("declare"), shows=only(0))
    lin.page.wait_for_selector(".panel.declare .set >> nth=5")
    for size in (PHONE, (360, 740), SMALL):
        for locale in ("en-GB", "zh-CN"):
            lin.speaks(locale)
            lin.has_window(size)
            picture(lin.page, f"declare-{pace}-{size[0]}x{size[1]}-{locale[:2]}.png")
            assert lin.page.evaluate(CROWDED) == [], (size, locale)


#: Points, levels and signs of a lost connection that cannot be seen whole.
CLIPPED = """() => [...document.querySelectorAll(".chip .points, .chip .presence, .chip .level")].filter((part) => {
  const [at, within] = [part, part.closest(".facts")].map((each) => each.getBoundingClientRect());
  return at.right > within.right + 1 || at.bottom > within.bottom + 3 || at.top < within.top - 3;
}).map((part) => `${part.closest(".seat").dataset.seat} ${part.className} ${part.textContent}`)"""


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("finding_friends", 6)])
def test_points_and_the_sign_of_a_lost_connection_are_never_clipped(person, picture, ruleset, players):
    lin = person(size=PHONE)

    def plays_on(view):
        for seat in view["seats"]:
            seat |= {"points": 180, "side": "declarers", "level": "10", "presence": "away"}
        view["round"]["declarer"] = 2

    lin.page.route(re.compile(r"/v1/tables/[^/]+$"), lambda route: changed(route, plays_on))
    lin.begins(ruleset, players, until=follows)
    lin.page.wait_for_selector(".chip .points", state="attached")
    for size in (PHONE, SMALL, LANDSCAPE, DESKTOP):
        lin.has_window(size)
        picture(lin.page, f"points-{size[0]}x{size[1]}-{players}.png")
        assert lin.page.locator(".chip .points").count() == players
        assert lin.page.evaluate(CLIPPED) == [], size


def changed(route: Route, changes: Callable[[dict[str, Any]], None]) -> None:
    """Answer a request for a view with a changed one."""
    if route.request.method != "GET":
        return route.continue_()
    answer = route.fetch()
    view = answer.json()
    if view.get("round"):
        changes(view)
    return route.fulfill(response=answer, json=view)


def test_a_television_shows_the_table_as_large_as_a_desktop(person):
    lin = person(size=DESKTOP)
    lin.begins("shengji", 4, until=follows)
    parts = [".hand .card:last-child", ".played .card", ".chip .name", ".panel .ask", ".topbar h1"]

    def heights():
        lin.is_drawn()
        return [lin.page.locator(part).first.bounding_box()["height"] for part in parts]

    on_desktop = heights()
    lin.has_window(TELEVISION)
    for part, here, there in zip(parts, on_desktop, heights(), strict=True):
        assert there / TELEVISION[1] > 0.75 * here / DESKTOP[1], part


def test_friends_can_be_called_on_a_small_phone(person):
    lin = person(size=SMALL)
    # With this deal Lin can declare, and whoever declares calls.
    lin.begins("finding_friends", 6, seed=LARGE_HAND, until=asks("call"), shows=only(0))
    page = lin.page
    assert page.evaluate(COVERED) == []
    assert in_one_row(page)
    assert is_reachable(page, ".panel.call .main")
    # Tab stops once in each group, at the chosen radio button; arrows choose others.
    page.locator(".panel .calls button").last.focus()
    stops = []
    for _ in range(4):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.name || document.activeElement.className"))
    assert stops == ["suit", "rank", "copy", "main"]
    ranks = page.locator("[data-group=rank] input:not(:disabled)")
    chosen = page.locator("[data-group=rank] :checked").get_attribute("value")
    page.locator("[data-group=rank] :checked").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-group=rank] :checked").get_attribute("value") != chosen
    assert ranks.count() == 12
    panel, button = page.locator(".panel").bounding_box(), page.locator(".panel .main").bounding_box()
    assert button["y"] + button["height"] <= panel["y"] + panel["height"]


def test_the_summary_of_a_round_fits_its_dialog_on_a_phone_and_leads_to_the_replay(person, picture):
    lin = person(size=SMALL, name="Wolfeschlegelsteinhausen")
    lin.begins("finding_friends", 6, until=is_scored)
    lin.page.wait_for_selector("dialog.summary .levels .good")  # the AI players are ready
    assert is_reachable(lin.page, "dialog.summary .main")
    assert is_reachable(lin.page, "dialog.summary a.button")
    lin.has_window(PHONE)
    for locale in ("zh-CN", "en-GB"):
        lin.speaks(locale)
        picture(lin.page, f"summary-phone-{locale[:2]}.png")
        wider = lin.page.evaluate(
            """() => {
              const inside = document.querySelector("dialog.summary .inside");
              const right = inside.getBoundingClientRect().right - parseFloat(getComputedStyle(inside).paddingRight);
              return [...inside.querySelectorAll("table, th, td")]
                .filter((each) => each.getBoundingClientRect().right > right + 1).map((each) => each.textContent);
            }"""
        )
        assert wider == [], locale
    lin.has_window(SMALL)
    lin.page.click("dialog.summary a.button")
    lin.page.wait_for_selector(".replay .bubble", state="attached")
    lin.is_still()
    assert lin.page.evaluate(COVERED) == []


def test_every_card_of_a_large_hand_can_be_read_and_chosen_at_360_pixels(person, picture):
    lin = person(size=SMALL)
    # Whoever makes trumps in the first round takes the kitty.
    lin.begins("finding_friends", 4, options={"decks": 3}, seed=LARGE_HAND, until=asks("discard"), shows=only(0))
    page = lin.page
    picture(page, "phone-small-hand.png")
    cards = page.locator(".hand .card")
    assert cards.count() >= 40
    # The index of a card and half of the suit below it are uncovered, and can be tapped.
    covered = page.evaluate(
        """[...document.querySelectorAll(".hand .card")].filter((card) => {
          const { left, top } = card.getBoundingClientRect();
          const meets = ([x, y]) => card.contains(document.elementFromPoint(left + x, top + y));
          return ![[4, 6], [18, 6], [4, 24], [18, 24]].every(meets);
        }).map((card) => card.dataset.card)"""
    )
    assert covered == []
    for number in range(0, cards.count(), 9):
        cards.nth(number).click(position={"x": 9, "y": 20})
        assert cards.nth(number).get_attribute("aria-pressed") == "true"
