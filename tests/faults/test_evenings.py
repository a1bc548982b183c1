"""Pairs and teams whose evening is held twice, once while every process is killed: it comes to the same.

By day, `tests/api/tournaments/test_kills.py` ends each step of small events after each of its round trips to Redis.
"""

from pathlib import Path

import pytest

from tests.faults.test_swiss import kill_worker
from tools.faults.evenings import check_that_kills_change_nothing
from tools.faults.quick_play import kill_clock
from tools.faults.turns import kill_api, restart_redis

EVERY_PROCESS = [kill_worker, kill_api, kill_clock, restart_redis]


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("form", "units", "rounds", "boards"), [("mitchell", 32, 4, 2), ("swiss", 64, 3, 1)])
def test_an_evening_comes_to_the_same_whatever_is_killed(
    tmp_path: Path, form: str, units: int, rounds: int, boards: int
) -> None:
    setup = {"form": form, "rounds": rounds, "boards": boards}
    print(check_that_kills_change_nothing(tmp_path, setup, units, EVERY_PROCESS * rounds * 2))
