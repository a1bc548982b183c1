"""Whatever an event may hold is understood by release 0.3, or says which release it needs."""

import json
from pathlib import Path
from typing import Final

import pytest

from harness.driver import Driver
from service.game.events.evolve import EVENT_TYPES, NO_TABLE, evolve, fold
from service.game.events.needs import NEEDS, is_understood, latest, needs_of, parts, understood
from service.game.views.view import view
from tests.game.understood import held_by_events

#: What release 0.3.0 understands: `held_by_events()` of its code.
RECORDED: Final = json.loads((Path(__file__).parent / "understood_by_0_3.json").read_text())
#: What came later and needs no row. `interval`: 0.3.0 reads the snapshots of these tables and plays on; only its folds
#: (spectators, replays) deal at the old pace for some seconds. With a row it would answer 500 for such tables, since it
#: has no gate.
HARMLESS: Final = {"declared": {"interval"}, "passed": {"interval"}}

CREATED: Final = {
    "seq": 1,
    "type": "table_created",
    "at": 1,
    "round": None,
    "by": "server",
    "tx": 1,
    "data": {
        "table": "tb_a",
        "ruleset": "shengji",
        "players": 4,
        "options": {},
        "host": "",
        "settings": {"clock": {"bank_ms": 0}, "visibility": "public"},
        "next_seed": "",
        "next_commitment": "",
    },
}


def chat(seq: int, **data: object) -> dict:
    message = {"seat": None, "name": "Lin", "text": "hi", "preset": None, **data}
    return {"seq": seq, "type": "chat", "at": seq, "round": None, "by": "player", "tx": seq, "data": message}


def without_row() -> dict[str, list[str]]:
    """Return type of event -> parts that release 0.3 does not know and no row names."""
    missing = {}
    for event, its in held_by_events().items():
        known = {*RECORDED.get(event, ()), *HARMLESS.get(event, ()), *NEEDS.get(event, {})}
        # A new type needs one row for all of it.
        if event not in RECORDED:
            known |= set(its) if "" in known else set()
        # A row for a field covers all values of it.
        left = [part for part in its if part not in known and part.partition("=")[0] not in NEEDS.get(event, {})]
        if left:
            missing[event] = left
    return missing


def test_what_release_0_3_does_not_understand_has_a_row():
    assert without_row() == {}, "add `Needs` to the rows in service/game/events"


def test_every_row_is_of_something_that_an_event_may_hold():
    held = held_by_events()
    assert held.keys() - {"*"} == EVENT_TYPES
    for event, row in NEEDS.items():
        assert row.keys() <= set(held[event])
        assert all(parts(release) > (0, 3) for release in row.values())


def test_a_type_or_a_field_or_a_value_without_a_row_is_found(monkeypatch):
    recorded = {event: its for event, its in RECORDED.items() if event != "chat"}
    recorded["passed"] = [part for part in recorded["passed"] if part != "kind"]
    recorded["table_created"] = [part for part in recorded["table_created"] if part != "ruleset=shengji"]
    monkeypatch.setattr("tests.game.test_needs.RECORDED", recorded)
    missing = without_row()
    assert missing.keys() == {"chat", "passed", "table_created"}
    assert (missing["passed"], missing["table_created"]) == (["kind"], ["ruleset=shengji"])
    monkeypatch.setitem(NEEDS, "chat", {"": "0.4"})
    monkeypatch.setitem(NEEDS, "passed", {"kind": "0.4"})
    monkeypatch.setitem(NEEDS, "table_created", {**NEEDS["table_created"], "ruleset=shengji": "0.5"})
    assert without_row() == {}


def test_a_table_needs_the_latest_release_that_any_of_its_events_needs(monkeypatch):
    monkeypatch.setitem(NEEDS, "chat", {"flag": "0.4", "text=ho": "0.10"})
    state = fold([CREATED, chat(2)])
    assert "needs" not in state
    state = evolve(state, chat(3, flag=True))
    assert state["needs"] == "0.4"
    state = evolve(state, chat(4, text="ho"))
    assert state["needs"] == "0.10"
    assert evolve(state, chat(5, flag=True))["needs"] == "0.10"


@pytest.mark.parametrize(
    ("part", "needed"),
    [
        ("", "0.4"),
        ("host", "0.4"),
        ("settings.visibility", "0.4"),
        ("settings.visibility=public", "0.4"),
        ("players=4", "0.4"),
        ("settings.visibility=private", ""),
        ("settings.none", ""),
        ("host.none", ""),
        ("none", ""),
    ],
)
def test_a_row_is_for_a_type_a_field_or_a_value(monkeypatch, part, needed):
    monkeypatch.setitem(NEEDS, "table_created", {part: "0.4"})
    assert needs_of(CREATED) == needed
    assert evolve(NO_TABLE, CREATED).get("needs", "") == needed


def test_releases_are_ordered_by_their_numbers(monkeypatch):
    assert latest([]) == ""
    assert latest(["0.4", "", "0.10", "0.4.1"]) == "0.10"
    monkeypatch.setattr("service.game.events.needs.NEEDS", {"chat": {"": "0.4"}, "dealt": {"pace": "0.10"}})
    assert understood() == "0.10"
    assert [is_understood(each) for each in ("", "0.3", "0.4", "0.10", "0.10.1", "0.11", "1.0")] == [
        *[True] * 4,
        *[False] * 3,
    ]


def test_nobody_is_told_what_a_table_needs(monkeypatch):
    monkeypatch.setitem(NEEDS, "chat", {"": "0.4"})
    driver = Driver("shengji", 4, seed=3)
    state = {**driver.state, "needs": "0.4"}
    assert view(state, 0, driver.now) == view(driver.state, 0, driver.now)
