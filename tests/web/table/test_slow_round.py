"""Games that take days on a phone: what has happened since the last look, the next table, and a whole round of two."""

import pytest
from playwright.sync_api import expect

from tests.support.sorting import by_day
from tests.web.beside import asks, is_scored
from tests.web.looking import faults
from tests.web.person import two_at_a_table, until

pytestmark = pytest.mark.browser

DAYS = {"correspondence": {"decision_hours": 24}}
SINCE = {"en-GB": "Since your last look", "zh-CN": "上次查看以来"}
GO = {"en-GB": "Go to the table", "zh-CN": "进入牌桌"}


def tricks(state):
    return sum(state["round"]["tricks"])


def test_a_look_shows_what_has_happened_trick_by_trick_before_it_asks(person, axe, picture):
    lin = person()
    table = lin.begins("shengji", 4, until=asks("play"), clock=DAYS)
    before = tricks(lin.beside.state(table))
    lin.goes_to("tables")
    # The table that the page leaves would note as seen what happens until then.
    lin.all("heading", "My tables").first.wait_for()
    lin.beside.plays_on(table, lambda state: asks("play")(state) and tricks(state) > before + 1)
    lin.goes_to(f"table/{table}")
    for locale, title in SINCE.items():
        lin.speaks(locale)
        lin.items(title).nth(1).wait_for()
        assert list(faults(lin.page, axe, chinese=locale == "zh-CN")) == []
        picture(lin.page, f"since-{locale}.png")
    lin.presses(GO["zh-CN"])
    lin.is_at_a_table()
    # Nothing has happened since.
    lin.goes_to("tables")
    lin.goes_to(f"table/{table}")
    lin.is_at_a_table()
    expect(lin.all("heading", SINCE["zh-CN"])).to_have_count(0)


def others_follow(state):
    """Tell whether seat 0 is asked to play and somebody else plays next: not the last of a trick, who may win it."""
    trick = state["round"] and state["round"]["trick"]
    return asks("play")(state) and (trick is None or len(trick["plays"]) < 3)


def test_after_a_play_the_page_goes_to_the_next_table_that_waits(person):
    lin = person()
    first = lin.begins("arms_length", 4, until=others_follow, clock=DAYS, ai_pace_ms=10_000)
    second = lin.makes("arms_length", 4, clock=DAYS, ai_pace_ms=10_000)
    lin.beside.is_ready(second, lin.account["player"])
    lin.beside.plays_on(second, asks("play"), hurries=True)
    lin.opens(first)
    lin.answers()
    until(lin.page, "the other table", lambda: lin.page.url.endswith(second))
    lin.is_at_a_table()


def plays(one, table, locale):
    """Look at a table that waits: read what has happened, if anything has, and answer."""
    decision = one.api("GET", f"/tables/{table}")["decision"]["id"]
    one.goes_to(f"table/{table}")
    go, asked = one.control(GO[locale]), one.asked(decision)
    until(one.page, "what has happened, or what is asked", lambda: go.count() or asked.count())
    if go.count():
        go.click()
        asked.wait_for()
    one.answers()
    until(one.page, "an answer", lambda: (one.api("GET", f"/tables/{table}")["decision"] or {}).get("id") != decision)


@pytest.mark.parametrize("locale", by_day(["zh-CN"], ["en-GB", "zh-CN"]))
def test_two_people_play_a_whole_round_over_days_on_their_phones(person, locale):
    lin, mei, table = two_at_a_table(person, clock=DAYS)
    people = {0: lin, 1: mei}
    for each in people.values():
        each.tolerated += ("409",)
        each.speaks(locale)
        each.goes_to("tables")
    looks = 0
    while not is_scored(state := lin.beside.state(table)):
        decision = state["decision"]
        passes = state["round"]["passes"] if decision and decision["kind"] == "declare" else []
        asked = decision["seats"] if decision else []
        seat = next((each for each in asked if each in people and each not in passes), None)
        if seat is None:
            lin.beside.lets_hours_pass(table, 0.1)  # AI players move
            continue
        state = lin.beside.lets_hours_pass(table, 8)
        plays(people[seat], table, locale)
        people[seat].goes_to("tables")
        looks += 1
    assert looks >= 20
    assert lin.beside.state(table)["at"] - state["created_at"] > 5 * 24 * 3_600_000
