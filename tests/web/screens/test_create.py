"""The form of a new table has a control for every option of the catalogue."""

import json
import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_options_that_are_lists_and_pairs_can_be_filled_in(person):
    lin = person()
    lin.registers()
    page = lin.page
    lin.goes_to("new?ruleset=shengji")
    unfolds(lin)
    decks = page.locator("[data-option=special_decks]")
    for rank in ("5", "3"):
        decks.get_by_role("button", name="Add one").click()
        decks.get_by_role("combobox").last.select_option(rank)
    decks.get_by_role("checkbox").first.check()
    decks.get_by_role("button", name="Remove").nth(1).click()
    hooks = page.locator("[data-option=hooks]")
    for high, low in (("J", "2"), ("Q", "6")):
        hooks.get_by_role("button", name="Add one").click()
        hooks.get_by_role("combobox").nth(-2).select_option(high)
        hooks.get_by_role("combobox").last.select_option(low)
    chosen = {"red_fives": True, "kitty_shown": True, "last_trick_to_gain": True, "next_declarer": "next_seat"}
    chosen |= {"joker_beside": "matching", "jokers_open": False, "hook_fall": "by_cards"}
    for name, value in chosen.items():
        page.locator(f"[data-option={name}] select").select_option(json.dumps(value))
    lin.field("Seats are drawn when the game starts").check()
    lin.presses("Make the table")
    lin.is_waiting()
    table = page.url.rpartition("/")[2]
    view = lin.api("GET", f"/tables/{table}")
    assert view["settings"]["random_seats"]
    options = view["options"]
    assert options["special_decks"] == [{"from": "5", "little_joker": True}]
    assert options["hooks"] == {"J": "2", "Q": "6"}
    assert {name: options[name] for name in chosen} == chosen


def test_a_game_may_take_days_and_the_form_says_how_long(person):
    lin = person()
    lin.registers()
    lin.goes_to("new?ruleset=shengji")
    lin.selects("Time for a card", "a day for each decision")
    lin.sees(re.compile("a round takes about two weeks"))
    lin.presses("Make the table")
    lin.is_waiting()
    view = lin.api("GET", f"/tables/{lin.page.url.rpartition('/')[2]}")
    assert view["clock"]["correspondence"] == {"decision_hours": 24}


#: Texts of chosen options that are cut off in their select and not repeated below it.
CUT = """() => [...document.querySelectorAll("form select")].filter((select) => {
  const pen = document.createElement("canvas").getContext("2d");
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  pen.font = font;
  const text = select.selectedOptions[0]?.text ?? "";
  const arrow = 16;
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
  return pen.measureText(text).width > room && select.closest("[data-option]")?.lastChild.textContent !== text;
}).map((select) => select.selectedOptions[0].text)"""


def unfolds(lin):
    """Open all options of the form."""
    lin.place.locator("form summary").first.wait_for()
    lin.page.evaluate("for (const each of document.querySelectorAll('form details')) each.open = true")


def test_what_is_chosen_can_be_read_on_a_phone_and_no_control_shows_the_name_of_a_field(person, picture):
    """Field names such as `points_below` are for programs."""
    lin = person()
    lin.registers()
    page = lin.page
    for ruleset in ("arms_length", "shengji", "finding_friends", "zhaopengyou"):
        lin.goes_to(f"new?ruleset={ruleset}")
        expect(lin.field(re.compile("^(Game|玩法)$"))).to_have_value(ruleset)
        unfolds(lin)
        lin.is_still()
        for locale in ("en-GB", "zh-CN"):
            lin.speaks(locale)
            picture(page, f"new-phone-{ruleset}-{locale[:2]}.png", full_page=True)
            assert page.evaluate(CUT) == []
            labels = page.locator("form label").all_inner_texts()
            assert labels
            assert [text for text in labels if "_" in text] == []
            # The fields of a column are aligned.
            fields = page.locator("[data-option=misdeal] label").all()
            lefts = {round(field.bounding_box()["x"]) for field in fields}
            assert len(lefts) == (0 if ruleset == "arms_length" else 2)


def test_a_table_is_made_as_the_form_says_with_preset_clock_and_ai_level(person):
    lin = person()
    lin.registers()
    lin.goes_to("new?ruleset=finding_friends")
    lin.selects("Players", "6")
    presets = lin.field("Way to play")
    preset = presets.get_by_role("option").nth(1).get_attribute("value")
    presets.select_option(preset)
    lin.selects("The other seats", "normal")
    lin.sees("remembers every card")  # what the level means
    lin.selects("Time for a card", "60")
    lin.field("Chat").uncheck()
    lin.presses("Make the table and play")
    lin.is_playing()  # the game begins at once
    view = lin.api("GET", f"/tables/{lin.page.url.rpartition('/')[2]}")
    known = next(each for each in lin.api("GET", "/rulesets/finding_friends")["presets"] if each["id"] == preset)
    assert view["options"] == known["options"]
    assert view["clock"]["play_ms"] == 60_000
    assert not view["settings"]["chat"]
    assert [seat["occupant"].get("level") for seat in view["seats"]] == [None, *["normal"] * 5]


def test_a_public_table_is_joined_from_the_lobby(person):
    lin, mei = person(), person(name="Mei")
    mei.tolerated = ("403",)
    for each in (lin, mei):
        each.registers()
    lin.goes_to("new?ruleset=sishifen")
    lin.field("Listed for everybody").check()
    lin.presses("Make the table")
    lin.is_waiting()
    table = lin.page.url.rpartition("/")[2]
    mei.presses("Open tables")
    mei.selects("Game", "sishifen")
    mei.page.click(f"a[href='#/table/{table}']")
    mei.control("Sit down").first.click()
    lin.part("list", "Seats").sees("Mei")
    assert lin.api("GET", f"/tables/{table}")["seats"][1]["occupant"]["name"] == "Mei"
    # The start page leads back to it.
    mei.goes_to()
    mei.items("My tables").get_by_role("link").click()
    mei.part("list", "Seats").sees("Lin")
    mei.presses("Menu")
    mei.presses("Leave the table")
    lin.part("list", "Seats").sees_no("Mei")
