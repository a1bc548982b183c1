"""Chat, votes and taking back."""

import pytest

from tests.api.contract import assert_problem

KEY = {"Idempotency-Key": "1f6c2a10-6f0e-4f3c-9a55-3b9d5f0c7a52"}


def last_event(client, table):
    return client.get(f"{table.path}/events?limit=500").json["events"][-1]


def test_players_hear_each_other(world):
    table = world.table(ready=False)
    said = table.clients[1].post(f"{table.path}/chat", {"text": "你好 <b>"}).json
    assert said["events"][0]["data"]["text"] == "你好 <b>"
    heard = last_event(table.clients[2], table)["data"]
    assert (heard["seat"], heard["name"], heard["text"]) == (1, "Bot 1", "你好 <b>")


def test_players_and_spectators_do_not_hear_each_other(world):
    table = world.table(ready=False, spectators="delayed", spectator_delay_ms=0)
    mei, yun = world.player("Mei"), world.player("Yun")
    assert mei.post(f"{table.path}/chat", {"preset": "hello"}).status_code == 200
    assert last_event(yun, table)["data"] == {"seat": None, "name": "Mei", "text": None, "preset": "hello"}
    assert last_event(table.host, table)["data"] == {"seat": None}
    table.host.post(f"{table.path}/chat", {"preset": "hello"})
    assert last_event(yun, table)["data"] == {"seat": 0}


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
        {"text": "x" * 201},
        {"text": "a\u0000"},
        {"text": "\u202eolleh"},
        {"text": "two\nlines"},
        {"preset": "insult"},
        {"text": "a", "preset": "hello"},
    ],
)
def test_a_message_is_a_text_or_a_preset(world, body):
    table = world.table(ready=False)
    assert_problem(table.host.post(f"{table.path}/chat", body), "invalid-request")


def test_nobody_speaks_in_a_round_of_arms_length_or_where_there_is_no_chat(world):
    table = world.table(4, "arms_length")
    assert_problem(table.host.post(f"{table.path}/chat", {"preset": "hello"}), "wrong-phase", reason="silence")
    quiet = world.table(ready=False, chat=False)
    assert_problem(quiet.host.post(f"{quiet.path}/chat", {"preset": "hello"}), "wrong-phase", reason="no_chat")


def test_who_may_not_see_a_table_may_not_speak_there(world, lin):
    table = world.table(ready=False, visibility="private")
    assert_problem(lin.post(f"{table.path}/chat", {"preset": "hello"}), "private-table")


def test_a_game_ends_early_when_everybody_is_for_it(world):
    table = world.table()
    opened = table.host.post(f"{table.path}/votes", {"kind": "end_early"}).json
    vote = opened["view"]["vote"]["id"]
    assert opened["events"][0]["data"]["id"] == vote
    for client in table.clients[1:3]:
        assert client.put(f"{table.path}/votes/{vote}", {"approve": True}).json["view"]["status"] == "playing"
    ended = table.clients[3].put(f"{table.path}/votes/{vote}", {"approve": True}).json
    assert ended["view"]["status"] == "finished"
    assert [event["type"] for event in ended["events"]] == ["vote_cast", "vote_closed", "game_ended"]


def test_a_vote_that_one_is_against_does_not_pass(world):
    table = world.table()
    vote = table.host.post(f"{table.path}/votes", {"kind": "abandon"}).json["view"]["vote"]["id"]
    closed = table.clients[1].put(f"{table.path}/votes/{vote}", {"approve": False}).json
    assert closed["events"][-1]["data"]["passed"] is False
    assert_problem(table.clients[2].put(f"{table.path}/votes/{vote}", {"approve": True}), "not-found", what="vote")


def test_an_absent_player_is_replaced_by_a_majority_of_the_others(world):
    table = world.table()
    vote = table.host.post(f"{table.path}/votes", {"kind": "replace", "seat": 2}).json["view"]["vote"]["id"]
    view = table.clients[1].put(f"{table.path}/votes/{vote}", {"approve": True}).json["view"]
    assert view["seats"][2]["autopilot"] == "easy"


def test_a_vote_is_asked_for_once_and_by_players(world, lin):
    table = world.table()
    first = table.host.post(f"{table.path}/votes", {"kind": "abandon"}).json
    assert table.clients[1].post(f"{table.path}/votes", {"kind": "abandon"}).json["version"] == first["version"]
    assert_problem(table.clients[1].post(f"{table.path}/votes", {"kind": "end_early"}), "wrong-phase")
    ballot = f"{table.path}/votes/{first['view']['vote']['id']}"
    for _ in range(2):
        assert table.clients[1].put(ballot, {"approve": True}, headers=KEY).status_code == 200
    assert_problem(table.clients[1].put(ballot, {"approve": False}, headers=KEY), "idempotency-key-reused")
    assert table.view()["vote"]["votes"] == {"0": True, "1": True}
    assert_problem(lin.post(f"{table.path}/votes", {"kind": "abandon"}), "not-your-seat")


@pytest.mark.parametrize(
    "body", [{"kind": "replace"}, {"kind": "abandon", "seat": 1}, {"kind": "replace", "seat": 9}, {}]
)
def test_only_replacing_names_a_seat(world, body):
    table = world.table()
    assert_problem(table.host.post(f"{table.path}/votes", body), "invalid-request")


def test_a_play_goes_back_when_nobody_minds(world):
    table = world.table(take_back=True)
    table.play_until("play")
    seat, before, decision = table.turn()
    table.act(seat, "play", cards=decision["hints"]["example"])
    asked = table.clients[seat].post(f"{table.path}/take-back").json
    assert asked["view"]["round"]["take_back"] == {"seat": seat, "accepted": []}
    for other in (other for other in range(4) if other != seat):
        answer = table.clients[other].post(f"{table.path}/take-back/answer", {"accept": True})
    assert answer.json["events"][-1]["type"] == "decision_opened"
    after = table.view(seat)
    assert after["my"]["hand"] == before["my"]["hand"]
    assert after["decision"]["seats"] == [seat]


def test_a_play_stays_when_somebody_minds(world):
    table = world.table(take_back=True)
    table.play_until("play")
    seat, _, decision = table.turn()
    table.act(seat, "play", cards=decision["hints"]["example"])
    table.clients[seat].post(f"{table.path}/take-back")
    answer = table.clients[(seat + 1) % 4].post(f"{table.path}/take-back/answer", {"accept": False}).json
    assert answer["events"][0]["data"]["stage"] == "refused"
    assert answer["view"]["round"]["take_back"] is None


def test_nothing_is_taken_back_where_the_table_does_not_allow_it(world, lin):
    table = world.table()
    table.play_until("play")
    seat, _, _ = table.turn()
    table.step()
    assert_problem(table.clients[seat].post(f"{table.path}/take-back"), "wrong-phase")
    assert_problem(lin.post(f"{table.path}/take-back"), "not-your-seat")
    assert_problem(table.host.post(f"{table.path}/take-back/answer", {"accept": True}), "wrong-phase")
