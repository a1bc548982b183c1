"""Cards are seen moving: into the hand, from the hand to the table, and with a trick to its winner."""

import json

import pytest
from playwright.sync_api import expect

from tests.web import pieces
from tests.web.person import until

pytestmark = pytest.mark.browser

#: Counts the animations of cards, by the part of the page.
NOTE = f"""
    const parts = {json.dumps({"hand": pieces.HAND, "played": pieces.PLAYED, "flying": pieces.FLYING})};
    window.moved = {{ hand: 0, played: 0, flying: 0 }};
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {{
        const where = Object.keys(parts).find((part) => this.closest(parts[part]));
        if (where) window.moved[where] += 1;
        return animate.apply(this, how);
    }};
"""


def play_two_tricks(lin) -> None:
    lin.context.add_init_script(NOTE)
    lin.tolerated = ("409", "422")  # somebody else may declare first
    lin.registers()
    table = lin.makes("sishifen", 4, options={"deal_pace": "timed"}, clock={"deal_interval_ms": 100})
    # The page is there before the first card is dealt.
    lin.opens(table)
    lin.is_waiting()
    lin.api("PUT", f"/tables/{table}/seats/me/ready", {})
    for _ in range(2):
        lin.plays_until("play")
        lin.answers()
    lin.plays_until("play")


def test_cards_move_to_where_they_go(person):
    lin = person(motion="no-preference", fresh=True)
    play_two_tricks(lin)
    moved = lin.page.evaluate("moved")
    assert moved["hand"] >= 9
    assert moved["played"] >= 7
    assert moved["flying"] >= 4
    expect(lin.page.locator(pieces.FLYING)).to_have_count(0)
    # A clock with much time left draws no frames.
    lin.all("timer").wait_for(state="attached")
    until(lin.page, "no animation", "document.getAnimations().length === 0")


def test_nothing_moves_with_reduced_motion(person):
    lin = person(fresh=True)
    play_two_tricks(lin)
    assert lin.page.evaluate("moved") == {"hand": 0, "played": 0, "flying": 0}


def test_ones_own_card_comes_from_its_place_in_the_hand(person):
    lin = person(motion="no-preference", fresh=True)
    lin.context.add_init_script(
        """window.starts = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, how) {
            if (this.closest("[data-seat='0']")) starts.push(frames[0]);
            return animate.call(this, frames, how);
        };"""
    )
    lin.begins("sishifen", 4)
    lin.asks_for_a_hint()
    hand = lin.chosen.first.bounding_box()
    lin.answers()
    until(lin.page, "a movement", "starts.length > 0")
    start = lin.page.evaluate("starts[0].transform")
    table = lin.seat("Lin").place.locator(pieces.PLAYED).bounding_box()
    # It starts below its place on the table, but no lower than the hand.
    down = float(start.split(", ")[1].split("px")[0])
    assert 0 < down <= hand["y"] + hand["height"] - table["y"]
