"""Lessons, taken without a name, by keyboard alone and by touch alone."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.support.sorting import by_day
from tests.web.learner import ByKeyboard, ByTouch, Reader
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, Person, spoken, until

pytestmark = pytest.mark.browser

FIRST, LAST = 0, 7


def hurries(lin: Person) -> None:
    """Let the AI players of new tables move at once, sometimes before the page asks for legal plays."""
    lin.tolerated = ("status of 409",)
    lin.page.route(
        re.compile(r"/v1/tables$"),
        lambda route: route.continue_(post_data=json.dumps({**route.request.post_data_json, "ai_pace_ms": 0})),
    )


def titles(lin: Person) -> list[str]:
    lessons = lin.items("Lessons")
    lessons.first.wait_for()
    return [text.splitlines()[0].partition(". ")[2] for text in lessons.all_inner_texts()]


def begins(lin: Person, lesson: str) -> None:
    """Open a lesson without the list, and begin it."""
    hurries(lin)
    lin.goes_to(f"learn/{lesson}")
    lin.presses("Begin")


def plays(lin: Person, card: str) -> None:
    lin.chooses(spoken(card))
    lin.plays()


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
    lin.sees("Two decks, partners face each other.")
    reader = Reader(lin, hand(lin))
    reader.presses(page.get_by_role("link", name="Learn by playing"))
    names = titles(lin)
    assert len(names) == LAST + 1
    reader.takes(names[lesson])
    assert len(reader.lines) >= 2
    reader.presses(lin.part("region", "Coach").control("Lessons"))
    assert names == titles(lin)
    expect(lin.items("Lessons").nth(lesson)).to_contain_text("done")
    # A lesson is not among the finished games.
    until(page, "its record", lambda: lin.api("GET", "/me/games")["items"])
    lin.goes_to("games")
    lin.sees("No finished game yet")


def test_a_wrong_card_gets_a_kind_answer_and_a_lesson_goes_on_where_it_was_left(person, axe, picture):
    lin = person(name="", fresh=True)
    page = lin.page
    begins(lin, "points")
    lin.controls.wait_for()
    assert list(faults(page, axe, chinese=False)) == []
    held = lin.cards.count()
    plays(lin, "4H")
    lin.part("region", "Coach").sees("Allowed, but your partner is winning")
    # Nothing has been played, and nothing is chosen.
    assert lin.cards.count() == held
    expect(lin.chosen).to_have_count(0)
    plays(lin, "TS")
    lin.sees("Which card do you give?")
    # Opened from the list of tables, it is still a lesson.
    lin.goes_to()
    lin.items("My tables").get_by_role("link").click()
    lin.sees("Which card do you give?")
    lin.speaks("zh-CN")
    lin.sees("您出哪张？")
    assert list(faults(page, axe, chinese=True)) == []
    picture(page, "lesson.png")


def test_any_card_that_gets_the_point_of_a_step_is_accepted(person):
    lin = person(name="", fresh=True)
    begins(lin, "points")
    # The coach names a ten, and has just said that kings count as much.
    coach = lin.part("region", "Coach")
    coach.all("img", "Ten of spades").wait_for()
    plays(lin, "KS")
    coach.sees("Which card do you give?")
    coach.sees_no("Allowed, but")


def test_a_grey_card_says_why_and_a_long_press_says_what_a_sign_means(person, axe, picture):
    lin = person(name="", fresh=True)
    page = lin.page
    begins(lin, "following")
    lin.cards.filter(has_text="not playable now").first.wait_for()
    answer = lin.controls.get_by_role("status")
    for card, why in (
        ("2C", "Two of clubs cannot be played now: it is a trump, and clubs were led."),
        ("7H", "Seven of hearts cannot be played now: clubs were led, and you still have some."),
    ):
        lin.chooses(spoken(card))
        expect(answer).to_have_text(why)
    lin.chooses(spoken("8C"))
    expect(answer).to_have_count(0)
    crown = page.get_by_title("Declarer", exact=True).bounding_box()
    page.mouse.move(crown["x"] + 4, crown["y"] + 4)
    page.mouse.down()
    lin.sees("The declarer, who took the kitty")
    page.mouse.up()
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "about.png")
    page.keyboard.press("Escape")
    lin.sees_no("The declarer, who took the kitty")
