"""Tables and records without the options that a release adds are stored as the release before stored them."""

import random
from typing import Any

import pytest

from harness.driver import Driver
from harness.options import VALUES
from service.common.errors import InvalidOption
from service.game.events.evolve import fold
from service.game.events.needs import NEEDS
from service.game.records import record
from service.game.state.rules import options_of
from service.rules.games import RULESETS
from service.rules.options.rulesets import effective_options, renewed
from service.rules.options.storing import stored
from service.rules.options.table import OPTIONS
from tests.game.test_needs import RECORDED

#: Options that release 0.3 does not know.
NEW = {name: option for name, option in OPTIONS.items() if option.since}
#: The names of options that release 0.3 knows.
KNOWN = {part.split(".")[1] for part in RECORDED["table_created"] if part.startswith("options.") and "=" not in part}
GAMES = [(name, players) for name, rules in RULESETS.items() for players in rules.players]
#: Options that need release 0.4, as chosen, and a table for them.
NEEDED: list[tuple[str, int, dict[str, Any]]] = [
    ("shengji", 4, {"joker_beside": "matching"}),
    ("shengji", 4, {"joker_beside": "any"}),
    ("shengji", 4, {"jokers_open": False}),
    ("zhaopengyou", 6, {"overcall_rank": "first"}),
    ("shengji", 4, {"chao_di": True, "suit_order": "diamonds_over_clubs"}),
    ("shengji", 4, {"no_declaration": "fourth_kitty_card"}),
    ("shengji", 4, {"no_declaration": "first_kitty_card", "turned_joker": "names_suit"}),
    ("zhaopengyou", 5, {"friend_by": "shown_card"}),
    ("shengji", 4, {"hooks": {"J": "2"}, "hook_fall": "by_cards"}),
    ("shengji", 4, {"take_back_level": True}),
    ("shengji", 4, {"level_ladder": ["2", "5", "T"]}),
    ("shengji", 4, {"points_per_level": 25}),
]
#: Options that release 0.3 plays the same.
UNDERSTOOD: list[tuple[str, int, dict[str, Any]]] = [
    ("shengji", 4, {"points_per_level": 20, "level_ladder": ["2", "5", "A"], "last_level": "NT"}),
    ("shengji", 4, {"decks": 5, "kitty_size": 8, "points_per_level": 25}),
    ("shengji", 4, {"points_per_level": 25, "steps_to_win": 3}),
    ("zhaopengyou", 6, {"active_passive": True}),
    ("shengji", 4, {"no_declaration": "first_kitty_card", "hooks": {"J": "2"}, "chao_di": True}),
]


@pytest.mark.parametrize(("ruleset", "players"), GAMES, ids=str)
def test_a_table_without_new_options_is_stored_as_release_0_3_stores_it(ruleset: str, players: int) -> None:
    driver = Driver(ruleset, players, seed=3)
    created = driver.log[0]["data"]
    assert created["options"].keys() <= KNOWN
    assert "options_need" not in created
    assert "needs" not in driver.state
    assert options_of(driver.state) == renewed(ruleset, driver.log[0]["data"]["options"])


@pytest.mark.parametrize(("ruleset", "players", "options"), NEEDED, ids=str)
def test_a_table_with_a_new_option_needs_the_release_that_knows_it(
    ruleset: str, players: int, options: dict[str, Any]
) -> None:
    driver = Driver(ruleset, players, options, seed=3)
    assert driver.state["needs"] == "0.4"
    assert all(options_of(driver.state)[name] == value for name, value in options.items())


@pytest.mark.parametrize(("ruleset", "players", "options"), UNDERSTOOD, ids=str)
def test_a_table_with_options_of_release_0_3_needs_no_later_one(
    ruleset: str, players: int, options: dict[str, Any]
) -> None:
    assert "needs" not in Driver(ruleset, players, options, seed=3).state


@pytest.mark.parametrize(("ruleset", "players", "options"), NEEDED, ids=str)
def test_a_table_that_changes_to_a_new_option_needs_the_release_that_knows_it(
    ruleset: str, players: int, options: dict[str, Any]
) -> None:
    driver = Driver(ruleset, players, seed=3, start=False)
    driver.do(0, type="settings", changes={"options": {"misdeal": {"no_points": True}}}, version=None)
    assert "needs" not in driver.state
    assert driver.log[-1]["data"]["changes"]["options"].keys() <= KNOWN
    driver.do(0, type="settings", changes={"options": options}, version=None)
    assert driver.state["needs"] == "0.4"
    assert options_of(driver.state) == effective_options(ruleset, players, options)
    assert fold(driver.log) == driver.state


@pytest.mark.parametrize(("ruleset", "players"), GAMES, ids=str)
def test_what_is_stored_gives_all_options_again(ruleset: str, players: int) -> None:
    random_ = random.Random(f"{ruleset}{players}")
    names = [name for name, option in OPTIONS.items() if ruleset in option.applies]
    count = 0
    for _ in range(60):
        chosen = random_.sample(names, min(len(names), 4))
        overrides = {name: random_.choice(VALUES.get(name) or list(OPTIONS[name].values)) for name in chosen}
        try:
            options = effective_options(ruleset, players, overrides)
        except InvalidOption:
            continue
        count += 1
        assert renewed(ruleset, stored(ruleset, options)) == options
        assert effective_options(ruleset, players, stored(ruleset, options)) == options, "of a record"
    assert count


def test_the_record_of_a_game_without_new_options_holds_none() -> None:
    driver = Driver("shengji", 4, seed=3)
    for _ in driver.rounds(1):
        pass
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert game_record["options"].keys() <= KNOWN


def test_each_new_option_has_a_row_for_the_release_that_first_knows_it() -> None:
    assert NEW.keys() == OPTIONS.keys() - KNOWN
    for event, path in (("table_created", "options"), ("settings_changed", "changes.options")):
        assert {name: NEEDS[event][f"{path}.{name}"] for name in NEW} == {
            name: option.since for name, option in NEW.items()
        }
