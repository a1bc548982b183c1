"""Chat, over HTTP."""

import pytest

from service.game.commands.table.chat import PRESETS
from tests.api.contract import assert_problem

KEY = {"Idempotency-Key": "1f6c2a10-6f0e-4f3c-9a55-3b9d5f0c7a52"}


def last_event(client, table):
    return client.get(f"{table.path}/events?limit=500").json["events"][-1]


def test_players_hear_each_other(world):
    table = world.table(ready=False)
    body = table.clients[1].post(f"{table.path}/chat", {"text": "你好 <b>"}).json
    assert body["events"][0]["data"]["text"] == "你好 <b>"
    heard = last_event(table.clients[2], table)["data"]
    assert (heard["seat"], heard["name"], heard["text"]) == (1, "Bot 1", "你好 <b>")


def test_players_and_spectators_do_not_hear_each_other(world):
    table = world.table(ready=False, spectators="delayed", spectator_delay_ms=0)
    mei, yun = world.player("Mei"), world.player("Yun")
    assert mei.post(f"{table.path}/chat", {"preset": "hello"}).status_code == 200
    message = {"seat": None, "player": mei.player["id"], "name": "Mei", "text": None, "preset": "hello"}
    assert last_event(yun, table)["data"] == message
    assert last_event(table.host, table)["data"] == {"seat": None}
    table.host.post(f"{table.path}/chat", {"preset": "hello"})
    assert last_event(yun, table)["data"] == {"seat": 0}


@pytest.mark.parametrize("preset", PRESETS)
def test_phrases_and_faces_are_heard_as_codes(world, preset):
    table = world.table(ready=False)
    assert table.clients[1].post(f"{table.path}/chat", {"preset": preset}).status_code == 200
    heard = last_event(table.clients[2], table)["data"]
    assert (heard["seat"], heard["preset"], heard["text"]) == (1, preset, None)
    assert table.clients[2].put(f"/v1/me/mutes/{table.clients[1].player['id']}").status_code == 204
    assert last_event(table.clients[2], table)["data"] == {"seat": 1, "muted": True}


def test_a_message_sent_twice_with_one_key_is_said_once(world):
    table = world.table(ready=False)
    path = f"{table.path}/chat"
    first = table.host.post(path, {"preset": "hello"}, headers=KEY).json
    assert table.host.post(path, {"preset": "hello"}, headers=KEY).json == first
    assert table.state()["version"] == first["version"]
    assert_problem(table.host.post(path, {"preset": "thanks"}, headers=KEY), "idempotency-key-reused")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "  "},
        {"text": "\u2800\u3164"},
        {"text": "x" * 201},
        {"text": "a\u0000"},
        {"text": "\u202eolleh"},
        {"text": "two\nlines"},
        {"preset": "insult"},
        {"text": "a", "preset": "hello"},
    ],
)
def test_an_invalid_message_is_refused(world, body):
    table = world.table(ready=False)
    assert_problem(table.host.post(f"{table.path}/chat", body), "invalid-request")


def test_chat_is_refused_in_a_round_of_arms_length_and_at_tables_without_chat(world):
    table = world.table(4, "arms_length")
    assert_problem(table.host.post(f"{table.path}/chat", {"preset": "hello"}), "wrong-phase", reason="silence")
    quiet = world.table(ready=False, chat=False)
    assert_problem(quiet.host.post(f"{quiet.path}/chat", {"preset": "hello"}), "wrong-phase", reason="no_chat")


def test_chat_is_refused_to_players_who_may_not_see_the_table(world, lin):
    table = world.table(ready=False, visibility="private")
    assert_problem(lin.post(f"{table.path}/chat", {"preset": "hello"}), "private-table")
