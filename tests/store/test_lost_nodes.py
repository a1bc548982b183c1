"""A hanging node of a cluster affects only its own tables; and what replicas have when a server is lost."""

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from threading import Event

import pytest

from harness.servers import Server, slot_of
from harness.waiting import wait_until
from service.store import keys
from service.store.connections import clients, cluster_client
from service.store.connections.clients import command_client
from service.store.connections.opening import is_reachable, open_tables
from service.store.port import StoreUnavailable
from service.store.redis_tables import RedisTableStore
from service.store.stores import Stores
from service.tables import Tables
from tests.store.conftest import START, put

TABLES = [f"tb_{number}" for number in range(24)]
HOST = {"id": "pl_host"}


@pytest.fixture
def impatient(cluster, cluster_port, monkeypatch):
    """A client of the cluster with a short timeout, which leaves out a node until it may be probed."""
    monkeypatch.setattr(clients, "_NODE_ANSWER_S", 1.0)
    with command_client(f"redis+cluster://127.0.0.1:{cluster_port}") as client:
        yield client


def split(servers, hanging):
    """Return the tables of a node, and those of the others."""
    slots = servers.slots_of(hanging)
    lost = {table for table in TABLES if slot_of(keys.head(table)) in slots}
    return lost, set(TABLES) - lost


def node_without(servers, *names):
    """Return a master with none of these keys."""
    wanted = {slot_of(name) for name in names}
    return next(master for master in servers.masters() if wanted.isdisjoint(servers.slots_of(master)))


def test_a_hanging_node_is_left_out_and_used_again_later(cluster_servers, impatient, monkeypatch):
    tables = RedisTableStore(impatient, cached_tables=0)
    for table in TABLES:
        put(tables, table, wake_at=START, listed=True)
    hanging = node_without(cluster_servers, keys.CLOCK, keys.RECORDS, keys.BUCKETS)
    lost, there = split(cluster_servers, hanging)
    assert lost
    with hanging.stopped():
        # Each of these asks all nodes.
        assert {due.table for due in tables.lease_due(START, 1_000, 100)} == there
        assert {listed.table for listed in tables.listed(100)} == there
        assert tables.overdue(START + 1) == len(there)
        assert tables.wake(START + 1) == 0
        assert tables.tidy(10) == 0
        for table in TABLES:
            if table in there:
                put(tables, table, expected=1, wake_at=START)
            else:
                with pytest.raises(StoreUnavailable, match="did not answer a moment ago"):
                    tables.load(table)
        assert is_reachable(impatient)
        # A process started meanwhile does not wait for it.
        open_tables(f"redis+cluster://127.0.0.1:{hanging.port},127.0.0.1:{cluster_servers.servers[0].port}", 16)
    wait_until(lambda: is_back(tables, min(lost)))
    # Due tables are looked up at a node again a second after its loss.
    due = set()
    wait_until(lambda: due.update(each.table for each in tables.lease_due(START + 2_000, 1_000, 100)) or lost <= due)
    assert due == {*TABLES}


def is_back(tables, table):
    try:
        return tables.load(table)
    except StoreUnavailable:
        return None


def test_only_the_first_command_waits_for_a_hanging_node(cluster_servers, impatient, monkeypatch):
    monkeypatch.setattr(cluster_client, "_LEFT_OUT_S", 60.0)
    tables = RedisTableStore(impatient, cached_tables=0)
    hanging = node_without(cluster_servers, keys.CLOCK)
    table = min(split(cluster_servers, hanging)[0])
    attempts = []
    send = cluster_client.RedisCluster._execute_command

    def note(client, node, *command, **options):
        attempts.append(node.port)
        return send(client, node, *command, **options)

    monkeypatch.setattr(cluster_client.RedisCluster, "_execute_command", note)
    with hanging.stopped():
        for _ in range(5):
            with pytest.raises(StoreUnavailable):
                tables.load(table)
    assert attempts.count(hanging.port) == 1


def test_all_who_need_a_node_that_is_well_again_wait_for_one_probe(impatient, monkeypatch):
    """It was left out long ago, and has become a master since: nobody may be refused then."""
    monkeypatch.setattr(cluster_client, "_QUESTION_S", 60.0)
    node, other = impatient.get_primaries()[:2]
    probes, is_asked, may_answer = [], Event(), Event()

    def answers(node):
        probes.append(node.name)
        is_asked.set()
        return may_answer.wait(60)

    monkeypatch.setattr(cluster_client, "_answers", answers)
    impatient._left_out[node.name] = 0.0
    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(impatient.admit, node)]
        assert is_asked.wait(60)
        waiting += [pool.submit(impatient.admit, node) for _ in range(2)]
        done, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        # Another node's turn is not held up by this one.
        may_answer.set()
        impatient._left_out[other.name] = 0.0
        impatient.admit(other)
        assert [each.result(60) for each in waiting] == [None] * 3
    assert not done
    assert probes == [node.name, other.name]
    assert impatient._left_out == {}


def test_redirections_to_a_node_without_slots_are_followed(cluster, cluster_servers, tmp_path):
    new = cluster_servers.add()
    # It refuses everything until it knows the owners of the slots.
    wait_until(lambda: "cluster_state:ok" in str(new.ask("CLUSTER", "INFO")))
    try:
        put(RedisTableStore(cluster), "tb_a")
        slot = slot_of(keys.head("tb_a"))
        old = next(master for master in cluster_servers.masters() if slot in cluster_servers.slots_of(master))
        cluster.nodes_manager.initialize()
        new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", old.ask("CLUSTER", "MYID"))
        old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", new.ask("CLUSTER", "MYID"))
        # The old node has no key of this table.
        bucket = keys.bucket_of("tb_a")
        other = next(f"tb_n{n}" for n in range(1_000) if keys.bucket_of(f"tb_n{n}") == bucket)
        assert RedisTableStore(cluster).load(other) is None
        old.ask("CLUSTER", "SETSLOT", slot, "STABLE")
    finally:
        cluster_servers.forget(new)


def test_a_clock_goes_on_while_a_slot_moves(cluster, cluster_servers):
    tables = RedisTableStore(cluster)
    put(tables, "tb_a", wake_at=START)
    slot = slot_of(keys.head("tb_a"))
    old = next(master for master in cluster_servers.masters() if slot in cluster_servers.slots_of(master))
    new = next(master for master in cluster_servers.masters() if master is not old)
    other = next(table for table in TABLES if slot_of(keys.head(table)) != slot)
    assert tables.lease_due(START - 1, 1_000, 10) == []
    ids = {server: server.ask("CLUSTER", "MYID") for server in (old, new)}
    new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[old])
    old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[new])
    try:
        # The set itself has moved already; the server redirects to the other node.
        old.ask("MIGRATE", "127.0.0.1", new.port, keys.due(keys.bucket_of("tb_a")), 0, 5_000)
        put(tables, other, wake_at=START)
        assert other in {due.table for due in tables.lease_due(START, 1_000, 10)}
    finally:
        cluster_servers.move_slots([slot], old, new)
        cluster_servers.move_slots([slot], new, old)
    assert "tb_a" in {due.table for due in tables.lease_due(START + 5_000, 1_000, 10)}


@pytest.fixture
def pair(tmp_path):
    """A server and its replica."""
    master, replica = Server(tmp_path / "master", {}), Server(tmp_path / "replica", {"repl-diskless-sync-delay": "0"})
    master.start()
    replica.start(replicaof=f"127.0.0.1 {master.port}")
    wait_until(replica.has_copied)
    yield master, replica
    for server in (master, replica):
        server.redis.close()
        server.embedded.stop()


def stores_at(server, replicas):
    return Stores(command_client(f"redis://127.0.0.1:{server.port}"), cached_tables=0, replicas=replicas)


def tables_at(server, replicas):
    return Tables(stores_at(server, replicas).tables)


SPEC = {"ruleset": "shengji", "players": 4, "visibility": "public"}
CHAT = {"type": "chat", "player": "pl_host", "text": "好", "key": "said-once"}


def messages_at(tables, table):
    return [event["data"]["text"] for event in tables.log(table) if event["type"] == "chat"]


def test_acknowledged_writes_survive_the_loss_of_the_server_if_a_replica_must_have_them(pair):
    master, replica = pair
    tables = tables_at(master, replicas=1)
    table = tables.create(HOST, SPEC).state["id"]
    tables.act(table, {"type": "sit", "player": "pl_host", "kind": "human", "name": "Lin"})
    with replica.stopped():
        # It is written, but not acknowledged.
        with pytest.raises(StoreUnavailable, match="0 replicas have the last write"):
            tables.act(table, CHAT)
        with pytest.raises(StoreUnavailable, match="0 replicas have the last write"):
            tables.act(table, CHAT)
    wait_until(replica.has_copied)
    # A retry does not repeat it, and it is acknowledged as soon as the replica has it.
    outcome = tables.act(table, CHAT)
    master.kill()
    replica.ask("REPLICAOF", "NO", "ONE")
    after = tables_at(replica, replicas=0)
    assert after.load(table)["version"] == outcome.seq
    assert messages_at(after, table) == ["好"]


def test_a_game_counts_as_kept_once_a_replica_has_its_record(pair):
    master, replica = pair
    archive = stores_at(master, replicas=1).archive
    tables = tables_at(master, replicas=1)
    log_of_game = {"base": {}, "events": tables.log(tables.create(HOST, SPEC).state["id"])}
    with replica.stopped(), pytest.raises(StoreUnavailable, match="0 replicas have the last write to sj:game:gm_a"):
        archive.archive("gm_a", log_of_game)
    wait_until(replica.has_copied)
    archive.archive("gm_b", log_of_game, ttl_ms=60_000)
    master.kill()
    replica.ask("REPLICAOF", "NO", "ONE")
    after = stores_at(replica, replicas=0).archive
    assert after.load_archive("gm_b") == log_of_game
    assert 0 < dict(after.archived())["gm_b"] <= 60_000


def test_otherwise_writes_not_received_by_the_replica_are_lost(pair):
    master, replica = pair
    tables = tables_at(master, replicas=0)
    table = tables.create(HOST, SPEC).state["id"]
    tables.act(table, {"type": "sit", "player": "pl_host", "kind": "human", "name": "Lin"})
    wait_until(lambda: tables_at(replica, replicas=0).load(table)["version"] == 2)
    with replica.stopped():
        # As with a slow connection.
        master.ask("CLIENT", "KILL", "TYPE", "replica")
        acknowledged = tables.act(table, CHAT)
        master.kill()
    replica.ask("REPLICAOF", "NO", "ONE")
    after = tables_at(replica, replicas=0)
    assert after.load(table)["version"] == acknowledged.seq - 1
    assert messages_at(after, table) == []


def test_a_server_that_has_another_event_in_its_place_acknowledges_nothing(pair):
    tables = tables_at(pair[0], replicas=1)
    table = tables.create(HOST, SPEC).state["id"]
    event = tables.log(table)[0]
    tables.store.confirm(table, event)
    for other in ({**event, "at": event["at"] + 1}, {**event, "seq": 2}):
        with pytest.raises(StoreUnavailable, match="has lost event"):
            tables.store.confirm(table, other)
    pair[0].ask("REPLICAOF", "127.0.0.1", pair[1].port)
    with pytest.raises(StoreUnavailable):
        tables.store.confirm(table, event)
