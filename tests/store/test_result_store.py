"""The contract of the store of results (`service.store.players.results.ResultStore`), on a server and a cluster."""

import threading

import pytest

from service.store import keys
from service.store.players.results import ResultStore
from service.store.port import StoreCorrupt


@pytest.fixture(params=["redis", "cluster"])
def results(request):
    return ResultStore(request.getfixturevalue("cluster" if request.param == "cluster" else "client"))


def one_more_game(before):
    """Each player has played one more game, and the rating is the number of games."""
    return {player: {"games": before.get(player, {"games": 0})["games"] + 1} for player in ("pl_lin", "pl_wei")}


def settle(results, game, players=("pl_lin", "pl_wei"), ruleset="shengji", rating=lambda result: result["games"]):
    return results.settle(game, ruleset, players, one_more_game, rating)


def test_a_game_is_counted_once_however_often_it_is_settled(results):
    assert settle(results, "gm_1")
    assert not settle(results, "gm_1")
    assert settle(results, "gm_2")
    assert results.of_player("pl_lin", ["shengji"]) == {"shengji": {"games": 2}}


def test_concurrent_callers_settle_each_game_exactly_once(results):
    gate, done = threading.Barrier(12), []

    def run(number):
        gate.wait()
        done.append(("same", settle(results, "gm_same")))
        done.append(("own", settle(results, f"gm_{number}")))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [("own", True)] * 12 + [("same", False)] * 11 + [("same", True)]
    assert results.of_player("pl_wei", ["shengji"]) == {"shengji": {"games": 13}}


def test_results_and_leaders_are_those_of_their_ruleset(results):
    settle(results, "gm_1")
    settle(results, "gm_1", ruleset="tractor")
    settle(results, "gm_2", ruleset="tractor")
    assert results.of_player("pl_lin", ["shengji", "tractor", "sishifen"]) == {
        "shengji": {"games": 1},
        "tractor": {"games": 2},
    }
    assert results.of_player("pl_none", ["shengji"]) == {}
    assert results.leaders("sishifen", 0, 10) == []


def test_leaders_come_best_first_by_pages_and_only_with_a_rating(results):
    for number in range(5):
        player = f"pl_{number}"
        results.settle(
            "gm_1" + player,
            "shengji",
            [player],
            lambda _, p=player, n=number: {p: {"games": n}},
            lambda result: result["games"] or None,
        )
    assert [player for player, _ in results.leaders("shengji", 0, 3)] == ["pl_4", "pl_3", "pl_2"]
    assert results.leaders("shengji", 3, 3) == [("pl_1", {"games": 1})]


def test_an_erased_player_has_no_results_and_no_place(results):
    settle(results, "gm_1")
    settle(results, "gm_1", ruleset="tractor")
    results.erase("pl_lin", ["shengji", "tractor"])
    assert results.of_player("pl_lin", ["shengji", "tractor"]) == {}
    assert [player for player, _ in results.leaders("shengji", 0, 10)] == ["pl_wei"]


def test_a_game_without_players_is_settled_too(results):
    assert results.settle("gm_1", "shengji", [], lambda before: before, lambda result: None)
    assert not results.settle("gm_1", "shengji", [], lambda before: before, lambda result: None)


def test_a_broken_result_is_an_error_that_names_the_player(client):
    results = ResultStore(client)
    settle(results, "gm_1")
    client.hset(keys.results("shengji"), "pl_lin", "r1:{")
    with pytest.raises(StoreCorrupt, match="shengji"):
        results.of_player("pl_lin", ["shengji"])
    with pytest.raises(StoreCorrupt, match="pl_lin"):
        settle(results, "gm_2")
