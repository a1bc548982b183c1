"""A token at 200 tables with one connection gets every turn exactly once, whatever is killed."""

from pathlib import Path

import pytest

from harness.processes import RunningService
from tools.faults.turns import check_that_every_turn_is_told_once, kill_api, restart_redis


@pytest.mark.nightly
@pytest.mark.timeout(1_200)
def test_every_turn_at_two_hundred_tables_is_sent_once_whatever_is_killed(tmp_path: Path) -> None:
    with RunningService(tmp_path, servers=2, workers=1, clocks=1) as service:
        faults = [kill_api, kill_api, restart_redis, kill_api] * 3
        check_that_every_turn_is_told_once(service, 200, 2_000, faults)
