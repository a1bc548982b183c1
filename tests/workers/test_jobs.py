"""Jobs on a real RQ: effects, repeated runs, and priority."""

import math
from typing import Any

import pytest
import structlog
from redis.exceptions import ConnectionError as RedisConnectionError
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from service.jobs import worker_status
from service.jobs.failed import failed_jobs
from service.jobs.queues import AI, FAILURE_TTL_S, LEASE_MS, PEOPLE, QUEUES
from service.jobs.worker_status import alive
from service.rules.cards import CARDS
from service.store import keys
from service.tables import wall_clock
from tests.workers.conftest import House
from workers import jobs, search_budget


def test_a_table_of_ai_seats_plays_its_rounds_job_by_job(house: House) -> None:
    table = house.table("tb_alone")
    rounds = 0
    while rounds < 1:
        before = house.state(table)["version"]
        house.work(jobs=1)
        assert house.state(table)["version"] > before
        rounds = len(house.state(table)["game"]["results"])


def test_ai_seats_move_until_a_person_must_act_and_then_no_job_is_left(house: House) -> None:
    table = house.table("tb_mixed", people=1)
    house.work()
    decision = house.state(table)["decision"]
    assert decision["seats"] == [0]
    assert house.job_ids(PEOPLE) == []


def test_one_job_does_bounded_work_and_leaves_the_rest_to_the_next(house: House) -> None:
    house.table("tb_long")
    house.work(jobs=1)
    assert len(house.job_ids(AI)) == 1


def test_running_a_job_twice_changes_nothing(house: House) -> None:
    table = house.table("tb_twice", people=1)
    version = house.state(table)["version"]
    house.work()
    after = house.state(table)
    events = house.store.events(table, 0, 10_000)
    jobs.advance(table, version)
    jobs.advance(table, after["version"])
    assert house.state(table) == after
    assert house.store.events(table, 0, 10_000) == events


def test_the_job_of_a_deleted_table_does_not_fail(house: House) -> None:
    house.table("tb_gone", people=1)
    house.store.delete("tb_gone")
    house.work()
    assert not FailedJobRegistry(PEOPLE, connection=house.redis).get_job_ids()
    assert house.job_ids(PEOPLE) == []


def test_a_job_for_an_old_version_leaves_the_table_to_others(house: House) -> None:
    table = house.table("tb_old")
    house.work(jobs=1)
    version = house.state(table)["version"]
    jobs.advance(table, version - 1)
    assert house.state(table)["version"] == version


def test_tables_with_people_come_before_tables_with_only_ai_seats(house: House) -> None:
    for number in range(3):
        house.table(f"tb_ai{number}")
    table = house.table("tb_person", people=1)
    before = house.state(table)["version"]
    house.work(jobs=1)
    assert house.state(table)["version"] > before
    assert len(house.job_ids(AI)) == 3


@pytest.mark.parametrize(("every_s", "left"), [(0.0, 1), (math.inf, 3)])
def test_tables_with_only_ai_seats_have_their_turn_while_people_keep_a_worker_busy(
    house: House, monkeypatch: pytest.MonkeyPatch, every_s: float, left: int
) -> None:
    monkeypatch.setattr(jobs, "_OTHERS_EVERY_S", every_s)
    monkeypatch.setattr(jobs.Worker, "_other_at", 0.0)
    for number in range(3):
        house.queues.enqueue(f"tb_ai{number}", 1, AI)
    for number in range(6):
        house.queues.enqueue(f"tb_person{number}", 1, PEOPLE)
    house.work(jobs=4)
    assert (len(house.job_ids(PEOPLE)), len(house.job_ids(AI))) == ((6 + 3 - 4) - left, left)


def test_the_same_job_is_enqueued_only_once_within_a_lease(house: House) -> None:
    for _ in range(3):
        house.queues.enqueue("tb_same", 7, AI)
    assert len(house.job_ids(AI)) == 1


def test_a_finished_job_leaves_nothing_in_redis(house: House) -> None:
    house.table("tb_clean", people=1)
    house.work()
    assert {key.split(b":")[1] for key in house.redis.keys("rq:*")} <= {b"worker", b"queues"}


def test_a_job_that_fails_is_kept_for_a_day_and_does_not_end_the_worker(house: House) -> None:
    house.redis.set(keys.head("tb_broken"), "no such type")
    house.queues.enqueue("tb_broken", 1, PEOPLE)
    table = house.table("tb_fine", people=1)
    before = house.state(table)["version"]
    house.work()
    assert house.state(table)["version"] > before
    [failed] = FailedJobRegistry(PEOPLE, connection=house.redis, serializer=JSONSerializer).get_job_ids()
    job = Job.fetch(failed, connection=house.redis, serializer=JSONSerializer)
    assert job.args == ["tb_broken", 1]
    [failure] = failed_jobs(house.redis)
    assert failure.startswith(f"{PEOPLE} {job.id} 20")
    assert "Traceback" in failure
    assert "ResponseError: WRONGTYPE" in failure
    assert 0 < house.redis.ttl(job.key) <= FAILURE_TTL_S


def test_a_job_that_fails_at_one_table_leaves_those_after_it_to_another_job(house: House) -> None:
    tables = [house.table(f"tb_n{number}", pace=600) for number in range(3)]
    house.now += 600
    house.redis.set(keys.head("tb_broken"), "no such type")
    versions = [house.state(table)["version"] for table in tables]
    due = list(zip(tables, versions, strict=True))
    house.queues.enqueue_all([due[0], ("tb_broken", 1), *due[1:]], AI)
    house.work()
    assert all(house.state(table)["version"] > version for table, version in due)
    assert len(FailedJobRegistry(AI, connection=house.redis).get_job_ids()) == 1


def test_a_long_job_leaves_the_rest_to_another(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SLICE_S", 0.0)
    tables = [house.table(f"tb_n{number}", pace=600) for number in range(3)]
    house.now += 600
    versions = [house.state(table)["version"] for table in tables]
    house.queues.enqueue_all(list(zip(tables, versions, strict=True)), AI)
    for done in range(1, 4):
        house.work(jobs=1)
        moved = [house.state(table)["version"] > old for table, old in zip(tables, versions, strict=True)]
        assert sum(moved) == done


def test_a_line_of_the_log_names_table_version_and_time_but_no_card(house: House) -> None:
    table = house.table("tb_log", people=1)
    version = house.state(table)["version"]
    with structlog.testing.capture_logs() as lines:
        house.work()
    # On a busy machine there is a job for every few steps.
    assert {line["table"] for line in lines} == {table}
    assert [line["version"] for line in lines] == [version, *(line["now_at"] for line in lines[:-1])]
    assert lines[-1]["now_at"] == house.state(table)["version"]
    assert {"event", "log_level", "table", "version", "steps", "now_at", "ms"} == set(lines[0])
    assert not any(str(value) in CARDS for line in lines for value in line.values())


def test_a_worker_sends_heartbeats_and_removes_them_when_it_stops(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.table("tb_alive", people=1)
    living = []

    def advise(view: dict[str, Any], seed: bytes, level: str, share: float = 1.0) -> Any:
        living.append([alive(house.redis, role, wall_clock()) for role in ("worker", "clock")])
        return plain(view, seed, level, share)

    plain = search_budget.ai.advise
    monkeypatch.setattr(search_budget.ai, "advise", advise)
    house.work()
    assert living
    assert all(counts == [1, 0] for counts in living)
    assert alive(house.redis, "worker", wall_clock()) == 0


def test_rq_sends_its_own_heartbeat_only_once_for_many_jobs(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(SimpleWorker, "heartbeat", lambda _, __=None, pipeline=None: sent.append(pipeline))
    monkeypatch.setattr(jobs, "_HEARTBEAT_S", 3600.0)
    for number in range(3):
        house.table(f"tb_beats{number}", people=1)
    house.work()
    assert sent.count(None) <= 1
    assert len(sent) > 3, "each job tells of itself together with what else it tells"


def test_an_action_succeeds_while_the_queues_are_unreachable(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise RedisConnectionError("away")

    monkeypatch.setattr(Queue, "enqueue_call", away)
    table = house.table("tb_away", people=1)
    monkeypatch.undo()
    house.now += LEASE_MS
    assert house.clock.tick() == 1, "the clock asks again"
    before = house.state(table)["version"]
    house.work()
    assert house.state(table)["version"] > before


def test_every_job_is_counted_with_lateness_and_duration(house: House) -> None:
    house.table("tb_counted", people=1, pace=600)
    house.table("tb_alone", pace=600)
    house.now += 600 + 1_200
    house.clock.tick()
    house.work(jobs=2)
    status = worker_status.read(house.redis, house.store, QUEUES, house.now)
    for queue in (PEOPLE, AI):
        late = status.jobs[queue, worker_status.LATENESS]
        assert {bound for bound, count in late.counts.items() if count} == {1.5}
        assert 1.2 <= late.sum < 1.5
        took = status.jobs[queue, worker_status.DURATION]
        assert sum(took.counts.values()) == 1
        assert took.sum > 0


def test_a_job_without_work_is_not_counted(house: House) -> None:
    table = house.table("tb_none", people=4)
    house.queues.enqueue(table, 1, PEOPLE)
    house.work()
    status = worker_status.read(house.redis, house.store, QUEUES, house.now)
    assert status.jobs[PEOPLE, worker_status.LATENESS].sum == 0
    assert not any(status.jobs[PEOPLE, worker_status.DURATION].counts.values())


def test_waiting_jobs_and_overdue_tables_are_counted(house: House) -> None:
    house.table("tb_due", people=1, pace=600)
    house.table("tb_due_too", pace=600)
    house.now += 600
    house.clock.tick()
    assert worker_status.read(house.redis, house.store, QUEUES, house.now).overdue == 0
    house.now += worker_status.OVERDUE_MS + 1
    status = worker_status.read(house.redis, house.store, QUEUES, house.now)
    assert status.waiting == {queue: int(queue in (PEOPLE, AI)) for queue in QUEUES}
    assert status.overdue == 2, "leased, and not done"
    house.work()
    assert worker_status.read(house.redis, house.store, QUEUES, house.now).overdue == 0


def test_only_processes_with_a_recent_heartbeat_are_counted(house: House) -> None:
    heartbeats = [worker_status.Heartbeat(house.redis, "clock", lambda: house.now) for _ in range(3)]
    for each in heartbeats:
        each.beat()
    assert worker_status.alive(house.redis, "clock", house.now) == 3
    heartbeats[0].end()
    heartbeats[0].beat()
    assert worker_status.alive(house.redis, "clock", house.now) == 2, "no more often than needed"
    assert worker_status.alive(house.redis, "clock", house.now + worker_status.ALIVE_MS + 1) == 0
