"""Both stores, and small tables for them."""

import pytest
from redis import Redis, RedisCluster

from harness.memory import MemoryStores
from harness.servers import Cluster, slot_of
from service.store import keys
from service.store.connections.clients import command_client
from service.store.stores import Stores

START = 1_700_000_000_000


def some_events(after, count, at=START):
    """Events that follow a version."""
    return [
        {"seq": seq, "type": "chat", "at": at, "round": None, "by": "player", "data": {"text": f"升级 {seq}"}}
        for seq in range(after + 1, after + count + 1)
    ]


def a_state(**fields):
    """Return a minimal state: its set-up, which is stored separately, and these fields."""
    return {"options": {}, "settings": {}, **fields}


def put(tables, table, *, expected=0, count=1, at=START, wake_at=None, **more):
    """Append `count` events and a state with its version."""
    state = a_state(id=table, version=expected + count)
    tables.append(table, expected, some_events(expected, count, at), state, wake_at=wake_at, **more)


@pytest.fixture
def client(empty_redis):
    """A client of the real server, emptied."""
    with command_client(empty_redis) as client:
        yield client


@pytest.fixture(scope="session")
def cluster_servers(tmp_path_factory):
    """A cluster of three masters, each with a third of the slots."""
    # Nobody is to be replaced, so nobody need be found lost soon.
    patience = {"cluster-node-timeout": "5000"}
    with Cluster(tmp_path_factory.mktemp("cluster"), replicas=0, settings=patience) as servers:
        yield servers


@pytest.fixture(scope="session")
def cluster_port(cluster_servers):
    """The port of one node of the cluster."""
    return cluster_servers.servers[0].port


@pytest.fixture
def cluster(cluster_port):
    """A client of the cluster, emptied."""
    client = command_client(f"redis+cluster://127.0.0.1:{cluster_port}")
    client.flushall(target_nodes=RedisCluster.PRIMARIES)
    yield client
    client.close()


@pytest.fixture
def move_slot(cluster, cluster_servers):
    """Return a function that moves the slot of a table with its data to another node and returns its client."""
    slot_moved = {}

    def move(table):
        slot = slot_of(keys.head(table))
        old = next(master for master in cluster_servers.masters() if slot in cluster_servers.slots_of(master))
        new = next(master for master in cluster_servers.masters() if master is not old)
        cluster_servers.move_slots([slot], old, new)
        slot_moved.setdefault(slot, old)
        return Redis(port=new.port)

    yield move
    for slot, home in slot_moved.items():
        now = next(master for master in cluster_servers.masters() if slot in cluster_servers.slots_of(master))
        cluster_servers.move_slots([slot], now, home)


@pytest.fixture(params=["memory", "redis", "cluster"])
def stores(request):
    """All implementations of the ports, which must all pass the tests here."""
    if request.param == "memory":
        return MemoryStores()
    return Stores(request.getfixturevalue("cluster" if request.param == "cluster" else "client"))


@pytest.fixture
def tables(stores):
    return stores.tables


@pytest.fixture
def players(stores):
    return stores.players
