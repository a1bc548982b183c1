"""A newcomer plays with one tap, without a name or a clock, and reads how to play before any option."""

import pytest

from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_a_newcomer_plays_the_classic_with_one_tap_and_takes_a_name_later(person, axe, picture):
    lin = person(name="", fresh=True)
    lin.tolerated = ("status of 409",)
    page = lin.page
    page.goto(lin.url)
    page.wait_for_selector(".games li")
    assert page.locator(".games h3").first.inner_text() == "Sheng Ji"
    picture(page, "newcomer.png")
    assert list(faults(page, axe, chinese=False)) == []
    page.click(".play-now .alone")
    page.wait_for_selector("main.table.playing")
    view = lin.api("GET", f"/tables/{page.url.rpartition('/')[2]}")
    assert (view["ruleset"], view["clock"]["alone"]) == ("shengji", "unlimited")
    lin.comes_true("document.querySelector('.strip') && !document.querySelector('.strip .seconds')")
    page.click("header button >> nth=-1")
    page.get_by_label("My name").fill("Ming")
    page.get_by_label("My name").press("Enter")
    lin.comes_true("JSON.parse(localStorage.shengji).name === 'Ming'")
    # Running games come first.
    page.goto(f"{lin.url}/#/")
    page.wait_for_selector(".hello >> text=Ming")
    page.wait_for_selector(".my-tables a")
    assert page.locator(".my-tables").bounding_box()["y"] < page.locator(".play-now").bounding_box()["y"]


def test_the_rules_say_follow_suit_before_any_option(person):
    lin = person()
    lin.page.goto(f"{lin.url}/#/rules")
    assert lin.page.locator("header.bar ~ .my-tables b").first.inner_text() == "Sheng Ji"
    for locale, words, names in (
        ("en-GB", "must follow suit", ["Shut-out", "Under half", "Take-over"]),
        ("zh-CN", "必须跟同样的花色", ["大光", "小光", "上台"]),
    ):
        lin.page.goto(f"{lin.url}/#/rules/shengji")
        lin.page.wait_for_selector(".rules .prose")
        if locale == "zh-CN":
            lin.registers()
            lin.speaks(locale)
            lin.page.goto(f"{lin.url}/#/rules/shengji")
            lin.page.wait_for_selector(".rules .prose")
        prose = lin.page.locator(".rules .prose")
        assert words in prose.inner_text()
        assert prose.bounding_box()["y"] < lin.page.locator(".rules select").first.bounding_box()["y"]
        assert prose.bounding_box()["y"] < lin.page.locator(".rules .options dt").first.bounding_box()["y"]
        # Thresholds have the names by which players know them.
        lin.page.wait_for_selector(".rules table")
        assert [name for name in names if name in lin.page.inner_text(".rules table")] == names


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
    page = lin.page
    page.goto(lin.url)
    page.click(".play-now .alone")
    page.wait_for_selector(".hand .card")
    page.wait_for_selector(".seat.bottom .avatar svg")
