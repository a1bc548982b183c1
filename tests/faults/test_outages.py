"""The short form of `python -m tools.faults.outages`: the log of a bot tells of outages, refusals and every result."""

import pytest

from tools.faults.outages import Run


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_a_bot_of_the_runner_tells_of_outages_refusals_and_every_result(tmp_path):
    run = Run(tmp_path, minutes=3, outages=2, outage_s=40, pace_ms=0)
    run.run()
    print(run.figures)
    assert run.wrong == []
