"""What operators do over HTTP: reports, suspensions, names, accounts and tables; and who is an operator."""

from urllib.parse import quote

import pytest
from structlog.testing import capture_logs

from service.moderation.moderation import HELD_MS
from service.store import keys
from service.store.moderation.reports import MOST_REPORTS, MOST_REPORTS_BY
from tests.api.contract import assert_problem
from tests.api.people.test_people import befriend, notes_of
from tests.api.people.test_rooms import Room
from tests.api.streams.test_account_stream import MyStream, opened
from tests.api.streams.test_events import Stream
from tests.api.tournaments.test_team_events import Cup

SECRET = "x" * 32
DAY = "2023-11-15T22:13:20.000Z"
BASE = "/v1/operator"


@pytest.fixture
def operator(world):
    world.start(operator_token=SECRET)
    return world.anybody.with_token(SECRET)


def suspend(operator, client, until=DAY, cause="chat", **more):
    path = f"{BASE}/players/{client.player['id']}/suspensions"
    return operator.post(path, {"until": until, "cause": cause, **more})


def deeds(operator):
    return [each["deed"] for each in operator.get(f"{BASE}/deeds").json["items"]]


# --- who is an operator -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [None, "wrong", "player"])
def test_nobody_but_an_operator_sees_or_does_anything(world, operator, token):
    lin = world.player()
    client = lin if token == "player" else world.anybody.with_token(token) if token else world.anybody
    for method, path, body in (
        ("get", "/reports", None),
        ("get", "/players?name=lin", None),
        ("delete", f"/players/{lin.player['id']}", None),
        ("post", f"/players/{lin.player['id']}/suspensions", {"nonsense": 1}),
        ("delete", "/tables/tb_1", None),
        ("get", "/deeds", None),
    ):
        arguments = (body,) if body is not None else ()
        assert_problem(getattr(client, method)(BASE + path, *arguments), "operators-only")
    assert lin.get("/v1/me").status_code == 200
    assert deeds(operator) == []


def test_without_an_operator_token_not_even_the_machine_itself_is_an_operator(world):
    assert_problem(world.anybody.get(f"{BASE}/reports"), "operators-only")
    assert world.anybody.get("/readyz").status_code in (200, 503)


# --- reports ----------------------------------------------------------------------------------------------------------


def test_a_report_includes_the_latest_chat_and_can_be_closed(world, operator):
    table = world.table(ready=False)
    lin, mallory = table.clients[:2]
    mallory.post(f"{table.path}/chat", {"text": "an hour ago"})
    world.now += 3_600_001
    lin.post(f"{table.path}/chat", {"text": "hello"})
    mallory.post(f"{table.path}/chat", {"text": "insult"})
    path = f"/v1/players/{mallory.player['id']}/reports"
    body = lin.post(path, {"reason": "chat", "table": table.id, "text": "Insults."}).json
    world.now += 1
    other = table.clients[2].post(path, {"reason": "other", "table": "tb_gone"}).json
    newest, oldest = operator.get(f"{BASE}/reports?status=open").json["items"]
    assert (newest["id"], newest["said"]) == (other["id"], [])
    assert oldest.items() >= body.items()
    assert [(each["player"], each["name"], each["text"]) for each in oldest["said"]] == [
        (lin.player["id"], "Bot 0", "hello"),
        (mallory.player["id"], "Bot 1", "insult"),
    ]
    closed = operator.patch(f"{BASE}/reports/{body['id']}", {"status": "closed"}).json
    assert closed["closed_at"] is not None
    page = operator.get(f"{BASE}/reports?status=closed&player={mallory.player['id']}").json
    assert [each["id"] for each in page["items"]] == [body["id"]]
    first = operator.get(f"{BASE}/reports?limit=1").json
    rest = operator.get(f"{BASE}/reports?limit=1&cursor={first['next_cursor']}").json
    assert [page["items"][0]["id"] for page in (first, rest)] == [other["id"], body["id"]]
    assert rest["next_cursor"] is None
    assert_problem(operator.patch(f"{BASE}/reports/rp_none", {"status": "closed"}), "not-found", what="report")
    assert operator.get(f"{BASE}/players/{mallory.player['id']}").json["reports"] == 2
    assert [each["id"] for each in lin.get("/v1/me/export").json["reports"]] == [body["id"]]


def test_number_and_size_of_kept_reports_are_bounded(world, operator):
    table = world.table(ready=False)
    for number in range(60):
        text = f"{number}" + "x" * 190
        world.tables.act(table.id, {"type": "chat", "player": table.host.player["id"], "name": "X", "text": text})
    table.clients[1].post(f"/v1/players/{table.host.player['id']}/reports", {"reason": "chat", "table": table.id})
    [report] = world.stores.moderation.reports()
    assert len(report["said"]) == 50
    size = world.redis.memory_usage("sj:{players}:report", samples=0)
    assert size <= 20_000
    for number in range(MOST_REPORTS + 5):
        world.stores.moderation.add_report({"id": f"rp_{number}", "at": world.now + number + 1})
    reports = world.stores.moderation.reports()
    assert (len(reports), reports[0]["id"], reports[-1]["id"]) == (MOST_REPORTS, f"rp_{MOST_REPORTS + 4}", "rp_5")
    assert world.redis.hlen("sj:{players}:report") == MOST_REPORTS


def report(client, other, reason="other", **more):
    answer = client.post(f"/v1/players/{other.player['id']}/reports", {"reason": reason, **more})
    assert answer.status_code == 200, answer.json
    return answer.json["id"]


def test_the_same_report_is_counted_keeps_what_was_said_and_opens_again(world, operator):
    table = world.table(ready=False)
    lin, mallory = table.clients[:2]
    mallory.post(f"{table.path}/chat", {"text": "insult"})
    first = report(lin, mallory, "chat", table=table.id, text="Insults.")
    operator.patch(f"{BASE}/reports/{first}", {"status": "closed"})
    assert report(lin, mallory, "chat") == first
    [items] = operator.get(f"{BASE}/reports?status=open").json["items"]
    assert (items["count"], items["text"], [each["text"] for each in items["said"]]) == (2, "Insults.", ["insult"])
    others = {report(lin, mallory, "stalling"), report(table.clients[2], mallory, "chat")}
    assert len(operator.get(f"{BASE}/reports").json["items"]) == 3
    assert first not in others


def test_no_number_of_reports_displaces_a_lone_one(world, operator, monkeypatch):
    lin, mallory = world.player("Lin"), world.player("Mallory")
    real = report(lin, mallory)
    # Accounts that report anybody for anything, directly in the store: over HTTP it is the same, but slower.
    for number in range(2 * MOST_REPORTS):
        by, player = f"pl_by{number % 400}", f"pl_about{number}" if number % 2 else mallory.player["id"]
        about = {"by": by, "player": player}
        world.stores.moderation.add_report({"id": f"rp_{number}", "at": world.now + number + 1, **about})
    reports = [each["id"] for each in world.stores.moderation.reports()]
    assert len(reports) == MOST_REPORTS
    assert real in reports
    for number in range(MOST_REPORTS_BY + 5):
        about = {"by": "pl_noisy", "player": f"pl_{number}"}
        world.stores.moderation.add_report(
            {"id": f"rp_noisy{number}", "at": world.now + 3 * MOST_REPORTS + number, **about}
        )
    noisy = [each["id"] for each in world.stores.moderation.reports() if each["by"] == "pl_noisy"]
    assert len(noisy) <= MOST_REPORTS_BY
    assert noisy[0] == f"rp_noisy{MOST_REPORTS_BY + 4}"
    assert real in [each["id"] for each in world.stores.moderation.reports()]
    for key in (keys.REPORTS, keys.REPORT_MARKS):
        assert world.redis.hlen(key) == MOST_REPORTS


def test_a_reporter_has_a_share_of_the_reports(world):
    for number in range(MOST_REPORTS_BY + 5):
        about = {"by": "pl_noisy", "player": f"pl_{number}"}
        world.stores.moderation.add_report({"id": f"rp_{number}", "at": world.now + number, **about})
    reports = [each["id"] for each in world.stores.moderation.reports()]
    assert (len(reports), reports[-1]) == (MOST_REPORTS_BY, "rp_5")


def test_reports_of_the_release_before_are_listed_and_are_lone_ones(world, operator):
    old = {"id": "rp_old", "at": world.now, "by": "pl_1", "player": "pl_2", "name": "Rude", "reason": "chat"}
    old |= {"table": None, "text": None, "said": [], "closed_at": None}
    world.stores.moderation.add_report(old)
    world.redis.delete(keys.REPORT_MARKS)
    for number in range(MOST_REPORTS):
        about = {"by": f"pl_by{number % 500}", "player": "pl_3"}
        world.stores.moderation.add_report({**old, "id": f"rp_{number}", "at": world.now + number + 1, **about})
    items = operator.get(f"{BASE}/reports?player=pl_2").json["items"]
    assert [(each["id"], each["event"], each["team"], each["count"]) for each in items] == [("rp_old", None, None, 1)]


# --- suspensions ------------------------------------------------------------------------------------------------------


def test_a_suspended_player_is_told_why_and_until_when(world, operator):
    mallory = world.player("Mallory")
    other = operator.get("/healthz")
    assert other.status_code == 200
    assert suspend(operator, mallory, note="Third time.").json["suspension"]["note"] == "Third time."
    problem = assert_problem(mallory.get("/v1/me/tables"), "suspended", until=DAY, cause="chat", note="Third time.")
    assert DAY in problem["detail"]
    assert "您的发言" in mallory.get("/v1/me/tables", headers={"Accept-Language": "zh-Hans"}).json["detail"]
    assert_problem(mallory.post("/v1/tables", {"ruleset": "shengji", "players": 4}), "suspended")
    assert mallory.get("/v1/me").json["name"] == "Mallory"
    assert mallory.get("/v1/me/export").status_code == 200
    world.now += 86_400_000
    assert mallory.get("/v1/me/tables").status_code == 200, "it ends by itself"


def test_a_suspension_ends_streams_and_leaves_seats_to_an_ai_player_until_lifted(world, operator):
    one, two = world.table(), world.table(seated=False)
    mallory = one.clients[1]
    two.clients[1] = mallory
    two.sit()
    two.get_ready()
    waiting = world.table(ready=False, seated=False)
    mallory.post(f"{waiting.path}/seats", {})
    versions = [table.state()["version"] for table in (one, two)]
    with (
        opened(mallory) as account,
        Stream(mallory, f"{one.path}/events?after={versions[0]}") as first,
        Stream(mallory, f"{two.path}/events?after={versions[1]}") as second,
    ):
        assert suspend(operator, mallory, cause="cheating").status_code == 200
        for stream in (account, first, second):
            assert last_reason(stream) == "suspended"
    assert notes_of(world, mallory)[-1][0] == "suspended"
    assert_problem(mallory.get("/v1/me/events", headers={"Accept": "text/event-stream"}), "suspended")
    for table in (one, two):
        state = table.state()
        assert (state["status"], state["seats"][1]["autopilot"]) == ("playing", "easy")
    assert waiting.state()["seats"][0]["occupant"] is None
    assert operator.delete(f"{BASE}/players/{mallory.player['id']}/suspensions").json["suspension"] is None
    for table in (one, two):
        assert mallory.post(f"{table.path}/seats/me/resume").status_code == 200
        assert table.state()["seats"][1]["autopilot"] is None
    assert deeds(operator) == ["lift", "suspend"]


def last_reason(stream):
    name, _, data = stream.next()
    while name != "end":
        name, _, data = stream.next()
    return data["reason"]


def test_a_suspension_in_another_process_ends_streams_too(world, operator):
    mallory = world.player("Mallory")
    with MyStream(mallory) as stream:
        stream.snapshot()
        moderation = world.app.extensions["services"].moderation
        moderation.suspend(mallory.player["id"], world.now + 1000, "stalling", None)
        assert last_reason(stream) == "suspended"


def test_a_suspended_player_has_no_ticket_of_quick_play(world, operator):
    mallory = world.player("Mallory")
    mallory.post("/v1/me/ticket", {"ruleset": "shengji", "players": 4})
    suspend(operator, mallory)
    assert world.redis.keys("sj:{quick}:*") == []


@pytest.mark.parametrize("body", [{"until": "2020-01-01T00:00:00Z", "cause": "chat"}, {"until": DAY, "cause": "hair"}])
def test_a_suspension_in_the_past_or_with_an_unknown_cause_is_refused(world, operator, body):
    mallory = world.player()
    path = f"{BASE}/players/{mallory.player['id']}/suspensions"
    assert_problem(operator.post(path, body), "invalid-request")
    assert mallory.get("/v1/me/tables").status_code == 200
    assert_problem(operator.post(f"{BASE}/players/pl_none/suspensions", {"until": DAY, "cause": "chat"}), "not-found")


# --- names, accounts, tables ------------------------------------------------------------------------------------------


def test_players_are_found_by_name_renamed_and_erased(world, operator):
    mallory = world.player("Rude Mallory")
    for typed in ("mallory", "ＭＡＬＬＯＲＹ", "rude\u3000mallory", " Rude  "):
        [items] = operator.get(f"{BASE}/players?name={quote(typed)}").json["items"]
    assert (items["id"], items["suspension"]) == (mallory.player["id"], None)
    with capture_logs() as logs:
        assert operator.patch(f"{BASE}/players/{items['id']}", {"name": "Player 7"}).json["name"] == "Player 7"
    assert {"deed": "rename", "about": items["id"], "before": "Rude Mallory"}.items() <= logs[0].items()
    assert mallory.get("/v1/me").json["name"] == "Player 7"
    assert_problem(operator.patch(f"{BASE}/players/{items['id']}", {"name": "AI 1"}), "invalid-request")
    table = mallory.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    mallory.post(f"/v1/tables/{table}/seats", {})
    assert operator.get(f"{BASE}/players/{items['id']}").json["tables"] == [table]
    assert operator.delete(f"{BASE}/players/{items['id']}").status_code == 204
    assert_problem(operator.delete(f"{BASE}/players/{items['id']}"), "not-found")
    assert_problem(operator.get(f"{BASE}/players/{items['id']}"), "not-found")
    assert_problem(mallory.get("/v1/me"), "unauthorized")
    assert world.tables.load(table)["seats"][0]["occupant"] is None
    assert deeds(operator) == ["erase", "rename"]


def test_a_player_whom_an_operator_has_renamed_cannot_rename_back(world, operator):
    mallory = world.player("Rude Mallory")
    path = f"{BASE}/players/{mallory.player['id']}"
    assert operator.get(path).json["name_held_until"] is None
    until = operator.patch(path, {"name": "Player 7"}).json["name_held_until"]
    for name in ("Rude Mallory", "Rude Ma11ory", "Lin"):
        assert_problem(mallory.patch("/v1/me", {"name": name}), "name-held", until=until)
    assert mallory.patch("/v1/me", {"name": "Player 7", "locale": "zh-Hans"}).status_code == 200
    assert operator.patch(path, {"name": "Player 8"}).json["name"] == "Player 8"
    world.now += HELD_MS
    assert mallory.patch("/v1/me", {"name": "Mallory"}).json["name"] == "Mallory"


def test_a_new_name_from_an_operator_replaces_the_old_one_in_events(world, operator):
    cup = Cup(world)
    mallory = cup.team("Rude Mallory")
    world.conduct()
    event = world.anybody.with_token(mallory.token).get("/v1/events").json["items"][0]["event"]
    mallory.post(f"/v1/events/{event}/entries")
    operator.patch(f"{BASE}/players/{mallory.player['id']}", {"name": "Player 7"})
    assert cup.body()["entries"][0]["members"][0]["name"] == "Player 7"
    assert world.stores.boards.entry(event, mallory.player["id"])["name"] == "Player 7"
    assert world.stores.boards.entry(cup.id, mallory.player["id"])["name"] == "Player 7"


# --- events and teams -------------------------------------------------------------------------------------------------


def test_events_and_teams_are_reported(world, operator):
    cup, lin = Cup(world, name="Rude Cup"), world.player()
    mallory = cup.team("Rude Team")
    about_event = lin.post(f"{cup.path}/reports", {"text": "Insults."}).json
    about_team = lin.post(f"{cup.path}/reports", {"reason": "other", "team": mallory.team}).json
    director = cup.director.player["id"]
    assert (about_event["event"], about_event["team"], about_event["name"]) == (cup.id, None, "Rude Cup")
    assert (about_event["player"], about_event["reason"]) == (director, "display_name")
    assert (about_team["event"], about_team["team"], about_team["name"]) == (cup.id, mallory.team, "Rude Team")
    assert about_team["player"] == mallory.player["id"]
    listed = operator.get(f"{BASE}/reports").json["items"]
    assert {each["id"] for each in listed} == {about_event["id"], about_team["id"]}
    assert len(lin.get("/v1/me/export").json["reports"]) == 2
    assert_problem(lin.post(f"{cup.path}/reports", {"team": "tm_none"}), "not-found", what="team")
    assert_problem(lin.post("/v1/team-events/ev_none/reports", {}), "not-found", what="event")


def test_an_operator_renames_events_and_teams_for_good(world, operator):
    cup = Cup(world, name="Rude Cup")
    mallory = cup.team("Rude Team")
    where = f"{BASE}/team-events/{cup.id}"
    assert operator.patch(where, {"name": "Cup 7"}).status_code == 204
    assert operator.patch(f"{where}/teams/{mallory.team}", {"name": "Team 7"}).status_code == 204
    team_event = cup.body()
    assert (team_event["name"], team_event["entries"][0]["name"]) == ("Cup 7", "Team 7")
    assert world.redis.pttl(keys.event(cup.id)) > 0
    members = [{"player": mallory.player["id"]}, *[{"level": "hard"}] * 3]
    for client in (mallory, cup.director):
        again = {"name": "Rude Team", "members": members}
        assert_problem(client.put(f"{cup.path}/teams/{mallory.team}", again), "name-held")
    changed = mallory.put(f"{cup.path}/teams/{mallory.team}", {"name": "Team 7", "members": members})
    assert changed.json["entries"][0]["members"][1]["level"] == "hard"
    assert deeds(operator) == ["rename_team", "rename_event"]
    for path in ("", f"/teams/{mallory.team}"):
        assert_problem(world.player().patch(where + path, {"name": "Mine"}), "operators-only")
        assert_problem(operator.patch(f"{BASE}/team-events/ev_none{path}", {"name": "A"}), "not-found", what="event")


def test_an_operator_removes_teams_and_events_with_their_tables(world, operator):
    cup = Cup(world, teams=3, boards=1)
    where = f"{BASE}/team-events/{cup.id}"
    assert operator.delete(f"{where}/teams/{cup.captains[2].team}").status_code == 204
    assert len(cup.body()["entries"]) == 2
    assert_problem(operator.delete(f"{where}/teams/{cup.captains[2].team}"), "not-found", what="team")
    cup.begin()
    table = cup.body(cup.captains[0])["mine"]["table"]
    assert operator.delete(where).status_code == 204
    assert world.tables.load(table)["settings"]["closed"]
    assert_problem(cup.director.get(cup.path), "not-found", what="event")
    assert cup.director.get("/v1/team-events").json["items"] == []
    assert world.redis.keys(f"*{cup.id}*") == []
    assert deeds(operator) == ["remove_event", "remove_team"]
    assert_problem(operator.delete(where), "not-found", what="event")


def test_the_name_of_a_room_is_reported_by_those_who_belong_to_it_alone(world, operator):
    room = Room(world, "Mei")
    [mei] = room.members
    made = mei.post(f"{room.path}/reports", {"text": "Insults."}).json
    assert (made["room"], made["name"], made["reason"]) == (room.id, "Friday", "display_name")
    assert (made["player"], made["event"]) == (room.host.player["id"], None)
    [listed] = operator.get(f"{BASE}/reports").json["items"]
    assert (listed["id"], listed["room"]) == (made["id"], room.id)
    assert [each["room"] for each in mei.get("/v1/me/export").json["reports"]] == [room.id]
    assert_problem(world.player("Tao").post(f"{room.path}/reports", {}), "not-found", what="room")


def test_an_operator_renames_a_room_whose_host_cannot_rename_it_back(world, operator):
    room = Room(world, "Mei")
    where = f"{BASE}/rooms/{room.id}"
    assert operator.patch(where, {"name": "Room 7"}).status_code == 204
    assert room.members[0].get(room.path).json["name"] == "Room 7"
    assert_problem(room.host.patch(room.path, {"name": "Friday"}), "name-held")
    rules = {"ruleset": "sishifen", "players": 4}
    assert room.host.patch(room.path, {"name": "Room 7", "rules": rules}).json["rules"]["ruleset"] == "sishifen"
    world.now += HELD_MS + 1
    assert room.host.patch(room.path, {"name": "Friday"}).json["name"] == "Friday"
    assert deeds(operator) == ["rename_room"]
    assert_problem(room.host.patch(where, {"name": "Mine"}), "operators-only")
    assert_problem(operator.patch(f"{BASE}/rooms/rm_none", {"name": "A"}), "not-found", what="room")


def test_an_operator_can_close_a_table_during_a_game(world, operator):
    table = world.table()
    assert operator.delete(f"{BASE}/tables/{table.id}").status_code == 204
    view = table.view()
    assert (view["status"], view["closed"]) == ("finished", {"reason": "operator"})
    assert view["game"]["ended"] == "abandoned"
    assert_problem(operator.delete(f"{BASE}/tables/tb_none"), "not-found", what="table")
    assert deeds(operator) == ["close_table"]


def test_deeds_are_listed_in_pages(world, operator):
    mallory = world.player()
    for number in range(3):
        operator.patch(f"{BASE}/players/{mallory.player['id']}", {"name": f"N{number}"})
    first = operator.get(f"{BASE}/deeds?limit=2").json
    rest = operator.get(f"{BASE}/deeds?limit=2&cursor={first['next_cursor']}").json
    assert [each["details"]["name"] for page in (first, rest) for each in page["items"]] == ["N2", "N1", "N0"]
    assert rest["next_cursor"] is None


def test_a_suspended_player_is_asked_for_nothing_and_counts_as_away(world, operator):
    lin, mallory = world.player("Lin"), world.player("Mallory")
    befriend(lin, mallory)
    befriend(mallory, lin)
    mallory.patch("/v1/me", {"accepts": {"concurrent": 1}})
    lin.patch("/v1/me", {"accepts": {"concurrent": 1}})
    world.stores.people.note_here([lin.player["id"], mallory.player["id"]], world.now)
    game = {"ruleset": "shengji", "players": 4}
    challenge = mallory.post(f"/v1/players/{lin.player['id']}/challenges", game).json["challenge"]
    suspend(operator, mallory)
    before = notes_of(world, mallory)
    assert before[-1][0] == "suspended"
    table = lin.post("/v1/tables", game).json["id"]
    lin.post(f"/v1/tables/{table}/invitations", {"player": mallory.player["id"]})
    cup = Cup(world)
    cup.team("Dragons", {"player": mallory.player["id"]})
    assert_problem(lin.post(f"/v1/players/{mallory.player['id']}/challenges", game), "not-accepted", what="away")
    assert_problem(lin.put(f"/v1/challenges/{challenge}/answer", {"accept": True}), "challenge-over", state="withdrawn")
    assert_problem(lin.post("/v1/me/ticket", {**game, "with": [mallory.player["id"]]}), "party-busy")
    assert mallory.player["id"] not in {each["player"] for each in lin.get("/v1/bots").json["items"]}
    assert notes_of(world, mallory) == before


def test_an_erased_challenger_has_withdrawn_their_challenges(world, lin):
    mallory = world.player("Mallory")
    lin.patch("/v1/me", {"accepts": {"concurrent": 1}})
    world.stores.people.note_here([lin.player["id"]], world.now)
    challenge = mallory.post(f"/v1/players/{lin.player['id']}/challenges", {"ruleset": "shengji", "players": 4})
    mallory.delete("/v1/me")
    answer = lin.put(f"/v1/challenges/{challenge.json['challenge']}/answer", {"accept": True})
    assert_problem(answer, "challenge-over", state="withdrawn")
