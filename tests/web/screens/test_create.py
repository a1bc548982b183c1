"""The form of a new table has a control for every option of the catalogue."""

import json

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
    chosen = {"red_fives": True, "kitty_shown": True, "last_trick_to_gain": True, "next_declarer": "next_seat"}
    chosen |= {"joker_beside": "matching", "jokers_open": False, "hook_fall": "by_cards"}
    for name, value in chosen.items():
        page.locator(f"[data-option={name}] select").select_option(json.dumps(value))
    page.check("text=Seats are drawn")
    page.click("form.create button[type=submit]")
    page.wait_for_selector(".invitation")
    table = page.url.rpartition("/")[2]
    view = lin.api("GET", f"/tables/{table}")
    assert view["settings"]["random_seats"]
    options = view["options"]
    assert options["special_decks"] == [{"from": "5", "little_joker": True}]
    assert options["hooks"] == {"J": "2", "Q": "6"}
    assert {name: options[name] for name in chosen} == chosen


#: Texts of chosen options that are cut off in their select and not repeated below it.
CUT = """() => [...document.querySelectorAll("form.create select")].filter((select) => {
  const pen = document.createElement("canvas").getContext("2d");
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  pen.font = font;
  const text = select.selectedOptions[0]?.text ?? "";
  const arrow = 16;
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
  return pen.measureText(text).width > room && select.closest(".option")?.lastChild.textContent !== text;
}).map((select) => select.selectedOptions[0].text)"""


#: Labels of the controls.
NAMED = "[...document.querySelectorAll('form.create .control :is(label, .check)')].map(each => each.textContent)"


def test_what_is_chosen_can_be_read_on_a_phone_and_no_control_shows_the_name_of_a_field(person, picture):
    """Field names such as `points_below` are for programs."""
    lin = person()
    lin.registers()
    page = lin.page
    for ruleset in ("arms_length", "shengji", "finding_friends", "zhaopengyou"):
        page.goto(f"{lin.url}/#/new?ruleset={ruleset}")
        page.wait_for_selector(f"main.create option:checked[value={ruleset}]", state="attached")
        page.wait_for_selector("form.create details")
        page.evaluate("for (const each of document.querySelectorAll('form.create details')) each.open = true")
        if ruleset != "arms_length":  # whose options have no labels inside their controls
            page.wait_for_selector("form.create .control :is(label, .check)", state="attached")
        lin.is_still()
        for locale in ("en-GB", "zh-CN"):
            lin.speaks(locale)
            picture(page, f"new-phone-{ruleset}-{locale[:2]}.png", full_page=True)
            assert page.evaluate(CUT) == []
            values = page.evaluate(NAMED)
            assert values or ruleset == "arms_length"
            assert [text for text in values if "_" in text] == []
            # The fields of a column are aligned.
            fields = page.locator("[data-option=misdeal] .control > label").all()
            lefts = {round(field.bounding_box()["x"]) for field in fields}
            assert len(lefts) == (0 if ruleset == "arms_length" else 2)


def test_a_table_is_made_as_the_form_says_with_preset_clock_and_ai_level(person):
    lin = person()
    lin.registers()
    page = lin.page
    page.goto(f"{lin.url}/#/new?ruleset=finding_friends")
    page.select_option("form.create .pair select >> nth=0", "6")
    presets = page.get_by_label("Way to play")
    preset = presets.locator("option").nth(1).get_attribute("value")
    presets.select_option(preset)
    page.get_by_label("The other seats").select_option("normal")
    page.wait_for_selector(".create .hint >> text=remembers every card")  # what the level means
    page.get_by_label("Time for a card").select_option("60")
    page.get_by_label("Chat").uncheck()
    page.click("form.create button[type=submit]")
    page.wait_for_selector("main.table.playing")  # the game begins at once
    view = lin.api("GET", f"/tables/{page.url.rpartition('/')[2]}")
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
    lin.page.goto(f"{lin.url}/#/new?ruleset=sishifen")
    lin.page.get_by_label("Listed for everybody").check()
    lin.page.click("form.create button[type=submit]")
    lin.page.wait_for_selector(".invitation")
    table = lin.page.url.rpartition("/")[2]
    mei.page.click("nav.more a >> nth=0")
    mei.page.select_option(".filters select >> nth=0", "sishifen")
    mei.page.click(f".my-tables a[href='#/table/{table}']")
    mei.page.click(".lobby-table button >> text=Sit down >> nth=0")
    lin.page.wait_for_selector(".lobby-table .name >> text=Mei")
    assert lin.api("GET", f"/tables/{table}")["seats"][1]["occupant"]["name"] == "Mei"
    # The start page leads back to it.
    mei.page.goto(f"{lin.url}/#/")
    mei.page.click(f".my-tables a[href='#/table/{table}']")
    mei.page.wait_for_selector(".lobby-table .name >> text=Lin")
    mei.page.click("header button[aria-label=Menu]")
    mei.page.click("dialog.menu button >> text=Leave the table")
    lin.page.wait_for_selector(".lobby-table .name >> text=Mei", state="detached")
