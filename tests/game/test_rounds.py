"""Whole rounds and games with random players: nothing is lost, nothing sticks, and games end for the right reason."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from harness.driver import Driver
from service.common.errors import InvalidOption
from service.game.events.evolve import EVENT_TYPES
from service.game.ids import table_of_game
from service.game.records import record, replay
from service.game.state import rules as table_rules
from service.game.state.rules import rules_of
from service.game.views.redaction import redact
from service.rules.cards import RANKS
from service.rules.options.rulesets import RULESETS, effective_options
from service.rules.options.table import OPTIONS
from service.rules.rounds.levels import rank_of_level
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import Trump
from tests.game.watch import Watch

SIZES = [(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players]

#: Options whose values are not a list.
DRAWN: dict[str, st.SearchStrategy[Any]] = {
    "misdeal": st.fixed_dictionaries(
        {}, optional={"no_points": st.booleans(), "points_below": st.sampled_from([5, 30]), "no_trumps": st.booleans()}
    ),
    "special_decks": st.sampled_from([[], [{"from": "6"}], [{"little_joker": False}, {"big_joker": False}]]),
    "level_ladder": st.sampled_from([[], ["2", "6", "T", "A"], ["3", "A"]]),
    "points_per_level": st.sampled_from([None, 5, 10, 20, 40, 60, 80]),
    "must_play": st.lists(st.sampled_from(RANKS), unique=True, max_size=4),
    "hooks": st.sampled_from([{}, {"J": "2", "Q": "6", "A": "J"}, {"3": "2"}]),
}


def value_of(name: str) -> st.SearchStrategy[Any]:
    option = OPTIONS[name]
    return st.sampled_from(option.values) if option.values else DRAWN[name]


def options_of(ruleset: str) -> st.SearchStrategy[dict[str, Any]]:
    names = sorted(name for name, option in OPTIONS.items() if ruleset in option.applies)
    return st.lists(st.sampled_from(names), unique=True, max_size=8).flatmap(
        lambda chosen: st.fixed_dictionaries({name: value_of(name) for name in chosen})
    )


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_round_loses_no_card_and_no_point_and_never_sticks(ruleset: str, players: int, seed: int) -> None:
    driver = Driver(ruleset, players, seed=seed)
    watch = Watch(driver, sampled=5)
    driver.throws = 0.3 * (seed == 2)
    assert len(list(driver.rounds(1))) == 1
    assert watch.rounds_scored == (ruleset != "arms_length")


@pytest.mark.parametrize("ruleset", ["zhaopengyou_80", "shengji", "tractor", "sishifen", "arms_length"])
def test_a_timed_deal_loses_nothing_either(ruleset: str) -> None:
    options = {} if ruleset == "arms_length" else {"deal_pace": "timed"}
    driver = Driver(ruleset, RULESETS[ruleset].players[0], options, seed=3)
    Watch(driver, sampled=5)
    assert len(list(driver.rounds(2))) == 2


@settings(max_examples=settings.default.max_examples // 5, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_options_that_are_accepted_can_be_played(data: st.DataObject) -> None:
    ruleset, players = data.draw(st.sampled_from([size for size in SIZES if size[0] != "arms_length"]))
    overrides = data.draw(options_of(ruleset))
    try:
        effective_options(ruleset, players, overrides)
    except InvalidOption:
        assume(False)
    driver = Driver(ruleset, players, overrides, seed=data.draw(st.integers(0, 1000)), ai_pace_ms=0)
    driver.throws = 0.3
    Watch(driver, sampled=20)
    for _ in driver.rounds(2):
        pass
    game = record.game_log(driver.log, driver.state["game"]["id"])
    assert replay.check(record.record(game, driver.now))["ok"]


def levels_before_the_end(driver: Driver) -> list[str]:
    """Return the levels at which the last round was played."""
    changes = [event["data"]["seats"] for event in driver.log if event["type"] == "levels_changed"][-1]
    before = {change["seat"]: change["from"] for change in changes}
    return [before.get(seat, place["level"]) for seat, place in enumerate(driver.state["seats"])]


@pytest.mark.parametrize("ruleset", [name for name in RULESETS if name != "arms_length"])
def test_a_game_ends_when_somebody_passes_the_last_level_and_they_win_it(ruleset: str) -> None:
    rules = RULESETS[ruleset]
    # From nine up: as long a way as it takes to pass every kind of end, and no longer.
    driver = Driver(ruleset, rules.players[0], {"start_level": "9"}, seed=7)
    Watch(driver, sampled=200)
    results = [state["round"]["result"] for state in driver.rounds(1_000)]
    state = driver.state
    assert state["status"] == "finished"
    assert driver.log[-1]["data"] == {"winners": state["game"]["winners"], "reason": "passed_last_level"}
    assert len(results) == state["game"]["round"] == len(state["game"]["results"])
    last = results[-1]
    at_the_end = state["options"]["last_level"]
    at_the_top = [seat for seat, level in enumerate(levels_before_the_end(driver)) if level == at_the_end]
    gained = [seat for seat, side in enumerate(last["sides"]) if side == last["side"]]
    assert set(state["game"]["winners"]) <= set(gained)
    if state["options"]["last_level_by"] == "declarers_there":
        assert last["side"] == "declarers"
        assert state["game"]["winners"] == [seat for seat in gained if seat in at_the_top]
    else:
        assert set(state["game"]["winners"]) >= {seat for seat in gained if seat in at_the_top}
    assert all(state["seats"][seat]["level"] == at_the_end for seat in state["game"]["winners"])


def test_a_game_of_arms_length_ends_after_four_rounds_with_the_higher_total() -> None:
    driver = Driver("arms_length", 4, seed=7)
    rounds = [state["game"]["results"][-1]["scores"] for state in driver.rounds(1_000)]
    assert len(rounds) == 4
    totals = [sum(each) for each in zip(*rounds, strict=True)]
    assert driver.state["game"]["scores"] == totals
    ahead = [seat for seat in range(4) if totals[seat % 2] == max(totals)]
    assert driver.log[-1]["data"] == {"winners": ahead, "reason": "four_rounds"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_another_game_begins_afresh_at_the_same_table(ruleset: str) -> None:
    level = {} if ruleset == "arms_length" else {"start_level": "A"}
    driver = Driver(ruleset, RULESETS[ruleset].players[0], level, seed=7)
    for _ in driver.rounds(1_000):
        pass
    first = driver.state["game"]["id"]
    for seat in range(driver.state["players"]):
        assert driver.state["status"] == "finished"
        driver.do(seat, type="ready")
    assert driver.state["status"] == "playing"
    assert driver.state["game"]["id"] != first
    assert table_of_game(first) == driver.state["id"]
    assert {seat["level"] for seat in driver.state["seats"]} == {level.get("start_level", "2")}
    assert len(list(driver.rounds(1))) == 1


def test_trump_ranks_follow_the_level_of_the_declarer() -> None:
    driver = Driver("shengji", 4, seed=11)
    for state in driver.rounds(8):
        level = next(event["data"]["level"] for event in reversed(driver.log) if event["type"] == "round_opened")
        assert state["round"]["trump"]["rank"] == rank_of_level(level)


def test_every_event_of_a_round_tells_its_number() -> None:
    driver = Driver("shengji", 4, seed=12)
    assert len(list(driver.rounds(3))) == 3
    number = None
    for event in driver.log:
        told = redact(event, 0, "shengji")
        if event["type"] == "round_opened":
            number = told["data"]["number"]
        assert told["round"] == number


def test_rules_that_are_kept_are_those_of_the_round_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_rules, "_RULES_KEPT", 1)
    driver = Driver("shengji", 4, seed=11)
    for state in driver.rounds(4):
        trump, rules = Trump(**state["round"]["trump"]), rules_of(state)
        assert rules is trick_rules(trump, state["options"], frozenset())
        assert rules_of(state) is rules
        # Another table with the same trump in mind, and other options.
        other = {**state, "options": state["options"] | {"protect_larger": not state["options"]["protect_larger"]}}
        assert rules_of(other) is trick_rules(trump, other["options"], frozenset()) is not rules
        assert len(table_rules._rules) == 1


def test_every_kind_of_event_is_known_to_the_redactor() -> None:
    from service.game.views.redaction import _REDACTORS

    assert set(_REDACTORS) == EVENT_TYPES
