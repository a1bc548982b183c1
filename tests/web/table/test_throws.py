"""A failed throw: the page says what was thrown, what is led instead, and what it costs."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import leads, only
from tests.web.person import spoken

pytestmark = pytest.mark.browser

#: With this deal, seat 0 makes trumps and leads first.
DEAL = "monday, the cards of"


def lowest_of_a_side_suit(view):
    """Return the two lowest cards of the longest side suit: somebody holds a higher one."""
    trump = view["round"]["trump"]
    sides = {}
    for card in view["my"]["hand"]:
        if card not in ("LJ", "BJ") and card[0] != trump["rank"] and card[1] != trump["suit"]:
            sides.setdefault(card[1], set()).add(card)
    longest = max(sides.values(), key=len)
    return sorted(longest, key=lambda card: "3456789TJQKA".index(card[0]))[:2]


def test_a_failed_throw_is_explained(person, picture):
    lin = person()
    lin.tolerated = ("status of 409",)  # pages ask for legal plays while the table plays on
    lin.registers()
    options = {"declarer_by": "trump_maker", "throw_penalty": "flat"}
    table = lin.makes("finding_friends", 4, ai=False, options=options, seed=DEAL)
    lin.invites(table, 4)  # AI players would play on at once
    lin.beside.plays_on(table, leads, shows=only(0))
    lin.opens(table)
    lin.controls.wait_for()
    page = lin.page
    thrown = lowest_of_a_side_suit(lin.api("GET", f"/tables/{table}"))
    lin.hand.get_by_role("button").first.focus()
    page.keyboard.press("Escape")
    lin.chooses(*map(spoken, thrown))
    lin.plays()
    # Of the two cards, one is led; it lies before Lin.
    led = page.get_by_role("region", name=re.compile("^Lin")).get_by_role("img", name=re.compile(" of "))
    expect(led).to_have_count(1)
    one, other = map(spoken, thrown)
    expect(page.get_by_role("img", name=re.compile(f"^({one}, {other}|{other}, {one})$"))).to_be_visible()
    expect(page.get_by_text("Penalty: 10 points")).to_be_visible()
    for locale, words in (("en-GB", "does not hold"), ("zh-CN", "甩牌失败")):
        lin.speaks(locale)
        expect(page.get_by_text(words)).to_be_visible()
        picture(page, f"throw-failed-{locale[:2]}.png")
