"""The short form of `make soak`: processes are killed, stopped and disconnected, and nothing is lost."""

import pytest

from tools.faults.injection import FragileService
from tools.faults.partitions import DividedServers
from tools.faults.plan import KINDS_OF, plan
from tools.faults.soak import Run

#: In its plan the clock is set back by an hour early on.
SEED = 20_261_129


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("topology", list(KINDS_OF))
def test_nothing_is_lost_and_no_table_is_stuck_whatever_is_killed(tmp_path, topology):
    faults = len(KINDS_OF[topology])
    report = Run(tmp_path, seed=SEED, tables=8, faults=faults, every_s=1.0, say=print, topology=topology).run()
    print(report.figures)
    assert report.wrong == []
    assert report.figures["acknowledged"] > 50
    assert report.figures["timeouts"] > 0


@pytest.mark.parametrize(("topology", "kinds"), KINDS_OF.items())
def test_a_seed_reproduces_its_plan_of_faults_and_a_plan_has_every_kind(topology, kinds):
    first, again, other = (plan(seed, len(kinds), every_s=1.0, topology=topology) for seed in (SEED, SEED, SEED + 1))
    assert first == again != other
    assert {fault.kind for fault in first} == set(kinds)
    service = FragileService if topology == "one" else DividedServers
    of_guests = {"cut_connections", "cut_answers", "change_rights"}
    assert all(hasattr(service, kind) for kind in set(kinds) - of_guests)
