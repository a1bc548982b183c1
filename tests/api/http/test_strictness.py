"""Unknown, repeated and misplaced parts of requests are refused, and the refusal points at them."""

import re

import pytest

from harness.document import document
from service.common.settings import Budget
from tests.api.contract import assert_problem

OPERATOR = "x" * 32
RANDOM = "d0f7c4b8-2c36-4a0e-8f5f-6f1f6e1f9a27"


def pointers(problem):
    return [(fault["pointer"], fault["code"]) for fault in problem["errors"]]


IDS = {"table": "tb_x", "game": "gm_x", "player": "pl_x", "code": "ABCDEF", "ruleset": "shengji"}
OPERATIONS = [
    (method.upper(), re.sub(r"\{(\w+)\}", lambda match: IDS.get(match[1], "1"), path), operation)
    for path, operations in document()["paths"].items()
    for method, operation in operations.items()
    if path.startswith("/v1") and method != "parameters"
]


@pytest.fixture
def unlimited(world):
    """Return a function from a path to a client without limits that may use it: a player or an operator."""
    limits = {name: Budget(0, 60) for name in ("limit_act", "limit_read", "limit_create", "limit_oracle")}
    client = world.start(**limits, operator_token=OPERATOR)
    player, operator = client.with_token(world.player().token), client.with_token(OPERATOR)
    return lambda path: operator if path.startswith("/v1/operator") else player


def test_unknown_query_parameters_are_refused_everywhere(unlimited):
    for method, path, _ in OPERATIONS:
        problem = assert_problem(unlimited(path).send(method, f"{path}?colour=red"), "invalid-request")
        assert ("?colour", "unknown") in pointers(problem), (method, path)


@pytest.mark.parametrize(
    ("query", "code", "message"),
    [
        ("limit=1&limit=2", "repeated", "only once"),
        ("ruleset=a&ruleset=b", "repeated", "only once"),
        ("cursor=x", "no_such_cursor", "start from the beginning"),
        ("limit=" + "9" * 26, "range", "between 1 and"),
        ("limit=1.0", "not_an_integer", "integer"),
    ],
)
def test_an_invalid_query_parameter_is_refused_with_the_reason(lin, query, code, message):
    fault = assert_problem(lin.get(f"/v1/tables?{query}"), "invalid-request")["errors"][0]
    assert (fault["pointer"], fault["code"]) == (f"?{query.partition('=')[0]}", code)
    assert message in fault["detail"]


def test_unknown_fields_are_refused_everywhere(unlimited):
    with_body = [(method, path) for method, path, operation in OPERATIONS if "requestBody" in operation]
    # A record may come from a later version of the service.
    with_body.remove(("POST", "/v1/record-checks"))
    assert len(with_body) > 30
    for method, path in with_body:
        problem = assert_problem(unlimited(path).send(method, path, {"colour": "red"}), "invalid-request")
        assert ("/colour", "unknown") in pointers(problem), (method, path)


def test_a_body_is_refused_where_none_is_expected(world):
    table = world.table()
    for method, path in (
        ("POST", "/seats/me/resume"),
        ("DELETE", "/seats/me"),
        ("DELETE", ""),
        ("POST", "/stream-ticket"),
    ):
        answer = table.host.send(method, table.path + path, {"force": True})
        assert pointers(assert_problem(answer, "invalid-request")) == [("/force", "unknown")]
    assert table.host.post(f"{table.path}/seats/me/resume", {}).status_code == 200
    answer = table.host.post(f"{table.path}/seats/me/resume", data="x=1", content_type="text/plain")
    assert_problem(answer, "unsupported-media-type")


def test_a_misspelt_field_of_the_oracle_is_refused(lin):
    body = {"trump": {"rank": "2", "suit": "S"}, "players": 4, "option": {"overcall": "none"}}
    problem = assert_problem(lin.post("/v1/rulesets/shengji/order", body), "invalid-request")
    assert ("/option", "unknown") in pointers(problem)


@pytest.mark.parametrize(
    "body",
    ['{"name": "Lin", "name": "Mei"}', '{"name": "Lin", "x": {"y": 1, "y": 1}}', '{"a": [{"name": 1, "name": 1}]}'],
)
def test_a_repeated_name_in_an_object_is_refused(anybody, body):
    answer = anybody.post("/v1/players", data=body, content_type="application/json")
    assert pointers(assert_problem(answer, "invalid-request", reason="duplicate_name")) == [("", "duplicate_name")]


def test_every_invalid_request_points_at_something(world, lin):
    table = world.table(ready=False)
    answers = [
        lin.post("/v1/players", data="{", content_type="application/json"),
        lin.post("/v1/players", data=b"\xff", content_type="application/json"),
        lin.post("/v1/players", {"name": "Mei"}, headers={"Idempotency-Key": "x"}),
        lin.post("/v1/tables", {"ruleset": "shengji", "players": 5}),
        table.host.patch(table.path, {"chat": False}, headers={"If-Match": "now"}),
        table.host.get(f"{table.path}/events", headers={"Last-Event-ID": "x"}),
        table.host.post(f"{table.path}/chat", {}),
        table.host.post(f"{table.path}/chat", {"preset": "moo"}),
    ]
    problem = [pointers(assert_problem(answer, "invalid-request")) for answer in answers]
    assert [one[0][0] for one in problem] == [
        "",
        "",
        "Idempotency-Key:",
        "/players",
        "If-Match:",
        "Last-Event-ID:",
        "",
        "/preset",
    ]


def test_reading_after_the_end_of_the_log_is_refused(world):
    table = world.table()
    version = table.state()["version"]
    assert table.host.get(f"{table.path}/events?after={version}").status_code == 200
    for query, headers in ((f"?after={version + 1}", {}), ("?wait=1", {"Last-Event-ID": str(version + 1)})):
        problem = assert_problem(table.host.get(f"{table.path}/events{query}", headers=headers), "invalid-request")
        assert problem["errors"][0]["code"] == "beyond_log"
        assert str(version) in problem["errors"][0]["detail"]


def test_a_cursor_belongs_to_the_list_that_gave_it(world, lin):
    for _ in range(2):
        lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"})
    cursor = lin.get("/v1/tables?limit=1").json["next_cursor"]
    assert lin.get(f"/v1/tables?limit=1&cursor={cursor}").json["items"]
    for other in (f"/v1/tables?status=playing&cursor={cursor}", f"/v1/leaderboard?ruleset=shengji&cursor={cursor}"):
        assert pointers(assert_problem(lin.get(other), "invalid-request")) == [("?cursor", "no_such_cursor")]


@pytest.mark.parametrize(
    "key",
    [
        "5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10",
        "550E8400-E29B-41D4-A716-446655440000",
        "00000000-0000-0000-0000-000000000000",
        "1234567890123456",
        "0123456789abcdef",
        "aaaaaaaaaaaaaaaaaaaa",
        "abababababababab",
        "your-idempotency-key",
        "{{idempotencyKey}}",
        "password12345678",
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    ],
)
def test_an_idempotency_key_that_others_might_send_is_refused(anybody, key):
    problem = assert_problem(
        anybody.post("/v1/players", {"name": "Lin"}, headers={"Idempotency-Key": key}), "invalid-request"
    )
    assert pointers(problem) == [("Idempotency-Key:", "weak_key")]


@pytest.mark.parametrize("key", [RANDOM, RANDOM.replace("-", "").upper(), "01914d2e-8f3b-7c5a-9d60-4b8e1f7a2c93"])
def test_registering_twice_with_a_random_key_makes_one_account(anybody, key):
    account = [anybody.post("/v1/players", {"name": "Lin"}, headers={"Idempotency-Key": key}).json for _ in range(2)]
    assert account[0] == account[1]


def test_closing_a_table_during_a_game_is_refused_with_a_hint_at_votes(world):
    table = world.table()
    problem = assert_problem(table.host.delete(table.path), "game-running", reason="vote_to_end")
    assert "vote" in problem["detail"]
