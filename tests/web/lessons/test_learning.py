"""Lessons, taken without a name, by keyboard alone and by touch alone."""

import json
import re

import pytest
from playwright.sync_api import Page

from tests.support.sorting import by_day
from tests.web.learner import ByKeyboard, ByTouch, Reader
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, Person, until

pytestmark = pytest.mark.browser

FIRST, LAST = 0, 7


def hurries(lin: Person) -> None:
    """Let the AI players of new tables move at once, sometimes before the page asks for legal plays."""
    lin.tolerated = ("status of 409",)
    lin.page.route(
        re.compile(r"/v1/tables$"),
        lambda route: route.continue_(post_data=json.dumps({**route.request.post_data_json, "ai_pace_ms": 0})),
    )


def titles(page: Page) -> list[str]:
    page.wait_for_selector(".learn ol a")
    return [title.partition(". ")[2] for title in page.locator(".learn ol b").all_inner_texts()]


@pytest.mark.parametrize(
    ("lesson", "hand"),
    by_day(
        [(FIRST, ByKeyboard), (LAST, ByTouch)],
        [(lesson, hand) for hand in (ByKeyboard, ByTouch) for lesson in range(FIRST, LAST + 1)],
    ),
    ids=lambda value: {ByKeyboard: "keyboard", ByTouch: "touch"}.get(value, value),
)
def test_a_learner_gets_through_a_lesson_by_what_the_page_says(person, lesson, hand):
    lin = person(name="", fresh=True, size=DESKTOP if hand is ByKeyboard else PHONE)
    page = lin.page
    hurries(lin)
    page.goto(lin.url)
    page.wait_for_selector(".games li")
    reader = Reader(lin, hand(lin))
    reader.presses(page.get_by_role("link", name="Learn by playing"))
    names = titles(page)
    assert len(names) == LAST + 1
    reader.takes(names[lesson])
    assert len(reader.lines) >= 2
    reader.presses(page.locator(".coach").get_by_role("link", name="Lessons"))
    assert names == titles(page)
    assert page.locator(".learn ol li").nth(lesson).locator(".badge").inner_text() == "done"
    # A lesson is not among the finished games.
    until(page, "its record", lambda: lin.api("GET", "/me/games")["items"])
    page.goto(f"{lin.url}/#/games")
    page.wait_for_selector("text=No finished game yet")


def test_a_wrong_card_gets_a_kind_answer_and_a_lesson_goes_on_where_it_was_left(person, axe, picture):
    lin = person(name="", fresh=True)
    page = lin.page
    hurries(lin)
    page.goto(f"{lin.url}/#/learn/points")
    page.click("text=Begin")
    page.wait_for_selector(".panel.play")
    assert list(faults(page, axe, chinese=False)) == []
    hand = page.locator(".hand .card")
    held = hand.count()
    other = page.locator(".hand .card[data-card='4H']")
    other.click(position={"x": 8, "y": 10})
    page.click(".panel .main")
    page.wait_for_selector(".coach.missed >> text=Allowed, but your partner is winning")
    # Nothing has been played, and nothing is chosen.
    assert hand.count() == held
    lin.comes_true("!document.querySelector('.hand [aria-pressed=true]')")
    table = lin.api("GET", "/me/tables")["items"][0]["table"]
    page.click(".hand .card[data-card='TS']", position={"x": 8, "y": 10})
    page.click(".panel .main")
    page.wait_for_selector(".coach >> text=Which card do you give?")
    # Opened from the list of tables, it is still a lesson.
    page.goto(f"{lin.url}/#/")
    page.click(f".my-tables a[href='#/table/{table}']")
    page.wait_for_selector(".coach >> text=Which card do you give?")
    lin.speaks("zh-CN")
    page.wait_for_selector(".coach >> text=您出哪张？")
    assert list(faults(page, axe, chinese=True)) == []
    picture(page, "lesson.png")


def test_any_card_that_gets_the_point_of_a_step_is_accepted(person):
    lin = person(name="", fresh=True)
    page = lin.page
    hurries(lin)
    page.goto(f"{lin.url}/#/learn/points")
    page.click("text=Begin")
    page.wait_for_selector(".panel.play")
    # The coach names a ten, and has just said that kings count as much.
    assert page.locator(".coach [role=img]").get_attribute("aria-label") == "Ten of spades"
    page.click(".hand .card[data-card='KS']", position={"x": 8, "y": 10})
    page.click(".panel .main")
    page.wait_for_selector(".coach >> text=Which card do you give?")
    assert page.locator(".coach.missed").count() == 0


def test_a_grey_card_says_why_and_a_long_press_says_what_a_sign_means(person, axe, picture):
    lin = person(name="", fresh=True)
    page = lin.page
    hurries(lin)
    page.goto(f"{lin.url}/#/learn/following")
    page.click("text=Begin")
    page.wait_for_selector(".hand .card.dimmed")
    for card, why in (
        ("2C", "Two of clubs cannot be played now: it is a trump, and clubs were led."),
        ("7H", "Seven of hearts cannot be played now: clubs were led, and you still have some."),
    ):
        page.click(f".hand .card[data-card='{card}']", position={"x": 8, "y": 10})
        lin.comes_true(f"document.querySelector('.panel .reason')?.innerText === {json.dumps(why)}")
    page.click(".hand .card[data-card='8C']", position={"x": 8, "y": 10})
    lin.comes_true("!document.querySelector('.panel .reason')")
    crown = page.locator(".role.declarer").bounding_box()
    page.mouse.move(crown["x"] + 4, crown["y"] + 4)
    page.mouse.down()
    page.wait_for_selector(".about >> text=The declarer, who took the kitty")
    page.mouse.up()
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "about.png")
    page.keyboard.press("Escape")
    lin.comes_true("!document.querySelector('.about')")
