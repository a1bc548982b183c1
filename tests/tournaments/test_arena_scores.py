"""What a board of an arena counts for each seat, and who is to blame for one that broke off."""

import pytest

from service.tournaments import room_results
from service.tournaments.arena_scores import seats_of

RESULT = {"deal": 0, "game": "gm_1", "at": 1, "value": None}


@pytest.mark.parametrize(
    ("value", "side", "won"),
    [
        (25, "attackers", [0, 2]),
        (0, "attackers", [0, 2]),
        (-25, "attackers", [1, 3]),
        (25, "declarers", [0, 2]),
        (0, "declarers", [1, 3]),
        (-25, "declarers", [1, 3]),
    ],
)
def test_a_result_of_an_earlier_release_counts_as_one_of_this(value, side, won):
    old = {**RESULT, "value": value, "side": side}
    new = {**old, "leads": [value, -value] * 2, "won": won}
    assert seats_of(old, 4, has_teams=True) == seats_of(new, 4, has_teams=True)
    assert [each["outcome"] for each in seats_of(old, 4, has_teams=True)].count("won") == 2
    # Among friends, nobody knows with whom seat 0 played.
    assert {each["outcome"] for each in seats_of(old, 5, has_teams=False)} == {None}


def test_nobody_wins_where_scores_are_equal():
    old = {**RESULT, "value": 0, "scores": [3, 3]}
    assert seats_of(old, 4, has_teams=True) == [{"outcome": "drawn", "lead": 0}] * 4


def test_what_ai_players_have_won_is_not_the_lead_of_who_left_them_the_seat():
    result = {**RESULT, "taken": [0], "leads": [40, -40, 40, -40], "won": [0, 2]}
    assert seats_of(result, 4, has_teams=True) == [
        {"outcome": "lost", "lead": 0},
        {"outcome": "lost", "lead": -40},
        {"outcome": "won", "lead": 40},
        {"outcome": "lost", "lead": -40},
    ]
    lost = {**result, "leads": [-40, 40, -40, 40], "won": [1, 3]}
    assert seats_of(lost, 4, has_teams=True)[0] == {"outcome": "lost", "lead": -40}


# --- who is to blame --------------------------------------------------------------------------------------------------


def vote(*seats):
    """The log of a vote to end the game, which these seats have wanted."""
    opened = {"type": "vote_opened", "at": 0, "data": {"kind": "abandon", "by_seat": seats[0]}}
    cast = [{"type": "vote_cast", "at": 0, "data": {"seat": seat, "approve": True}} for seat in seats[1:]]
    return [opened, *cast, {"type": "vote_closed", "at": 0, "data": {"kind": "abandon", "passed": True}}]


def waits(*seats, at):
    return {"type": "decision_opened", "at": at, "data": {"seats": [*seats]}}


@pytest.fixture
def table(monkeypatch):
    """A function that makes a table with people on some seats."""

    def made(ruleset, players, people):
        monkeypatch.setattr(room_results, "people_of", lambda _: people)
        return {"ruleset": ruleset, "players": players}

    return made


@pytest.mark.parametrize(
    ("ruleset", "people", "voters", "blamed"),
    [
        ("zhaopengyou", [0, 1, 2, 3, 4], [0, 2], [0, 2]),
        ("zhaopengyou", [0, 2, 4], [0, 2], [0, 2]),
        ("zhaopengyou", [0, 1], [0, 1], []),
        ("shengji", [0, 1, 2, 3], [0], [0, 2]),
        ("shengji", [0, 1, 2, 3], [0, 1], []),
    ],
)
def test_who_has_voted_for_the_end_is_to_blame_and_where_there_are_sides_the_partner(
    table, ruleset, people, voters, blamed
):
    assert room_results.gave_up(table(ruleset, 5, people), vote(*voters)) == blamed


@pytest.mark.parametrize(
    ("ruleset", "log", "blamed"),
    [
        ("zhaopengyou", [waits(0, at=0), waits(1, at=60)], [0]),
        ("zhaopengyou", [waits(0, at=0), waits(1, at=50)], []),
        ("zhaopengyou", [waits(0, at=0), waits(1, at=10), waits(2, at=20), waits(0, at=80)], [2]),
        ("shengji", [waits(0, at=0), waits(1, at=10), waits(2, at=90)], [1, 3]),
        ("shengji", [waits(0, at=0), waits(1, at=50)], []),
    ],
)
def test_who_has_taken_longer_is_to_blame_for_a_board_that_is_not_over(table, ruleset, log, blamed):
    players = 5 if ruleset == "zhaopengyou" else 4
    assert room_results.held_up(table(ruleset, players, [*range(players)]), log, until=100) == blamed
