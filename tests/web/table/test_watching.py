"""A spectator with open hands sees all cards of a round once it is over, and none before."""

import re

import pytest

from tests.web.beside import holds, is_asked_to_play, is_scored

pytestmark = pytest.mark.browser


def test_a_spectator_sees_all_hands_once_the_round_is_over(person, picture):
    lin, ann = person(), person(name="Ann")
    for each in (lin, ann):
        each.registers()
    lin.goes_to("new?ruleset=sishifen")
    lin.field("Listed for everybody").check()
    lin.field(re.compile("all hands open")).check()
    lin.presses("Make the table")
    lin.sees("Being ready, you agree")
    settings = lin.api("GET", f"/tables/{lin.page.url.rpartition('/')[2]}")["settings"]
    assert (settings["spectators"], settings["spectator_delay_ms"]) == ("open", 600_000)

    table = lin.makes("sishifen", 4, visibility="public", spectators="open", spectator_delay_ms=0)
    ann.opens(table)
    lin.beside.is_ready(table, lin.account["player"])
    lin.beside.plays_on(table, is_asked_to_play)
    ann.sees("once it is over")
    lin.beside.plays_on(table, is_scored)
    ann.result.wait_for()
    lin.beside.is_ready(table, lin.account["player"])
    state = lin.beside.plays_on(table, holds(9))
    ann.page.get_by_text("A round is shown once it is over").wait_for(state="attached")
    hands = ann.part("region", "All hands")
    hands.is_gone()
    # The end of a game in the middle of a round shows what everybody held.
    lin.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    ann.sees("The game is over")
    picture(ann.page, "open-hands.png")
    drawn = hands.all("img").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    assert [len(names.split(", ")) for names in drawn] == [*map(sum, state["round"]["hands"]), 6]
    assert ann.hand.count() == 0
