"""Tables: creating, listing, reading, changing, closing."""

import re

import pytest

from tests.api.contract import assert_problem

KEY = {"Idempotency-Key": "9b2f4c9e-0d0e-4a52-8f8e-0a1b2c3d4e5f"}
NEW = {"ruleset": "shengji", "players": 4}


def test_a_new_table_is_private_and_shows_its_host_the_join_code(lin):
    view = lin.post("/v1/tables", NEW)
    assert view.status_code == 201
    assert view.headers["Location"] == f"/v1/tables/{view.json['id']}"
    assert re.fullmatch(r"tb_[a-z2-7]{12}", view.json["id"])
    assert re.fullmatch(r"[A-Z2-9]{8}", view.json["join_code"])
    assert view.json["settings"]["visibility"] == "private"
    assert view.json["host"] == lin.player["id"]
    assert view.json["viewer"] == {"role": "spectator"}


def test_a_table_shows_the_chosen_options(lin):
    options = lin.post("/v1/tables", {**NEW, "options": {"throw_test": "cards"}}).json["options"]
    assert options == {"throw_test": "cards"}


def test_creating_a_table_twice_with_one_key_creates_one(world, lin):
    first = lin.post("/v1/tables", NEW, headers=KEY)
    again = lin.post("/v1/tables", NEW, headers=KEY)
    assert (again.status_code, again.json) == (201, first.json)
    assert len(lin.get("/v1/me/tables").json["items"]) == 1
    assert world.player("Mei").post("/v1/tables", NEW, headers=KEY).json["id"] != first.json["id"]


def test_an_invalid_option_is_refused_by_name(lin):
    answer = lin.post("/v1/tables", {**NEW, "options": {"overcall": "sometimes"}})
    problem = assert_problem(answer, "invalid-option", option="overcall", value="sometimes")
    assert problem["errors"][0]["pointer"] == "/options/overcall"
    assert "longer" in problem["params"]["accepted"]


@pytest.mark.parametrize(
    ("options", "detail", "zh"),
    [
        ({"chao_di": "true"}, 'chao_di cannot be "true"; possible: false, true.', "可取：false、true。"),
        ({"decks": "2"}, 'decks cannot be "2"; possible: null and the integers from 1 to 32.', "1 到 32 的整数"),
        ({"level_ladder": ["A"]}, 'cannot be ["A"]; possible: [], or an array of two or more', "从低到高排列"),
        ({"special_decks": [{"from": "A"}] * 2}, "fewer than three cards per hand; possible: [].", "可取：[]。"),
        ({"special_decks": [{}] * 500}, "more entries than there are decks; possible: at most 2.", "最多 2 项"),
        ({"overcal": 1}, "This ruleset has no option overcal; it has: joker_policy, decks, ", "可用：joker_policy、"),
    ],
)
def test_possible_values_of_an_option_are_described_in_words(lin, options, detail, zh):
    for language, expected in (("en", detail), ("zh", zh)):
        answer = lin.post("/v1/tables", {**NEW, "options": options}, headers={"Accept-Language": language})
        problem = assert_problem(answer, "invalid-option")
        assert expected in problem["detail"]
        assert problem["errors"][0]["detail"] == problem["detail"]


def test_a_number_of_players_that_the_ruleset_does_not_have_is_refused(lin):
    assert_problem(lin.post("/v1/tables", {**NEW, "players": 5}), "invalid-request", accepted=[4])


def test_the_seed_of_a_practice_table_deals_the_same_cards_again(world):
    hands = []
    for _ in range(2):
        table = world.table(seed="monday, the cards of")
        hands.append(table.view(0)["my"]["hand"])
    assert hands[0] == hands[1]
    assert table.view(0)["practice"] == {"seed": None}


def test_a_private_table_is_not_for_strangers(world, lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    mei = world.player("Mei")
    assert_problem(mei.get(path), "private-table")
    assert_problem(mei.get(f"{path}/events"), "private-table")
    assert_problem(mei.post(f"{path}/stream-ticket"), "private-table")


def test_anybody_may_look_at_a_public_table_before_its_game(world, lin):
    path = f"/v1/tables/{lin.post('/v1/tables', {**NEW, 'visibility': 'public'}).json['id']}"
    body = world.player("Mei").get(path).json
    assert body["viewer"] == {"role": "spectator"}
    assert "my" not in body
    assert "join_code" not in body


def test_a_game_can_be_watched_only_if_the_table_allows_it(world):
    table = world.table()
    mei = world.player("Mei")
    assert_problem(mei.get(table.path), "no-spectators")


def test_an_unknown_table_is_not_found(lin):
    for path in ("tb_nothing", "x", "a" * 60):
        assert_problem(lin.get(f"/v1/tables/{path}"), "not-found", what="table")


def test_an_unchanged_table_is_answered_with_304(world):
    table = world.table()
    first = table.host.get(table.path)
    tag = first.headers["ETag"]
    again = table.host.get(table.path, headers={"If-None-Match": tag})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert again.headers["ETag"] == tag
    weak = table.host.get(table.path, headers={"If-None-Match": f'W/{tag}, "other"'})
    assert weak.status_code == 304


def test_the_etag_changes_with_the_table_and_differs_by_viewer(world):
    table = world.table()
    tags = [client.get(table.path).headers["ETag"] for client in table.clients]
    assert len(set(tags)) == 4
    acted = table.step()
    assert acted.headers["ETag"] not in tags
    assert table.host.get(table.path, headers={"If-None-Match": tags[0]}).status_code == 200


def test_the_lobby_lists_public_tables_with_a_free_seat_newest_first(world, lin):
    table_ids = []
    for ruleset in ("shengji", "tractor", "shengji"):
        world.now += 1
        body = {"ruleset": ruleset, "players": 4, "visibility": "public"}
        table_ids.append(lin.post("/v1/tables", body).json["id"])
    lin.post("/v1/tables", NEW)
    world.table()
    mei = world.player("Mei")
    assert [item["table"] for item in mei.get("/v1/tables").json["items"]] == table_ids[::-1]
    items = mei.get("/v1/tables?ruleset=shengji&open=true").json["items"]
    assert [item["table"] for item in items] == [table_ids[2], table_ids[0]]


def test_the_lobby_is_paged(world, lin):
    view = [lin.post("/v1/tables", {**NEW, "visibility": "public"}).json["id"] for _ in range(5)]
    table_ids, cursor = [], ""
    while cursor is not None:
        page = lin.get(f"/v1/tables?limit=2{cursor and f'&cursor={cursor}'}").json
        assert len(page["items"]) <= 2
        table_ids += [item["table"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert sorted(table_ids) == sorted(view)


def test_an_invalid_cursor_is_refused(lin):
    for _ in range(2):
        lin.post("/v1/tables", {**NEW, "visibility": "public"})
    ours = lin.get("/v1/tables?limit=1").json["next_cursor"]
    for cursor in ("x", "eDp0", "%00", "a" * 200, "%F0%9F%98%80", f"{ours}!", f"!{ours}", ours[:-2]):
        problem = assert_problem(lin.get(f"/v1/tables?cursor={cursor}"), "invalid-request")
        assert problem["errors"][0]["pointer"] == "?cursor"


def test_the_host_changes_settings_of_the_version_last_read(world):
    table = world.table(ready=False)
    tag = table.host.get(table.path).headers["ETag"]
    changes = {"clock": {"play_ms": 60_000}, "options": {"throw_test": "cards", "deal_pace": "instant"}}
    changed = table.host.patch(table.path, changes, headers={"If-Match": tag})
    assert changed.status_code == 200
    assert [event["type"] for event in changed.json["events"]] == ["settings_changed"]
    view = table.view(1)
    assert view["clock"]["play_ms"] == 60_000
    assert view["clock"]["call_ms"] == 60_000
    assert view["options"]["throw_test"] == "cards"


def test_a_change_needs_the_current_version(world):
    table = world.table(ready=False)
    tag = table.host.get(table.path).headers["ETag"]
    version = table.view()["version"]
    assert_problem(table.host.patch(table.path, {"chat": False}), "precondition-required")
    table.host.patch(table.path, {"chat": False}, headers={"If-Match": tag})
    late = table.host.patch(table.path, {"chat": True}, headers={"If-Match": tag})
    assert_problem(late, "version-mismatch", expected=version, actual=version + 1)
    assert_problem(table.host.patch(table.path, {}, headers={"If-Match": "now"}), "invalid-request", header="If-Match")


def test_only_the_host_changes_or_closes_a_table(world):
    table = world.table(ready=False)
    guest = table.clients[1]
    tag = guest.get(table.path).headers["ETag"]
    assert_problem(guest.patch(table.path, {"chat": False}, headers={"If-Match": tag}), "not-host")
    assert_problem(guest.delete(table.path), "not-host")


def test_a_running_game_cannot_be_changed_or_closed(world):
    table = world.table()
    tag = table.host.get(table.path).headers["ETag"]
    assert_problem(table.host.patch(table.path, {"chat": False}, headers={"If-Match": tag}), "game-running")
    assert_problem(table.host.delete(table.path), "game-running")


def test_a_closed_table_stays_closed(world):
    table = world.table(ready=False)
    assert table.host.delete(table.path).json["view"]["status"] == "finished"
    assert table.host.delete(table.path).status_code == 200
    host, player = table.host, table.clients[1]
    for answer in (
        player.put(f"{table.path}/seats/me/ready", {}),
        player.put(f"{table.path}/seats/me/entropy", {"entropy": "00"}),
        player.post(f"{table.path}/seats/me/resume"),
        player.post(f"{table.path}/seats", {}),
        player.post(f"{table.path}/chat", {"preset": "hello"}),
        player.post(f"{table.path}/votes", {"kind": "abandon"}),
        player.put(f"{table.path}/votes/vt_1", {"approve": True}),
        player.post(f"{table.path}/take-back"),
        player.post(f"{table.path}/take-back/answer", {"accept": True}),
        host.put(f"{table.path}/seats/2/ai", {}),
        host.delete(f"{table.path}/seats/2"),
        host.patch(table.path, {"chat": False}, headers={"If-Match": '"1.0"'}),
    ):
        assert_problem(answer, "wrong-phase", reason="table_closed")
    for reader in (host, player):
        body = reader.get(table.path).json
        assert body["closed"] == {"reason": "host"}
        assert "join_code" not in body
    assert player.get("/v1/me/tables").json["items"][0]["closed"] == {"reason": "host"}


def test_the_pace_of_ai_players_has_a_minimum_set_by_the_service(world):
    world.start(ai_pace_ms=300)
    host = world.player()
    view = host.post("/v1/tables", {**NEW, "ai_pace_ms": 0})
    assert view.json["settings"]["ai_pace_ms"] == 300
    path, headers = f"/v1/tables/{view.json['id']}", {"If-Match": view.headers["ETag"]}
    assert host.patch(path, {"ai_pace_ms": 900}, headers=headers).json["view"]["settings"]["ai_pace_ms"] == 900
    headers = {"If-Match": host.get(path).headers["ETag"]}
    assert host.patch(path, {"ai_pace_ms": 10}, headers=headers).json["view"]["settings"]["ai_pace_ms"] == 300
