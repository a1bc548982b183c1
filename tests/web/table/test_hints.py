"""What the AI says, on the page: a suggestion with its reason, and the analysis of a finished round."""

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
    page.click(".panel.play .suggest")
    page.wait_for_selector(".panel.play .reason")
    text = page.inner_text(".panel.play .reason")
    assert text.strip().endswith(end), text
    assert page.locator(".hand .card[aria-pressed=true]").count() > 0
    for size in sizes:
        lin.has_window(size)
        box = page.locator(".panel.play .reason").bounding_box()
        assert box["width"] > 100
        assert 0 <= box["y"] < box["y"] + box["height"] <= size[1]
        picture(page, f"hint-{'phone' if size == PHONE else 'desktop'}-{locale[:2]}.png")


def test_the_numbers_of_a_reason_come_with_a_tap_or_a_key(person):
    lin = person()
    lin.begins("shengji", 4, hints="on", until=holds(12))
    reason = {"code": "win", "params": {}, "text": "Goes ahead.", "figures": "The trick is won 84% of the time."}
    example = lin.page.evaluate("document.querySelector('.panel').dataset.decision")
    hint = {"status": "ready", "level": "normal", "decision_id": example, "reason": reason, "action": None}
    lin.page.route("**/hint?*", lambda route: route.fulfill(json=hint))
    lin.page.get_by_role("button", name="Suggest").click()
    numbers = lin.page.get_by_text("84%")
    expect(lin.page.get_by_text("Goes ahead.")).to_be_visible()
    expect(numbers).to_be_hidden()
    lin.page.get_by_text("Goes ahead.").tap()
    expect(numbers).to_be_visible()
    lin.page.keyboard.press("Space")
    expect(numbers).to_be_hidden()


def test_where_hints_are_off_the_suggestion_is_the_example_of_the_decision(person):
    lin = person()
    lin.begins("shengji", 4, hints="off")
    calls = []
    lin.page.on("request", lambda request: calls.append(request.url))
    # Nothing calls it a hint.
    expect(lin.page.get_by_role("button", name="Suggest")).to_have_count(0)
    lin.page.get_by_role("button", name="Legal cards").click()
    lin.page.wait_for_selector(".panel.play .reason")
    assert lin.page.locator(".hand .card[aria-pressed=true]").count() > 0
    notice = "Hints are off at this table. This is only a legal choice, not advice."
    assert lin.page.inner_text(".panel.play .reason") == notice
    assert not [url for url in calls if "/hint" in url]


def test_a_suggestion_says_that_it_is_no_advice_if_the_ai_does_not_answer(person):
    lin = person()
    lin.tolerated = ("ERR_FAILED",)
    lin.begins("shengji", 4, hints="on")
    lin.page.route("**/hint?*", lambda route: route.abort())
    lin.page.click(".panel.play .suggest")
    lin.page.wait_for_selector(".panel.play .reason")
    for locale, notice in (
        ("en-GB", "The AI did not answer. This is only a legal choice, not advice."),
        ("zh-CN", "电脑没有回应。这只是符合规则的选择，并非建议。"),
    ):
        lin.speaks(locale)
        assert lin.page.inner_text(".panel.play .reason") == notice
    assert lin.page.locator(".hand .card[aria-pressed=true]").count() > 0


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
    lin.page.wait_for_selector(".panel.declare .main")  # all cards are dealt
    lin.page.click(".panel.declare .suggest")
    lin.page.wait_for_selector(".panel.declare .reason")
    for guest in guests:
        if not lin.api("GET", f"/tables/{table}")["round"]["declarations"]:
            guest.answers(lambda _: True)
    assert lin.api("GET", f"/tables/{table}")["round"]["declarations"], "a guest has something to show"
    lin.page.wait_for_selector(".panel.declare .reason", state="detached")


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
        page.click(".replay .suggest")
        page.wait_for_selector(".analysis .reason", timeout=3 * PATIENCE)
        assert page.inner_text(".analysis .reason").strip()[-1] in ".。"
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"analysis-{'phone' if size == PHONE else 'desktop'}.png")
