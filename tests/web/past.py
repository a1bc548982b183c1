"""Finished games for tests of past games: played in memory, stored by `Beside.keeps`."""

from functools import cache

from harness.driver import Driver
from tests.game.test_seat_changes import go_on


@cache
def whole() -> Driver:
    """Return a game that counts for ratings."""
    driver = Driver("arms_length", 4, seed=1)
    go_on(driver, 4)
    return driver


@cache
def ended_early() -> Driver:
    """Return a practice game that was ended after its first round."""
    driver = Driver("sishifen", 4, seed=2, practice="monday")
    go_on(driver)
    driver.do(0, type="open_vote", kind="end_early")
    for seat in (1, 2, 3):
        driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    return driver
