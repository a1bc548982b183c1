"""Errors found before an operation begins, and inputs that must never cause an internal error."""

import gzip
import io
import json

import pytest

from harness.document import document
from service.api.http.problems import STATUS
from service.common.errors import TooComplex
from service.store.port import StoreUnavailable
from service.texts import LANGUAGES, problems
from tests.api.contract import Client, assert_problem, resolved
from tests.api.http.test_problems import FROM_THE_SERVER

NEW = {"ruleset": "shengji", "players": 4}


def test_every_code_has_a_status_and_a_text_in_every_language():
    assert set(STATUS) == set(problems.PROBLEMS)
    for text in (*problems.PROBLEMS.values(),):
        assert set(text.title) == set(text.detail) == set(LANGUAGES)
    for text in (*problems.FAULTS.values(), *problems.REASONS.values()):
        assert set(text) == set(LANGUAGES)


def test_every_code_is_documented_for_some_operation():
    known = set()
    for operation in (each for item in document()["paths"].values() for each in item.values()):
        if operation["operationId"] == "provokeProblem":
            continue
        for status, answer in operation["responses"].items():
            if status.isdecimal() and status >= "400":
                known |= set(resolved(answer)["content"]["application/problem+json"]["examples"])
    # No operation documents these: either there is none for the method, or the server refuses before it looks for one.
    assert set(STATUS) - known == {"method-not-allowed", *FROM_THE_SERVER}


# --- errors of the framework -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/nope", "/v1/nope", "/v1/", "/v1//me", "/v1/tables/a/b/c", "/v1/tables/%2e%2e", "/assets/../app.py"]
)
def test_an_unknown_path_is_not_found(anybody, path):
    assert_problem(anybody.get(path), "not-found")


def test_an_unsupported_method_is_answered_with_the_supported_ones(anybody):
    answer = anybody.put("/v1/players")
    assert_problem(answer, "method-not-allowed", method="PUT", allowed=["OPTIONS", "POST"])
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
    for method in ("TRACE", "CONNECT", "BREW"):
        assert_problem(anybody.send(method, "/v1/players"), "method-not-allowed")


def test_a_body_without_a_json_content_type_is_refused(anybody):
    for kind in (None, "text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "x"):
        answer = anybody.post("/v1/players", data=b'{"name": "Lin"}', content_type=kind)
        assert_problem(answer, "unsupported-media-type")
    fine = anybody.post("/v1/players", data=b'{"name": "Lin"}', content_type="application/json; charset=UTF-8")
    assert fine.status_code == 201


def test_a_body_that_is_too_large_is_refused(world, anybody):
    body = b'{"name": "' + b"x" * world.settings.max_body_bytes + b'"}'
    answer = anybody.post("/v1/players", data=body, content_type="application/json")
    assert_problem(answer, "too-large", limit=world.settings.max_body_bytes)


def test_a_body_without_a_length_is_read_up_to_the_limit(world, anybody):
    def chunked(body):
        environ = {"wsgi.input": io.BytesIO(body), "wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
        return anybody.post("/v1/players", environ_overrides=environ, content_type="application/json")

    assert chunked(b'{"name": "Lin"}').json["player"]["name"] == "Lin"
    assert_problem(chunked(b" " * (world.settings.max_body_bytes + 1)), "too-large")


def test_an_internal_error_reveals_no_details(world):
    def broken(_):
        raise RuntimeError("secret: 7H")

    world.stores.players.get = broken
    client = Client(world.app, world.player().token)
    answer = client.get("/v1/players/pl_x")
    assert_problem(answer, "internal-error")
    assert "secret" not in answer.get_data(as_text=True)


def test_an_unavailable_store_is_answered_with_retry_after(world, lin):
    def away(_):
        raise StoreUnavailable(ConnectionError("gone"))

    world.tables.load = away
    answer = lin.get("/v1/tables/tb_x")
    assert_problem(answer, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0


def test_a_response_that_would_cost_too_much_is_refused(world):
    table = world.table()
    table.play_until("play")
    seat, _, _ = table.turn()

    def heavy(_):
        raise TooComplex(budget=1000)

    world.tables.load = heavy
    assert_problem(table.clients[seat].get(f"{table.path}/legal-plays"), "too-complex", budget=1000)


# --- malformed bodies --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "not_json"),
        (b"nonsense", "not_json"),
        (b'{"name": NaN}', "not_json"),
        (b'{"name": 1e999}', "number_too_large"),
        (b'{"name": "\\ud800"}', "lone_surrogate"),
        (b'{"name": "\xff"}', "not_utf8"),
        (b"[" * 7_000, "too_deep"),
        (b'{"a":' * 3_000, "too_deep"),
        (b"[" * 20_000, "too_many_values"),
        (b'{"a":' * 5_000, "too_many_values"),
        (b'{"name": ' + b"9" * 5_000 + b"}", "number_too_large"),
        (b"\xef\xbb\xbf{}", "not_json"),
        (b"\x00", "not_json"),
    ],
    ids=lambda arguments: repr(arguments[:14]),
)
def test_a_body_that_cannot_be_parsed_is_refused_with_the_reason(anybody, body, reason):
    answer = anybody.post("/v1/players", data=body, content_type="application/json")
    assert_problem(answer, "invalid-request", reason=reason)


@pytest.mark.parametrize(
    ("body", "line", "column"),
    [(b'{"name" "Lin"}', 1, 9), (b'{\n "name": "L', 2, 10), (b'{"NaN\\"":1,\n"name": NaN}', 2, 9)],
)
def test_invalid_json_is_refused_with_line_and_column(anybody, body, line, column):
    answer = anybody.post("/v1/players", data=body, content_type="application/json")
    problem = assert_problem(answer, "invalid-request", reason="not_json", line=line, column=column)
    assert problem["detail"] == f"The body is not valid JSON (line {line}, column {column})."


@pytest.mark.parametrize(
    "body", [gzip.compress(b'{"name": "Lin"}', mtime=0), b'{"name": "Lin"}'], ids=["gzip", "plain"]
)
def test_a_body_with_a_content_encoding_is_refused_by_its_name(anybody, body):
    def post(coding):
        headers = {"Content-Encoding": coding}
        return anybody.post("/v1/players", data=body, content_type="application/json", headers=headers)

    problem = assert_problem(post("gzip"), "unsupported-media-type", reason="content_encoding", encoding="gzip")
    assert "`Content-Encoding: gzip`" in problem["detail"]
    assert post("identity").status_code == (201 if body.startswith(b"{") else 400)


@pytest.mark.parametrize("body", [[], None, "x", 1, True, [{"name": "Lin"}]])
def test_a_body_that_is_not_an_object_is_refused(anybody, body):
    answer = anybody.post("/v1/players", data=json.dumps(body), content_type="application/json")
    problem = assert_problem(answer, "invalid-request")
    assert (problem["errors"][0]["pointer"], problem["errors"][0]["code"]) == ("", "not_an_object")


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"ruleset": None}, "/ruleset", "null"),
        ({"ruleset": "chess"}, "/ruleset", "choice"),
        ({"ruleset": 7}, "/ruleset", "choice"),
        ({"ruleset": ["shengji"]}, "/ruleset", "choice"),
        ({"seed": 7}, "/seed", "not_a_string"),
        ({"players": "4"}, "/players", "not_an_integer"),
        ({"players": True}, "/players", "not_an_integer"),
        ({"players": 4.5}, "/players", "not_an_integer"),
        ({"players": 3}, "/players", "range"),
        ({"options": []}, "/options", "not_an_object"),
        ({"chat": 1}, "/chat", "not_a_boolean"),
        ({"clock": {"play_ms": -1}}, "/clock/play_ms", "range"),
        ({"clock": {"play/ms": 1}}, "/clock/play~1ms", "unknown"),
        ({"seed": " " * 16}, "/seed", "illegible"),
        ({"seed": "easily guessed!"}, "/seed", "length"),
        ({"seed": "x" * 65}, "/seed", "length"),
        ({"Ruleset": "shengji"}, "/Ruleset", "unknown"),
    ],
)
def test_errors_point_at_the_invalid_field(lin, change, pointer, code):
    problem = assert_problem(lin.post("/v1/tables", {**NEW, **change}), "invalid-request", reason="fields")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]


def test_an_integer_may_be_written_with_a_decimal_point(lin):
    table = lin.post("/v1/tables", {**NEW, "players": 4.0, "options": {"misdeal": {"points_below": 45.0}}})
    assert table.status_code == 201
    assert table.json["options"]["misdeal"] == {"points_below": 45}


def test_nested_values_are_quoted_as_json(lin):
    answer = lin.post("/v1/tables", {**NEW, "options": {"misdeal": {"points_below": {"a": [1]}}}})
    problem = assert_problem(answer, "invalid-option", option="misdeal")
    assert 'misdeal cannot be {"points_below": {"a": [1]}};' in problem["detail"]


def test_all_errors_of_a_request_are_reported_together(lin):
    body = {"decision_id": 7, "cards": ["7H", "1X", None, 3], "units": [["ZZ"], 4], "x": 1}
    problem = assert_problem(lin.post("/v1/tables/tb_x/play", body), "invalid-request")
    assert {fault["pointer"]: fault["code"] for fault in problem["errors"]} == {
        "/decision_id": "not_a_string",
        "/cards/1": "no_such_card",
        "/cards/2": "no_such_card",
        "/cards/3": "no_such_card",
        "/units/0/0": "no_such_card",
        "/units/1": "not_an_array",
        "/x": "unknown",
    }


def test_unknown_fields_come_last_in_the_order_of_their_names(anybody):
    body = {"tables": {}, "name": 7, **dict.fromkeys("hgfedcba", 1)}
    problem = assert_problem(anybody.post("/v1/players", body), "invalid-request")
    names = [fault["pointer"][1:] for fault in problem["errors"]]
    assert names == ["name", *"abcdefgh", "tables"]


def test_problems_follow_the_language_of_the_request_then_of_the_player(world, anybody):
    token = anybody.post("/v1/players", {"name": "林", "locale": "zh-Hans"}).json["token"]
    lin = anybody.with_token(token)
    request = {
        None: "zh-Hans",
        "en": "en",
        "zh-TW": "zh-Hant",
        "fr": "zh-Hans",
        "de, en-GB;q=0.3": "en",
        "*": "en",
        "en;q=0": "zh-Hans",
        ";;;q=,": "zh-Hans",
        "en;q=nan": "zh-Hans",
    }
    for header, language in request.items():
        answer = lin.get("/v1/tables/tb_x", headers={} if header is None else {"Accept-Language": header})
        assert answer.headers["Content-Language"] == language, header
        assert answer.json["title"] == problems.PROBLEMS["not-found"].title[language]
        assert "Accept-Language" in answer.headers["Vary"]


# --- weird requests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer " + "x" * 5_000},
        {"Authorization": "Bearer \u00e9\u00ff"},
        {"Accept-Language": "q" * 8_000},
        {"X-Request-Id": "<script>"},
        {"X-Request-Id": "x" * 500},
        {"If-None-Match": '"' * 99},
        {"If-None-Match": "*"},
        {"Last-Event-ID": "\u00b2"},
        {"Idempotency-Key": "\u00e9" * 20},
        {"Content-Type": "\u00e9"},
        {"Host": "a b"},
        {"Origin": "null"},
    ],
    ids=lambda headers: next(iter(headers.items()))[0],
)
def test_weird_headers_never_break_anything(world, lin, headers):
    for method, path, body in (
        ("GET", "/v1/me", None),
        ("GET", "/v1/tables/tb_x", None),
        ("GET", "/v1/tables/tb_x/events", None),
        ("POST", "/v1/players", {"name": "Lin"}),
        ("GET", "/nope", None),
    ):
        answer = lin.send(method, path, body, headers=headers)
        assert answer.status_code < 500
        assert "<script>" not in str(answer.headers)


@pytest.mark.parametrize(
    "path", ["/%ff%fe", "/%00", "/v1/tables/%00", "/v1/players/%ed%a0%80", "/é", "/" + "x" * 5_000]
)
def test_weird_paths_are_not_found(lin, path):
    assert_problem(lin.get(path), "not-found")
