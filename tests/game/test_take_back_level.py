"""Each play taken back costs the team a level after the round, in the game, its record, and the imported game."""

import json
from typing import Any

import pytest

from service.game.records import record as records
from service.game.records import replay
from service.game.records.importing import imported
from service.game.records.record import GameLog
from service.game.records.text import read, written
from service.game.state.take_backs import may_take_back
from tests.game.test_records_travel import NOW, Ai

#: Few levels, so that a game is short, and one to fall to.
SHORT = {"level_ladder": ["J", "Q", "K", "A"], "start_level": "Q"}


class TakingBack(Ai):
    """A table whose seats decide like AI players; seat 0 takes back its first play of each round."""

    level = "easy"

    def step(self) -> None:
        table_round = self.state["round"]
        asks = table_round and table_round["number"] not in self.taken and may_take_back(table_round, 0)
        if not asks:
            super().step()
            return
        self.taken.append(table_round["number"])
        self.do(0, type="take_back")
        for other in (1, 2, 3):
            self.do(other, type="answer_take_back", accept=True)

    def __init__(self, **options: Any) -> None:
        #: Numbers of the rounds in which it has taken back a play.
        self.taken: list[int] = []
        super().__init__("shengji", 4, {**SHORT, **options}, seed=1, take_back=True)


def game(**options: Any) -> tuple[TakingBack, GameLog]:
    driver = TakingBack(**options)
    for _ in driver.rounds(12):
        pass
    return driver, records.game_log(driver.log, driver.state["game"]["id"])


def lost(log: GameLog) -> list[tuple[list[str], list[str], int, bool]]:
    """Return of each round the levels before and after it, the levels gained, and whether the side of seat 0 did."""
    results = [event["data"] for event in log.events if event["type"] == "round_scored"]
    return [
        (
            [each["level"] for each in played["standings"]],
            played["levels"],
            result["levels"],
            result["sides"][0] == result["side"],
        )
        for played, result in zip(records.record(log, NOW)["rounds"], results, strict=True)
    ]


def test_the_team_that_takes_back_has_one_level_less_after_each_round() -> None:
    driver, log = game(take_back_level=True)
    assert driver.taken
    ranks = SHORT["level_ladder"]
    for before, after, gained, has_won in lost(log):
        up = (gained if has_won else 0) - 1
        assert ranks.index(after[0]) <= max(0, ranks.index(before[0]) + max(up, -1))
        assert after[0] == after[2]
        if not has_won:
            assert ranks.index(after[0]) == max(0, ranks.index(before[0]) - 1)
            assert after[1] == after[3]
    assert any(ranks.index(after[0]) < ranks.index(before[0]) for before, after, *_ in lost(log))


def test_without_the_option_taking_back_costs_nothing() -> None:
    driver, log = game()
    assert driver.taken
    assert all(before[0] == after[0] for before, after, _, has_won in lost(log) if not has_won)
    assert "needs" not in driver.state
    assert all("taken_back" not in played for played in records.record(log, NOW)["rounds"])


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_record_of_such_a_game_travels(form: str) -> None:
    driver, log = game(take_back_level=True)
    content: dict[str, Any] = json.loads(json.dumps(records.record(log, NOW)))
    assert [played["taken_back"] for played in content["rounds"]] == [[0]] * len(driver.taken)
    travelled = content if form == "json" else read(written(content, records.deals_of(log))).record
    assert replay.check(content)["ok"]
    again = records.record(imported(travelled, "p0", "tb_elsewhere", NOW), NOW)
    for played, first in zip(again["rounds"], content["rounds"], strict=True):
        assert (played["taken_back"], played["levels"]) == (first["taken_back"], first["levels"])
        assert played["result"] == first["result"]


def test_a_record_that_leaves_a_take_back_out_is_found() -> None:
    _, log = game(take_back_level=True)
    content: dict[str, Any] = json.loads(json.dumps(records.record(log, NOW)))
    charged = next(played for played in content["rounds"] if played["standings"][0]["level"] != played["levels"][0])
    del charged["taken_back"]
    verdicts = replay.check(content)["rounds"]
    assert [verdict["reason"] for verdict in verdicts if not verdict["ok"]] == ["levels"]


def test_a_take_back_that_is_refused_costs_nothing() -> None:
    driver = TakingBack(take_back_level=True)
    driver.play_until(lambda state: state["round"] and may_take_back(state["round"], 0))
    driver.do(0, type="take_back")
    driver.do(1, type="answer_take_back", accept=False)
    assert "taken_back" not in driver.state["round"]
