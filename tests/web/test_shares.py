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
    link = page.input_value(".shared input")
    assert re.search(r"\?at=9&seat=0&code=[a-z2-7]{26}$", link)

    stranger = person(name="", fresh=True, locale="zh-CN")
    stranger.tolerated = ("status of 40",)
    stranger.page.goto(link)
    stranger.page.wait_for_selector(".replay .hand .card")
    stranger.sees("document.querySelector('.replay .panel .ask').innerText.includes('10/')")
    # From another seat, too; and the address can still be passed on.
    stranger.page.select_option(".replay select", "2")
    stranger.sees("location.hash.includes('seat=2') && location.hash.includes('code=')")
    for address, said in ((plain, "这一局没有分享"), (link[:-1], "链接已失效")):
        # Otherwise the page may get both addresses at once, and keep the replay that it shows.
        stranger.page.goto(f"{lin.url}/#/")
        stranger.page.wait_for_selector("form.name")
        stranger.page.goto(address)
        stranger.page.wait_for_selector(f"text={said}")
        assert "token" not in stranger.page.inner_text("body").lower()
        assert list(faults(stranger.page, axe, chinese=True)) == []
