"""The running service, seen by clients, while parts of it are unavailable."""

import json
import signal
import time
from collections.abc import Iterator

import pytest
import requests

from harness.processes import RunningService
from harness.waiting import wait_until
from service.store.connections.clients import command_client
from tools.faults.turns import check_that_every_turn_is_told_once, kill_a_child, restart_redis
from tools.faults.visitors import SPEC, Player, Reader


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("service")
    with RunningService(folder, {"API_WORKERS": "2"}, servers=1, workers=1, clocks=1) as running:
        wait_until(lambda: requests.get(f"http://127.0.0.1:{running.port}/readyz", timeout=20).ok)
        yield running


def settled(service: RunningService) -> bool:
    """Return whether exactly one worker and one clock count as alive."""
    answer = requests.get(f"http://127.0.0.1:{service.port}/readyz", timeout=20)
    return answer.ok and answer.json()["processes"] == {"worker": 1, "searcher": 0, "clock": 1, "messenger": 1}


def test_an_outage_of_redis_gives_503_with_retry_after_and_recovery_is_automatic(
    service: RunningService,
) -> None:
    player = Player(service)
    with Reader(player) as reader:
        player.wait_for_turn()
        wait_until(lambda: len(reader.seqs) > 5)
        service.redis.kill()
        for method, path, body in (
            ("GET", player.path, None),
            ("POST", f"{player.path}/play", {"decision_id": "dc_1", "cards": ["AS"]}),
            ("POST", "/v1/tables", SPEC),
            ("GET", f"{player.path}/events?after=0", None),
            ("GET", "/readyz", None),
        ):
            answer = player.send(method, path, body)
            assert answer.status_code == 503, (path, answer.text)
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.json()["code"] == "unavailable"
            assert int(answer.headers["Retry-After"]) > 0
        assert player.send("GET", "/healthz").ok
        assert "redis_up 0.0" in player.send("GET", "/metrics").text
        service.redis.start()
        assert player.act().ok
        player.act()
        version = player.wait_for_turn()["version"]
        wait_until(lambda: reader.seqs[-1] >= version)
        wait_until(lambda: player.send("GET", "/readyz").ok)
    assert reader.seqs == list(range(len(reader.seqs)))


def test_the_stream_of_an_account_has_every_turn_once_whatever_is_killed(service: RunningService) -> None:
    # With more tables and faults in the nightly tests: `test_account_stream.py`.
    check_that_every_turn_is_told_once(service, 8, 30, [kill_a_child, restart_redis, kill_a_child])


def test_with_a_full_redis_actions_get_503_but_tables_can_be_read(service: RunningService) -> None:
    # With both big jokers in hand: declaring is not over before this player passes.
    player = Player(service, clock={"declare_ms": 5_000, "grace_ms": 0}, seed="both big jokers 9")
    with Reader(player) as reader, command_client(service.redis.url) as redis:
        player.wait_for_turn()
        redis.config_set("maxmemory", 1)
        try:
            # Nothing can be stored now, so the decision in the view stays the same even on a slow machine.
            waiting = player.view()["decision"]
            decision = waiting["id"]
            assert waiting["kind"] == "declare", "declaring was over before Redis was full"
            time.sleep(waiting["remaining_ms"] / 1_000 + 0.1)
            # A pass is due now, but cannot be stored.
            answer = player.send("GET", player.path)
            assert answer.ok
            assert answer.json()["decision"]["id"] == decision
            assert player.send("GET", f"{player.path}/events?after=0").ok
            for path, body in ((f"{player.path}/pass", {"decision_id": decision}), ("/v1/tables", SPEC)):
                refused = player.send("POST", path, body)
                assert refused.status_code == 503, refused.text
                assert int(refused.headers["Retry-After"]) > 0
        finally:
            redis.config_set("maxmemory", 0)
        wait_until(lambda: player.view()["decision"]["id"] != decision)
        wait_until(lambda: reader.seqs[-1] == player.view()["version"])
    assert reader.seqs == list(range(len(reader.seqs)))


def test_jobs_due_while_all_workers_were_dead_are_done_when_they_are_back(service: RunningService) -> None:
    player = Player(service, clock={"declare_ms": 2_000, "grace_ms": 0})
    first = player.wait_for_turn()["decision"]["id"]
    for process in (*service.workers, *service.clocks):
        process.kill()
    watched = command_client(service.redis.url)
    time.sleep(2.5)

    def version() -> int:
        return max(int(watched.hget(key, "v") or 0) for key in watched.keys(f"*{player.table}:head"))

    # Only clock and workers touch the table.
    before = version()
    for process in (*service.workers, *service.clocks):
        process.start()
    wait_until(lambda: version() > before)
    assert player.view()["decision"]["id"] != first


def test_a_read_does_what_is_due_while_all_workers_and_clocks_are_dead(service: RunningService) -> None:
    player = Player(service, clock={"declare_ms": 2_000, "grace_ms": 0})
    first = player.wait_for_turn()["decision"]["id"]
    for process in (*service.workers, *service.clocks):
        process.kill()
    try:
        wait_until(lambda: player.view()["decision"]["id"] != first)
        nobody = {"store": True, "workers": False, "clock": False}
        wait_until(
            lambda: nobody.items() <= player.send("GET", "/readyz").json().get("params", {}).get("checks", {}).items()
        )
    finally:
        for process in (*service.workers, *service.clocks):
            process.start()
    wait_until(lambda: player.send("GET", "/readyz").ok)


def test_metrics_of_all_processes_are_added_up_and_hold_no_ids(service: RunningService) -> None:
    wait_until(lambda: settled(service))
    players = [Player(service) for _ in range(3)]
    counted = 'http_requests_total{method="GET",route="/v1",status="200"}'

    def value(name: str) -> float:
        text = players[0].send("GET", "/metrics").text
        return next((float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name)), 0.0)

    with Reader(players[0]) as reader:
        wait_until(lambda: reader.opened)
        before = value(counted)
        for _ in range(40):
            # One connection per request, so that both processes get some.
            assert requests.get(f"{players[0].url}/v1", timeout=20).ok
        assert value(counted) == before + 40
        wait_until(lambda: value("event_streams") >= 1)
        text = players[0].send("GET", "/metrics").text
        for what in (
            "job_queue_depth",
            "tables_overdue",
            "job_lateness_seconds_bucket",
            'processes{role="worker"} 1.0',
        ):
            assert what in text
        for player in players:
            assert player.table not in text
            assert player.id not in text
    # A killed process no longer has streams.
    for child in service.api[0].children():
        service.kill_child(child)
    wait_until(lambda: value("event_streams") == 0)


def test_a_stopped_worker_removes_its_heartbeat(service: RunningService) -> None:
    wait_until(lambda: settled(service))
    service.workers[0].send(signal.SIGTERM)
    process = service.workers[0].popen
    assert process is not None
    assert process.wait(30) == 0
    answer = requests.get(f"http://127.0.0.1:{service.port}/readyz", timeout=20)
    assert answer.status_code == 503
    assert json.loads(answer.text)["params"]["processes"] == {"worker": 0, "searcher": 0, "clock": 1, "messenger": 1}
    service.workers[0].start()
    wait_until(lambda: requests.get(f"http://127.0.0.1:{service.port}/readyz", timeout=20).ok)
