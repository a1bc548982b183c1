"""What operators do over HTTP: reports, suspensions, names, accounts and tables; and who is an operator."""

import pytest
from structlog.testing import capture_logs

from service.store.players.moderation import MOST_REPORTS
from tests.api.contract import assert_problem
from tests.api.test_account_stream import MyStream, opened
from tests.api.test_events import Stream
from tests.api.test_people import told

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
    made = lin.post(path, {"reason": "chat", "table": table.id, "text": "Insults."}).json
    world.now += 1
    other = table.clients[2].post(path, {"reason": "other", "table": "tb_gone"}).json
    newest, oldest = operator.get(f"{BASE}/reports?status=open").json["items"]
    assert (newest["id"], newest["said"]) == (other["id"], [])
    assert oldest.items() >= made.items()
    assert [(each["player"], each["name"], each["text"]) for each in oldest["said"]] == [
        (lin.player["id"], "Bot 0", "hello"),
        (mallory.player["id"], "Bot 1", "insult"),
    ]
    closed = operator.patch(f"{BASE}/reports/{made['id']}", {"status": "closed"}).json
    assert closed["closed_at"] is not None
    page = operator.get(f"{BASE}/reports?status=closed&player={mallory.player['id']}").json
    assert [each["id"] for each in page["items"]] == [made["id"]]
    first = operator.get(f"{BASE}/reports?limit=1").json
    rest = operator.get(f"{BASE}/reports?limit=1&cursor={first['next_cursor']}").json
    assert [page["items"][0]["id"] for page in (first, rest)] == [other["id"], made["id"]]
    assert rest["next_cursor"] is None
    assert_problem(operator.patch(f"{BASE}/reports/rp_none", {"status": "closed"}), "not-found", what="report")
    assert operator.get(f"{BASE}/players/{mallory.player['id']}").json["reports"] == 2
    assert [each["id"] for each in lin.get("/v1/me/export").json["reports"]] == [made["id"]]


def test_number_and_size_of_kept_reports_are_bounded(world, operator):
    table = world.table(ready=False)
    for number in range(60):
        text = f"{number}" + "x" * 190
        world.tables.act(table.id, {"type": "chat", "player": table.host.player["id"], "name": "X", "text": text})
    table.clients[1].post(f"/v1/players/{table.host.player['id']}/reports", {"reason": "chat", "table": table.id})
    [report] = world.moderation.reports()
    assert len(report["said"]) == 50
    size = world.redis.memory_usage("sj:{players}:report", samples=0)
    assert size <= 20_000
    for number in range(MOST_REPORTS + 5):
        world.moderation.add_report({"id": f"rp_{number}", "at": world.now + number + 1})
    kept = world.moderation.reports()
    assert (len(kept), kept[0]["id"], kept[-1]["id"]) == (MOST_REPORTS, f"rp_{MOST_REPORTS + 4}", "rp_5")
    assert world.redis.hlen("sj:{players}:report") == MOST_REPORTS


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
    assert told(world, mallory)[-1][0] == "suspended"
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
    [found] = operator.get(f"{BASE}/players?name=mallory").json["items"]
    assert (found["id"], found["suspension"]) == (mallory.player["id"], None)
    with capture_logs() as logs:
        assert operator.patch(f"{BASE}/players/{found['id']}", {"name": "Player 7"}).json["name"] == "Player 7"
    assert {"deed": "rename", "about": found["id"], "before": "Rude Mallory"}.items() <= logs[0].items()
    assert mallory.get("/v1/me").json["name"] == "Player 7"
    assert_problem(operator.patch(f"{BASE}/players/{found['id']}", {"name": "AI 1"}), "invalid-request")
    table = mallory.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    mallory.post(f"/v1/tables/{table}/seats", {})
    assert operator.get(f"{BASE}/players/{found['id']}").json["tables"] == [table]
    assert operator.delete(f"{BASE}/players/{found['id']}").status_code == 204
    assert_problem(operator.delete(f"{BASE}/players/{found['id']}"), "not-found")
    assert_problem(operator.get(f"{BASE}/players/{found['id']}"), "not-found")
    assert_problem(mallory.get("/v1/me"), "unauthorized")
    assert world.tables.load(table)["seats"][0]["occupant"] is None
    assert deeds(operator) == ["erase", "rename"]


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
