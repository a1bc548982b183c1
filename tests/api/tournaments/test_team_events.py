"""Team events: entries, rounds at two tables, what a director may do, and scores."""

import csv
import io

import pytest

from service.api.http.documents import LatestDocuments
from service.tournaments.match_tables import seated
from service.tournaments.team_events import CHECK_MS
from service.tournaments.teams import HOUSE, MOST_TEAMS
from tests.api.contract import assert_problem
from tools import recount
from workers import ai

MINUTE = 60_000
SETUP = {"name": "Spring Cup", "ruleset": "sishifen", "players": 4, "rounds": 2, "boards": 2, "ai_pace_ms": 0}


def at_random(view, seed, _level="random"):
    """Decide like the random AI player, which is the fastest, whatever level is asked for."""
    return ai.choose(view, seed, "random")


class Cup:
    """A team event, its director, and the captains of its teams."""

    def __init__(self, world, teams=0, **setup):
        self.world = world
        self.director = world.player("Director")
        team_event = self.director.post("/v1/team-events", {**SETUP, **setup})
        assert team_event.status_code == 201, team_event.json
        self.id = team_event.json["event"]
        self.path = f"/v1/team-events/{self.id}"
        self.captains = [self.team(f"Team {number}") for number in range(teams)]

    def team(self, name, *others, size=4):
        """Enter a team of a captain, others, and AI players for the remaining places."""
        captain = self.world.player(name)
        members = [{"player": captain.player["id"]}, *others, *[{"level": "easy"}] * 3][:size]
        answer = captain.post(f"{self.path}/teams", {"teams": [{"name": name, "members": members}]})
        assert answer.status_code == 200, answer.json
        captain.team = answer.json["mine"]["team"]
        return captain

    def begin(self, number=1):
        answer = self.director.post(f"{self.path}/rounds", {"round": number})
        assert answer.status_code == 200, answer.json
        self.world.conduct()
        return self.body()

    def body(self, client=None):
        """The event, after the clock's process has done what is due."""
        self.world.conduct()
        return (client or self.director).get(self.path).json

    def table_of(self, client):
        events = self.world.app.extensions["services"].team_events
        return events.table_of(events.event(self.id), client.player["id"])

    def play_all(self):
        """Play until no captain has a table any more."""
        while tables := {self.table_of(client) for client in self.captains} - {None}:
            for table in tables:
                self.play(table)
            self.advance_others()

    def play(self, table, absent=None):
        """Play a board to its end, people at random; `absent` does not answer."""
        tables, decision = self.world.tables, None
        while decision is None or tables.load(table)["status"] == "playing":
            self.world.now += 1_000
            self.advance(table)
            decision = tables.load(table)["decision"]
            if decision is None:
                break
            while decision is not None and (person := self.asked_person(table, decision, absent)) is not None:
                player, view = person
                command = {"player": player, "decision_id": decision["id"], **at_random(*view)}
                decision = tables.act(table, command).state["decision"]
        self.advance(table)
        assert tables.load(table)["game"]["kept"]

    def asked_person(self, table, decision, absent):
        """A person whose decision it is, with view and seed; None if only AI players are asked."""
        state = self.world.tables.state_since(table, 0)
        for seat in decision["seats"]:
            player = state["seats"][seat]["occupant"]["player"]
            is_there = player is not None and player != absent
            view = self.world.tables.question_of(table, seat, decision["id"]) if is_there else None
            if view is not None:
                return player, view
        return None

    def advance(self, table):
        self.world.tables.advance(table, None, at_random)

    def advance_others(self):
        """Do what workers do at tables of AI players alone."""
        due = True
        while due:
            self.world.now += 1_000
            due = [each.table for each in self.world.stores.tables.lease_due(self.world.now, 0, 100)]
            due = [table for table in due if not self.people(table)]
            for table in due:
                self.advance(table)

    def people(self, table):
        occupants = (seat["occupant"] for seat in self.world.tables.load(table)["seats"])
        return [occupant["player"] for occupant in occupants if occupant["player"] is not None]


@pytest.fixture
def cup(world):
    return Cup(world, teams=4)


@pytest.fixture
def friends(world):
    """A team event of four teams with one person in each room, so that each record names a member of each team."""
    cup = Cup(world)
    for number in range(4):
        friend = world.player(f"Friend {number}")
        captain = cup.team(f"Team {number}", {"level": "easy"}, {"player": friend.player["id"]})
        assert not cup.body()["entries"][number]["complete"]
        assert friend.put(f"{cup.path}/teams/{captain.team}/confirmation").json["mine"]["confirmed"]
        cup.captains += [captain, friend]
    return cup


def play_swiss(cup):
    """Play two rounds, in which nobody meets anybody twice."""
    met = []
    for number in (1, 2):
        team_event = cup.begin(number)
        assert team_event == cup.begin(number), "a retry does no harm"
        [*_, entry] = team_event["played"]
        assert (entry["round"], entry["status"], len(entry["matches"])) == (number, "open", 2)
        met += [frozenset(match["teams"]) for match in entry["matches"]]
        cup.play_all()
        assert cup.body()["played"][-1]["status"] == "over"
    assert len(set(met)) == 4


def test_standings_of_a_swiss_event_follow_from_its_records(friends):
    cup = friends
    play_swiss(cup)
    team_event = cup.director.get(f"{cup.path}/standings").json
    assert team_event["rounds"] == 2
    teams = {member["player"]: team["team"] for team in cup.body()["entries"] for member in team["members"]}
    exported = cup.director.get(f"{cup.path}/results").json
    games = [room["game"] for match in exported["matches"] for board in match["boards"] for room in board["rooms"]]
    assert len(set(games)) == 16
    records = [cup.director.get(f"/v1/games/{game}/record").json for game in games]
    counted = recount.standings(records, teams, boards=2)
    assert {row["team"]: (row["victory_points"], row["steps"]) for row in team_event["items"]} == counted
    assert [row["rank"] for row in team_event["items"]] == sorted(row["rank"] for row in team_event["items"])
    assert exported["standings"] == team_event["items"]
    assert sum(row["victory_points"] for row in team_event["items"]) == pytest.approx(80)
    seeds = {board["number"]: board["server_seed"] for match in exported["matches"] for board in match["boards"]}
    dealt = [(record["rounds"][0]["shuffle"]["server_seed"]) for record in records]
    assert sorted(dealt) == sorted(list(seeds.values()) * 4), "everybody has played the same cards"
    text = cup.director.get(f"{cup.path}/results", headers={"Accept": "text/csv"}).text
    lines = [*csv.DictReader(io.StringIO(text[1:]))]
    assert len(lines) == 8
    assert sum(int(line["steps"]) for line in lines if line["match"] == "1-1") == int(lines[0]["match_steps"])


def test_with_an_odd_number_of_teams_each_meets_the_ai_players_at_most_once(world):
    cup = Cup(world, teams=3, boards=1)
    opponents = []
    for number in (1, 2):
        matches = cup.begin(number)["played"][-1]["matches"]
        opponents += [team for match in matches if HOUSE in match["teams"] for team in match["teams"]]
        cup.director.patch(f"{cup.path}/rounds/{number}", {"closes_at": "2023-01-01T00:00:00Z"})
    assert len(opponents) == 4
    assert len(set(opponents)) == 3
    house = next(team for team in cup.body()["entries"] if team["house"])
    assert (house["team"], house["complete"], cup.body()["teams"]) == (HOUSE, True, 3)


def test_players_are_told_once_that_a_round_begins_and_where_they_sit(world):
    cup = Cup(world, teams=2, boards=2)
    lin = cup.captains[0]
    begun = lambda: [  # noqa: E731
        note.data for note in world.stores.inbox.after(lin.player["id"], 0, 9) if note.type == "round_begins"
    ]
    cup.begin()
    table = cup.body(lin)["mine"]["table"]
    [told] = begun()
    assert told == {
        "event_round": f"{cup.id}_1",
        "event": cup.id,
        "event_name": cup.body()["name"],
        "round": 1,
        "match": "1-1",
        "place": "1A",
        "table": table,
        "ruleset": "sishifen",
    }
    cup.play(table)
    assert cup.body(lin)["mine"]["table"] != table
    assert begun() == [told], "the next board is no round"


def test_players_find_their_table_and_the_next_board_begins_by_itself(world):
    cup = Cup(world, teams=2, boards=2)
    assert cup.body(cup.captains[0])["mine"]["table"] is None
    cup.begin()
    tables = {cup.body(client)["mine"]["table"] for client in cup.captains}
    [table] = tables
    lin = cup.captains[0]
    assert [row["table"] for row in lin.get("/v1/me/tables").json["items"]] == [table]
    assert [
        note.data["table"] for note in world.stores.inbox.after(lin.player["id"], 0, 9) if note.type == "seated"
    ] == [table]
    view = lin.get(f"/v1/tables/{table}").json
    assert view["status"] == "playing"
    assert [seat["occupant"]["kind"] for seat in view["seats"]] == ["bot", "bot", "ai", "ai"]
    cup.play(table)
    [following, first] = [row["table"] for row in lin.get("/v1/me/tables").json["items"]]
    assert first == table
    assert cup.body(lin)["mine"]["table"] == following
    world.stores.tables.delete(following)
    assert cup.body(lin)["mine"]["table"] is None
    world.now += CHECK_MS
    assert cup.body(lin)["mine"]["table"] == following, "a clock opens what was lost"


def test_boards_are_sealed_until_their_round_is_over(world):
    cup = Cup(world, teams=2, boards=1)
    cup.begin()
    lin, mei, stranger = *cup.captains, world.player()
    table = cup.body(lin)["mine"]["table"]
    cup.play(table)
    game = world.tables.load(table)["game"]["id"]
    assert world.tables.log(table)[-1]["type"] == "game_kept"
    secrets = [world.stores.boards.event(cup.id)["key"], world.stores.boards.event(cup.id)["boards"][0]["seeds"][0]]
    for client in (lin, mei, stranger, cup.director):
        for path in (f"/v1/games/{game}/record", f"{cup.path}/matches/1-1", f"/v1/games/{game}/rounds/1"):
            assert_problem(client.get(path), "not-finished")
        page_text = [client.get(path).get_data(as_text=True) for path in (cup.path, f"{cup.path}/results")]
        assert not any(secret in text for secret in secrets for text in page_text)
        assert client.get(f"{cup.path}/standings").json["rounds"] == 0
    assert_problem(lin.get(f"/v1/events/{cup.id}"), "not-found", what="event")
    cup.advance_others()
    match = stranger.get(f"{cup.path}/matches/1-1").json
    assert match["boards"][0]["server_seed"] == secrets[1]
    assert stranger.get(f"/v1/games/{game}/record").json["rounds"][0]["shuffle"]["server_seed"] == secrets[1]


def test_a_round_ends_on_time_and_whoever_held_a_board_up_loses_it(world):
    cup = Cup(world, teams=2, boards=2, round_ms=MINUTE * 60)
    cup.begin()
    cup.advance_others()
    table = cup.body(cup.captains[0])["mine"]["table"]
    cup.director.patch(f"{cup.path}/rounds/1", {"closes_at": "2024-01-01T00:00:00Z"})
    [entry] = cup.body()["played"]
    assert entry["closes_at"] == "2024-01-01T00:00:00.000Z"
    cup.play(table)
    # As if the process had died before it stored the result, which is then found at the table.
    event = world.stores.boards.event(cup.id)
    assert world.stores.boards.results_of(cup.id, "1a", 4).keys() == {1}
    world.redis.delete(f"sj:{{event:{cup.id}}}:board:1")
    world.now = world.stores.boards.teams.progress(cup.id)["rounds"][0]["closes_at"]
    world.conduct()
    match = cup.director.get(f"{cup.path}/matches/1-1").json
    assert [board["counted"] for board in match["boards"]] == ["played", "adjusted"]
    assert [room is None for room in match["boards"][1]["rooms"]] == [True, False]
    assert (abs(match["boards"][1]["steps"]), match["boards"][1]["points"]) == (12, None)
    late = cup.body(cup.captains[0])["mine"]["table"]
    assert late is None
    standings = cup.director.get(f"{cup.path}/standings").json["items"]
    assert {row["matches"][0]["adjusted"] for row in standings} == {1}
    assert event["boards"][1]["seeds"][0] in cup.director.get(f"{cup.path}/results").get_data(as_text=True)


def test_a_board_with_a_seat_left_to_an_ai_player_is_lost(world):
    cup = Cup(world, teams=2, boards=1)
    cup.begin()
    lin = cup.captains[0]
    table = cup.body(lin)["mine"]["table"]
    lin.delete(f"/v1/tables/{table}/seats/me")
    cup.play(table, absent=lin.player["id"])
    cup.advance_others()
    standings = cup.director.get(f"{cup.path}/standings").json["items"]
    assert {row["team"]: row["steps"] for row in standings} == {lin.team: -12, cup.captains[1].team: 12}
    [board] = cup.director.get(f"{cup.path}/matches/1-1").json["boards"]
    assert (board["counted"], [room["value"] is None for room in board["rooms"]]) == ("adjusted", [True, False])


def test_a_director_can_rule_on_a_board_and_withdraw_the_ruling(world):
    cup = Cup(world, teams=2, boards=1)
    cup.begin()
    where = f"{cup.path}/matches/1-1/boards/1/ruling"
    assert cup.director.put(where, {"steps": 6, "reason": "Wrong seats"}).status_code == 200
    cup.director.post(f"{cup.path}/closing")
    [board] = cup.director.get(f"{cup.path}/matches/1-1").json["boards"]
    assert (board["steps"], board["counted"], board["reason"]) == (6, "director", "Wrong seats")
    assert_problem(cup.director.delete(where), "event-closed")
    other = Cup(world, teams=2, boards=1)
    other.begin()
    where = f"{other.path}/matches/1-1/boards/1/ruling"
    other.director.put(where, {"steps": 6, "reason": "Wrong seats"})
    assert other.director.delete(where).status_code == 200
    other.director.patch(f"{other.path}/rounds/1", {"closes_at": "2023-01-01T00:00:00Z"})
    [board] = other.director.get(f"{other.path}/matches/1-1").json["boards"]
    assert (board["steps"], board["counted"], board["reason"]) == (0, "adjusted", None)


def test_a_team_that_withdraws_loses_unplayed_boards_and_is_not_paired_again(world):
    cup = Cup(world, teams=3, boards=1)
    gone = cup.captains[0]
    cup.begin()
    assert gone.delete(f"{cup.path}/teams/{gone.team}").json["mine"]["team"] == gone.team
    cup.director.patch(f"{cup.path}/rounds/1", {"closes_at": "2023-01-01T00:00:00Z"})
    rows = {row["team"]: row for row in cup.director.get(f"{cup.path}/standings").json["items"]}
    assert (rows[gone.team]["steps"], rows[gone.team]["withdrawn"]) == (-12, True)
    [match] = cup.begin(2)["played"][-1]["matches"]
    assert sorted(match["teams"]) == sorted(client.team for client in cup.captains[1:])


def close(cup, number):
    """End a round now."""
    answer = cup.director.patch(f"{cup.path}/rounds/{number}", {"closes_at": "2023-01-01T00:00:00Z"})
    assert answer.status_code == 200, answer.json


def rows_of(cup):
    """Matches of each team in the standings."""
    items = cup.director.get(f"{cup.path}/standings").json["items"]
    return {row["team"]: row["matches"] for row in items}


@pytest.mark.parametrize("by", ["captain", "director", "operator"])
def test_a_team_that_withdraws_changes_nothing_in_rounds_that_are_over(world, by):
    cup = Cup(world, teams=4, boards=1, rounds=4)
    gone = cup.captains[0]
    for number in (1, 2):
        cup.begin(number)
        close(cup, number)
    before = rows_of(cup)
    assert {match["victory_points"] for matches in before.values() for match in matches} == {10}
    if by == "operator":
        services = world.app.extensions["services"]
        services.overseer.remove_team(cup.id, gone.team)
    else:
        (gone if by == "captain" else cup.director).delete(f"{cup.path}/teams/{gone.team}")
    assert rows_of(cup) == before
    [match] = [each for each in cup.body()["played"][0]["matches"] if gone.team in each["teams"]]
    body = cup.director.get(f"{cup.path}/matches/{match['match']}").json
    assert body["victory_points"] == [10, 10]


def test_a_team_that_withdraws_in_a_round_keeps_having_lost_it_when_it_comes_back(world):
    cup = Cup(world, teams=4, boards=1, rounds=4)
    gone, path = cup.captains[0], f"{cup.path}/teams"
    entry = {"name": "Team 0", "members": [{"player": gone.player["id"]}] + [{"level": "easy"}] * 3}
    cup.begin(1)
    gone.delete(f"{path}/{gone.team}")
    gone.delete(f"{path}/{gone.team}")
    close(cup, 1)
    lost = rows_of(cup)
    assert [match["steps"] for match in lost[gone.team]] == [-12]
    assert_problem(cup.captains[1].post(path, {"teams": [{**entry, "name": "New"}]}), "invalid-request")
    for number, back in enumerate(
        [
            lambda: gone.post(path, {"teams": [entry]}),
            lambda: cup.director.post(path, {"teams": [entry]}),
            lambda: cup.director.put(f"{path}/{gone.team}", {**entry, "name": "Back again"}),
        ],
        2,
    ):
        answer = back()
        assert answer.status_code == 200, answer.json
        [team] = [each for each in answer.json["entries"] if each["team"] == gone.team]
        assert not team["withdrawn"]
        assert rows_of(cup)[gone.team][0] == lost[gone.team][0]
        assert gone.team in {team for match in cup.begin(number)["played"][-1]["matches"] for team in match["teams"]}
        close(cup, number)
        gone.delete(f"{path}/{gone.team}")
    assert [match["steps"] for match in rows_of(cup)[gone.team]] == [-12, 0, 0, 0]


def test_only_captain_and_director_bring_a_team_back_and_only_free_members(world):
    cup = Cup(world, rounds=3, boards=1)
    mate = world.player("Mate")
    gone = cup.team("Gone", {"player": mate.player["id"]})
    mate.put(f"{cup.path}/teams/{gone.team}/confirmation")
    cup.captains = [cup.team(f"Team {number}") for number in range(3)]
    members = [{"player": gone.player["id"]}, {"player": mate.player["id"]}, {"level": "easy"}, {"level": "easy"}]
    entry = {"teams": [{"name": "Gone", "members": members}]}
    cup.begin(1)
    close(cup, 1)
    gone.delete(f"{cup.path}/teams/{gone.team}")
    assert_problem(mate.post(f"{cup.path}/teams", entry), "entries-closed")
    other = cup.captains[0]
    others = [{"player": other.player["id"]}, {"player": mate.player["id"]}, {"level": "easy"}, {"level": "easy"}]
    assert_problem(
        cup.director.put(f"{cup.path}/teams/{other.team}", {"name": "Team 0", "members": others})
        and gone.post(f"{cup.path}/teams", {"teams": [{"name": "Third", "members": members}]}),
        "in-another-team",
    )


def test_a_withdrawal_of_which_no_time_is_known_counts_in_the_last_round_of_the_team(world):
    cup = Cup(world, teams=2, boards=1, rounds=3)
    gone = cup.captains[0]
    for number in (1, 2):
        cup.begin(number)
        close(cup, number)
    services = world.app.extensions["services"]

    def as_before(play):
        teams = {name: {**team, "is_withdrawn": name == gone.team} for name, team in play["teams"].items()}
        return {**play, "teams": teams}

    world.stores.boards.teams.change(cup.id, as_before, 0)
    assert [match["steps"] for match in rows_of(cup)[gone.team]] == [0, -12]
    assert services.team_events.event(cup.id).progress["teams"][gone.team]["is_withdrawn"]


def test_a_director_enters_teams_of_a_club_at_once_and_changes_them(world):
    cup = Cup(world)
    players = [world.player(f"Member {number}") for number in range(8)]
    ids = [{"player": each.player["id"]} for each in players]
    entries = {"teams": [{"name": "One", "members": ids[:4]}, {"name": "Two", "members": ids[4:]}]}
    body = cup.director.post(f"{cup.path}/teams", entries).json
    assert [team["name"] for team in body["entries"]] == ["One", "Two"]
    assert cup.director.post(f"{cup.path}/teams", entries).json["entries"] == body["entries"], "a retry enters nobody"
    assert_problem(cup.director.post(f"{cup.path}/rounds", {"round": 1}), "round-not-ready", reason="team_incomplete")
    one, two = (team["team"] for team in body["entries"])
    assert [team["captain"] for team in body["entries"]] == [players[0].player["id"], players[4].player["id"]]
    for client, team in zip(players, [one] * 4 + [two] * 4, strict=True):
        assert client.put(f"{cup.path}/teams/{team}/confirmation").status_code == 200
    cup.begin()
    assert {len(cup.people(cup.body(client)["mine"]["table"])) for client in players} == {4}
    changed = {"name": "Two", "members": [*ids[4:7], {"level": "normal"}]}
    assert_problem(players[4].put(f"{cup.path}/teams/{two}", changed), "entries-closed")
    body = cup.director.put(f"{cup.path}/teams/{two}", changed).json
    assert [member["confirmed"] for member in body["entries"][1]["members"]] == [True] * 4
    assert cup.body(players[7])["mine"]["team"] is None
    players[5].delete("/v1/me")
    gone = cup.body()["entries"][1]
    assert (gone["members"][1]["name"], gone["members"][1]["player"], gone["complete"]) == ("", None, False)


def test_members_are_told_once_who_has_entered_them_if_they_accept_invitations(world):
    cup = Cup(world)
    lin, mei, tao, ann = (world.player(name) for name in ("Lin", "Mei", "Tao", "Ann"))
    tao.patch("/v1/me", {"invitations": "friends"})
    ann.put(f"/v1/me/blocks/{lin.player['id']}")
    entry = {"name": "Dragons", "members": [{"player": each.player["id"]} for each in (lin, mei, tao, ann)]}
    for _ in range(2):
        [team] = lin.post(f"{cup.path}/teams", {"teams": [entry]}).json["entries"]
    notices = [
        [note.data for note in world.stores.inbox.after(each.player["id"], 0, 9)] for each in (lin, mei, tao, ann)
    ]
    wanted = {
        "team": team["team"],
        "team_name": "Dragons",
        "event": cup.id,
        "event_name": SETUP["name"],
        "player": lin.player["id"],
        "name": "Lin",
    }
    assert notices == [[], [wanted], [], []]
    [event] = [each for each in mei.get("/v1/me/events?after=0").json["events"] if each["type"] == "team_entered"]
    assert event["data"] == wanted
    cup.director.put(f"{cup.path}/teams/{team['team']}", entry)
    notes = world.stores.inbox.after(tao.player["id"], 0, 9) + world.stores.inbox.after(ann.player["id"], 0, 9)
    assert notes == [], "neither who takes invitations of friends alone, nor who has blocked a member"


def enter(client, cup, name, *members):
    named = [{"player": each.player["id"]} for each in members]
    entry = {"name": name, "members": [*named, *[{"level": "easy"}] * 3][:4]}
    return client.post(f"{cup.path}/teams", {"teams": [entry]})


def team_named(cup, name):
    return next(team["team"] for team in cup.body()["entries"] if team["name"] == name)


def test_a_team_counts_once_its_members_have_agreed(world):
    cup = Cup(world, teams=2)
    lin, junk = world.player("Lin"), world.player("Junk")
    assert enter(junk, cup, "Junk", junk, lin, *cup.captains).json["code"] == "in-another-team", "who have agreed"
    assert enter(junk, cup, "Junk", junk, lin).status_code == 200
    # Whom somebody names is free to enter a team, and the round begins without the team that waits.
    assert enter(lin, cup, "Dragons", lin).status_code == 200
    assert cup.body(lin)["mine"] == {
        "directs": False,
        "club": None,
        "team": team_named(cup, "Dragons"),
        "confirmed": True,
        "fixture": None,
        "table": None,
    }
    assert_problem(lin.put(f"{cup.path}/teams/{team_named(cup, 'Junk')}/confirmation"), "in-another-team")
    [entry] = cup.begin()["played"]
    paired = {team for match in entry["matches"] for team in match["teams"]}
    assert paired == {team_named(cup, name) for name in ("Team 0", "Team 1", "Dragons")} | {HOUSE}
    cup.director.patch(f"{cup.path}/rounds/1", {"closes_at": "2023-01-01T00:00:00Z"})
    ranked = {row["name"] for row in cup.director.get(f"{cup.path}/standings").json["items"]}
    assert ranked == {"Team 0", "Team 1", "Dragons", "AI"}


def test_a_team_that_is_completed_later_plays_from_the_next_round_on(world):
    cup = Cup(world, teams=2, boards=1)
    late, mate = world.player("Late"), world.player("Mate")
    enter(late, cup, "Late", late, mate)
    cup.begin()
    cup.director.patch(f"{cup.path}/rounds/1", {"closes_at": "2023-01-01T00:00:00Z"})
    team = team_named(cup, "Late")
    assert mate.put(f"{cup.path}/teams/{team}/confirmation").status_code == 200
    assert team in {each for match in cup.begin(2)["played"][-1]["matches"] for each in match["teams"]}


def test_teams_that_wait_do_not_use_up_the_places_of_others(world):
    cup = Cup(world)
    absent = world.player("Absent")
    progress = world.stores.boards.teams.progress(cup.id)
    member = {"player": None, "name": "AI", "kind": "ai", "level": "easy", "is_confirmed": True}
    waiting = {**member, "player": absent.player["id"], "name": "Absent", "level": None, "is_confirmed": False}
    junk = {"captain": None, "members": [waiting] + [member] * 3, "is_withdrawn": False, "is_house": False}
    many = {f"tm_{number}": {**junk, "name": f"Junk {number}"} for number in range(MOST_TEAMS)}
    world.stores.boards.teams.change(cup.id, lambda before: {**before, "teams": many}, world.now)
    assert progress["teams"] == {}
    lin = world.player("Lin")
    assert enter(lin, cup, "Dragons", lin).status_code == 200
    assert_problem(enter(world.player(), cup, "More", lin, absent), "invalid-request")
    mei = world.player("Mei")
    assert_problem(enter(mei, cup, "More", mei, absent), "too-many-teams", limit=MOST_TEAMS)


@pytest.mark.parametrize("does_block", ["captain", "member"])
def test_with_a_block_nobody_joins_a_team_and_it_looks_as_if_they_had_been_taken_out(world, does_block):
    cup = Cup(world)
    lin, mei = world.player("Lin"), world.player("Mei")
    enter(lin, cup, "Dragons", lin, mei)
    one, other = (lin, mei) if does_block == "captain" else (mei, lin)
    one.put(f"/v1/me/blocks/{other.player['id']}")
    path = f"{cup.path}/teams/{team_named(cup, 'Dragons')}/confirmation"
    assert_problem(mei.put(path), "not-found", what="team")
    assert_problem(mei.put(path), "not-found", what="team")
    assert cup.body(mei)["mine"]["team"] is None
    [team] = cup.body()["entries"]
    assert [member["player"] for member in team["members"]] == [lin.player["id"], None, None, None]


def test_teams_with_a_block_between_them_meet_only_if_it_cannot_be_avoided(world):
    cup = Cup(world, teams=4, rounds=3, boards=1)
    cup.captains[0].put(f"/v1/me/blocks/{cup.captains[1].player['id']}")
    apart, met = {cup.captains[0].team, cup.captains[1].team}, []
    for number in (1, 2, 3):
        met += [set(match["teams"]) for match in cup.begin(number)["played"][-1]["matches"]]
        cup.director.patch(f"{cup.path}/rounds/{number}", {"closes_at": "2023-01-01T00:00:00Z"})
    assert apart not in met[:4]


def test_suspended_members_are_seated_by_nobody_and_told_of_nothing(world):
    cup = Cup(world, teams=2, boards=1)
    gone = cup.captains[0]
    services = world.app.extensions["services"]
    services.moderation.suspend(gone.player["id"], world.now + 86_400_000, "chat", None)
    before = world.stores.inbox.after(gone.player["id"], 0, 99)
    cup.begin()
    table = cup.table_of(gone)
    seat = next(seat for seat in world.tables.load(table)["seats"] if seat["occupant"]["player"] == gone.player["id"])
    assert seat["autopilot"] is not None
    assert world.stores.inbox.after(gone.player["id"], 0, 99) == before
    services.moderation.lift(gone.player["id"])
    world.start()
    gone = world.anybody.with_token(gone.token)
    assert gone.post(f"/v1/tables/{table}/seats/me/resume").status_code == 200


def test_the_list_shows_three_events_of_a_director_and_goes_on(world):
    flood = [world.player("Flood"), world.player("Flood 2")]
    first = Cup(world, name="First")
    events_of = {each.player["id"]: [] for each in flood}
    for number in range(20):
        client = flood[number % 2]
        world.now += 1
        events_of[client.player["id"]].append(
            client.post("/v1/team-events", {**SETUP, "name": f"F{number}"}).json["event"]
        )
    lin = world.player("Lin")
    names = [each["name"] for each in lin.get("/v1/team-events").json["items"]]
    assert sorted(names) == sorted(["First", *(f"F{number}" for number in range(14, 20))])
    assert len(flood[0].get("/v1/team-events").json["items"]) == 14, "one's own are all there"
    pages, cursor = [], ""
    while cursor is not None:
        page = lin.get(f"/v1/team-events?limit=3{cursor and '&cursor=' + cursor}").json
        pages += [each["name"] for each in page["items"]]
        cursor = page["next_cursor"]
    assert sorted(pages) == sorted(names)
    assert first.body()["name"] == "First"


def test_an_event_whose_director_is_erased_ends_and_is_no_longer_listed(world):
    cup, other = Cup(world, teams=2, boards=1), Cup(world)
    cup.begin()
    assert cup.director.delete("/v1/me").status_code == 204
    assert other.director.delete("/v1/me").status_code == 204
    lin = world.player()
    assert lin.get("/v1/team-events").json["items"] == []
    assert lin.get(other.path).json["status"] == "over"
    captain = cup.captains[0]
    assert [each["event"] for each in captain.get("/v1/team-events").json["items"]] == [cup.id]
    assert captain.get(cup.path).json["status"] == "playing", "the round goes on"
    world.now += 3_600_000
    assert captain.get(cup.path).json["status"] == "over"


def test_members_can_leave_a_team_until_the_first_round_begins(world):
    cup = Cup(world, teams=1)
    mei = world.player("Mei")
    lin = cup.team("Dragons", {"player": mei.player["id"]}, {"level": "easy"}, {"level": "easy"})
    place = f"{cup.path}/teams/{lin.team}/confirmation"
    assert_problem(cup.captains[0].delete(place), "not-found", what="team")
    assert mei.delete(place).json["mine"]["team"] is None
    [team] = [each for each in cup.body()["entries"] if each["team"] == lin.team]
    assert (team["complete"], team["captain"], team["members"][1]["name"]) == (False, lin.player["id"], "")
    # The captain enters her again; she stays when the captain leaves.
    again = {
        "name": "Dragons",
        "members": [{"player": each.player["id"]} for each in (lin, mei)] + [{"level": "easy"}] * 2,
    }
    assert lin.put(f"{cup.path}/teams/{lin.team}", again).status_code == 200
    assert lin.delete(place).json["mine"]["team"] is None
    team_event = cup.body(mei)
    assert next(each["captain"] for each in team_event["entries"] if each["team"] == lin.team) == mei.player["id"]
    assert [each["name"] for each in mei.delete(place).json["entries"]] == ["Team 0"], "without people it is gone"
    cup.captains.append(cup.team("Tigers", *[{"level": "easy"}] * 3))
    cup.begin()
    late = cup.captains[0]
    assert_problem(late.delete(f"{cup.path}/teams/{late.team}/confirmation"), "entries-closed", event=cup.id)


def test_invalid_entries_and_steps_are_refused_with_the_reason(world):
    cup = Cup(world, teams=2, boards=1)
    lin, mei, tao = *cup.captains, world.player("Tao")
    teams, members = f"{cup.path}/teams", [{"player": tao.player["id"]}, *[{"level": "easy"}] * 3]
    for client, wrong, reason in (
        (tao, [{"player": lin.player["id"]}, *members[1:]], "not_ones_own_team"),
        (tao, [*members[:3], {}], "player_or_level"),
        (tao, [*members, members[1]], "team_size"),
        (cup.director, [members[1]] * 4, "team_of_ai"),
    ):
        answer = client.post(teams, {"teams": [{"name": "Tao", "members": wrong}]})
        assert_problem(answer, "invalid-request", reason=reason)
    with_lin = [*members[:1], {"player": lin.player["id"]}, *members[2:]]
    refused = tao.post(teams, {"teams": [{"name": "Tao", "members": with_lin}]})
    assert_problem(refused, "in-another-team", player=lin.player["id"], team=lin.team)
    assert_problem(tao.post(f"{cup.path}/rounds", {"round": 1}), "not-director")
    assert_problem(tao.put(f"{teams}/{lin.team}/confirmation"), "not-found", what="team")
    assert_problem(tao.delete(f"{teams}/{lin.team}"), "not-director")
    other = Cup(world)
    for path, body in (("rounds", {"round": 1}), ("closing", None)):
        assert_problem(other.director.post(f"{cup.path}/{path}", body), "not-director", event=cup.id)
    assert_problem(other.director.post(f"{other.path}/rounds", {"round": 1}), "round-not-ready", reason="too_few_teams")
    assert_problem(cup.director.post(f"{cup.path}/rounds", {"round": 2}), "round-not-ready", reason="not_its_turn")
    cup.begin()
    assert_problem(cup.director.post(f"{cup.path}/rounds", {"round": 2}), "round-not-ready", reason="round_open")
    assert_problem(mei.get(f"{cup.path}/matches/1-1"), "not-finished", what="round")
    for match in ("1-2", "2-1", "x"):
        assert_problem(mei.get(f"{cup.path}/matches/{match}"), "not-found")
    ruling = {"steps": 1, "reason": "?"}
    assert_problem(cup.director.put(f"{cup.path}/matches/1-1/boards/2/ruling", ruling), "not-found", what="board")
    closed = {"closes_at": "2023-01-01T00:00:00Z"}
    assert cup.director.patch(f"{cup.path}/rounds/1", closed).json["played"][0]["status"] == "over"
    assert_problem(cup.director.patch(f"{cup.path}/rounds/1", closed), "round-closed", round=1)
    assert cup.director.post(f"{cup.path}/closing").json["status"] == "over"
    assert cup.director.post(f"{cup.path}/closing").status_code == 200
    assert_problem(lin.put(f"{teams}/{lin.team}/confirmation"), "event-closed")


def test_an_event_is_created_once_and_only_with_games_for_teams(world):
    lin = world.player()
    refused = lin.post("/v1/team-events", {**SETUP, "ruleset": "zhaopengyou", "players": 6})
    assert refused.status_code == 400
    assert "arms_length" in str(refused.json["errors"])
    for wrong in ({"players": 6}, {"options": {"kitty_size": 55}}, {"options": {"nonsense": 1}}, {"rounds": 16}):
        assert lin.post("/v1/team-events", {**SETUP, **wrong}).status_code in (400, 422), wrong
    key = {"Idempotency-Key": "1f6c2a10-6f0e-4f3c-9a55-3b9d5f0c7a52"}
    events = [lin.post("/v1/team-events", SETUP, headers=key).json["event"] for _ in range(2)]
    assert events[0] == events[1]
    assert [each["event"] for each in lin.get("/v1/team-events").json["items"]] == events[:1]
    hidden = lin.post("/v1/team-events", {**SETUP, "listed": False}).json["event"]
    listed = [each["event"] for each in world.player().get("/v1/team-events").json["items"]]
    assert listed == events[:1]
    own = lin.get("/v1/team-events").json["items"]
    assert {each["event"]: each["mine"]["directs"] for each in own} == {hidden: True, events[0]: True}
    for _ in range(8):
        lin.post("/v1/team-events", SETUP)
    assert_problem(lin.post("/v1/team-events", SETUP), "too-many-events", limit=10)
    lin.post(f"/v1/team-events/{hidden}/closing")
    assert lin.post("/v1/team-events", SETUP).status_code == 201
    assert [event["event"] for event in lin.get("/v1/events").json["items"] if event["event"] in events] == []


def test_teams_can_play_arms_length(world):
    cup = Cup(world, teams=2, ruleset="arms_length", boards=1, rounds=1)
    cup.begin()
    cup.play_all()
    [board] = cup.director.get(f"{cup.path}/matches/1-1").json["boards"]
    assert (board["counted"], board["level"]) == ("played", None)
    assert board["points"] == board["rooms"][0]["value"] - board["rooms"][1]["value"]


def test_in_each_room_three_of_six_members_form_a_side(world):
    cup = Cup(world, ruleset="shengji_six", players=6, boards=1, rounds=1)
    for name in ("A", "B"):
        members = [world.player(f"{name}{number}") for number in range(6)]
        entry = {"name": name, "members": [{"player": member.player["id"]} for member in members]}
        body = members[0].post(f"{cup.path}/teams", {"teams": [entry]}).json
        for member in members:
            member.put(f"{cup.path}/teams/{body['mine']['team']}/confirmation")
    body = cup.begin()
    names = [body["entries"][0]["name"], body["entries"][1]["name"]]
    if body["played"][0]["matches"][0]["teams"][0] != body["entries"][0]["team"]:
        names.reverse()
    event, progress = world.stores.boards.event(cup.id), world.stores.boards.teams.progress(cup.id)
    rooms = [
        [who["name"] for who in seated(event, progress, progress["rounds"][0]["pairs"][0], which)] for which in (0, 1)
    ]
    first, second = names
    assert rooms[0] == [f"{name}{number}" for number in (0, 1, 2) for name in (first, second)]
    assert rooms[1] == [f"{name}{number}" for number in (3, 4, 5) for name in (second, first)]


def test_names_are_escaped_as_text_for_spreadsheets(world):
    cup = Cup(world, boards=1)
    cup.captains = [cup.team("=1+1"), cup.team("Two")]
    cup.begin()
    cup.director.post(f"{cup.path}/closing")
    text = cup.director.get(f"{cup.path}/results", headers={"Accept": "text/csv"}).get_data(as_text=True)
    assert text.startswith("\ufeffround,"), "Excel reads it as UTF-8"
    assert "'=1+1" in text
    assert ",=1+1" not in text


def test_the_number_of_teams_of_an_event_is_limited(world):
    cup = Cup(world)
    players = [world.player().player["id"] for _ in range(MOST_TEAMS + 1)]
    entries = [
        {"name": f"Team {number}", "members": [{"player": player}, *[{"level": "easy"}] * 3]}
        for number, player in enumerate(players)
    ]
    body = cup.director.post(f"{cup.path}/teams", {"teams": entries[:MOST_TEAMS]}).json
    assert body["teams"] == MOST_TEAMS
    refused = cup.director.post(f"{cup.path}/teams", {"teams": entries[MOST_TEAMS:]})
    assert_problem(refused, "too-many-teams", limit=MOST_TEAMS)
    assert cup.body()["teams"] == MOST_TEAMS


def test_standings_are_sent_again_only_when_they_have_changed(world):
    cup = Cup(world, teams=2, boards=1)
    cup.begin()
    cup.play_all()
    path, captain = f"{cup.path}/standings", cup.captains[0]
    first = captain.get(path)
    tag = {"If-None-Match": first.headers["ETag"]}
    assert (first.json["rounds"], first.headers["Cache-Control"]) == (1, "private, no-cache")
    assert captain.get(path, headers=tag).status_code == 304
    packed = captain.get(path, headers={**tag, "Accept-Encoding": "gzip"})
    assert (packed.status_code, packed.data) == (304, b"")
    # Another process makes the same answer.
    world.start()
    other = world.anybody.with_token(captain.token)
    assert other.get(path, headers=tag).status_code == 304
    assert cup.director.put(f"{cup.path}/matches/1-1/ruling", {"steps": 5, "reason": "Wrong seats"}).status_code == 200
    for client in (captain, other):
        changed = client.get(path, headers=tag)
        assert (changed.status_code, changed.json["items"] == first.json["items"]) == (200, False)
    captain.patch("/v1/me", {"name": "Renamed"})
    board = {"name": "Other", "members": [{"player": captain.player["id"]}, *[{"level": "easy"}] * 3]}
    assert cup.director.put(f"{cup.path}/teams/{captain.team}", board).status_code == 200
    names = [row["name"] for row in other.get(path, headers={"If-None-Match": changed.headers["ETag"]}).json["items"]]
    assert "Other" in names


def test_a_process_remembers_the_standings_that_were_asked_for_last():
    known, made = LatestDocuments(2), []

    def ask(name, version):
        known.of(name, version, lambda: made.append((name, version)) or b"{}")

    for name, version in (("a", 1), ("a", 1), ("b", 1), ("a", 1), ("c", 1), ("a", 1), ("b", 1), ("b", 2)):
        ask(name, version)
    assert made == [("a", 1), ("b", 1), ("c", 1), ("b", 1), ("b", 2)]
