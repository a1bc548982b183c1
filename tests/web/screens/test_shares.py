"""A shared position opens for everybody; if the link is incomplete, the page says so in plain words."""

import re

import pytest

from tests.web.beside import is_scored
from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_a_shared_position_opens_for_a_stranger_without_a_name(person, axe, picture):
    lin = person()
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.click("dialog.summary a.button >> text=Replay")
    page.wait_for_selector(".replay .hand .card")
    page.locator(".replay input[type=range]").fill("9")
    plain = page.url
    page.click(".replay .share")
    page.wait_for_selector(".shared input")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "share.png")
    # What the button answers is in sight.
    field, panel = page.locator(".shared input").bounding_box(), page.locator(".replay .panel").bounding_box()
    assert field["y"] >= panel["y"]
    assert field["y"] + field["height"] <= panel["y"] + panel["height"] + 1
    link = page.input_value(".shared input")
    assert re.search(r"\?at=9&seat=0&code=[a-z2-7]{26}$", link)

    stranger = person(name="", fresh=True, locale="zh-CN")
    stranger.tolerated = ("status of 40",)
    stranger.page.goto(link)
    stranger.page.wait_for_selector(".replay .hand .card")
    stranger.comes_true("document.querySelector('.replay .panel .ask').innerText.includes('10/')")
    # From another seat, too; and the address can still be passed on.
    stranger.page.select_option(".replay select", "2")
    stranger.comes_true("location.hash.includes('seat=2') && location.hash.includes('code=')")
    for address, message in ((plain, "这一局没有分享"), (link[:-1], "链接已失效")):
        # Otherwise the page may get both addresses at once, and keep the replay that it shows.
        stranger.page.goto(f"{lin.url}/#/")
        stranger.page.wait_for_selector("form.name")
        stranger.page.goto(address)
        stranger.page.wait_for_selector(f"text={message}")
        assert "token" not in stranger.page.inner_text("body").lower()
        assert list(faults(stranger.page, axe, chinese=True)) == []


#: Cards that are cut off by the window or by the cloth beside which they lie.
CUT = """([cards, within]) => {
  const edge = document.querySelector(within).getBoundingClientRect();
  return [...document.querySelectorAll(cards)].map((card) => card.getBoundingClientRect())
    .filter(({ left, right }) => left < edge.left - 1 || right > edge.right + 1).length;
}"""


def test_a_replay_shows_whole_hands_beside_its_controls_and_open_ones_on_a_small_phone(person, picture):
    lin = person(size=(1440, 900))
    table = lin.begins("shengji", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page = lin.page
    page.goto(f"{lin.url}/#/replay/{game}/1?seat=0")
    page.wait_for_selector(".replay .hand .card")
    for size in ((1440, 900), (1100, 700), (844, 390), (360, 740)):
        lin.has_window(size)
        lin.is_drawn()
        picture(page, f"replay-{size[0]}x{size[1]}.png")
        assert page.evaluate(CUT, [".hand .card", ".replay .hand"]) == 0, size
    page.get_by_label("All hands", exact=False).check()
    page.wait_for_selector(".open-hands .card")
    for size in ((360, 640), (360, 740), (390, 844), (844, 390), (1440, 900)):
        lin.has_window(size)
        lin.is_drawn()
        picture(page, f"open-hands-{size[0]}x{size[1]}.png")
        assert page.evaluate(CUT, [".open-hands .card", ".open-hands dl"]) == 0, size
