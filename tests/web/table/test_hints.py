"""What the AI says, on the page: a suggestion with its reason, and the analysis of a finished round."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import holds, is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PATIENCE, PHONE, until

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("sizes", "locale", "end"), [((DESKTOP, PHONE), "en-GB", "."), ((PHONE,), "zh-CN", "。")], ids=["en", "zh"]
)
def test_a_suggestion_chooses_cards_and_says_why_where_a_phone_shows_it(person, picture, sizes, locale, end):
    lin = person(locale=locale)
    lin.begins("shengji", 4, hints="on", until=holds(12))
    page = lin.page
    answer = lin.asks_for_a_hint()
    assert answer.inner_text().strip().endswith(end)
    expect(lin.chosen).not_to_have_count(0)
    for size in sizes:
        lin.has_window(size)
        box = answer.bounding_box()
        assert box["width"] > 100
        assert 0 <= box["y"] < box["y"] + box["height"] <= size[1]
        picture(page, f"hint-{'phone' if size == PHONE else 'desktop'}-{locale[:2]}.png")


def test_the_numbers_of_a_reason_come_with_a_tap_or_a_key(person):
    lin = person()
    lin.begins("shengji", 4, hints="on", until=holds(12))
    reason = {"code": "win", "params": {}, "text": "Goes ahead.", "figures": "The trick is won 84% of the time."}
    hint = {"status": "ready", "level": "normal", "reason": reason, "action": None}
    lin.page.route("**/hint?*", lambda route: route.fulfill(json=hint))
    lin.asks_for_a_hint()
    numbers = lin.page.get_by_text("84%")
    expect(lin.page.get_by_text("Goes ahead.")).to_be_visible()
    expect(numbers).to_be_hidden()
    lin.page.get_by_text("Goes ahead.").tap()
    expect(numbers).to_be_visible()
    lin.page.locator("summary", has_text="Goes ahead.").press("Space")
    expect(numbers).to_be_hidden()


def test_a_hint_names_who_is_probably_a_friend(person):
    lin = person()
    table = lin.begins("shengji", 4, hints="on", until=holds(12))
    text = "Probably a friend (57%): has given the declarer's side 10 points."
    # A service that was rolled back passes on friends that it does not know, without a text.
    friends = [{"seat": 2, "chance": 57, "points": 10, "text": text}, {"seat": 1, "chance": 51, "points": 5}]
    reason = {"code": "win", "params": {}, "text": "Goes ahead.", "figures": "", "friends": friends}
    hint = {"status": "ready", "level": "normal", "reason": reason, "action": None}
    lin.page.route("**/hint?*", lambda route: route.fulfill(json=hint))
    answer = lin.asks_for_a_hint()
    animals = {"AI 1": "Bear", "AI 2": "Tiger", "AI 3": "Panda"}
    friend, stranger = (
        animals[lin.api("GET", f"/tables/{table}")["seats"][seat]["occupant"]["name"]] for seat in (2, 1)
    )
    expect(answer.get_by_text(text)).to_have_text(f"{friend} {text}")
    expect(answer).not_to_contain_text(stranger)


def test_where_hints_are_off_the_suggestion_is_the_example_of_the_decision(person):
    lin = person()
    lin.begins("shengji", 4, hints="off")
    calls = []
    lin.page.on("request", lambda request: calls.append(request.url))
    # Nothing calls it a hint.
    expect(lin.page.get_by_role("button", name="Suggest")).to_have_count(0)
    expect(lin.asks_for_a_hint()).to_have_text("Hints are off at this table. This is only a legal choice, not advice.")
    expect(lin.chosen).not_to_have_count(0)
    assert not [url for url in calls if "/hint" in url]


def test_a_suggestion_says_that_it_is_no_advice_if_the_ai_does_not_answer(person):
    lin = person()
    lin.tolerated = ("ERR_FAILED",)
    lin.begins("shengji", 4, hints="on")
    lin.page.route("**/hint?*", lambda route: route.abort())
    answer = lin.asks_for_a_hint()
    for locale, notice in (
        ("en-GB", "The AI did not answer. This is only a legal choice, not advice."),
        ("zh-CN", "电脑没有回应。这只是符合规则的选择，并非建议。"),
    ):
        lin.speaks(locale)
        expect(answer).to_have_text(notice)
    expect(lin.chosen).not_to_have_count(0)


def test_a_suggestion_to_declare_goes_once_somebody_else_has_declared(person):
    lin = person()
    lin.registers()
    table = lin.makes(
        "shengji",
        4,
        ai=False,
        hints="on",
        seed="cards of the day 1",
        options={"deal_pace": "timed"},
        clock={"deal_interval_ms": 100},
    )
    guests = lin.invites(table, 4)
    lin.opens(table)
    lin.controls.get_by_role("button", name="Pass").wait_for()  # all cards are dealt
    answer = lin.asks_for_a_hint()
    for guest in guests:
        if not lin.api("GET", f"/tables/{table}")["round"]["declarations"]:
            guest.answers(lambda _: True)
    assert lin.api("GET", f"/tables/{table}")["round"]["declarations"], "a guest has something to show"
    expect(answer).to_have_count(0)


def test_the_replay_of_a_finished_game_offers_an_analysis_by_the_ai(person, axe, picture):
    lin = person(locale="zh-CN", colours="dark")
    table = lin.begins("sishifen", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page = lin.page
    page.goto(f"{lin.url}/#/replay/{game}/1?at=0")
    lin.api("POST", f"/tables/{table}/votes", {"kind": "end_early"})
    log = f"/tables/{table}/events?after=0&limit=500"
    until(page, "the game is kept", lambda: "game_kept" in [event["type"] for event in lin.api("GET", log)["events"]])
    for size, locale, colours in ((PHONE, "zh-CN", "dark"), (DESKTOP, "en-GB", "light")):
        lin.has_window(size)
        lin.speaks(locale)
        page.emulate_media(color_scheme=colours)
        page.reload()
        page.get_by_role(
            "button", name=re.compile("What would the AI have done|电脑会怎么做|My mistakes|我的失误")
        ).click()
        reason = page.get_by_text(
            re.compile("Nothing better was found|The AI would have done|没有发现更好的选择|电脑会改为")
        )
        reason.wait_for(timeout=3 * PATIENCE)
        assert reason.inner_text().strip()[-1] in ".。"
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"analysis-{'phone' if size == PHONE else 'desktop'}.png")
