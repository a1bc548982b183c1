"""Each setting does what it says, at once and after a reload."""

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
#: The cards of one's own hand, the number of their suits (perhaps not all four), and the number of colours.
FACES = """[...document.querySelectorAll(".hand .face")].filter((face) => /suit-/.test(face.className.baseVal))"""
SUITS = f"new Set({FACES}.map((face) => /suit-\\w+/.exec(face.className.baseVal)[0])).size"
COLOURS = f"new Set({FACES}.map((face) => getComputedStyle(face).fill)).size"


def opens_menu(page):
    page.click("header button >> nth=-1")
    page.wait_for_selector("dialog.menu")


def test_switches_do_what_they_say_and_are_remembered(person):
    lin = person(fresh=True)
    lin.context.add_init_script(COUNT)
    lin.begins("shengji", 4)
    page = lin.page
    assert page.evaluate(f"{COLOURS} === 2 && {SUITS} > 2")
    opens_menu(page)
    page.get_by_label("Four colours of suits").check()
    lin.comes_true(f"{COLOURS} === {SUITS}")
    papers = []
    for theme in ("dark", "light"):
        page.get_by_label("Light or dark").select_option(theme)
        lin.comes_true(f"document.documentElement.dataset.theme === '{theme}'")
        papers.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert papers[0] != papers[1]
    page.keyboard.press("Escape")
    # In these tests, sounds are off at first.
    lin.answers()
    lin.plays_until("play")
    assert page.evaluate("[tones, contexts]") == [0, 0]
    opens_menu(page)
    page.get_by_label("Sounds").check()
    page.keyboard.press("Escape")
    lin.answers()
    lin.comes_true("tones > 0 && contexts === 1")
    page.reload()
    lin.plays_until("play")
    lin.comes_true(f"{COLOURS} === {SUITS}")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    opens_menu(page)
    assert page.get_by_label("Sounds").is_checked()


def test_the_language_is_switched_at_once_also_in_what_the_service_says(person):
    lin = person(fresh=True)
    lin.tolerated = ("status of 404",)
    lin.registers()
    page = lin.page
    page.click("details summary")
    page.get_by_label("Language").select_option("zh-Hans")
    page.wait_for_selector(".hello >> text=您好，Lin！")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    page.reload()
    page.wait_for_selector("h2 >> text=与电脑玩各种玩法")
    page.goto(f"{lin.url}/#/table/tb_nothere")
    page.wait_for_selector(".refusal")
    assert "没有" in page.inner_text(".refusal") or "不存在" in page.inner_text(".refusal")
    until(page, "the language of the account", lambda: lin.api("GET", "/me")["locale"] == "zh-Hans")


def test_the_settings_have_the_name_at_once(person):
    lin = person(fresh=True)
    lin.page.goto(lin.url)
    lin.page.locator("summary", has_text="Settings").click()
    lin.page.get_by_label("What should we call you?").fill("Lin")
    lin.page.get_by_role("button", name="Continue").click()
    expect(lin.page.get_by_label("My name")).to_have_value("Lin")


def test_a_face_is_chosen_by_keyboard_and_seen_at_the_seat(person, axe, picture):
    lin = person(fresh=True)
    lin.registers()
    page = lin.page
    page.click("details summary")
    page.click("text=Choose my face")
    faces = page.locator(".faces input")
    lin.comes_true("document.querySelectorAll('.faces input').length === 16")
    # No two look alike, and there is one before any is chosen.
    assert len({svg.inner_html() for svg in page.locator(".faces svg").all()}) == 16
    before = page.evaluate("[...document.querySelectorAll('.faces input')].findIndex((each) => each.checked)")
    faces.nth(before).focus()
    with page.expect_response("**/v1/me") as answer:
        page.keyboard.press("ArrowRight")
    assert answer.value.json()["face"] == (before + 1) % 16 + 1
    drawn = page.locator(".faces label:has(:checked) svg").inner_html()
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        assert findings(page, axe) == []
        picture(page, f"faces-{colours}.png")
    lin.begins("shengji", 4)
    assert page.locator(".seat.bottom .avatar svg").inner_html() == drawn
