"""Shares of the searchers: who asks much waits behind those who ask little, and events wait for nobody."""

from itertools import count

import pytest

from service.common.settings import Budget
from service.jobs import asked
from service.store import keys
from tests.api.contract import assert_problem
from tests.api.game.test_games import game_of, whole_game
from tests.api.http.test_limits import left
from tests.workers.players import LITTLE, QUICK
from workers import ai, analysing, answering, pars
from workers.ai import judging

ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture(autouse=True)
def one_step_per_job(monkeypatch):
    """Searches with minimal effort, one decision or replay in each job."""
    monkeypatch.setattr(ai, "LEVELS", QUICK)
    monkeypatch.setattr(ai, "PAR", QUICK["easy"])
    monkeypatch.setattr(judging, "EFFORTS", LITTLE)
    for module in (analysing, pars):
        monkeypatch.setattr(module, "SLICE_S", 0.0)
    # Each look at the processor time of a step comes a second after the last.
    monkeypatch.setattr(answering, "thread_time", count().__next__)


@pytest.fixture
def games(world, monkeypatch):
    """Ids of many copies of a public game."""
    monkeypatch.setattr(pars, "log_of", lambda tables, archive, _: analysing.log_of(tables, archive, first))
    table = whole_game(world)
    first = game_of(table).rpartition("/")[2]
    log = world.stores.archive.load_archive(first)
    copies = [first.replace("_1", f"x{number}_1") for number in range(150)]
    for copy in copies:
        world.stores.archive.archive(copy, log, 86_400_000)
    return copies


def analyse(client, game, **more):
    return client.post(f"/v1/games/{game}/analysis", {"round": 1}, **more)


def done(client, game):
    return client.get(f"/v1/games/{game}/analysis?round=1").json["done"]


def test_a_flood_of_one_account_does_not_delay_another(world, games):
    world.start(limit_analyse=Budget(0, 60))
    greedy, other = world.player(), world.player()
    answers = [analyse(greedy, game).status_code for game in games]
    assert answers.count(202) == asked.MOST_OF_PLAYER
    assert set(answers) == {202, 503}, "the rest is refused to the player who fills the queue"
    world.work(jobs=1)
    assert analyse(other, games[-1], environ_base=ELSEWHERE).status_code == 202, "and to nobody else"
    world.work(jobs=6)
    assert done(other, games[-1]) == 3, "of six steps, each gets half"


def test_many_accounts_of_one_address_have_one_share(world, games):
    world.start(limit_analyse=Budget(0, 60))
    for number, game in enumerate(games[:40]):
        assert analyse(world.player(f"Guest {number}"), game).status_code == 202
    other = world.player()
    assert analyse(other, games[-1], environ_base=ELSEWHERE).status_code == 202
    world.work(jobs=6)
    assert done(other, games[-1]) == 3


def test_players_of_one_address_share_equally_too(world, games):
    world.start(limit_analyse=Budget(0, 60))
    greedy, other = world.player(), world.player()
    for game in games[:20]:
        analyse(greedy, game)
    analyse(other, games[-1])
    world.work(jobs=6)
    assert done(other, games[-1]) == 3


def test_what_an_event_needs_goes_first(world, games):
    world.start(limit_analyse=Budget(0, 60))
    greedy = world.player()
    for game in games:
        analyse(greedy, game)
    world.conduct()
    [event, *_] = greedy.get("/v1/events").json["items"]
    greedy.post(f"/v1/events/{event['event']}/entries")
    greedy.post(f"/v1/events/{event['event']}/boards/1/table")
    assert world.stores.boards.fields(event["event"]) == {}
    world.work(jobs=1)
    assert len(world.stores.boards.fields(event["event"])) == 1


def test_a_par_waits_for_its_share_and_not_for_all_analyses(world, games):
    world.start(limit_analyse=Budget(0, 60))
    greedy, other = world.player(), world.player()
    for game in games[:20]:
        analyse(greedy, game)
    path = f"/v1/games/{games[-1]}/rounds/1/par"
    assert other.post(path).status_code == 202
    world.work(jobs=4)
    assert other.get(path).json["done"] == 2


def test_an_analysis_costs_as_many_seconds_as_such_steps_take(world, games):
    lin = world.player()
    price = asked.Asked(world.redis).seconds("analysis", 4)
    analysis = analyse(lin, games[0])
    steps = len(analysing.decisions_of(analysing.log_of(world.tables, world.stores.archive, games[0]), 1))
    spent = world.settings.limit_analyse.limit - left(analyse(lin, games[0]))[1] - 2
    assert analysis.status_code == 202
    assert steps * price * 0.8 <= spent <= steps * price * 1.3 + 1, "asking again costs a request and no search"


def test_who_has_spent_the_seconds_is_refused_and_others_are_not(world, games):
    world.start(limit_analyse=Budget(50, 3_600))
    lin, mei = world.player(), world.player()
    assert analyse(lin, games[0]).status_code == 202
    assert_problem(analyse(lin, games[1]), "rate-limited", budget="analyse", limit=50)
    assert analyse(mei, games[1]).status_code == 202
    assert world.redis.llen(keys.asked_of(*_asker(lin))) == 1


def _asker(client, address="127.0.0.1"):
    return f"ip:{address}", client.player["id"]


def test_the_price_follows_what_steps_take(world, games):
    counts = asked.Asked(world.redis)
    before = counts.seconds("analysis", 4)
    for _ in range(60):
        counts.took("analysis", 4, steps=2, seconds=0.2)
    assert before > counts.seconds("analysis", 4) == pytest.approx(0.1, abs=0.02)
    assert counts.seconds("analysis", 12) > before, "more seats take longer"


def test_an_analysis_is_done_whoever_asked_first(world, games):
    lin, mei = world.player(), world.player()
    analyse(lin, games[0])
    analyse(mei, games[0])
    world.work()
    body = lin.get(f"/v1/games/{games[0]}/analysis?round=1").json
    assert body["status"] == "ready"
    assert world.redis.keys("sj:asked*") == [b"sj:asked-seconds"], "nothing waits any more"


def test_a_question_that_was_lost_with_its_searcher_can_be_asked_again(world, games):
    lin = world.player()
    analyse(lin, games[0])
    world.redis.delete("rq:queue:analysis")
    analyse(lin, games[0])
    assert world.redis.llen("rq:queue:analysis") == 1
    assert asked.Asked(world.redis).take() is not None, "as if its searcher had died now"
    world.work()
    assert done(lin, games[0]) == 0
    analyse(lin, games[0])
    world.work()
    assert done(lin, games[0]) > 50


def test_a_searcher_that_starts_goes_on_with_what_waits(world, games):
    lin = world.player()
    analyse(lin, games[0])
    world.redis.delete("rq:queue:analysis")
    world.work()
    assert done(lin, games[0]) > 50


def test_jobs_of_the_release_before_are_done_too(world, games):
    from workers import jobs

    world.work(jobs=1)
    jobs.analyse(games[0], 1)
    jobs.work_out_par(games[0], 1)
    world.work()
    assert len(world.stores.analyses.load(games[0], 1)["decisions"]) > 50


def test_operators_see_how_many_players_wait(world, games):
    lin, mei = world.player(), world.player()
    for client in (lin, mei):
        for game in games[:3]:
            analyse(client, game)
    assert world.read_worker_status().waiting["analysis"] == 2


def test_hints_at_many_tables_leave_the_searchers_to_others(world):
    tables = [world.table(hints="on") for _ in range(3)]
    for table in tables:
        decision = table.play_until("play")
        seat = decision["seats"][0]
        answer = table.clients[seat].post(f"{table.path}/hint?wait=0", {"decision_id": decision["id"]})
        assert answer.status_code == 202
    assert [world.redis.llen(f"rq:queue:{queue}") for queue in ("hint", "practice")] == [1, 2]
    elsewhere = world.table(hints="on")
    decision = elsewhere.play_until("play")
    client = elsewhere.clients[decision["seats"][0]]
    client.post(f"{elsewhere.path}/hint?wait=0", {"decision_id": decision["id"]}, environ_base=ELSEWHERE)
    assert world.redis.llen("rq:queue:hint") == 2


def test_turns_go_by_seconds_and_not_by_steps(world):
    queue = asked.Asked(world.redis)
    slow, quick = asked.Asker("ip:203.0.113.1", "pl_slow"), asked.Asker("ip:203.0.113.2", "pl_quick")
    for number in range(10):
        for asker in (slow, quick):
            assert queue.ask(asker, asked.Question("analysis", "gm_one", number, 4))
    turns = []
    for _ in range(12):
        taken = queue.take()
        turns.append(taken.asker)
        queue.end(taken, 3.0 if taken.asker == slow else 1.0, is_answered=False)
    assert turns.count(slow) == 3
