"""Both stores, and small tables to put into them."""

import pytest

from service.store.clients import command_client
from service.store.memory import memory_stores
from service.store.redis_store import redis_stores

START = 1_700_000_000_000


def some_events(after, count, at=START):
    """Events that follow a version."""
    return [
        {"seq": seq, "type": "chat", "at": at, "round": None, "by": "player", "data": {"text": f"升级 {seq}"}}
        for seq in range(after + 1, after + count + 1)
    ]


def put(tables, table, *, expected=0, count=1, at=START, wake_at=None, **more):
    """Append `count` events and a state that names its version."""
    state = {"id": table, "version": expected + count}
    tables.append(table, expected, some_events(expected, count, at), state, wake_at=wake_at, **more)


@pytest.fixture
def client(empty_redis):
    """A client of the real server, which is empty."""
    with command_client(empty_redis) as client:
        yield client


@pytest.fixture(params=["memory", "redis"])
def stores(request):
    """Every implementation of the ports: what a test says here, each must keep."""
    if request.param == "memory":
        return memory_stores()
    return redis_stores(request.getfixturevalue("client"))


@pytest.fixture
def tables(stores):
    return stores.tables


@pytest.fixture
def players(stores):
    return stores.players
