"""A failed throw: the page says what was thrown, what is led instead, and what it costs."""

import pytest

from tests.web.beside import leads, only

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
    lin.page.wait_for_selector(".panel.play")
    page = lin.page
    thrown = lowest_of_a_side_suit(lin.api("GET", f"/tables/{table}"))
    page.focus(".hand .card")
    page.keyboard.press("Escape")
    for card in thrown:
        page.locator(f".hand .card[data-card='{card}']").first.click(position={"x": 9, "y": 9})
    page.click(".panel .buttons .main")
    page.wait_for_selector(".lead.failed")
    sets = page.locator(".lead.failed .cards")
    assert [sets.nth(at).locator(".card").count() for at in range(sets.count())] == [2, 1]
    assert "10" in page.inner_text(".lead.failed p >> nth=-1")
    assert page.locator(".seat.bottom .played .card").count() == 1
    for locale, words in (("en-GB", "does not hold"), ("zh-CN", "甩牌失败")):
        lin.speaks(locale)
        assert words in page.inner_text(".lead.failed")
        picture(page, f"throw-failed-{locale[:2]}.png")
