"""Whole rounds and games with random players: no card or point is lost, no table is stuck, and games end correctly."""

import pytest

from harness.driver import Driver
from service.game.events.evolve import EVENT_TYPES
from service.game.ids import table_of_game
from service.game.state import rules as table_rules
from service.game.state.rules import rules_of
from service.game.views.redaction import redact
from service.rules.options.rulesets import RULESETS
from service.rules.rounds.levels import rank_of_level
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import Trump
from tests.game.watch import Watch
from tests.support.sorting import by_day, ends_of

SIZES = [(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players]


@pytest.mark.parametrize(("ruleset", "players"), by_day(ends_of(SIZES), SIZES))
def test_a_round_loses_no_card_and_no_point_and_is_never_stuck(ruleset: str, players: int) -> None:
    driver = Driver(ruleset, players, seed=2)
    watch = Watch(driver, sampled=5)
    driver.throws = 0.3
    assert len(list(driver.rounds(1))) == 1
    assert watch.rounds_scored == (ruleset != "arms_length")


@pytest.mark.parametrize("ruleset", ["zhaopengyou_80", "shengji", "tractor", "sishifen", "arms_length"])
def test_a_round_with_a_timed_deal_loses_no_card_and_no_point(ruleset: str) -> None:
    options = {} if ruleset == "arms_length" else {"deal_pace": "timed"}
    driver = Driver(ruleset, RULESETS[ruleset].players[0], options, seed=3)
    Watch(driver, sampled=5)
    assert len(list(driver.rounds(2))) == 2


def levels_before_the_end(driver: Driver) -> list[str]:
    """Return the levels at which the last round was played."""
    changes = [event["data"]["seats"] for event in driver.log if event["type"] == "levels_changed"][-1]
    before = {change["seat"]: change["from"] for change in changes}
    return [before.get(seat, place["level"]) for seat, place in enumerate(driver.state["seats"])]


@pytest.mark.parametrize("ruleset", [name for name in RULESETS if name != "arms_length"])
def test_whoever_passes_the_last_level_wins_the_game(ruleset: str) -> None:
    rules = RULESETS[ruleset]
    # It starts at nine: long enough for all kinds of ends, and no longer.
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
def test_another_game_at_the_same_table_starts_from_the_first_level(ruleset: str) -> None:
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


def test_every_event_of_a_round_names_its_number() -> None:
    driver = Driver("shengji", 4, seed=12)
    assert len(list(driver.rounds(3))) == 3
    number = None
    for event in driver.log:
        data = redact(event, 0, "shengji")
        if event["type"] == "round_opened":
            number = data["data"]["number"]
        assert data["round"] == number


def test_cached_rules_are_those_of_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_rules, "_RULES_KEPT", 1)
    driver = Driver("shengji", 4, seed=11)
    for state in driver.rounds(4):
        trump, rules = Trump(**state["round"]["trump"]), rules_of(state)
        assert rules is trick_rules(trump, state["options"], frozenset())
        assert rules_of(state) is rules
        # Another table with the same trump and other options.
        other = {**state, "options": state["options"] | {"protect_larger": not state["options"]["protect_larger"]}}
        assert rules_of(other) is trick_rules(trump, other["options"], frozenset()) is not rules
        assert len(table_rules._rules) == 1


def test_the_redactor_knows_every_type_of_event() -> None:
    from service.game.views.redaction import _REDACTORS

    assert set(_REDACTORS) == EVENT_TYPES
