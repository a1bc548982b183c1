"""News is shown in the status, one's own turn in the title; decisions without a choice need no answer."""

import pytest

from tests.web.beside import asks, holds, leads
from tests.web.looking import faults
from tests.web.person import until

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
    page.wait_for_selector(".waits")
    assert page.title() == "Sheng Ji"
    guests[1].api("POST", "/chat", {"preset": "well_played"})
    page.wait_for_selector(".seat[data-seat='2'] .said >> text=Well played!")
    guests[2].api("DELETE", "/seats/me")
    page.wait_for_selector(".strip.news .status >> text=has left; an AI plays on.")
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
    page.wait_for_selector(".panel.play")
    page.click("header button >> nth=-1")
    assert page.locator(".hand .card").count() == 1
    page.get_by_label("Pass and play for me").check()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.summary, .reopen")
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
    lin.sees("!document.querySelector('.panel.declare') && document.querySelector('.table.playing')")
    assert lin.api("GET", f"/tables/{table}")["round"]["passes"].count(0) == 1
