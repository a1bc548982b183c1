"""Who lost the connection is shown at the seat, with what will happen and when; the service then does what was said."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from harness.driver import Driver
from service.game.views.view import view
from tests.web.beside import asks
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, Guest, Person

pytestmark = pytest.mark.browser

TEXTS = """async ([view, seat]) => {
  const { awayNote, awayText, isAway } = await import("/app/seats/away.js");
  const place = view.seats[seat];
  return isAway(view, place) ? [awayText(view, place), awayNote(view, place)] : null;
}"""

#: What the page says of the player who is asked -> the type of the event that then follows the time-out.
DONE = {
    r"a move is made for them at \d": "played",
    r"an AI plays at \d": "seat_taken_over",
    r"from .+ the table waits for them": "nothing",
}
#: Clock, decisions missed before, and what the page says.
CASES = [
    ({"on_timeout": "auto_play"}, 0, r"a move is made for them at \d"),
    ({"on_timeout": "auto_play"}, 2, r"an AI plays at \d"),
    ({"on_timeout": "ai_takeover"}, 0, r"an AI plays at \d"),
    ({"on_timeout": "pause"}, 0, r"from .+ the table waits for them"),
]


def tells(person: Any, driver: Driver, seat: int, viewer: int | str = 0) -> list[str] | None:
    """What the page tells a viewer of a seat."""
    lin = person()
    lin.goes_to()
    said: list[str] | None = lin.page.evaluate(TEXTS, [view(driver.state, viewer, driver.now), seat])
    return said


def misses(driver: Driver, seat: int, times: int) -> None:
    """Let a seat miss decisions, until it is asked again; all others play."""
    while driver.state["seats"][seat]["timeouts"] < times or driver.active_seat != seat:
        if driver.active_seat == seat:
            driver.wait(10**7)
        else:
            driver.step()


@pytest.mark.parametrize(("clock", "missed", "said"), CASES)
def test_what_is_said_at_the_seat_is_what_happens(person, clock, missed, said):
    driver = Driver("sishifen", 4, clock_settings=clock, kind="human")
    driver.play_until(asks("play", 1))
    misses(driver, 1, missed)
    driver.do(1, type="presence", presence="away")
    text, note = tells(person, driver, 1)
    assert re.fullmatch(f"Bot 1 is away: {said}.*", text)
    assert re.search(r"\d:\d\d", note), note
    before = len(driver.log)
    driver.wait(10**7)
    new = driver.log[before:]
    assert new[0]["type"] == "decision_timed_out"
    first = new[1]["type"] if len(new) > 1 else "nothing"
    assert first == DONE[said], [event["type"] for event in new]


def test_without_a_clock_nothing_happens_and_that_is_said(person):
    driver = Driver("sishifen", 4, clock_settings={"untimed": True}, kind="human")
    driver.play_until(asks("play", 1))
    driver.do(1, type="presence", presence="away")
    assert tells(person, driver, 1) == ["Bot 1 is away: nothing happens until they return", "away, all wait"]
    driver.do(2, type="presence", presence="away")
    assert tells(person, driver, 2) == ["Bot 2 is away: at their turn nothing happens until they return", "away"]
    before = len(driver.log)
    driver.wait(10**9)
    assert driver.log[before:] == []
    # Nobody is told of themselves, or of who is there.
    assert tells(person, driver, 1, viewer=1) is None
    assert tells(person, driver, 3) is None


def test_the_last_one_who_plays_is_not_played_for(person):
    driver = Driver("sishifen", 4, clock_settings={"on_timeout": "ai_takeover"}, kind="human")
    driver.play_until(asks("play", 1))
    for gone in (0, 2, 3):
        driver.do(gone, type="leave")
    driver.do(1, type="presence", presence="away")
    text, _ = tells(person, driver, 1, viewer="spectator")
    assert "the table waits for them" in text
    before = len(driver.log)
    driver.wait(10**7)
    assert "game_paused" in [event["type"] for event in driver.log[before:]]


def in_a_room(person: Any, **how: Any) -> tuple[Person, list[Guest], str]:
    """Lin at the table of a room without a clock, with three guests; the second seat is asked to play."""
    lin = person(**how)
    lin.tolerated = ("status of 409",)
    lin.registers()
    rules = {"ruleset": "sishifen", "players": 4, "options": {"deal_pace": "instant"}}
    room = lin.api("POST", "/rooms", {"name": "Friday", "rules": rules})
    table = lin.api("POST", f"/rooms/{room['room']}/table")["table"]["table"]
    lin.api("POST", f"/tables/{table}/seats", {"seat": 0})
    guests = []
    for seat in (1, 2, 3):
        account = lin.api("POST", "/players", {"name": f"Guest {seat}", "kind": "human"})
        lin.api("POST", "/me/rooms", {"code": room["links"]["member"]}, token=account["token"])
        guests.append(Guest(lin, table, "", seat, token=account["token"]))
    for token in (lin.account["token"], *(guest.token for guest in guests)):
        lin.api("PUT", f"/tables/{table}/seats/me/ready", {}, token=token)
    lin.beside.plays_on(table, asks("play", 1))
    lin.opens(table)
    lin.is_playing()
    return lin, guests, table


@pytest.mark.parametrize(("size", "colours"), [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone", "desktop"])
def test_a_room_without_a_clock_says_that_nothing_happens_until_who_is_away_returns(
    person, axe, picture, size, colours
):
    lin, guests, table = in_a_room(person, size=size, colours=colours)
    lin.beside.is_away(table, guests[0].player)
    lin.beside.is_away(table, guests[2].player)
    # In the line that is read out, and at the seat.
    notice = lin.all("status").filter(has_text="Guest 1 is away: nothing happens until they return")
    expect(notice).to_be_visible()
    lin.seat("Guest 1").sees("away, all wait")
    lin.seat("Guest 3").sees("away")
    expect(lin.all("region", re.compile("Guest 3.*at their turn nothing happens until they return"))).to_have_count(1)
    lin.seat("Guest 2").sees_no("away")
    assert list(faults(lin.page, axe, chinese=False)) == []
    picture(lin.page, f"away-{size[0]}.png")
    lin.speaks("zh-CN")
    lin.seat("Guest 1").sees("不在，等待中")
    assert list(faults(lin.page, axe, chinese=True)) == []
    # Whoever does anything is back.
    guests[0].api("GET")
    lin.seat("Guest 1").sees_no("不在")


def test_before_a_game_who_is_away_is_not_called_ready(person):
    lin = person()
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False)
    guests = lin.invites(table, 3)
    lin.opens(table)
    lin.is_waiting()
    lin.beside.is_away(table, guests[1].player)
    there, away = (lin.items("Seats").filter(has_text=f"Guest {seat}") for seat in (1, 2))
    expect(away).to_contain_text("away")
    expect(there).to_contain_text("Ready")
