"""One person against AI players has unlimited time, unless the table says otherwise."""

import pytest

from harness.driver import Driver
from service.game.state import clock
from service.game.state.queries import ai_level, waited_for
from service.game.state.settings import TIME_LIMITS


def game_of(kind: str = "human", guests: int = 0, pace: str = "instant", **clock_settings: object) -> Driver:
    """A game of a host, of guests, and of AI players on the other seats, at its first decision."""
    driver = Driver("shengji", 4, {"deal_pace": pace}, seed=5, start=False, clock_settings=clock_settings)
    for seat in range(guests + 1):
        driver.do(seat, type="sit", kind=kind, name=f"P{seat}", seat=seat)
    for seat in range(guests + 1, 4):
        driver.do(0, type="seat_ai", seat=seat, level="easy")
    for seat in range(guests + 1):
        driver.do(seat, type="ready")
    return driver


def step(driver: Driver) -> None:
    """Answer the open decision for a seat that is asked; if none is, let time pass."""
    decision = driver.state["decision"]
    seat = waited_for(driver.state)[0] if decision else None
    if seat is None:
        driver.wait(400)
    elif ai_level(driver.state, seat):
        driver.ai(seat, **driver.choice(seat))
    else:
        driver.do(seat, **driver.choice(seat))


def limits(driver: Driver) -> set[tuple[str, bool]]:
    """Play until a round is over; return the kinds of decision of seat 0, with whether their time was limited."""
    visited = set()
    while True:
        decision = driver.decision
        if 0 in decision["seats"]:
            visited.add((decision["kind"], decision["deadline"] is not None))
        if decision["kind"] == "ready":
            return visited
        step(driver)


@pytest.mark.parametrize(
    ("how", "limited"),
    [
        ({}, False),
        ({"bank_ms": 5_000}, False),
        ({"play_ms": 20_000}, True),
        ({"play_ms": 20_000, "alone": "unlimited"}, False),
        ({"alone": "limited"}, True),
        ({"guests": 1}, True),
        ({"kind": "bot"}, True),
    ],
)
def test_time_is_limited_if_other_people_wait_or_the_table_says_so(how, limited):
    driver = game_of(**how)
    bounds = limits(driver)
    assert {("play", limited), ("ready", limited)} <= bounds
    assert {each for _, each in bounds} == {limited}


def test_the_time_of_ai_players_stays_limited():
    driver = game_of()
    while driver.decision["seats"] != [2]:
        step(driver)
    assert driver.decision["deadline"] is not None


def test_a_table_of_an_earlier_release_keeps_its_clock():
    driver = game_of()
    settings = driver.state["settings"]
    older = {name: value for name, value in settings["clock"].items() if name != "alone"}
    driver.state = {**driver.state, "settings": {**settings, "clock": older}}
    assert {each for _, each in limits(driver)} == {True}


def test_the_window_of_a_timed_deal_waits_for_the_person():
    driver = game_of(pace="timed")
    while driver.state["round"]["phase"] == "dealing":
        driver.wait(clock.next_circle_at(driver.state) - driver.now)
    assert driver.decision["kind"] == "declare"
    driver.wait(600_000)
    assert driver.decision["kind"] == "declare"
    driver.do(0, type="pass")
    assert clock.ai_seats_asked(driver.state) or driver.decision["kind"] != "declare"


def test_time_is_limited_again_when_a_second_person_sits_down():
    driver = game_of()
    limits(driver)
    driver.do(1, type="sit", kind="human", name="Mei", seat=1, join_code=driver.state["settings"]["join_code"])
    assert driver.decision["deadline"] == driver.now + driver.state["settings"]["clock"][TIME_LIMITS["ready"]]
