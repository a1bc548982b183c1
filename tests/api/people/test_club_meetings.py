"""Tables and team events of clubs: for members alone, for as long as they are members."""

import pytest

from service.clubs import meetings
from service.game.state.queries import seat_of
from service.tournaments import team_events
from tests.api.contract import assert_problem
from tests.api.people.test_clubs import Club

TABLE = {"ruleset": "sishifen", "players": 4, "options": {"deal_pace": "instant"}}
CUP = {"name": "Club Cup", "ruleset": "sishifen", "players": 4, "rounds": 1, "boards": 1}


@pytest.fixture
def club(world):
    return Club(world, "Mei", "Wei", listed=False)


def opens(club, by=None, **more):
    made = (by or club.members[0]).post("/v1/tables", {**TABLE, "club": club.id, **more})
    assert made.status_code == 201, made.json
    return made.json


def cup(club, by=None):
    made = (by or club.owner).post("/v1/team-events", {**CUP, "club": club.id})
    assert made.status_code == 201, made.json
    return f"/v1/team-events/{made.json['event']}"


def team(name, *clients):
    members = [{"player": client.player["id"]} for client in clients]
    return {"teams": [{"name": name, "members": [*members, *[{"level": "easy"}] * (4 - len(members))]}]}


def seats(client, table):
    return [seat["occupant"] and seat["occupant"]["name"] for seat in client.get(f"/v1/tables/{table}").json["seats"]]


def tables_of(club, by=None):
    return [each["table"] for each in (by or club.owner).get(f"{club.path}/tables").json["items"]]


def play(world, table, moment, host, *clients):
    """Seat clients from seat 0 on, and AI players on the other seats, as host; play until a moment."""
    path = f"/v1/tables/{table}"
    for seat, client in enumerate(clients):
        assert client.post(f"{path}/seats", {"seat": seat}).status_code == 200
    for seat in range(len(clients), 4):
        assert host.put(f"{path}/seats/{seat}/ai", {"level": "easy"}).status_code == 200
    if moment == "before the game":
        return
    for client in clients:
        assert client.put(f"{path}/seats/me/ready", {"ready": True}).status_code == 200
    assert world.services.tables.load(table)["status"] == "playing"
    if moment == "after the game":
        vote = clients[0].post(f"{path}/votes", {"kind": "abandon"}).json["view"]["vote"]
        for client in clients[1:]:
            client.put(f"{path}/votes/{vote['id']}", {"approve": True})
        assert world.services.tables.load(table)["status"] == "finished"


# --- tables -----------------------------------------------------------------------------------------------------------


def test_members_sit_down_and_watch_without_a_code_and_nobody_else_does_either(world, club):
    view, tao = opens(club, visibility="public", spectators="delayed"), world.player("Tao")
    assert (view["club"], view["settings"]["visibility"]) == (club.id, "private")
    assert not {"join_code", "watch_code"} & view.keys()
    path = f"/v1/tables/{view['id']}"
    assert tables_of(club) == [view["id"]]
    assert club.owner.get(path).status_code == 200
    assert club.owner.post(f"{path}/seats", {}).status_code == 200
    assert_problem(tao.get(path), "private-table")
    assert_problem(tao.post(f"{path}/seats", {}), "private-table")
    code = world.services.tables.load(view["id"])["settings"]["join_code"]
    assert_problem(tao.post(f"{path}/seats", {"join_code": code}), "private-table")
    assert view["id"] not in [each["table"] for each in tao.get("/v1/tables").json["items"]]
    assert_problem(tao.get(f"{club.path}/tables"), "not-found")
    assert_problem(tao.post("/v1/tables", {**TABLE, "club": club.id}), "not-found")


def test_its_host_cannot_open_a_table_of_a_club_to_others(world, club):
    view, mei = opens(club), club.members[0]
    path = f"/v1/tables/{view['id']}"
    etag = mei.get(path).headers["ETag"]
    changed = mei.patch(path, {"visibility": "public"}, headers={"If-Match": etag})
    assert changed.status_code == 200, changed.json
    assert mei.get(f"/v1/tables/{view['id']}").json["settings"]["visibility"] == "private"
    assert_problem(world.player().get(f"/v1/tables/{view['id']}"), "private-table")


@pytest.mark.parametrize("moment", ["before the game", "during a round", "after the game"])
@pytest.mark.parametrize("listed", [True, False])
def test_with_membership_ends_the_seat_at_a_table(world, club, moment, listed):
    mei, wei = club.members
    table = opens(club, by=wei, spectators="delayed")["id"]
    play(world, table, moment, wei, mei, wei)
    if not listed:
        # As with 50 newer ones, or after a week.
        world.stores.clubs.drop_tables(club.id, [table])
    club.remove(club.owner, mei)
    state = world.services.tables.load(table)
    assert seat_of(state, mei.player["id"]) is None
    occupant = state["seats"][0]["occupant"]
    assert occupant["kind"] == "ai" if moment == "during a round" else occupant is None
    assert seat_of(state, wei.player["id"]) == 1
    assert_problem(mei.post(f"/v1/tables/{table}/seats", {}), "private-table")
    assert_problem(mei.get(f"/v1/tables/{table}"), "private-table")
    # Nothing is left to end, and nothing goes wrong.
    club.remove(club.owner, mei)
    assert world.services.tables.load(table)["version"] == state["version"]


@pytest.mark.parametrize("moment", ["before the game", "during a round", "after the game"])
@pytest.mark.parametrize("listed", [True, False])
def test_with_membership_a_host_without_a_seat_loses_the_table_to_an_owner(world, club, moment, listed):
    mei, wei = club.members
    table = opens(club, by=mei, spectators="delayed")["id"]
    play(world, table, moment, mei, wei)
    if not listed:
        world.stores.clubs.drop_tables(club.id, [table])
    club.remove(mei, mei)
    assert world.services.tables.load(table)["host"] == club.owner.player["id"]
    assert_problem(mei.get(f"/v1/tables/{table}"), "private-table")
    assert_problem(mei.post(f"/v1/tables/{table}/seats", {}), "private-table")
    assert_problem(mei.delete(f"/v1/tables/{table}"), "not-host")


def test_whom_the_host_has_kicked_does_not_come_back(world, club):
    mei, wei = club.members
    path = f"/v1/tables/{opens(club, by=wei)['id']}"
    mei.post(f"{path}/seats", {"seat": 0})
    assert wei.delete(f"{path}/seats/0").status_code == 200
    assert_problem(mei.post(f"{path}/seats", {}), "private-table", reason="kicked")
    assert club.owner.post(f"{path}/seats", {}).status_code == 200


def test_tables_of_other_clubs_and_of_none_stay_as_they_are(world, club):
    mei, wei = club.members
    other = wei.post("/v1/clubs", {"name": "Hillside"}).json
    mei.post("/v1/me/clubs", {"code": other["code"]})
    theirs = mei.post("/v1/tables", {**TABLE, "club": other["club"]}).json["id"]
    nobodys = mei.post("/v1/tables", TABLE).json["id"]
    for table in (theirs, nobodys):
        assert mei.post(f"/v1/tables/{table}/seats", {"seat": 0}).status_code == 200
    club.remove(club.owner, mei)
    for table in (theirs, nobodys):
        state = world.services.tables.load(table)
        assert (state["host"], seat_of(state, mei.player["id"])) == (mei.player["id"], 0)


def test_a_table_whose_game_is_over_comes_back_to_the_list_with_the_next_game(world, club):
    mei, wei = club.members
    table = opens(club, by=wei)["id"]
    play(world, table, "after the game", wei, mei, wei)
    assert tables_of(club) == []
    for client in (mei, wei):
        client.put(f"/v1/tables/{table}/seats/me/ready", {"ready": True})
    assert world.services.tables.load(table)["status"] == "playing"
    assert tables_of(club) == [table]


def test_the_list_of_tables_drops_those_that_are_over(world, club):
    mei = club.members[0]
    kept, closed, gone = (opens(club)["id"] for _ in range(3))
    mei.delete(f"/v1/tables/{closed}")
    world.stores.tables.delete(gone)
    assert tables_of(club) == [kept]
    assert world.stores.clubs.tables_of(club.id) == [kept]


# --- team events ------------------------------------------------------------------------------------------------------


def test_only_owners_and_directors_make_an_event_and_members_are_told_once(world, club):
    mei, wei = club.members
    body = {**CUP, "club": club.id}
    assert_problem(mei.post("/v1/team-events", body), "club-role-needed")
    assert_problem(world.player().post("/v1/team-events", body), "not-found")
    club.give(mei, "director")
    headers = {"Idempotency-Key": "0123456789abcdef"}
    made = [mei.post("/v1/team-events", body, headers=headers).json["event"] for _ in range(2)]
    assert made[0] == made[1]
    for client in (club.owner, wei):
        notes = [note for note in client.get("/v1/me/export").json["events"] if note["type"] == "club_event"]
        assert [(note["data"]["event"], note["data"]["club_name"]) for note in notes] == [(made[0], "Lakeside")]


def test_members_alone_find_and_enter_an_event_of_their_club(world, club):
    mei, tao = club.members[0], world.player("Tao")
    path = cup(club)
    event = path.rpartition("/")[2]
    assert [each["event"] for each in mei.get(f"{club.path}/events").json["items"]] == [event]
    for client in (mei, tao):
        assert event not in [each["event"] for each in client.get("/v1/team-events").json["items"]]
    assert_problem(tao.get(f"{club.path}/events"), "not-found")
    # Who has the address reads it like any other, but not whose it is.
    read = tao.get(path)
    assert (read.json["members_only"], read.json["mine"]["club"]) == (True, None)
    assert club.id not in read.text
    refused = tao.post(f"{path}/teams", team("T", tao, mei))
    assert_problem(refused, "members-only")
    entered = mei.post(f"{path}/teams", team("M", mei))
    assert entered.json["mine"]["club"] == club.id


def test_releases_that_know_no_clubs_begin_no_round_of_its_event(world, club):
    # They would let anybody enter.
    path = cup(club)
    assert world.stores.boards.event(path.rpartition("/")[2])["teams"]["rounds"] == 0
    assert club.owner.get(path).json["rounds"] == CUP["rounds"]


@pytest.mark.parametrize("other", ["member", "stranger"])
def test_a_stranger_does_not_learn_who_belongs_to_the_club(world, club, other):
    tao = world.player("Tao")
    named = club.members[0] if other == "member" else world.player("Hua")
    refused = tao.post(f"{cup(club)}/teams", team("T", named, tao))
    assert refused.json["params"] == {"player": tao.player["id"]}


def test_strangers_do_not_come_in_by_a_team(world, club):
    mei, tao = club.members[0], world.player("Tao")
    path = cup(club)
    assert_problem(mei.post(f"{path}/teams", team("M", mei, tao)), "members-only")
    entry = mei.post(f"{path}/teams", team("M", mei)).json["entries"][0]
    body = team("M", mei, tao)["teams"][0]
    assert_problem(mei.put(f"{path}/teams/{entry['team']}", body), "members-only")
    assert_problem(club.owner.put(f"{path}/teams/{entry['team']}", body), "members-only")


def test_who_is_removed_before_agreeing_cannot_and_leaves_teams_that_have_not_begun(world, club):
    mei, wei = club.members
    path = cup(club)
    made = mei.post(f"{path}/teams", team("M", mei, wei)).json["entries"][0]
    club.remove(club.owner, wei)
    assert_problem(wei.put(f"{path}/teams/{made['team']}/confirmation"), "not-found")
    members = [each["player"] for each in mei.get(path).json["entries"][0]["members"]]
    assert members == [mei.player["id"], None, None, None]
    club.remove(mei, mei)
    assert club.owner.get(path).json["entries"] == []


def test_what_has_begun_goes_on_without_membership(world, club):
    mei, wei = club.members
    path = cup(club)
    for client in (mei, wei):
        client.post(f"{path}/teams", team(client.player["name"], client))
    assert club.owner.post(f"{path}/rounds", {"round": 1}).status_code == 200
    before = club.owner.get(path).json["entries"]
    club.remove(club.owner, mei)
    assert club.owner.get(path).json["entries"] == before
    assert mei.get(path).json["mine"]["team"] is not None


def test_a_membership_that_ended_unnoticed_ends_its_entry_when_the_round_begins(world, club):
    mei, wei = club.members
    path = cup(club)
    for client in (mei, wei):
        client.post(f"{path}/teams", team(client.player["name"], client))
    world.stores.clubs.change(
        club.id,
        lambda stored: {
            **stored,
            "members": {name: each for name, each in stored["members"].items() if name != mei.player["id"]},
        },
    )
    assert_problem(club.owner.post(f"{path}/rounds", {"round": 1}), "round-not-ready")
    assert [each["name"] for each in club.owner.get(path).json["entries"]] == ["Wei"]


def test_a_closed_club_ends_what_has_not_begun(world, club):
    mei = club.members[0]
    path, table = cup(club), opens(club)["id"]
    mei.post(f"{path}/teams", team("M", mei))
    mei.post(f"/v1/tables/{table}/seats", {})
    club.owner.delete(club.path)
    assert club.owner.get(path).json["entries"] == []
    assert all(seat["occupant"] is None for seat in world.services.tables.load(table)["seats"])
    assert_problem(mei.post(f"{path}/teams", team("M", mei)), "event-closed")


# --- who directs ------------------------------------------------------------------------------------------------------


@pytest.fixture
def directed(club):
    """The path of an event that a director of the club directs."""
    club.give(club.members[0], "director")
    return cup(club, by=club.members[0])


@pytest.mark.parametrize("end", ["removed", "gone", "demoted"])
@pytest.mark.parametrize("begun", [False, True])
def test_an_owner_directs_what_a_director_without_office_did(world, club, directed, end, begun):
    mei, wei = club.members
    for client in (club.owner, wei):
        client.post(f"{directed}/teams", team(client.player["name"], client))
    if begun:
        assert mei.post(f"{directed}/rounds", {"round": 1}).status_code == 200
    if end == "demoted":
        club.give(mei, "member")
    else:
        club.remove(club.owner if end == "removed" else mei, mei)
    assert len(club.owner.get(directed).json["entries"]) == 2
    assert_problem(mei.post(f"{directed}/rounds", {"round": 1}), "not-director")
    assert_problem(mei.post(f"{directed}/closing"), "not-director")
    assert club.owner.post(f"{directed}/rounds", {"round": 1}).status_code == 200
    assert club.owner.post(f"{directed}/closing").status_code == 200


def test_an_event_for_which_no_owner_has_room_is_closed_unless_it_has_begun(world, club, directed, monkeypatch):
    mei, wei = club.members
    begun = cup(club, by=mei)
    for client in (club.owner, wei):
        client.post(f"{begun}/teams", team(client.player["name"], client))
    assert mei.post(f"{begun}/rounds", {"round": 1}).status_code == 200
    monkeypatch.setattr(team_events, "MOST_DIRECTED", 0)
    club.remove(club.owner, mei)
    assert_problem(wei.post(f"{directed}/teams", team("W", wei)), "event-closed")
    assert mei.post(f"{begun}/closing").status_code == 200


@pytest.mark.parametrize("role", [None, "member"])
def test_a_director_whose_office_ended_unnoticed_begins_nothing_and_learns_nothing(world, club, directed, role):
    mei, wei = club.members
    name = mei.player["id"]

    def without_office(stored):
        members = {each: membership for each, membership in stored["members"].items() if each != name}
        return {**stored, "members": members | ({name: {"role": role, "since": 0}} if role else {})}

    world.stores.clubs.change(club.id, without_office)
    assert_problem(mei.post(f"{directed}/rounds", {"round": 1}), "not-director")
    for other in (wei, world.player("Hua")):
        refused = mei.post(f"{directed}/teams", team("T", other))
        if role is None:
            assert_problem(refused, "members-only", player=name)
        else:
            assert refused.status_code >= 400


def test_who_does_not_direct_an_event_ends_no_entry_by_beginning_its_round(world, club):
    mei, tao = club.members[0], world.player("Tao")
    path = cup(club)
    mei.post(f"{path}/teams", team("M", mei))
    name = mei.player["id"]
    world.stores.clubs.change(
        club.id,
        lambda stored: {**stored, "members": {each: kept for each, kept in stored["members"].items() if each != name}},
    )
    assert_problem(tao.post(f"{path}/rounds", {"round": 1}), "not-director")
    assert len(club.owner.get(path).json["entries"]) == 1


def test_releases_that_know_no_clubs_do_not_list_an_event(world, club):
    assert not world.stores.boards.event(cup(club).rpartition("/")[2])["teams"]["is_listed"]


def test_a_removal_again_ends_nothing(world, club):
    ended = []
    mei = club.members[0]
    world.services.clubs.on_end(lambda players, _: ended.extend(players), lambda *_: None)
    for _ in range(2):
        assert club.remove(club.owner, mei).status_code == 204
    assert ended == [mei.player["id"]]


def test_nobody_pushes_the_tables_of_others_off_the_list(world, club, monkeypatch):
    monkeypatch.setattr(meetings, "MOST_TABLES", 3)
    mei, wei = club.members

    def later(club, by):
        world.now += 1
        return opens(club, by)

    theirs = later(club, by=wei)["id"]
    own = [later(club, by=mei)["id"] for _ in range(4)]
    # The latest first: of the member with the most, the oldest have gone.
    assert tables_of(club) == [own[3], own[2], theirs]
    closed = later(club, by=wei)["id"]
    # Of equal ones it is the own.
    assert tables_of(club) == [closed, own[3], own[2]]
    wei.delete(f"/v1/tables/{closed}")
    last = later(club, by=wei)["id"]
    assert tables_of(club) == [last, own[3], own[2]]


def test_the_club_is_read_once_however_many_are_named(world, club, monkeypatch):
    path, reads = cup(club), []
    read = world.stores.clubs.get
    monkeypatch.setattr(world.stores.clubs, "get", lambda name: reads.append(name) or read(name))
    entries = [team(f"T{number}", club.owner, *club.members)["teams"][0] for number in range(1)]
    assert club.owner.post(f"{path}/teams", {"teams": entries}).status_code == 200
    # Whether the director has an office, and who belongs to the club.
    assert len(reads) == 2
