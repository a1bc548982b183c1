"""Outages do not count against time limits: the whole service is stopped and started.

The clock is stepped meanwhile, so that tests do not have to wait.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest
import requests

from harness.processes import RunningService, ServiceProcess
from harness.waiting import wait_until
from service.store.connections.clients import command_client
from service.store.keys import CLOCK
from tests.support.sorting import by_day
from tools.faults.visitors import Player, Reader

AWAY_MS = 67_000


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("service")
    with RunningService(folder, servers=2, workers=1, clocks=1) as running:
        wait_until(lambda: requests.get(f"http://127.0.0.1:{running.port}/readyz", timeout=20).ok)
        yield running


def pass_a_minute(service: RunningService) -> None:
    with closing(command_client(service.redis.url)) as redis:
        redis.hincrbyfloat(CLOCK, "ahead", AWAY_MS)


def kill(service: RunningService, processes: Sequence[ServiceProcess]) -> None:
    for process in processes:
        children = process.children()
        process.kill()
        for child in children:
            service.kill_child(child)


def stop_and_start_all(service: RunningService) -> None:
    kill(service, service.processes)
    service.redis.kill()
    service.redis.start()
    pass_a_minute(service)
    for process in service.processes:
        process.start()


def stop_and_start_the_api(service: RunningService) -> None:
    kill(service, service.api)
    pass_a_minute(service)
    for process in service.api:
        process.start()


def suspend_all(service: RunningService) -> None:
    ids = [pid for process in service.processes for pid in (*process.children(), process.popen.pid)]
    for pid in ids:
        os.kill(pid, signal.SIGSTOP)
    pass_a_minute(service)
    for pid in ids:
        os.kill(pid, signal.SIGCONT)


def stop_and_start_redis(service: RunningService) -> None:
    service.redis.kill()
    service.redis.start()
    pass_a_minute(service)


def types(player: Player) -> list[str]:
    answer = player.send("GET", f"{player.path}/events?after=0&limit=500")
    assert answer.ok, answer.text
    return [event["type"] for event in answer.json()["events"]]


def view_of(player: Player) -> dict[str, Any] | None:
    """Return the view, or None: until the processes of the service have restarted, connections wait or break."""
    try:
        answer = player.send("GET", player.path)
    except requests.exceptions.RequestException:
        return None
    return dict(answer.json()) if answer.ok else None


@pytest.mark.parametrize(
    "go_away",
    by_day({stop_and_start_all}, [stop_and_start_all, stop_and_start_the_api, suspend_all, stop_and_start_redis]),
)
def test_after_an_outage_of_a_minute_everything_is_as_before(
    service: RunningService, go_away: Callable[[RunningService], None]
) -> None:
    # This player has both big jokers, so declaring is not over before they pass.
    player = Player(service, clock={"declare_ms": 20_000, "bank_ms": 9_000}, seed="both big jokers 9")
    dealt = Player(service, options={"deal_pace": "timed"}, clock={"deal_interval_ms": 1_000})
    wait_until(lambda: dealt.view()["round"] and len(dealt.view()["my"]["hand"]) >= 1)
    with Reader(player) as reader:
        before = player.wait_for_turn()
        go_away(service)
        wait_until(lambda: view_of(player))
        hand = dealt.view()["my"]["hand"]
        assert 1 <= len(hand) < 20
        wait_until(lambda: "interrupted" in types(player))
        after = player.view()
        assert after["decision"]["id"] == before["decision"]["id"]
        assert after["decision"]["remaining_ms"] >= 10_000
        assert (after["seats"][0]["timeouts"], after["seats"][0]["bank_ms"]) == (0, 9_000)
        # Streams that stayed open or are reopened get it too.
        wait_until(lambda: reader.seqs[-1] >= after["version"])
        assert player.act().ok
        wait_until(lambda: len(dealt.view()["my"]["hand"]) > len(hand))
        assert "declaration_closed" not in types(dealt)


def test_a_restart_of_one_process_among_several_changes_nothing(service: RunningService) -> None:
    player = Player(service, clock={"declare_ms": 60_000, "play_ms": 60_000})
    before = player.wait_for_turn()["decision"]
    for process in (service.api[0], service.workers[0], service.clocks[0]):
        process.kill()
        process.start()
    after = wait_until(lambda: view_of(player))["decision"]
    assert (after["id"], after["deadline_at"]) == (before["id"], before["deadline_at"])
