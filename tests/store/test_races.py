"""Concurrent writers: exactly one wins, and the log has only the winner's events."""

import json
import subprocess
import sys
import threading

import pytest

from harness.memory import MemoryStores
from service.store.port import VersionConflict
from service.store.redis_tables import RedisTableStore
from tests.store.conftest import START, a_state, put
from tests.store.racers import append, lease

THREADS = 24
PROCESSES = 5


def race_of_threads(tables, what):
    gate, results = threading.Barrier(THREADS), {}

    def run(name):
        gate.wait()
        results[name] = what(tables, name)

    threads = [threading.Thread(target=run, args=(f"thread {number}",)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def race_of_processes(url, what):
    command = [sys.executable, "-m", "tests.store.racers", url, what]
    racers = {
        name: subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in (f"process {number}" for number in range(PROCESSES))
    }
    for racer in racers.values():
        assert racer.stdout.readline() == "ready\n"
    for racer in racers.values():
        racer.stdin.write("go\n")
        racer.stdin.flush()
    return {name: json.loads(racer.communicate()[0]) for name, racer in racers.items()}


@pytest.fixture(params=["threads on memory", "threads on redis", "processes on redis"])
def arena(request):
    """A store, and a function `race(what)` that lets many race for it and returns their results by name."""
    if request.param == "threads on memory":
        tables = MemoryStores().tables
    else:
        tables = RedisTableStore(request.getfixturevalue("client"))
    if request.param == "processes on redis":
        url = request.getfixturevalue("empty_redis")
        return tables, lambda what: race_of_processes(url, what.__name__)
    return tables, lambda what: race_of_threads(tables, what)


def test_of_many_appends_to_one_version_exactly_one_succeeds(arena):
    tables, race = arena
    put(tables, "tb_a")
    results = race(append)
    winners = [name for name, result in results.items() if result == "won"]
    assert len(winners) == 1
    # The others get the version of the winner.
    assert sorted(map(str, results.values())) == ["3"] * (len(results) - 1) + ["won"]
    assert tables.load("tb_a") == (3, a_state(by=winners[0]))
    assert [(event["seq"], event["data"]["text"]) for event in tables.events("tb_a", 1, 10)] == [
        (2, winners[0]),
        (3, winners[0]),
    ]


def test_of_many_clocks_each_due_table_is_leased_by_exactly_one(arena):
    tables, race = arena
    due = [f"tb_{number}" for number in range(150)]
    for number, table in enumerate(due):
        put(tables, table, wake_at=START + number % 100)
    put(tables, "tb_later", wake_at=START + 101)
    results = race(lease)
    assert sorted(table for leased in results.values() for table in leased) == sorted(due)


def test_writers_that_retry_after_a_conflict_all_succeed_in_one_gapless_log(tables):
    put(tables, "tb_a")

    def write_five(tables, name):
        for number in range(5):
            while True:
                version = tables.load("tb_a").version
                event = {"seq": version + 1, "type": "chat", "at": START, "data": f"{name} {number}"}
                try:
                    tables.append("tb_a", version, [event], a_state(version=version + 1), wake_at=None)
                except VersionConflict:
                    continue
                break

    race_of_threads(tables, write_five)
    events = tables.events("tb_a", 0, 1000)
    assert [event["seq"] for event in events] == list(range(1, THREADS * 5 + 2))
    assert len({event["data"] for event in events[1:]}) == THREADS * 5
    assert tables.load("tb_a") == (THREADS * 5 + 1, a_state(version=THREADS * 5 + 1))
