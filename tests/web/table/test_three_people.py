"""Three people in windows of three sizes play a round together: by keyboard, by touch, and by what is read out."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.sorting import is_day
from tests.web.learner import ByKeyboard, ByTouch
from tests.web.looking import faults
from tests.web.person import ANSWERS, DESKTOP, HINT, PHONE, Person, until

pytestmark = pytest.mark.browser

TABLET = (820, 1180)
#: By day, only the end of the round is played by the pages; the tricks before look the same.
CARDS = 3 if is_day() else 12


class ByScreenReader:
    """Presses what has a role and a name, wherever it is drawn."""

    def __init__(self, lin: Person) -> None:
        self.page = lin.page

    def presses(self, target: Locator) -> None:
        target.dispatch_event("click")


def begins_a_trick(state):
    """Tell whether somebody has to lead, and everybody holds at most `CARDS` cards."""
    decision = state["decision"]
    leads = decision is not None and decision["kind"] == "play" and state["round"]["trick"] is None
    return leads and sum(state["round"]["hands"][0]) <= CARDS


@pytest.fixture
def table_of_three(person):
    """Ann, Bo and Cy, who sit with an AI player at a table where a trick begins; and the table."""
    people = [person(size=DESKTOP, name="Ann"), person(size=PHONE, name="Bo"), person(size=TABLET, name="Cy")]
    for each in people:
        each.tolerated = ("409",)  # pages ask for legal plays while the table plays on
        each.registers()
    host, *others = people
    table = host.makes("sishifen", 4, ai=False)
    code = host.api("GET", f"/tables/{table}")["join_code"]
    for seat, each in enumerate(others, 1):
        each.api("POST", f"/tables/{table}/seats", {"seat": seat, "join_code": code})
    host.api("PUT", f"/tables/{table}/seats/3/ai", {"level": "easy"})
    for each in people:
        each.api("PUT", f"/tables/{table}/seats/me/ready", {})
    host.beside.plays_on(table, begins_a_trick)
    for each in people:
        each.opens(table)
        each.has_caught_up(table)
    return people, table


def plays(lin, how):
    """Play what the page proposes, if it is this person's turn."""
    decision = lin.decision
    if not decision:
        return
    how.presses(lin.controls.get_by_role("button", name=HINT))
    expect(lin.chosen).not_to_have_count(0)
    how.presses(lin.controls.get_by_role("button", name=ANSWERS["play"]))
    expect(lin.asked(decision)).to_have_count(0)


def test_a_round_is_played_by_keyboard_by_touch_and_by_what_is_read_out(table_of_three, axe, picture):
    people, table = table_of_three
    hands = [ByKeyboard(people[0]), ByTouch(people[1]), ByScreenReader(people[2])]
    for each in people:
        assert list(faults(each.page, axe, chinese=False)) == []
        picture(each.page, f"three-{each.name}.png")

    def is_over():
        for each, how in zip(people, hands, strict=True):
            plays(each, how)
        return all(each.result.count() for each in people)

    until(people[0].page, "all see the result", is_over, patience=300_000)
    points = {
        each.result.get_by_role("row", name=re.compile("^Points of the attackers")).inner_text() for each in people
    }
    assert len(points) == 1
    # Whoever only listens knows who has won the last trick.
    listener = people[2]
    events = listener.api("GET", f"/tables/{table}/events?after=0&limit=500")["events"]
    winner = [event["data"]["seat"] for event in events if event["type"] == "trick_won"][-1]
    name = listener.page.locator(f"[data-seat='{winner}']").get_attribute("aria-label").split(",")[0]
    heard = listener.all("log").get_by_role("paragraph").all_inner_texts()
    assert heard[-1].startswith(f"{name} wins the trick")
    for each in people:
        assert list(faults(each.page, axe, chinese=False)) == []
