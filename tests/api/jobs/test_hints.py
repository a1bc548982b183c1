"""Hints: what an AI player would do, knowing what the asking seat knows."""

import pytest

from service.api.resources import hints
from service.game.views.ai_view import ai_view
from tests.api.contract import assert_problem
from tests.workers.players import QUICK
from workers import ai


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Searches with minimal effort."""
    monkeypatch.setattr(ai, "LEVELS", QUICK)


def table_and_decision(world, kind="play", **spec):
    """A table that waits for a decision, the seat that it asks, and the body of a request for a hint."""
    spec.setdefault("hints", "on")
    table = world.table(**spec)
    decision = table.play_until(kind)
    return table, decision["seats"][0], {"decision_id": decision["id"]}


def hint(table, seat, body, wait=0, **more):
    return table.clients[seat].post(f"{table.path}/hint?wait={wait}", body, **more)


@pytest.mark.parametrize(
    ("kind", "ruleset", "players"),
    [
        ("declare", "shengji", 4),
        ("discard", "shengji", 4),
        ("call", "zhaopengyou", 5),
        ("play", "shengji", 4),
        ("road", "arms_length", 4),
        ("play", "arms_length", 4),
    ],
)
def test_a_hint_can_be_followed_as_it_is(world, kind, ruleset, players):
    table, seat, body = table_and_decision(world, kind, ruleset=ruleset, players=players)
    first = hint(table, seat, body)
    assert (first.status_code, first.json["status"], first.headers["Retry-After"]) == (202, "working", "1")
    world.work()
    advice = hint(table, seat, body)
    assert advice.status_code == 200
    assert (advice.json["status"], advice.json["level"]) == ("ready", "expert")
    assert advice.json["reason"]["text"]
    action = dict(advice.json["action"])
    path = f"{table.path}/{action.pop('type').replace('_', '-')}"
    assert table.clients[seat].post(path, {**body, **action}).status_code == 200


def test_a_hint_is_what_an_ai_player_of_that_level_would_do_in_that_seat(world):
    table, seat, body = table_and_decision(world)
    hint(table, seat, body)
    world.work()
    answer = hint(table, seat, body).json
    view, seed = world.tables.question_of(table.id, seat, body["decision_id"])
    assert view == ai_view(table.state(), seat, world.now)
    advice = ai.advise(view, seed, "expert")
    assert (answer["action"], answer["reason"]["code"]) == (advice.command, advice.reason["code"])
    assert [other["cards"] for other in answer["others"]] == [cards for cards, _ in advice.others]


def test_a_hint_asked_for_several_times_is_searched_once(world):
    table, seat, body = table_and_decision(world)
    for _ in range(3):
        assert hint(table, seat, body).status_code == 202
    assert world.redis.llen("rq:queue:hint") == 1
    world.work()
    assert hint(table, seat, body).json == hint(table, seat, body).json
    assert world.redis.llen("rq:queue:hint") == 0


def test_a_request_that_waits_gets_the_hint_if_it_is_ready_in_time(world, monkeypatch):
    table, seat, body = table_and_decision(world)
    monkeypatch.setattr(hints, "pause", lambda _: world.work())
    assert hint(table, seat, body, wait=5).status_code == 200


def test_without_a_searcher_a_worker_answers_by_rules(world):
    world.searchers = 0
    table, seat, body = table_and_decision(world)
    assert hint(table, seat, body).status_code == 202
    assert world.redis.llen("rq:queue:hint") == 0
    world.work("worker")
    assert hint(table, seat, body).json["level"] == "normal"


def test_a_hint_is_in_the_language_of_the_reader(world):
    world.searchers = 0
    table, seat, body = table_and_decision(world)
    hint(table, seat, body)
    world.work("worker")
    assert hint(table, seat, body, headers={"Accept-Language": "zh"}).json["reason"]["text"].endswith("。")
    assert hint(table, seat, body, headers={"Accept-Language": "en"}).json["reason"]["text"].endswith(".")


def test_the_decision_of_another_seat_gets_no_hint(world):
    table, seat, body = table_and_decision(world)
    assert_problem(hint(table, (seat + 1) % 4, body), "not-your-turn", seats=[seat])


def test_a_decision_that_is_over_gets_no_hint(world):
    table, seat, body = table_and_decision(world)
    table.step()
    assert_problem(hint(table, seat, body), "stale-decision")


def test_a_hint_for_a_table_that_has_moved_on_is_dropped(world):
    table, seat, body = table_and_decision(world)
    hint(table, seat, body)
    table.step()
    before = table.state()
    world.work()
    assert table.state() == before
    assert_problem(hint(table, seat, body), "stale-decision")


def test_a_request_that_waits_is_refused_when_the_table_moves_on(world, monkeypatch):
    table, seat, body = table_and_decision(world)

    def meanwhile(_):
        if table.state()["decision"]["id"] == body["decision_id"]:
            table.step()
        world.work()

    monkeypatch.setattr(hints, "pause", meanwhile)
    assert_problem(hint(table, seat, body, wait=5), "stale-decision")


def test_without_a_decision_of_the_round_there_is_no_hint(world):
    table = world.table(hints="on", ready=False)
    assert_problem(table.host.post(f"{table.path}/hint", {"decision_id": "dc_1"}), "wrong-phase", action="hint")
    table.get_ready()
    decision = table.play_until("ready")
    assert_problem(hint(table, 0, {"decision_id": decision["id"]}), "wrong-phase", expected="ready")


def test_strangers_and_spectators_get_no_hints(world):
    table, _, body = table_and_decision(world, spectators="delayed")
    assert_problem(world.player().post(f"{table.path}/hint", body), "not-your-seat")
    private, _, body = table_and_decision(world, visibility="private")
    assert_problem(world.player().post(f"{private.path}/hint", body), "no-spectators")
    assert_problem(world.anybody.post(f"{private.path}/hint", body), "unauthorized")


@pytest.mark.parametrize(
    ("setting", "arguments"),
    [({}, False), ({"hints": "on"}, True), ({"hints": "off"}, False), ({"seed": "monday-after-dinner"}, True)],
)
def test_in_rated_games_hints_are_given_only_if_the_table_turns_them_on(world, setting, arguments):
    table = world.table(**setting)
    decision = table.play_until("play")
    answer = hint(table, decision["seats"][0], {"decision_id": decision["id"]})
    if arguments:
        assert answer.status_code == 202
    else:
        assert_problem(answer, "hints-off", hints=setting.get("hints", "unrated"))


def test_a_game_of_one_person_against_ai_players_has_hints(world):
    table = world.table(seated=False)
    table.clients[0].post(f"{table.path}/seats", {"seat": 0})
    for seat in (1, 2, 3):
        table.host.put(f"{table.path}/seats/{seat}/ai", {"level": "easy"})
    table.host.put(f"{table.path}/seats/me/ready", {})
    while (decision := table.state()["decision"]) is None or decision["seats"] != [0]:
        world.now += 1000
        world.advance(table.id)
    assert hint(table, 0, {"decision_id": decision["id"]}).status_code == 202


def test_the_host_sets_whether_there_are_hints(world):
    table = world.table(ready=False)
    assert "hints" not in table.view(0)["settings"]
    answer = table.host.patch(table.path, {"hints": "off"}, headers={"If-Match": "*"})
    assert answer.json["view"]["settings"]["hints"] == "off"


def test_hints_have_a_budget_of_their_own(world):
    table, seat, body = table_and_decision(world)
    answer = hint(table, seat, body)
    assert answer.headers["RateLimit"].startswith('"hint"')


def test_if_the_search_fails_the_hint_follows_the_rules(world, monkeypatch):
    def broken(view, _random):
        raise RuntimeError(f"bad hand {view['my']['hand']}")

    monkeypatch.setattr(ai, "LEVELS", {**QUICK, "expert": {"play": broken}})
    table, seat, body = table_and_decision(world)
    hint(table, seat, body)
    world.work()
    assert hint(table, seat, body).json["level"] == "normal"
