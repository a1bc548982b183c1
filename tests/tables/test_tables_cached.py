"""Acting on cached states saves a read and gives the same result."""

import copy
from typing import Any

import pytest

from harness.memory import MemoryTableStore
from harness.tables import House, consistent
from service.common.errors import Refusal
from service.common.interruptions import Interruptions
from service.game.commands.decide import decide
from service.game.errors import NotFound, StaleDecision
from service.game.state.fallback import fallback_action
from service.store.port import Snapshot, StoreUnavailable
from service.tables import Tables


class Counting(MemoryTableStore):
    """A store that counts reads of snapshots."""

    loads = 0

    def load(self, table: str) -> Snapshot | None:
        self.loads += 1
        return super().load(table)


@pytest.fixture
def house() -> House:
    return House(Counting)


def another_process(house: House) -> Tables:
    return Tables(house.store.of_another_process(), now=house.clock)


def passing(house: House, table: str) -> dict[str, Any]:
    """Return the command with which the seat asked passes."""
    decision = house.state(table)["decision"]
    return {"type": "pass", "player": f"p{decision['seats'][0]}", "decision_id": decision["id"]}


def loads_of(house: House, tables: Tables, table: str, command: dict[str, Any]) -> int:
    before = tables.store.loads
    tables.act(table, command)
    return int(tables.store.loads - before)


def test_the_process_that_wrote_last_does_not_load_the_table_for_the_next_action(house):
    table = house.table()
    assert loads_of(house, house.tables, table, passing(house, table)) == 0
    assert loads_of(house, another_process(house), table, passing(house, table)) == 1
    # That was another process, so this one's cached state is outdated, as its decision shows.
    assert loads_of(house, house.tables, table, passing(house, table)) == 1
    consistent(house, table)


def test_the_cached_state_equals_the_stored_one(house):
    table = house.table()
    while (state := house.state(table))["decision"]["kind"] != "ready":
        seat = state["decision"]["seats"][0]
        command = {
            **fallback_action(state, seat),
            "player": f"p{seat}",
            "decision_id": state["decision"]["id"],
        }
        assert loads_of(house, house.tables, table, command) == 0
        assert house.store.cached(table) == house.state(table)
    consistent(house, table)


def test_concurrent_changes_of_others_are_not_lost(house):
    table = house.table()
    command = passing(house, table)
    other = another_process(house)
    other.act(table, {"type": "presence", "player": "p1", "presence": "away"})
    outcome = house.tables.act(table, command)
    assert outcome.events[0]["type"] == "passed"
    assert outcome.state == house.state(table)
    assert outcome.state["seats"][1]["presence"] == "away"
    consistent(house, table)


@pytest.mark.parametrize("is_cached", [True, False])
def test_nobody_can_act_while_redis_accepts_no_heartbeat(house, is_cached):
    table = house.table(options={"deal_pace": "timed"})
    command, before = passing(house, table), house.state(table)
    stopped = house.clock.now
    house.clock.now += 60_000
    store = house.store if is_cached else house.store.of_another_process()
    tables = Tables(store, now=house.clock, interrupted=lambda: Interruptions(stopped))
    assert (tables.store.cached(table) is not None) == is_cached
    with pytest.raises(StoreUnavailable, match="no sign of life"):
        tables.act(table, command)
    assert house.state(table) == before


def test_a_refusal_is_based_on_the_current_table(house):
    table = house.table()
    command = passing(house, table)
    another_process(house).act(table, command)
    with pytest.raises(StaleDecision) as refusal:
        house.tables.act(table, {**command, "type": "declare", "cards": []})
    assert refusal.value.params["open"] == house.state(table)["decision"]["id"]


def test_a_retry_after_another_process_gets_the_current_table(house):
    table = house.table()
    command = passing(house, table)
    other = another_process(house)
    first = other.act(table, command)
    other.act(table, passing(house, table))
    again = house.tables.act(table, command)
    assert again.events == first.events
    assert again.state == house.state(table)


def test_a_deleted_table_is_not_found_even_if_it_is_cached(house):
    table = house.table()
    command = passing(house, table)
    house.store.delete(table)
    with pytest.raises(NotFound):
        house.tables.act(table, command)
    assert house.store.load(table) is None


def test_a_store_that_lost_its_last_writes_is_detected(house):
    table = house.table()
    before = copy.deepcopy(house.store._tables[table])
    house.tables.act(table, {"type": "presence", "player": "p1", "presence": "away"})
    house.tables.act(table, passing(house, table))
    cached = house.state(table)
    house.store._tables[table] = before
    other = another_process(house)
    other.act(table, {"type": "presence", "player": "p2", "presence": "away"})
    other.act(table, passing(house, table))
    now = house.state(table)
    assert now["version"] == cached["version"]
    assert now["decision"]["id"] == cached["decision"]["id"]
    assert now != cached
    house.tables.act(table, passing(house, table))
    consistent(house, table)


@pytest.fixture
def decisions(monkeypatch):
    """The versions of the table at which commands were decided."""
    versions = []

    def counted(state, *rest):
        versions.append(state["version"])
        return decide(state, *rest)

    monkeypatch.setattr("service.tables.tables.decide", counted)
    return versions


def test_a_refused_command_is_decided_once(house, decisions):
    table = house.table()
    command = {**passing(house, table), "type": "declare", "cards": []}
    version = house.state(table)["version"]
    assert house.store.cached(table)["version"] == version
    decisions.clear()
    with pytest.raises(Refusal) as cached:
        house.tables.act(table, command)
    assert decisions == [version]
    with pytest.raises(type(cached.value)) as stored:
        another_process(house).act(table, command)
    assert cached.value.params == stored.value.params
    consistent(house, table)


def test_a_refusal_on_an_outdated_table_is_decided_again(house, decisions):
    table = house.table()
    command = {**passing(house, table), "type": "declare", "cards": []}
    another_process(house).act(table, {"type": "presence", "player": "p1", "presence": "away"})
    version = house.state(table)["version"]
    decisions.clear()
    with pytest.raises(Refusal):
        house.tables.act(table, command)
    assert decisions == [version - 1, version]


def test_a_refusal_does_not_outlive_writes_that_the_store_lost(house, decisions):
    table = house.table()
    command = {**passing(house, table), "type": "declare", "cards": []}
    before = copy.deepcopy(house.store._tables[table])
    house.tables.act(table, {"type": "presence", "player": "p1", "presence": "away"})
    house.store._tables[table] = before
    another_process(house).act(table, {"type": "presence", "player": "p2", "presence": "away"})
    version = house.state(table)["version"]
    assert house.store.cached(table)["version"] == version
    decisions.clear()
    with pytest.raises(Refusal):
        house.tables.act(table, command)
    assert decisions == [version, version]


def test_a_retry_while_its_decision_is_open_gets_the_current_table(house):
    table = house.table()
    while (state := house.state(table))["decision"]["kind"] != "ready":
        seat, decision = state["decision"]["seats"][0], state["decision"]["id"]
        house.tables.act(table, {**fallback_action(state, seat), "player": f"p{seat}", "decision_id": decision})
    ready = {"type": "ready", "decision_id": state["decision"]["id"]}
    house.tables.act(table, {**ready, "player": "p0"})
    another_process(house).act(table, {**ready, "player": "p1"})
    again = house.tables.act(table, {**ready, "player": "p0"})
    assert again.events == []
    assert again.state == house.state(table)
