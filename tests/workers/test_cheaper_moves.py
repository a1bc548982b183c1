"""A worker that moves a table again does not load it, and writes only what RQ needs about its jobs to Redis."""

from threading import Event

from service.game.commands.ai_moves import Choose
from service.game.events.evolve import fold
from service.game.state.types import State
from service.store import keys
from service.store.connections.clients import listening_client
from service.store.redis_tables import RedisTableStore
from service.tables import Tables
from tests.workers.conftest import House
from workers import ai
from workers.jobs import Worker


def loads(monkeypatch, house: House) -> list[str]:
    """Return the tables loaded from now on."""
    loaded: list[str] = []
    load = house.store.load
    monkeypatch.setattr(house.store, "load", lambda table: loaded.append(table) or load(table))
    return loaded


def move(house: House) -> None:
    house.now += 600
    assert house.clock.tick() == 1
    house.work()


def test_a_table_last_written_by_the_worker_is_not_loaded_again(house: House, monkeypatch):
    table = house.table("tb_own", pace=600)
    loaded = loads(monkeypatch, house)
    before = house.redis.hget(keys.head(table), "v")
    move(house)
    move(house)
    assert loaded == []
    monkeypatch.undo()
    assert int(house.redis.hget(keys.head(table), "v")) > int(before) + 1
    assert house.tables.log(table)[-1]["seq"] == house.state(table)["version"]


def moved_elsewhere(house: House, table: str, choose: Choose = ai.choose) -> State:
    """Let another process move a table; return its new state."""
    another = Tables(RedisTableStore(house.redis), now=lambda: house.now)
    assert another.advance(table, None, choose).steps == 1
    return another.load(table)


def test_a_table_moved_by_another_process_is_loaded(house: House, monkeypatch):
    table = house.table("tb_other", pace=600)
    move(house)
    house.now += 600
    there = moved_elsewhere(house, table)
    loaded = loads(monkeypatch, house)
    move(house)
    assert loaded == [table]
    monkeypatch.undo()
    assert house.state(table)["version"] > there["version"]


def test_a_state_lost_by_redis_is_not_continued(house: House):
    table = house.table("tb_lost", pace=600)
    while house.state(table)["decision"]["kind"] != "play":
        move(house)
    names = (keys.head(table), keys.log(table))
    before = [house.redis.dump(name) for name in names]
    move(house)
    lost = house.state(table)
    # Another history reaches the same version, as after a failover that lost writes.
    for name, value in zip(names, before, strict=True):
        house.redis.restore(name, 0, value, replace=True)
    house.now += 1
    there = moved_elsewhere(house, table, lambda *_: None)
    assert there["version"] == lost["version"]
    assert there["round"]["hands"] != lost["round"]["hands"]
    move(house)
    assert house.state(table)["version"] > there["version"]
    assert fold(house.tables.log(table)) == house.state(table)


def test_between_two_jobs_redis_is_asked_only_for_the_next_one(house: House, monkeypatch):
    counts = []
    for jobs in (2, 12):
        for number in range(jobs):
            house.queues.enqueue(f"tb_none_{jobs}_{number}", 1, "people")
        redis = listening_client(house.url)
        house.redis.config_resetstat()
        Worker(redis, house.tables, Event(), house.queues).work(burst=True, logging_level="ERROR")
        stats = house.redis.info("commandstats")
        counts.append({name: stats.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in ("hset", "smembers")})
    # Timed heartbeats of the worker are in pipelines.
    assert (counts[1]["hset"] - counts[0]["hset"]) / 10 <= 9
    assert counts[1]["smembers"] - counts[0]["smembers"] == 0
