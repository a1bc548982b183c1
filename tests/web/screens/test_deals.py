"""A deal travels: one person sends it, others play it on their devices, and the lines lie side by side."""

import re

import pytest

from tests.web.beside import is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE
from tests.web.screens.test_event import at_random, is_finished

pytestmark = pytest.mark.browser


def plays_through(person):
    """Play the deal whose table the page shows, and come to the comparison by the button at its end."""
    page = person.page
    page.wait_for_selector(".table.playing")
    table = page.url.rpartition("/table/")[2].partition("?")[0]
    person.beside.plays_on(table, is_finished, by=at_random, hurries=True)
    person.beside.notes(table)
    page.wait_for_selector("dialog.summary")
    page.click("dialog.summary a.button.main")
    page.wait_for_selector(".ladder tbody tr")


def test_a_deal_is_played_on_three_devices_and_compared(person, axe, picture):
    lin = person(size=DESKTOP, name="Lin")
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.click("dialog.summary >> text=Let a friend play this deal")
    link = page.input_value("dialog.summary .deal-link input")
    assert re.fullmatch(re.escape(lin.url) + r"/#/deal/[A-Z2-9]{12}", link)
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "deal-sent.png")

    mei = person(size=PHONE, name="Mei")
    mei.tolerated = ("status of 409",)
    mei.registers()
    mei.page.goto(link)
    mei.page.wait_for_selector("text=Lin has sent you a deal")
    mei.is_still()
    assert list(faults(mei.page, axe, chinese=False)) == []
    picture(mei.page, "deal-asked.png", full_page=True)
    mei.page.tap("text=Play this deal")
    plays_through(mei)
    assert mei.page.locator(".ladder tbody tr").count() == 2
    result = r"\d+ points (as attackers|given away as declarers)"
    parting = r"(You part (in trick \d+|before the first trick)|You have played the same cards)"
    assert re.fullmatch(rf"Lin: {result}\. You: {result}\. {parting}\.", mei.page.inner_text(".versus"))
    mei.is_still()
    assert list(faults(mei.page, axe, chinese=False)) == []
    picture(mei.page, "deal-compared.png", full_page=True)

    # Somebody without an account, on a third device, in another language; by the keyboard.
    guest = person(size=DESKTOP, name="", fresh=True, locale="zh-CN", colours="dark")
    guest.tolerated = ("status of 409",)
    guest.page.goto(link)
    guest.page.wait_for_selector("text=Lin 请您打一副牌")
    guest.is_still()
    assert list(faults(guest.page, axe, chinese=True)) == []
    guest.page.fill("form.name input", "Wei")
    guest.page.keyboard.press("Enter")
    plays_through(guest)
    assert guest.page.locator(".ladder tbody tr").count() == 3
    guest.page.get_by_role("button", name="与 Mei 比较").focus()
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_selector(".versus >> text=Mei：")
    guest.is_still()
    assert list(faults(guest.page, axe, chinese=True)) == []
    picture(guest.page, "deal-compared-zh.png", full_page=True)

    page.goto(link)
    page.wait_for_selector(".ladder tbody tr")
    assert page.locator(".ladder tbody tr").count() == 3
    page.click("text=Deals that you have sent")
    page.click(".my-tables a")
    page.click("text=Take the deal back")
    page.click("text=Really take it back")
    page.wait_for_selector("text=None yet")
    mei.tolerated += ("status of 404",)
    mei.page.reload()
    mei.page.wait_for_selector(".refusal")


def test_a_deal_is_sent_from_its_replay_and_is_nothing_for_who_knows_it(person, picture):
    lin = person(size=(360, 640))
    table = lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    # The link and the way on fit below the result on a small phone.
    page.click("dialog.summary .send-deal")
    for part in (".deal-link input", ".deal-link button", "> button >> nth=-1"):
        box = page.locator(f"dialog.summary .buttons {part}").first.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= 640, part
    picture(page, "deal-small.png")
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page.goto(f"{lin.url}/#/replay/{game}/1?seat=0")
    page.click(".replay .send-deal")
    page.click(".deal-link a")
    page.wait_for_selector("text=Nobody has played it yet")
    assert page.locator("text=Play this deal").count() == 0
