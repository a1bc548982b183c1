"""News is shown in the status, one's own turn in the title; decisions without a choice need no answer."""

import pytest
from playwright.sync_api import expect

from tests.web.beside import asks, holds, leads
from tests.web.looking import faults
from tests.web.person import PATIENCE, until

pytestmark = pytest.mark.browser

#: Events by their type, source and data, and how the sentence about them begins.
SAID = [
    ("redealt", "player", {"reason": "no_declaration", "seat": None}, "Nobody declared: the cards are dealt anew."),
    ("friend_joined", "player", {"seat": 1, "friend": True}, "Mei plays the called card, and is a friend"),
    ("trump_fixed", "server", {"declarer": 1, "how": "kitty"}, "Nobody declared. Mei is the declarer."),
    ("played", "timeout", {"seat": 1, "cards": ["TS", "BJ"]}, "Time was up: 10♠ BJ played for Mei."),
    ("played", "player", {"seat": 1, "cards": ["TS"]}, ""),
    ("seat_taken_over", "timeout", {"seat": 1}, "An AI plays for Mei now."),
]


def test_a_message_a_departure_and_ones_own_turn_are_shown(person, axe, picture):
    lin = person()
    lin.tolerated = ("status of 409",)  # the page asks for legal plays while the table plays on
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False)
    guests = lin.invites(table, 4)
    lin.beside.plays_on(table, asks("play", 1))
    lin.opens(table)
    page = lin.page
    page.get_by_text("Guest 1 to play").wait_for()
    assert page.title() == "Sheng Ji"
    guests[1].api("POST", "/chat", {"preset": "well_played"})
    page.get_by_role("region", name="Guest 2").get_by_text("Well played!").wait_for()
    guests[2].api("DELETE", "/seats/me")
    page.get_by_text("Guest 3 has left; an AI plays on.").wait_for()
    picture(page, "news.png")
    assert list(faults(page, axe, chinese=False)) == []
    lin.beside.plays_on(table, leads)
    until(page, "the title of one's turn", lambda: page.title() == "● Your turn – Sheng Ji")
    for kind, by, data, announcement in SAID:
        text = page.evaluate(
            """async (event) => {
              const { newsText } = await import("/app/live/news.js");
              const seats = [{}, { occupant: { name: "Mei" } }];
              return newsText({ event, before: { seats }, after: { seats } });
            }""",
            {"type": kind, "by": by, "data": data},
        )
        assert text.startswith(announcement)
        assert bool(text) == bool(announcement)


def test_a_play_without_a_choice_is_made_automatically_if_the_player_allows_it(person):
    lin = person(fresh=True)  # what the page does by itself is kept
    table = lin.begins("sishifen", 4, until=holds(1))
    page = lin.page
    lin.controls.wait_for()
    page.get_by_role("button", name="Menu").click()
    assert lin.hand.get_by_role("button", include_hidden=True).count() == 1
    page.get_by_label("Pass and play for me").check()
    page.keyboard.press("Escape")
    lin.result.or_(page.get_by_role("button", name="Result of the round")).wait_for()
    assert lin.api("GET", f"/tables/{table}")["round"]["result"]


def test_a_player_who_cannot_declare_is_not_asked_to_pass(person):
    lin = person(fresh=True)
    lin.tolerated = ("status of 409",)
    lin.registers()
    lin._stores({"obvious": True})
    # The rules allow a misdeal, but not with this hand.
    table = lin.makes("sishifen", 4, options={"misdeal": {"no_points": True}}, ai=False, seed="nothing to show 1")
    lin.invites(table, 4)
    lin.beside.plays_on(table, asks("declare"), shows=lambda _: False)
    assert lin.api("GET", f"/tables/{table}")["decision"]["hints"]["possible"] == []
    lin.opens(table)
    expect(lin.hand).to_be_visible()
    expect(lin.controls).to_have_count(0, timeout=PATIENCE)
    assert lin.api("GET", f"/tables/{table}")["round"]["passes"].count(0) == 1
