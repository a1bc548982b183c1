"""A shared position opens for everybody; if the link is incomplete, the page says so in plain words."""

import re

import pytest

from tests.web import pieces
from tests.web.beside import is_scored
from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_a_shared_position_opens_for_a_stranger_without_a_name(person, axe, picture):
    lin = person()
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    lin.presses("Replay")
    lin.is_at_a_replay()
    lin.fills("Position", "9")
    plain = page.url
    for loaded in ("My mistakes", "This play was silly", "Play this deal again"):
        lin.control(loaded).wait_for()
    lin.presses("Share this position")
    shared = lin.field("Whoever has this link can look at the round")
    shared.wait_for()
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "share.png")
    # What the button answers is in sight.
    field, panel = shared.bounding_box(), lin.part("region", "Replay").place.bounding_box()
    assert field["y"] >= panel["y"]
    assert field["y"] + field["height"] <= panel["y"] + panel["height"] + 1
    link = shared.input_value()
    assert re.search(r"\?at=9&seat=0&code=[a-z2-7]{26}$", link)

    stranger = person(name="", fresh=True, locale="zh-CN")
    stranger.tolerated = ("status of 40",)
    stranger.page.goto(link)
    stranger.is_at_a_replay()
    stranger.sees("10/")
    # From another seat, too; and the address can still be passed on.
    stranger.selects("视角", "2")
    stranger.page.wait_for_url(re.compile("seat=2.*code="))
    for address, message in ((plain, "这一局没有分享"), (link[:-1], "链接已失效")):
        # Otherwise the page may get both addresses at once, and keep the replay that it shows.
        stranger.goes_to()
        stranger.sees("怎么称呼您？")
        stranger.page.goto(address)
        stranger.sees(message)
        assert "token" not in stranger.page.inner_text("body").lower()
        assert list(faults(stranger.page, axe, chinese=True)) == []


#: Whether cards stay between the edges of what holds them; the selector is that of the cards.
WHOLE = """(within, cards) => {
  const edge = within.getBoundingClientRect();
  return [...within.querySelectorAll(cards)].map((card) => card.getBoundingClientRect())
    .every(({ left, right }) => left > edge.left - 1 && right < edge.right + 1);
}"""


def test_a_replay_shows_whole_hands_beside_its_controls_and_open_ones_on_a_small_phone(person, picture):
    lin = person(size=(1440, 900))
    table = lin.begins("shengji", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page = lin.page
    lin.goes_to(f"replay/{game}/1?seat=0")
    lin.is_at_a_replay()
    for size in ((1440, 900), (1100, 700), (844, 390), (360, 740)):
        lin.has_window(size)
        lin.is_drawn()
        picture(page, f"replay-{size[0]}x{size[1]}.png")
        assert lin.hand.evaluate(WHOLE, "button"), size
    lin.field("All hands open").check()
    hands = lin.part("region", "All hands")
    hands.all("img").first.wait_for()
    for size in ((360, 640), (360, 740), (390, 844), (844, 390), (1440, 900)):
        lin.has_window(size)
        lin.is_drawn()
        picture(page, f"open-hands-{size[0]}x{size[1]}.png")
        assert hands.place.locator("dl").evaluate(WHOLE, pieces.CARD), size
