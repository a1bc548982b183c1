"""What a process remembers of the tables it has written: it saves a read, and nobody can tell."""

import copy
from typing import Any

import pytest

from harness.memory import MemoryTableStore
from service import tables as use_cases
from service.game.errors import NotFound, StaleDecision
from service.game.state.fallback import fallback_action
from service.store.port import Stored
from service.tables import Tables
from tests.tables import Clock, House, consistent


class Counting(MemoryTableStore):
    """A store that counts how often a snapshot is read."""

    loads = 0

    def load(self, table: str) -> Stored | None:
        self.loads += 1
        return super().load(table)


@pytest.fixture
def house() -> House:
    clock = Clock()
    house = House(Counting(clock))
    house.clock = clock
    house.tables = another_process(house)
    return house


def another_process(house: House) -> Tables:
    return Tables(house.store, now=house.clock)


def passing(house: House, table: str) -> dict[str, Any]:
    """Return the command with which the seat that is asked passes."""
    decision = house.state(table)["decision"]
    return {"type": "pass", "player": f"p{decision['seats'][0]}", "decision_id": decision["id"]}


def loads_of(house: House, tables: Tables, table: str, command: dict[str, Any]) -> int:
    before = house.store.loads
    tables.act(table, command)
    return int(house.store.loads - before)


def test_who_wrote_last_needs_no_look_at_the_store_for_the_next_action(house):
    table = house.table()
    assert loads_of(house, house.tables, table, passing(house, table)) == 0
    assert loads_of(house, another_process(house), table, passing(house, table)) == 1
    # That was another process: this one's memory is out of date, and it can tell by the decision.
    assert loads_of(house, house.tables, table, passing(house, table)) == 1
    consistent(house, table)


def test_what_is_remembered_is_what_is_stored(house):
    table = house.table()
    while (state := house.state(table))["decision"]["kind"] != "ready":
        seat = state["decision"]["seats"][0]
        command = {
            **fallback_action(state, seat),
            "player": f"p{seat}",
            "decision_id": state["decision"]["id"],
        }
        assert loads_of(house, house.tables, table, command) == 0
        assert house.tables.remembered == {table: house.state(table)}
    consistent(house, table)


def test_what_others_did_meanwhile_is_not_lost(house):
    table = house.table()
    command = passing(house, table)
    other = another_process(house)
    other.act(table, {"type": "presence", "player": "p1", "presence": "away"})
    outcome = house.tables.act(table, command)
    assert outcome.events[0]["type"] == "passed"
    assert outcome.state == house.state(table)
    assert outcome.state["seats"][1]["presence"] == "away"
    consistent(house, table)


def test_a_refusal_tells_of_the_table_as_it_is_now(house):
    table = house.table()
    command = passing(house, table)
    another_process(house).act(table, command)
    with pytest.raises(StaleDecision) as refusal:
        house.tables.act(table, {**command, "type": "declare", "cards": []})
    assert refusal.value.params["open"] == house.state(table)["decision"]["id"]


def test_a_retry_of_what_another_process_did_is_answered_with_the_table_as_it_is_now(house):
    table = house.table()
    command = passing(house, table)
    other = another_process(house)
    first = other.act(table, command)
    other.act(table, passing(house, table))
    again = house.tables.act(table, command)
    assert again.events == first.events
    assert again.state == house.state(table)


def test_a_table_that_is_gone_is_not_found_though_it_is_remembered(house):
    table = house.table()
    command = passing(house, table)
    house.store.delete(table)
    with pytest.raises(NotFound):
        house.tables.act(table, command)
    assert house.store.load(table) is None


def test_a_store_that_lost_its_last_moments_is_not_taken_for_the_one_that_had_them(house):
    table = house.table()
    before = copy.deepcopy(house.store._tables[table])
    house.tables.act(table, {"type": "presence", "player": "p1", "presence": "away"})
    house.tables.act(table, passing(house, table))
    remembered = house.state(table)
    house.store._tables[table] = before
    other = another_process(house)
    other.act(table, {"type": "presence", "player": "p2", "presence": "away"})
    other.act(table, passing(house, table))
    now = house.state(table)
    assert now["version"] == remembered["version"]
    assert now["decision"]["id"] == remembered["decision"]["id"]
    assert now != remembered
    house.tables.act(table, passing(house, table))
    consistent(house, table)


def test_a_process_remembers_so_many_tables_and_no_more(house, monkeypatch):
    monkeypatch.setattr(use_cases, "_MOST_RECENT", 2)
    tables = [house.table() for _ in range(3)]
    assert [loads_of(house, house.tables, table, passing(house, table)) for table in reversed(tables)] == [0, 0, 1]
