"""Rounds of team events are begun, looked after and scored by the clock's process: bounded, resumed, and told."""

import pytest
from redis.client import Pipeline

from service.game.views.fields import timestamp
from service.store import keys
from service.store.connections.clients import DirectRedis
from service.tournaments.team_events import CHECK_MS, ROOMS_AT_ONCE
from tests.api.contract import assert_problem
from tests.api.tournaments.test_team_events import MINUTE, Cup
from workers import conducting
from workers.conducting import Conductor


class Killed(BaseException):
    """A process ends here."""


def clock(world):
    """The events' part of a clock's process."""
    return Conductor(world.services.team_events, world.services.director, world.services.boards, lambda *_: True)


def begin(cup, number=1):
    """Begin a round, without a clock."""
    answer = cup.director.post(f"{cup.path}/rounds", {"round": number})
    assert answer.status_code == 200, answer.json
    return answer.json["played"][-1]


def last(cup, client=None):
    """The last round, as read without a clock."""
    return (client or cup.director).get(cup.path).json["played"][-1]


def seated(world, client):
    return [
        note.data["table"] for note in world.stores.inbox.after(client.player["id"], 0, 99) if note.type == "seated"
    ]


def table_of(cup, client):
    return client.get(cup.path).json["mine"]["table"]


@pytest.fixture
def trips(monkeypatch):
    """Counts round trips to Redis of this process."""
    counts = [0]
    for owner, name in ((DirectRedis, "execute_command"), (Pipeline, "execute")):
        original = getattr(owner, name)

        def counted(self, *args, _original=original, **more):
            counts[0] += 1
            return _original(self, *args, **more)

        monkeypatch.setattr(owner, name, counted)
    return counts


def trips_of_ticks(world, trips):
    """Round trips of each tick of a clock until nothing is due."""
    one, numbers, is_busy = clock(world), [], True
    while is_busy:
        before = trips[0]
        is_busy = one.tick()
        numbers.append(trips[0] - before)
    return numbers


def test_a_tick_takes_as_many_round_trips_with_64_teams_as_with_16(world, trips):
    spent = {}
    for teams in (16, 64):
        cup = Cup(world, teams=teams, boards=1)
        began = begin(cup)
        assert began["pending"] == {
            "what": "tables",
            "since": timestamp(world.now),
            "done": 0,
            "total": teams,
        }
        spent[teams] = trips_of_ticks(world, trips)
        assert len(spent[teams]) == teams // ROOMS_AT_ONCE
        assert last(cup)["pending"] is None
        assert all(len(seated(world, captain)) == 1 for captain in cup.captains)
    # The first tick also looks at the days and the list of events.
    assert max(spent[64][1:]) <= 1.2 * max(spent[16][1:])


def test_the_director_sees_how_many_tables_are_open(world):
    cup = Cup(world, teams=20, boards=1)
    begin(cup)
    one, done = clock(world), []
    while one.tick():
        done.append(last(cup)["pending"]["done"])
    assert done == [ROOMS_AT_ONCE, 2 * ROOMS_AT_ONCE]
    assert last(cup)["pending"] is None
    tables = {table_of(cup, captain) for captain in cup.captains}
    assert None not in tables


@pytest.mark.parametrize("at", range(1, 12, 2))
def test_another_clock_goes_on_where_one_died(world, monkeypatch, at):
    cup = Cup(world, teams=12, boards=1)
    begin(cup)
    left = iter(range(at))
    tables = world.tables
    original = tables.create

    def dies(*args):
        opened = original(*args)
        if next(left, None) is None:
            raise Killed
        return opened

    monkeypatch.setattr(tables, "create", dies)
    with pytest.raises(Killed):
        world.conduct()
    monkeypatch.setattr(tables, "create", original)
    # It is leased until the lease ends.
    assert not clock(world).tick()
    assert last(cup)["pending"] is not None
    world.now += conducting.LEASE_MS
    world.conduct()
    assert last(cup)["pending"] is None
    for captain in cup.captains:
        assert seated(world, captain) == [table_of(cup, captain)]


def test_without_a_clock_the_event_says_since_when_it_waits(world):
    cup = Cup(world, teams=2, boards=1, round_ms=60 * MINUTE)
    began_at = world.now
    begin(cup)
    world.now += 10 * MINUTE
    pending = last(cup)["pending"]
    assert (pending["what"], pending["since"]) == ("tables", timestamp(began_at))
    assert table_of(cup, cup.captains[0]) is None
    world.now += 60 * MINUTE
    status = last(cup)
    assert (status["status"], status["remaining_ms"]) == ("open", 0)
    since = timestamp(began_at + 60 * MINUTE)
    assert status["pending"] == {"what": "results", "since": since, "done": None, "total": None}
    assert_problem(cup.director.get(f"{cup.path}/matches/1-1"), "not-finished")
    assert cup.director.get(f"{cup.path}/standings").json["rounds"] == 0
    world.conduct()
    assert (last(cup)["status"], last(cup)["pending"]) == ("over", None)
    assert cup.director.get(f"{cup.path}/standings").json["rounds"] == 1
    assert world.redis.zcard(keys.TEAM_ROUNDS) == 0, "nothing is left to look at"


def test_a_director_can_begin_the_next_round_at_once_when_the_time_of_one_is_up(world):
    cup = Cup(world, teams=4, boards=1, round_ms=60 * MINUTE)
    begin(cup)
    world.conduct()
    world.now += 60 * MINUTE
    assert begin(cup, 2)["round"] == 2
    assert cup.director.get(cup.path).json["played"][0]["status"] == "over"


def test_a_round_whose_end_is_moved_ends_then(world):
    cup = Cup(world, teams=2, boards=1, round_ms=60 * MINUTE)
    begin(cup)
    world.conduct()
    cup.director.patch(f"{cup.path}/rounds/1", {"closes_at": timestamp(world.now + 5_000)})
    world.now += 5_000
    world.conduct()
    assert last(cup)["status"] == "over"


@pytest.mark.parametrize("has_opened", [True, False])
def test_rounds_begun_by_the_release_before_are_looked_after(world, has_opened):
    """It opens all rooms at once, or dies before; it plans nothing, and does not count them."""
    cup = Cup(world, teams=4, boards=1, round_ms=60 * MINUTE)
    begin(cup)

    def as_before(play):
        return {**play, "rounds": [{name: value for name, value in play["rounds"][0].items() if name != "opened"}]}

    store = world.stores.boards
    play = store.teams.change(cup.id, as_before, world.now)
    world.redis.delete(keys.TEAM_ROUNDS)
    if has_opened:
        world.services.team_events._match_tables.open_some(store.event(cup.id), play, 0, 99)
    assert last(cup)["pending"] is None, "nobody knows"
    world.conduct()
    for captain in cup.captains:
        assert seated(world, captain) == [table_of(cup, captain)]
    world.now += 60 * MINUTE
    world.conduct()
    assert last(cup)["status"] == "over"


def test_steps_of_the_release_before_and_of_a_clock_do_each_other_no_harm(world):
    """That release takes them whenever somebody reads."""
    cup = Cup(world, teams=20, boards=1, round_ms=60 * MINUTE)
    begin(cup)
    events, rooms, store = world.services.team_events, world.services.team_events._match_tables, world.stores.boards
    one = clock(world)
    assert one.tick()
    rooms.open_some(store.event(cup.id), store.teams.progress(cup.id), 0, 12)
    while one.tick():
        pass
    rooms.open_some(store.event(cup.id), store.teams.progress(cup.id), 0, 99)
    for captain in cup.captains:
        assert seated(world, captain) == [table_of(cup, captain)]
    world.now += 60 * MINUTE
    settled = events.settled(events.event(cup.id))
    assert settled.progress["rounds"][0]["is_scored"]
    before = cup.director.get(f"{cup.path}/results").json
    world.conduct()
    assert events.event(cup.id) == settled
    assert cup.director.get(f"{cup.path}/results").json == before


def test_a_round_ends_although_the_process_that_stored_the_last_result_died(world):
    cup = Cup(world, teams=2, boards=1, round_ms=60 * MINUTE)
    cup.begin()
    for room in ("1a", "1b"):
        result = {"deal": 0, "game": f"gm_{room}", "at": world.now, "value": 5}
        world.stores.boards.add_result(cup.id, 1, room, result)
    assert last(cup)["status"] == "open"
    world.now += CHECK_MS
    world.conduct()
    assert last(cup)["status"] == "over"


def test_an_event_that_cannot_be_conducted_keeps_no_other_waiting(world, monkeypatch):
    broken, cup = Cup(world, teams=2, boards=1), Cup(world, teams=2, boards=1)
    begin(broken)
    begin(cup)
    original = world.services.team_events.go_on

    def go_on(event):
        if event == broken.id:
            raise KeyError(event)
        return original(event)

    with monkeypatch.context() as patch:
        patch.setattr(world.services.team_events, "go_on", go_on)
        world.conduct()
    assert table_of(cup, cup.captains[0]) is not None
    assert table_of(broken, broken.captains[0]) is None
    world.now += conducting.LEASE_MS
    world.conduct()
    assert table_of(broken, broken.captains[0]) is not None


def test_what_is_planned_while_a_clock_looks_is_not_forgotten(world):
    teams = world.stores.boards.teams
    teams.plan("ev_1", 5)
    assert teams.lease(4, 100, 9) == []
    assert teams.lease(5, 100, 9) == ["ev_1"]
    assert teams.lease(99, 200, 9) == []
    teams.plan("ev_1", 7, only_new=True)
    assert world.redis.zscore(keys.TEAM_ROUNDS, "ev_1") == 100
    teams.plan("ev_1", 60)
    teams.replan("ev_1", 100, None)
    assert teams.lease(60, 160, 9) == ["ev_1"]
    teams.replan("ev_1", 160, 90)
    assert world.redis.zscore(keys.TEAM_ROUNDS, "ev_1") == 90
    assert teams.lease(90, 190, 9) == ["ev_1"]
    teams.replan("ev_1", 190, None)
    assert world.redis.zcard(keys.TEAM_ROUNDS) == 0
