"""Ten thousand tickets while API, clock and Redis are killed: nobody at two tables, nobody waiting forever."""

from pathlib import Path

import pytest

from harness.processes import RunningService
from tools.faults.quick_play import check_that_everybody_plays_once, kill_clock
from tools.faults.turns import kill_api, restart_redis


@pytest.mark.nightly
@pytest.mark.timeout(1_800)
def test_ten_thousand_tickets_lead_to_one_table_each_whatever_is_killed(tmp_path: Path) -> None:
    with RunningService(tmp_path, servers=2, workers=0, clocks=2) as service:
        faults = [kill_api, kill_clock, restart_redis] * 4
        outcome = check_that_everybody_plays_once(service, 100, 100, faults)
    assert outcome["seated"] > outcome["tickets"] // 2
