"""The short form of `make soak`: processes are killed, stopped and disconnected, and nothing is lost."""

import pytest

from tests.faults.plan import KINDS, plan
from tests.faults.soak import Run

#: In its plan the clock is set back by an hour, and most faults come after that.
SEED = 20_261_129


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_nothing_is_lost_and_no_table_is_stuck_whatever_is_killed(tmp_path):
    report = Run(tmp_path, seed=SEED, tables=8, faults=len(KINDS), every_s=1.0, say=print).run()
    print(report.figures)
    assert report.wrong == []
    assert report.figures["acknowledged"] > 50
    assert report.figures["timeouts"] > 0


def test_a_seed_reproduces_its_plan_of_faults_and_a_plan_has_every_kind():
    assert plan(SEED, len(KINDS), every_s=1.0) == plan(SEED, len(KINDS), every_s=1.0)
    assert plan(SEED, len(KINDS), every_s=1.0) != plan(SEED + 1, len(KINDS), every_s=1.0)
    assert {fault.kind for fault in plan(SEED, len(KINDS), every_s=1.0)} == set(KINDS)
