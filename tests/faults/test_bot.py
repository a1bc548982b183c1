"""The short form of `python -m tools.faults.bot`: a bot misses no decision that it could have answered."""

import pytest

from tools.faults.bot import Run


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_a_bot_of_the_runner_answers_in_time_whatever_is_killed(tmp_path):
    run = Run(tmp_path, seed=39, tables=10, minutes=3, pace_ms=500, lives=2)
    run.run()
    print(run.figures)
    assert run.wrong == []
