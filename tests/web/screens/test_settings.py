"""Each setting does what it says, at once and after a reload."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.looking import findings
from tests.web.person import until

pytestmark = pytest.mark.browser

#: Counts tones and audio contexts; a context takes processor time in silence, too.
COUNT = """
    window.tones = window.contexts = 0;
    window.AudioContext = class extends AudioContext {
        constructor() {
            super();
            window.contexts += 1;
        }
    };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
        window.tones += 1;
        return start.call(this, at);
    };
"""
#: The colours in which cards are drawn.
COLOURS = "(cards) => [...new Set(cards.map((card) => getComputedStyle(card.querySelector('svg')).fill))]"


def suits_and_colours(lin):
    """Return how many suits the hand has (perhaps not all four), and in how many colours they are drawn."""
    names = [re.findall("spades|hearts|clubs|diamonds", text) for text in lin.cards.all_inner_texts()]
    suited = lin.cards.filter(has_text=re.compile("spades|hearts|clubs|diamonds"))
    return len({name for each in names for name in each}), len(suited.evaluate_all(COLOURS))


def has_a_colour_for_each_suit(lin):
    suits, colours = suits_and_colours(lin)
    return suits == colours


def test_switches_do_what_they_say_and_are_remembered(person):
    lin = person(fresh=True)
    lin.context.add_init_script(COUNT)
    lin.begins("shengji", 4)
    page = lin.page
    suits, colours = suits_and_colours(lin)
    assert colours == 2 < suits
    lin.presses("Menu")
    lin.field("Four colours of suits").check()
    until(page, "four colours", lambda: has_a_colour_for_each_suit(lin))
    papers = []
    for theme in ("dark", "light"):
        lin.selects("Light or dark", theme)
        until(page, theme, f"document.documentElement.dataset.theme === '{theme}'")
        papers.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert papers[0] != papers[1]
    page.keyboard.press("Escape")
    # In these tests, sounds are off at first.
    lin.answers()
    lin.plays_until("play")
    assert page.evaluate("[tones, contexts]") == [0, 0]
    lin.presses("Menu")
    lin.field("Sounds").check()
    page.keyboard.press("Escape")
    lin.answers()
    until(page, "a tone", "tones > 0 && contexts === 1")
    page.reload()
    lin.plays_until("play")
    until(page, "four colours", lambda: has_a_colour_for_each_suit(lin))
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    lin.presses("Menu")
    expect(lin.field("Sounds")).to_be_checked()


def test_the_language_is_switched_at_once_also_in_what_the_service_says(person):
    lin = person(fresh=True)
    lin.tolerated = ("status of 404",)
    lin.registers()
    page = lin.page
    lin.presses("Settings")
    lin.selects("Language", "zh-Hans")
    lin.sees("您好，Lin！")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    until(page, "the language of the account", lambda: lin.api("GET", "/me")["locale"] == "zh-Hans")
    page.reload()
    lin.all("heading", "一个人打").wait_for()
    lin.goes_to("table/tb_nothere")
    lin.part("alert").sees(re.compile("没有|不存在"))


def test_the_settings_have_the_name_at_once(person):
    lin = person(fresh=True)
    lin.page.goto(lin.url)
    lin.presses("Settings")
    lin.takes_name("Lin")
    expect(lin.field("My name")).to_have_value("Lin")


def test_a_face_is_chosen_by_keyboard_and_seen_at_the_seat(person, axe, picture):
    lin = person(fresh=True)
    lin.registers()
    page = lin.page
    lin.presses("Settings")
    lin.presses("Choose my face")
    group = lin.part("group", "My face")
    faces = group.all("radio")
    expect(faces).to_have_count(16)
    # No two look alike, and there is one before any is chosen.
    drawings = [label.locator("svg").inner_html() for label in group.place.locator("label").all()]
    assert len({*drawings}) == 16
    before = [face.is_checked() for face in faces.all()].index(True)
    faces.nth(before).focus()
    with page.expect_response("**/v1/me") as answer:
        page.keyboard.press("ArrowRight")
    assert answer.value.json()["face"] == (before + 1) % 16 + 1
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        assert findings(page, axe) == []
        picture(page, f"faces-{colours}.png")
    lin.begins("shengji", 4)
    assert lin.seat("Lin").place.locator("svg").first.inner_html() == drawings[(before + 1) % 16]
