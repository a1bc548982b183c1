"""Matching: groups of tickets, and seats."""

from collections import Counter

import pytest

from service.matchmaking.groups import CLOSE, MOST_EXAMINED, WIDENS_BY, Group, groups, seats_for

NOW = 1_000_000
KIND = {"ruleset": "shengji", "players": 4, "preset": None, "clock": "normal"}


def ticket(name, waited_s=0, *, party=(), rating=None, **more):
    """Return a ticket of a player with this name."""
    return {
        "id": f"ti_{name}",
        "kind": KIND,
        "players": [name, *party],
        "ratings": [rating] * (1 + len(party)),
        "window": (None, None),
        "blocks": [],
        "met": [],
        "since": NOW - 1000 * waited_s,
        "ai_after_ms": 20_000,
        "ai_level": "easy",
        **more,
    }


def together(*tickets):
    """Return the names of the players in each group."""
    return [
        "".join(sorted(name for each in group.tickets for name in each["players"])) for group in groups(tickets, NOW)
    ]


def test_the_oldest_tickets_are_matched_first_and_the_rest_waits():
    tickets = [ticket(name, 9 - place) for place, name in enumerate("ABCDEFGHI")]
    assert together(*tickets) == ["ABCD", "EFGH"]


def test_distant_ratings_are_matched_after_some_time():
    def meet(waited_s, difference):
        return together(ticket("A", waited_s, rating=10.0), *(ticket(name, rating=10.0 + difference) for name in "BCD"))

    assert meet(0, CLOSE) == ["ABCD"]
    assert meet(0, CLOSE + 1) == []
    assert meet(10, CLOSE + 10 * WIDENS_BY) == ["ABCD"]
    assert meet(10, CLOSE + 11 * WIDENS_BY) == []
    assert meet(20, 1_000) == ["ABCD"], "rather than with AI players"
    assert together(
        *(ticket(name, rating=rating) for name, rating in zip("ABCD", (None, 50.0, 50.0, 49.0), strict=True))
    ) == ["ABCD"]
    # Both fit the longest waiting one, but not each other.
    spread = zip("ABCD", (10.0, 10.0 - CLOSE, 10.0 + CLOSE, 10.0), strict=True)
    assert together(*(ticket(name, rating=rating) for name, rating in spread)) == []


def test_ai_players_come_when_the_oldest_has_waited_long_enough_and_not_before():
    assert together(ticket("A", 19), ticket("B")) == []
    assert together(ticket("A", 20), ticket("B")) == ["AB"]
    assert together(ticket("A", 99, ai_after_ms=None), ticket("B", 20)) == ["AB"]
    assert together(ticket("A", 99, ai_after_ms=None), ticket("B", 19)) == []


def test_a_rating_window_holds_for_any_waiting_time():
    choosy = ticket("A", 99, window=(20.0, None))
    assert together(choosy, ticket("B", rating=19.0)) == ["A"]
    assert together(choosy, ticket("B", rating=20.0), ticket("C")) == ["ABC"]
    assert together(ticket("B", 99, rating=19.0), ticket("A", window=(20.0, 30.0))) == ["B"]


@pytest.mark.parametrize("blocks", [("A", "B"), ("B", "A")])
def test_blocked_people_are_never_matched_even_in_parties_or_after_a_long_wait(blocks):
    one, other = blocks
    tickets = {name: ticket(name, 20) for name in "ABCD"}
    tickets[one]["blocks"] = [other]
    assert together(*tickets.values()) == ["ACD", "B"]
    with_party = ticket("X", 20, party=("B",), blocks=["A"] if one == "B" else [])
    tickets = [ticket("A", 20, blocks=["B"] if one == "A" else []), with_party]
    assert together(*tickets) == ["A", "BX"]


def test_players_who_met_twice_in_a_row_meet_others_if_possible():
    tickets = [ticket("A", met=["B", "C"]), *(ticket(name) for name in "BCDEF")]
    assert together(*tickets) == ["ADEF"]
    assert together(ticket("A", met=["B"]), *(ticket(name) for name in "BCDE")) == ["ACDE"]
    alone = [ticket("A", 20, met=["B"]), ticket("B", 1)]
    assert together(*alone) == ["AB"], "there is nobody else"
    assert together(*alone, *(ticket(name) for name in "CDE")) == ["ACDE"]


def test_parties_stay_together_and_leave_no_seat_over():
    assert together(ticket("A", party="BC"), ticket("D", party="E"), ticket("F")) == ["ABCF"]
    assert together(ticket("A", party="BCD")) == ["ABCD"]


def test_different_games_do_not_mix():
    other = {**KIND, "clock": "fast"}
    assert together(ticket("A"), *(ticket(name, kind=other) for name in "BCDE"), *(ticket(n) for n in "FGH")) == [
        "AFGH",
        "BCDE",
    ]


def test_no_ticket_is_in_two_groups_and_a_crowd_is_matched_quickly():
    tickets = [ticket(f"P{number}", rating=float(number % 40)) for number in range(160)]
    matches = groups(tickets, NOW)
    assert max(Counter(each["id"] for group in matches for each in group.tickets).values()) == 1
    assert sum(group.people for group in matches) > 120
    # Nobody fits anybody, and each considers a limited number of others.
    apart = [ticket(f"P{number}", rating=100.0 * number) for number in range(MOST_EXAMINED)]
    assert groups(apart, NOW) == []


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_strong_players_are_spread_over_both_sides(count):
    tickets = [ticket(name, rating=rating) for name, rating in zip("ABCD", (30.0, 29.0, 2.0, 1.0), strict=True)][:count]
    seats = seats_for(Group(tickets), has_teams=True)
    sides = [{player for player in seats[side::2] if player} for side in (0, 1)]
    assert sides[0] | sides[1] == set("ABCD"[:count])
    assert abs(len(sides[0]) - len(sides[1])) <= 1
    assert count < 2 or not any({"A", "B"} <= side for side in sides)
    assert count < 4 or {"A", "D"} in sides


def test_parties_sit_on_one_side_if_they_fit():
    six = {**KIND, "ruleset": "shengji_six", "players": 6}
    seats = seats_for(
        Group([ticket(name, party=party, kind=six) for name, party in ("Ab", "Cd", "Ef")]), has_teams=True
    )
    sides = [set(seats[side::2]) for side in (0, 1)]
    assert sum(set(pair) <= side for pair in ("Ab", "Cd", "Ef") for side in sides) == 2
    assert seats_for(Group([ticket("A", party="B"), ticket("C")]), has_teams=False) == ["A", "B", "C", None]
