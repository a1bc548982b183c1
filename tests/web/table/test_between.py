"""Between the rounds of a game, and after it: who sits where, the clock, and the levels of the next game."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import is_scored
from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_a_friend_takes_the_seat_of_an_ai_between_rounds_and_the_next_game_keeps_the_levels(person, axe):
    lin, mei = person(), person(name="Mei")
    mei.registers()
    table = lin.begins("sishifen", 4, until=is_scored, start_levels=["5", "9"])
    path, page = f"/tables/{table}", lin.page
    seats = lin.part("list", "Seats")
    lin.presses("Seats and clock")
    lin.selects("Level of Panda", "normal")
    lin.selects("Time for a card", "120")
    lin.presses("Remove Fox")
    seats.sees("Free seat")
    assert list(faults(page, axe, chinese=False)) == []
    # Mei opens the link, and gets the free seat.
    # Her page may ask for legal plays while the table plays on.
    mei.tolerated = ("403", "status of 409")
    code = lin.api("GET", path)["join_code"]
    mei.page.goto(f"{mei.url}/#/table/{table}?code={code}")
    seats.sees("Mei")
    view = lin.api("GET", path)
    assert (view["seats"][2]["occupant"]["level"], view["clock"]["play_ms"]) == ("normal", 120_000)
    assert [seat.get("since") for seat in view["seats"]] == [None, None, 2, 2]
    for each in (mei, lin):
        each.presses("Next round")
    lin.sees("Round 2")
    expect(lin.result).to_have_count(0)
    # The game ends early, and the next one begins with its levels.
    lin.api("POST", f"{path}/votes", {"kind": "end_early"})
    mei.api("PUT", f"{path}/votes/{lin.api('GET', path)['vote']['id']}", {"approve": True})
    stood = [seat["level"] for seat in lin.api("GET", path)["seats"]]
    lin.presses(re.compile("^New game with these levels"))
    mei.sees("The next game begins with these levels")
    mei.presses("Play again")
    lin.sees("Round 1")
    view = lin.api("GET", path)
    assert [seat["level"] for seat in view["seats"]] == stood
    assert len(set(stood)) > 1
