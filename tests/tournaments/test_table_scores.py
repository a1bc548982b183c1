"""Boards that all tables play once: each result beats others, or is adjusted."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from service.boards.steps import FORFEIT
from service.tournaments.table_scores import adjusted, ruled, shares


def test_a_result_gets_what_it_beats_and_by_how_much():
    one, two, three, gone = shares([20, -20, 20, None])
    assert gone is None
    assert (one[0], one[1]) == ({"percent": 75.0, "steps": 1.5}, {"percent": 25.0, "steps": -1.5})
    assert two[0] == {"percent": 0.0, "steps": -3.0}
    assert three == one
    assert shares([7]) == [({"percent": 50.0, "steps": 0.0}, {"percent": 50.0, "steps": -0.0})]
    assert shares([]) == []


@given(st.lists(st.integers(-200, 200), min_size=2, max_size=60))
def test_what_one_side_gains_the_other_loses_and_more_is_never_worth_less(values):
    counted = shares(values)
    assert abs(sum(even["percent"] for even, _ in counted) - 50 * len(values)) < 0.01 * len(values)
    assert all(abs(even["percent"] + odd["percent"] - 100) < 0.001 for even, odd in counted)
    assert all(even["steps"] == -odd["steps"] for even, odd in counted)
    ordered = [
        even for _, even in sorted(zip(values, (even for even, _ in counted), strict=True), key=lambda each: each[0])
    ]
    assert all(
        one["percent"] <= other["percent"] and one["steps"] <= other["steps"] for one, other in pairwise(ordered)
    )


def test_nothing_is_worth_less_than_to_be_to_blame_for_a_board():
    blamed, other = adjusted([True, False])
    assert (blamed, other) == ({"percent": 0.0, "steps": -FORFEIT}, {"percent": 60.0, "steps": 3.0})
    assert adjusted([False, False]) == adjusted([False, False])[::-1] == [{"percent": 50.0, "steps": 0.0}] * 2
    worst = min((even for even, _ in shares([-400, 400])), key=lambda share: share["percent"])
    assert blamed["percent"] <= worst["percent"]
    assert blamed["steps"] <= worst["steps"]
    assert ruled([100, 0]) == [{"percent": 100, "steps": 12.0}, {"percent": 0, "steps": -12.0}]
