"""Analyses: every decision of a finished round, judged by an AI player that knows what the seat knew."""

from dataclasses import replace
from functools import partial

import pytest
import structlog

from service.rules.cards import CARDS
from service.store import keys
from service.store.analyses import AnalysisStore
from tests.api.contract import assert_problem
from tests.api.game.test_games import game_of, one_round, whole_game
from tests.api.play import Table
from tests.workers.players import LITTLE, QUICK
from workers import ai, analysing
from workers.ai import judging


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Searches with minimal effort."""
    monkeypatch.setattr(ai, "LEVELS", QUICK)
    monkeypatch.setattr(judging, "EFFORTS", LITTLE)


def post(table, number=1, **more):
    return table.host.post(f"{game_of(table)}/analysis", {"round": number}, **more)


def get(table, number=1, client=None, **more):
    return (client or table.host).get(f"{game_of(table)}/analysis?round={number}", **more)


def ended_game(world, by=None):
    """A kept game of Sheng Ji that a vote ended after its first round; `by` makes the next move at a table."""
    table = world.table()
    table.play_until("ready", by=lambda: (by or Table.move)(table))
    answer = table.host.post(f"{table.path}/votes", {"kind": "abandon"})
    assert answer.status_code < 300, answer.json
    vote = table.view(0)["vote"]
    for client in table.clients[1:]:
        if table.state()["status"] == "playing":
            client.put(f"{table.path}/votes/{vote['id']}", {"approve": True})
    assert table.state()["status"] == "finished"
    world.advance(table.id)
    return table


def answer(table, level="expert"):
    """Answer the open decision as the hint says, or as another level would."""
    decision = table.state()["decision"]
    if decision["kind"] == "ready":
        return table.move()
    seat = decision["seats"][0]
    view, seed = table.world.tables.question_of(table.id, seat, decision["id"])
    command = {"decision_id": decision["id"], **ai.choose(view, seed, level)}
    # Chat between a hint and the play changes nothing.
    table.clients[seat].post(f"{table.path}/chat", {"preset": "good_luck"})
    return table.world.tables.act(table.id, {"player": table.clients[seat].player["id"], **command})


def test_every_decision_of_a_round_is_judged(world):
    table = whole_game(world)
    first = post(table)
    assert (first.status_code, first.json["status"], first.json["done"]) == (202, "working", 0)
    assert get(table).json == first.json, "who has asked can read on at once"
    world.work()
    analysis = get(table)
    assert (analysis.status_code, analysis.json["status"], analysis.json["level"]) == (200, "ready", "expert")
    record = table.host.get(f"{game_of(table)}/rounds/1").json
    assert [each["seq"] for each in analysis.json["decisions"]] == [each["seq"] for each in record["actions"]]
    assert all(each["reason"]["text"] for each in analysis.json["decisions"])
    assert post(table).json == analysis.json, "asked again, it is there"


def test_a_better_play_is_named_with_its_gain(world, monkeypatch):
    monkeypatch.setattr(judging, "EFFORTS", {"expert": replace(LITTLE["expert"], confirm=8)})
    table = ended_game(world, by=partial(answer, level="random"))
    post(table)
    world.work()
    decisions = get(table).json["decisions"]
    plays = [each for each in decisions if each["type"] == "play"]
    recorded = table.host.get(f"{game_of(table)}/rounds/1").json["actions"]
    assert len(plays) == len([each for each in recorded if each["type"] == "play"]) > 50
    same, better = ([each for each in plays if (each["best"] is None) == agrees] for agrees in (True, False))
    assert all((each["gain"], each["error"]) == (0.0, 0.0) for each in same)
    assert better
    assert all(each["best"]["type"] == "play" for each in better)
    discards = [each for each in decisions if each["type"] == "discard"]
    assert discards
    assert all(each["gain"] is not None for each in discards)
    # Both are rounded to thousandths, which are compared as whole numbers: 2 * 0.007 - 0.001 is more than 0.013.
    thousandths = [(round(1000 * each["gain"]), round(1000 * each["error"])) for each in better]
    assert all(gain >= max(10, 2 * error - 1) for gain, error in thousandths), "more than chance explains"
    for each in better:
        if each["reason"]["code"] == "search":
            # They are rounded to two digits and to three.
            stated_gain = each["reason"]["params"]["gain"]
            assert stated_gain == pytest.approx(each["gain"], abs=0.0056), "the gain over the action taken"
    assert all(each["gain"] is None for each in decisions if each["best"] and each not in plays + discards)


def test_nothing_better_is_found_if_all_hints_were_followed(world):
    table = ended_game(world, by=answer)
    post(table)
    world.work()
    decisions = get(table).json["decisions"]
    assert len(decisions) > 30
    assert [each for each in decisions if each["best"]] == []


def test_decisions_are_judged_with_the_view_of_the_seat_at_that_moment(world, monkeypatch):
    table = whole_game(world)
    views = []
    judge = analysing.judge

    def note(view, action, seed, level):
        views.append((view, action))
        return judge(view, action, seed, level)

    monkeypatch.setattr(analysing, "judge", note)
    post(table)
    world.work()
    assert views
    for view, action in views:
        assert view["viewer"]["seat"] == action["seat"]
        assert action["seat"] in view["decision"]["seats"]
        assert set(action.get("cards", ())) <= set(view["my"]["hand"])
        path = f"{game_of(table)}/rounds/1/states/{view['version']}?seat={action['seat']}"
        body = table.host.get(path).json
        assert body["my"] == view["my"]


def test_an_analysis_proceeds_in_short_jobs_and_shows_progress(world, monkeypatch):
    monkeypatch.setattr(analysing, "SLICE_S", 0.0)
    table = whole_game(world)
    post(table)
    world.work(jobs=3)
    analysis = get(table)
    assert (analysis.json["status"], analysis.json["done"]) == ("working", 3)
    assert analysis.json["of"] > 50
    known = get(table, headers={"If-None-Match": analysis.headers["ETag"]})
    assert (known.status_code, known.headers["Retry-After"]) == (304, analysis.headers["Retry-After"])
    world.work(jobs=1)
    assert get(table, headers={"If-None-Match": analysis.headers["ETag"]}).json["done"] == 4


def test_an_analysis_asked_for_twice_is_queued_once(world):
    table = whole_game(world)
    assert [post(table).status_code for _ in range(3)] == [202] * 3
    assert world.redis.llen("rq:queue:analysis") == 1


def test_a_lost_job_is_queued_again(world):
    table = whole_game(world)
    post(table)
    world.redis.delete("rq:queue:analysis")
    world.now += 60_000
    post(table)
    assert world.redis.llen("rq:queue:analysis") == 1


def test_a_running_game_is_not_analysed(world):
    table = one_round(world)
    assert_problem(post(table), "not-finished")
    assert_problem(get(table), "not-finished")


def alone(world):
    """A game of the host against AI players, after its first round."""
    table = world.table(ruleset="sishifen", seated=False, ready=False)
    table.host.post(f"{table.path}/seats", {"seat": 0})
    for seat in (1, 2, 3):
        table.host.put(f"{table.path}/seats/{seat}/ai", {"level": "easy"})
    table.host.put(f"{table.path}/seats/me/ready", {})
    while (decision := table.state()["decision"])["kind"] != "ready":
        if decision["seats"] == [0]:
            table.move()
        else:
            world.advance(table.id)
    return table


def test_a_round_against_ai_players_alone_is_analysed_while_the_game_goes_on(world):
    table = alone(world)
    assert post(table).json["status"] == "working"
    world.work()
    table.host.put(f"{table.path}/seats/me/ready", {})
    world.advance(table.id)
    assert table.state()["round"]["number"] == 2
    analysis = get(table)
    assert analysis.json["status"] == "ready"
    record = table.host.get(f"{game_of(table)}/rounds/1").json
    assert [each["seq"] for each in analysis.json["decisions"]] == [each["seq"] for each in record["actions"]]
    assert table.state()["next_seed"] not in analysis.text
    assert_problem(post(table, 2), "not-found", what="round")
    assert_problem(post_as(world.player(), table), "no-spectators")
    key = keys.analysis(table.state()["game"]["id"], 1)
    assert 0 < world.redis.pttl(key) <= 7 * 86_400_000, "there is no record yet whose end it could share"


def post_as(client, table):
    return client.post(f"{game_of(table)}/analysis", {"round": 1})


def test_a_running_game_is_not_analysed_after_others_have_played_in_it(world):
    table = alone(world)
    mei = world.player("Mei")
    assert mei.post(f"{table.path}/seats", {"seat": 1}).status_code == 200
    for client in (table.host, mei):
        assert_problem(post_as(client, table), "not-finished")
    mei.delete(f"{table.path}/seats/me")
    assert_problem(post_as(table.host, table), "not-finished")


def test_a_missing_analysis_round_or_game_is_not_found(world):
    table = whole_game(world)
    assert_problem(get(table), "not-found", what="analysis")
    assert_problem(post(table, 99), "not-found", what="round")
    assert_problem(table.host.post("/v1/games/gm_nothing_1/analysis", {"round": 1}), "not-found", what="game")


def test_an_analysis_is_as_public_as_the_record(world):
    table = whole_game(world, visibility="private")
    post(table)
    world.work()
    assert_problem(get(table, client=world.player()), "private-table")
    path = f"{game_of(table)}/analysis"
    assert_problem(world.player().post(path, {"round": 1}), "private-table")
    public = whole_game(world)
    post(public)
    world.work()
    assert get(public, client=world.player()).json["status"] == "ready"


def test_without_a_searcher_analyses_are_unavailable(world):
    table = whole_game(world)
    world.searchers = 0
    assert_problem(post(table), "unavailable", retry_after_s=60)


def test_an_analysis_is_kept_as_long_as_the_record(world):
    table = whole_game(world)
    game = table.state()["game"]["id"]
    world.redis.pexpire(keys.game(game), 1_000_000)
    post(table)
    world.work()
    key = keys.analysis(game, 1)
    assert 900_000 < world.redis.pttl(key) <= 1_000_000
    assert world.redis.strlen(key) < 20_000
    world.redis.delete(keys.game(game), key)
    store = AnalysisStore(world.redis)
    store.save(game, 1, {"level": "expert", "of": 1, "decisions": []})
    assert store.load(game, 1) is None


def test_reasons_are_in_the_language_of_the_reader(world):
    table = whole_game(world)
    post(table)
    world.work()
    english, chinese = (get(table, headers={"Accept-Language": language}) for language in ("en", "zh"))
    assert english.headers["ETag"] != chinese.headers["ETag"]
    assert english.json["decisions"][0]["reason"]["text"].endswith(".")
    assert chinese.json["decisions"][0]["reason"]["text"].endswith("。")


def test_if_a_search_fails_the_rules_judge_and_the_log_names_no_card(world, monkeypatch):
    def broken(view, _random):
        raise RuntimeError(f"bad hand {view['my']['hand']}")

    monkeypatch.setattr(ai, "LEVELS", {**QUICK, "expert": {**QUICK["expert"], "play": broken}})
    table = whole_game(world)
    post(table)
    with structlog.testing.capture_logs() as lines:
        world.work()
    body = get(table).json
    assert body["status"] == "ready"
    failed = [line for line in lines if line["event"] == "analysis failed"]
    assert failed
    by_rules = [each for each in body["decisions"] if each["level"] == "normal"]
    assert [each["seq"] for each in by_rules] == [line["seq"] for line in failed]
    assert {each["gain"] for each in by_rules} == {None}, "nothing was simulated, not even where the rules agree"
    assert {each["level"] for each in body["decisions"] if each not in by_rules} == {"expert"}
    assert not any(card in str(value) for line in failed for value in line.values() for card in CARDS)
