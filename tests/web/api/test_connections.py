"""A game goes on whatever happens to the page: lost requests and answers, a second tab, a second person, sleep."""

import pytest

from harness.client import LAN
from tests.web.beside import asks, holds, leads
from tests.web.looking import faults
from tests.web.person import DESKTOP, PATIENCE, two_at_a_table, until

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
    lin.page.wait_for_selector(".panel.play .suggest")
    before = len(plays_of(lin, 0))
    lin.page.click(".panel.play .suggest")
    decision = lin.page.get_attribute(".panel", "data-decision")
    lin.context.set_offline(True)
    with lin.page.expect_event("requestfailed", lambda request: request.url.endswith("/play")):
        lin.page.click(".panel.play .main")
    lin.page.wait_for_selector(".offline")
    lin.context.set_offline(False)
    lin.page.wait_for_selector(".offline", state="detached")
    lin.page.wait_for_selector(f".panel[data-decision='{decision}']", state="detached")
    lin.plays_until("play")
    assert len(plays_of(lin, 0)) == before + 1


def test_a_play_whose_answer_is_lost_is_sent_again_and_played_once(person):
    lin = person()
    lin.table = lin.begins("sishifen", 4)
    lin.tolerated += ("ERR_FAILED", "ERR_CONNECTION")
    lin.plays_until("play")
    lin.page.wait_for_selector(".panel.play .suggest")
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
    assert not lin.page.locator(".refusal").count()


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
    page.wait_for_selector(".panel.play")
    [other] = lin.api("GET", f"/tables/{table}")["decision"]["hints"]["example"]

    def comes_late(route):
        """Another page of the same player is faster."""
        lin.beside.plays_on(table, asks("play", 1))
        route.continue_()

    page.route("**/play", comes_late)
    page.locator(f".hand .card:not([data-card='{other}'])").first.click(position={"x": 9, "y": 9})
    page.click(".panel.play .main:not(:disabled)")
    page.wait_for_selector(".refusal b")
    assert "409" not in page.inner_text(".refusal")
    page.unroute("**/play")
    lin.beside.plays_on(table, asks("play", 2))
    page.wait_for_selector(".seat:not(.bottom) .played .card")
    assert page.is_visible(".refusal b"), "taken away by a decision of somebody else"
    lin.beside.plays_on(table, asks("play"))
    page.wait_for_selector(".refusal", state="detached")
    lin.is_asked(table)
    assert lin.answers() == "play"


def test_a_request_whose_answer_breaks_off_is_sent_again_and_makes_one_table(person):
    lin = person(fresh=True)
    lin.registers()
    page = lin.page
    page.add_init_script(CUT)
    page.goto(f"{lin.url}/#/new?ruleset=sishifen")
    page.reload()
    page.click("form.create button[type=submit]")
    page.wait_for_selector(".invitation input")
    assert page.evaluate("made") == 2
    assert len(lin.api("GET", "/me/tables")["items"]) == 1


def test_two_tabs_of_one_player_show_the_same_and_do_not_fight(person):
    lin = person()
    lin.begins("sishifen", 4)
    other = lin.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(lin.page.url)
    lin.plays_until("play")
    other.wait_for_selector(".panel.play")
    decision = lin.page.get_attribute(".panel", "data-decision")
    assert other.get_attribute(".panel", "data-decision") == decision
    lin.answers()
    other.wait_for_selector(f".panel[data-decision='{decision}']", state="detached")
    lin.plays_until("play")
    hands = [page.locator(".hand .card").count() for page in (lin.page, other)]
    lin.comes_true(f"document.querySelectorAll('.hand .card').length === {hands[0]}", other)
    other.close()


def test_two_people_meet_by_the_invitation_and_play(person):
    lin, mei = person(), person(size=DESKTOP, name="Mei", locale="zh-CN", fresh=True)
    # Mei opens the table before she has a seat; and pages ask for legal plays while the others play on.
    lin.tolerated = mei.tolerated = ("403", "409")
    lin.registers()
    lin.page.goto(f"{lin.url}/#/new?ruleset=sishifen")
    lin.page.click("form.create button[type=submit]")
    link = lin.page.input_value(".invitation input")
    assert lin.page.locator(".invitation .qr path").count() == 1
    mei.page.goto(link)
    mei.page.fill("input[name=name]", "Mei")
    mei.page.click("form.name button")
    mei.page.wait_for_selector(".lobby-table")  # seated, by the code in the link
    lin.page.wait_for_selector(".lobby-table .name >> text=Mei")
    lin.page.click(".fill button")
    lin.comes_true("!document.querySelector('.lobby-table .free')")
    lin.page.click("text=I am ready")
    mei.page.click("button:text-is('准备')")
    for each in (lin, mei):
        each.page.wait_for_selector(".table.playing")
    lin.page.click("header button[aria-label^=Chat]")
    lin.page.click("dialog.chat button >> text=Good luck!")
    lin.page.keyboard.press("Escape")
    mei.page.click("header button[aria-label^=聊天]")
    mei.page.wait_for_selector("dialog.chat .messages >> text=祝好运！")
    mei.page.keyboard.press("Escape")
    table = lin.page.url.rpartition("/")[2].partition("?")[0]
    lin.beside.plays_on(table, holds(2))
    for each in (lin, mei):
        each.has_caught_up(table)
    finished = set()

    def both_finished():
        for each in (lin, mei):
            if each.page.query_selector("dialog.summary"):
                finished.add(each.name)
            elif each.page.query_selector(".panel"):
                each.answers()
        return len(finished) == 2

    until(lin.page, "both see the result of the round", both_finished)


def test_over_plain_http_a_table_is_made_and_its_link_is_copied(person):
    lin = person(fresh=True)
    lin.url = lin.url.replace("127.0.0.1", LAN)
    lin.registers()
    page = lin.page
    assert not page.evaluate("isSecureContext")
    page.goto(f"{lin.url}/#/new?ruleset=sishifen")
    page.click("form.create button[type=submit]")
    link = page.input_value(".invitation input")
    page.click(".invitation button >> text=Share the link")
    page.wait_for_selector(".invitation button >> text=Shared")
    page.goto(f"{lin.url}/#/lobby")
    page.focus("input[name=code]")
    page.keyboard.press("Control+V")
    pasted = page.input_value("input[name=code]")
    assert pasted
    assert link.startswith(pasted)  # the field limits the length
    lin.url = lin.url.replace(LAN, "127.0.0.1")  # only the browser knows the other name


def test_an_open_vote_asks_for_an_answer(person, axe):
    lin, mei, table = two_at_a_table(person)
    mei.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    lin.page.wait_for_selector(".notices .vote .main")
    assert list(faults(lin.page, axe, chinese=False)) == []
    lin.page.click(".notices .vote .main")
    lin.page.wait_for_selector(".notices .vote", state="detached")
    assert lin.api("GET", f"/tables/{table}")["status"] == "finished"
    # The page says so, and another game can be begun.
    lin.page.wait_for_selector(".ended >> text=The game is over")
    lin.page.click(".ended button >> text=Play again")
    mei.page.click(".ended button >> text=Play again")
    lin.page.wait_for_selector(".ended", state="detached")
    lin.page.wait_for_selector(".table.playing .hand .card")


def test_trumps_can_be_made_while_the_cards_are_dealt(person):
    lin = person()
    lin.begins("sishifen", 4, until=None, options={"deal_pace": "timed"}, clock={"deal_interval_ms": 100})
    lin.page.wait_for_selector(".table.playing .hand .card")
    lin.comes_true("document.querySelectorAll('.hand .card').length >= 12")
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
        each.page.click("nav.more a >> nth=0")
        each.page.fill("input[name=code]", code.lower())
        each.page.click("form.name button >> nth=-1")
        each.page.wait_for_selector(".lobby-table")
    assert [seat["occupant"] and seat["occupant"]["name"] for seat in lin.api("GET", f"/tables/{table}")["seats"]] == [
        "Lin", "Mei", None, None,
    ]  # fmt: skip
    for seat in (2, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {})
    for each in (lin, mei):
        each.api("PUT", f"/tables/{table}/seats/me/ready", {})
    ann.page.wait_for_selector(".table.playing")
    mei.page.wait_for_selector(".table.playing .hand .card")
    assert ann.page.locator(".hand").count() == 0


def test_an_absent_player_is_shown_as_away_and_a_page_that_slept_catches_up(person):
    lin, mei, table = two_at_a_table(person)
    mei.page.goto(f"{lin.url}/#/")
    away = ".seat[data-seat='1'] .presence[title=Away]"
    lin.page.wait_for_selector(away, timeout=3 * PATIENCE)  # who is back within 15 s is not shown as away
    mei.opens(table)
    lin.page.wait_for_selector(away, state="detached")
    # A closed notebook: the page is frozen while Lin chats and opens a vote.
    sleep = mei.context.new_cdp_session(mei.page)
    sleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    lin.api("POST", f"/tables/{table}/chat", {"preset": "good_luck"})
    lin.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    lin.page.wait_for_selector(".notices .vote")
    sleep.send("Page.setWebLifecycleState", {"state": "active"})
    mei.page.wait_for_selector("header button.unread")
    mei.page.click(".notices .vote .main")
    for each in (lin, mei):
        each.page.wait_for_selector(".ended")
