"""What is stored of a table that needs a newer release, and what a process of an earlier one does with it."""

import io
import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from harness.make_run import ROOT
from service import backup
from service.common.settings import VERSION
from service.game.commands.creation import create_table
from service.game.events import needs
from service.game.events.evolve import fold
from service.store import codec, compaction, keys
from service.store.connections.opening import NEWER, newer_release, open_tables
from service.store.notices.scans import ScanSchedule
from service.store.port import StoreTooNew
from service.store.redis_tables import LEFT_MS
from service.store.stores import Stores
from tests.store.conftest import START, a_state, some_events

LEASE_MS = 3_000


@contextmanager
def release(monkeypatch, **rows):
    """Be a process of a release with these rows."""
    with monkeypatch.context() as patch:
        for event, row in rows.items():
            patch.setitem(needs.NEEDS, event, row)
        yield


@pytest.fixture
def newer(monkeypatch):
    """Return a context manager: be a process of release 9.4, which knows messages with a flag."""
    return lambda: release(monkeypatch, chat={"flag": "9.4"})


def flagged(seq):
    [event] = some_events(seq - 1, 1)
    return {**event, "data": {**event["data"], "flag": True}}


def put_flagged(tables, table, *, expected=0, **more):
    """Append an event that release 0.3 does not know."""
    state = a_state(id=table, version=expected + 1, needs="9.4")
    tables.append(table, expected, [flagged(expected + 1)], state, **{"wake_at": None, **more})


def test_what_holds_such_an_event_says_so_in_the_name_of_its_schema(client, newer):
    with newer():
        stores = Stores(client)
        tables = stores.tables
        put_flagged(tables, "tb_a")
        assert client.hget(keys.head("tb_a"), "s").startswith(b"s2>9.4:{")
        assert client.hget(keys.head("tb_a"), "r") == b"9.4"
        assert [[*fields] for _, fields in client.xrange(keys.log("tb_a"))] == [[b"e1>9.4"]]
        for expected in range(1, compaction.LONG_LOG):
            state = a_state(id="tb_a", version=expected + 1, needs="9.4")
            tables.append("tb_a", expected, some_events(expected, 1), state, wake_at=None)
        assert tables.tidy(1) == 1
        assert [[*fields] for _, fields in client.xrange(keys.old("tb_a"))] == [[b"c1>9.4"]]
        stores.archive.archive("gm_1", {"base": a_state(), "events": [flagged(1)]})
        assert client.get(keys.game("gm_1")).startswith(b"g2>9.4:")
        assert client.smembers(keys.NEEDS) == {b"9.4"}
        # The newer release reads all of it.
        assert tables.load("tb_a").state["needs"] == "9.4"
        assert tables.events("tb_a", 0, 1) == [flagged(1)]
        assert len(tables.events("tb_a", 0, 100)) == compaction.LONG_LOG
        assert stores.archive.load_archive("gm_1")["events"] == [flagged(1)]


def test_what_needs_no_newer_release_is_stored_as_before(client, newer):
    with newer():
        stores = Stores(client)
        stores.tables.append("tb_a", 0, some_events(0, 1), a_state(id="tb_a", version=1), wake_at=START)
        stores.archive.archive("gm_1", {"base": a_state(), "events": some_events(0, 1)})
    assert client.hget(keys.head("tb_a"), "s").startswith(b"s2:{")
    assert not client.hexists(keys.head("tb_a"), "r")
    assert [[*fields] for _, fields in client.xrange(keys.log("tb_a"))] == [[codec.EVENT]]
    assert client.get(keys.game("gm_1")).startswith(b"g2:")
    assert not client.exists(keys.NEEDS)


def test_an_earlier_release_refuses_whatever_holds_such_an_event(client, newer):
    stores = Stores(client)
    with newer():
        theirs = Stores(client)
        for expected in range(compaction.LONG_LOG):
            put_flagged(theirs.tables, "tb_a", expected=expected)
        theirs.tables.tidy(1)
        theirs.archive.archive("gm_1", {"base": a_state(), "events": [flagged(1)]})
        theirs.archive.archive("gm_2", {"base": a_state(needs="9.4"), "events": some_events(0, 1)})
    for read in (
        lambda: stores.tables.load("tb_a"),
        lambda: stores.tables.events("tb_a", 0, 5),
        lambda: stores.tables.events("tb_a", compaction.LONG_LOG - 1, 5),
        lambda: stores.archive.load_archive("gm_1"),
        lambda: stores.archive.load_archive("gm_2"),
    ):
        with pytest.raises(StoreTooNew, match=r"(tb_a|gm_.) needs release 9\.4 or newer") as refused:
            read()
        assert refused.value.needs == "9.4"


@pytest.mark.parametrize("schema", ["s3", "s2>9.4", "s3>9.4"])
def test_later_schemas_are_of_a_newer_release_too(client, schema):
    client.hset(keys.head("tb_a"), mapping={"v": 1, "s": f"{schema}:{{}}", "o": "o1:[{},{}]"})
    with pytest.raises(StoreTooNew, match="tb_a"):
        Stores(client).tables.load("tb_a")


def test_an_earlier_release_does_not_append_to_a_state_that_it_remembers(client, newer):
    ours = Stores(client).tables
    ours.append("tb_a", 0, some_events(0, 1), a_state(id="tb_a", version=1), wake_at=None)
    with newer():
        put_flagged(Stores(client).tables, "tb_a", expected=1)
    with pytest.raises(Exception, match="at version 2, not 1"):
        ours.append("tb_a", 1, some_events(1, 1), a_state(id="tb_a", version=2), wake_at=None)
    assert ours.cached("tb_a") is None


def test_an_earlier_release_leaves_the_long_log_to_newer_ones(client, newer, caplog):
    ours = Stores(client).tables
    with newer():
        theirs = Stores(client).tables
        for expected in range(compaction.LONG_LOG):
            put_flagged(theirs, "tb_a", expected=expected)
    assert ours.tidy(1) == 0
    assert not caplog.records
    with newer():
        put_flagged(theirs, "tb_a", expected=compaction.LONG_LOG)
        assert theirs.tidy(1) == 1


def test_a_clock_of_an_earlier_release_leaves_such_tables_to_newer_ones(client, newer):
    ours = Stores(client).tables
    ours.append("tb_old", 0, some_events(0, 1), a_state(id="tb_old", version=1), wake_at=START, queue="people")
    with newer():
        theirs = Stores(client).tables
        put_flagged(theirs, "tb_new", wake_at=START, queue="people")
    assert [due.table for due in ours.lease_due(START, LEASE_MS, 10)] == ["tb_old"]
    # It has no lease: a clock of the newer release leases it at once.
    assert ours.lease_due(START + 400, LEASE_MS, 10) == []
    with newer():
        assert [(due.table, due.queue) for due in theirs.lease_due(START + 400, LEASE_MS, 10)] == [("tb_new", "people")]
    # If nobody of that release is there, the table is put back, so that it is not in the way.
    assert [due.table for due in ours.lease_due(START + 400 + LEASE_MS + 501, LEASE_MS, 10)] == ["tb_old"]
    assert client.zscore(keys.due(keys.bucket_of("tb_new")), "tb_new") == START + 400 + LEASE_MS + 501 + LEFT_MS
    assert client.zscore(keys.owed(keys.bucket_of("tb_new")), "tb_new") == START
    with newer():
        late = START + 400 + LEASE_MS + 501 + LEFT_MS
        assert "tb_new" in [due.table for due in theirs.lease_due(late, LEASE_MS, 10)]


@pytest.mark.parametrize(
    ("needed", "understood", "is_left"),
    [
        ("9.4", "", True),
        ("9.4", "9.4", False),
        ("9.4", "9.10", False),
        ("9.10", "9.4", True),
        ("9.4.1", "9.4", True),
        ("9.4", "9.4.1", False),
        ("1.0", "0.9", True),
    ],
)
def test_scripts_order_releases_as_processes_do(client, monkeypatch, needed, understood, is_left):
    client.hset(keys.head("tb_a"), mapping={"v": 1, "q": "ai", "r": needed})
    client.zadd(keys.due(keys.bucket_of("tb_a")), {"tb_a": START})
    with release(monkeypatch, chat={"flag": understood} if understood else {}):
        assert bool(Stores(client).tables.lease_due(START, LEASE_MS, 10)) != is_left
        assert needs.is_understood(needed) != is_left


def test_a_messenger_of_an_earlier_release_leaves_such_tables_to_newer_ones(client, newer):
    scans = ScanSchedule(client)
    with newer():
        put_flagged(Stores(client).tables, "tb_a")
    scans.schedule(["tb_a"], 0, START)
    assert scans.lease(START, 5_000, 10) == []
    assert scans.oldest() == START
    with newer():
        assert [leased.table for leased in ScanSchedule(client).lease(START, 5_000, 10)] == ["tb_a"]
    assert scans.lease(START + 5_501, 5_000, 10) == []
    assert scans.oldest() > START + 5_501


def test_a_process_of_an_earlier_release_starts_and_says_what_the_data_need(empty_redis, client, newer):
    assert open_tables(empty_redis, 16) == []
    with newer():
        put_flagged(Stores(client).tables, "tb_a")
        assert open_tables(empty_redis, 16) == []
        assert Stores(client).tables.newer_release() == ""
    assert open_tables(empty_redis, 16) == [NEWER.format(release="9.4")]
    assert Stores(client).tables.newer_release() == "9.4"
    client.sadd(keys.NEEDS, "9.10")
    assert Stores(client).tables.newer_release() == "9.10"


def test_what_is_needed_is_noted_once_and_not_by_other_appends(client, newer):
    with newer():
        tables = Stores(client).tables
        put_flagged(tables, "tb_a")
        client.config_resetstat()
        put_flagged(tables, "tb_a", expected=1)
        tables.append("tb_b", 0, some_events(0, 1), a_state(id="tb_b", version=1), wake_at=None)
        stats = client.info("commandstats")
        assert "cmdstat_sadd" not in stats
        assert stats["cmdstat_evalsha"]["calls"] == 2


def told_by(command, url, **more):
    """Status and output of a command of an earlier release, in a process of its own."""
    environment = {**os.environ, "REDIS_URL": url, **more}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=False, timeout=120)
    return done.returncode, (done.stdout + done.stderr).decode()


def test_a_command_tells_whether_a_release_understands_the_data(empty_redis, client, newer):
    command = [sys.executable, "-m", "service.needs"]
    assert told_by(command, empty_redis) == (0, f"needs: {VERSION} understands these data\n")
    with newer():
        put_flagged(Stores(client).tables, "tb_a")
    assert told_by(command, empty_redis) == (3, f"needs: {NEWER.format(release='9.4')}\n")
    status, message = told_by(command, "unix:///nowhere.sock")
    assert (status, message[:29]) == (1, "needs: REDIS_URL: no answer f")


#: Notes each command, and answers that the data need a newer release.
DOCKER = """#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in *"python -m service.needs"*) exit "$NEEDS" ;; esac
"""


@pytest.mark.parametrize(
    ("needed", "arguments", "status", "starts"),
    [
        (0, ["--check"], 0, False),
        (3, ["--check"], 3, False),
        (3, ["--check", "-p", "mine"], 3, False),
        (1, ["--check"], 1, False),
        (3, [], 3, False),
        (3, ["--anyway"], 0, True),
        (0, [], 0, True),
        # Redis does not run yet.
        (1, [], 0, True),
    ],
)
def test_an_upgrade_asks_whether_the_version_understands_the_data(tmp_path, needed, arguments, status, starts):
    docker = tmp_path / "docker"
    docker.write_text(DOCKER)
    docker.chmod(0o755)
    calls = tmp_path / "calls"
    more = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CALLS": str(calls), "NEEDS": str(needed), "TAG": "0.3"}
    assert told_by([ROOT / "deploy" / "upgrade", *arguments], "", **more)[0] == status
    recorded_calls = calls.read_text()
    assert (" up " in recorded_calls) == starts
    assert ("compose -p mine run" in recorded_calls) == ("mine" in arguments)
    assert "--check" not in recorded_calls


def test_an_earlier_release_checks_the_rest_of_a_backup_and_says_what_it_needs(client, newer):
    ours = Stores(client).tables
    created = fold_of(a_table("tb_old"))
    ours.append("tb_old", 0, a_table("tb_old"), created, wake_at=None)
    with newer():
        theirs = Stores(client)
        put_flagged(theirs.tables, "tb_new")
        theirs.archive.archive("gm_1", {"base": a_state(), "events": [flagged(1)]})
    file = io.BytesIO()
    backup.save(client, file)
    file.seek(0)
    counts = backup.check(file)
    assert (counts["tables"], counts["games"], counts[backup.OF_NEWER]) == (2, 1, 2)
    file.seek(0)
    client.flushall()
    backup.restore(client, file)
    assert newer_release(client) == "9.4"
    assert ours.load("tb_old").state == created
    with newer():
        assert Stores(client).tables.load("tb_new").state["needs"] == "9.4"


def a_table(table):
    return create_table(table, "pl_lin", {"ruleset": "shengji", "players": 4}, START, bytes).events


def fold_of(events):
    return json.loads(json.dumps(fold(events)))
