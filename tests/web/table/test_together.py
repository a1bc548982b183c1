"""Taking back a play, pausing, claiming, taking one's seat back from an AI player, and chat."""

import pytest

from tests.web.beside import asks
from tests.web.looking import faults
from tests.web.person import PATIENCE, two_at_a_table, until

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
    before = lin.page.locator(".hand .card").count()
    lin.answers()
    # A pair may have been led.
    lin.comes_true(f"document.querySelectorAll('.hand .card').length < {before}")
    lin.page.click("header button[aria-label='Menu']")
    lin.page.click("dialog.menu button >> text=Take back my last play")
    lin.page.keyboard.press("Escape")
    mei.page.wait_for_selector(".notices .vote >> text=Lin asks to take back a play")
    mei.page.click(".notices .vote .main")
    lin.comes_true(f"document.querySelectorAll('.hand .card').length === {before}")
    lin.page.wait_for_selector(".panel.play")


def test_a_game_is_paused_when_both_agree_and_goes_on_when_one_wants_to(person):
    lin, mei, _ = two_at_a_table(person, pause_limit_ms=600_000, ai_pace_ms=10_000)
    lin.page.click("header button[aria-label='Menu']")
    lin.page.click("dialog.menu button >> text=Propose a pause")
    lin.page.keyboard.press("Escape")
    mei.page.wait_for_selector(".notices .vote >> text=Pause the game?")
    mei.page.click(".notices .vote .main")
    lin.page.wait_for_selector(".notices .pause >> text=The game is paused, for 10 min at most.")
    lin.page.click(".notices .pause >> text=Go on playing")
    mei.page.wait_for_selector(".notices .pause", state="detached")


def test_a_wrong_claim_is_told_to_all_and_play_goes_on(person):
    lin, mei, table = two_at_a_table(person, claims=True)
    lin.tolerated = mei.tolerated = ("409",)  # pages ask for legal plays while the table plays on
    lin.beside.plays_on(table, lambda state: asks("play")(state) and state["round"]["trick"] is None)
    lin.is_asked(table)
    lin.page.click(".panel.play >> text=I win all the rest")
    mei.page.wait_for_selector(".notices .claim >> text=Lin claims all the rest, but others can still win a trick.")
    lin.page.wait_for_selector(".panel.play >> text=I win all the rest", state="detached")
    lin.answers()
    lin.page.wait_for_selector(".panel.play", state="detached")


def test_a_player_takes_the_seat_back_from_the_ai(person, axe):
    clock = {"play_ms": 5_000, "declare_ms": 3_000, "discard_ms": 5_000, "on_timeout": "ai_takeover"}
    # A slow AI player, or the round would be over before Lin is back.
    lin, mei, table = two_at_a_table(person, clock=clock, ai_pace_ms=1_000)
    lin.tolerated = mei.tolerated = ("409",)  # requests about a decision may come after its time-out
    # Lin stays away until an AI plays on; Mei plays.
    taken_over = lin.page.locator(".notices .vote >> text=An AI plays for you.")

    def plays():
        if not taken_over.count() and mei.page.locator(".panel :is(.suggest, .main:not(:disabled))").count():
            mei.answers()
        return taken_over.count()

    until(lin.page, "an AI that plays for Lin", plays, 3 * PATIENCE)
    assert list(faults(lin.page, axe, chinese=False)) == []
    lin.page.click(".notices .vote button >> text=Take my seat back from the AI")
    lin.page.wait_for_selector(".notices .vote >> text=An AI plays for you.", state="detached")
    assert not lin.api("GET", f"/tables/{table}")["seats"][0]["autopilot"]
    mei.leave()


def test_a_table_waits_for_its_people_and_says_so(person, axe, picture):
    clock = {"play_ms": 1_000, "declare_ms": 1_000, "discard_ms": 5_000, "grace_ms": 0}
    lin, mei, table = two_at_a_table(person, clock=clock)
    lin.tolerated = mei.tolerated = ("409",)  # requests about a decision may come after its time-out
    for each, notice in ((lin, "Everybody was away, so the table waits."), (mei, "Everybody was away")):
        each.page.wait_for_selector(f".notices .pause >> text={notice}", timeout=3 * PATIENCE)
        each.comes_true("document.querySelector('.strip .status').innerText === 'The game is paused'")
        assert list(faults(each.page, axe, chinese=False)) == []
    picture(lin.page, "waits-for-people.png")
    held = [seat["hand_count"] for seat in lin.api("GET", f"/tables/{table}")["seats"]]
    lin.speaks("zh-CN")
    lin.page.click(".notices .pause >> text=我回来了，继续")
    mei.page.wait_for_selector(".notices .pause", state="detached")
    assert [seat["hand_count"] for seat in lin.api("GET", f"/tables/{table}")["seats"]] == held


def test_those_who_wait_are_told_for_whom_and_that_the_connection_is_lost(person):
    lin, mei, table = two_at_a_table(person)
    lin.tolerated = mei.tolerated = ("409", "ERR_INTERNET_DISCONNECTED")
    lin.beside.plays_on(table, asks("play", 1))
    mei.loses_network()
    notice = "Waiting for Mei, whose connection is lost"
    lin.comes_true(f"document.querySelector('.strip .status').innerText === '{notice}'", patience=4 * PATIENCE)
    mei.context.set_offline(False)


def test_a_draft_is_kept_while_the_round_ends_and_messages_after_a_reload(person):
    lin = person()
    table = lin.begins("sishifen", 4)
    page = lin.page
    chat = "header button[aria-label^=Chat]"
    page.click(chat)
    page.click("dialog.chat button >> text=Good luck!")
    page.wait_for_selector("dialog.chat .messages b")
    page.keyboard.press("Escape")
    lin.plays_until("play")
    page.click(chat)
    page.fill("dialog.chat input", "Well, that was")
    lin.finishes(table)
    lin.comes_true("document.querySelector('.status').innerText === 'The round is over'")
    assert page.input_value("dialog.chat input") == "Well, that was"
    page.keyboard.press("Escape")
    page.click("text=Result of the round")
    page.wait_for_selector("dialog.summary")
    lin.is_still()  # a step back in the history must be over before the reload
    page.reload()
    page.wait_for_selector("dialog.summary")
    page.keyboard.press("Escape")
    page.click(chat)
    page.wait_for_selector("dialog.chat .messages >> text=Good luck!")


def test_a_play_among_ai_players_is_taken_back_and_this_is_offered_only_when_possible(person):
    lin = person()
    table = lin.begins("sishifen", 4, take_back=True)
    menu, offer = "header button[aria-label='Menu']", "dialog.menu button >> text=Take back my last play"
    lin.page.click(menu)
    lin.page.wait_for_selector("dialog.menu button >> text=Leave the table")
    assert lin.page.locator(offer).count() == 0
    lin.page.keyboard.press("Escape")
    lin.answers()
    # The AI players have moved, and it is Lin's turn again.
    lin.beside.plays_on(table, lambda state: asks("play")(state) and state["round"]["returnable"] >= 4)
    held = len(lin.api("GET", f"/tables/{table}")["my"]["hand"])
    lin.page.click(menu)
    lin.page.click(offer)
    lin.page.keyboard.press("Escape")
    lin.comes_true(f"document.querySelectorAll('.hand .card').length > {held}")
