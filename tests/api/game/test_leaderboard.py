"""Results and ratings over HTTP: counted for those who played, removed for deleted players."""

from service.game.views.fields import timestamp
from service.store import keys
from service.store.players.results import MOST_RATINGS
from service.tables import ratings as leaderboard
from service.tables.absence import order
from service.tables.results import DAY_MS, new_result, rating_of
from tests.api.contract import assert_problem
from tests.api.game.test_games import whole_game


def names(answer):
    return [item["name"] for item in answer.json["items"]]


def test_a_finished_game_counts_in_results_and_on_the_leaderboard(world):
    table = whole_game(world)
    winners = table.state()["game"]["winners"]
    items = table.host.get("/v1/leaderboard?ruleset=arms_length").json["items"]
    assert [item["place"] for item in items] == [1, 2, 3, 4]
    assert {item["player"] for item in items[: len(winners)]} == {table.clients[seat].player["id"] for seat in winners}
    for seat, client in enumerate(table.clients):
        mine = client.get("/v1/me").json["results"]
        assert mine["arms_length"]["games"] == mine["arms_length"]["rated_games"] == 1
        assert mine["arms_length"]["wins"] == (seat in winners)
        assert mine["arms_length"]["rounds"] == 4
        body = table.host.get(f"/v1/players/{client.player['id']}").json
        assert body["results"] == mine
        assert mine["arms_length"]["provisional"]
        [place] = [item["place"] for item in items if item["player"] == body["id"]]
        assert body["places"] == client.get("/v1/me").json["places"] == {"arms_length": place}
        assert mine["arms_length"] in [item["result"] for item in items if item["player"] == body["id"]]


def test_a_game_is_counted_once(world):
    table = whole_game(world)
    world.advance(table.id)
    assert table.host.get("/v1/me").json["results"]["arms_length"]["games"] == 1


def test_practice_games_count_but_do_not_rank(world):
    table = whole_game(world, seed="monday, the cards of")
    result = table.host.get("/v1/me").json["results"]["arms_length"]
    assert (result["games"], result["rated_games"], result["rating"]) == (1, 0, None)
    assert table.host.get("/v1/me").json["places"] == {}
    assert table.host.get("/v1/leaderboard?ruleset=arms_length").json["items"] == []


def test_the_leaderboard_is_paged(world):
    client = whole_game(world).host
    whole = client.get("/v1/leaderboard?ruleset=arms_length").json["items"]
    items, cursor = [], ""
    while cursor is not None:
        page = client.get(f"/v1/leaderboard?ruleset=arms_length&limit=3{cursor and '&cursor=' + cursor}").json
        assert len(page["items"]) <= 3
        items += page["items"]
        cursor = page["next_cursor"]
    assert items == whole
    assert len(whole) == 4


def ranked(world, games_and_days):
    """Register players with a number of rated games and days since the last; return their ids, best first."""
    players = []
    for number, (games, days) in enumerate(games_and_days):
        player = world.player(f"Member {number}").player["id"]
        at = world.now - days * DAY_MS
        result = {
            **new_result(),
            "mu": 90.0 - 5 * number,
            "sigma": 3.0,
            "games": games,
            "rated_games": games,
            "rated_at": at,
        }
        settled = (f"gm_{number}", "shengji", [player], lambda _, who=player, its=result: {who: its})
        world.stores.results.settle(*settled, lambda its, at=at: rating_of(its, at), at, order)
        players.append(player)
    return players


def pages(client, query):
    items, cursor = [], ""
    while cursor is not None:
        page = client.get(f"/v1/leaderboard?ruleset=shengji{query}{cursor and '&cursor=' + cursor}").json
        items += page["items"]
        cursor = page["next_cursor"]
    return [(item["place"], item["player"]) for item in items]


def test_places_can_be_had_among_those_who_count(world, monkeypatch):
    monkeypatch.setattr(leaderboard, "MOST_READ", 3)
    kinds = [(12, 0), (2, 0), (30, 91), (10, 89), (1, 200), (11, 1), (2, 2), (2, 3), (2, 4), (2, 5), (40, 6)]
    players = ranked(world, kinds)
    client = world.player("Reader")
    both, provisional, inactive = "&provisional=hide&inactive=hide", "&provisional=hide", "&inactive=hide"
    for limit in ("", "&limit=1", "&limit=2", "&limit=100"):
        whole = pages(client, limit)
        assert whole == list(enumerate(players, 1))
        for query, flags in (
            (both, [games >= 10 and days <= 90 for games, days in kinds]),
            (provisional, [games >= 10 for games, _ in kinds]),
            (inactive, [days <= 90 for _, days in kinds]),
        ):
            left = [player for player, is_kept in zip(players, flags, strict=True) if is_kept]
            assert pages(client, query + limit) == list(enumerate(left, 1))
    assert_problem(client.get("/v1/leaderboard?ruleset=shengji&inactive=show"), "invalid-request")


def test_a_request_looks_at_a_bounded_number_of_players_however_few_of_them_count(world, monkeypatch):
    ranked(world, [(1, 0)] * 9)
    monkeypatch.setattr(leaderboard, "MOST_READ", 4)
    read, leaders = [], world.stores.results.leaders
    monkeypatch.setattr(world.stores.results, "leaders", lambda *request: read.append(request[2]) or leaders(*request))
    page = world.player("Reader").get("/v1/leaderboard?ruleset=shengji&provisional=hide&limit=2").json
    assert page["items"] == []
    assert page["next_cursor"] is not None
    assert sum(read) <= 4 + len(read)


def test_an_absent_player_falls_behind_who_still_plays(world):
    table = whole_game(world)
    winner = next(client for seat, client in enumerate(table.clients) if seat in table.state()["game"]["winners"])
    mine = "/v1/me"
    before = winner.get(mine).json["results"]["arms_length"]
    assert not before["inactive"]
    world.now += 91 * DAY_MS
    after = winner.get(mine).json["results"]["arms_length"]
    assert after["rating"] == round(before["rating"] - 0.91, 2)
    assert after["inactive"]
    [body] = winner.get("/v1/me/export").json["results"].values()
    assert body["rated_at"] == timestamp(table.state()["game"]["ended_at"])
    [point] = winner.get(f"/v1/players/{winner.player['id']}/ratings?ruleset=arms_length").json["items"]
    assert point["rating"] == before["rating"], "the course tells what the rating was"


def test_there_is_one_leaderboard_for_each_ruleset(world):
    client = whole_game(world).host
    assert names(client.get("/v1/leaderboard?ruleset=shengji")) == []
    assert_problem(client.get("/v1/leaderboard"), "invalid-request")
    assert_problem(client.get("/v1/leaderboard?ruleset=poker"), "invalid-request")
    assert_problem(client.get("/v1/leaderboard?ruleset=shengji&cursor=eA"), "invalid-request")


def test_erasing_a_player_removes_that_player_alone_from_the_leaderboard(world):
    table = whole_game(world)
    gone = table.clients[1]
    assert gone.delete("/v1/me").status_code == 204
    assert sorted(names(table.host.get("/v1/leaderboard?ruleset=arms_length"))) == ["Bot 0", "Bot 2", "Bot 3"]
    assert world.stores.results.of_player(gone.player["id"], ["arms_length"]) == {}


def test_a_player_erased_while_a_game_is_settled_has_no_results(world, monkeypatch):
    table = whole_game(world)
    gone = table.clients[1]
    plain = world.stores.players.delete
    state, log = table.state(), world.tables.log(table.id)
    # As if the game were not settled yet.
    world.redis.delete(keys.settled("arms_length", state["game"]["id"]))

    def settle_and_delete(player):
        world.tables.finished(state, log)
        assert world.stores.results.of_player(player, ["arms_length"])
        return plain(player)

    monkeypatch.setattr(world.stores.players, "delete", settle_and_delete)
    assert gone.delete("/v1/me").status_code == 204
    assert world.stores.results.of_player(gone.player["id"], ["arms_length"]) == {}
    assert "Bot 1" not in names(table.host.get("/v1/leaderboard?ruleset=arms_length"))


def test_a_player_erased_during_a_game_has_no_results_of_it(world):
    table = world.table(ruleset="arms_length")
    gone = table.clients[1]
    gone.delete("/v1/me")
    while table.state()["status"] == "playing":
        seat = table.state()["decision"]["seats"][0]
        if seat == 1:
            world.now += 1_000
            assert world.advance(table.id).steps
        else:
            table.step()
    world.advance(table.id)
    assert table.state()["game"]["kept"]
    assert world.stores.results.of_player(gone.player["id"], ["arms_length"]) == {}
    assert table.host.get("/v1/me").json["results"]["arms_length"]["games"] == 1


def test_the_latest_ratings_are_kept_until_the_player_is_erased(world):
    table = whole_game(world)
    lin, other = table.clients[:2]
    me = lin.player["id"]
    path = f"/v1/players/{me}/ratings"
    [first] = other.get(f"{path}?ruleset=arms_length").json["items"]
    assert first == {
        "at": timestamp(table.state()["game"]["ended_at"]),
        "rating": lin.get("/v1/me").json["results"]["arms_length"]["rating"],
    }
    assert other.get(f"{path}?ruleset=shengji").json["items"] == []

    def one_more(before, rated=1):
        return {me: {**before[me], "rated_games": before[me]["rated_games"] + rated}}

    for number in range(MOST_RATINGS):
        at = world.now + number
        world.stores.results.settle(
            f"gm_{number}", "arms_length", [me], one_more, lambda _, rating=number: rating + 0.25, at
        )
    world.stores.results.settle(
        "gm_unrated", "arms_length", [me], lambda before: one_more(before, 0), lambda _: 0.5, at
    )
    items = other.get(f"{path}?ruleset=arms_length").json["items"]
    assert [item["rating"] for item in items] == [number + 0.25 for number in range(MOST_RATINGS)]
    assert items[-1]["at"] == timestamp(at)
    name = keys.course("arms_length", me)
    assert world.redis.memory_usage(name, samples=0) <= 8_000
    assert lin.delete("/v1/me").status_code == 204
    assert not world.redis.exists(name)
    assert_problem(other.get(f"{path}?ruleset=arms_length"), "not-found")
