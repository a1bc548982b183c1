"""During a round, nothing on the cloth moves but cards."""

import pytest
from playwright.sync_api import expect

from tests.support.sorting import by_day
from tests.web import pieces
from tests.web.beside import asks, follows, holds, is_scored, leads, only
from tests.web.person import DESKTOP, PHONE, Person, until

pytestmark = pytest.mark.browser

SIZES = [(360, 740), PHONE, (844, 390), (820, 1180), DESKTOP, (3840, 2160)]
#: Number of players -> ruleset.
GAMES = {4: "shengji", 6: "finding_friends", 12: "finding_friends", 16: "zhaopengyou"}
#: With this deal, seat 0 can make trumps.
CALLS = "monday, the cards of"

#: The seats, and where they are drawn (px).
PLACES = """(chips) => chips.map((chip) => {
  const { x, y } = chip.getBoundingClientRect();
  return [chip.closest("[data-seat]").dataset.seat, x, y];
}).sort()"""
#: Adds up the layout shifts, also those just after a tap.
SHIFT = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value; })
    .observe({ type: "layout-shift" });
}"""


def places_now(lin: Person) -> list[list[object]]:
    """Return where the seats are drawn."""
    return lin.page.locator(pieces.CHIP).evaluate_all(PLACES)


def places(lin: Person) -> dict[tuple[int, int], list[list[object]]]:
    """Return where the seats are drawn, by the size of the window."""
    places_of = {}
    for size in SIZES:
        lin.has_window(size)
        places_of[size] = places_now(lin)
    lin.has_window(PHONE)
    return places_of


@pytest.mark.parametrize("players", by_day([4], GAMES))
def test_seats_stay_where_they_are_over_a_round(person, players):
    lin = person()
    lin.tolerated = ("status of 409",)
    lin.registers()
    options = {"declarer_by": "trump_maker"} if players > 4 else {}
    table = lin.makes(GAMES[players], players, ai=False, options=options, seed=CALLS)
    for seat in range(1, players):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    lin.beside.is_ready(table, lin.account["player"])
    lin.beside.plays_on(table, asks("declare"), shows=only(0))
    lin.opens(table)
    assert lin.decision_kind() == "declare"
    stood = places(lin)
    assert all(len(seats) == players for seats in stood.values())
    for moment in (leads, follows, holds(3), is_scored):
        lin.beside.plays_on(table, moment, shows=only(0))
        assert lin.decision_kind() == ("summary" if moment is is_scored else "play")
        assert places(lin) == stood, moment


@pytest.mark.parametrize("players", by_day([4], GAMES))
def test_a_hint_and_a_play_move_nothing(person, picture, players):
    lin = person()
    lin.tolerated = ("status of 409",)
    lin.registers()
    table = lin.makes(GAMES[players], players, ai=False)
    lin.invites(table, players)
    lin.beside.plays_on(table, lambda state: follows(state) and state["round"]["last_trick"])
    lin.opens(table)
    assert lin.decision_kind() == "play"
    lin.page.evaluate(SHIFT)
    stood = places_now(lin)
    height = lin.controls.bounding_box()["y"]
    waits = lin.page.locator(pieces.WAITS)
    for _ in range(3):
        lin.beside.plays_on(table, follows)
        lin.is_asked(table)
        lin.answers()
        assert places_now(lin) == stood
        # While the others play, the last trick is in the place of the panel.
        lin.beside.plays_on(table, asks("play", 2))
        expect(lin.items("Last trick")).to_have_count(players)
        picture(lin.page, "waiting-for-others.png")
        # Seat 0 may have been asked again meanwhile, so the panel may come and go.
        until(lin.page, "the last trick", lambda: waits.count() and waits.bounding_box()["y"] == height)
        assert places_now(lin) == stood
    assert lin.page.evaluate("shift") < 0.05
