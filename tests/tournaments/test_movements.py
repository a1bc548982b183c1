"""Movements: everybody meets whom the movement says, as often as it says, and sits once a round."""

from collections import Counter
from itertools import combinations

import pytest

from service.tournaments.schedules import movements
from service.tournaments.schedules.whist import FIRST, whist

#: Berger's tables as the FIDE handbook prints them (C.05, annex 1), counted from 1.
PRINTED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        *("1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3"),
        *("3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1"),
    ],
}


def met(rounds):
    """How often two units were at a table, over rounds; nobody is twice in one."""
    for tables in rounds:
        seated = [unit for table in tables for unit in table]
        assert len(seated) == len({*seated})
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize("units", PRINTED)
def test_round_robins_are_berger_s_tables(units):
    for number, printed in enumerate(PRINTED[units], 1):
        pairs = {frozenset(int(unit) - 1 for unit in pair.split("-")) for pair in printed.split()}
        assert {frozenset(pair) for pair in movements.berger(units, number)} == pairs


@pytest.mark.parametrize("units", range(2, 33, 2))
def test_in_a_round_robin_everybody_meets_everybody_once(units):
    rounds = [movements.berger(units, number) for number in range(1, units)]
    assert all(len(tables) == units // 2 for tables in rounds)
    assert met(rounds) == {frozenset(pair): 1 for pair in combinations(range(units), 2)}


@pytest.mark.parametrize("units", range(2, 65))
def test_the_best_of_a_bracket_have_byes_and_meet_late(units):
    places = movements.bracket(units)
    assert sorted(place for place in places if place is not None) == [*range(units)]
    byes = [{*places[at : at + 2]} - {None} for at in range(0, len(places), 2) if None in places[at : at + 2]]
    assert sorted(unit for bye in byes for unit in bye) == [*range(len(places) - units)]
    # If the better one always wins, those who are left are the best, and the halves meet in the final.
    left = [place if place is not None else units for place in places]
    while len(left) > 1:
        assert sorted(left) == [*range(min(len(left), units)), *[units] * (len(left) - units)]
        left = [min(left[at : at + 2]) for at in range(0, len(left), 2)]


# --- pairs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("units", range(2, 101, 2))
@pytest.mark.parametrize("one_winner", [True, False])
def test_in_a_mitchell_movement_each_of_one_line_meets_each_of_the_other_once(units, one_winner):
    number = units // 2
    rounds = [movements.mitchell(units, at, number, one_winner=one_winner) for at in range(1, number + 1)]
    assert met(rounds) == {frozenset((even, odd)): 1 for even in range(0, units, 2) for odd in range(1, units, 2)}
    for at, tables in enumerate(rounds):
        # Who stays is at the same table always, who moves is one table further each round.
        for table, pair in enumerate(tables):
            home, away = sorted(pair, key=lambda unit: unit % 2)
            assert (home // 2, away // 2) == (table, (table - at) % number)
    switched = [at for at, tables in enumerate(rounds, 1) if any(first % 2 for first, _ in tables)]
    assert all(first % 2 for at in switched for first, _ in rounds[at - 1])
    expected = max(1, round(number / 8)) if one_winner and number > 1 else 0
    assert switched == [*range(number - expected + 1, number + 1)]


@pytest.mark.parametrize("units", range(2, 33, 2))
def test_in_a_howell_movement_everybody_meets_everybody_once_and_compares_with_all_alike(units):
    rounds = [movements.howell(units, number) for number in range(1, units)]
    assert met(rounds) == {frozenset(pair): 1 for pair in combinations(range(units), 2)}
    even_seats = [{first for first, _ in tables} for tables in rounds]
    same = [
        sum((one in side) == (other in side) for side in even_seats) for one, other in combinations(range(units), 2)
    ]
    # Half of the rounds in which two do not meet would be ideal: exact where quadratic residues are.
    ideal = (units - 2) / 2
    if units in (4, 8, 12, 20, 24, 32):
        assert {*same} == {ideal}
    assert max(abs(each - ideal) for each in same) <= 3


# --- single players ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [each for each in range(4, 33) if each % 4 < 2])
def test_in_a_whist_movement_everybody_is_the_partner_of_everybody_once_and_an_opponent_twice(players):
    assert players in FIRST
    rounds = [whist(players, number) for number in range(1, players + players % 4)]
    assert len(rounds) == players - (players % 4 == 0)
    assert met(rounds) == {frozenset(pair): 3 for pair in combinations(range(players), 2)}
    partners = Counter(frozenset(pair) for tables in rounds for a, b, c, d in tables for pair in ((a, c), (b, d)))
    assert partners == {frozenset(pair): 1 for pair in combinations(range(players), 2)}
    seated = [{player for table in tables for player in table} for tables in rounds]
    sits_out = Counter(player for there in seated for player in {*range(players)} - there)
    assert sits_out == (dict.fromkeys(range(players), 1) if players % 4 else {})
