"""Changing seats before a game: players move to seats without another person, the host moves anyone anywhere."""

import pytest

from harness.driver import Driver
from service.game.errors import GameRunning, NotFound, NotHost, SeatTaken
from service.game.views.view import view
from shengji_client.folding import fold


def lobby() -> Driver:
    """A table of the host p0, p1 and p2 on the first seats, and an AI player on the last."""
    driver = Driver("shengji", 4, start=False)
    for seat in range(3):
        driver.do(seat, type="sit", kind="human", name=f"P{seat}", seat=seat)
    driver.do(0, type="kick", seat=1)
    driver.do(1, type="sit", kind="human", name="P1", seat=1, join_code=driver.state["settings"]["join_code"])
    driver.do(0, type="seat_ai", seat=3, level="easy")
    return driver


def names(driver: Driver) -> list[str | None]:
    return [seat["occupant"] and seat["occupant"]["name"] for seat in driver.state["seats"]]


@pytest.mark.parametrize(
    ("by", "moved", "to", "left"),
    [
        (1, 1, 3, ["P0", "AI 2", "P2", "P1"]),
        (0, 0, 2, ["P2", "P1", "P0", "AI 4"]),
        (0, 2, 1, ["P0", "P2", "P1", "AI 4"]),
        (0, 1, 1, ["P0", "P1", "P2", "AI 4"]),
    ],
)
def test_a_move_to_a_taken_seat_exchanges_the_two(by, moved, to, left):
    driver = lobby()
    driver.do(moved, type="ready")
    table_view = view(driver.state, None, driver.now)
    outcome = driver.do(by, type="move", moved=f"p{moved}", seat=to)
    assert names(driver) == left
    assert driver.state["host"] == "p0"
    # Only AI players, and players whose seat has not changed, are ready.
    ready = [seat["occupant"]["name"] for seat in driver.state["seats"] if seat["ready"]]
    assert ready == [name for name in left if name.startswith("AI") or (name == f"P{moved}" and moved == to)]
    for event in outcome.events:
        table_view = fold(table_view, {"seq": event["seq"], "type": event["type"], "data": event["data"]})
    assert table_view["seats"] == view(driver.state, None, driver.now)["seats"]


def test_a_move_to_a_free_seat_frees_the_old_one():
    driver = lobby()
    driver.do(0, type="kick", seat=3)
    driver.do(2, type="move", moved="p2", seat=3)
    assert names(driver) == ["P0", "P1", None, "P2"]
    assert driver.do(2, type="move", moved="p2", seat=3).events == []


def test_only_the_host_moves_others_and_nobody_moves_in_a_game():
    driver = lobby()
    driver.refused(SeatTaken, 1, type="move", moved="p1", seat=2)
    driver.refused(NotHost, 1, type="move", moved="p2", seat=3)
    driver.refused(NotFound, 0, type="move", moved="p9", seat=3)
    driver.refused(NotFound, 1, type="move", moved="p1", seat=7)
    for seat in range(3):
        driver.do(seat, type="ready")
    driver.refused(GameRunning, 1, type="move", moved="p1", seat=3)
