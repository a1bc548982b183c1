"""Entries by a link that directors give away: who may enter, what becomes of a link, and who learns its code."""

import json

import pytest

from tests.api.contract import assert_problem
from tests.api.tournaments.test_offices import name
from tests.api.tournaments.test_rulings import log
from tests.api.tournaments.test_team_events import Cup


def link(cup, client=None, **how):
    """The code of a new link."""
    answer = (client or cup.director).put(f"{cup.path}/link", {"required": True, **how})
    assert answer.status_code == 200, answer.json
    return answer.json["link"]["code"]


def enter(cup, client, code=None):
    teams = [{"name": client.player["name"], "members": [{"player": client.player["id"]}, *[{"level": "easy"}] * 3]}]
    return client.post(f"{cup.path}/teams", {"teams": teams, **({} if code is None else {"code": code})})


@pytest.fixture
def cup(world):
    return Cup(world)


def test_with_a_link_alone_nobody_enters_without_its_code(world, cup):
    lin, mei, wang = (world.player(each) for each in ("Lin", "Mei", "Wang"))
    code = link(cup)
    for wrong in (None, "x", code[:-1], code.upper() + "ä"):
        assert_problem(enter(cup, lin, wrong), "invalid-request", reason="link_needed")
    assert enter(cup, lin, code).status_code == 200
    # A new one shuts the old one; who has entered stays, and comes back after a withdrawal.
    new = link(cup)
    assert new != code
    assert_problem(enter(cup, mei, code), "invalid-request", reason="link_needed")
    assert enter(cup, mei, new).status_code == 200
    assert enter(cup, lin).status_code == 200
    assert [team["name"] for team in cup.director.get(cup.path).json["entries"]] == ["Lin", "Mei"]
    # Directors enter teams as before, and whom a captain names agrees without the code.
    assert enter(cup, cup.director).status_code == 200
    assert [cup.director.delete(f"{cup.path}/link").status_code for _ in range(2)] == [200, 200]
    assert enter(cup, wang).status_code == 200


def test_whom_a_captain_has_named_agrees_without_the_code_but_enters_no_other_team(world, cup):
    lin, mei = world.player("Lin"), world.player("Mei")
    members = [{"player": lin.player["id"]}, {"player": mei.player["id"]}, *[{"level": "easy"}] * 2]
    entered = lin.post(f"{cup.path}/teams", {"teams": [{"name": "Dragons", "members": members}], "code": link(cup)})
    team = entered.json["mine"]["team"]
    assert_problem(enter(cup, mei), "invalid-request", reason="link_needed")
    assert mei.put(f"{cup.path}/teams/{team}/confirmation").status_code == 200


def test_a_link_beside_open_entries_shuts_nobody_out(world, cup):
    lin, mei = world.player("Lin"), world.player("Mei")
    code = link(cup, required=False)
    assert not lin.get(cup.path).json["by_link"]
    assert enter(cup, lin).status_code == 200
    assert enter(cup, mei, code).status_code == 200


def test_only_directors_learn_the_code(world, cup):
    lin, mei = world.player("Lin"), world.player("Mei")
    name(cup, mei)
    code = link(cup, mei)
    assert cup.director.get(cup.path).json["link"] == {"code": code, "required": True}
    enter(cup, lin, code)
    for path in ("", "/log", "/standings", "/results"):
        assert code not in lin.get(f"{cup.path}{path}").get_data(as_text=True)
    assert lin.get(cup.path).json["by_link"]
    assert code not in json.dumps(lin.get("/v1/team-events").json)
    assert log(cup, lin)["items"][0]["what"] == "link_made"
    cup.director.delete(f"{cup.path}/directors/{mei.player['id']}")
    assert mei.get(cup.path).json["link"] is None
    for client in (lin, mei):
        assert_problem(client.put(f"{cup.path}/link", {}), "not-director")
        assert_problem(client.delete(f"{cup.path}/link"), "not-director")


def test_who_is_not_let_in_learns_nothing_of_other_players(world, cup):
    lin = world.player("Lin")
    link(cup)
    members = [{"player": lin.player["id"]}, {"player": "pl_nobody"}, *[{"level": "easy"}] * 2]
    refused = lin.post(f"{cup.path}/teams", {"teams": [{"name": "X", "members": members}]})
    assert_problem(refused, "invalid-request", reason="link_needed")
