"""States, events, views and records match their types, in whole rounds of every ruleset."""

import inspect
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest
from typeguard import CollectionCheckStrategy, TypeCheckError, check_type

from harness.driver import Driver
from service.game.events.catalogue import ROWS
from service.game.events.types import Event
from service.game.records.record import game_log, record
from service.game.records.types import Record
from service.game.state.types import State
from service.game.views.redaction import redact
from service.game.views.types import EventView, View
from service.game.views.view import view
from service.rules.options.rulesets import RULESETS

#: Type of event -> type of its data, as declared by the function that evolves it.
DATA_TYPES = {
    name: next(
        hint
        for _, hint in zip(
            inspect.signature(row.evolve).parameters, list(get_type_hints(row.evolve).values())[:3], strict=True
        )
        if hint not in (State, Event)
    )
    for name, row in ROWS.items()
}


def of_type(value: Any, expected: Any) -> None:
    check_type(value, expected, collection_check_strategy=CollectionCheckStrategy.ALL_ITEMS)


def tables() -> Iterator[tuple[str, Driver]]:
    for ruleset in RULESETS:
        players = RULESETS[ruleset].players
        driver = Driver(ruleset, 5 if 5 in players else players[0], seed=3, chat=True, take_back=True)
        driver.throws = 0.5
        yield ruleset, driver


@pytest.mark.parametrize(("ruleset", "driver"), list(tables()), ids=list(RULESETS))
def test_states_events_views_and_records_match_their_types(ruleset: str, driver: Driver) -> None:
    steps = 0

    def check(at: Driver) -> None:
        nonlocal steps
        steps += 1
        if steps % 5 == 0 or at.state["decision"] is None or at.state["decision"]["kind"] != "play":
            of_type(at.state, State)
            for viewer in (0, None):
                of_type(view(at.state, viewer, at.now), View)

    driver.on_step = check
    assert len(list(driver.rounds(2))) == 2
    for event in driver.log:
        of_type(event, Event)
        of_type(event["data"], DATA_TYPES[event["type"]])
        of_type(redact(event, 1, ruleset), EventView)
    game = driver.state["game"]
    assert game is not None
    of_type(record(game_log(driver.log, game["id"]), driver.now), Record)


def test_every_type_of_event_has_a_type_of_data() -> None:
    assert {event["type"] for _, driver in tables() for event in driver.log} <= DATA_TYPES.keys()


def test_a_wrong_value_is_noticed() -> None:
    driver = Driver("shengji", 4)
    with pytest.raises(TypeCheckError):
        of_type({**driver.state, "host": 7}, State)
    with pytest.raises(TypeCheckError):
        of_type({**driver.state, "more": 7}, State)
    table_round = driver.state["round"]
    assert table_round is not None
    hands = [*table_round["hands"][:3], ["2S"]]
    with pytest.raises(TypeCheckError):
        of_type({**driver.state, "round": {**table_round, "hands": hands}}, State)
