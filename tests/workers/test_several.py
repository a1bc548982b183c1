"""Job queues on several Redis servers: chosen by table; a lost one delays only its tables, and is refilled."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from threading import Event
from zlib import crc32

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from rq import Queue
from rq.serializers import JSONSerializer

from harness.waiting import wait_until
from service.common.settings import Settings, SettingsError
from service.jobs import several
from service.jobs.queues import AI, LEASE_MS, QUEUES
from service.jobs.several import all_served, one_of, queues_of, read_all
from service.jobs.worker_status import Heartbeat, JobMetrics, alive
from service.processes.embedded_redis import EmbeddedRedis
from service.run import children
from service.store.connections import opening
from service.store.connections.clients import queue_client
from service.store.connections.opening import CannotStartError, open_queues
from service.tables import wall_clock
from tests.workers.conftest import House
from workers import several_redis
from workers.clock import Clock, Part

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """Another Redis for the second part of the queues."""
    with EmbeddedRedis(tmp_path_factory.mktemp("second")) as server:
        yield server


@pytest.fixture
def redises(house: House, second):
    other = queue_client(second.url)
    other.flushall()
    yield [house.redis, other]
    other.close()


def a_clock(house: House, redises) -> Clock:
    parts = zip(queues_of(redises, lambda: house.now), redises, strict=True)
    return Clock(
        house.store,
        [Part(queues, Heartbeat(redis, "clock", lambda: house.now)) for queues, redis in parts],
        lambda: house.now,
    )


def waiting(redis):
    """Return the tables with waiting AI jobs in a Redis."""
    places = []
    for job in Queue(AI, connection=redis, serializer=JSONSerializer).jobs:
        places += [job.args[0]] if isinstance(job.args[0], str) else [table for table, _ in job.args[0]]
    return sorted(places)


def due_tables(house: House) -> list[list[str]]:
    """Make some tables due; return those of the first and of the second Redis."""
    tables = [house.table(f"tb_n{number}", pace=600) for number in range(6)]
    house.now += 600
    of_parts = [[table for table in tables if one_of([0, 1], table) == part] for part in (0, 1)]
    assert all(of_parts)
    return of_parts


def test_the_table_chooses_the_redis_for_its_jobs(house: House, redises):
    of_parts = due_tables(house)
    assert a_clock(house, redises).tick() == 6
    assert [waiting(redis) for redis in redises] == of_parts
    assert one_of([0, 1], "tb_n1") == crc32(b"tb_n1") % 2


def test_workers_of_each_redis_move_its_tables(house: House, redises):
    of_parts = due_tables(house)
    a_clock(house, redises).tick()
    before = {table: house.state(table)["version"] for its in of_parts for table in its}
    house.work()
    moved = [table for table, version in before.items() if house.state(table)["version"] > version]
    assert sorted(moved) == of_parts[0]


def test_a_lost_redis_delays_only_its_tables_and_is_refilled(house: House, tmp_path):
    with EmbeddedRedis(tmp_path) as lost, contextlib.closing(queue_client(lost.url)) as other:
        of_parts = due_tables(house)
        clock = a_clock(house, [house.redis, other])
        lost.kill()
        clock.tick()
        assert waiting(house.redis) == of_parts[0]
        # It comes back empty, and the leases end.
        (tmp_path / "appendonlydir").rename(tmp_path / "gone")
        lost.start()
        assert other.dbsize() == 0
        house.now += LEASE_MS
        for part in clock._parts:
            part.queues._left_out_until = 0.0
        clock.tick()
        assert waiting(other) == of_parts[1]


def test_a_redis_that_did_not_answer_is_left_out_for_a_while(house: House, redises, monkeypatch):
    monkeypatch.setattr(several, "LEFT_OUT_S", 3_600)
    first, second = queues_of(redises, lambda: house.now)
    redises_asked = []

    def lost(*_args, **_options):
        redises_asked.append(1)
        raise RedisConnectionError("lost")

    with monkeypatch.context() as patch:
        patch.setattr(Queue, "enqueue_call", lost)
        for number in range(3):
            second.enqueue("tb_n1", number, AI)
    assert len(redises_asked) == 1
    with pytest.raises(RedisConnectionError, match="left out"):
        second.waiting(AI)
    assert first.waiting(AI) == 0
    [alone] = queues_of([house.redis], lambda: house.now)
    with monkeypatch.context() as patch:
        patch.setattr(Queue, "enqueue_call", lost)
        for number in range(3):
            alone.enqueue("tb_n1", number, AI)
    assert len(redises_asked) == 4


def test_a_clock_rarely_contacts_a_lost_redis(house: House, redises, monkeypatch):
    due_tables(house)
    clock, redises_asked = a_clock(house, redises), []

    def lost(*_args, **_options):
        redises_asked.append(1)
        raise RedisConnectionError("lost")

    monkeypatch.setattr(clock._parts[1].heartbeat, "beat", lost)
    for _ in range(3):
        clock._beat()
        clock.tick()
    assert redises_asked == [1]
    assert alive(redises[0], "clock", house.now) == 1
    assert waiting(redises[1]) == []


def test_status_and_readiness_are_those_of_all_redis_together(house: House, redises):
    for number, redis in enumerate(redises):
        Heartbeat(redis, "clock", lambda: house.now).beat()
        metrics = JobMetrics(redis)
        metrics.count(AI, 0.0, 0.004)
        metrics.event("search", "reduced")
        metrics.flush()
        queues_of([redis], lambda: house.now)[0].enqueue(f"tb_{number}", 1, AI)
    Heartbeat(redises[1], "worker", lambda: house.now).beat()
    status = read_all(redises, house.store, QUEUES, house.now, lambda: None)
    assert (status.processes["clock"], status.processes["worker"]) == (1, 1)
    assert status.waiting[AI] == 2
    assert status.jobs[AI, "took"].counts[0.005] == 2
    assert status.searches["reduced"] == 2
    assert all_served(redises, "clock", house.now, is_trusted=lambda: True)
    # The first one has no workers.
    assert not all_served(redises, "worker", house.now, is_trusted=lambda: True)


def test_a_list_of_urls_may_have_urls_with_commas():
    env = {"REDIS_URL": "redis://a", "QUEUE_REDIS_URL": "redis://b:1, redis+sentinel://c,d:2/main redis://e"}
    settings = Settings.from_env(env)
    assert settings.queue_urls == ("redis://b:1", "redis+sentinel://c,d:2/main", "redis://e")
    assert settings.served == (1, 2, 3)
    assert Settings.from_env({**env, "SERVE_QUEUES": "3,1"}).served == (1, 3)
    assert Settings.from_env({"REDIS_URL": "redis+sentinel://c,d/main"}).queue_urls == ("redis+sentinel://c,d/main",)


@pytest.mark.parametrize(
    ("queues", "serve", "message"),
    [
        ("redis://b,redis+cluster://c", "", "must not be a cluster"),
        ("redis://b,redis://b", "", "must not name a Redis twice"),
        ("redis://b,http://c", "", "begin with one of"),
        ("redis://b,redis://c", "3", "names 2 Redis only"),
        ("redis://b,redis://c", "0", "numbers from 1 on"),
    ],
)
def test_an_invalid_list_is_refused(queues, serve, message):
    with pytest.raises(SettingsError, match=message):
        Settings.from_env({"REDIS_URL": "redis://a", "QUEUE_REDIS_URL": queues, "SERVE_QUEUES": serve})


def test_a_url_of_a_list_that_does_not_answer_is_named_at_the_start_and_left_out(empty_redis, tmp_path):
    lost = f"unix://{tmp_path}/none.sock"
    assert open_queues([empty_redis], wait_s=0) == []
    [warnings] = open_queues([lost, empty_redis], wait_s=0)
    assert warnings.startswith(f"QUEUE_REDIS_URL: no answer from {tmp_path}/none.sock")
    assert "\n" not in warnings
    with pytest.raises(CannotStartError, match=f"QUEUE_REDIS_URL: no answer from {tmp_path}/none.sock"):
        open_queues([lost], wait_s=0)


def test_a_list_is_refused_if_one_that_answers_is_too_old(empty_redis, tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "_version", lambda _: "4.0.14")
    with pytest.raises(CannotStartError, match=r"is Redis 4\.0\.14"):
        open_queues([f"unix://{tmp_path}/none.sock", empty_redis], wait_s=0)


def test_a_worker_restarted_during_the_loss_of_a_redis_serves_the_others_and_later_that_one(empty_redis, tmp_path):
    lost = EmbeddedRedis(tmp_path)
    environment = {"REDIS_URL": empty_redis, "QUEUE_REDIS_URL": f"{empty_redis},{lost.url}", "SERVE_QUEUES": ""}
    command = [sys.executable, "-m", "workers", "worker"]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.DEVNULL) as process:
        try:
            with contextlib.closing(queue_client(empty_redis)) as there:
                wait_until(lambda: alive(there, "worker", wall_clock()), seconds=150)
            with lost, contextlib.closing(queue_client(lost.url)) as back:
                wait_until(lambda: alive(back, "worker", wall_clock()), seconds=150)
                process.terminate()
                assert process.wait(60) == 0
        finally:
            process.kill()


def test_make_run_has_workers_and_searchers_for_each_redis():
    settings = Settings(redis_url="redis://a", queue_redis_url="redis://b,redis://c,redis://d", job_workers=1)
    served = [(child.name, child.environment.get("SERVE_QUEUES")) for child in children(settings, 3)]
    assert served == [
        ("api", None),
        *((f"worker {n}", str(n)) for n in (1, 2, 3)),
        *((f"searcher {n}", str(n)) for n in (1, 2, 3)),
        ("clock", None),
    ]
    assert [child.name for child in children(Settings(redis_url="redis://a"), 3)] == [
        "api",
        "worker",
        "searcher",
        "clock",
    ]


def test_a_process_that_serves_several_starts_one_for_each_of_the_others(monkeypatch):
    started = []

    class Stop(Event):
        looks = 0

        def wait(self, timeout=None):
            self.looks += 1
            if self.looks > 10:
                self.set()
            return super().wait(timeout)

    stop = Stop()

    class Process:
        returncode = 1

        def __init__(self, command, env):
            started.append((command[-1], env["SERVE_QUEUES"]))
            self.ended = False
            if len(started) == 3:
                stop.set()

        def poll(self):
            # The first one dies and is restarted.
            return 1 if len(started) == 2 else None

        def terminate(self):
            self.ended = True

        def wait(self, _seconds):
            assert self.ended

    monkeypatch.setattr(several_redis.subprocess, "Popen", Process)
    monkeypatch.setattr(several_redis, "_LOOK_S", 0.01)
    several_redis._keep("searcher", [2, 3], stop)
    assert started == [("searcher", "2"), ("searcher", "3"), ("searcher", "2")]
