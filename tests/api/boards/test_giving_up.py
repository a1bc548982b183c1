"""No way out of a board that goes badly is better than to play it: votes, leaving, time, pauses, withdrawing."""

from itertools import product

import pytest

from service.boards.scoring import percentages, steps
from service.boards.steps import FORFEIT, STEPS
from service.tournaments.match_scores import board_score
from tests.api.boards.test_boards import begin, day, entrant, quick  # noqa: F401 - fixtures
from tests.api.contract import assert_problem
from tests.api.tournaments.test_team_events import MINUTE, Cup, at_random


def result(value):
    return {"deal": 0, "game": "gm_1", "at": 1, "value": value}


@pytest.mark.parametrize("others", [[], [-40], [-40, -40], [-200, 0, 5, 40], [5] * 16])
def test_a_board_given_up_is_never_worth_more_than_the_same_board_played(others):
    """The search: whatever others made of the cards, and whatever playing on may bring."""
    fields, key = {(1, 0): others}, (1, "lin")
    given_up = percentages({key: result(None)}, fields)[key], steps({key: result(None)}, fields)[key]
    for value in range(-250, 251, 5):
        played = {key: result(value)}
        assert given_up[0] <= percentages(played, fields)[key]
        assert given_up[1] <= steps(played, fields)[key]


def test_a_board_of_a_match_given_up_is_never_worth_more_than_the_same_board_played():
    for mine, theirs in product(range(-300, 301, 25), repeat=2):
        played = board_score([mine, theirs]).steps
        assert board_score([None, theirs], (True, False)).steps <= played
        assert board_score([mine, None], (False, True)).steps >= played
    assert len(STEPS) == FORFEIT


def abandon(world, client, table):
    assert client.post(f"/v1/tables/{table}/votes", {"kind": "abandon"}).status_code < 300
    world.advance(table)
    assert world.tables.load(table)["game"]["ended"] == "abandoned"


def test_giving_up_or_leaving_a_board_of_the_day_brings_nothing(day):  # noqa: F811
    lin, event = entrant(day)
    table = begin(lin, event)
    lin.delete(f"/v1/tables/{table}/seats/me")
    while day.tables.load(table)["status"] == "playing":
        day.now += 1_000
        day.advance(table)
    abandon(day, lin, begin(lin, event, 2))
    day.now += 24 * 3_600_000
    lin.get(f"/v1/events/{event}/standings")
    day.work()
    mine = lin.get(f"/v1/events/{event}/standings").json["mine"]
    assert (mine["percent"], mine["boards"]) == (0, [0, 0])


class Match:
    """Two teams that meet on one board; in the first room people of both sit, or only Lin."""

    def __init__(self, world, *, both, **setup):
        self.world, self.cup = world, Cup(world, boards=1, round_ms=60 * MINUTE, **setup)
        self.lin = self.cup.team("Lin")
        if both:
            self.mei = self.cup.team("Mei")
        else:
            self.mei = world.player("Mei")
            members = [{"level": "easy"}, {"level": "easy"}, {"player": self.mei.player["id"]}, {"level": "easy"}]
            answer = self.mei.post(f"{self.cup.path}/teams", {"teams": [{"name": "Mei", "members": members}]})
            self.mei.team = answer.json["mine"]["team"]
        self.cup.begin()
        self.table = self.cup.body(self.lin)["mine"]["table"]
        other = self.cup.body(self.mei)["mine"]["table"]
        if other != self.table:
            self.cup.play(other)

    def steps(self):
        """Steps of both teams, once the round is over by its time."""
        self.cup.advance_others()
        self.world.now = self.world.stores.boards.teams.progress(self.cup.id)["rounds"][0]["closes_at"]
        self.world.conduct()
        rows = {row["team"]: row["steps"] for row in self.cup.director.get(f"{self.cup.path}/standings").json["items"]}
        return rows[self.lin.team], rows[self.mei.team]


def test_a_team_that_gives_a_board_up_against_ai_players_loses_it(world):
    match = Match(world, both=False)
    abandon(world, match.lin, match.table)
    assert match.steps() == (-FORFEIT, FORFEIT)


def test_a_board_that_both_teams_give_up_counts_for_neither(world):
    match = Match(world, both=True)
    vote = match.lin.post(f"/v1/tables/{match.table}/votes", {"kind": "abandon"}).json["view"]["vote"]["id"]
    match.mei.put(f"/v1/tables/{match.table}/votes/{vote}", {"approve": True})
    world.advance(match.table)
    assert world.tables.load(match.table)["game"]["ended"] == "abandoned"
    assert match.steps() == (0, 0)


def test_a_team_that_ends_a_board_while_the_others_are_gone_loses_it(world):
    match = Match(world, both=True)
    world.tables.act(match.table, {"type": "leave", "player": match.mei.player["id"]})
    world.now += 10 * MINUTE
    abandon(world, match.lin, match.table)
    assert match.steps() == (-FORFEIT, FORFEIT)


def play_without(match, absent):
    """Play on until nobody but an absent player can."""
    tables, player, waited = match.world.tables, absent.player["id"], 0
    while waited < 10:
        match.world.now += 1_000
        match.cup.advance(match.table)
        decision = tables.load(match.table)["decision"]
        person = match.cup.asked_person(match.table, decision, player) if decision else None
        waited = 0 if person is not None or decision is None else waited + 1
        if person is not None:
            who, view = person
            tables.act(match.table, {"player": who, "decision_id": decision["id"], **at_random(*view)})


def test_a_team_that_lets_a_board_wait_until_the_round_is_over_loses_it(world):
    match = Match(world, both=True, clock={"play_ms": 5 * MINUTE, "on_timeout": "pause"})
    play_without(match, match.lin)
    assert match.steps() == (-FORFEIT, FORFEIT)
    [board] = match.cup.director.get(f"{match.cup.path}/matches/1-1").json["boards"]
    assert (board["counted"], board["rooms"][0]) == ("adjusted", None)


def test_a_board_cannot_be_paused(world):
    match = Match(world, both=False)
    assert_problem(match.lin.post(f"/v1/tables/{match.table}/votes", {"kind": "pause"}), "wrong-phase")
