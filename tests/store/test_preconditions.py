"""What the service needs of Redis is looked at when a process starts and while it runs."""

import os
import subprocess
import sys
from threading import Event, Thread

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError
from structlog.testing import capture_logs

from harness.servers import Sentinels
from harness.waiting import wait_until
from service.app import build
from service.common.settings import Settings
from service.processes.descriptors import lacking
from service.store import keys
from service.store.connections import preconditions
from service.store.connections.clients import command_client
from service.store.connections.opening import CannotStartError, open_queues
from service.store.connections.preconditions import REMEDIES, check, met, unmet
from tests.store.test_opening import ROOT
from workers import watching
from workers.watching import Preconditions, watch_preconditions

GOOD = dict.fromkeys(REMEDIES, True)


@pytest.fixture
def wrong(client):
    """Function that sets Redis up as it must not be; undone after the test."""
    before = {name: client.config_get(name)[name] for name in ("maxmemory", "maxmemory-policy", "appendonly")}

    def put(**settings):
        for name, value in settings.items():
            client.config_set(name.replace("_", "-"), value)

    yield put
    for name, value in before.items():
        client.config_set(name, value)
    wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])


@pytest.fixture
def set_up(client, wrong):
    wrong(maxmemory="1gb", maxmemory_policy="noeviction", appendonly="yes")
    wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])


def test_a_redis_that_is_set_up_as_the_docs_say_meets_all(empty_redis, client, set_up):
    assert unmet(client) == {}
    assert met(client, accepts_loss=False) == GOOD
    assert check(empty_redis, accepts_loss=False) == []


@pytest.mark.parametrize("policy", ["allkeys-lru", "allkeys-random", "volatile-lru", "volatile-ttl"])
def test_a_redis_that_evicts_is_refused_at_the_start(empty_redis, client, set_up, wrong, policy):
    wrong(maxmemory_policy=policy)
    with pytest.raises(CannotStartError, match=rf"maxmemory-policy {policy}\), so that tables would vanish: set"):
        check(empty_redis, accepts_loss=False)
    assert met(client, accepts_loss=False) == {**GOOD, "noeviction": False}
    [warnings] = check(empty_redis, accepts_loss=True)
    assert warnings.startswith("REDIS_URL: Redis deletes data when it is full")
    assert met(client, accepts_loss=True) == {"time": True}


def test_a_redis_without_a_log_is_taken_and_named(empty_redis, client, set_up, wrong):
    wrong(appendonly="no")
    [warnings] = check(empty_redis, accepts_loss=False)
    assert "keeps no append-only file: a restart loses what was played: set `appendonly yes`" in warnings
    assert met(client, accepts_loss=False) == {**GOOD, "appendonly": False}


def test_a_redis_without_a_limit_of_memory_is_taken_and_named(empty_redis, client, set_up, wrong):
    wrong(maxmemory="0")
    [warnings] = check(empty_redis, accepts_loss=False)
    assert warnings.startswith("REDIS_URL: Redis has no limit of memory")
    assert warnings.endswith(": set `maxmemory`")
    assert met(client, accepts_loss=False) == GOOD, "it runs as well"
    assert check(empty_redis, accepts_loss=True) == []


def test_a_redis_of_the_queues_that_evicts_is_taken_and_named(empty_redis, set_up, wrong):
    assert open_queues([empty_redis]) == []
    wrong(maxmemory_policy="allkeys-lru")
    [warnings] = open_queues([empty_redis])
    assert warnings.startswith("QUEUE_REDIS_URL: ")
    assert warnings.endswith(
        "(maxmemory-policy allkeys-lru), so that AI players would wait for lost jobs: set `maxmemory-policy noeviction`"
    )


@pytest.mark.parametrize(
    ("streams", "limit", "most"), [(0, 1_024, None), (672, 1_024, None), (673, 1_024, 672), (8_000, 65_536, 7_500)]
)
def test_a_limit_of_open_files_that_is_too_low_for_the_streams_is_named(streams, limit, most):
    assert [
        f"MAX_STREAMS={streams}, but a process holds at most {most}," in message for message in lacking(streams, limit)
    ] == [True] * bool(most)


def test_clocks_that_differ_are_named(client, set_up, monkeypatch):
    now = preconditions.time.time
    monkeypatch.setattr(preconditions.time, "time", lambda: now() - 3_600)
    assert unmet(client)["time"].startswith("the clock of Redis is +3600 s from")


@pytest.mark.parametrize(
    ("there", "replicas", "expected"),
    [
        (2, 1, "has 2 replicas, and an action that 1 of them acknowledged is lost if another one takes over"),
        (1, 2, "has 1 replicas, and no action is taken until 2 have it"),
        (2, 2, None),
        (2, 0, None),
    ],
)
def test_other_replicas_than_acknowledge_an_action_are_named(
    empty_redis, client, set_up, monkeypatch, there, replicas, expected
):
    ask = Redis.info

    def info(self, section, **options):
        return ask(self, section, **options) | ({"connected_slaves": there} if section == "replication" else {})

    monkeypatch.setattr(Redis, "info", info)
    assert met(client, accepts_loss=False, replicas=replicas) == {**GOOD, "replicas": expected is None}
    warnings = check(empty_redis, accepts_loss=False, replicas=replicas)
    assert warnings == [f"REDIS_URL: Redis {expected}: {REMEDIES['replicas']}"] * (expected is not None)
    watched = Preconditions(client, replicas)
    with capture_logs() as logs:
        watched.look()
    assert [expected in log["found"] for log in logs] == [True] * (expected is not None)


def test_replicas_that_are_connected_are_counted(tmp_path):
    with Sentinels(tmp_path, replicas=2) as servers:
        client = command_client(servers.url)
        assert "Redis has 2 replicas, and an action that 1 of them" in unmet(client, replicas=1)["replicas"]
        assert "replicas" not in unmet(client, replicas=2)
        client.close()


def test_what_a_server_does_not_let_us_see_counts_as_met(client, monkeypatch):
    def refuse(*_, **__):
        raise NoPermissionError

    monkeypatch.setattr(client, "info", refuse)
    assert met(client, accepts_loss=False) == GOOD


def test_every_primary_of_a_cluster_is_looked_at(cluster):
    node = cluster.get_primaries()[-1]
    before = cluster.config_get("maxmemory-policy", target_nodes=node)["maxmemory-policy"]
    cluster.config_set("maxmemory-policy", "allkeys-lru", target_nodes=node)
    try:
        assert node.name in unmet(cluster)["noeviction"]
    finally:
        cluster.config_set("maxmemory-policy", before, target_nodes=node)


@pytest.mark.parametrize(
    "command",
    [["gunicorn", "--config", "python:service.gunicorn_conf", "service.wsgi:app"], ["workers", "clock"]],
    ids=lambda command: command[0],
)
def test_no_process_starts_at_a_redis_that_evicts(command, empty_redis, client, wrong):
    wrong(maxmemory_policy="allkeys-lru")
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": empty_redis, "PORT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "tables would vanish: set `maxmemory-policy noeviction`" in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_becomes_wrong_while_the_service_runs_is_logged_and_in_readyz_and_metrics(
    empty_redis, client, set_up, wrong, request
):
    request.addfinalizer(lambda: keys.use_buckets(keys.USUAL_BUCKETS))
    api = build(Settings(redis_url=empty_redis)).test_client()
    assert GOOD.items() <= api.get("/readyz").json["params"]["checks"].items()
    assert 'preconditions_met{name="noeviction"} 1.0' in api.get("/metrics").text
    watched = Preconditions(client)
    with capture_logs() as logs:
        watched.look()
        assert logs == []
        wrong(maxmemory_policy="allkeys-lru")
        for _ in range(watching._AGAIN_AFTER):
            watched.look()
        [warnings] = logs
        assert warnings["log_level"] == "error"
        assert "maxmemory-policy allkeys-lru" in warnings["found"]
        watched.look()
        assert logs == [warnings, warnings], "it is said again"
        assert api.get("/readyz").json["params"]["checks"]["noeviction"] is False
        assert api.get("/readyz?for=traffic").status_code == 204, "play goes on"
        assert 'preconditions_met{name="noeviction"} 0.0' in api.get("/metrics").text
        wrong(maxmemory_policy="noeviction")
        watched.look()
        assert logs[-1]["event"] == "Redis is set up as it must be again"


def test_a_clock_watches_until_it_stops(client, wrong):
    wrong(maxmemory_policy="allkeys-lru")
    stop = Event()
    with capture_logs() as logs:
        thread = Thread(target=watch_preconditions, args=(client, stop))
        thread.start()
        wait_until(lambda: logs)
        stop.set()
        thread.join()
