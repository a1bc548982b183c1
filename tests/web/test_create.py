"""The form of a new table has a control for every option of the catalogue."""

import pytest

pytestmark = pytest.mark.browser


def test_options_that_are_lists_and_pairs_can_be_filled_in(person):
    lin = person()
    lin.registers()
    page = lin.page
    page.goto(f"{lin.url}/#/new?ruleset=shengji")
    page.wait_for_selector("form.create details")
    page.evaluate("for (const each of document.querySelectorAll('form.create details')) each.open = true")
    decks = page.locator("[data-option=special_decks]")
    for rank in ("5", "3"):
        decks.locator("button.add").click()
        decks.locator("select").last.select_option(rank)
    decks.locator("input[type=checkbox] >> nth=0").check()
    decks.locator("button >> text=Remove >> nth=1").click()
    hooks = page.locator("[data-option=hooks]")
    for high, low in (("J", "2"), ("Q", "6")):
        hooks.locator("button.add").click()
        hooks.locator("select").nth(-2).select_option(high)
        hooks.locator("select").last.select_option(low)
    page.click("form.create button[type=submit]")
    page.wait_for_selector(".invitation")
    table = page.url.rpartition("/")[2]
    options = lin.api("GET", f"/tables/{table}")["options"]
    assert options["special_decks"] == [{"from": "5", "little_joker": True}]
    assert options["hooks"] == {"J": "2", "Q": "6"}


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_no_control_shows_the_name_of_a_field(person, locale):
    """Names such as `points_below` are for programs."""
    lin = person(locale=locale)
    lin.registers()
    for ruleset in ("shengji", "zhaopengyou", "arms_length"):
        lin.page.goto(f"{lin.url}/#/new?ruleset={ruleset}")
        lin.page.wait_for_selector("form.create details")
        lin.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        shown = lin.page.evaluate(
            "[...document.querySelectorAll('form.create .control :is(label, .check)')].map(each => each.textContent)"
        )
        assert shown
        assert [text for text in shown if "_" in text] == []
