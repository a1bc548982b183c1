"""A Swiss of teams while every process is killed: no board is lost or repeated, and records agree with standings."""

from pathlib import Path

import pytest

from harness.processes import RunningService
from tools.faults.quick_play import kill_clock
from tools.faults.swiss import check_that_a_swiss_is_counted_right
from tools.faults.turns import kill_api, restart_redis


def kill_worker(service: RunningService, which: int) -> None:
    """Kill a worker and restart it."""
    worker = service.workers[which % len(service.workers)]
    worker.kill()
    worker.start()


@pytest.mark.nightly
@pytest.mark.timeout(1_800)
def test_a_swiss_of_sixteen_teams_is_counted_right_whatever_is_killed(tmp_path: Path) -> None:
    with RunningService(tmp_path, servers=2, workers=2, clocks=2) as service:
        faults = [kill_worker, kill_api, kill_clock, restart_redis] * 7
        check_that_a_swiss_is_counted_right(service, 16, 7, 4, faults)
