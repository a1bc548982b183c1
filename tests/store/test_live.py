"""Streams are notified of every event of their table, miss none, and survive an outage of Redis."""

import json
import logging
import subprocess
import sys
import threading
import time

import pytest

from harness.wakes import Wakes
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client, listening_client
from service.store.keys import LIVE
from service.store.live import Announcements
from service.store.players.players import RedisPlayerStore
from service.store.players.tokens import RedisTokenStore
from service.store.redis_tables import RedisTableStore
from tests.store.conftest import put
from tests.store.streams import EVENTS, STREAMS, TABLES, follow


@pytest.fixture
def hub(empty_redis):
    hub = Wakes(Announcements(listening_client(empty_redis)))
    yield hub
    hub.close()


@pytest.fixture
def tables(client):
    return RedisTableStore(client)


def settled(subscription):
    """Let the wake-up pass that every subscription gets when the reader has reached Redis."""
    assert subscription.wait(10)
    return subscription


def test_an_append_wakes_those_who_watch_its_table_with_its_version(hub, tables):
    watched, other = settled(hub.subscribe("tb_a")), hub.subscribe("tb_b")
    second = hub.subscribe("tb_a")
    put(tables, "tb_a", count=3)
    assert watched.wait(10)
    assert second.wait(10)
    assert (watched.version, second.version) == (3, 3)
    assert not other.wait(0.05)
    assert other.version == 0


def test_a_deletion_wakes_with_version_0(hub, tables):
    subscription = settled(hub.subscribe("tb_a"))
    put(tables, "tb_a")
    tables.delete("tb_a")
    deadline = time.monotonic() + 10
    while subscription.wait(0.1) or time.monotonic() < deadline:
        if subscription.version == 0:
            break
    assert subscription.version == 0


def test_a_wait_without_news_ends_at_its_time_and_the_next_one_waits_again(hub, tables):
    subscription = settled(hub.subscribe("tb_a"))
    assert not subscription.wait(0.02)
    put(tables, "tb_a")
    assert subscription.wait(10)
    assert not subscription.wait(0.02)


def test_news_between_two_waits_are_not_lost_and_many_are_one(hub, tables):
    subscription, witness = settled(hub.subscribe("tb_a")), hub.subscribe("tb_a")
    for version in range(10):
        put(tables, "tb_a", expected=version)
    while witness.version < 10:
        assert witness.wait(10)
    assert subscription.wait(0)
    assert subscription.version == 10
    assert not subscription.wait(0.02)


def test_whose_token_has_become_void_is_announced(hub, client):
    players = RedisPlayerStore(client)
    players.create({"id": "pl_lin", "name": "Lin", "kind": "bot", "locale": "en", "created_at": 0}, "hash 1")
    tokens = RedisTokenStore(client)
    token = tokens.find("hash 1", 1).token
    settled(hub.subscribe("tb_a"))
    tokens.rotate(token, "hash 1", "hash 2", alone=False)
    players.delete("pl_lin")
    tokens.rotate(token, "hash 2", "hash 3", alone=False)
    until = time.monotonic() + 10
    while len(hub.players) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert hub.players == ["pl_lin", "pl_lin"]


def test_nothing_connects_before_the_first_subscription(empty_redis, client):
    before = client.info("clients")["connected_clients"]
    hub = Wakes(Announcements(listening_client(empty_redis)))
    assert client.info("clients")["connected_clients"] == before
    settled(hub.subscribe("tb_a"))
    hub.subscribe("tb_b")
    assert client.info("clients")["connected_clients"] == before + 1
    hub.close()


def test_closing_the_hub_wakes_all_and_ends_its_reader(empty_redis):
    hub = Wakes(Announcements(listening_client(empty_redis)))
    subscription = settled(hub.subscribe("tb_a"))
    hub.close()
    assert subscription.wait(0)
    assert not any(thread.name == "live" for thread in threading.enumerate())


def test_an_announcement_that_nobody_can_read_does_not_end_the_reader(hub, tables, client, caplog):
    subscription = settled(hub.subscribe("tb_a"))
    with caplog.at_level(logging.CRITICAL, "service.store.live"):
        client.publish(LIVE, b"\xff\xff nonsense")
        # It connects again, and says so to everybody.
        assert subscription.wait(10)
    put(tables, "tb_a")
    assert subscription.wait(10)


@pytest.mark.parametrize("sort", ["threads", "gevent"])
def test_sixty_streams_of_a_process_see_every_event_once_in_order_over_one_listening_connection(
    empty_redis, client, sort
):
    before = client.info("clients")["connected_clients"]
    program = [sys.executable, "-m", "tests.store.streams", empty_redis, sort]
    server = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    tables = RedisTableStore(client)
    try:
        # Some events are there before the streams, the others come while they start and wait.
        for version in range(EVENTS):
            for number in range(TABLES):
                put(tables, f"tb_{number}", expected=version)
            if version == EVENTS // 2:
                assert server.stdout.readline() == "ready\n"
        answer = json.loads(server.communicate(timeout=60)[0])
    finally:
        server.kill()
        server.wait()
    assert answer["seen"] == [list(range(1, EVENTS + 1))] * STREAMS
    # The listening one, and at most four for commands.
    assert answer["connections"] <= before + 5


def test_a_stream_goes_on_after_redis_was_away_and_misses_nothing(tmp_path):
    server = EmbeddedRedis(tmp_path)
    server.start()
    tables, hub = RedisTableStore(command_client(server.url)), Wakes(Announcements(listening_client(server.url)))
    other_process = RedisTableStore(command_client(server.url))
    try:
        put(tables, "tb_a", count=2)
        # First, so that the reader has not reached Redis before.
        settled(hub.subscribe("tb_b"))
        stream = follow(hub, tables, "tb_a")
        assert [next(stream), next(stream)] == [1, 2]

        server.kill()
        server.start()
        # Announced while the reader is still away or just back: either way the stream sees it.
        put(other_process, "tb_a", expected=2)
        assert next(stream) == 3
        put(other_process, "tb_a", expected=3)
        assert next(stream) == 4
        stream.close()
    finally:
        hub.close()
        server.stop()


def test_when_redis_comes_back_everybody_is_woken(tmp_path):
    server = EmbeddedRedis(tmp_path)
    server.start()
    hub = Wakes(Announcements(listening_client(server.url)))
    try:
        subscriptions = [settled(hub.subscribe("tb_a"))]
        subscriptions += [hub.subscribe(f"tb_{number}") for number in range(5)]
        server.kill()
        assert not any(subscription.wait(0.02) for subscription in subscriptions)
        server.start()
        assert all(subscription.wait(10) for subscription in subscriptions)
    finally:
        hub.close()
        server.stop()


def test_on_a_cluster_a_hub_at_any_node_hears_of_every_table(cluster):
    hubs = [Wakes(Announcements(listening_client(f"redis://127.0.0.1:{node.port}"))) for node in cluster.get_nodes()]
    tables = RedisTableStore(cluster)
    try:
        assert len(hubs) == 3
        for number in range(6):
            subscriptions = [hub.subscribe(f"tb_{number}") for hub in hubs]
            if number == 0:
                subscriptions = list(map(settled, subscriptions))
            put(tables, f"tb_{number}")
            for subscription in subscriptions:
                while subscription.version == 0:
                    assert subscription.wait(10)
    finally:
        for hub in hubs:
            hub.close()
