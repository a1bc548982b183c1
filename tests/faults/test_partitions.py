"""Cuts of the network lose no more than docs/operations.md says."""

import pytest

from harness.make_run import ROOT
from harness.network import CLIENTS, Network
from tools.faults.losses import UNCOPIED_MS, Loss
from tools.faults.partitions import NEWS_S, REFUSES_S, DividedServers
from tools.faults.plan import PARTITIONS
from tools.faults.soak import Run

SEED = 20_261_128


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("topology", ["sentinel", "cluster"])
@pytest.mark.parametrize(("replicas", "min_replicas"), [(0, 0), (1, 0), (2, 0), (0, 1)])
def test_cuts_lose_no_more_than_the_docs_say(tmp_path, topology, replicas, min_replicas):
    run = Run(
        tmp_path,
        seed=SEED,
        tables=6,
        faults=2 * len(PARTITIONS),
        every_s=1.5,
        topology=topology,
        replicas=replicas,
        min_replicas=min_replicas,
        kinds=PARTITIONS,
        say=print,
    )
    report = run.run()
    print(report.figures)
    assert report.wrong == []
    assert report.figures["acknowledged"] > 50
    assert report.figures["takeovers"] > 0


def test_the_docs_say_how_much_the_soak_allows():
    text = " ".join((ROOT / "docs" / "operations.md").read_text().split())
    assert (UNCOPIED_MS, NEWS_S, REFUSES_S) == (1_000, 2.0, 4.0)
    assert "from a second before it was cut off until two seconds after" in text
    assert "the first four seconds of a master that is cut off from its replicas" in text


def test_a_loss_takes_what_was_written_in_it_to_its_slots_alone():
    loss = Loss(since=10_000, until=12_000, slots=frozenset({7}), began=1.0, over=3.5)
    assert [loss.takes(7, at) for at in (8_999, 9_000, 12_000, 12_001)] == [False, True, True, False]
    assert not loss.takes(8, 11_000)
    takeover = loss.takeover(7)
    assert (takeover.since, takeover.until) == (0.0, 3.5)
    assert takeover.may_be_lost(11_000)
    assert not takeover.may_be_lost(13_000)


def test_the_edges_of_a_cut_are_those_between_a_party_and_the_others():
    between = Network().between
    assert between("a", ["a", "b"]) == [("a", "b"), ("b", "a")]
    assert between("a", ["b", CLIENTS], hears=True) == [("a", "b"), ("a", CLIENTS)]
    assert between("a", ["b"], speaks=True) == [("b", "a")]


@pytest.mark.parametrize(("replicas", "min_replicas", "calm"), [(0, 0, 1), (1, 0, 0), (0, 1, 0)])
def test_no_table_has_to_move_before_a_replica_follows_if_one_is_needed(replicas, min_replicas, calm):
    service, calls = object.__new__(DividedServers), []
    service.replicas, service.min_replicas, service.settled = replicas, min_replicas, lambda: calls.append(1)
    service._has_master()
    assert len(calls) == calm
