"""The clock of the service is shared by all processes, and never goes back."""

import time
from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from service.common.reckoning import TOLERANCE_MS
from service.store import shared_clock
from service.store.connections.clients import command_client
from service.store.keys import CLOCK
from service.store.shared_clock import SharedClock

HOUR_MS = 3_600_000


@pytest.fixture(autouse=True)
def _reads_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep clocks from reading again by themselves, however long a test takes."""
    monkeypatch.setattr(shared_clock, "_READ_EVERY_S", 3_600)


@pytest.fixture
def clock_of(empty_redis: str) -> Iterator[Callable[..., SharedClock]]:
    """Creates the clock of another process."""
    clocks: list[SharedClock] = []

    def make(*args: Callable[[], int], is_api: bool = False) -> SharedClock:
        clocks.append(SharedClock(command_client(empty_redis), *args, is_api=is_api))
        return clocks[-1]

    yield make
    for each in clocks:
        each.close()


def server_time(client: Redis) -> int:
    seconds, microseconds = client.time()
    return int(seconds) * 1000 + int(microseconds) // 1000


def was_read(client: Redis, before_ms: int, ahead_ms: float = 0) -> None:
    """Pretend that the clock was read this long ago by the server's clock; negative: that was set back since."""
    client.hset(CLOCK, mapping={"last": server_time(client) - before_ms, "ahead": ahead_ms})


def test_every_process_has_the_time_of_the_server(client, clock_of):
    first, second = clock_of(), clock_of(lambda: time.monotonic_ns() + 10**12)
    before = server_time(client)
    times = [first(), second(), first()]
    after = server_time(client) + 1
    assert all(before <= each <= after for each in times), (before, times, after)


def test_setting_the_clock_back_by_an_hour_has_no_effect(client, clock_of):
    process = clock_of()
    was_read(client, -HOUR_MS)
    later = process()
    assert later >= server_time(client) + HOUR_MS - 1_000
    process.read()
    assert later <= process() < later + 60_000
    restarted = clock_of()
    assert abs(restarted() - process()) < 5_000
    assert abs(clock_of()() - process()) < 5_000, "reading it does not add up"


def test_a_running_process_knows_the_time_since_the_last_reading(client, clock_of):
    own = [10**12]
    process = clock_of(lambda: own[0])
    began = process()
    own[0] += 4 * 10**9
    was_read(client, -HOUR_MS, ahead_ms=began - server_time(client) - HOUR_MS)
    process.read()
    assert process() - began == 4_000


def test_the_clock_runs_slower_until_it_agrees_with_the_server_again(client, clock_of):
    was_read(client, 1_000, ahead_ms=HOUR_MS)
    clock_of()()
    left = float(client.hget(CLOCK, "ahead"))
    assert HOUR_MS - 40 < left <= HOUR_MS - 20
    was_read(client, 1_000, ahead_ms=19)
    clock_of()()
    assert float(client.hget(CLOCK, "ahead")) == 0


def test_a_clock_that_is_set_forward_again_has_caught_up(client, clock_of):
    was_read(client, HOUR_MS, ahead_ms=HOUR_MS / 2)
    before = server_time(client)
    assert before <= clock_of()() <= server_time(client) + 1


def test_a_clock_never_goes_back_in_its_own_process(client, clock_of):
    own = [10**12]
    process = clock_of(lambda: own[0])
    own[0] += 3 * 10**9
    fast = process()
    own[0] -= 2 * 10**9
    assert process() == fast


@pytest.mark.parametrize("missing", ["memory", "server"])
def test_a_clock_goes_on_without_a_server_that_can_note_it(client, clock_of, missing, monkeypatch):
    was_read(client, -HOUR_MS)
    process = clock_of()
    before = process()
    if missing == "memory":
        client.config_set("maxmemory", 1)
    else:
        monkeypatch.setattr(process, "_redis", command_client("redis://127.0.0.1:1", retries=0))
    try:
        process.read()
        assert before <= process() < before + 60_000
        if missing == "memory":
            assert clock_of()() >= before - TOLERANCE_MS
    finally:
        client.config_set("maxmemory", 0)


def test_a_cluster_has_one_clock(cluster):
    process = SharedClock(cluster)
    try:
        assert abs(process() - time.time_ns() // 1_000_000) < 60_000
        assert cluster.hget(CLOCK, "last")
    finally:
        process.close()


# --- heartbeats -----------------------------------------------------------------------------------------------------


def was_heard(client: Redis, before_ms: int) -> None:
    """Pretend that the API sent its last heartbeat this long ago."""
    at = server_time(client) - before_ms
    client.hset(CLOCK, mapping={"last": at, "ahead": 0, "heard": at})


@pytest.mark.parametrize("away_ms", [1_000, 60_000, HOUR_MS])
def test_the_clock_knows_the_outages(client, clock_of, away_ms):
    was_heard(client, away_ms)
    worker, api = clock_of(), clock_of(is_api=True)
    now = worker()
    assert worker.interruptions().is_going_on(now)
    assert worker.interruptions().gaps == ()
    api()
    # It reads the clock again on its own, since its own data would indicate an outage.
    [(since, until)] = worker.interruptions().gaps
    assert until - since >= away_ms
    assert not worker.interruptions().is_going_on(until)
    assert api.interruptions() == worker.interruptions()


def test_starting_a_process_next_to_others_is_no_interruption(client, clock_of):
    was_heard(client, 0)
    assert clock_of(is_api=True).interruptions().gaps == ()
    assert clock_of(is_api=True).interruptions().gaps == ()


def test_without_any_api_nobody_waits_for_it(client, clock_of):
    process = clock_of()
    process.read()
    assert not process.interruptions().is_going_on(process() + HOUR_MS)


def test_a_clock_of_an_earlier_version_counts_as_a_heartbeat(client, clock_of):
    was_read(client, 60_000)
    process = clock_of()
    assert process.interruptions().is_going_on(process())
    api = clock_of(is_api=True)
    [(since, until)] = api.interruptions().gaps
    assert until - since >= 60_000


def test_a_heartbeat_that_cannot_be_written_does_not_count(client, clock_of):
    was_heard(client, 60_000)
    client.config_set("maxmemory", 1)
    try:
        api = clock_of(is_api=True)
        assert api.interruptions().is_going_on(api())
    finally:
        client.config_set("maxmemory", 0)
    assert len(api.interruptions().gaps) == 1


def test_the_clock_remembers_the_latest_interruptions(client, clock_of):
    for _ in range(40):
        was_heard(client, 2_000)
        clock_of(is_api=True).read()
    assert len(clock_of().interruptions().gaps) == 32
