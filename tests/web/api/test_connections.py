"""A game goes on whatever happens to the page: lost requests and answers, a second tab, a second person, sleep."""

import re

import pytest
from playwright.sync_api import expect

from harness.client import LAN
from tests.web.beside import asks, holds, leads
from tests.web.looking import faults
from tests.web.person import CHAT, DESKTOP, PATIENCE, spoken, two_at_a_table, until
from tests.web.sight import Sight

pytestmark = pytest.mark.browser


def plays_of(table, seat):
    """Return the cards of each play of a seat, from the log."""
    events = table.api("GET", f"/tables/{table.table}/events?after=0&limit=500")["events"]
    return [event["data"]["cards"] for event in events if event["type"] == "played" and event["data"]["seat"] == seat]


def test_a_play_made_without_a_network_arrives_once(person):
    lin = person()
    lin.table = lin.begins("sishifen", 4)
    lin.tolerated += ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    lin.plays_until("play")
    before = len(plays_of(lin, 0))
    lin.asks_for_a_hint()
    decision = lin.decision
    lin.context.set_offline(True)
    with lin.page.expect_event("requestfailed", lambda request: request.url.endswith("/play")):
        lin.plays()
    lin.sees("No connection")
    lin.context.set_offline(False)
    lin.sees_no("No connection", "Connecting")
    expect(lin.asked(decision)).to_have_count(0)
    lin.plays_until("play")
    assert len(plays_of(lin, 0)) == before + 1


def test_a_play_whose_answer_is_lost_is_sent_again_and_played_once(person):
    lin = person()
    lin.table = lin.begins("sishifen", 4)
    lin.tolerated += ("ERR_FAILED", "ERR_CONNECTION")
    lin.plays_until("play")
    lost = []

    def lose(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)  # the play arrives, but its answer is lost
        return route.abort()

    before = len(plays_of(lin, 0))
    lin.page.route("**/play", lose)
    lin.answers()
    lin.plays_until("play")
    # The event of the play may come before the answer is here to be lost.
    until(lin.page, "the answer is lost", lambda: lost == [200])
    assert len(plays_of(lin, 0)) == before + 1


def test_the_next_decision_can_be_answered_before_the_last_response_arrives(person):
    lin = person()
    lin.table = lin.begins("sishifen", 4)
    lin.plays_until("play")
    late = []

    def delay(route):
        if late:
            return route.continue_()
        return late.append((route, route.fetch()))  # the play arrives, and its events come before the answer

    before = len(plays_of(lin, 0))
    lin.page.route("**/play", delay)
    lin.answers()
    lin.plays_until("play")
    lin.answers()
    assert len(plays_of(lin, 0)) == before + 2
    held, answer = late[0]
    held.fulfill(response=answer)
    lin.plays_until("play")
    lin.answers()
    lin.plays_until("play")
    assert len(plays_of(lin, 0)) == before + 3
    assert not lin.all("alert").count()


#: Breaks off the body of the first answer to `POST /v1/tables`, and counts the requests.
CUT = """
const whole = window.fetch;
window.made = 0;
window.fetch = async (url, how) => {
  const answer = await whole(url, how);
  if (how?.method !== "POST" || !String(url).endsWith("/v1/tables") || window.made++) return answer;
  const broken = new ReadableStream({ start: (body) => body.error(new TypeError("cut")) });
  return new Response(broken, { status: answer.status });
};
"""


def test_a_play_at_a_table_that_has_moved_on_is_refused_in_a_sentence_and_the_game_goes_on(person):
    lin = person()
    lin.tolerated = ("409",)
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False, seed="a lead with a choice")
    lin.invites(table, 4)
    lin.beside.plays_on(table, leads)
    lin.opens(table)
    page = lin.page
    lin.is_asked(table)
    [other] = lin.api("GET", f"/tables/{table}")["decision"]["hints"]["example"]

    def comes_late(route):
        """Another page of the same player is faster."""
        lin.beside.plays_on(table, asks("play", 1))
        route.continue_()

    page.route("**/play", comes_late)
    lin.cards.filter(has_not_text=spoken(other)).first.click(position={"x": 9, "y": 9})
    lin.plays()
    refusal = lin.part("alert").is_there()
    assert "409" not in refusal.read()
    page.unroute("**/play")
    lin.beside.plays_on(table, asks("play", 2))
    lin.seat("Guest 1").all("img").wait_for()
    assert refusal.place.is_visible(), "taken away by a decision of somebody else"
    lin.beside.plays_on(table, asks("play"))
    refusal.is_gone()
    lin.is_asked(table)
    assert lin.answers() == "play"


def test_a_request_whose_answer_breaks_off_is_sent_again_and_makes_one_table(person):
    lin = person(fresh=True)
    lin.registers()
    page = lin.page
    page.add_init_script(CUT)
    lin.goes_to("new?ruleset=sishifen")
    page.reload()
    lin.presses("Make the table")
    lin.field("Invitation link").wait_for()
    assert page.evaluate("made") == 2
    assert len(lin.api("GET", "/me/tables")["items"]) == 1


def test_two_tabs_of_one_player_show_the_same_and_do_not_fight(person):
    lin = person()
    lin.begins("sishifen", 4)
    other = lin.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(lin.page.url)
    lin.plays_until("play")
    decision = lin.decision
    same = other.locator(f"[data-decision='{decision}']")
    same.wait_for()
    lin.answers()
    expect(same).to_have_count(0)
    lin.plays_until("play")
    expect(Sight(other).part("group", re.compile("^Your hand")).all("button")).to_have_count(lin.cards.count())
    other.close()


def test_two_people_meet_by_the_invitation_and_play(person):
    lin, mei = person(), person(size=DESKTOP, name="Mei", locale="zh-CN", fresh=True)
    # Mei opens the table before she has a seat; and pages ask for legal plays while the others play on.
    lin.tolerated = mei.tolerated = ("403", "409")
    lin.registers()
    lin.goes_to("new?ruleset=sishifen")
    lin.presses("Make the table")
    link = lin.field("Invitation link").input_value()
    lin.all("img", "QR code of the invitation").wait_for()
    mei.page.goto(link)
    mei.takes_name("Mei")
    mei.is_waiting()  # seated, by the code in the link
    lin.part("list", "Seats").sees("Mei")
    lin.part("group", "Fill with AI players:").presses("Easy")
    lin.part("list", "Seats").sees_no("Free seat")
    lin.presses("I am ready")
    mei.presses("准备")
    for each in (lin, mei):
        each.is_playing()
    lin.presses("Chat")
    lin.presses("Good luck!")
    lin.page.keyboard.press("Escape")
    mei.presses(CHAT)
    mei.dialog("聊天").sees("祝好运！")
    mei.page.keyboard.press("Escape")
    table = lin.page.url.rpartition("/")[2].partition("?")[0]
    lin.beside.plays_on(table, holds(2))
    for each in (lin, mei):
        each.has_caught_up(table)
    finished = set()

    def both_finished():
        for each in (lin, mei):
            if each.result.count():
                finished.add(each.name)
            elif each.controls.count():
                each.answers()
        return len(finished) == 2

    until(lin.page, "both see the result of the round", both_finished)


def test_over_plain_http_a_table_is_made_and_its_link_is_copied(person):
    lin = person(fresh=True)
    lin.url = lin.url.replace("127.0.0.1", LAN)
    lin.registers()
    page = lin.page
    assert not page.evaluate("isSecureContext")
    lin.goes_to("new?ruleset=sishifen")
    lin.presses("Make the table")
    link = lin.field("Invitation link").input_value()
    lin.presses("Share the link")
    lin.control("Shared").wait_for()
    lin.goes_to("lobby")
    code = lin.field("I have a code")
    code.focus()
    page.keyboard.press("Control+V")
    pasted = code.input_value()
    assert pasted
    assert link.startswith(pasted)  # the field limits the length
    lin.url = lin.url.replace(LAN, "127.0.0.1")  # only the browser knows the other name


def test_an_open_vote_asks_for_an_answer(person, axe):
    lin, mei, table = two_at_a_table(person)
    mei.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    lin.sees("Vote: End the game?")
    assert list(faults(lin.page, axe, chinese=False)) == []
    lin.presses("Yes")
    lin.sees_no("Vote:")
    assert lin.api("GET", f"/tables/{table}")["status"] == "finished"
    # The page says so, and another game can be begun.
    lin.sees("The game is over")
    lin.presses("Play again")
    mei.presses("Play again")
    lin.sees_no("The game is over")
    lin.cards.first.wait_for()


def test_trumps_can_be_made_while_the_cards_are_dealt(person):
    lin = person()
    lin.begins("sishifen", 4, until=None, options={"deal_pace": "timed"}, clock={"deal_interval_ms": 100})
    until(lin.page, "the whole hand", lambda: lin.cards.count() >= 12)
    lin.tolerated = ("409", "422")  # somebody else was faster
    lin.plays_until("play")


def test_a_code_brings_people_to_the_table_and_spectators_see_no_hand(person):
    lin, mei, ann = person(), person(name="Mei"), person(name="Ann")
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False, spectators="delayed", spectator_delay_ms=0)
    view = lin.api("GET", f"/tables/{table}")
    for each, code in ((mei, view["join_code"]), (ann, view["watch_code"])):
        each.tolerated = ("403",)
        each.registers()
        each.presses("Open tables")
        each.fills("I have a code", code.lower())
        each.presses("Open the table")
        each.is_waiting()
    assert [seat["occupant"] and seat["occupant"]["name"] for seat in lin.api("GET", f"/tables/{table}")["seats"]] == [
        "Lin", "Mei", None, None,
    ]  # fmt: skip
    for seat in (2, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {})
    for each in (lin, mei):
        each.api("PUT", f"/tables/{table}/seats/me/ready", {})
    ann.is_playing()
    mei.cards.first.wait_for()
    assert ann.hand.count() == 0


def test_an_absent_player_is_shown_as_away_and_a_page_that_slept_catches_up(person):
    lin, mei, table = two_at_a_table(person)
    mei.goes_to()
    away = lin.seat("Mei").place.get_by_title("Away")
    away.wait_for(timeout=3 * PATIENCE)  # who is back within 15 s is not shown as away
    mei.opens(table)
    expect(away).to_have_count(0)
    # A closed notebook: the page is frozen while Lin chats and opens a vote.
    sleep = mei.context.new_cdp_session(mei.page)
    sleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    lin.api("POST", f"/tables/{table}/chat", {"preset": "good_luck"})
    lin.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    lin.sees("Vote: End the game?")
    sleep.send("Page.setWebLifecycleState", {"state": "active"})
    mei.control("Chat, with new messages").wait_for()
    mei.presses("Yes")
    for each in (lin, mei):
        each.sees("The game is over")
