"""What the AI says, on the page: a suggestion with its reason, and the analysis of a finished round."""

import pytest

from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("size", "locale", "end"), [(PHONE, "en-GB", "."), (PHONE, "zh-CN", "。"), (DESKTOP, "en-GB", ".")]
)
def test_a_suggestion_chooses_cards_and_says_why_where_a_phone_shows_it(person, screens, size, locale, end):
    lin = person(size=size, locale=locale)
    lin.begins("shengji", 4)
    lin.plays_until("play")
    page = lin.page
    page.click(".panel.play .suggest")
    page.wait_for_selector(".panel.play .reason")
    text = page.inner_text(".panel.play .reason")
    assert text.strip().endswith(end), text
    assert page.locator(".hand .card[aria-pressed=true]").count() > 0
    box = page.locator(".panel.play .reason").bounding_box()
    assert box["width"] > 100
    assert 0 <= box["y"] < box["y"] + box["height"] <= size[1]
    page.screenshot(path=screens / f"hint-{'phone' if size == PHONE else 'desktop'}-{locale[:2]}.png")


def test_where_hints_are_off_the_suggestion_is_the_example_of_the_decision(person):
    lin = person()
    lin.begins("shengji", 4, hints="off")
    lin.plays_until("play")
    asked = []
    lin.page.on("request", lambda request: asked.append(request.url))
    lin.page.click(".panel.play .suggest")
    lin.page.wait_for_selector(".panel.play .reason")
    assert lin.page.locator(".hand .card[aria-pressed=true]").count() > 0
    said = "Hints are off at this table. This is only a legal choice, not advice."
    assert lin.page.inner_text(".panel.play .reason") == said
    assert not [url for url in asked if url.endswith("/hint")]


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en-GB", "The AI did not answer. This is only a legal choice, not advice."),
        ("zh-CN", "AI 没有回应。这只是符合规则的选择，并非建议。"),
    ],
)
def test_a_suggestion_without_an_answer_of_the_ai_claims_no_advice(person, locale, said):
    lin = person(locale=locale)
    lin.tolerated = ("ERR_FAILED", "status of 409")
    lin.begins("shengji", 4)
    lin.plays_until("play")
    lin.page.route("**/hint", lambda route: route.abort())
    lin.page.click(".panel.play .suggest")
    lin.page.wait_for_selector(".panel.play .reason")
    assert lin.page.inner_text(".panel.play .reason") == said
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


@pytest.mark.parametrize(
    ("size", "locale", "colours"), [(PHONE, "zh-CN", "dark"), (DESKTOP, "en-GB", "light")], ids=["phone", "desktop"]
)
def test_the_replay_of_a_finished_game_offers_what_the_ai_says_of_it(person, axe, screens, size, locale, colours):
    lin = person(size=size, locale=locale, colours=colours)
    # While trumps are made, the AI players may be faster than the page.
    lin.tolerated = ("status of 409",)
    table = lin.begins("sishifen", 4)
    lin.plays_until("play")
    lin.finishes(table)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page = lin.page
    # Of a game that is still played the AI says nothing, so nothing is offered.
    with page.expect_response(f"**/v1/games/{game}"):
        page.goto(f"{lin.url}/#/replay/{game}/1?at=0")
    page.wait_for_selector(".replay .panel .ask")
    page.wait_for_timeout(300)
    assert page.locator(".replay .suggest").count() == 0
    lin.api("POST", f"/tables/{table}/votes", {"kind": "end_early"})
    log = f"/tables/{table}/events?after=0&limit=500"
    while not any(event["type"] == "game_kept" for event in lin.api("GET", log)["events"]):
        page.wait_for_timeout(100)
    page.reload()
    page.click(".replay .suggest")
    page.wait_for_selector(".analysis .reason")
    assert page.inner_text(".analysis .reason").strip()[-1] in ".。"
    assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
    page.screenshot(path=screens / f"analysis-{'phone' if size == PHONE else 'desktop'}.png")
