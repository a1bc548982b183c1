"""Fair shares: a host with many busy tables does not delay the AI players of others."""

import time

from service.game.state.types import State
from service.jobs.queues import AI, HEAVY, LEASE_MS, PEOPLE
from service.tables import wall_clock
from tests.workers.conftest import House
from workers import jobs
from workers.fairness import MEMORY_S, SHARE, SLICE_S, Shares, Turn

HOSTED: State = {"host": "pl_x", "settings": {"seed": None}}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_host_is_over_the_share_until_some_time_has_passed() -> None:
    clock = Clock()
    shares = Shares(clock)
    for _ in range(10):
        shares.add("busy", SHARE * MEMORY_S / 9)
        shares.add("idle", 0.001)
    assert shares.is_over("busy")
    assert not shares.is_over("idle")
    assert not shares.is_over("unknown")
    clock.now += MEMORY_S
    assert not shares.is_over("busy")


def test_hosts_with_almost_no_load_are_dropped() -> None:
    clock = Clock()
    shares = Shares(clock)
    shares.add("busy", 10)
    for number in range(5_000):
        shares.add(f"host {number}", 0.000_1)
    assert len(shares._taken) < 2_100
    assert shares.is_over("busy")


def test_a_turn_charges_the_host_and_ends() -> None:
    clock, work = Clock(), Clock()
    shares = Shares(clock)
    turn = Turn(shares, is_heavy=False, clock=clock, work=work)
    assert turn.admits(HOSTED)
    assert not turn.is_over()
    clock.now += SLICE_S + 1
    work.now += SHARE * MEMORY_S + 0.1
    assert turn.is_over()
    turn.end()
    assert shares.is_over("pl_x")
    assert not Turn(shares, is_heavy=False).admits(HOSTED)
    assert Turn(shares, is_heavy=True).admits(HOSTED)


def test_practice_tables_yield_to_others_if_requested() -> None:
    practice = {**HOSTED, "settings": {"seed": "a seed of the host"}}
    turn = Turn(Shares(), is_heavy=True, passes_practice=True)
    assert turn.admits(HOSTED)
    assert not turn.admits(practice)
    assert Turn(Shares(), is_heavy=True).admits(practice)


def test_a_host_is_not_charged_for_an_outage() -> None:
    shares = Shares()
    turn = Turn(shares, is_heavy=False)
    assert turn.admits(HOSTED)
    time.sleep(SHARE * MEMORY_S + 0.1)
    turn.end()
    assert not shares.is_over("pl_x")


def versions(house: House, *tables: str) -> list[int]:
    return [house.state(table)["version"] for table in tables]


def test_jobs_of_a_host_over_its_share_come_last_but_are_done(house: House, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    house.now = wall_clock()
    busy = [house.table(f"tb_busy_{number}", pace=0) for number in range(4)]
    other = house.table("tb_other", people=1, pace=0)
    assert len(house.job_ids(AI)) == 4
    assert len(house.job_ids(PEOPLE)) == 1
    before = versions(house, *busy, other)
    monkeypatch.setattr(jobs, "Shares", lambda: shares)
    shares = Shares()
    shares.is_over = lambda host: True  # type: ignore[method-assign]
    house.work(jobs=5)
    assert versions(house, *busy, other) == before
    assert len(house.job_ids(HEAVY)) == 5
    shares.is_over = lambda host: False  # type: ignore[method-assign]
    newcomer = house.table("tb_new", pace=0)
    [before_newcomer] = versions(house, newcomer)
    house.work(jobs=1)
    assert versions(house, *busy, other) == before
    assert versions(house, newcomer) > [before_newcomer]
    for _ in range(5):
        # Jobs that continue at once would come first.
        house.redis.delete(f"rq:queue:{AI}", f"rq:queue:{PEOPLE}")
        house.work(jobs=1)
    assert all(now > then for now, then in zip(versions(house, *busy, other), before, strict=True))


def test_tables_that_share_a_job_and_have_to_wait_share_the_next_one_too(house: House, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(jobs, "SLICE_S", 60.0)  # on a busy machine one job would not finish all three
    tables = [house.table(f"tb_{number}", pace=600) for number in range(3)]
    house.now += 600
    house.clock.tick()
    assert len(house.job_ids(AI)) == 1
    before = versions(house, *tables)
    shares = Shares()
    shares.is_over = lambda host: True  # type: ignore[method-assign]
    monkeypatch.setattr(jobs, "Shares", lambda: shares)
    house.work(jobs=1)
    assert versions(house, *tables) == before
    assert len(house.job_ids(HEAVY)) == 1
    house.work(jobs=1)
    assert all(now > then for now, then in zip(versions(house, *tables), before, strict=True))


def test_with_many_waiting_jobs_tables_sharing_a_job_wait_for_the_lease(house: House, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(jobs, "MOST_HEAVY", 2)
    shares = Shares()
    shares.is_over = lambda host: True  # type: ignore[method-assign]
    monkeypatch.setattr(jobs, "Shares", lambda: shares)
    for number in range(3):
        house.table(f"tb_{number}", pace=600)
    house.now += 600
    assert house.clock.tick() == 3
    house.work(jobs=1)
    assert house.job_ids(HEAVY) == []
    house.now += LEASE_MS
    assert house.clock.tick() == 3


def test_the_heavy_queue_is_limited(house: House, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(jobs, "MOST_HEAVY", 2)
    shares = Shares()
    shares.is_over = lambda host: True  # type: ignore[method-assign]
    monkeypatch.setattr(jobs, "Shares", lambda: shares)
    for number in range(4):
        house.table(f"tb_{number}", pace=0)
    house.work(jobs=4)
    assert len(house.job_ids(HEAVY)) == 2


def test_a_job_yields_when_its_time_slice_is_over(house: House, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    table = house.table("tb_long", pace=0)
    [before] = versions(house, table)
    monkeypatch.setattr(Turn, "is_over", lambda self: True)
    house.work(jobs=1)
    [first] = versions(house, table)
    assert first > before
    assert len(house.job_ids(AI)) == 1
    house.work(jobs=1)
    assert versions(house, table) > [first]
