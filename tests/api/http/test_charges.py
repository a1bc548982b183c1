"""What requests cost (as much as the work they cause), and that responses to long faulty bodies are short."""

import json

import pytest

from service.api.http import problems
from service.api.http.problems import RateLimited
from service.api.http.rate_limits import RateLimiter
from service.common.errors import TooComplex
from service.common.settings import Budget
from tests.api.conftest import MemoryCounter
from tests.api.contract import assert_problem
from tests.api.http.test_limits import left


def test_unchanged_tables_and_empty_polls_are_free_up_to_a_budget_of_their_own(world):
    table = world.table(ready=False)
    host = world.start(limit_poll=Budget(4, 3_600)).with_token(table.host.token)
    before = left(host.get("/v1/me"))[1]
    tag = host.get(table.path).headers["ETag"]
    for _ in range(3):
        assert host.get(table.path, headers={"If-None-Match": tag}).status_code == 304
        assert host.get(f"{table.path}/events?wait=0").json["events"] == []
    # The first read of the table, two requests more than are free, and the last read of the budget.
    assert left(host.get("/v1/me"))[1] == before - 1 - 2 - 1


def test_records_and_lists_cost_more_than_a_plain_read(world):
    table = world.table(4, "arms_length")
    game = table.view()["game"]["id"]

    def cost(path):
        before = left(table.host.get("/v1/me"))[1]
        assert table.host.get(path).status_code in (200, 404, 409)
        return before - left(table.host.get("/v1/me"))[1] - 1

    assert cost(table.path) == 1
    assert cost("/v1/me/tables") == 10
    assert cost("/v1/tables") == 20
    assert cost(f"/v1/games/{game}") == cost(f"/v1/games/{game}/record") == 50
    assert cost(f"/v1/games/{game}/rounds/1/events") == 50
    assert cost(f"/v1/games/{game}/rounds/1") == cost(f"/v1/games/{game}/rounds/1/states/3") == 50


def test_a_long_page_of_events_costs_more_than_a_short_one(world):
    table = world.table(ready=False, spectators="delayed")
    for number in range(120):
        world.tables.act(table.id, {"type": "chat", "player": f"pl_{number % 8}", "name": "X", "text": "hello"})
    before = left(table.host.get("/v1/me"))[1]
    assert len(table.host.get(f"{table.path}/events?limit=120").json["events"]) == 120
    assert before - left(table.host.get("/v1/me"))[1] == 1 + 1 + 2


def test_a_request_that_is_too_complex_costs_the_work_done_for_it(world):
    table = world.table()

    def heavy(_):
        raise TooComplex(budget=1_000)

    before = left(table.host.get("/v1/me"))[1]
    world.tables.load = heavy
    assert_problem(table.host.get(f"{table.path}/legal-plays"), "too-complex")
    assert before - left(table.host.get("/v1/me"))[1] == 1 + 1 + 50


def test_a_request_is_charged_as_a_whole_or_not_at_all():
    limiter = RateLimiter(MemoryCounter(), {"read": Budget(100, 60)}, lambda: 1000.0)
    limiter.charge("read", "pl_x", 60)
    with pytest.raises(RateLimited):
        limiter.charge("read", "pl_x", 60)
    assert limiter.charge("read", "pl_x", 40).startswith('"read";r=0;')
    small = RateLimiter(MemoryCounter(), {"read": Budget(3, 60)}, lambda: 1000.0)
    assert small.charge("read", "pl_x", 50).startswith('"read";r=0;')


@pytest.mark.parametrize(
    "body",
    [
        {f"x{number}": 1 for number in range(5_000)},
        {"x" * 60_000: 1},
        {"ruleset": "x" * 60_000, "players": 4},
        {"ruleset": "shengji", "players": 4, "options": {"overcall": "x" * 60_000}},
        {"ruleset": "shengji", "players": 4, "options": {"overcall": ["x"] * 12_000}},
        {"ruleset": "shengji", "players": 4, "options": {"overcall": {f"x{number}": 1 for number in range(5_000)}}},
        {"ruleset": "shengji", "players": 4, "options": {"x" * 60_000: 1}},
        {"ruleset": "shengji", "players": 4, "clock": {f"x{number}": 1 for number in range(5_000)}},
        {"ruleset": ["x"] * 6_000, "players": [4] * 6_000},
    ],
)
def test_a_problem_is_short_whatever_was_wrong(lin, body):
    assert len(json.dumps(body)) > 24_000
    answer = lin.post("/v1/tables", body)
    assert answer.status_code in (400, 422)
    assert len(answer.data) < 8_000


def test_a_problem_says_that_there_are_more_faults_than_it_shows(lin):
    view = assert_problem(lin.post("/v1/tables", {f"x{number}": 1 for number in range(50)}), "invalid-request")
    assert len(view["errors"]) == problems.MOST_FAULTS
    assert 0 < view["params"]["more_errors"] <= 50 + 2 - problems.MOST_FAULTS


@pytest.mark.parametrize(
    ("path", "body"), [("declare", {"cards": ["ZZ"] * 9_000}), ("play", {"cards": ["AS"] * 9_000})]
)
def test_a_refused_action_is_short_too(world, path, body):
    table = world.table()
    decision = table.view()["decision"]["id"]
    assert len(table.host.post(f"{table.path}/{path}", {"decision_id": decision, **body}).data) < 8_000
