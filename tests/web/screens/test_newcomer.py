"""A newcomer plays with one tap, without a name or a clock, and reads how to play before any option."""

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults
from tests.web.person import until

pytestmark = pytest.mark.browser


def test_a_newcomer_plays_the_classic_with_one_tap_and_takes_a_name_later(person, axe, picture):
    lin = person(name="", fresh=True)
    lin.tolerated = ("status of 409",)
    page = lin.page
    page.goto(lin.url)
    expect(lin.field("Game")).to_have_value("shengji")
    picture(page, "newcomer.png")
    assert list(faults(page, axe, chinese=False)) == []
    lin.presses("Against AI players")
    lin.is_playing()
    view = lin.api("GET", f"/tables/{page.url.rpartition('/')[2]}")
    assert (view["ruleset"], view["clock"]["alone"]) == ("shengji", "unlimited")
    expect(lin.all("timer")).to_have_count(0)
    lin.presses("Menu")
    lin.fills("My name", "Ming")
    lin.field("My name").press("Enter")
    until(page, "the new name", "JSON.parse(localStorage.shengji).name === 'Ming'")
    # Running games come first.
    lin.goes_to()
    lin.is_greeted("Ming")
    tables = lin.items("My tables").first.bounding_box()
    assert tables["y"] < lin.control("Play").bounding_box()["y"]


def test_the_rules_say_follow_suit_before_any_option(person):
    lin = person()
    lin.goes_to("rules")
    expect(lin.all("listitem").first).to_contain_text("Sheng Ji")
    for locale, words, names in (
        ("en-GB", "must follow suit", ["Shut-out", "Under half", "Take-over"]),
        ("zh-CN", "必须跟同样的花色", ["大光", "小光", "上台"]),
    ):
        if locale == "zh-CN":
            lin.registers()
            lin.speaks(locale)
        lin.goes_to("rules/shengji")
        prose, option = lin.text(words).first, lin.all("term").first
        option.wait_for()
        assert prose.bounding_box()["y"] < lin.all("combobox").first.bounding_box()["y"] < option.bounding_box()["y"]
        # Thresholds have the names by which players know them.
        lin.part("table").sees(*names)


@pytest.mark.parametrize(
    "script",
    [
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });",
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    ],
    ids=["forbidden", "full"],
)
def test_a_page_that_can_store_nothing_plays_all_the_same(person, script):
    lin = person(fresh=True)
    lin.context.add_init_script(script)
    lin.page.goto(lin.url)
    lin.presses("Against AI players")
    lin.cards.first.wait_for()
    lin.seat(r"Guest \d+").place.locator("svg").first.wait_for()
