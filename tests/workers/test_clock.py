"""The clock: due tables get jobs, and lost jobs are enqueued again."""

from contextlib import closing
from threading import Event
from typing import Any

import pytest
from redis.exceptions import ResponseError
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from service.common.interruptions import Interruptions
from service.jobs.queues import AI, LEASE_MS, PEOPLE
from service.jobs.worker_status import Heartbeat, alive
from service.store import keys
from service.store.port import Due, StoreCorrupt, StoreUnavailable
from service.store.shared_clock import SharedClock
from service.tables import Tables
from tests.workers.conftest import House
from workers import ai, clock
from workers.clock import Clock, Part


def test_a_move_of_an_ai_seat_gets_its_job_when_it_is_due_and_not_before(house: House) -> None:
    table = house.table("tb_pace", people=1, pace=600)
    assert house.job_ids(PEOPLE) == []
    house.clock.tick()
    assert house.job_ids(PEOPLE) == []
    house.now += 600
    house.clock.tick()
    assert len(house.job_ids(PEOPLE)) == 1
    before = house.state(table)["version"]
    house.work()
    assert house.state(table)["version"] > before


def test_setting_the_clock_back_freezes_no_table(house: House) -> None:
    house.now += 3_600_000
    house.table("tb_back", people=1, pace=600)
    # That was the time of the last read of the clock, which has been set back by an hour since.
    house.redis.hset(keys.CLOCK, "last", house.now)
    with closing(SharedClock(house.redis)) as restarted:
        house.now = restarted() + 600
    assert house.clock.tick() == 1


def test_during_an_outage_no_decision_times_out_and_afterwards_every_table_is_notified(house: House) -> None:
    table = house.table("tb_away", people=4)
    decision = house.state(table)["decision"]
    known = Interruptions(heard_at=house.now)
    tables = Tables(house.store, now=lambda: house.now, interrupted=lambda: known)
    ticking = Clock(
        house.store, [Part(house.queues, Heartbeat(house.redis, "clock", lambda: house.now))], lambda: house.now,
        interrupted=lambda: known,
    )  # fmt: skip
    house.now = decision["deadline"] + 10_000
    assert tables.advance(table, None, ai.choose).steps == 0
    assert house.state(table)["decision"] == decision
    # The service came back before the deadline, when only the clock looks at the table.
    known = Interruptions(decision["deadline"] - 1, ((decision["opened_at"] + 1, decision["deadline"] - 1),))
    house.now = decision["deadline"] - 1
    assert ticking.tick() == 1
    assert ticking.tick() == 0
    assert tables.advance(table, None, ai.choose).steps == 1
    moved = house.state(table)["decision"]
    assert moved["id"] == decision["id"]
    assert moved["deadline"] == house.now + decision["deadline"] - decision["opened_at"]


def tables_in_jobs(house: House) -> list[list[str]]:
    """Return the tables of the waiting jobs for AI seats."""
    jobs = (Job.fetch(job, connection=house.redis, serializer=JSONSerializer) for job in house.job_ids(AI))
    return [[job.args[0]] if isinstance(job.args[0], str) else [table for table, _ in job.args[0]] for job in jobs]


def test_tables_of_ai_seats_share_jobs(house: House) -> None:
    tables = [house.table(f"tb_n{number}", pace=600) for number in range(clock.MOST_TABLES + 1)]
    house.now += 600
    assert house.clock.tick() == len(tables)
    shared, alone = tables_in_jobs(house)
    assert len(shared) == clock.MOST_TABLES
    assert sorted(shared + alone) == sorted(tables)
    before = [house.state(table)["version"] for table in tables]
    house.work()
    assert all(house.state(table)["version"] > version for table, version in zip(tables, before, strict=True))


def test_several_clocks_put_each_table_into_one_job(house: House) -> None:
    for number in range(5):
        house.table(f"tb_n{number}", pace=600)
    house.now += 600
    others = [
        Clock(house.store, [Part(house.queues, Heartbeat(house.redis, "clock", lambda: house.now))], lambda: house.now)
        for _ in range(3)
    ]
    assert sum(each.tick() for each in [house.clock, *others]) == 5
    assert sorted(table for job in tables_in_jobs(house) for table in job) == [f"tb_n{number}" for number in range(5)]


def test_clock_and_api_enqueue_only_one_job_for_a_version(house: House) -> None:
    house.table("tb_now")
    assert len(house.job_ids(AI)) == 1
    assert house.clock.tick() == 1
    assert len(house.job_ids(AI)) == 1


def test_a_lost_job_is_repeated_after_the_lease(house: House) -> None:
    table = house.table("tb_lost", people=1, pace=600)
    house.now += 600
    house.clock.tick()
    [lost] = house.job_ids(PEOPLE)
    Queue(PEOPLE, connection=house.redis, serializer=JSONSerializer).pop_job_id()
    assert house.clock.tick() == 0
    house.now += LEASE_MS
    assert house.clock.tick() == 1
    [job] = house.job_ids(PEOPLE)
    assert job != lost
    before = house.state(table)["version"]
    house.work()
    assert house.state(table)["version"] > before


def test_a_late_decision_is_decided_by_a_job(house: House) -> None:
    table = house.table("tb_late", people=4)
    decision = house.state(table)["decision"]
    house.now = decision["deadline"] + 10_000
    house.clock.tick()
    house.work()
    assert house.state(table)["decision"]["id"] != decision["id"]


def test_the_clock_deals_the_cards_of_a_timed_deal_and_ai_seats_declare_meanwhile(house: House) -> None:
    table = house.table("tb_deal_2", people=1, pace=600, deal_pace="timed")
    while house.state(table)["round"]["phase"] == "dealing":
        house.now += 2_000
        house.clock.tick()
        house.work()
    events = [event["type"] for event in house.store.events(table, 0, 10_000)]
    assert events.count("dealt") == 5
    assert events.index("declared") < len(events) - 1 - events[::-1].index("dealt")


def test_with_many_jobs_waiting_only_ai_tables_are_postponed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "MOST_WAITING", 3)
    monkeypatch.setattr(clock, "MOST_TABLES", 1)
    monkeypatch.setattr(clock, "LEASE_LIMIT", 2)
    for number in range(6):
        house.table(f"tb_a{number}", pace=500)
    house.table("tb_people", people=1, pace=600)
    house.now += 600
    assert house.clock.tick() == 7
    assert len(house.job_ids(AI)) == 3
    assert len(house.job_ids(PEOPLE)) == 1
    house.now += LEASE_MS
    assert house.clock.tick() == 7, "what was left is due again"


def test_tables_with_people_are_enqueued_before_a_crowd_of_ai_tables(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        house.table(f"tb_a{number}", pace=500)
    house.table("tb_people", people=1, pace=600)
    house.now += 600
    calls: list[str] = []
    monkeypatch.setattr(house.queues, "enqueue", lambda _table, _version, queue, **_: calls.append(queue))
    monkeypatch.setattr(house.queues, "enqueue_all", lambda tables, queue: calls.extend([queue] * len(tables)))
    monkeypatch.setattr(house.store, "load", None)
    assert house.clock.tick() == 4
    assert calls == [PEOPLE, AI, AI, AI]


def test_a_table_stored_without_a_queue_gets_its_job(house: House) -> None:
    table = house.table("tb_old", people=1, pace=600)
    house.redis.hdel(keys.head(table), "q")
    house.now += 600
    assert house.clock.tick() == 1
    assert len(house.job_ids(PEOPLE)) == 1


@pytest.mark.parametrize(
    "error",
    [
        StoreUnavailable(ConnectionError("away")),
        StoreCorrupt("WRONGTYPE Operation against a key holding the wrong kind of value"),
        ResponseError("NOPERM this user has no permissions"),
    ],
)
def test_the_clock_waits_while_redis_is_unreachable_or_answers_with_errors(
    house: House, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(clock, "RETRY_S", 0.0)
    monkeypatch.setattr(clock, "TICK_S", 0.0)
    stop = Event()
    calls = []

    def lease_due(*_: Any) -> list[Due]:
        calls.append(1)
        if len(calls) < 3:
            raise error
        stop.set()
        return []

    monkeypatch.setattr(house.store, "lease_due", lease_due)
    house.clock.run(stop)
    assert len(calls) == 3
    assert alive(house.redis, "clock", house.now)


def test_concurrent_jobs_do_every_step_once(house: House) -> None:
    """Two workers have the same job: the store lets one of them append, and the other continues from there."""
    table = house.table("tb_race", people=1)
    second = Tables(house.store, now=lambda: house.now)
    state = house.state(table)

    def choose_late(view: dict[str, Any], seed: bytes, level: str) -> dict[str, Any]:
        if view["version"] == state["version"]:
            second.advance(table, view["version"], ai.choose)
        return ai.choose(view, seed, level)

    house.tables.advance(table, None, choose_late)
    events = house.store.events(table, 0, 10_000)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    answered = [(event["data"]["seat"], event["round"]) for event in events if event["type"] == "passed"]
    assert answered == list(dict.fromkeys(answered))


def test_a_clock_that_runs_tidies_long_logs(house: House) -> None:
    table = house.table("tb_long", people=4)
    stop = Event()

    class Once(Clock):
        def tick(self) -> int:
            stop.set()
            return super().tick()

    version = house.state(table)["version"]
    while version < 100:
        house.tables.act(table, {"type": "chat", "player": "pl_0", "name": "P0", "text": "hello"})
        version += 1
    log = house.tables.log(table)
    Once(house.store, [Part(house.queues, Heartbeat(house.redis, "clock", lambda: house.now))], lambda: house.now).run(
        stop
    )
    assert house.redis.xlen(keys.log(table)) < 50
    assert house.tables.log(table) == log
