"""What is over keeps its results, whatever happens to a team later; in each form."""

import pytest

from service.tournaments.forms import FORMS
from tests.api.tournaments.test_arenas import Arena
from tests.api.tournaments.test_forms import end, leave, many, results_of
from tests.api.tournaments.test_team_events import Cup

#: What is shown of a team, rather than of what it has done.
NAMES = ("name", "withdrawn")


def over(cup):
    """Matches, standings and CSV of the rounds that are over, as bytes, without the names of teams."""
    results = cup.director.get(f"{cup.path}/results").json
    matches = [{name: value for name, value in each.items() if name != "names"} for each in results["matches"]]
    rows = [{name: value for name, value in row.items() if name not in NAMES} for row in results["standings"]]
    return matches, sorted(rows, key=lambda row: row["team"])


def substitute(world, cup, gone):
    """The director has somebody else play for a team."""
    other = world.player("Substitute")
    members = [{"player": other.player["id"]}, *[{"level": "easy"}] * (cup.body()["size"] - 1)]
    answer = cup.director.put(f"{cup.path}/teams/{gone.team}", {"name": "Changed", "members": members})
    assert answer.status_code == 200, answer.json
    assert other.put(f"{cup.path}/teams/{gone.team}/confirmation").status_code == 200


def enter_late(world, cup):
    """Somebody enters; in some forms, nobody can."""
    late = world.player("Late")
    members = [{"player": late.player["id"]}, *[{"level": "easy"}] * (cup.body()["size"] - 1)]
    answer = late.post(f"{cup.path}/teams", {"teams": [{"name": "Late", "members": members}]})
    assert answer.status_code == (200 if FORMS[cup.body()["form"]].takes_late else 409), answer.json
    return answer.json.get("mine", {}).get("team")


def happens(world, cup, how):
    """Something happens to the second team; return the team that has come, if one has."""
    if how == "late":
        return enter_late(world, cup)
    if how == "substitute":
        substitute(world, cup, cup.captains[1])
    else:
        leave(world, cup, cup.captains[1], how)
    return None


def without(state, late):
    """What is over, without a team that has not played in it."""
    matches, rows = state
    return matches, [row for row in rows if row["team"] != late]


@pytest.mark.parametrize("how", ["withdraw", "erase", "suspend", "substitute", "late"])
@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if not form.grows])
def test_what_is_over_stays_whatever_happens_to_a_team_in_the_middle(world, form, how):
    world.start(operator_token="0123456789abcdef")
    # Who is late takes a place of AI players, where the draw decides all rounds.
    count = {"individual": 6}.get(form, 3) if how == "late" else 4
    cup: Cup = many(world, count, form=form, rounds=3, boards=1)
    cup.begin(1)
    cup.play_all()
    assert cup.body()["played"][0]["status"] == "over"
    before = over(cup)
    assert {board["counted"] for match in before[0] for board in match["boards"]} == {"played"}
    late = happens(world, cup, how)
    assert without(over(cup), late) == before
    begun = cup.begin(2)["played"][-1]
    assert (late is None) or late in str(begun["matches"])
    meanwhile = without(over(cup), late)
    # In a knock-out, how far everybody has come is known when the next round begins.
    parts = 1 if form == "knock_out" else 2
    assert meanwhile[:parts] == before[:parts]
    end(cup, 2)
    assert [match for match in over(cup)[0] if match["round"] == 1] == before[0]
    results_of(cup)


@pytest.mark.parametrize("how", ["withdraw", "erase", "suspend", "late"])
def test_what_is_over_stays_in_an_arena_that_goes_on(world, how):
    world.start(operator_token="0123456789abcdef")
    cup = Arena(world, 4)
    cup.begin()
    cup.play_one()
    before = over(cup)
    assert [len(match["teams"]) for match in before[0]] == [4]
    late = happens(world, cup, how)
    assert without(over(cup), late) == before
    end(cup, 1)
    [table] = over(cup)[0][:1]
    # What the deals of all tables follow from is told once the arena is over.
    assert all(board["drawn_from"] for board in table["boards"])
    assert [{**table, "boards": [{**board, "drawn_from": None} for board in table["boards"]]}] == before[0]
    results_of(cup)
