"""Pairing and scoring of teams: properties of the pure functions."""

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from service.boards.steps import FORFEIT, STEPS, steps_of
from service.tournaments.match_scores import board_score, victory_points
from service.tournaments.schedules.pairing import paired


def matchings(teams):
    """Yield all ways to pair teams, those best for the first ones first."""
    if not teams:
        yield []
    for other in teams[1:]:
        for rest in matchings([team for team in teams[1:] if team != other]):
            yield [(teams[0], other), *rest]


@given(st.data())
def test_a_pairing_is_the_closest_one_in_which_nobody_meets_again(data):
    teams = [f"t{number}" for number in range(2 * data.draw(st.integers(1, 4)))]
    possible = [frozenset(pair) for pair in combinations(teams, 2)]
    met = data.draw(st.lists(st.sampled_from(possible), max_size=len(possible)))
    pairing = paired(teams, [tuple(pair) for pair in met])
    assert sorted(team for pair in pairing for team in pair) == sorted(teams)
    times = [sum(each == frozenset(pair) for each in met) for pair in pairing]
    least = min(max(sum(each == frozenset(pair) for each in met) for pair in pairs) for pairs in matchings(teams))
    assert max(times) == least
    first = next(
        pairs
        for pairs in matchings(teams)
        if max(sum(each == frozenset(pair) for each in met) for pair in pairs) == least
    )
    assert pairing == first, "from the top, everybody meets the best who is left"


@given(st.integers(2, 32), st.integers(0, 1_000_000))
def test_nobody_meets_again_in_as_many_rounds_as_half_of_the_teams(half, seed):
    teams, met, random = [f"t{number}" for number in range(2 * half)], set(), Random(seed)
    for _ in range(min(half, 15)):
        random.shuffle(teams)
        pairs = {frozenset(pair) for pair in paired(teams, [tuple(pair) for pair in met])}
        assert len(pairs) == half
        assert not pairs & met
        met |= pairs


def test_with_more_rounds_than_opponents_teams_that_met_least_meet_again():
    met = [pair for _ in range(3) for pair in combinations("abcd", 2)]
    assert paired("abcd", met) == [("a", "b"), ("c", "d")]
    assert paired("abcd", [*met, ("b", "a")]) == [("a", "c"), ("b", "d")]
    # A search would take forever: every team has met all except the last two, who have met all.
    many = [f"t{number}" for number in range(60)]
    assert len(paired(many, [pair for pair in combinations(many, 2) if "t59" in pair])) == 30


@given(st.integers(-400, 400))
def test_steps_grow_with_the_points_and_are_fair_to_both(points):
    assert steps_of(points) == -steps_of(-points)
    assert abs(steps_of(points)) <= abs(steps_of(points + (1 if points >= 0 else -1)))
    assert abs(steps_of(points)) == sum(abs(points) >= bound for bound in STEPS)


@given(st.integers(0, 200), st.integers(1, 16))
def test_victory_points_are_twenty_in_all_and_each_further_step_is_worth_less(steps, boards):
    won, lost = victory_points(steps, boards), victory_points(-steps, boards)
    assert won + lost == 20
    assert 10 <= won <= 20
    one, two, three = (victory_points(steps + more, boards) for more in (0, 1, 2))
    assert one <= two <= three
    assert three - two <= two - one + 0.0101, "but for rounding"


def test_a_blitz_takes_six_and_a_half_steps_times_the_root_of_the_boards():
    assert [victory_points(13, 4), victory_points(12, 4), victory_points(0, 4)] == [20.0, 19.64, 10.0]
    assert [victory_points(7, 1), victory_points(-7, 1)] == [20.0, 0.0]


def test_a_board_that_cannot_be_compared_is_adjusted_and_the_director_decides():
    assert board_score([20, 5])[:3] == (2, 15, "played")
    assert board_score([-20, 5])[:3] == (-2, -25, "played")
    assert board_score([None, 5])[:3] == (0, None, "adjusted")
    assert board_score([None, 5], (True, False))[:3] == (-FORFEIT, None, "adjusted")
    assert board_score([None, None], (False, True))[:3] == (FORFEIT, None, "adjusted")
    assert board_score([None, None], (True, True))[:3] == (0, None, "adjusted")
    assert board_score([20, 5], ruling=-4)[:3] == (-4, 15, "director")
