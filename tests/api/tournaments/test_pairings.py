"""The pairing of the next round, which directors see before it begins, and with which it then begins."""

import pytest

from service.tournaments.forms import FORMS
from service.tournaments.teams import HOUSE
from tests.api.contract import assert_problem
from tests.api.tournaments.test_forms import end, many, rule
from tests.api.tournaments.test_late_entries import enters
from tests.api.tournaments.test_offices import name, remove
from tests.api.tournaments.test_team_events import Cup


def look(cup, client=None, query=""):
    return (client or cup.director).get(f"{cup.path}/next-round{query}")


def pairing(cup, query=""):
    answer = look(cup, query=query)
    assert answer.status_code == 200, answer.json
    return answer.json


def begin(cup, drafted, **more):
    return cup.director.post(f"{cup.path}/rounds", {"round": drafted["round"], "pairing": drafted["pairing"], **more})


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if not form.grows])
@pytest.mark.parametrize("count", [4, 5])
def test_a_round_begins_with_the_pairing_that_was_shown(world, form, count):
    cup = many(world, count, form=form, boards=1, **({} if form == "knock_out" else {"rounds": 2}))
    for number in (1, 2):
        before = cup.body()
        drafted = pairing(cup)
        assert cup.body() == before, "looking begins nothing"
        assert pairing(cup) == drafted
        answer = begin(cup, drafted)
        assert answer.status_code == 200, answer.json
        begun = answer.json["played"][-1]
        assert drafted == {
            "round": number,
            "pairing": drafted["pairing"],
            "matches": begun["matches"],
            "byes": begun["byes"],
        }
        assert begun["matches"]
        end(cup, number)


def enter_late(world, cup):
    return enters(cup, world.player("Late"))


def withdraw(_, cup):
    assert cup.director.delete(f"{cup.path}/teams/{cup.captains[0].team}").status_code == 200


def rule_otherwise(_, cup):
    # The last of all wins its match by so much that it is among the first.
    last = cup.director.get(f"{cup.path}/standings").json["items"][-1]["team"]
    [match] = [each for each in cup.body()["played"][0]["matches"] if last in each["teams"]]
    rule(cup, match["match"], 12 if match["teams"][0] == last else -12)


@pytest.mark.parametrize("happens", [enter_late, withdraw, rule_otherwise])
def test_what_changes_the_pairing_keeps_the_old_one_from_beginning(world, happens):
    cup = many(world, 4, rounds=2, boards=1)
    begin(cup, pairing(cup))
    for place, match in enumerate(end(cup, 1)["matches"]):
        rule(cup, match["match"], 6 - place)
    old = pairing(cup)
    happens(world, cup)
    new = pairing(cup)
    assert new["matches"] != old["matches"]
    assert_problem(begin(cup, old), "round-not-ready", reason="pairing_changed", round=2)
    assert cup.body()["round"] == 1
    answer = begin(cup, new)
    assert answer.status_code == 200, answer.json
    assert answer.json["played"][-1]["matches"] == new["matches"]
    # A retry does no harm, nor does another director who has seen the old one.
    assert begin(cup, new).json["played"] == begin(cup, old).json["played"] == answer.json["played"]


def test_a_pair_that_is_absent_is_left_out_and_comes_back(world):
    cup = many(world, 4, form="swiss_pairs", rounds=3, boards=1)
    gone = cup.captains[0]
    first = pairing(cup)
    begin(cup, first)
    end(cup, 1)
    old = pairing(cup)
    withdraw(world, cup)
    assert_problem(begin(cup, old), "round-not-ready", reason="pairing_changed")
    without = pairing(cup)
    assert gone.team not in str(without)
    assert HOUSE in str(without["matches"])
    assert begin(cup, without).status_code == 200
    end(cup, 2)
    members = [{"player": gone.player["id"]}, {"level": "easy"}]
    assert (
        cup.director.post(f"{cup.path}/teams", {"teams": [{"name": "Team 0", "members": members}]}).status_code == 200
    )
    assert gone.team in str(pairing(cup)["matches"])


def test_who_would_sit_out_is_part_of_the_pairing(world):
    cup = many(world, 3, form="swiss_pairs", rounds=3, boards=1, sit_out=True)
    old = pairing(cup)
    [idle] = old["byes"]
    assert cup.director.delete(f"{cup.path}/teams/{idle}").status_code == 200
    new = pairing(cup)
    assert (new["matches"], new["byes"]) == (old["matches"], [])
    assert_problem(begin(cup, old), "round-not-ready", reason="pairing_changed")


def test_the_draw_is_looked_at_in_the_order_that_the_director_gives(world):
    cup = many(world, 4, form="round_robin", rounds=3, boards=1)
    order = [client.team for client in reversed(cup.captains)]
    as_entered, reversed_ = pairing(cup), pairing(cup, f"?order={','.join(order[:2])}")
    assert as_entered["matches"] != reversed_["matches"]
    assert_problem(begin(cup, reversed_), "round-not-ready", reason="pairing_changed")
    answer = begin(cup, reversed_, order=order[:2])
    assert answer.status_code == 200, answer.json
    assert answer.json["played"][0]["matches"] == reversed_["matches"]
    assert_problem(look(many(world, 2), query="?order=tm_none"), "invalid-request", reason="no_draw")
    fresh = many(world, 2, form="round_robin", rounds=1)
    assert_problem(look(fresh, query="?order=,"), "not-found", what="team")
    assert_problem(look(fresh, query=f"?order={'x' * 65_000}"), "invalid-request")


def test_only_those_who_direct_the_event_see_it(world):
    cup, mei = Cup(world, teams=2), world.player("Mei")
    assert name(cup, mei).status_code == 200
    assert look(cup, mei).status_code == 200
    remove(cup, mei)
    for client in (mei, cup.captains[0], world.player("Lin")):
        assert_problem(look(cup, client), "not-director")
    assert_problem(cup.director.get("/v1/team-events/ev_none/next-round"), "not-found")


def test_while_a_round_is_open_and_after_the_last_one_there_is_none(world):
    cup = many(world, 1, rounds=2, boards=1)
    assert_problem(look(cup), "round-not-ready", reason="too_few_teams")
    enters(cup, world.player("Late"))
    begin(cup, pairing(cup))
    assert_problem(look(cup), "round-not-ready", reason="round_open")
    # Its time is up, and what counts is not known yet.
    world.now += 8 * 86_400_000
    assert_problem(look(cup), "round-not-ready", reason="round_open")
    end_of_round = cup.director.get(cup.path).json["played"][0]
    assert end_of_round["pending"]["what"] == "results"
    world.conduct()
    begin(cup, pairing(cup))
    end(cup, 2)
    assert_problem(look(cup), "round-not-ready", reason="not_its_turn")
    assert cup.director.post(f"{cup.path}/closing").status_code == 200
    assert_problem(look(cup), "event-closed")


def test_teams_between_which_there_is_a_block_are_kept_apart_as_when_the_round_begins(world):
    cup = many(world, 4, rounds=2, boards=1)
    met = pairing(cup)["matches"][0]["teams"]
    one, other = (next(client for client in cup.captains if client.team == team) for team in met)
    assert one.put(f"/v1/me/blocks/{other.player['id']}").status_code == 204
    drafted = pairing(cup)
    assert not any({*met} == {*match["teams"]} for match in drafted["matches"])
    assert begin(cup, drafted).json["played"][0]["matches"] == drafted["matches"]
