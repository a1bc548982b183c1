"""What viewers see of an event is what its row says."""

from collections.abc import Iterator
from typing import get_type_hints

import pytest

from harness.driver import Driver
from service.game.events.catalogue import ROWS
from service.game.views import redaction
from service.game.views.types import OPEN
from service.rules.options.rulesets import RULESETS
from tests.game.test_types import DATA_TYPES

#: Fields that are shown and not stored; `redact` and `tell` add them.
ADDED = {"id", "remaining_ms", "hints"}
PLAIN = [row for name, row in ROWS.items() if name not in redaction._BY_HAND]


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: row.name)
def test_a_row_without_a_function_names_fields_of_the_data(row):
    stored = set(get_type_hints(DATA_TYPES[row.name]))
    constants = {name for name, field in row.fields.items() if field.value is not None or field.count_of}
    assert {field.attributes.get("data_key", name) for name, field in row.fields.items()} <= stored | constants | ADDED
    # The field itself may be hidden only from seats that are not the event's.
    assert "seat" in stored or all(field.to == "all" for field in row.fields.values())
    assert all(field.count_of in stored for field in row.fields.values() if field.count_of)


def fields_of(ruleset: str) -> Iterator[tuple[str, set[str]]]:
    players = RULESETS[ruleset].players[0]
    driver = Driver(ruleset, players, seed=5, chat=True, take_back=True)
    driver.throws = 0.5
    list(driver.rounds(2))
    for event in driver.log:
        for viewer in (0, 1, None, OPEN):
            yield event["type"], set(redaction.redact(event, viewer, ruleset)["data"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_event_shows_a_field_that_its_row_does_not_name(ruleset):
    for event, names in fields_of(ruleset):
        row = ROWS[event]
        named = {field.attributes.get("data_key", name) for name, field in row.fields.items()}
        if not row.base:
            assert names <= named, event


def test_a_field_for_the_own_seat_alone_is_shown_to_nobody_else():
    data = {"seat": 1, "road": "S", "cards": [3, 4], "overcalls": None}
    see = {
        "road_stated": {1: {"seat", "road"}, OPEN: {"seat"}},
        "discarded": {1: {"seat", "count", "cards"}, OPEN: {"seat", "count", "cards"}, 0: {"seat", "count"}},
    }
    for event, rights in see.items():
        for viewer in (0, 1, 2, None, OPEN):
            names = set(redaction._REDACTORS[event](data, viewer))
            assert names == rights.get(viewer, {"seat"} if event == "road_stated" else {"seat", "count"})
