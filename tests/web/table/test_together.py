"""Taking back a play, pausing, claiming, taking one's seat back from an AI player, and chat."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import asks
from tests.web.looking import faults
from tests.web.person import CHAT, PATIENCE, two_at_a_table, until

pytestmark = pytest.mark.browser


def mei_is_next(state):
    """Tell whether Lin has to play, and Mei after her."""
    trick = state["round"]["trick"]
    return asks("play")(state) and (trick is None or 1 not in [play["seat"] for play in trick["plays"]])


def test_a_play_is_taken_back_when_the_others_agree(person):
    lin, mei, table = two_at_a_table(person, take_back=True)
    lin.tolerated = mei.tolerated = ("409",)  # pages ask for legal plays while the table plays on
    lin.beside.plays_on(table, mei_is_next)
    lin.is_asked(table)
    before = lin.cards.count()
    lin.answers()
    # A pair may have been led.
    until(lin.page, "a smaller hand", lambda: lin.cards.count() < before)
    lin.presses("Menu")
    lin.presses("Take back my last play")
    lin.page.keyboard.press("Escape")
    mei.sees("Lin asks to take back a play")
    mei.presses("Yes")
    expect(lin.cards).to_have_count(before)
    assert lin.decision_kind() == "play"


def test_a_game_is_paused_when_both_agree_and_goes_on_when_one_wants_to(person):
    lin, mei, _ = two_at_a_table(person, pause_limit_ms=600_000, ai_pace_ms=10_000)
    lin.presses("Menu")
    lin.presses("Propose a pause")
    lin.page.keyboard.press("Escape")
    mei.sees("Pause the game?")
    mei.presses("Yes")
    lin.sees("The game is paused, for 10 min at most.")
    lin.presses("Go on playing")
    mei.sees_no("The game is paused")


def test_a_wrong_claim_is_told_to_all_and_play_goes_on(person):
    lin, mei, table = two_at_a_table(person, claims=True)
    lin.tolerated = mei.tolerated = ("409",)  # pages ask for legal plays while the table plays on
    lin.beside.plays_on(table, lambda state: asks("play")(state) and state["round"]["trick"] is None)
    lin.is_asked(table)
    lin.presses("I win all the rest")
    mei.sees("Lin claims all the rest, but others can still win a trick.")
    expect(lin.control("I win all the rest")).to_have_count(0)
    asked = lin.decision
    lin.answers()
    expect(lin.asked(asked)).to_have_count(0)


def test_a_player_takes_the_seat_back_from_the_ai(person, axe):
    clock = {"play_ms": 5_000, "declare_ms": 3_000, "discard_ms": 5_000, "on_timeout": "ai_takeover"}
    # A slow AI player, or the round would be over before Lin is back.
    # Requests about a decision may come after its time-out.
    lin, mei, table = two_at_a_table(person, tolerates=("409",), clock=clock, ai_pace_ms=1_000)
    # Lin stays away until an AI plays on; Mei plays.
    taken_over = lin.text("An AI plays for you.")

    def plays():
        if not taken_over.count() and mei.controls.get_by_role("button", disabled=False).count():
            mei.answers()
        return taken_over.count()

    until(lin.page, "an AI that plays for Lin", plays, 3 * PATIENCE)
    assert list(faults(lin.page, axe, chinese=False)) == []
    lin.presses("Take my seat back from the AI")
    expect(taken_over).to_have_count(0)
    assert not lin.api("GET", f"/tables/{table}")["seats"][0]["autopilot"]
    mei.leave()


def test_a_table_waits_for_its_people_and_says_so(person, axe, picture):
    clock = {"play_ms": 1_000, "declare_ms": 1_000, "discard_ms": 5_000, "grace_ms": 0}
    # Requests about a decision may come after its time-out.
    lin, mei, table = two_at_a_table(person, tolerates=("409",), clock=clock)
    for each, notice in ((lin, "Everybody was away, so the table waits."), (mei, "Everybody was away")):
        expect(each.text(notice)).to_be_visible(timeout=3 * PATIENCE)
        each.all("status").filter(has_text="The game is paused").wait_for()
        assert list(faults(each.page, axe, chinese=False)) == []
    picture(lin.page, "waits-for-people.png")
    held = [seat["hand_count"] for seat in lin.api("GET", f"/tables/{table}")["seats"]]
    lin.speaks("zh-CN")
    lin.presses("我回来了，继续")
    mei.sees_no("The game is paused")
    assert [seat["hand_count"] for seat in lin.api("GET", f"/tables/{table}")["seats"]] == held


def test_those_who_wait_are_told_for_whom_and_that_the_connection_is_lost(person):
    lin, mei, table = two_at_a_table(person)
    lin.tolerated = mei.tolerated = ("409", "ERR_INTERNET_DISCONNECTED")
    lin.beside.plays_on(table, asks("play", 1))
    mei.loses_network()
    notice = lin.all("status").filter(has_text=re.compile(r"Mei is away: a move is made for them at \d"))
    expect(notice).to_be_visible(timeout=4 * PATIENCE)
    mei.context.set_offline(False)


def test_a_draft_is_kept_while_the_round_ends_and_messages_after_a_reload(person):
    lin = person()
    table = lin.begins("sishifen", 4)
    page = lin.page
    messages = lin.part("list", "Messages")
    lin.presses(CHAT)
    lin.presses("Good luck!")
    messages.sees("Lin")
    page.keyboard.press("Escape")
    lin.plays_until("play")
    lin.presses(CHAT)
    lin.fills("Message", "Well, that was")
    lin.finishes(table)
    lin.all("status").filter(has_text="The round is over").wait_for()
    expect(lin.field("Message")).to_have_value("Well, that was")
    page.keyboard.press("Escape")
    lin.presses("Result of the round")
    lin.result.wait_for()
    lin.is_still()  # a step back in the history must be over before the reload
    page.reload()
    lin.result.wait_for()
    page.keyboard.press("Escape")
    lin.presses(CHAT)
    messages.sees("Good luck!")


def test_a_play_among_ai_players_is_taken_back_and_this_is_offered_only_when_possible(person):
    lin = person()
    table = lin.begins("sishifen", 4, take_back=True)
    offer = "Take back my last play"
    lin.presses("Menu")
    lin.control("Leave the table").wait_for()
    assert lin.control(offer).count() == 0
    lin.page.keyboard.press("Escape")
    lin.answers()
    # The AI players have moved, and it is Lin's turn again.
    lin.beside.plays_on(table, lambda state: asks("play")(state) and state["round"]["returnable"] >= 4)
    held = len(lin.api("GET", f"/tables/{table}")["my"]["hand"])
    lin.presses("Menu")
    lin.presses(offer)
    lin.page.keyboard.press("Escape")
    until(lin.page, "a larger hand", lambda: lin.cards.count() > held)
