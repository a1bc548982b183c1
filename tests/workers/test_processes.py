"""Workers and clocks as processes: killed during a job, stopped, and both in one process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Timer

import pytest

from harness.waiting import wait_until
from service.jobs.queues import LEASE_MS, PEOPLE
from service.jobs.worker_status import alive
from service.store.connections.clients import queue_client
from service.tables import wall_clock
from tests.workers.conftest import House
from workers import jobs
from workers.__main__ import main
from workers.jobs import Worker

ROOT = Path(__file__).parents[2]

#: A worker whose AI seats think until it is killed, or for a while.
SLOW = """
import sys, time
from workers import ai
from workers.__main__ import main
advise = ai.advise
def slowly(view, seed, level):
    print("thinking", flush=True)
    time.sleep(float(sys.argv[1]))
    return advise(view, seed, level)
ai.advise = slowly
sys.exit(main(["worker"]))
"""


@contextmanager
def process(url: str, *command: str) -> Iterator[subprocess.Popen[str]]:
    """Run a Python process, and kill it at the end."""
    environment = {**os.environ, "REDIS_URL": url, "QUEUE_REDIS_URL": "", "LOG_FORMAT": "json"}
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def wait_for_line(child: subprocess.Popen[str], text: str) -> None:
    assert child.stdout is not None
    assert any(text in line for line in child.stdout), f"never said {text!r}"


def test_the_job_of_a_killed_worker_comes_back_by_its_lease(house: House) -> None:
    table = house.table("tb_killed", people=1, pace=1)
    house.now += 1
    assert house.clock.tick() == 1
    before = house.state(table)["version"]
    with process(house.url, "-c", SLOW, "600") as child:
        wait_for_line(child, "thinking")
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert house.job_ids(PEOPLE) == [], "the job has died with its worker"
    assert house.state(table)["version"] == before
    house.now += LEASE_MS
    assert house.clock.tick() == 1
    house.work()
    assert house.state(table)["version"] > before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_told_to_stop_finishes_its_job(house: House, number: signal.Signals) -> None:
    table = house.table("tb_stop", people=1)
    before = house.state(table)["version"]
    with process(house.url, "-c", SLOW, "0.5") as child:
        wait_for_line(child, "thinking")
        child.send_signal(number)
        assert child.wait(timeout=60) == 0
    assert house.state(table)["version"] > before


@pytest.mark.parametrize("role", ["worker", "clock"])
def test_an_idle_process_stops_when_told_to(house: House, role: str) -> None:
    with process(house.url, "-m", "workers", role) as child:
        wait_until(lambda: alive(house.redis, role, wall_clock()) > 0)
        child.send_signal(signal.SIGTERM)
        assert child.wait(timeout=60) == 0


def work(worker: Worker) -> None:
    """Run a worker in this process, preserving the signal handlers."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        worker.work(logging_level="WARNING")
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


@pytest.mark.timeout(60)
def test_a_worker_told_to_stop_before_it_waits_for_jobs_stops(house: House) -> None:
    stop = Event()
    stop.set()
    work(Worker(queue_client(house.url, blocking=True), house.tables, stop, house.queues))


@pytest.mark.timeout(60)
def test_a_worker_stops_even_if_what_rq_raises_on_a_signal_is_swallowed(
    house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # RQ subtracts fifteen seconds, and waits for a job at most for the rest.
    monkeypatch.setattr(jobs, "_WORKER_TTL_S", 16)
    stop = Event()
    Timer(0.5, stop.set).start()
    work(Worker(queue_client(house.url, blocking=True), house.tables, stop, house.queues))
    assert not caplog.records, "RQ swallows the timeout of a test too, and logs it"


def test_worker_and_clock_in_one_process_move_a_table_and_stop_when_told_to(house: House) -> None:
    house.now = wall_clock()
    table = house.table("tb_all", people=1, pace=20)
    before = house.state(table)["version"]
    with process(house.url, "-m", "workers", "all") as child:
        wait_until(lambda: house.state(table)["version"] > before)
        child.send_signal(signal.SIGTERM)
        assert child.wait(timeout=60) == 0


def test_a_wrong_setting_is_named_at_the_start(house: House) -> None:
    environment = {**os.environ, "REDIS_URL": house.url, "LOG_LEVEL": "loud"}
    done = subprocess.run(
        [sys.executable, "-m", "workers", "clock"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "LOG_LEVEL='loud'" in done.stderr
    assert done.stdout == ""


WRONG = pytest.mark.parametrize(
    ("url", "said_of_it"),
    [
        ("", "REDIS_URL is not set"),
        ("redis://here:port", "ports are numbers"),
        ("redis+sentinel://here", "/service"),
        ("redis://", "a host"),
    ],
)


@WRONG
@pytest.mark.parametrize("role", ["worker", "clock"])
def test_a_missing_or_wrong_url_of_redis_is_reported_in_one_sentence(
    role: str, url: str, said_of_it: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    monkeypatch.setenv("QUEUE_REDIS_URL", "")
    with pytest.raises(SystemExit) as ended:
        main([role])
    # Python prints such a message to stderr, and exits with status 1.
    assert isinstance(ended.value.code, str)
    assert said_of_it in ended.value.code
    assert "\n" not in ended.value.code


@WRONG
def test_gunicorn_reports_it_in_one_sentence(url: str, said_of_it: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf", "service.wsgi:app"],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": url, "QUEUE_REDIS_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert said_of_it in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stdout == ""
