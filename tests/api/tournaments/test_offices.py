"""Several directors of an event: who names them, what they may do, and how an office ends or is passed on."""

import pytest

from service.tournaments.directing.offices import MOST_DIRECTORS, MOST_NAMED
from service.tournaments.team_events import MOST_DIRECTED
from tests.api.contract import assert_problem
from tests.api.tournaments.test_forms import end, leave, many
from tests.api.tournaments.test_rulings import log, penalize
from tests.api.tournaments.test_team_events import SETUP, Cup


def name(cup, client, by=None):
    return (by or cup.director).put(f"{cup.path}/directors/{client.player['id']}")


def remove(cup, client, by=None):
    return (by or cup.director).delete(f"{cup.path}/directors/{client.player['id']}")


def lead(cup, client, by):
    return by.put(f"{cup.path}/director", {"player": client.player["id"]})


def directors(cup, client=None):
    """The names of the directors; the one who leads the event in capitals."""
    each = (client or cup.director).get(cup.path).json["directors"]
    return [one["name"].upper() if one["leads"] else one["name"] for one in each]


@pytest.fixture
def cup(world):
    world.start(operator_token="0123456789abcdef")
    return Cup(world, teams=2)


@pytest.fixture
def mei(world, cup):
    """A director whom the maker of the event has named."""
    mei = world.player("Mei")
    assert name(cup, mei).status_code == 200
    return mei


def test_a_named_director_has_all_rights_but_to_name_others(world, cup, mei):
    lin = world.player("Lin")
    [own] = mei.get("/v1/team-events").json["items"]
    assert (own["event"], own["mine"]["directs"]) == (cup.id, True)
    assert_problem(name(cup, lin, mei), "not-director")
    assert_problem(lead(cup, lin, mei), "not-director")
    assert mei.post(f"{cup.path}/rounds", {"round": 1}).status_code == 200
    end(cup, 1)
    assert penalize(cup, cup.captains[0].team, 100, mei).status_code == 200
    assert mei.get(cup.path).json["mine"]["directs"]
    assert mei.post(f"{cup.path}/closing").json["status"] == "over"
    acts = [(act["what"], act["name"]) for act in log(cup, lin)["items"]]
    assert [what for what, who in acts if who == "Mei"] == ["closed", "penalty", "round_begun"]
    assert_problem(name(cup, lin), "event-closed")


def test_naming_is_noted_and_told_once(world, cup, mei):
    assert name(cup, mei).status_code == 200
    remove(cup, mei)
    name(cup, mei)
    notes = [each.data for each in world.stores.inbox.after(mei.player["id"], 0, 9) if each.type == "director_named"]
    assert [(each["event"], each["name"]) for each in notes] == [(cup.id, "Director")]
    acts = [(act["what"], act["player_name"]) for act in log(cup, mei)["items"]]
    assert acts == [("director_named", "Mei"), ("director_removed", "Mei"), ("director_named", "Mei")]


def test_whoever_has_been_told_something_else_of_the_event_is_told_of_the_office(world, cup):
    lin = cup.captains[0]
    cup.director.post(f"{cup.path}/notes", {"text": "Nine o'clock."})
    name(cup, lin)
    assert [each.type for each in world.stores.inbox.after(lin.player["id"], 0, 9)] == ["event_note", "director_named"]


def test_only_who_leads_the_event_names_and_removes(world, cup, mei):
    wang = world.player("Wang")
    name(cup, wang)
    for by in (mei, cup.captains[0]):
        assert_problem(remove(cup, wang, by), "not-director")
    assert_problem(remove(cup, cup.director), "invalid-request", reason="leads_event")
    assert_problem(cup.director.put(f"{cup.path}/directors/pl_nobody"), "not-found", what="player")
    # Each gives up their own office.
    assert remove(cup, wang, wang).status_code == 200
    assert directors(cup) == ["DIRECTOR", "Mei"]
    assert_problem(penalize(cup, cup.captains[0].team, 1, wang), "not-director")
    assert remove(cup, wang).status_code == 200


def test_there_are_eight_directors_at_most(world, cup):
    others = [world.player(f"D{number}") for number in range(MOST_DIRECTORS)]
    answers = [name(cup, other) for other in others]
    assert [each.status_code for each in answers[:-1]] == [200] * (MOST_DIRECTORS - 1)
    assert_problem(answers[-1], "invalid-request", reason="too_many_directors", limit=MOST_DIRECTORS)


def test_those_who_have_been_removed_stay_named_and_count(world, cup):
    others = [world.player(f"D{number}") for number in range(MOST_NAMED)]
    for other in others:
        assert name(cup, other).status_code == 200
        remove(cup, other)
    assert_problem(name(cup, world.player("One more")), "invalid-request", reason="too_many_named", limit=MOST_NAMED)
    assert name(cup, others[0]).status_code == 200
    assert directors(cup) == ["DIRECTOR", "D0"]


@pytest.mark.parametrize("how", ["blocked", "nobody", "suspended"])
def test_whoever_takes_no_invitations_cannot_be_named(world, cup, how):
    mei = world.player("Mei")
    if how == "blocked":
        mei.put(f"/v1/me/blocks/{cup.director.player['id']}")
    elif how == "nobody":
        mei.patch("/v1/me", {"invitations": "nobody"})
    else:
        leave(world, None, mei, "suspend")
    assert_problem(name(cup, mei), "invalid-request", reason="takes_no_office", player=mei.player["id"])
    assert directors(cup) == ["DIRECTOR"]


def test_a_suspended_director_decides_nothing(world, cup, mei):
    leave(world, None, mei, "suspend")
    assert_problem(penalize(cup, cup.captains[0].team, 100, mei), "suspended")
    assert "penalty" not in [act["what"] for act in log(cup)["items"]]


def test_another_director_decides_about_the_team_of_one(world):
    cup = many(world, 3, boards=1)
    mei = world.player("Mei")
    name(cup, mei)
    own = cup.director.post(
        f"{cup.path}/teams",
        {"teams": [{"name": "Ours", "members": [{"player": cup.director.player["id"]}, *[{"level": "easy"}] * 3]}]},
    ).json["mine"]["team"]
    cup.begin(1)
    end(cup, 1)
    assert_problem(penalize(cup, own, 100), "own-team")
    assert penalize(cup, own, 100, mei).status_code == 200


def test_the_lead_is_offered_and_taken(world, cup, mei):
    wang = world.player("Wang")
    assert_problem(lead(cup, wang, cup.director), "not-found", what="player")
    assert lead(cup, mei, cup.director).status_code == 200
    assert directors(cup) == ["DIRECTOR", "Mei"]
    # Withdrawn, and offered again.
    lead(cup, cup.director, cup.director)
    assert_problem(lead(cup, mei, mei), "not-director")
    lead(cup, mei, cup.director)
    assert lead(cup, mei, mei).status_code == 200
    assert lead(cup, mei, mei).status_code == 200
    assert directors(cup) == ["MEI", "Director"]
    assert_problem(name(cup, wang), "not-director")
    assert name(cup, wang, mei).status_code == 200
    # It counts among the events of who leads it.
    for client, more in ((mei, MOST_DIRECTED - 1), (cup.director, MOST_DIRECTED)):
        answers = [client.post("/v1/team-events", SETUP) for _ in range(more + 1)]
        assert [each.status_code for each in answers[:-1]] == [201] * more
        assert_problem(answers[-1], "too-many-events")
    lead(cup, cup.director, mei)
    assert_problem(lead(cup, cup.director, cup.director), "too-many-events")
    assert directors(cup) == ["MEI", "Director", "Wang"]


def test_a_request_for_the_lead_that_comes_twice_at_once_counts_it_once(world, cup, mei, monkeypatch):
    lead(cup, mei, cup.director)
    teams, change = world.stores.boards.teams, world.stores.boards.teams.change

    def twice(event, changed, at):
        monkeypatch.setattr(teams, "change", change)
        assert lead(cup, mei, mei).status_code == 200
        return change(event, changed, at)

    monkeypatch.setattr(teams, "change", twice)
    assert lead(cup, mei, mei).status_code == 200
    assert directors(cup) == ["MEI", "Director"]
    assert teams.directed(mei.player["id"])[cup.id] > world.now


def test_an_event_counts_for_whoever_leads_it_once_its_maker_is_gone(world, cup, mei):
    cup.director.delete("/v1/me")
    assert directors(cup, mei) == ["MEI"]
    assert world.stores.boards.teams.directed(mei.player["id"])[cup.id] > world.now
    assert world.redis.pttl(f"sj:{{players}}:directs:{mei.player['id']}") > 0


def test_a_director_who_is_gone_leaves_no_trace_and_the_next_one_leads(world, cup, mei):
    wang = world.player("Wang")
    name(cup, wang)
    world.stores.boards.rename(wang.player["id"], "Wang Li")
    assert directors(cup) == ["DIRECTOR", "Mei", "Wang Li"]
    assert cup.id in wang.get("/v1/me/export").get_data(as_text=True)
    lead(cup, wang, cup.director)
    mei.delete("/v1/me")
    assert directors(cup) == ["DIRECTOR", "Wang Li"]
    acts = [(act["what"], act["player"]) for act in log(cup)["items"]]
    assert acts == [("director_named", wang.player["id"]), ("director_named", None)]
    cup.director.delete("/v1/me")
    lin = cup.captains[0]
    assert (lin.get(cup.path).json["status"], directors(cup, lin)) == ("entries", ["WANG LI"])
    progress = world.stores.boards.teams.progress(cup.id)
    assert not any(each.player["id"] in str(progress) for each in (mei, cup.director))
    wang.delete("/v1/me")
    assert cup.captains[0].get(cup.path).json["status"] == "over"


def test_directors_of_an_event_of_a_club_have_an_office_there(world):
    lin, mei, wang = (world.player(each) for each in ("Lin", "Mei", "Wang"))
    club = lin.post("/v1/clubs", {"name": "Lakeside", "listed": True}).json["club"]
    for each in (mei, wang):
        each.put(f"/v1/clubs/{club}/requests/me")
        lin.put(f"/v1/clubs/{club}/requests/{each.player['id']}/answer", {"accept": True})
    event = lin.post("/v1/team-events", {**SETUP, "club": club}).json["event"]
    path = f"/v1/team-events/{event}"
    named = lin.put(f"{path}/directors/{mei.player['id']}")
    assert_problem(named, "invalid-request", reason="no_office_in_club")
    lin.put(f"/v1/clubs/{club}/people/{mei.player['id']}", {"role": "director"})
    assert lin.put(f"{path}/directors/{mei.player['id']}").status_code == 200
    teams = [
        {"name": each.player["name"], "members": [{"player": each.player["id"]}, *[{"level": "easy"}] * 3]}
        for each in (lin, wang)
    ]
    lin.post(f"{path}/teams", {"teams": teams})
    wang.put(f"{path}/teams/{wang.get(path).json['mine']['team']}/confirmation")
    assert mei.post(f"{path}/rounds", {"round": 1}).status_code == 200
    # Also if the club could not tell the event.
    stored = world.stores.clubs.get(club)["members"]
    demoted = {**stored, mei.player["id"]: {**stored[mei.player["id"]], "role": "member"}}
    world.stores.clubs.change(club, lambda each: {**each, "members": demoted})
    assert_problem(mei.post(f"{path}/closing"), "not-director")
    world.stores.clubs.change(club, lambda each: {**each, "members": stored})
    lin.put(f"/v1/clubs/{club}/people/{mei.player['id']}", {"role": "member"})
    assert_problem(mei.post(f"{path}/closing"), "not-director")
    assert [each["name"] for each in lin.get(path).json["directors"]] == ["Lin"]


def test_whoever_led_an_event_of_a_club_and_has_lost_the_office_directs_it_no_more(world):
    lin, mei = world.player("Lin"), world.player("Mei")
    club = lin.post("/v1/clubs", {"name": "Lakeside", "listed": True}).json["club"]
    mei.put(f"/v1/clubs/{club}/requests/me")
    lin.put(f"/v1/clubs/{club}/requests/{mei.player['id']}/answer", {"accept": True})
    lin.put(f"/v1/clubs/{club}/people/{mei.player['id']}", {"role": "director"})
    event = lin.post("/v1/team-events", {**SETUP, "club": club}).json["event"]
    path = f"/v1/team-events/{event}"
    lin.put(f"{path}/directors/{mei.player['id']}")
    for by in (lin, mei):
        assert by.put(f"{path}/director", {"player": mei.player["id"]}).status_code == 200
    lin.put(f"/v1/clubs/{club}/people/{mei.player['id']}", {"role": "member"})
    assert [(each["name"], each["leads"]) for each in lin.get(path).json["directors"]] == [("Lin", True)]
    lin.delete("/v1/me")
    assert world.stores.boards.teams.progress(event)["director"] is None
