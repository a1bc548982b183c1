"""A deal travels: one person sends it, others play it on their devices, and the lines lie side by side."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE
from tests.web.screens.test_event import at_random, is_finished

pytestmark = pytest.mark.browser

COMPARED = re.compile("^(All who have played it|打过的人)$")
COMPARE = re.compile("^(Compare|比较)")


def lines(person):
    """The rows of those who have played a deal, below the head."""
    return person.all("table", COMPARED).get_by_role("rowheader")


def plays_through(person):
    """Play the deal whose table the page shows, and come to the comparison by the button at its end."""
    person.tolerated += ("/comparison",)  # which the page may ask for before the result is stored
    person.is_playing()
    table = person.page.url.rpartition("/table/")[2].partition("?")[0]
    person.beside.plays_on(table, is_finished, by=at_random, hurries=True)
    person.beside.notes(table)
    person.result.get_by_role("link", name=COMPARE).click()
    lines(person).first.wait_for()


def test_a_deal_is_played_on_three_devices_and_compared(person, axe, picture):
    lin = person(size=DESKTOP, name="Lin")
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    lin.presses("Let a friend play this deal")
    link = lin.field("Link to the deal").input_value()
    assert re.fullmatch(re.escape(lin.url) + r"/en/deal#/deal/[A-Z2-9]{12}", link)
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "deal-sent.png")

    mei = person(size=PHONE, name="Mei")
    mei.tolerated = ("status of 409",)
    mei.registers()
    mei.page.goto(link)
    mei.sees("Lin has sent you a deal")
    mei.is_still()
    assert list(faults(mei.page, axe, chinese=False)) == []
    picture(mei.page, "deal-asked.png", full_page=True)
    mei.control("Play this deal").tap()
    plays_through(mei)
    expect(lines(mei)).to_have_count(2)
    result = r"\d+ points (as attackers|given away as declarers)"
    parting = r"(You part (in trick \d+|before the first trick)|You have played the same cards)"
    mei.sees(re.compile(rf"^Lin: {result}\. You: {result}\. {parting}\.$"))
    mei.is_still()
    assert list(faults(mei.page, axe, chinese=False)) == []
    picture(mei.page, "deal-compared.png", full_page=True)

    # Somebody without an account, on a third device, in another language; by the keyboard.
    guest = person(size=DESKTOP, name="", fresh=True, locale="zh-CN", colours="dark")
    guest.tolerated = ("status of 409",)
    guest.page.goto(link)
    guest.sees("Lin 请您打一副牌")
    guest.is_still()
    assert list(faults(guest.page, axe, chinese=True)) == []
    guest.all("textbox").first.fill("Wei")
    guest.page.keyboard.press("Enter")
    plays_through(guest)
    expect(lines(guest)).to_have_count(3)
    guest.control("与 Mei 比较").focus()
    guest.page.keyboard.press("Enter")
    guest.sees(re.compile("^Mei："))
    guest.is_still()
    assert list(faults(guest.page, axe, chinese=True)) == []
    picture(guest.page, "deal-compared-zh.png", full_page=True)

    page.goto(link)
    expect(lines(lin)).to_have_count(3)
    lin.tolerated += ("/comparison",)  # which may be read once more after it is gone
    lin.presses("Deals that you have sent")
    lin.items("Deals that you have sent").first.get_by_role("link").click()
    lin.presses("Take the deal back")
    lin.presses("Really take it back")
    lin.sees(re.compile("^None yet"))
    mei.tolerated += ("status of 404",)
    mei.page.reload()
    mei.all("alert").first.wait_for()


def test_a_deal_is_sent_from_its_replay_and_is_nothing_for_who_knows_it(person, picture):
    lin = person(size=(360, 640))
    table = lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    # The link and the way on fit below the result on a small phone.
    lin.presses("Let a friend play this deal")
    shares = lin.result.get_by_role("button", name=re.compile("^(Share|Copy)"))
    for part in (lin.field("Link to the deal"), shares, lin.result.get_by_role("button").last):
        box = part.first.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= 640, part
    picture(page, "deal-small.png")
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page.goto(f"{lin.url}/#/replay/{game}/1?seat=0")
    lin.presses("Let a friend play this deal")
    lin.presses("Who has played it")
    lin.sees("Nobody has played it yet")
    assert lin.control("Play this deal").count() == 0
