"""Each outage has an alert that names the part that is gone, in a real Prometheus, and no other part is blamed."""

import pytest

from tools.faults.alerts import OUTAGES, bring_about, missing, wrong
from tools.faults.watched import Seen


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", OUTAGES)
def test_the_alert_of_an_outage_names_the_part_and_blames_no_other(name: str) -> None:
    if reason := missing(name):
        pytest.skip(reason)
    assert wrong(name, bring_about(name)) == []


def test_an_alert_that_is_missing_and_one_that_blames_another_part_are_found() -> None:
    new_seen = Seen("503 clock", "", {"NoWorker": "firing", "NoClock": "pending"}, ("No worker is alive.",))
    assert wrong("clock gone", [new_seen]) == [
        "clock gone: NoClock does not fire",
        "clock gone: NoWorker fires too",
        "clock gone: no summary says 'clock': ('No worker is alive.',)",
    ]


def test_what_readyz_says_of_another_part_is_found() -> None:
    new_seen = Seen("503 workers", "", {"NoClock": "firing"}, ("No clock is alive.",))
    assert wrong("clock gone", [new_seen]) == ["clock gone: /readyz says '503 workers' instead of '503 clock'"]
