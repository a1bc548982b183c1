"""Streams are notified of every event of their table, miss none, and survive an outage of Redis."""

import json
import logging
import subprocess
import sys
import threading

import pytest

from harness.waiting import wait_until
from harness.wakes import Wakes
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys, live
from service.store.connections import channels
from service.store.connections.clients import command_client
from service.store.live import Announcements
from service.store.players.players import RedisPlayerStore
from service.store.players.rights import RightsStore
from service.store.players.tokens import TokenStore
from service.store.redis_tables import RedisTableStore
from tests.store.conftest import put
from tests.store.streams import EVENTS, STREAMS, TABLES, follow


@pytest.fixture
def hub(empty_redis):
    hub = Wakes(Announcements(command_client(empty_redis)))
    yield hub
    hub.close()


@pytest.fixture
def tables(client):
    return RedisTableStore(client)


def settled(hub, table):
    """Subscribe to a table, and consume the first wake-up, when the channel is open."""
    subscription = hub.subscribe(table)
    wait_until(lambda: table in hub.opened)
    subscription.wait(0)
    return subscription


def test_an_append_wakes_followers_of_its_table_with_its_version(hub, tables):
    watched, other = settled(hub, "tb_a"), settled(hub, "tb_b")
    second = hub.subscribe("tb_a")
    put(tables, "tb_a", count=3)
    assert watched.wait(10)
    assert second.wait(10)
    assert (watched.version, second.version) == (3, 3)
    assert not other.wait(0.05)
    assert other.version == 0


def test_a_deletion_wakes_with_version_0(hub, tables):
    subscription = settled(hub, "tb_a")
    put(tables, "tb_a")
    tables.delete("tb_a")
    wait_until(lambda: subscription.wait(0.1) and subscription.version == 0)


def test_a_wait_without_news_ends_at_its_time_and_the_next_one_waits_again(hub, tables):
    subscription = settled(hub, "tb_a")
    assert not subscription.wait(0.02)
    put(tables, "tb_a")
    assert subscription.wait(10)
    assert not subscription.wait(0.02)


def test_announcements_between_two_waits_are_merged_and_not_lost(hub, tables):
    subscription, witness = settled(hub, "tb_a"), hub.subscribe("tb_a")
    for version in range(10):
        put(tables, "tb_a", expected=version)
    while witness.version < 10:
        assert witness.wait(10)
    assert subscription.wait(0)
    assert subscription.version == 10
    assert not subscription.wait(0.02)


def test_a_void_token_is_announced(hub, client):
    players = RedisPlayerStore(client)
    players.create({"id": "pl_lin", "name": "Lin", "kind": "bot", "locale": "en", "created_at": 0}, "hash 1")
    rights, token = RightsStore(client), TokenStore(client).find("hash 1", 1).token
    settled(hub, "tb_a")
    rights.end("pl_lin", (), None, proof="hash 1", new=(token, "hash 2"))
    players.delete("pl_lin")
    rights.end("pl_lin", (), None, proof="hash 2", new=(token, "hash 3"))
    wait_until(lambda: len(hub.players) == 2)
    assert hub.players == ["pl_lin", "pl_lin"]


def test_nothing_connects_before_the_first_subscription(empty_redis, client):
    before = client.info("clients")["connected_clients"]
    hub = Wakes(Announcements(command_client(empty_redis)))
    assert client.info("clients")["connected_clients"] == before
    settled(hub, "tb_a")
    hub.subscribe("tb_b")
    assert client.info("clients")["connected_clients"] == before + 1
    hub.close()


def test_closing_the_hub_wakes_all_and_ends_its_readers(empty_redis):
    hub = Wakes(Announcements(command_client(empty_redis)))
    subscription = settled(hub, "tb_a")
    hub.close()
    assert subscription.wait(0)
    assert not any(thread.name.startswith("live") for thread in threading.enumerate())


def test_an_invalid_announcement_does_not_end_the_reader(hub, tables, client, caplog):
    subscription = settled(hub, "tb_a")
    with caplog.at_level(logging.CRITICAL, "service.store.connections.channels"):
        client.publish(keys.live("tb_a"), b"\xff\xff nonsense")
        # It reconnects, and notifies everybody.
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
    # One for listening, and at most four for commands.
    assert answer["connections"] <= before + 5


def test_a_stream_continues_after_an_outage_of_redis_and_misses_nothing(tmp_path):
    server = EmbeddedRedis(tmp_path)
    server.start()
    tables, hub = RedisTableStore(command_client(server.url)), Wakes(Announcements(command_client(server.url)))
    other_process = RedisTableStore(command_client(server.url))
    try:
        put(tables, "tb_a", count=2)
        # First, before the reader has reached Redis.
        settled(hub, "tb_b")
        stream = follow(hub, tables, "tb_a")
        assert [next(stream), next(stream)] == [1, 2]

        server.kill()
        server.start()
        # Announced while the reader is still away or just back; the stream sees it in both cases.
        put(other_process, "tb_a", expected=2)
        assert next(stream) == 3
        put(other_process, "tb_a", expected=3)
        assert next(stream) == 4
        stream.close()
    finally:
        hub.close()
        server.stop()


def test_after_an_outage_of_redis_everybody_is_woken(tmp_path):
    server = EmbeddedRedis(tmp_path)
    server.start()
    hub = Wakes(Announcements(command_client(server.url)))
    try:
        subscriptions = [settled(hub, f"tb_{number}") for number in range(6)]
        server.kill()
        assert not any(subscription.wait(0.02) for subscription in subscriptions)
        server.start()
        assert all(subscription.wait(10) for subscription in subscriptions)
    finally:
        hub.close()
        server.stop()


def open_channels(client):
    """The open channels of tables."""
    return set(client.pubsub_channels("sj:{*"))


def test_a_process_subscribes_to_followed_tables_until_the_last_follower_leaves(hub, tables, client, monkeypatch):
    monkeypatch.setattr(live, "LINGER_S", 0.0)
    monkeypatch.setattr(channels, "SWEEP_S", 0.02)
    first, other = settled(hub, "tb_a"), settled(hub, "tb_b")
    second = hub.subscribe("tb_a")
    first.close()
    other.close()
    wait_until(lambda: open_channels(client) == {keys.live("tb_a").encode()})
    put(tables, "tb_a")
    assert second.wait(10)
    second.close()
    wait_until(lambda: not open_channels(client))
    hub.opened.clear()
    assert settled(hub, "tb_a").version == 0
    put(tables, "tb_a", expected=1)
    wait_until(lambda: [wake.version for wake in hub.of_tables["tb_a"]] == [2])


def test_a_repeated_poll_finds_the_channel_open(hub, tables, client, monkeypatch):
    monkeypatch.setattr(channels, "SWEEP_S", 0.02)
    other = settled(hub, "tb_b")
    settled(hub, "tb_a").close()
    monkeypatch.setattr(live, "LINGER_S", 0.0)
    other.close()
    wait_until(lambda: open_channels(client) == {keys.live("tb_a").encode()})
    again = hub.subscribe("tb_a")
    put(tables, "tb_a")
    wait_until(lambda: again.version == 1)


def test_a_server_without_sharded_channels_uses_ordinary_ones(hub, tables):
    subscription = settled(hub, "tb_a")
    tables._publish = "SPUBLISHED"
    put(tables, "tb_a")
    wait_until(lambda: subscription.version == 1)


@pytest.fixture
def hub_of_cluster(cluster, cluster_port):
    hub = Wakes(Announcements(command_client(f"redis+cluster://127.0.0.1:{cluster_port}")))
    yield hub
    hub.close()


def node_of(cluster, table):
    return cluster.get_redis_connection(cluster.get_node_from_key(keys.head(table)))


def test_on_a_cluster_the_channel_of_a_table_stays_on_the_node_of_its_slot(cluster, hub_of_cluster):
    tables = RedisTableStore(cluster)
    subscriptions = [settled(hub_of_cluster, f"tb_{number}") for number in range(12)]
    for subscription in subscriptions:
        own = keys.live(subscription.table).encode()
        nodes = [node for node in cluster.get_primaries() if own in shards(cluster.get_redis_connection(node))]
        assert nodes == [cluster.get_node_from_key(own)]
        put(tables, subscription.table)
        wait_until(lambda subscription=subscription: subscription.version == 1)


def shards(node):
    return set(node.execute_command("PUBSUB", "SHARDCHANNELS"))


def test_streams_are_woken_after_a_slot_has_moved_to_another_node(cluster, hub_of_cluster, move_slot):
    tables = RedisTableStore(cluster)
    subscription = settled(hub_of_cluster, "tb_a")
    put(tables, "tb_a")
    wait_until(lambda: subscription.version == 1)
    hub_of_cluster.opened.clear()
    new = move_slot("tb_a")
    # Events published meanwhile are caught up on.
    wait_until(lambda: "tb_a" in hub_of_cluster.opened)
    put(tables, "tb_a", expected=1)
    wait_until(lambda: subscription.version == 2)
    assert keys.live("tb_a").encode() in shards(new)
    new.close()


def test_on_a_cluster_streams_are_woken_after_a_connection_was_lost(cluster, hub_of_cluster):
    tables = RedisTableStore(cluster)
    subscription = settled(hub_of_cluster, "tb_a")
    hub_of_cluster.opened.clear()
    node_of(cluster, "tb_a").execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    wait_until(lambda: "tb_a" in hub_of_cluster.opened)
    put(tables, "tb_a")
    wait_until(lambda: subscription.version == 1)
