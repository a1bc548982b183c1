"""Earlier tricks: the view of an AI seat has all tricks of the round, other views do not."""

from typing import Any

import pytest

from harness.driver import Driver
from service.game.views.ai_view import ai_view
from service.game.views.view import view
from service.rules.cards import names_of
from tests.game.test_memory import GAMES


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES, ids=str)
def test_an_ai_seat_sees_every_earlier_trick_as_it_was_played(
    ruleset: str, players: int, options: dict[str, Any]
) -> None:
    driver = Driver(ruleset, players, options, seed=4)
    driver.throws = 0.5
    forced = compared = 0

    def look(table: Any) -> None:
        nonlocal forced, compared
        view = ai_view(table.state, 0, table.now)["round"]
        last = view["last_trick"] if view else None
        if last is None:
            return
        opened = max(event["seq"] for event in table.log if event["type"] == "round_opened")
        tricks: list[list[Any]] = [[]]
        for event in table.log:
            if event["seq"] > opened and event["type"] == "played":
                if len(tricks[-1]) == players:
                    tricks.append([])
                tricks[-1].append(event["data"])
        earlier = view["earlier_tricks"]
        assert len(earlier) == last["number"] - 1
        for entry, trick in zip(earlier, tricks, strict=False):
            throw = trick[0]["throw"]
            assert entry == {
                "leader": trick[0]["seat"],
                "forced": throw is not None and not throw["ok"],
                "plays": [names_of(play["cards"]) for play in trick],
            }
            assert [play["seat"] for play in trick] == [(entry["leader"] + after) % players for after in range(players)]
            forced += entry["forced"]
        compared += len(earlier)

    driver.on_step = look
    next(driver.rounds(1))
    assert compared > 100
    assert forced or ruleset == "arms_length" or options.get("rainbow")


def test_apart_from_earlier_tricks_an_ai_seat_gets_the_view_of_its_seat() -> None:
    driver = Driver("shengji", 4, seed=4)
    met = 0

    def look(table: Any) -> None:
        nonlocal met
        table_view = ai_view(table.state, 1, table.now)
        if table_view["round"] is not None:
            met += bool(table_view["round"].pop("earlier_tricks"))
        assert table_view == view(table.state, 1, table.now)

    driver.on_step = look
    next(driver.rounds(1))
    assert met > 50
