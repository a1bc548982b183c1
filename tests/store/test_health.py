"""Each way in which a Redis does not take writes has its state: `/readyz` says it, and nobody else is blamed."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from redis import Redis
from redis.exceptions import BusyLoadingError, MasterDownError, ResponseError

from harness.waiting import wait_until
from service import app as apps
from service.app import build
from service.common.settings import Settings, SettingsError
from service.jobs.worker_status import Heartbeat
from service.processes.embedded_redis import EmbeddedRedis
from service.store import shared_clock
from service.store.connections.health import STATES, state_of
from service.texts.problems import REASONS
from tests.support.sick_redis import ANSWERING, FAULTS, on_small_disk

#: Checks of the preconditions, which a store of the tests meets.
MET = dict.fromkeys(("noeviction", "appendonly", "time", "replicas"), True)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    with on_small_disk(tmp_path / "disk") as server:
        yield server


@pytest.fixture
def api(server: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """The API as it is served, beside a worker and a clock that have just sent a heartbeat."""
    monkeypatch.setattr(shared_clock, "_READ_EVERY_S", 3_600)
    # The heartbeats of this test stop with it, which would be the workers' fault otherwise.
    app = build(Settings(redis_url=server.url))
    beat(server, app)
    return app.test_client()


def beat(server: EmbeddedRedis, app: apps.Flask) -> None:
    with Redis.from_url(server.url) as client:
        for role in ("worker", "clock"):
            Heartbeat(client, role, app.extensions["services"].tables.now).beat()


def states_in(metrics: str) -> set[str]:
    lines = (line for line in metrics.splitlines() if line.startswith("redis_state{") and line.endswith(" 1.0"))
    return {line.split('state="')[1].split('"')[0] for line in lines}


@pytest.mark.parametrize("state", FAULTS)
def test_a_redis_that_takes_no_writes_is_named_and_nobody_else_is_blamed(
    server: EmbeddedRedis, api: FlaskClient, state: str
) -> None:
    assert api.get("/readyz").json["redis"] == {"tables": "ok"}
    metrics = api.get("/metrics").get_data(as_text=True)
    assert states_in(metrics) == {"ok"}
    assert 'processes{role="worker"} 1.0' in metrics
    with FAULTS[state](server):
        # As after fifteen seconds in which heartbeats could not be stored.
        if state in ANSWERING:
            with Redis.from_url(server.url) as client, suppress(ResponseError):
                client.delete("sj:alive:worker", "sj:alive:clock")
        answer = api.get("/readyz")
        assert answer.status_code == 503
        problem = answer.json
        assert problem["params"]["redis"] == {"tables": state}
        assert problem["params"]["checks"]["store"] is False
        assert problem["detail"] == REASONS[f"redis-{state}"]["en"].replace("{which}", "the tables")
        assert False not in (problem["params"]["checks"][part] for part in ("workers", "clock"))
        metrics = api.get("/metrics").get_data(as_text=True)
        assert states_in(metrics) == {state}
        assert f"redis_up {float(state in ANSWERING)}" in metrics
        assert "processes{" not in metrics
        assert "http_requests_total" in metrics
    wait_until(lambda: states_in(api.get("/metrics").get_data(as_text=True)) == {"ok"})
    # Their heartbeats have a moment to come back.
    assert False not in api.get("/readyz").json.get("params", {"checks": {}})["checks"].values()
    beat(server, api.application)
    wait_until(lambda: api.get("/readyz").status_code == 200)


def test_a_worker_that_sends_no_heartbeat_to_a_healthy_redis_is_named(
    server: EmbeddedRedis, api: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Redis.from_url(server.url) as client:
        client.delete("sj:alive:worker")
    problem = api.get("/readyz").json
    assert problem["params"]["checks"] == MET | {"store": True, "workers": False, "clock": True}
    assert problem["detail"] == REASONS["no-workers"]["en"]


def test_processes_that_are_expected_are_missed_and_others_are_not(
    server: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_clock, "_READ_EVERY_S", 3_600)
    settings = Settings.from_env({"REDIS_URL": server.url, "EXPECTED": "worker=1,messenger=1, searcher=0"})
    app = build(settings)
    api = app.test_client()
    beat(server, app)
    problem = api.get("/readyz").json
    assert problem["params"]["checks"] == MET | {"store": True, "workers": True, "clock": True, "messengers": False}
    assert problem["detail"] == REASONS["no-messengers"]["en"]
    assert 'processes_expected{role="messenger"} 1.0' in api.get("/metrics").get_data(as_text=True)
    with Redis.from_url(server.url) as client:
        Heartbeat(client, "messenger", app.extensions["services"].tables.now).beat()
    assert api.get("/readyz").status_code == 200


@pytest.mark.parametrize("arguments", ["worker", "worker=x", "cook=1", "worker=1;clock=1"])
def test_expected_processes_that_are_unreadable_are_refused(arguments: str) -> None:
    with pytest.raises(SettingsError, match="EXPECTED"):
        Settings.from_env({"EXPECTED": arguments})


def test_a_separate_redis_of_the_queues_has_a_state_of_its_own(
    server: EmbeddedRedis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_clock, "_READ_EVERY_S", 3_600)
    with EmbeddedRedis(tmp_path / "queues") as queues:
        app = build(Settings(redis_url=server.url, queue_redis_url=queues.url))
        api = app.test_client()
        beat(queues, app)
        assert api.get("/readyz").json["redis"] == {"tables": "ok", "queues": "ok"}
        with FAULTS["memory-full"](queues), Redis.from_url(queues.url) as client:
            client.delete("sj:alive:worker", "sj:alive:clock")
            problem = api.get("/readyz").json
            assert problem["params"]["redis"] == {"tables": "ok", "queues": "memory-full"}
            assert problem["params"]["checks"] == MET | {"store": True, "workers": None, "clock": None}
            assert "the job queues" in problem["detail"]
            answer = api.get("/readyz", headers={"Accept-Language": "zh"})
            assert "任务队列" in answer.json["detail"]
            assert api.get("/readyz?for=traffic").status_code == 204


def test_every_state_has_a_sentence() -> None:
    assert {f"redis-{state}" for state in STATES if state != "ok"} <= REASONS.keys()


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (BusyLoadingError("Redis is loading the dataset in memory"), "starting"),
        (MasterDownError("Link with MASTER is down"), "no-replica"),
        (ResponseError("NOREPLICAS Not enough good replicas to write."), "no-replica"),
        (ResponseError("-READONLY You can't write against a read only replica. script: 1"), "read-only"),
        (ResponseError("NOPERM this user has no permissions"), "refusing"),
        (OSError("too many open files"), "gone"),
    ],
)
def test_answers_of_servers_that_are_hard_to_bring_about_have_their_state(error: Exception, state: str) -> None:
    assert state_of(error) == state
