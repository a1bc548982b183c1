"""Finding tables: join codes, watch codes, running games in the lobby, filters."""

import json
from urllib.parse import quote

import pytest

from service.common.settings import Budget
from tests.api.contract import assert_problem

PRIVATE = {"visibility": "private"}
WATCHED = {**PRIVATE, "spectators": "delayed", "spectator_delay_ms": 30_000}


def lobby(client, query=""):
    return [item["table"] for item in client.get(f"/v1/tables{query}").json["items"]]


# --- join codes --------------------------------------------------------------------------------------------------


def test_a_join_code_leads_to_its_table_before_anybody_sits_down(world, anybody):
    table = world.table(**PRIVATE, ready=False, seated=False)
    table.host.post(f"{table.path}/seats", {"seat": 2})
    code = table.view()["join_code"]
    for written in (code, code.lower()):
        body = anybody.get(f"/v1/join-codes/{written}").json
        assert (body["table"], body["grants"], body["status"]) == (table.id, "seat", "lobby")
        assert (body["names"], body["free"], body["bots"]) == (["Bot 0"], 3, 1)
        assert body["options"] == {"deal_pace": "instant"}
    assert code not in json.dumps(body)
    mei = world.player("Mei")
    assert mei.post(f"/v1/tables/{body['table']}/seats", {"join_code": code}).status_code == 200


#: How people write a code of eight signs.
WRITTEN = {
    "wide": lambda code: "".join(chr(ord(each) + 0xFEE0) for each in code),
    "wide and small": lambda code: "".join(chr(ord(each) + 0xFEE0) for each in code.lower()),
    "in groups": lambda code: f" {code[:4]} {code[4:]} ",
    "with a wide blank": lambda code: f"{code[:4]}\u3000{code[4:]}",
    "with a hyphen": lambda code: f"{code[:4]}-{code[4:]}",
    "with a dash": lambda code: f"{code[:4]}\u2014{code[4:]}",
    "with the long mark of a Japanese keyboard": lambda code: f"{code[:4]}\u30fc{code[4:]}",
    "with an invisible blank": lambda code: f"\u200b{code}\ufeff",
    "as it was sent": lambda code: f"房间号：{code}。",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_codes_of_tables_are_read_as_people_type_them(world, anybody, written):
    table = world.table(**WATCHED, seated=False)
    join, watch = (WRITTEN[written](table.view()[name]) for name in ("join_code", "watch_code"))
    for code in (join, watch):
        assert anybody.get(f"/v1/join-codes/{quote(code)}").json["table"] == table.id
    assert world.player("Mei").put(f"{table.path}/watchers/me", {"watch_code": watch}).status_code == 200
    assert world.player("Tom").post(f"{table.path}/seats", {"join_code": join}).status_code == 200


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("K7PQ2M9", {"reason": "code_length", "length": 7, "expected": 8}),
        ("！！", {"reason": "code_length", "length": 0, "expected": 8}),
        ("K7PQ2MO0", {"reason": "code_letters", "letters": "0, O"}),
        ("K7PQ2M9X", {"reason": "unknown_code"}),
        ("K7PQ2M", {"reason": "unknown_code"}),
    ],
)
def test_a_code_that_opens_nothing_is_refused_with_what_is_wrong_with_it(world, anybody, typed, reason):
    refused = anybody.get(f"/v1/join-codes/{quote(typed)}")
    assert_problem(refused, "not-found", what="code", id=typed, **reason)


def test_an_unknown_code_is_not_found(world, anybody):
    table = world.table(**PRIVATE, ready=False)
    code = table.view()["join_code"]
    for wrong in ("AAAAAA", "x", "0" * 60, table.id):
        assert_problem(anybody.get(f"/v1/join-codes/{wrong}"), "not-found", what="code")
    table.host.delete(table.path)
    assert_problem(anybody.get(f"/v1/join-codes/{code}"), "not-found", what="code")


def test_guesses_are_limited_and_looking_up_valid_codes_is_free(world):
    table = world.table(**PRIVATE, ready=False)
    code, watched, mei = table.view()["join_code"], world.table(**WATCHED), world.player("Mei")
    world.start(limit_failed=Budget(3, 86_400), limit_register=Budget(1, 86_400))
    mei = world.anybody.with_token(mei.token)
    assert {world.anybody.get(f"/v1/join-codes/{code}").status_code for _ in range(9)} == {200}
    guesses = [
        world.anybody.get("/v1/join-codes/AAAAAA"),
        mei.post(f"{table.path}/seats", {"join_code": "AAAAAA"}),
        mei.put(f"{watched.path}/watchers/me", {"watch_code": "AAAAAA"}),
        world.anybody.get("/v1/join-codes/AAAAAA"),
        mei.post(f"{table.path}/seats", {"join_code": "AAAAAB"}),
    ]
    assert [guess.status_code for guess in guesses] == [404, 403, 403, 429, 429]
    assert mei.post(f"{table.path}/seats", {"join_code": code}).status_code in (200, 409)


def test_no_two_tables_have_the_same_code(world, lin, monkeypatch):
    codes = iter(["AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr("service.game.commands.creation.new_code", lambda _: next(codes))
    view = [lin.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["join_code"] for _ in range(2)]
    assert view == ["AAAAAA", "BBBBBB"]


def test_a_wrong_and_a_missing_join_code_are_different_refusals(world):
    table = world.table(**PRIVATE, seated=False)
    mei = world.player("Mei")
    path = f"{table.path}/seats"
    assert_problem(mei.post(path, {}), "private-table", reason="no_join_code")
    assert_problem(mei.post(path, {"join_code": "AAAAAA"}), "private-table", reason="wrong_join_code")
    assert "watch code" in assert_problem(mei.get(table.path), "private-table", reason="players_only")["detail"]


# --- watch codes -------------------------------------------------------------------------------------------------


def test_the_watch_code_lets_a_player_watch_a_private_game_with_the_delay(world, anybody):
    table = world.table(**WATCHED)
    world.now += 60_000
    table.play_until("play")
    code = table.view(1)["watch_code"]
    body = anybody.get(f"/v1/join-codes/{code}").json
    assert (body["table"], body["grants"]) == (table.id, "watch")
    mei, tom = world.player("Mei"), world.player("Tom")
    assert_problem(mei.get(table.path), "private-table", reason="no_watch_code")
    assert_problem(
        mei.put(f"{table.path}/watchers/me", {"watch_code": "AAAAAA"}), "private-table", reason="wrong_watch_code"
    )
    for _ in range(2):
        answer = mei.put(f"{table.path}/watchers/me", {"watch_code": code.lower()}).json
    assert answer["viewer"] == {"role": "spectator"}
    assert answer["version"] < table.state()["version"]
    assert not {"my", "join_code", "watch_code"} & answer.keys()
    assert mei.get(f"{table.path}/events").json["version"] == answer["version"]
    assert mei.post(f"{table.path}/stream-ticket").status_code == 200
    assert_problem(tom.get(table.path), "private-table")
    table.clients[0].get(f"{table.path}/events")
    assert code not in json.dumps(table.clients[0].get(f"{table.path}/events?limit=500").json)


def test_a_watch_code_does_not_let_anybody_sit_down(world):
    table = world.table(**WATCHED, seated=False)
    code = table.view()["watch_code"]
    mei = world.player("Mei")
    mei.put(f"{table.path}/watchers/me", {"watch_code": code})
    answer = mei.post(f"{table.path}/seats", {"join_code": code})
    assert_problem(answer, "private-table", reason="wrong_join_code")


def test_watching_ends_when_the_host_turns_it_off(world, anybody):
    table = world.table(**WATCHED, ready=False)
    code = table.view()["watch_code"]
    mei = world.player("Mei")
    mei.put(f"{table.path}/watchers/me", {"watch_code": code})
    table.host.patch(table.path, {"spectators": "off"}, headers={"If-Match": "*"})
    assert "watch_code" not in table.view()
    assert_problem(mei.get(table.path), "private-table", reason="players_only")
    assert_problem(mei.put(f"{table.path}/watchers/me", {"watch_code": code}), "private-table")
    assert_problem(anybody.get(f"/v1/join-codes/{code}"), "not-found")


def test_when_watching_is_allowed_again_there_is_a_new_code(world, anybody):
    table = world.table(**WATCHED, ready=False)
    code = table.view()["watch_code"]
    mei = world.player("Mei")
    mei.put(f"{table.path}/watchers/me", {"watch_code": code})
    for spectators in ("off", "delayed"):
        table.host.patch(table.path, {"spectators": spectators}, headers={"If-Match": "*"})
    new = table.view()["watch_code"]
    assert new != code
    assert_problem(mei.get(table.path), "private-table", reason="no_watch_code")
    assert_problem(mei.put(f"{table.path}/watchers/me", {"watch_code": code}), "private-table")
    assert_problem(anybody.get(f"/v1/join-codes/{code}"), "not-found")
    assert mei.put(f"{table.path}/watchers/me", {"watch_code": new}).status_code == 200
    assert mei.get(table.path).status_code == 200


def test_during_a_game_no_code_opens_a_private_table_without_spectators(world):
    table = world.table(**PRIVATE)
    mei = world.player("Mei")
    assert_problem(mei.get(table.path), "no-spectators")
    assert_problem(mei.put(f"{table.path}/watchers/me", {"watch_code": "AAAAAA"}), "no-spectators")
    assert_problem(mei.post(f"{table.path}/seats", {"join_code": table.view()["join_code"]}), "game-running")


def test_a_table_gets_a_watch_code_when_it_allows_spectators(world, anybody):
    table = world.table(**PRIVATE, ready=False)
    assert "watch_code" not in table.view()
    table.host.patch(table.path, {"spectators": "delayed"}, headers={"If-Match": "*"})
    code = table.view(2)["watch_code"]
    assert anybody.get(f"/v1/join-codes/{code}").json["grants"] == "watch"
    table.host.patch(table.path, {"chat": False}, headers={"If-Match": "*"})
    assert table.view()["watch_code"] == code


def test_a_public_table_is_watched_without_a_code(world):
    table = world.table(spectators="delayed")
    assert "watch_code" not in table.view()
    answer = world.player("Mei").put(f"{table.path}/watchers/me", {"watch_code": "AAAAAA"})
    assert answer.json["viewer"] == {"role": "spectator"}
    off = world.table()
    assert_problem(world.player("Tom").put(f"{off.path}/watchers/me", {"watch_code": "A"}), "no-spectators")


# --- the lobby ---------------------------------------------------------------------------------------------------


def test_running_public_games_that_may_be_watched_have_a_list_of_their_own(world, lin):
    watched = world.table(spectators="delayed", spectator_delay_ms=30_000)
    world.table()
    world.table(**WATCHED)
    waiting = world.table(spectators="delayed", ready=False, seated=False)
    assert lobby(lin) == [waiting.id]
    assert lobby(lin, "?status=playing") == [watched.id]
    item = lin.get("/v1/tables?status=playing").json["items"][0]
    assert (item["status"], item["free"], item["bots"]) == ("playing", 0, 4)
    assert item["version"] < watched.state()["version"], "as of the spectator delay"


def test_a_game_that_is_over_is_no_longer_listed(world, lin):
    table = world.table(ruleset="arms_length", spectators="delayed")
    assert lobby(lin, "?status=playing") == [table.id]
    for _ in range(4):
        table.play_until("ready")
        if table.state()["status"] == "playing":
            table.get_ready()
    assert table.state()["status"] == "finished"
    assert lobby(lin, "?status=playing") == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?ruleset=tractor", ["tractor"]),
        ("?players=6", ["six"]),
        ("?free=4", ["six"]),
        ("?free=3", ["six", "tractor"]),
        ("?kind=bot", ["tractor"]),
        ("?kind=ai", ["six"]),
        ("?kind=human", ["six"]),
        ("?players=4&free=1&kind=bot", ["tractor"]),
    ],
)
def test_the_lobby_is_filtered(world, lin, query, expected):
    table_ids = {}
    for name, ruleset, players in (("tractor", "tractor", 4), ("six", "zhaopengyou", 6)):
        table = world.table(players, ruleset, seated=False)
        sitting = table.host if name == "tractor" else world.player("Mei", "human")
        sitting.post(f"{table.path}/seats", {"seat": 0, "join_code": table.view()["join_code"]})
        table_ids[table.id] = name
        world.now += 1
    table.host.put(f"{table.path}/seats/1/ai", {})
    assert [table_ids[table] for table in lobby(lin, query)] == expected


def test_an_invalid_filter_is_refused(lin):
    for query in ("?status=finished", "?kind=cat", "?free=x", "?players=3", "?seats=4"):
        assert_problem(lin.get(f"/v1/tables{query}"), "invalid-request")


# --- If-Match ----------------------------------------------------------------------------------------------------


def test_if_match_star_changes_a_table_at_any_version(world):
    table = world.table(ready=False)
    assert table.host.patch(table.path, {"chat": False}, headers={"If-Match": "*"}).status_code == 200
    stale = table.host.patch(table.path, {"chat": True}, headers={"If-Match": '"1.0"'})
    assert_problem(stale, "version-mismatch")
