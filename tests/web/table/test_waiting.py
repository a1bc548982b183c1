"""Before a game: friends choose their seats, nobody is removed by one tap, and Back leaves a dialog, not the table."""

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults
from tests.web.person import until

pytestmark = pytest.mark.browser


def sees_seats(who, *names):
    """Wait until these players sit at the seats, in their order; "": nobody."""
    expect(who.items("Seats")).to_contain_text([name or "Free seat" for name in names])


def test_friends_choose_seats_and_the_host_changes_them_and_the_rules(person, axe, picture):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    mei.tolerated = ("403",)
    table = lin.makes("shengji", 4, ai=False)
    lin.opens(table)
    lin.sees("Lin invites you to Sheng Ji, 4 players.")
    mei.page.goto(lin.field("Invitation link").input_value())
    mei.control("I am ready").wait_for()
    # Mei came second, and would be an opponent.
    mei.presses("Move here: seat 3")
    sees_seats(lin, "Lin", "", "Mei", "")
    lin.presses("Change seats: Mei")
    picture(lin.page, "waiting-seats.png")
    assert list(faults(lin.page, axe, chinese=False)) == []
    lin.presses("Here: seat 1")
    sees_seats(mei, "Mei", "", "Lin", "")
    # The rules are changed in place.
    lin.presses("Change the rules and the clock")
    way = lin.field("Way to play")
    preset = way.get_by_role("option").nth(2).get_attribute("value")
    way.select_option(preset)
    known = next(each for each in lin.api("GET", "/rulesets/shengji")["presets"] if each["id"] == preset)
    until(lin.page, "other options", lambda: lin.api("GET", f"/tables/{table}")["options"] == known["options"])
    # Removing a friend takes two taps.
    lin.presses("Remove Mei")
    lin.presses("Cancel")
    lin.presses("Remove Mei")
    assert lin.api("GET", f"/tables/{table}")["seats"][0]["occupant"]["name"] == "Mei"
    lin.presses("Really remove Mei?")
    sees_seats(lin, "", "", "Lin", "")


def test_back_closes_a_dialog_and_then_leaves_the_table(person):
    lin = person()
    lin.begins("sishifen", 4)
    page = lin.page
    for name in ("Menu", "Chat"):
        lin.presses(name)
        dialog = lin.dialog(name).is_there()
        page.go_back()
        dialog.is_gone()
        assert lin.hand.count() == 1
    # A dialog closed by its button leaves no step in the history.
    opens_and_closes_the_menu(lin)
    until(page, "no step for the dialog", "!history.state?.dialog")
    page.go_back()
    lin.is_greeted()


def opens_and_closes_the_menu(lin):
    lin.presses("Menu")
    menu = lin.dialog("Menu")
    menu.presses("Close")
    menu.is_gone()


def test_dialogs_closed_in_a_hurry_do_not_leave_the_table(person):
    lin = person()
    lin.begins("sishifen", 4)
    page = lin.page
    # Steps back take a while on a busy phone: these are held back for now.
    page.evaluate("step = history.back.bind(history), history.back = () => steps.push(step), steps = []")
    for _ in range(2):
        opens_and_closes_the_menu(lin)
    page.evaluate("steps.forEach((step) => step())")
    until(page, "no step for the dialog", "!history.state?.dialog")
    lin.is_still()
    assert lin.hand.count() == 1
    assert page.evaluate("steps.length") == 1
