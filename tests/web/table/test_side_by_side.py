"""What happens at once at a table does not stand in each other's way: chat, results, tricks and the focus."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import follows, holds, is_scored
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser

#: Whether two elements have a point in common.
OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_what_a_player_says_does_not_cover_who_says_it(person, picture, size):
    lin = person(size=size)
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False)
    guests = lin.invites(table, 4)
    lin.opens(table)
    page = lin.page
    for each in guests:
        each.api("POST", "/chat", {"text": "A long sentence about nothing in particular"})
    lin.api("POST", f"/tables/{table}/chat", {"preset": "hello"})
    seats = page.get_by_role("main").get_by_role("region")
    for name, said in (("Lin", "Hello!"), *((f"Guest {at}", "A long sentence") for at in (1, 2, 3))):
        seat = seats.filter(has_text=name).filter(has_text=said)
        words, who = seat.get_by_text(said), seat.get_by_text(name, exact=True)
        expect(words).to_be_visible()
        assert not page.evaluate(OVERLAP, [words.element_handle(), who.element_handle()]), name
        box = words.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0], "within the window"
    picture(page, f"said-{'phone' if size == PHONE else 'desktop'}.png")


def test_the_chat_beside_the_table_is_in_use_while_a_result_is_shown(person, picture):
    lin = person(size=DESKTOP)
    lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    result = page.get_by_role("dialog", name="Round 1")
    expect(result).to_be_visible()
    page.get_by_role("button", name="Well played!").click()
    expect(page.get_by_label("Messages").get_by_text("Well played!")).to_be_visible()
    expect(result).to_be_visible()
    picture(page, "result-beside-chat.png")
    result.get_by_role("button", name="Close").press("Escape")
    expect(result).to_have_count(0)
    page.get_by_role("button", name="Result of the round").click()
    page.go_back()
    expect(result).to_have_count(0)
    expect(page.get_by_role("main")).to_be_visible()


def test_the_last_trick_is_shown_once_beside_a_wide_table(person):
    lin = person(size=DESKTOP)
    # Nobody plays for a while after the first trick, so that Lin sees the table wait for others.
    table = lin.begins("sishifen", 4, ai_pace_ms=10_000, until=None)
    lin.beside.plays_on(
        table,
        lambda state: bool(state["round"]["last_trick"]) and 0 not in (state["decision"] or {"seats": [0]})["seats"],
        hurries=True,
    )
    lin.has_caught_up(table)
    expect(lin.page.get_by_text("Last trick", exact=True)).to_have_count(1)
    lin.has_window(PHONE)
    expect(lin.page.get_by_text("Last trick", exact=True)).to_have_count(1)
    # Four plays of four cards would fit, too.
    plays = lin.page.get_by_role("listitem").filter(has=lin.page.get_by_role("img"))
    assert plays.count() == 4
    for each in plays.all():
        each.get_by_role("img").evaluate(
            """(cards) => {
              for (let at = 1; at < 4; at++) cards.append(cards.firstElementChild.cloneNode(true));
              cards.style.setProperty("--count", 4);
            }"""
        )
    right = [each.get_by_role("img").evaluate("(cards) => cards.getBoundingClientRect().right") for each in plays.all()]
    assert max(right) <= PHONE[0]


def test_the_focus_stays_at_the_hand_after_a_hint_and_after_a_play(person):
    lin = person(size=DESKTOP)
    table = lin.begins("shengji", 4, hints="on", until=holds(12))
    page = lin.page
    hand = lin.hand
    hand.get_by_role("button").first.focus()
    # One key asks for a hint from there.
    page.keyboard.press("h")
    expect(hand.locator("[aria-pressed=true]")).not_to_have_count(0)
    expect(hand.locator(":focus")).to_have_count(1)
    page.keyboard.press("Enter")
    lin.beside.plays_on(table, follows)
    lin.has_caught_up(table)
    expect(hand.locator(":focus")).to_have_count(1)
    # By the buttons, too.
    suggest = page.get_by_role("button", name="Suggest")
    suggest.focus()
    page.keyboard.press("Enter")
    expect(hand.locator("[aria-pressed=true]")).not_to_have_count(0)
    expect(suggest).to_be_focused()
    lin.controls.get_by_role("button", name=re.compile("^Play")).press("Enter")
    lin.beside.plays_on(table, holds(9))
    lin.has_caught_up(table)
    expect(hand.locator(":focus")).to_have_count(1)
