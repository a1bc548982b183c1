"""Checks of records: which ones pass, and which reasons the others get."""

import copy
from typing import Any

import pytest

from harness.driver import Driver
from service.common.errors import InvalidOption, InvalidRequest, TooComplex
from service.game.errors import NotFound
from service.game.records import record, replay


def recorded(ruleset: str = "shengji", options: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    driver = Driver(ruleset, 4, options, seed=5, **more)
    driver.throws = 0.5
    for _ in driver.rounds(1):
        pass
    return record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)


def changed(change: Any) -> dict[str, Any]:
    duplicate = copy.deepcopy(recorded())
    change(duplicate["rounds"][0])
    return duplicate


def reason(record: dict[str, Any]) -> str | None:
    verdict = replay.check(record)
    assert verdict["ok"] is False
    verdict_reason: str | None = verdict["rounds"][0]["reason"]
    return verdict_reason


def test_a_failed_throw_is_recorded_as_attempted():
    record = recorded(options={"throw_penalty": "flat"})
    assert replay.check(record)["ok"]
    assert any(len(action.get("units", ())) > 1 for action in record["rounds"][0]["actions"])


def test_a_record_of_an_earlier_release_with_a_pass_where_nobody_could_declare_is_valid():
    record = recorded(options={"deal_pace": "timed", "last_level": "NT", "start_level": "NT"})
    played = record["rounds"][0]
    played["actions"].insert(0, {"type": "pass", "seat": 0, "at": played["opened_at"]})
    assert replay.check(record)["ok"]


def test_a_record_does_not_contain_plays_that_were_taken_back():
    driver = Driver("shengji", 4, seed=5, take_back=True)
    driver.play_until(lambda state: state["round"].get("returnable"))
    taken = driver.state["round"]["trick"]["plays"][-1]
    driver.do(taken["seat"], type="take_back")
    for seat in range(4):
        driver.do(seat, type="answer_take_back", accept=True)
    for _ in driver.rounds(1):
        pass
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert replay.check(game_record)["ok"]
    plays = [action for action in game_record["rounds"][0]["actions"] if action["type"] == "play"]
    assert sum(len(play["cards"]) for play in plays) == 100


def test_the_log_of_a_game_ends_where_the_next_one_begins():
    driver = Driver("arms_length", 4, seed=5)
    games = []
    for _ in range(2):
        games.append(driver.state["game"]["id"])
        driver.play_until(lambda state: state["status"] == "finished")
        for seat in range(4):
            driver.do(seat, type="ready")
    for number, game in enumerate(games, start=1):
        log = record.game_log(driver.log, game)
        assert log.events[0]["data"]["number"] == number
        assert [event["type"] for event in log.events].count("game_started") == 1
        assert log.events[-1]["type"] == "game_ended"
        assert replay.check(record.record(log, driver.now))["ok"]


def test_an_unknown_state_is_not_found():
    driver = Driver("shengji", 4, seed=5)
    for _ in driver.rounds(1):
        pass
    game = record.game_log(driver.log, driver.state["game"]["id"])
    with pytest.raises(NotFound):
        record.state_at(game, 1, 10**6, 0)
    with pytest.raises(NotFound):
        record.state_at(game, 7, driver.state["version"], 0)


def test_another_format_is_refused():
    with pytest.raises(InvalidRequest) as caught:
        replay.check({**recorded(), "format": "pgn"})
    assert caught.value.params == {"reason": "record_format", "accepted": [record.FORMAT]}


def test_invalid_options_are_refused():
    with pytest.raises(InvalidOption):
        replay.check({**recorded(), "options": {"overcall": "always"}})


@pytest.mark.parametrize(
    "change",
    [
        lambda each: each["standings"].pop(),
        lambda each: each["levels"].append("2"),
        lambda each: each["actions"][0].update(seat=4),
        lambda each: each.update(starter=4),
        lambda each: each.update(opened_at="yesterday"),
        lambda each: each["actions"][3].update(at="soon"),
        lambda each: next(action for action in each["actions"] if action["type"] == "play").pop("cards"),
    ],
)
def test_a_record_whose_parts_contradict_each_other_is_refused(change):
    with pytest.raises(InvalidRequest) as caught:
        replay.check(changed(change))
    assert caught.value.params["reason"] == "record_fit"


def test_a_level_that_the_ladder_does_not_have_is_refused():
    with pytest.raises(InvalidRequest) as caught:
        replay.check(changed(lambda each: each["standings"][0].update(level="17")))
    assert caught.value.params["reason"] == "level_not_on_ladder"


def test_a_record_without_its_last_plays_is_unfinished():
    assert reason(changed(lambda each: each["actions"].pop())) == "unfinished"


def test_changed_levels_are_found():
    assert reason(changed(lambda each: each["levels"].__setitem__(0, "K"))) == "levels"


def test_actions_after_the_end_of_a_round_are_ignored():
    record = changed(lambda each: each["actions"].append(each["actions"][-1]))
    assert replay.check(record)["ok"]


def test_the_work_of_a_check_is_limited():
    with pytest.raises(TooComplex) as caught:
        replay.check(recorded(), steps=20)
    assert caught.value.params == {"budget": 20, "reason": "many_steps"}


def test_records_of_earlier_releases_with_values_for_fields_that_the_game_does_not_have_are_valid():
    """They had levels in Arm's Length, and active players in all games."""
    record = recorded("arms_length")
    standing = {"level": "2", "active": True, "attempted": [], "penalty": 0}
    no_levels = {"standings": [standing] * 4, "levels": ["2"] * 4, "closings": []}
    result = record["rounds"][0]["result"] | {"points": 0, "levels": 0}
    assert replay.check(record)["ok"]
    assert replay.check({**record, "rounds": [record["rounds"][0] | no_levels | {"result": result}]})["ok"]
    assert reason({**record, "rounds": [record["rounds"][0] | {"result": result | {"summary": {}}}]}) == "result"
    record = recorded()
    assert replay.check(record)["ok"]
    for place in record["rounds"][0]["standings"]:
        place["active"] = True
    assert replay.check(record)["ok"]


@pytest.mark.parametrize("name", ["standings", "levels"])
def test_a_record_without_a_field_that_the_game_has_is_refused(name: str):
    with pytest.raises(InvalidRequest) as refused:
        replay.check(changed(lambda played: played.update({name: None})))
    assert refused.value.params["reason"] == "record_fit"
