"""Abandoned tables expire and leave nothing behind except records and results."""

import time

import pytest

from harness.waiting import wait_until
from service.common.settings import Budget, Settings
from service.jobs.queues import Queues
from service.jobs.worker_status import Heartbeat
from service.store import compaction, keys
from service.tables import wall_clock, writing
from tests.api.conftest import World
from workers import ai
from workers.clock import Clock, Part

#: Enough for a round of AI seats between two appends on a busy machine.
SHORT_MS = 3_000


@pytest.fixture
def world(empty_redis, monkeypatch):
    monkeypatch.setattr(writing, "LIFETIMES", dict.fromkeys(writing.LIFETIMES, SHORT_MS))
    new_world = World(empty_redis, Settings(limit_chat=Budget(100_000, 60)))
    new_world.now = wall_clock()
    yield new_world
    new_world.close()


@pytest.fixture
def clock(world):
    heartbeat = Heartbeat(world.redis, "clock", wall_clock)
    # An hour ahead, to do now what is due by then.
    part = Part(Queues(world.redis, wall_clock), heartbeat)
    return Clock(world.stores.tables, [part], lambda: wall_clock() + 3_700_000)


def mentions(redis, table):
    """All keys that contain the table in name or value."""
    places = []
    for key in redis.scan_iter("*"):
        kind = redis.type(key)
        held = b""
        if kind == b"zset":
            held = b" ".join(redis.zrange(key, 0, -1))
        elif kind == b"set":
            held = b" ".join(redis.smembers(key))
        elif kind == b"hash":
            held = b" ".join(part for pair in redis.hgetall(key).items() for part in pair)
        if table.encode() in key + b" " + held:
            places.append(key.decode())
    return places


def wait_until_gone(world, clock, players, table):
    # These expire by themselves, and the list of a host is checked when the host creates another table.
    expiring = ("rq:", "sj:answer:", "sj:{players}:host:")

    def left():
        return [key for key in mentions(world.redis, table) if not key.startswith(expiring)]

    def is_gone():
        clock.tick()
        world.stores.tables.tidy(10)
        for player in players:
            player.get("/v1/me/tables")
        return not left()

    wait_until(is_gone, left, seconds=120)


def test_an_idle_table_in_the_lobby_expires(world, clock):
    lin = world.player()
    table = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}).json["id"]
    lin.post(f"/v1/tables/{table}/seats", {})
    assert len(mentions(world.redis, table)) > 3
    wait_until_gone(world, clock, [lin], table)
    assert lin.get(f"/v1/tables/{table}").status_code == 404


def test_an_abandoned_table_in_play_expires(world, clock):
    """Its decision has no deadline, so nothing else happens there."""
    table = world.table(clock={"declare_ms": 3_600_000})
    for _ in range(compaction.LONG_LOG):
        table.clients[0].post(f"{table.path}/chat", {"text": "hello"})
    assert keys.due(keys.bucket_of(table.id)) in mentions(world.redis, table.id)
    assert keys.owed(keys.bucket_of(table.id)) in mentions(world.redis, table.id)
    assert keys.long(keys.bucket_of(table.id)) in mentions(world.redis, table.id)
    wait_until_gone(world, clock, table.clients, table.id)


def test_only_record_and_results_of_a_finished_game_remain(world, clock):
    table = world.table(ruleset="arms_length")
    while table.state()["status"] == "playing":
        table.step()
    world.tables.advance(table.id, None, ai.choose)
    game = table.state()["game"]["id"]
    world.stores.tables.tidy(1)
    assert keys.old(table.id) in mentions(world.redis, table.id)
    wait_until_gone(world, clock, table.clients, table.id)
    assert world.stores.archive.load_archive(game)["events"]
    assert table.host.get(f"/v1/games/{game}").json["id"] == game


def test_a_table_with_activity_does_not_expire(world):
    table = world.table(clock={"declare_ms": 3_600_000})
    until = time.monotonic() + 2 * SHORT_MS / 1000
    while time.monotonic() < until:
        assert table.clients[0].post(f"{table.path}/chat", {"text": "hello"}).status_code == 200
        world.stores.tables.tidy(10)
        time.sleep(SHORT_MS / 1000 / 100)
    assert table.view()["version"] > 10
