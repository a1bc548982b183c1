"""Redis killed, unavailable or full: no acknowledged write is lost, errors are clear, and the store recovers."""

import contextlib
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from service.store.connections.clients import command_client
from service.store.players.tokens import TokenStore
from service.store.port import StoreUnavailable, VersionConflict
from service.store.redis_tables import RedisTableStore
from service.store.stores import Stores
from tests.store.conftest import START, a_state, put, some_events


@pytest.fixture
def server(tmp_path):
    # By default the server may delay a write while the disk is busy with the last one (decision 3).
    server = EmbeddedRedis(tmp_path, {"appendfsync": "always"})
    server.start()
    yield server
    server.stop()


def test_a_server_killed_in_the_middle_of_writing_has_lost_nothing_that_was_acknowledged(server):
    acknowledged, half_way = {}, threading.Event()

    def write(table):
        tables = RedisTableStore(command_client(server.url))
        for version in range(10_000):
            try:
                put(tables, table, expected=version, wake_at=START)
            except (StoreUnavailable, VersionConflict):
                return
            acknowledged[table] = version + 1
            if version >= 100 and len(acknowledged) == 4:
                half_way.set()

    writers = [threading.Thread(target=write, args=(f"tb_{number}",)) for number in range(4)]
    for writer in writers:
        writer.start()
    assert half_way.wait(60)
    server.kill()
    for writer in writers:
        writer.join()
    server.start()

    tables = RedisTableStore(command_client(server.url))
    assert len(acknowledged) == 4
    for table, version in acknowledged.items():
        stored = tables.load(table)
        # One more may have been written without its answer arriving.
        assert stored.version in (version, version + 1)
        assert stored.state == a_state(id=table, version=stored.version)
        assert tables.events(table, 0, 20_000) == some_events(0, stored.version)
    assert {due.table for due in tables.lease_due(START, 1000, 100)} == acknowledged.keys()


def test_while_redis_is_away_everything_is_unavailable_and_recovers_by_itself(server):
    client = command_client(server.url)
    stores, tokens = Stores(client), TokenStore(client)
    put(stores.tables, "tb_a", wake_at=START)
    stores.players.create({"id": "pl_lin"}, "hash")
    server.kill()
    for use in (
        lambda: stores.tables.load("tb_a"),
        lambda: put(stores.tables, "tb_a", expected=1),
        lambda: stores.tables.lease_due(START, 1, 1),
        lambda: tokens.find("hash"),
        lambda: stores.idempotency.remember("pl_lin", "key", "digest", dict, ttl_ms=1000),
        lambda: stores.archive.load_archive("gm_1"),
    ):
        with pytest.raises(StoreUnavailable):
            use()
    server.start()
    # The same objects work at the first attempt.
    assert stores.tables.load("tb_a") == (1, a_state(id="tb_a", version=1))
    assert tokens.find("hash").player == {"id": "pl_lin"}
    put(stores.tables, "tb_a", expected=1)
    assert stores.tables.load("tb_a").version == 2


def test_a_restart_between_two_commands_is_not_noticed(server):
    tables = RedisTableStore(command_client(server.url))
    for version in range(3):
        put(tables, "tb_a", expected=version)
        server.kill()
        server.start()
        assert tables.load("tb_a").version == version + 1


def test_a_command_that_meets_a_restart_waits_for_its_end(server, monkeypatch):
    tables = RedisTableStore(command_client(server.url))
    put(tables, "tb_a")
    server.kill()
    pauses = []

    def come_back_in_the_last_pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            server.start()

    monkeypatch.setattr("redis.retry.sleep", come_back_in_the_last_pause)
    assert tables.load("tb_a").version == 1
    assert 0.5 <= sum(pauses) <= 1


def test_a_full_redis_refuses_appends_atomically_answers_reads_and_recovers(server):
    client = command_client(server.url)
    tables = RedisTableStore(client)
    put(tables, "tb_a", count=2, wake_at=START, listed=True)
    before = {key: client.dump(key) for key in client.keys("*")}
    client.config_set("maxmemory", 1)
    for wake_at in (None, START + 9):
        with pytest.raises(StoreUnavailable):
            put(tables, "tb_a", expected=2, wake_at=wake_at)
    assert {key: client.dump(key) for key in client.keys("*")} == before
    assert tables.load("tb_a").version == 2
    assert len(tables.events("tb_a", 0, 10)) == 2
    assert len(tables.listed(10)) == 1
    client.config_set("maxmemory", 0)
    put(tables, "tb_a", expected=2, wake_at=None)
    assert tables.load("tb_a").version == 3


def test_an_append_that_fills_redis_is_written_completely(server):
    client = command_client(server.url)
    tables = RedisTableStore(client)
    client.config_set("maxmemory", client.info("memory")["used_memory"] + 400_000)
    version = 0
    with contextlib.suppress(StoreUnavailable):
        while version < 10_000:
            put(tables, "tb_a", expected=version, count=50, wake_at=None)
            version += 50
    assert 0 < version < 10_000
    assert tables.load("tb_a").version == version
    assert client.xlen(keys.log("tb_a")) == version


def test_a_server_that_does_not_answer_is_unavailable(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "mute.sock"))
        listener.listen()
        client = command_client(f"unix://{tmp_path / 'mute.sock'}")
        client.connection_pool.connection_kwargs["socket_timeout"] = 0.05
        with pytest.raises(StoreUnavailable):
            RedisTableStore(client).load("tb_a")


def test_an_answer_that_comes_too_late_is_not_taken_for_that_of_the_next_command(server):
    command_client(server.url).set("known", "value")
    client = command_client(server.url, connections=1)
    client.connection_pool.connection_kwargs["socket_timeout"] = 1
    with pytest.raises(RedisTimeoutError):
        client.blpop("never", 1.2)
    time.sleep(0.4)
    assert client.get("known") == b"value"


def test_without_a_free_connection_a_caller_waits(server):
    client = command_client(server.url, connections=2)
    client.set("counted", 0)
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(lambda _: client.incr("counted"), range(400)))
    assert client.get("counted") == b"400"
    assert client.info("clients")["connected_clients"] <= 2


def test_no_connection_is_handed_out_twice(server):
    pool = command_client(server.url, connections=2).connection_pool
    pool.timeout = 0.01
    held = [pool.get_connection(), pool.get_connection()]
    assert held[0] is not held[1]
    with pytest.raises(RedisConnectionError):
        pool.get_connection()
    pool.release(held[0])
    assert pool.get_connection() is held[0]
