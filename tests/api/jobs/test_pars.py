"""Par: what AI players make of the cards of a finished round."""

import pytest

from service.store import keys
from service.store.analyses import AnalysisStore
from tests.api.contract import assert_problem
from tests.api.game.test_games import game_of, whole_game
from tests.workers.players import QUICK
from workers import ai, pars


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Few replays by easy AI players, which are good enough here."""
    monkeypatch.setattr(ai, "PAR", QUICK["easy"])
    monkeypatch.setattr(pars, "REPLAYS", 4)


def scored(world):
    """A table of bots after its first round."""
    table = world.table(ruleset="sishifen")
    table.play_until("ready", by=table.move)
    return table


def path(table, number=1):
    return f"{game_of(table)}/rounds/{number}/par"


def test_par_of_a_round_is_known_while_the_game_goes_on(world):
    table = scored(world)
    answer = table.host.post(path(table))
    assert (answer.status_code, answer.json["status"], answer.json["par"]) == (202, "working", None)
    assert int(answer.headers["Retry-After"]) > 0
    world.work()
    body = table.host.get(path(table)).json
    assert (body["status"], body["done"], body["of"]) == ("ready", 4, 4)
    par = body["par"]
    assert par["least"] <= par["points"] <= par["most"]
    # Whether a few replays differ depends on the names of the game, which are new in each run.
    [stored] = AnalysisStore(world.redis).pars(table.state()["game"]["id"], [1])
    assert (par["spread"] > 0) == (len({points for [points] in stored["values"]}) > 1)
    assert body["points"] == table.state()["game"]["results"][0]["points"]
    assert table.host.post(path(table)).json == body, "asked again, it is there"


def test_a_record_contains_par_once_it_is_known(world):
    table = whole_game(world)
    record = f"{game_of(table)}/record"
    before = table.host.get(record)
    assert "par" not in before.json["rounds"][0]
    table.host.post(path(table))
    world.work()
    after = table.host.get(record)
    assert after.headers["ETag"] != before.headers["ETag"]
    [body] = [played["par"] for played in after.json["rounds"] if "par" in played]
    assert body == table.host.get(path(table)).json["par"]
    assert table.host.get(f"{game_of(table)}/rounds/1").json["par"] == body
    analysis = f"{game_of(table)}/analysis"
    assert table.host.post(analysis, {"round": 1}).json["par"] == body
    checked = table.host.post("/v1/record-checks", after.json)
    assert checked.json["ok"], "a record with par can be checked"


def test_replays_proceed_in_short_jobs_and_are_reproducible(world, monkeypatch):
    monkeypatch.setattr(pars, "SLICE_S", 0.0)
    table = scored(world)
    table.host.post(path(table))
    world.work(jobs=2)
    body = table.host.get(path(table)).json
    assert (body["status"], body["done"], body["par"]) == ("working", 2, None)
    game = table.state()["game"]["id"]
    store = AnalysisStore(world.redis)
    [half] = store.pars(game, [1])
    world.redis.delete(keys.par(game, 1))
    monkeypatch.setattr(pars, "SLICE_S", 60.0)
    world.work()
    [whole] = store.pars(game, [1])
    assert whole["values"][:2] == half["values"]
    store.save_par(game, 1, half)
    assert store.pars(game, [1, 2]) == [whole, None], "a step that comes late takes nothing away"
    assert 0 < world.redis.pttl(keys.par(game, 1)) <= 7 * 86_400_000
    assert world.redis.memory_usage(keys.par(game, 1)) < 300


def test_in_arms_length_par_is_the_scores_of_both_sides(world):
    table = whole_game(world)
    table.host.post(path(table))
    world.work()
    body = table.host.get(path(table)).json
    assert body["scores"] == table.state()["game"]["results"][0]["scores"]
    assert len(body["par"]["scores"]) == 2
    assert [body["points"], body["par"]["points"], body["par"]["least"]] == [None, None, None]


def test_par_of_a_running_round_or_of_a_game_one_may_not_see_is_refused(world):
    table = world.table(ruleset="sishifen", visibility="private")
    assert_problem(table.host.post(path(table)), "not-finished")
    assert_problem(table.host.get(path(table, 9)), "not-found", what="round")
    assert_problem(table.host.post("/v1/games/gm_nothing_1/rounds/1/par"), "not-found", what="game")
    assert_problem(world.player().get(path(table)), "no-spectators")


def test_without_a_searcher_pars_are_unavailable(world):
    table = scored(world)
    world.searchers = 0
    assert_problem(table.host.post(path(table)), "unavailable", retry_after_s=60)
    assert table.host.get(path(table)).json["of"] == 0
