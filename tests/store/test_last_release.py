"""A store of the last release and one of this write and read the same tables by turns."""

import json
import subprocess
import sys

import pytest

from harness.make_run import ROOT, need
from service.store import keys
from service.store.port import VersionConflict
from service.store.stores import Stores
from tests.store.conftest import START, a_state, some_events
from tools.faults.upgrades import last_released

TABLE = "tb_a"
#: What a process of the last release does for each line: calls a method of its store, and prints what came of it.
EARLIER = """
import json, sys
from service.store.connections.clients import command_client
from service.store.port import VersionConflict
from service.store.redis_tables import RedisTableStore
tables = RedisTableStore(command_client(sys.argv[1]))
for line in sys.stdin:
    method, arguments, named = json.loads(line)
    try:
        answer = getattr(tables, method)(*arguments, **named)
    except VersionConflict as conflict:
        answer = {"conflict": conflict.actual}
    except Exception as error:
        answer = {"error": type(error).__name__}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The folder of the last release."""
    need("git")
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository: the last release is unknown")
    return last_released(tmp_path_factory.mktemp("earlier"), "service").folder


@pytest.fixture
def earlier(source, empty_redis):
    """Return a function that calls a method of the store of the last release, which has a cache of its own."""
    with subprocess.Popen(
        [sys.executable, "-c", EARLIER, empty_redis],
        cwd=source,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def call(method, *arguments, **named):
            process.stdin.write(json.dumps([method, arguments, named]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield call
        process.stdin.close()


def state_at(version):
    return a_state(id=TABLE, version=version, hands=[["7S"], [version]])


def arguments_at(version):
    return TABLE, version, some_events(version, 2), state_at(version + 2)


INDEX = {"wake_at": START, "listed": True, "ttl_ms": 60_000, "queue": "people"}


def test_each_release_reads_the_heads_that_the_other_has_written(client, earlier):
    ours = Stores(client).tables
    ours.append(*arguments_at(0), **INDEX)
    assert earlier("load", TABLE) == [2, state_at(2)]
    assert earlier("append", *arguments_at(2), **INDEX) is None
    assert list(ours.load(TABLE)) == [4, state_at(4)]
    # Each has a cached state by now, and one that the other has outdated.
    with pytest.raises(VersionConflict, match="version 4, not 2"):
        ours.append(*arguments_at(2), **INDEX)
    ours.append(*arguments_at(4), **INDEX)
    assert earlier("append", *arguments_at(4), **INDEX) == {"conflict": 6}
    assert earlier("append", *arguments_at(6), **INDEX) is None
    assert earlier("append", *arguments_at(8), **INDEX) is None
    assert list(ours.load(TABLE)) == [10, state_at(10)]
    assert ours.events(TABLE, 0, 20) == earlier("events", TABLE, 0, 20) == some_events(0, 10)


def test_each_release_writes_the_same_head_and_the_same_lists(client, earlier):
    def everything():
        bucket = keys.bucket_of(TABLE)
        lists = [client.zscore(key(bucket), TABLE) for key in (keys.due, keys.owed, keys.lobby, keys.watch)]
        stored = client.hgetall(keys.head(TABLE)), client.xrange(keys.log(TABLE)), lists
        assert 0 < client.pttl(keys.head(TABLE)) <= 60_000
        client.flushdb()
        return stored

    Stores(client).tables.append(*arguments_at(0), **INDEX)
    written = everything()
    earlier("append", *arguments_at(0), **INDEX)
    assert everything() == written


def test_each_release_leases_what_the_other_has_made_due(client, earlier):
    ours = Stores(client).tables
    ours.append(*arguments_at(0), **INDEX)
    assert earlier("claim_due", START, 3_000, 10) == [[TABLE, 2, "people"]]
    assert ours.lease_due(START, 3_000, 10) == []
    assert earlier("append", *arguments_at(2), **INDEX) is None
    assert [list(due) for due in ours.lease_due(START, 3_000, 10)] == [[TABLE, 4, "people"]]


def test_the_last_release_cannot_read_a_sleeping_table_and_loses_nothing_of_it(client, earlier):
    stores = Stores(client, lambda: START - 7_200_000)
    ours = stores.tables
    ours.append(*arguments_at(0), **{**INDEX, "listed": False})
    # It remembers this state.
    assert earlier("append", *arguments_at(2), **{**INDEX, "listed": False}) is None
    assert list(stores.sleeping.put_to_sleep(0)) == [True]
    slept = client.hgetall(keys.head(TABLE))
    assert earlier("load", TABLE) == {"error": "StoreCorrupt"}
    for version in (2, 4):
        assert earlier("append", *arguments_at(version), **INDEX) == {"conflict": -4}
    assert earlier("claim_due", START, 3_000, 10) == [[TABLE, -4, "people"]]
    assert earlier("tidy", 10) == 0
    assert earlier("wake", START - 1) == 0
    assert client.hgetall(keys.head(TABLE)) == slept
    assert not client.exists(keys.log(TABLE), keys.old(TABLE))
    # When the lease ends, whoever knows it goes on.
    assert [list(due) for due in ours.lease_due(START + 3_000, 3_000, 10)] == [[TABLE, 4, "people"]]
    ours.append(*arguments_at(4), **INDEX)
    assert ours.events(TABLE, 0, 20) == earlier("events", TABLE, 0, 20) == some_events(0, 6)
    assert earlier("append", *arguments_at(6), **INDEX) is None
    # Before a rollback all are woken.
    assert list(stores.sleeping.put_to_sleep(0)) == []
    client.zrem(keys.lobby(keys.bucket_of(TABLE)), TABLE)
    assert list(stores.sleeping.put_to_sleep(0)) == [True]
    assert list(stores.sleeping.wake_all()) == [(TABLE, True)]
    assert earlier("load", TABLE) == [8, state_at(8)]
