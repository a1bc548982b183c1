"""A spectator with open hands sees all cards of a round once it is over, and none before."""

import pytest

from tests.web.beside import holds, is_asked_to_play, is_scored

pytestmark = pytest.mark.browser


def test_a_spectator_sees_all_hands_once_the_round_is_over(person, picture):
    lin, ann = person(), person(name="Ann")
    for each in (lin, ann):
        each.registers()
    lin.page.goto(f"{lin.url}/#/new?ruleset=sishifen")
    lin.page.get_by_label("Listed for everybody").check()
    lin.page.get_by_label("all hands open").check()
    lin.page.click("form.create button[type=submit]")
    lin.page.wait_for_selector(".lobby-table .hint >> text=Being ready, you agree")
    settings = lin.api("GET", f"/tables/{lin.page.url.rpartition('/')[2]}")["settings"]
    assert (settings["spectators"], settings["spectator_delay_ms"]) == ("open", 600_000)

    table = lin.makes("sishifen", 4, visibility="public", spectators="open", spectator_delay_ms=0)
    ann.opens(table)
    lin.beside.is_ready(table, lin.account["player"])
    lin.beside.plays_on(table, is_asked_to_play)
    ann.page.wait_for_selector(".lobby-table .hint >> text=once it is over")
    lin.beside.plays_on(table, is_scored)
    ann.page.wait_for_selector("dialog.summary")
    lin.beside.is_ready(table, lin.account["player"])
    state = lin.beside.plays_on(table, holds(9))
    ann.page.wait_for_selector(".open-hands >> text=once it is over", state="attached")
    assert ann.page.locator(".open-hands .card").count() == 0
    # The end of a game in the middle of a round shows what everybody held.
    lin.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    ann.page.wait_for_selector(".ended")
    picture(ann.page, "open-hands.png")
    values = [ann.page.locator(f".open-hands [data-hand='{hand}'] .card").count() for hand in (0, 1, 2, 3, "kitty")]
    assert values == [*map(sum, state["round"]["hands"]), 6]
    assert ann.page.locator(".hand").count() == 0
