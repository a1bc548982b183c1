"""A soak finds faults that are put into the service by hand: see `stepping/mutants.py`."""

import pytest

from tools.faults.soak import Run

#: Mutant -> topology, kinds of faults that bring it out, and what has to be found.
FINDS = {
    "lose_appends": ("one", ["cut_connections"], "which the log does not have"),
    "answer_twice": ("one", ["cut_connections"], "was answered by seat"),
    "show_old_tables": ("sentinel", ["kill_master"], "had seen"),
    "drop_leases": ("one", ["kill_worker"], "has been stuck"),
}


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("mutant", FINDS)
def test_a_soak_finds_a_fault_put_in_by_hand(tmp_path, mutant):
    topology, kinds, faults = FINDS[mutant]
    acted = tmp_path / "acted"
    run = Run(
        tmp_path,
        seed=1,
        tables=4,
        faults=60,
        every_s=2.0,
        most_stuck_s=5.0,
        topology=topology,
        kinds=kinds,
        environment={"MUTANT": mutant, "MUTANT_FILE": str(acted)},
        say=print,
        ends_early=True,
    )
    report = run.run()
    assert run.found_at is not None
    print(
        mutant, "found", round(run.found_at - float(acted.read_text()), 1), "s after its first deed:", report.wrong[:3]
    )
    assert any(faults in fault for fault in report.wrong), report.wrong[:20]
