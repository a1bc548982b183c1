"""The cost of appends with and without subscribers."""

import pytest

from service.store import keys
from service.store.notices.scans import ScanResult, ScanSchedule
from service.store.stores import Stores
from tests.store.conftest import START, put


@pytest.fixture
def tables(client):
    return Stores(client).tables


def commands_of(client, do):
    """Return the number of commands of each kind that a call takes."""
    client.config_resetstat()
    do()
    stats = client.info("commandstats")
    return {name.removeprefix("cmdstat_"): each["calls"] for name, each in stats.items() if "config" not in name}


def test_an_append_takes_a_command_more_or_two_only_with_subscribers(client, tables):
    # Twice, so that the script is known.
    put(tables, "tb_a")
    put(tables, "tb_a", expected=1)
    usual = commands_of(client, lambda: put(tables, "tb_a", expected=2))
    # Every append sets when the table is due, in two lists; the other lists are written if the table comes or goes.
    assert usual.get("zadd", 0) + usual["zrem"] == 2
    for expected, noted, more in ((3, START, {"zscore": 1}), (4, START + 3_600_000, {"zscore": 1, "zadd": 1})):
        ScanSchedule(client).schedule(["tb_a"], 0, noted)
        commands = commands_of(client, lambda expected=expected: put(tables, "tb_a", expected=expected))
        assert usual["evalsha"] == commands["evalsha"] == 1
        others = {name: commands[name] - usual.get(name, 0) for name in commands}
        assert {name: count for name, count in others.items() if count} == more


def test_an_append_schedules_a_scan_after_the_delay_unless_there_is_an_earlier_one(client, tables):
    scans = ScanSchedule(client)
    put(tables, "tb_a")
    scans.schedule(["tb_a"], 20_000, START)
    put(tables, "tb_a", expected=1, at=START + 1_000)
    # An earlier scan was scheduled already.
    assert scans.oldest() == START
    [leased] = scans.lease(START, 5_000, 10)
    scans.record(START, [ScanResult(leased, None, 20_000)])
    assert scans.oldest() is None
    put(tables, "tb_a", expected=2, at=START + 2_000)
    assert scans.oldest() == START + 22_000
    put(tables, "tb_a", expected=3, at=START + 3_000)
    assert scans.oldest() == START + 22_000


def test_a_scan_with_an_expired_lease_records_nothing(client, tables):
    scans = ScanSchedule(client)
    put(tables, "tb_a")
    scans.schedule(["tb_a"], 0, START)
    [first] = scans.lease(START, 5_000, 10)
    [second] = scans.lease(START + 5_000, 5_000, 10)
    scans.record(START + 6_000, [ScanResult(first, None, None)])
    assert scans.oldest() == second.until
    assert client.hget(keys.head("tb_a"), "n") == b"0"
    scans.record(START + 6_000, [ScanResult(second, None, None)])
    assert scans.oldest() is None
    assert client.hget(keys.head("tb_a"), "n") is None


def test_a_deleted_table_gets_no_look(client, tables):
    scans = ScanSchedule(client)
    put(tables, "tb_a")
    scans.schedule(["tb_a", "tb_none"], 0, START)
    tables.delete("tb_a")
    assert scans.lease(START, 5_000, 10) == []
    assert scans.oldest() is None
