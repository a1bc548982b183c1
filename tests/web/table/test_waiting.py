"""Before a game: friends choose their seats, nobody is removed by one tap, and Back leaves a dialog, not the table."""

import pytest

from tests.web.looking import faults
from tests.web.person import until

pytestmark = pytest.mark.browser

NAMES = "[...document.querySelectorAll('.lobby-table .seats .name')].map((each) => each.innerText.trim()).join()"


def test_friends_choose_seats_and_the_host_changes_them_and_the_rules(person, axe, picture):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    mei.tolerated = ("403",)
    table = lin.makes("shengji", 4, ai=False)
    lin.opens(table)
    link = lin.page.input_value(".invitation input >> nth=0")
    assert "Lin invites you to Sheng Ji, 4 players." in lin.page.inner_text(".invitation")
    mei.page.goto(link)
    mei.page.wait_for_selector(".lobby-table button >> text=I am ready")
    # Mei came second, and would be an opponent.
    mei.page.click("[aria-label='Move here: seat 3']")
    lin.comes_true(f"{NAMES} === 'Lin,Free seat,Mei,Free seat'")
    lin.page.click("[aria-label='Change seats: Mei']")
    picture(lin.page, "waiting-seats.png")
    assert list(faults(lin.page, axe, chinese=False)) == []
    lin.page.click("[aria-label='Here: seat 1']")
    mei.comes_true(f"{NAMES} === 'Mei,Free seat,Lin,Free seat'")
    # The rules are changed in place.
    lin.page.click(".conditions summary")
    preset = lin.page.locator(".conditions select >> nth=0 >> option >> nth=2").get_attribute("value")
    lin.page.select_option(".conditions select >> nth=0", preset)
    known = next(each for each in lin.api("GET", "/rulesets/shengji")["presets"] if each["id"] == preset)
    until(lin.page, "other options", lambda: lin.api("GET", f"/tables/{table}")["options"] == known["options"])
    # Removing a friend takes two taps.
    lin.page.click("[aria-label='Remove Mei']")
    lin.page.click("text=Cancel")
    lin.page.click("[aria-label='Remove Mei']")
    assert lin.api("GET", f"/tables/{table}")["seats"][0]["occupant"]["name"] == "Mei"
    lin.page.click("text=Really remove Mei?")
    lin.comes_true(f"{NAMES} === 'Free seat,Free seat,Lin,Free seat'")


def test_back_closes_a_dialog_and_then_leaves_the_table(person):
    lin = person()
    lin.begins("sishifen", 4)
    page = lin.page
    for opens, dialog in (("nth=-1", "dialog.menu"), ("nth=-2", "dialog.chat")):
        page.click(f"header button >> {opens}")
        page.wait_for_selector(dialog)
        page.go_back()
        page.wait_for_selector(dialog, state="detached")
        assert page.locator("main.table.playing").count() == 1
    # A dialog closed by its button leaves no step in the history.
    page.click("header button >> nth=-1")
    page.click("dialog.menu header button")
    page.wait_for_selector("dialog.menu", state="detached")
    lin.comes_true("!history.state?.dialog")
    page.go_back()
    page.wait_for_selector(".hello")


def test_dialogs_closed_in_a_hurry_do_not_leave_the_table(person):
    lin = person()
    lin.begins("sishifen", 4)
    page = lin.page
    # Steps back take a while on a busy phone: these are held back for now.
    page.evaluate("step = history.back.bind(history), history.back = () => steps.push(step), steps = []")
    for _ in range(2):
        page.click("header button[aria-label='Menu']")
        page.click("dialog.menu header button")
        page.wait_for_selector("dialog.menu", state="detached")
    page.evaluate("steps.forEach((step) => step())")
    lin.comes_true("!history.state?.dialog")
    lin.is_still()
    assert page.locator("main.table.playing").count() == 1
    assert page.evaluate("steps.length") == 1
