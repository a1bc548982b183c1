"""Past rounds: whatever a player has finished is listed, whether the game ever ends or not."""

import pytest

from service.store import keys
from service.store.coach.past_rounds import MOST_ROUNDS
from service.store.port import StoreUnavailable
from tests.api.boards.test_boards import begin, day, entrant, play, quick  # noqa: F401 - fixtures
from tests.api.boards.test_deal_links import play_round, seated
from tests.api.contract import assert_problem
from tests.api.game.test_games import one_round, whole_game


def rounds_of(client, **query):
    answer = client.get("/v1/me/rounds", query_string=query)
    assert answer.status_code == 200, answer.json
    return answer.json["items"]


def a_round(number, game="gm_a_1"):
    return {"game": game, "number": number, "ruleset": "shengji", "players": 4, "seat": 0, "result": "won"}


def play_on(table):
    """Play the running round to its end, and begin the next one."""
    number = table.state()["round"]["number"]
    table.play_until("ready", by=table.move)
    while table.state()["round"]["number"] == number:
        table.move()


def test_rounds_of_a_running_game_are_listed_for_each_seat_the_latest_first(world):
    table = one_round(world)
    world.now += 60_000
    play_on(table)
    game, results = table.state()["game"]["id"], table.state()["game"]["results"]
    for seat, client in enumerate(table.clients):
        items = rounds_of(client)
        assert [each["round"] for each in items] == [2, 1]
        assert items[0]["at"] > items[1]["at"]
        for item, result in zip(items, results[::-1], strict=True):
            side = "declarers" if seat in result["declarers"] else "attackers"
            won = None if result["side"] is None else "won" if result["side"] == side else "lost"
            assert (item["game"], item["table"], item["seat"]) == (game, table.id, seat)
            assert (item["side"], item["result"]) == (side, won)
            assert (item["points"], item["levels"], item["scores"]) == (result["points"], result["levels"], None)
            assert item["replay"]
            assert not item["practice"]
            assert client.get(f"/v1/games/{game}/rounds/{item['round']}/events").status_code == 200
    assert rounds_of(world.player("Mei")) == []


def test_rounds_of_arms_length_have_scores_instead_of_points(world):
    table = whole_game(world)
    items = rounds_of(table.host)
    assert len(items) == len(table.state()["game"]["results"])
    for item, result in zip(items, table.state()["game"]["results"][::-1], strict=True):
        one, other = result["scores"]
        assert item["scores"] == result["scores"]
        assert item["result"] == (None if one == other else "won" if one > other else "lost")
        assert (item["side"], item["points"], item["levels"]) == (None, None, None)


def test_pages_have_every_round_once_also_those_of_one_moment(world, lin):
    me = lin.player["id"]
    for number in (3, 30, 31, 4):
        world.stores.past_rounds.add(me, [a_round(number)], world.now)
    for number in range(5, 25):
        world.stores.past_rounds.add(me, [a_round(number)], world.now + number)
    world.stores.past_rounds.add(me, [{**a_round(1, "gm_b_1"), "ruleset": "tractor"}], world.now + 7)
    for limit in (1, 3, 100):
        found, cursor = [], None
        while True:
            query = {"limit": limit} | ({"cursor": cursor} if cursor else {})
            page = lin.get("/v1/me/rounds", query_string=query).json
            found += [(each["game"], each["round"]) for each in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert len(found) == len(set(found)) == 25
    assert [each["game"] for each in rounds_of(lin, ruleset="tractor")] == ["gm_b_1"]
    for cursor in ("x", "Z2FtZXM6MTp4"):
        assert_problem(lin.get("/v1/me/rounds", query_string={"cursor": cursor}), "invalid-request")


def test_who_sat_at_a_seat_later_has_only_the_rounds_from_then_on(world):
    table = one_round(world)
    table.play_until("ready", by=table.move)
    code = table.view(0)["join_code"]
    old, new = table.clients[2], world.player("Later")
    assert old.delete(f"{table.path}/seats/me").status_code < 300
    assert new.post(f"{table.path}/seats", {"seat": 2, "join_code": code}).status_code == 200
    table.clients[2] = new
    new.put(f"{table.path}/seats/me/ready", {})
    while table.state()["round"]["number"] == 2:
        table.move()
    play_on(table)
    assert [each["round"] for each in rounds_of(old)] == [2, 1]
    assert [each["round"] for each in rounds_of(new)] == [3]
    assert [each["round"] for each in rounds_of(table.clients[0])] == [3, 2, 1]


def test_a_round_that_was_missed_is_listed_with_the_next_one(world, monkeypatch):
    def fails(*_):
        raise StoreUnavailable(TimeoutError())

    with monkeypatch.context() as broken:
        broken.setattr(world.stores.past_rounds, "add", fails)
        table = one_round(world)
    assert rounds_of(table.host) == []
    play_on(table)
    assert [each["round"] for each in rounds_of(table.host)] == [2, 1]


def test_a_round_stays_listed_without_replay_when_its_table_is_gone(world):
    table = one_round(world)
    world.redis.delete(keys.head(table.id), keys.log(table.id))
    [item] = rounds_of(table.host)
    assert not item["replay"]


def test_rounds_are_not_listed_for_players_who_are_gone_nor_of_sandboxes(world, lin):
    me = lin.player["id"]
    world.stores.past_rounds.add(me, [a_round(1)], world.now)
    assert lin.delete("/v1/me").status_code == 204
    world.stores.past_rounds.add(me, [a_round(2)], world.now)
    assert not world.redis.exists(keys.past_rounds_of(me))
    state = one_round(world).state()
    mei = world.player("Mei").player["id"]
    world.services.past_rounds.note({**state, "settings": {**state["settings"], "sandbox": {"elapsed_ms": 0}}})
    assert not world.redis.exists(keys.past_rounds_of(mei))


def test_a_list_keeps_the_latest_rounds_in_a_hundred_kilobytes(world, lin):
    me = lin.player["id"]
    most = {"points": 300, "levels": 12, "side": "declarers", "practice": True, "sealed_until": 1_700_000_000_000}
    for start in range(0, MOST_ROUNDS + 50, 50):
        rounds = [{**a_round(start + each, "gm_7h2kx5q2m4na_100"), **most} for each in range(50)]
        for each in rounds:
            world.stores.past_rounds.add(me, [each], world.now + each["number"])
    name = keys.past_rounds_of(me)
    assert world.redis.zcard(name) == MOST_ROUNDS
    assert world.redis.memory_usage(name, samples=0) < 100_000
    assert world.redis.ttl(name) == pytest.approx(400 * 86_400, abs=100)
    assert rounds_of(lin, limit=1)[0]["round"] == MOST_ROUNDS + 49


def test_a_round_that_two_releases_have_listed_is_shown_once(world, lin):
    me = lin.player["id"]
    world.stores.past_rounds.add(me, [a_round(1)], world.now)
    world.stores.past_rounds.add(me, [{**a_round(1), "later": True}], world.now)
    assert [each["round"] for each in rounds_of(lin)] == [1]


def test_a_sealed_board_is_listed_and_cannot_be_looked_at(quick, day):  # noqa: F811 - fixtures
    world = day
    lin, event = entrant(world)
    table = begin(lin, event)
    play(world, lin, table, "random")
    [item] = rounds_of(lin)
    assert (item["table"], item["replay"]) == (table, False)
    assert_problem(lin.get(f"/v1/games/{item['game']}/rounds/1/events"), "not-finished")
    world.now += 3 * 86_400_000
    assert rounds_of(lin)[0]["replay"]


def test_a_round_alone_is_listed_at_once(world, lin):
    game, number = play_round(world, lin, seated(world, lin))
    [item] = rounds_of(lin)
    assert (item["game"], item["round"]) == (game, number)
