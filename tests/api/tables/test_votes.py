"""Votes, over HTTP."""

import pytest

from tests.api.contract import assert_problem

KEY = {"Idempotency-Key": "1f6c2a10-6f0e-4f3c-9a55-3b9d5f0c7a52"}


def test_a_game_ends_early_when_everybody_approves(world):
    table = world.table()
    opened = table.host.post(f"{table.path}/votes", {"kind": "end_early"}).json
    vote = opened["view"]["vote"]["id"]
    assert opened["events"][0]["data"]["id"] == vote
    for client in table.clients[1:3]:
        assert client.put(f"{table.path}/votes/{vote}", {"approve": True}).json["view"]["status"] == "playing"
    ended = table.clients[3].put(f"{table.path}/votes/{vote}", {"approve": True}).json
    assert ended["view"]["status"] == "finished"
    assert [event["type"] for event in ended["events"]] == ["vote_cast", "vote_closed", "game_ended"]


def test_a_vote_fails_with_the_first_vote_against(world):
    table = world.table()
    vote = table.host.post(f"{table.path}/votes", {"kind": "abandon"}).json["view"]["vote"]["id"]
    closed = table.clients[1].put(f"{table.path}/votes/{vote}", {"approve": False}).json
    assert closed["events"][-1]["data"]["passed"] is False
    assert_problem(table.clients[2].put(f"{table.path}/votes/{vote}", {"approve": True}), "not-found", what="vote")
    again = table.host.post(f"{table.path}/votes", {"kind": "abandon"})
    assert_problem(again, "wrong-phase", reason="vote_too_soon", retry_after_s=120)
    assert again.headers["Retry-After"] == "120"


def test_an_absent_player_is_replaced_by_a_majority_of_the_others(world):
    table = world.table()
    refused = table.host.post(f"{table.path}/votes", {"kind": "replace", "seat": 2})
    assert_problem(refused, "wrong-phase", reason="vote_present", seat=2)
    world.tables.act(table.id, {"type": "presence", "player": table.clients[2].player["id"], "presence": "away"})
    vote = table.host.post(f"{table.path}/votes", {"kind": "replace", "seat": 2}).json["view"]["vote"]["id"]
    view = table.clients[1].put(f"{table.path}/votes/{vote}", {"approve": True}).json["view"]
    assert view["seats"][2]["autopilot"] == "easy"


def test_only_players_open_votes_one_at_a_time(world, lin):
    table = world.table()
    first = table.host.post(f"{table.path}/votes", {"kind": "abandon"}).json
    again = table.clients[2].post(f"{table.path}/votes", {"kind": "abandon"}).json
    assert [event["type"] for event in again["events"]] == ["vote_cast"]
    assert_problem(table.clients[1].post(f"{table.path}/votes", {"kind": "end_early"}), "wrong-phase")
    ballot = f"{table.path}/votes/{first['view']['vote']['id']}"
    for _ in range(2):
        assert table.clients[1].put(ballot, {"approve": True}, headers=KEY).status_code == 200
    assert_problem(table.clients[1].put(ballot, {"approve": False}, headers=KEY), "idempotency-key-reused")
    assert table.view()["vote"]["votes"] == {"0": True, "1": True, "2": True}
    assert_problem(lin.post(f"{table.path}/votes", {"kind": "abandon"}), "not-your-seat")


@pytest.mark.parametrize(
    "body", [{"kind": "replace"}, {"kind": "abandon", "seat": 1}, {"kind": "replace", "seat": 9}, {}]
)
def test_only_votes_to_replace_name_a_seat(world, body):
    table = world.table()
    assert_problem(table.host.post(f"{table.path}/votes", body), "invalid-request")
