"""Players: registering, profile, token, deleting, my tables."""

import re
import threading

import pytest

from harness.document import document
from service.api.http.auth import hash_of
from service.game.state.occupants import CHOSEN
from service.store.port import StoreUnavailable
from tests.api.contract import assert_problem

KEY = {"Idempotency-Key": "d0f7c4b8-2c36-4a0e-8f5f-6f1f6e1f9a27"}


def test_registering_returns_a_player_and_their_token(anybody):
    account = anybody.post("/v1/players", {"name": "Lin", "kind": "human", "locale": "zh-Hans"})
    assert account.status_code == 201
    assert account.headers["Location"] == "/v1/me"
    assert re.fullmatch(r"pl_[a-z2-7]{12}", account.json["player"]["id"])
    me = anybody.with_token(account.json["token"]).get("/v1/me")
    assert me.json == account.json["player"]
    assert me.json["locale"] == "zh-Hans"


def test_a_player_is_a_person_who_reads_english_unless_they_say_otherwise(anybody):
    player = anybody.post("/v1/players", {"name": "Lin"}).json["player"]
    assert (player["kind"], player["locale"]) == ("human", "en")


def test_only_the_hash_of_a_token_is_stored(world, anybody):
    token = anybody.post("/v1/players", {"name": "Lin"}, headers=KEY).json["token"]
    values = b"".join(bytes(world.redis.dump(key)) for key in world.redis.scan_iter())
    assert token.encode() not in values
    assert world.stores.tokens.find(hash_of(token)) is not None


def test_registering_again_with_the_same_key_gives_the_same_player_and_token(anybody):
    first = anybody.post("/v1/players", {"name": "Lin"}, headers=KEY)
    again = anybody.post("/v1/players", {"name": "Lin"}, headers=KEY)
    assert (again.status_code, again.json) == (201, first.json)
    assert anybody.with_token(again.json["token"]).get("/v1/me").status_code == 200


def test_concurrent_registrations_with_one_key_make_one_player(world, anybody):
    players = []
    threads = [
        threading.Thread(target=lambda: players.append(anybody.post("/v1/players", {"name": "Lin"}, headers=KEY).json))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(players) == 8
    assert len({answer["player"]["id"] for answer in players}) == 1
    assert len({answer["token"] for answer in players}) == 1


def test_a_key_reused_with_another_body_is_refused(anybody):
    anybody.post("/v1/players", {"name": "Lin"}, headers=KEY)
    assert_problem(anybody.post("/v1/players", {"name": "Mei"}, headers=KEY), "idempotency-key-reused")


def test_a_key_that_could_be_guessed_is_refused(anybody):
    answer = anybody.post("/v1/players", {"name": "Lin"}, headers={"Idempotency-Key": "1"})
    assert_problem(answer, "invalid-request", reason="header", header="Idempotency-Key")


def test_a_request_without_a_token_is_unauthorized(anybody):
    answer = anybody.get("/v1/me")
    assert_problem(answer, "unauthorized")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_an_unknown_token_is_refused(anybody):
    for header in ("Bearer sjt_nobody", "Bearer", "Bearer ", "Basic abc", "sjt_x", "Bearer \xff"):
        assert_problem(anybody.get("/v1/me", headers={"Authorization": header}), "unauthorized")


def test_the_case_of_the_bearer_scheme_does_not_matter(lin):
    token = lin.token
    lin.token = None
    assert lin.get("/v1/me", headers={"Authorization": f"bearer {token}"}).status_code == 200


@pytest.mark.parametrize(("name", "choice"), CHOSEN.items())
def test_what_a_player_chooses_is_shown_wherever_the_player_is(world, lin, name, choice):
    mei, chosen = world.player("Mei"), choice.example
    assert lin.get("/v1/me").json[name] is None
    table = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}).json["id"]
    lin.post(f"/v1/tables/{table}/seats", {"seat": 0})
    assert mei.patch("/v1/me", {name: chosen}).json[name] == chosen
    taken = mei.post(f"/v1/tables/{table}/seats", {"seat": 1}).json["events"][0]
    seats = lin.get(f"/v1/tables/{table}").json["seats"]
    # Without a choice, the field is left out, as in games of earlier releases.
    assert name not in seats[0]["occupant"]
    assert seats[1]["occupant"][name] == taken["data"]["occupant"][name] == chosen
    lin.put(f"/v1/me/friends/{mei.player['id']}")
    assert [friend[name] for friend in lin.get("/v1/me/friends").json["items"]] == [chosen]
    assert lin.get(f"/v1/players/{mei.player['id']}").json[name] == chosen
    assert mei.get("/v1/me/export").json["player"][name] == chosen
    sandbox = mei.post("/v1/tables", {"ruleset": "shengji", "players": 4, "sandbox": {}}).json
    assert sandbox["seats"][0]["occupant"][name] == chosen
    too_much = choice.high + 1 if isinstance(chosen, int) else "x" * (choice.high + 1)
    assert_problem(mei.patch("/v1/me", {name: too_much}), "invalid-request")
    assert mei.patch("/v1/me", {name: type(chosen)()}).json[name] is None


def test_every_schema_that_shows_what_a_player_chooses_shows_all_of_it():
    names = set(CHOSEN)
    for name, schema in document()["components"]["schemas"].items():
        answer = names & schema.get("properties", {}).keys()
        assert answer in (set(), names), name


def test_the_profile_can_be_changed_in_part(lin):
    changed = lin.patch("/v1/me", {"name": "Lin the Second"})
    assert changed.json["name"] == "Lin the Second"
    assert lin.patch("/v1/me", {"locale": "zh-Hans"}).json["name"] == "Lin the Second"
    assert lin.get("/v1/me").json["locale"] == "zh-Hans"


def test_kind_and_id_of_a_player_cannot_be_changed(lin):
    problem = assert_problem(lin.patch("/v1/me", {"kind": "bot", "id": "pl_x"}), "invalid-request")
    assert {fault["pointer"] for fault in problem["errors"]} == {"/kind", "/id"}


def test_a_name_has_visible_characters(anybody):
    for name in ("", " ", "\t", "a\nb", "a\x00b", " a", "a ", "\u202eevil", "x" * 41, "\ud800"):
        answer = anybody.post("/v1/players", {"name": name})
        assert_problem(answer, "invalid-request")
    for name in ("升级", "Åse 🂡", "x" * 40, "O'Neil <b>"):
        assert anybody.post("/v1/players", {"name": name}).json["player"]["name"] == name


def test_a_new_token_takes_the_place_of_the_old_one(lin):
    new = lin.post("/v1/me/token").json["token"]
    assert new != lin.token
    assert_problem(lin.get("/v1/me"), "unauthorized")
    assert lin.with_token(new).get("/v1/me").status_code == 200


def test_a_retried_token_rotation_returns_the_same_token(lin):
    first = lin.post("/v1/me/token", headers=KEY).json
    assert lin.post("/v1/me/token", headers=KEY).json == first
    assert lin.with_token(first["token"]).get("/v1/me").status_code == 200
    other = {"Idempotency-Key": KEY["Idempotency-Key"][::-1]}
    assert_problem(lin.post("/v1/me/token", headers=other), "unauthorized")


def test_a_rotation_can_be_retried_if_the_service_dies_in_the_middle(world, lin, monkeypatch):
    end = world.stores.rights.end

    def die_after(*arguments, **how):
        end(*arguments, **how)
        raise StoreUnavailable(ConnectionError("killed"))

    monkeypatch.setattr(world.stores.rights, "end", die_after)
    assert lin.post("/v1/me/token", headers=KEY).status_code == 503
    monkeypatch.undo()
    # As in another process, which has not cached the old token.
    world.app.extensions["services"].authenticator.forget(lin.player["id"])
    assert_problem(lin.get("/v1/me"), "unauthorized")
    again = lin.post("/v1/me/token", headers=KEY)
    assert again.status_code == 200
    assert lin.with_token(again.json["token"]).get("/v1/me").status_code == 200


def test_another_players_key_does_not_give_their_token(world, lin):
    lin.post("/v1/me/token", headers=KEY)
    stranger = world.player("Mei")
    mine = stranger.post("/v1/me/token", headers=KEY).json["token"]
    assert stranger.with_token(mine).get("/v1/me").json["name"] == "Mei"


def test_an_erased_player_is_gone_and_has_left_their_tables(world, lin):
    table = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}).json["id"]
    lin.post(f"/v1/tables/{table}/seats", {})
    assert lin.delete("/v1/me").status_code == 204
    assert_problem(lin.get("/v1/me"), "unauthorized")
    me = lin.player["id"]
    assert_problem(world.player("Mei").get(f"/v1/players/{me}"), "not-found", what="player")
    assert world.tables.load(table)["seats"][0]["occupant"] is None


def test_others_see_only_the_public_profile(world, lin):
    mei = world.player("Mei", "human")
    assert lin.get(f"/v1/players/{mei.player['id']}").json == {
        "id": mei.player["id"],
        "name": "Mei",
        "kind": "human",
        "accepts": None,
        **dict.fromkeys(CHOSEN),
        "results": {},
        "places": {},
    }


def test_my_tables_are_those_where_i_sit_or_am_host(world, lin):
    hosted = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    other = world.player("Mei").post("/v1/tables", {"ruleset": "tractor", "players": 4, "visibility": "public"})
    assert [item["table"] for item in lin.get("/v1/me/tables").json["items"]] == [hosted]
    lin.post(f"/v1/tables/{other.json['id']}/seats", {"seat": 3})
    items = lin.get("/v1/me/tables").json["items"]
    assert {item["table"]: item["seat"] for item in items} == {hosted: None, other.json["id"]: 3}


def test_a_table_that_i_left_is_no_longer_mine(world, lin):
    mei = world.player("Mei")
    table = mei.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}).json["id"]
    lin.post(f"/v1/tables/{table}/seats", {})
    lin.delete(f"/v1/tables/{table}/seats/me")
    assert lin.get("/v1/me/tables").json["items"] == []


def test_tables_that_wait_for_me_come_first_and_can_be_asked_for_alone(world):
    table = world.table()
    seat, _, decision = table.turn()
    waiting = table.clients[seat]
    lobby = waiting.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    items = waiting.get("/v1/me/tables").json["items"]
    assert [(item["table"], item["my_turn"]) for item in items] == [(table.id, True), (lobby, False)]
    assert items[0]["decision"] == decision["kind"]
    assert items[0]["deadline_at"] == decision["deadline_at"]
    mine = waiting.get("/v1/me/tables?turn=mine").json["items"]
    assert [item["table"] for item in mine] == [table.id]
    assert table.clients[(seat + 1) % 4].get("/v1/me/tables?turn=mine").json["items"] == []


def test_a_player_who_has_answered_is_not_waited_for(world):
    table = world.table(options={"deal_pace": "timed"})

    def mine():
        return [bool(client.get("/v1/me/tables?turn=mine").json["items"]) for client in table.clients]

    assert mine() == [True] * 4
    assert table.act(2, "pass").json["view"]["decision"]["seats"] == [0, 1, 3]
    assert mine() == [True, True, False, True]
    for seat in (0, 1, 3):
        table.act(seat, "pass")
    world.now += 60_000
    table.play_until("ready")
    assert mine() == [True] * 4
    table.clients[1].put(f"{table.path}/seats/me/ready", {})
    assert mine() == [True, False, True, True]
    table.clients[1].put(f"{table.path}/seats/me/ready", {"ready": False})
    assert mine() == [True] * 4


def test_a_finished_table_waits_for_those_who_have_not_agreed_to_another_game(world):
    table = world.table()
    vote = table.clients[0].post(f"{table.path}/votes", {"kind": "end_early"}).json["view"]["vote"]["id"]
    for client in table.clients[1:]:
        client.put(f"{table.path}/votes/{vote}", {"approve": True})
    assert table.state()["status"] == "finished"

    def mine():
        return [bool(client.get("/v1/me/tables?turn=mine").json["items"]) for client in table.clients]

    assert mine() == [False] * 4
    table.clients[1].put(f"{table.path}/seats/me/ready", {})
    assert mine() == [True, False, True, True]
    first = table.clients[0].get("/v1/me/tables").json["items"][0]
    assert (first["status"], first["my_turn"], first["decision"]) == ("finished", True, None)
    events = table.clients[2].get(f"{table.path}/events?limit=500").json["events"]
    assert (events[-1]["type"], events[-1]["data"]) == ("seat_ready", {"seat": 1, "ready": True})
    table.clients[1].put(f"{table.path}/seats/me/ready", {"ready": False})
    assert mine() == [False] * 4
    for client in table.clients:
        client.put(f"{table.path}/seats/me/ready", {})
    assert table.state()["status"] == "playing"
    table.clients[3].delete(f"{table.path}/seats/me")
    assert mine()[:3] == [table.state()["decision"]["seats"] == [seat] for seat in range(3)]


def test_a_table_that_its_host_has_closed_waits_for_nobody(world):
    table = world.table(seated=False)
    table.clients[1].post(f"{table.path}/seats", {"seat": 1})
    table.clients[1].put(f"{table.path}/seats/me/ready", {})
    table.clients[2].post(f"{table.path}/seats", {"seat": 2})
    table.host.delete(table.path)
    assert table.clients[2].get("/v1/me/tables?turn=mine").json["items"] == []


@pytest.mark.parametrize(
    "name",
    [
        "Li\u200bn",
        "\u2800",
        "\u3164",
        "Lin\u2060",
        "\u202eniL",
        "Lin\ufe0f",
        "1\ufe0f",
        "\ufe0f\u2764",
        "\u2764\ufe0f\ufe0f",
        "Li\u200dn",
        "\u200d\U0001f468",
        "\U0001f468\u200d",
        "\U0001f468\u200d\u200d\U0001f469",
        "\U0001f468\u200dLin",
        "Lin\U000e0041",
        "Lin\U000e0101",
        "\U0001f3f4\U000e0067",
        "Z\u0300\u0301\u0302",
        "\ue000",
        "a\u0e34\u0e34\u0e34",
        "Lin\U0001d159",
        "Lin\u0378",
    ],
)
def test_names_have_no_invisible_characters_and_no_stacked_marks(anybody, name):
    problem = assert_problem(anybody.post("/v1/players", {"name": name}), "invalid-request")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [("/name", "illegible")]


def test_a_player_keeps_a_name_that_is_no_longer_allowed(world, lin):
    world.stores.players.update(lin.get("/v1/me").json["id"], lambda stored: {**stored, "name": "Lin\U0001d159"})
    other = world.player("Lin")
    assert lin.patch("/v1/me", {"locale": "zh-Hans"}).json["name"] == "Lin\U0001d159"
    table = other.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}).json["id"]
    for player in (other, lin):
        assert player.post(f"/v1/tables/{table}/seats", {}).status_code == 200
    seats = lin.get(f"/v1/tables/{table}").json["seats"]
    assert [seat["occupant"]["name"] for seat in seats[:2]] == ["Lin", "Lin\U0001d159 (2)"]


@pytest.mark.parametrize("name", ["林小明", "Nguyễn", "Zoë", "José O'Neil", "ดิน", "محمد", "升级 😀", "A"])
def test_names_in_any_script_are_allowed(anybody, name):
    assert anybody.post("/v1/players", {"name": name}).json["player"]["name"] == name


@pytest.mark.parametrize("name", ["Lin ❤️", "🀄️", "👨‍👩‍👧‍👦", "🏳️‍🌈", "👩🏽‍💻 Mei", "🤷‍♂️", "1️⃣", "🇨🇳", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️‍🔥❤️", "©️"])
def test_names_may_contain_emoji(anybody, name):
    assert anybody.post("/v1/players", {"name": name}).json["player"]["name"] == name


def test_a_name_like_that_of_an_ai_player_is_refused_at_any_time(anybody, lin):
    for refused in (anybody.post("/v1/players", {"name": "Al 2"}), lin.patch("/v1/me", {"name": "AI 2"})):
        problem = assert_problem(refused, "invalid-request")
        assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [("/name", "like_ai")]


def test_two_players_whose_names_look_alike_are_told_apart_at_the_table(world):
    lin, other = world.player("Lin"), world.player("L\u0456n")
    table = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"}).json["id"]
    for player in (lin, other):
        assert player.post(f"/v1/tables/{table}/seats", {}).status_code == 200
    seats = lin.get(f"/v1/tables/{table}").json["seats"]
    assert [seat["occupant"]["name"] for seat in seats[:2]] == ["Lin", "L\u0456n (2)"]
    events = other.post(f"/v1/tables/{table}/chat", {"text": "hello"}).json["events"][0]
    assert events["data"]["name"] == "L\u0456n (2)"
