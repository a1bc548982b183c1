"""During a round, nothing on the cloth moves but cards."""

import pytest

from tests.support.sorting import by_day
from tests.web.beside import asks, follows, holds, is_scored, leads, only
from tests.web.person import DESKTOP, PHONE, Person

pytestmark = pytest.mark.browser

SIZES = [(360, 740), PHONE, (844, 390), (820, 1180), DESKTOP, (3840, 2160)]
#: Number of players -> ruleset.
GAMES = {4: "shengji", 6: "finding_friends", 12: "finding_friends", 16: "zhaopengyou"}
#: With this deal, seat 0 can make trumps.
CALLS = "monday, the cards of"

#: Positions of the chips of the seats (px).
PLACES = """() => JSON.stringify([...document.querySelectorAll(".chip")].map((chip) => {
  const { x, y } = chip.getBoundingClientRect();
  return [chip.closest(".seat").dataset.seat, x, y];
}).sort())"""
#: Adds up the layout shifts, also those just after a tap.
SHIFT = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value; })
    .observe({ type: "layout-shift" });
}"""


def places(lin: Person) -> dict[tuple[int, int], str]:
    """Return where the seats are drawn, by the size of the window."""
    places_of = {}
    for size in SIZES:
        lin.has_window(size)
        places_of[size] = lin.page.evaluate(PLACES)
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
    lin.page.wait_for_selector(".panel.declare")
    stood = places(lin)
    assert all(seats.count("[") == players + 1 for seats in stood.values())
    for until in (leads, follows, holds(3), is_scored):
        lin.beside.plays_on(table, until, shows=only(0))
        lin.page.wait_for_selector("dialog.summary" if until is is_scored else ".panel.play")
        assert places(lin) == stood, until


@pytest.mark.parametrize("players", by_day([4], GAMES))
def test_a_hint_and_a_play_move_nothing(person, picture, players):
    lin = person()
    lin.tolerated = ("status of 409",)
    lin.registers()
    table = lin.makes(GAMES[players], players, ai=False)
    lin.invites(table, players)
    lin.beside.plays_on(table, lambda state: follows(state) and state["round"]["last_trick"])
    lin.opens(table)
    lin.page.wait_for_selector(".panel.play")
    lin.page.evaluate(SHIFT)
    stood = lin.page.evaluate(PLACES)
    height = lin.page.locator(".panel.play").bounding_box()["y"]
    for _ in range(3):
        lin.beside.plays_on(table, follows)
        lin.is_asked(table)
        lin.answers()
        assert lin.page.evaluate(PLACES) == stood
        # While the others play, the last trick is in the place of the panel.
        lin.beside.plays_on(table, asks("play", 2))
        lin.page.wait_for_selector(f".waits .trick li:nth-child({players})")
        picture(lin.page, "waiting-for-others.png")
        # Seat 0 may have been asked again meanwhile, so the panel may come and go.
        lin.comes_true(f"document.querySelector('.waits')?.getBoundingClientRect().y === {height}")
        assert lin.page.evaluate(PLACES) == stood
    assert lin.page.evaluate("shift") < 0.05
