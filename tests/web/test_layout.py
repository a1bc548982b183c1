"""Small phones, tablets, landscape: nothing at the table covers anything else, and buttons are in sight."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.support.sorting import by_day, is_day
from tests.web import pieces
from tests.web.beside import asks, follows, is_scored, only
from tests.web.person import ANSWERS, DESKTOP, HINT, PHONE

pytestmark = pytest.mark.browser

SMALL = (360, 640)
TABLET = (768, 1024)
LANDSCAPE = (844, 390)
TELEVISION = (3840, 2160)
#: With this deal, seat 0 can make trumps.
LARGE_HAND = "monday, the cards of"

#: Pieces on the cloth that overlap, or lie outside of it; the selectors are those of the cloth and of the pieces.
COVERED = """([within, pieces]) => {
  const cloth = document.querySelector(within).getBoundingClientRect();
  const parts = [...document.querySelectorAll(pieces)]
    .filter((part) => part.checkVisibility() && part.textContent)
    .map((part) => [
      `${part.closest("[data-seat]")?.dataset.seat ?? ""} ${part.textContent}`, part.getBoundingClientRect(),
    ]);
  const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
  const apart = (a, b) => beside(a, b) || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const level = (at) => at.top > cloth.top - 1 && at.bottom < cloth.bottom + 1;
  const within_ = (at) => level(at) && at.left > -1 && at.right < innerWidth + 1;
  const outside = parts.filter(([, at]) => !within_(at));
  const over = parts.flatMap(([one, a], at) =>
    parts.slice(at + 1).filter(([, b]) => !apart(a, b)).map(([other]) => `${one} × ${other}`));
  return [...over, ...outside.map(([name]) => `${name} is outside`)];
}"""

#: The texts of selected elements that are cut off.
CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent)"""

#: Whether a text ends before another element begins.
ENDS_BEFORE = """(text, other) => {
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getBoundingClientRect().right <= other.getBoundingClientRect().left;
}"""

#: Whether an element can be pressed without scrolling, at its middle and its lower edge.
REACHABLE = """(wanted) => {
  const { left, top, width, height, bottom } = wanted.getBoundingClientRect();
  return bottom <= innerHeight && wanted.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    && wanted.contains(document.elementFromPoint(left + width / 2, bottom - 3));
}"""


def covered(lin):
    """Return what covers something on the cloth, or lies outside of it."""
    return lin.page.evaluate(COVERED, [pieces.CLOTH, pieces.ON_THE_CLOTH])


def bar_of(lin):
    """The buttons of the bar at the top."""
    bar = lin.page.locator(pieces.BAR)
    return bar.get_by_role("link").or_(bar.get_by_role("button"))


def in_one_row(lin):
    """Tell whether all buttons of the top bar are in one row."""
    return len({button.bounding_box()["y"] for button in bar_of(lin).all()}) == 1


def is_reachable(control):
    return control.evaluate(REACHABLE)


def apart(one, other):
    """Tell whether two boxes have no point in common."""
    beside = one["x"] >= other["x"] + other["width"] or other["x"] >= one["x"] + one["width"]
    return beside or one["y"] >= other["y"] + other["height"] or other["y"] >= one["y"] + one["height"]


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
    expect(lin.seats).to_have_count(players)
    for _ in range(1 if is_day() else 3):
        lin.plays_until("play")
        for size, locale in TABLES[ruleset, players]:
            lin.speaks(locale)
            lin.has_window(size)
            picture(lin.page, f"table-{size[0]}x{size[1]}-{players}-{locale[:2]}.png")
            where = f"{size[0]}x{size[1]}-{players}-{locale[:2]}"
            assert covered(lin) == [], where
            assert in_one_row(lin), where
            assert is_reachable(lin.controls.get_by_role("button", name=HINT)), where
            assert lin.page.evaluate(CUT, f"{pieces.NAMES}, {pieces.LEAD}") == [], where
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

    def shows(*words) -> None:
        """Open the table again, so that the page asks for the view."""
        lin.goes_home()
        lin.opens(table)
        lin.sees(*words)

    lin.page.route(re.compile(rf"/v1/tables/{table}(\?.*)?$"), answer)
    for units, is_complete in ((TUPLES, False), (TRACTOR, False), (THROW, False), (THROW, True)):
        changes.append(with_a_trick(units, is_complete=is_complete))
        if is_complete:
            shows("wins the trick")
        else:
            shows()
            lin.page.locator(pieces.LEAD).wait_for()
        for size in sizes:
            lin.has_window(size)
            assert covered(lin) == [], size
            assert is_complete or lin.page.evaluate(CUT, pieces.LEAD) == [], size  # the winner's name is too long
            if is_complete:
                picture(lin.page, f"throw-{size[0]}x{size[1]}-{players}.png")
    # An offline browser keeps its open stream, whose next heartbeat would remove the note: so streams fail instead.
    lin.tolerated += ("ERR_INTERNET_DISCONNECTED",)
    lin.page.route(f"**/v1/tables/{table}/events*", lambda route: route.abort("internetdisconnected"))
    shows("No connection")
    note = lin.all("status").filter(has_text="No connection")
    for size in sizes:
        lin.has_window(size)
        picture(lin.page, f"offline-{size[0]}x{size[1]}-{players}.png")
        assert covered(lin) == [], size
        lower_edge = note.bounding_box()["y"] + note.bounding_box()["height"]
        assert lower_edge <= lin.page.locator(pieces.CLOTH).bounding_box()["y"] + 1, size
        assert all(is_reachable(button) for button in bar_of(lin).all()), size


def test_making_trumps_covers_nothing_and_the_clock_is_beside_the_status(person):
    lin = person(size=PHONE)
    lin.begins("shengji", 4, seed=LARGE_HAND, until=asks("declare"), shows=only(0))
    lin.page.locator(pieces.SET).first.wait_for()
    status = lin.all("status").filter(has_text=re.compile("^(Your turn|轮到您)"))
    for size, locale in ((PHONE, "en-GB"), ((360, 740), "en-GB"), ((360, 740), "zh-CN"), (LANDSCAPE, "zh-CN")):
        lin.speaks(locale)
        lin.has_window(size)
        assert apart(lin.controls.bounding_box(), chip_of(lin).bounding_box()), (size, locale)
        assert status.evaluate(ENDS_BEFORE, lin.page.locator(pieces.SECONDS).element_handle()), (size, locale)


def chip_of(lin):
    """What is drawn of the own seat."""
    return lin.seat("Lin").place.locator(pieces.CHIP)


def crowded(lin):
    """Return buttons that are not within the controls, and what the controls cover of the status and of the seat."""
    panel = lin.controls.bounding_box()
    right, bottom = panel["x"] + panel["width"] + 1, panel["y"] + panel["height"] + 1
    buttons = [each for each in lin.controls.get_by_role("button").all() if not each.get_by_role("img").count()]
    inside = [*buttons, lin.controls.locator(pieces.SETS)]
    boxes = [(each.inner_text(), each.bounding_box()) for each in inside]
    out = [text for text, at in boxes if at["x"] + at["width"] > right or at["y"] + at["height"] > bottom]
    others = {"strip": lin.page.locator(pieces.STRIP), "time": lin.page.locator(pieces.SECONDS), "seat": chip_of(lin)}
    smaller = {**panel, "x": panel["x"] + 1, "y": panel["y"] + 1}
    return out + [name for name, each in others.items() if not apart(smaller, each.bounding_box())]


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
    lin.page.locator(pieces.SET).nth(5).wait_for()
    for size in (PHONE, (360, 740), SMALL):
        for locale in ("en-GB", "zh-CN"):
            lin.speaks(locale)
            lin.has_window(size)
            picture(lin.page, f"declare-{pace}-{size[0]}x{size[1]}-{locale[:2]}.png")
            assert crowded(lin) == [], (size, locale)


#: Points, levels and signs of a lost connection that cannot be seen whole; selectors of each and of what holds all.
CLIPPED = """([facts, all]) => [...document.querySelectorAll(facts)].filter((part) => {
  const [at, within] = [part, part.closest(all)].map((each) => each.getBoundingClientRect());
  return at.right > within.right + 1 || at.bottom > within.bottom + 3 || at.top < within.top - 3;
}).map((part) => `${part.closest("[data-seat]").dataset.seat} ${part.title} ${part.textContent}`)"""


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("finding_friends", 6)])
def test_points_and_the_sign_of_a_lost_connection_are_never_clipped(person, picture, ruleset, players):
    lin = person(size=PHONE)

    def plays_on(view):
        for seat in view["seats"]:
            seat |= {"points": 180, "side": "declarers", "level": "10", "presence": "away"}
        view["round"]["declarer"] = 2

    lin.page.route(re.compile(r"/v1/tables/[^/]+$"), lambda route: changed(route, plays_on))
    lin.begins(ruleset, players, until=follows)
    points = lin.page.get_by_title("180 points")
    points.first.wait_for(state="attached")
    for size in (PHONE, SMALL, LANDSCAPE, DESKTOP):
        lin.has_window(size)
        picture(lin.page, f"points-{size[0]}x{size[1]}-{players}.png")
        expect(points).to_have_count(players)
        assert lin.page.evaluate(CLIPPED, [pieces.FACTS, pieces.ALL_FACTS]) == [], size


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
    parts = [
        lin.cards.last,
        lin.seats.get_by_role("img"),
        lin.page.locator(pieces.NAMES),
        lin.controls.get_by_role("paragraph"),
        lin.all("heading", level=1),
    ]

    def heights():
        lin.is_drawn()
        return [part.first.bounding_box()["height"] for part in parts]

    on_desktop = heights()
    lin.has_window(TELEVISION)
    for part, here, there in zip(parts, on_desktop, heights(), strict=True):
        assert there / TELEVISION[1] > 0.75 * here / DESKTOP[1], part


def test_friends_can_be_called_on_a_small_phone(person):
    lin = person(size=SMALL)
    # With this deal Lin can declare, and whoever declares calls.
    lin.begins("finding_friends", 6, seed=LARGE_HAND, until=asks("call"), shows=only(0))
    page, call = lin.page, lin.controls.get_by_role("button", name=ANSWERS["call"])
    assert covered(lin) == []
    assert in_one_row(lin)
    assert is_reachable(call)
    # Tab stops once in each group, at the chosen radio button; arrows choose others.
    lin.controls.get_by_role("radio", checked=True).first.focus()
    stops = ["suit"]
    for _ in range(3):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.name || document.activeElement.textContent.trim()"))
    assert stops == ["suit", "rank", "copy", "Call these cards"]
    rank = lin.part("radiogroup", "Rank")
    chosen = rank.all("radio", checked=True)
    before = chosen.get_attribute("value")
    chosen.focus()
    page.keyboard.press("ArrowRight")
    assert chosen.get_attribute("value") != before
    expect(rank.all("radio", disabled=False)).to_have_count(12)
    panel, button = lin.controls.bounding_box(), call.bounding_box()
    assert button["y"] + button["height"] <= panel["y"] + panel["height"]


def test_the_summary_of_a_round_fits_its_dialog_on_a_phone_and_leads_to_the_replay(person, picture):
    lin = person(size=SMALL, name="Wolfeschlegelsteinhausen")
    lin.begins("finding_friends", 6, until=is_scored)
    lin.all("row", re.compile(" Ready$")).first.wait_for()  # the AI players
    assert is_reachable(lin.control("Next round"))
    assert is_reachable(lin.control("Replay"))
    lin.has_window(PHONE)
    for locale in ("zh-CN", "en-GB"):
        lin.speaks(locale)
        picture(lin.page, f"summary-phone-{locale[:2]}.png")
        wider = lin.result.evaluate(
            """(dialog) => {
              const inside = dialog.lastElementChild;
              const right = inside.getBoundingClientRect().right - parseFloat(getComputedStyle(inside).paddingRight);
              return [...inside.querySelectorAll("table, th, td")]
                .filter((each) => each.getBoundingClientRect().right > right + 1).map((each) => each.textContent);
            }"""
        )
        assert wider == [], locale
    lin.has_window(SMALL)
    lin.presses("Replay")
    lin.is_at_a_replay()
    lin.is_still()
    assert covered(lin) == []


def test_every_card_of_a_large_hand_can_be_read_and_chosen_at_360_pixels(person, picture):
    lin = person(size=SMALL)
    # Whoever makes trumps in the first round takes the kitty.
    lin.begins("finding_friends", 4, options={"decks": 3}, seed=LARGE_HAND, until=asks("discard"), shows=only(0))
    page = lin.page
    picture(page, "phone-small-hand.png")
    cards = lin.cards
    assert cards.count() >= 40
    # The index of a card and half of the suit below it are uncovered, and can be tapped.
    hidden = cards.evaluate_all(
        """(cards) => cards.filter((card) => {
          const { left, top } = card.getBoundingClientRect();
          const meets = ([x, y]) => card.contains(document.elementFromPoint(left + x, top + y));
          return ![[4, 6], [18, 6], [4, 24], [18, 24]].every(meets);
        }).map((card) => card.dataset.card)"""
    )
    assert hidden == []
    for number in range(0, cards.count(), 9):
        cards.nth(number).click(position={"x": 9, "y": 20})
        assert cards.nth(number).get_attribute("aria-pressed") == "true"
