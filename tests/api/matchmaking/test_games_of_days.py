"""Finding games that take days: quick play, challenges, the list of open tables, and ratings of their own."""

import pytest

from service.matchmaking.challenges import ANSWER_IN_DAYS_MS
from tests.api.matchmaking.test_challenges import ANY, challenge, notes, path_of
from tests.api.play import Table

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
FOUR = {"ruleset": "shengji", "players": 4, "clock": "days"}


def look(client, **more):
    answer = client.post("/v1/me/ticket", {**FOUR, **more})
    assert answer.status_code == 200, answer.json
    return answer.json["table"]


def open_tables(client, pace="days"):
    return client.get(f"/v1/tables?pace={pace}").json["items"]


def test_the_first_opens_a_table_and_the_others_sit_down_there_whenever_they_come(world):
    players = [world.player(name, "human") for name in ("Lin", "Mei", "Bo", "Yun")]
    tables = []
    for player in players:
        tables.append(look(player))
        world.now += 20 * HOUR_MS
    assert len(set(tables)) == 1
    table = Table(world, tables[0], players)
    assert (table.state()["status"], table.state()["host"]) == ("playing", players[0].player["id"])
    view = players[1].get(table.path).json
    assert view["clock"]["correspondence"] == {"decision_hours": 24}
    assert [seat["occupant"]["name"] for seat in view["seats"]] == ["Lin", "Mei", "Bo", "Yun"]


def test_who_looks_again_gets_no_second_table_and_other_games_are_apart(world, lin):
    table = look(lin)
    world.now += 5 * 60_000
    assert look(lin) == table
    mei = world.player("Mei", "human")
    assert look(mei, ruleset="tractor") != table
    assert mei.post("/v1/me/ticket", {**FOUR, "clock": "normal", "ruleset": "tractor"}).json["state"] == "waiting"


def test_a_quick_game_takes_nobody_to_a_table_of_days_nor_the_other_way_round(world, lin):
    look(lin)
    mei = world.player("Mei", "human")
    assert mei.post("/v1/me/ticket", {**FOUR, "clock": "normal"}).json["state"] == "waiting"
    quick = world.player("Bo", "human").post(
        "/v1/tables",
        {"ruleset": "shengji", "players": 4, "visibility": "public", "options": {"deal_pace": "instant"}},
    )
    assert quick.status_code == 201
    yun = world.player("Yun", "human")
    assert look(yun) != quick.json["id"]


def test_open_tables_of_days_are_listed_with_how_long_they_have_waited(world, lin):
    table = look(lin)
    mei = world.player("Mei", "human")
    world.now += 3 * DAY_MS
    (item,) = open_tables(mei)
    assert (item["table"], item["taken"], item["correspondence"]) == (table, 1, {"decision_hours": 24})
    assert item["created_at"] < mei.get("/v1/me/tables").json["server_time"]
    assert open_tables(mei, "seconds") == []
    assert mei.get("/v1/tables?pace=weeks").status_code == 400


@pytest.mark.parametrize(
    ("more", "said"), [({"with": ["pl_1"]}, "joined alone"), ({"rating": {"low": 10}}, "no limits of ratings")]
)
def test_a_party_or_a_window_is_refused(world, lin, more, said):
    refused = lin.post("/v1/me/ticket", {**FOUR, **more})
    assert (refused.status_code, said in refused.json["detail"]) == (400, True), refused.json
    assert open_tables(lin) == []


def test_a_player_who_has_blocked_another_is_not_seated_with_them(world, lin):
    table = look(lin)
    mei = world.player("Mei", "human")
    assert lin.put(f"/v1/me/blocks/{mei.player['id']}").status_code < 300
    assert look(mei) != table


def test_a_challenge_to_a_game_of_days_waits_for_days_also_for_somebody_who_is_not_there(world, lin):
    mei = world.player("Mei", "human")
    assert mei.patch("/v1/me", {"accepts": ANY}).status_code == 200
    world.now += DAY_MS
    made = challenge(lin, mei, clock="days")
    path = path_of(made)
    assert made.json["remaining_ms"] == ANSWER_IN_DAYS_MS
    assert [kind for kind, _ in notes(world, mei)] == ["challenged"]
    world.now += 2 * DAY_MS
    accepted = mei.put(f"{path}/answer", {"accept": True})
    assert accepted.status_code == 200, accepted.json
    view = lin.get(f"/v1/tables/{accepted.json['table']}").json
    assert (view["status"], view["clock"]["correspondence"]) == ("playing", {"decision_hours": 24})
    late = path_of(challenge(lin, mei, clock="days"))
    world.now += ANSWER_IN_DAYS_MS + 1
    assert mei.put(f"{late}/answer", {"accept": True}).status_code == 409


def test_a_challenge_of_days_is_only_for_who_takes_them(world, lin):
    mei = world.player("Mei", "human")
    mei.patch("/v1/me", {"accepts": {**ANY, "clocks": ["normal"]}})
    assert challenge(lin, mei, clock="days").status_code == 409


def test_games_of_days_are_rated_in_a_pool_of_their_own(world):
    for clock in ({}, {"correspondence": {"decision_hours": 24}}):
        table = world.table(4, "arms_length", clock=clock)
        while table.state()["status"] != "finished":
            table.step()
            world.advance(table.id)
        mine = table.clients[0].get("/v1/me").json
        pool = "arms_length.days" if clock else "arms_length"
        assert set(mine["results"]) == {pool}
        assert mine["results"][pool]["rated_games"] == 1
        board = table.clients[0].get(f"/v1/leaderboard?ruleset={pool}&limit=2").json
        names = {client.player["id"] for client in table.clients}
        assert {each["player"] for each in board["items"]} <= names
        assert table.clients[0].get(f"/v1/leaderboard?ruleset={pool}&cursor={board['next_cursor']}").status_code == 200
        me = table.clients[0].player["id"]
        assert len(table.clients[0].get(f"/v1/players/{me}/ratings?ruleset={pool}").json["items"]) == 1
        assert set(table.clients[0].get("/v1/me/export").json["ratings"]) == {pool}
        assert table.clients[0].delete("/v1/me").status_code == 204
        left = table.clients[1].get(f"/v1/leaderboard?ruleset={pool}").json["items"]
        assert me not in {each["player"] for each in left}
