"""Jobs on a real RQ: what they do, that they may run twice, and who comes first."""

import pytest
import structlog
from redis.exceptions import ConnectionError as RedisConnectionError
from rq import Queue
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from service.rules.cards import CARDS
from tests.workers.conftest import House
from workers import jobs
from workers.queues import AI, FAILURE_TTL_S, LEASE_MS, PEOPLE, is_alive


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


def test_a_job_for_an_old_version_leaves_the_table_to_others(house: House) -> None:
    table = house.table("tb_old")
    house.work(jobs=1)
    version = house.state(table)["version"]
    jobs.advance(table, version - 1)
    assert house.state(table)["version"] == version


def test_tables_with_people_come_before_tables_of_ai_seats_alone(house: House) -> None:
    for number in range(3):
        house.table(f"tb_ai{number}")
    table = house.table("tb_person", people=1)
    before = house.state(table)["version"]
    house.work(jobs=1)
    assert house.state(table)["version"] > before
    assert len(house.job_ids(AI)) == 3


def test_the_same_job_is_asked_for_only_once_within_a_lease(house: House) -> None:
    for _ in range(3):
        house.queues.enqueue("tb_same", 7, AI)
    assert len(house.job_ids(AI)) == 1


def test_a_job_that_was_done_leaves_nothing_in_redis(house: House) -> None:
    house.table("tb_clean", people=1)
    house.work()
    assert house.redis.keys("rq:job:*") == []


def test_a_job_that_fails_is_kept_for_a_day_and_does_not_end_the_worker(house: House) -> None:
    house.queues.enqueue("tb_nowhere", 1, PEOPLE)
    table = house.table("tb_fine", people=1)
    before = house.state(table)["version"]
    house.work()
    assert house.state(table)["version"] > before
    [failed] = FailedJobRegistry(PEOPLE, connection=house.redis, serializer=JSONSerializer).get_job_ids()
    kept = Job.fetch(failed, connection=house.redis, serializer=JSONSerializer)
    assert kept.args == ["tb_nowhere", 1]
    assert 0 < house.redis.ttl(kept.key) <= FAILURE_TTL_S


def test_a_line_of_the_log_names_table_version_and_time_but_no_card(house: House) -> None:
    table = house.table("tb_log", people=1)
    version = house.state(table)["version"]
    with structlog.testing.capture_logs() as lines:
        house.work()
    assert [line["table"] for line in lines] == [table]
    assert lines[0]["version"] == version
    assert lines[0]["now_at"] == house.state(table)["version"]
    assert {"event", "log_level", "table", "version", "steps", "now_at", "ms"} == set(lines[0])
    assert not any(str(value) in CARDS for value in lines[0].values())


def test_a_worker_gives_signs_of_life(house: House) -> None:
    assert not is_alive(house.redis, "worker")
    house.work()
    assert is_alive(house.redis, "worker")
    assert not is_alive(house.redis, "clock")


def test_an_action_is_not_refused_because_the_queues_are_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
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
