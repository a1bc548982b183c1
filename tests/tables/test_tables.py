"""The use cases of a table: commands are applied once, due steps come first, spectators see the game with a delay."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.memory import MemoryTableStore
from harness.tables import START, House, at_once, choose, consistent
from service.api.visibility import Perspective
from service.game.errors import GameRunning, NotFound, SeatTaken, TableFull
from service.game.events.evolve import fold
from service.game.state import clock
from service.game.state.types import State
from service.store.port import VersionConflict
from service.tables import MOST_TRIES, Outcome, queue_for, wall_clock


@pytest.fixture
def house() -> House:
    return House()


# --- once ------------------------------------------------------------------------------------------------------------


def test_a_command_sent_by_many_threads_is_applied_exactly_once(house):
    table = house.table()
    state = house.state(table)
    seat, decision = state["decision"]["seats"][0], state["decision"]["id"]
    before = state["version"]
    command = {"type": "pass", "player": f"p{seat}", "decision_id": decision}
    outcomes = at_once(8, lambda _: house.tables.act(table, command))
    assert {outcome.seq for outcome in outcomes} == {house.state(table)["version"]}
    assert all(outcome.events == outcomes[0].events for outcome in outcomes)
    assert [event["type"] for event in house.log(table)[before:]] == ["passed", "decision_opened"]
    consistent(house, table)


def test_of_many_players_who_sit_down_only_as_many_succeed_as_there_are_seats(house):
    table = house.table(sit=False)

    def sit(number: int) -> Outcome:
        command = {"type": "sit", "player": f"p{number}", "kind": "bot", "name": "X"}
        return house.tables.act(table, command)

    outcomes = at_once(12, sit)
    assert sum(isinstance(outcome, Outcome) for outcome in outcomes) == 4
    assert sum(isinstance(outcome, TableFull) for outcome in outcomes) == 8
    consistent(house, table)


def test_of_many_players_who_take_one_seat_exactly_one_gets_it(house):
    table = house.table(sit=False)
    command = {"type": "sit", "kind": "bot", "name": "X", "seat": 2}
    outcomes = at_once(6, lambda number: house.tables.act(table, {**command, "player": f"p{number}"}))
    assert sum(isinstance(outcome, Outcome) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, SeatTaken) for outcome in outcomes) == 5


def test_players_who_become_ready_concurrently_start_one_game(house):
    table = house.table(sit=False)
    for seat in range(4):
        house.act(table, seat, "sit", kind="bot", name="X", seat=seat)
    at_once(4, lambda seat: house.tables.act(table, {"type": "ready", "player": f"p{seat}"}))
    types = [event["type"] for event in house.log(table)]
    assert types.count("seat_ready") == 4
    assert types.count("game_started") == types.count("round_opened") == 1
    consistent(house, table)


def test_roads_stated_concurrently_are_all_accepted(house):
    table = house.table("arms_length")
    decision = house.state(table)["decision"]["id"]

    def state_road(seat: int) -> Outcome:
        road = ("high", "low")[seat // 2]
        return house.tables.act(table, {"type": "road", "player": f"p{seat}", "decision_id": decision, "road": road})

    assert all(isinstance(outcome, Outcome) for outcome in at_once(4, state_road))
    assert len(house.state(table)["round"]["roads"]["set"]) == 4
    consistent(house, table)


def test_a_retry_gives_the_recorded_events(house):
    table = house.table()
    seat = house.state(table)["decision"]["seats"][0]
    decision = house.state(table)["decision"]["id"]
    first = house.act(table, seat, "pass")
    house.act(table, house.state(table)["decision"]["seats"][0], "pass")
    version = house.state(table)["version"]
    again = house.act(table, seat, "pass", decision_id=decision)
    assert again.events == first.events
    assert again.seq == first.seq
    assert again.state["version"] == house.state(table)["version"] == version


class Racing(MemoryTableStore):
    """A store where another process is faster for some time."""

    def __init__(self, now: Callable[[], int], lost: int) -> None:
        super().__init__(now, cached_tables=0)
        self.lost = lost
        self.armed = False

    def append(self, table: str, expected: int, *args: Any, **more: Any) -> None:
        if self.armed and self.lost:
            self.lost -= 1
            raise VersionConflict(table, expected, expected + 1)
        super().append(table, expected, *args, **more)


def racing(lost: int) -> tuple[House, str]:
    house = House(lambda clock: Racing(clock, lost))
    table = house.table()
    house.store.armed = True
    return house, table


def test_a_command_that_lost_a_race_is_decided_again():
    house, table = racing(lost=3)
    seat = house.state(table)["decision"]["seats"][0]
    assert house.act(table, seat, "pass").events[0]["type"] == "passed"
    consistent(house, table)


def test_a_command_that_always_loses_the_race_gives_up():
    house, table = racing(lost=MOST_TRIES)
    seat = house.state(table)["decision"]["seats"][0]
    with pytest.raises(VersionConflict):
        house.act(table, seat, "pass")


def test_a_read_succeeds_even_if_its_writes_always_conflict():
    house, table = racing(lost=MOST_TRIES)
    version = house.state(table)["version"]
    house.clock.now += 10**6
    assert house.tables.load(table)["version"] == version
    assert house.tables.load(table)["version"] > version


def test_a_job_that_lost_a_race_loads_the_table_again():
    house, table = racing(lost=2)
    house.clock.now += 10**6
    assert house.tables.advance(table, None, choose).steps == 1
    consistent(house, table)


# --- tables ----------------------------------------------------------------------------------------------------------


def test_an_unknown_table_is_not_found(house):
    for call in (
        lambda: house.tables.load("tb_x"),
        lambda: house.tables.act("tb_x", {"type": "leave", "player": "p0"}),
        lambda: house.tables.advance("tb_x", None, choose),
    ):
        with pytest.raises(NotFound) as caught:
            call()
        assert caught.value.params == {"what": "table", "id": "tb_x"}


def test_a_table_created_twice_with_one_id_exists_once(house):
    spec = {"ruleset": "shengji", "players": 4}
    first = house.tables.create({"id": "p0"}, spec, "tb_one")
    house.tables.act("tb_one", {"type": "sit", "player": "p0", "kind": "bot", "name": "X"})
    again = house.tables.create({"id": "p0"}, spec, "tb_one")
    assert again.events == first.events
    assert again.seq == 1
    assert again.state["version"] == 2
    with pytest.raises(VersionConflict):
        house.tables.create({"id": "p1"}, spec, "tb_one")


def test_the_lobby_lists_public_tables_that_wait_for_players(house):
    table = house.table(sit=False)
    house.table(sit=False, visibility="private")

    def listed() -> list[str]:
        return [entry.table for entry in house.store.listed(10)]

    assert listed() == [table]
    for seat in range(4):
        assert listed() == [table]
        house.act(table, seat, "sit", kind="bot", name="X")
    assert listed() == []
    house.act(table, 3, "leave")
    assert listed() == [table]
    house.act(table, 0, "close")
    assert listed() == []


def test_a_refusal_writes_nothing(house):
    table = house.table()
    before = (house.state(table), house.log(table), house.due_at(table))
    with pytest.raises(GameRunning):
        house.act(table, 0, "kick", seat=1)
    assert (house.state(table), house.log(table), house.due_at(table)) == before


# --- tables due ------------------------------------------------------------------------------------------------------


def test_a_read_does_what_is_due_first(house):
    table = house.table(options={"deal_pace": "timed"})
    house.clock.now += 4_000
    assert house.tables.load(table)["round"]["deal"]["count"] == 40
    assert house.state(table)["round"]["deal"]["count"] == 40
    house.clock.now += 60_000
    assert house.tables.load(table)["round"]["trump"] is not None
    consistent(house, table)


def test_a_command_does_what_is_due_first(house):
    table = house.table()
    seat = house.state(table)["decision"]["seats"][0]
    house.clock.now += 8_000 + 1_500
    outcome = house.act(table, (seat + 1) % 4, "ready")
    assert outcome.events == []
    assert house.state(table)["decision"]["seats"] == [(seat + 1) % 4]


def test_the_store_always_knows_when_a_table_is_due(house):
    table = house.table("zhaopengyou", 5, ai=2)

    def armed(state: State) -> bool:
        assert house.due_at(table) == clock.wake_at(state)
        return bool(state["round"]["phase"] == "scored")

    house.play_by_ai(table, armed)


def test_an_early_job_does_nothing(house):
    table = house.table()
    version = house.state(table)["version"]
    advanced = house.tables.advance(table, version, choose)
    assert (advanced.steps, advanced.version) == (0, version)
    assert advanced.wake_at == house.due_at(table)


def test_a_job_for_an_outdated_version_does_nothing(house):
    table = house.table()
    version = house.state(table)["version"]
    house.act(table, house.state(table)["decision"]["seats"][0], "pass")
    house.clock.now += 10**6
    assert house.tables.advance(table, version, choose).steps == 0
    assert house.tables.advance(table, version + 2, choose).steps == 1


def test_a_table_that_waits_for_nothing_is_not_due(house):
    table = house.table(sit=False)
    assert house.due_at(table) is None
    assert house.tables.advance(table, None, choose).wake_at is None


# --- spectators ------------------------------------------------------------------------------------------------------


def seen_by_a_spectator(house, table):
    """The table as seen by a spectator."""
    return Perspective.of(house.tables, house.state(table), "pl_stranger").visible_table


def test_spectators_see_a_game_after_the_delay(house):
    table = house.table(spectators="delayed", spectator_delay_ms=30_000, clock={"declare_ms": 600_000})
    house.clock.now += 20_000
    house.act(table, house.state(table)["decision"]["seats"][0], "pass")
    events = seen_by_a_spectator(house, table)
    # The game began less than the delay ago, so spectators see the table before it.
    assert events["status"] == "lobby"
    assert [seat["occupant"]["name"] for seat in events["seats"]] == ["Bot 0", "Bot 1", "Bot 2", "Bot 3"]
    house.clock.now = START + 31_000
    events = seen_by_a_spectator(house, table)
    assert events["round"]["passes"] == []
    assert events["version"] < house.state(table)["version"]
    house.clock.now += 30_000
    assert seen_by_a_spectator(house, table) == house.state(table)


def test_events_of_a_game_become_visible_to_spectators_after_the_delay(house):
    table = house.table(spectators="delayed", spectator_delay_ms=30_000, clock={"declare_ms": 600_000})
    started = house.state(table)["game"]["started_seq"]
    house.clock.now += 20_000
    house.act(table, house.state(table)["decision"]["seats"][0], "pass")
    now, log = house.state(table), house.log(table)
    house.clock.now = START + 29_999
    assert [event["seq"] for event in house.tables.watched(now, log)] == list(range(1, started))
    house.clock.now = START + 30_000
    events = house.tables.watched(now, log)
    assert events[-1]["seq"] == house.tables.watched_table(now)["version"] == log[-3]["seq"]
    house.clock.now = START + 49_999
    assert house.tables.watched(now, log) == events
    house.clock.now = START + 50_000
    assert house.tables.watched(now, log) == log


def test_open_hands_are_hidden_until_the_round_is_over_however_long_it_takes(house):
    table = house.table("arms_length", ai=3, spectators="open", spectator_delay_ms=0, clock={"ready_ms": 600_000})
    states, logs = {}, {}
    for phase in ("playing", "scored"):
        house.play_by_ai(table, lambda state, phase=phase: state["round"]["phase"] == phase)
        states[phase], logs[phase] = house.state(table), house.log(table)
    house.act(table, 0, "ready")
    house.clock.now += 3_600_000

    playing, opened = states["playing"], states["playing"]["round"]["opened_seq"]
    assert house.tables.watched(playing, logs["playing"]) == logs["playing"][: opened - 1]
    # States of earlier releases lack the opening of the round, so everything since the start of the game is hidden.
    old = {**playing, "round": {name: value for name, value in playing["round"].items() if name != "opened_seq"}}
    assert house.tables.watched(old, logs["playing"]) == logs["playing"][: playing["game"]["started_seq"] - 1]

    # The next round has begun between the reads of the state and of the log.
    scored = states["scored"]
    assert house.log(table)[scored["version"] + 1]["type"] == "round_opened"
    assert house.tables.watched_table(scored) == scored
    assert house.tables.watched(scored, house.log(table)) == logs["scored"]
    # Nor does anybody see the data shown to somebody else.
    assert house.tables.watched_table(playing) == fold(logs["playing"][: opened - 1])


def test_watching_reads_only_newly_visible_events_not_the_whole_log(house, monkeypatch):
    table = house.table("arms_length", ai=4, sit=True, spectators="delayed", spectator_delay_ms=2_000, ai_pace_ms=100)
    seen_by_a_spectator(house, table)
    read, events = [], house.store.events

    def counted(*arguments):
        events_read = events(*arguments)
        read.append(len(events_read))
        return events_read

    while house.state(table)["version"] < 300:
        house.clock.now = house.due_at(table)
        house.tables.advance(table, None, choose)
        with monkeypatch.context() as patch:
            patch.setattr(house.store, "events", counted)
            watched_events = seen_by_a_spectator(house, table)
        assert watched_events == fold(house.log(table)[: watched_events["version"]])
    assert len(read) > 100
    assert max(read) <= 64


def test_the_cached_state_of_spectators_is_void_if_the_log_has_another_history(house):
    table = house.table(spectators="delayed", spectator_delay_ms=0)
    seen_by_a_spectator(house, table)
    house.tables._spectators._watched[table] = house.tables._spectators._watched[table]._replace(
        state={**house.state(table), "host": "p_lost"}, last={**house.log(table)[-1], "at": 1}
    )
    assert seen_by_a_spectator(house, table) == house.state(table)


def test_when_the_clock_goes_back_spectators_see_less_and_not_more(house):
    table = house.table(spectators="delayed", spectator_delay_ms=30_000, clock={"declare_ms": 600_000})
    house.clock.now += 31_000
    assert seen_by_a_spectator(house, table)["status"] == "playing"
    house.clock.now -= 20_000
    assert seen_by_a_spectator(house, table)["status"] == "lobby"


def test_before_a_game_spectators_see_every_event_at_once(house):
    table = house.table(sit=False, spectators="delayed")
    assert house.tables.watched(house.state(table), house.log(table)) == house.log(table)


def test_spectators_see_a_table_without_a_game_without_delay(house):
    table = house.table(sit=False)
    assert seen_by_a_spectator(house, table) == house.state(table)


def test_the_wall_clock_returns_milliseconds():
    assert 1_600_000_000_000 < wall_clock() < 10_000_000_000_000


@pytest.mark.parametrize(("ai", "queue"), [(0, "people"), (4, "ai")])
def test_tables_with_people_go_first(house, ai, queue):
    assert queue_for(house.state(house.table(ai=ai))) == queue
