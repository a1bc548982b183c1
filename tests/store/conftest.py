"""Both stores, and small tables to store in them."""

import contextlib
import socket
import time

import pytest
from redis import Redis, RedisCluster

from harness.memory import memory_stores
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from service.store.connections.clients import command_client
from service.store.redis_store import redis_stores

START = 1_700_000_000_000


def some_events(after, count, at=START):
    """Events that follow a version."""
    return [
        {"seq": seq, "type": "chat", "at": at, "round": None, "by": "player", "data": {"text": f"升级 {seq}"}}
        for seq in range(after + 1, after + count + 1)
    ]


def a_state(**fields):
    """Return what stands for a state here: its set-up, which is stored apart, and these fields."""
    return {"options": {}, "settings": {}, **fields}


def put(tables, table, *, expected=0, count=1, at=START, wake_at=None, **more):
    """Append `count` events and a state that names its version."""
    state = a_state(id=table, version=expected + count)
    tables.append(table, expected, some_events(expected, count, at), state, wake_at=wake_at, **more)


@pytest.fixture
def client(empty_redis):
    """A client of the real server, which is empty."""
    with command_client(empty_redis) as client:
        yield client


def free_port():
    """A port that is free now, and whose number leaves room for that of the cluster bus, 10,000 above."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if port < 55_000:
            return port


def _knows_the_others(node):
    """Tell whether every slot is served and a link leads to each node: before, what is published is not passed on."""
    nodes, state = (node.execute_command("CLUSTER", what, keys=None) for what in ("NODES", "INFO"))
    return nodes.count(b" connected") == 3 and b"cluster_state:ok" in state


@pytest.fixture(scope="session")
def cluster_port(tmp_path_factory):
    """A cluster of three servers, each with a third of the slots; the port of the first."""
    ports = [free_port() for _ in range(3)]
    with contextlib.ExitStack() as stack:
        for number, port in enumerate(ports):
            settings = {"port": str(port), "bind": "127.0.0.1", "cluster-enabled": "yes"}
            stack.enter_context(EmbeddedRedis(tmp_path_factory.mktemp(f"node{number}"), settings))
        nodes = [stack.enter_context(Redis(port=port)) for port in ports]
        for number, node in enumerate(nodes):
            node.execute_command("CLUSTER", "ADDSLOTS", *range(16384 * number // 3, 16384 * (number + 1) // 3))
            node.execute_command("CLUSTER", "MEET", "127.0.0.1", ports[0])
        while not all(map(_knows_the_others, nodes)):
            time.sleep(0.05)
        yield ports[0]


@pytest.fixture
def cluster(cluster_port):
    """A client of the cluster, which is empty."""
    client = RedisCluster(host="127.0.0.1", port=cluster_port)
    client.flushall(target_nodes=RedisCluster.PRIMARIES)
    yield client
    client.close()


def move_slot(cluster, table):
    """Move the slot of a table to another node, with what is in it; return the node."""
    slot = cluster.keyslot(keys.head(table))
    old = cluster.get_node_from_key(keys.head(table))
    new = next(node for node in cluster.get_primaries() if node != old)
    source, target = cluster.get_redis_connection(old), cluster.get_redis_connection(new)
    source_id, target_id = (node.execute_command("CLUSTER", "MYID").decode() for node in (source, target))
    target.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", source_id)
    source.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", target_id)
    for key in source.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 1_000):
        source.execute_command("MIGRATE", new.host, new.port, key, 0, 5_000)
    for node in (target, source):
        node.execute_command("CLUSTER", "SETSLOT", slot, "NODE", target_id)
    return new


@pytest.fixture(params=["memory", "redis", "cluster"])
def stores(request):
    """Every implementation of the ports: what a test says here, each must keep."""
    if request.param == "memory":
        return memory_stores()
    return redis_stores(request.getfixturevalue("cluster" if request.param == "cluster" else "client"))


@pytest.fixture
def tables(stores):
    return stores.tables


@pytest.fixture
def players(stores):
    return stores.players
