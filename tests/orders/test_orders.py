"""Orders of a table's players, API, workers and clocks find nothing wrong, and find faults that are put in by hand."""

import time
from contextlib import suppress

import pytest

from service.game.state import interruptions
from tools.orders.house import BASES, Arena
from tools.orders.mutants import FINDS

#: Orders by day, and the most in which a fault put in by hand has to be found.
FEW = 1_400
MOST = 400


def wrong_of(seed, *store):
    """Return what is wrong in the order of a seed."""
    return Arena(seed, BASES[seed % len(BASES)], *store).run()


def test_no_order_brings_out_anything_wrong():
    assert {seed: wrong for seed in range(FEW) if (wrong := wrong_of(seed))} == {}


def test_the_same_seed_makes_the_same_order():
    for seed in range(len(BASES)):
        first, again = (Arena(seed, BASES[seed]) for _ in range(2))
        assert first.run() == again.run()
        assert first.order.steps == again.order.steps
        assert first.answers == again.answers
        assert first.store._tables[first.table].log == again.store._tables[again.table].log


def test_orders_reach_what_they_are_for():
    """Actors die, answers are lost, timers run out, seats change hands, pauses end, games are kept."""
    visited, types = set(), set()
    for seed in range(300):
        arena = Arena(seed, BASES[seed % len(BASES)])
        arena.run()
        visited |= {step.call for step in arena.order.steps} | ({"lost"} if arena.order.lost else set())
        types |= {event["type"] for event in arena.store.events(arena.table, arena.base.state["version"], 1_000)}
    assert visited >= {"dies", "lost", "append", "lease_due", "take a job", "enqueue", "events"}
    assert types >= {
        "played",
        "decision_timed_out",
        "interrupted",
        "seat_left",
        "seat_resumed",
        "seat_taken_over",
        "game_paused",
        "game_resumed",
        "vote_closed",
        "take_back",
        "game_kept",
        "discarded",
    }


@pytest.mark.parametrize("store", FINDS, ids=lambda store: store.__name__)
def test_a_fault_put_in_by_hand_is_found(store):
    began = time.process_time()
    for seed in range(MOST):
        wrong = []
        # A fault may also stop an actor; it has to be told nevertheless.
        with suppress(Exception):
            wrong = wrong_of(seed, store)
        if any(FINDS[store] in each for each in wrong):
            print(store.__name__, "found in", seed + 1, "orders and", round(time.process_time() - began, 3), "s")
            return
    pytest.fail(f"{store.__name__} was not found in {MOST} orders")


@pytest.mark.nightly
@pytest.mark.timeout(1_200)
def test_new_orders_find_nothing_wrong():
    first = time.time_ns() % 10**12
    print("seeds from", first)
    assert {seed: wrong for seed in range(first, first + 100_000) if (wrong := wrong_of(seed))} == {}


def test_an_outage_that_counts_twice_is_found(monkeypatch):
    def lost(_state, outages, began):
        """Forget which outages have moved the windows of a table."""
        return outages.lost_since(began)

    monkeypatch.setattr(interruptions, "_lost", lost)
    # A player who acts then finds the table moved again and again.
    with pytest.raises(AssertionError, match=r"a try ends with|the deadline of"):
        assert {seed: wrong for seed in range(MOST) if (wrong := wrong_of(seed))} == {}
