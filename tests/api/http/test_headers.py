"""What all responses have in common: request ids, CORS, security headers, the line in the log."""

import json
import re

import pytest
import structlog

ANSWERS = [
    ("GET", "/v1"),
    ("GET", "/nope"),
    ("PUT", "/v1/me"),
    ("GET", "/v1/me"),
    ("GET", "/"),
    ("POST", "/v1/players"),
]


@pytest.mark.parametrize(("method", "path"), ANSWERS)
def test_a_request_id_is_echoed_or_made(anybody, method, path):
    assert anybody.send(method, path, headers={"X-Request-Id": "my-1"}).headers["X-Request-Id"] == "my-1"
    request_id = anybody.send(method, path).headers["X-Request-Id"]
    assert re.fullmatch(r"rq_[0-9a-f]{16}", request_id)
    assert anybody.send(method, path).headers["X-Request-Id"] != request_id


@pytest.mark.parametrize(("method", "path"), ANSWERS)
def test_any_origin_may_read_responses(anybody, method, path):
    headers = anybody.send(method, path, headers={"Origin": "https://game.example"}).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in headers


def test_a_preflight_request_is_answered_with_what_is_allowed(anybody):
    headers = {
        "Origin": "https://game.example",
        "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "authorization, if-match",
    }
    answer = anybody.send("OPTIONS", "/v1/me", headers=headers)
    assert (answer.status_code, answer.get_data()) == (204, b"")
    assert "PATCH" in answer.headers["Access-Control-Allow-Methods"]
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    for header in ("authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "last-event-id"):
        assert header in allowed
    assert "Access-Control-Max-Age" in answer.headers


def test_if_origins_are_configured_others_may_not_read_responses(world):
    few = world.start(cors_origins=("https://game.example",))._flask
    fine = few.get("/v1", headers={"Origin": "https://game.example"}).headers
    assert fine["Access-Control-Allow-Origin"] == "https://game.example"
    for headers in ({"Origin": "https://evil.example"}, {}):
        answer = few.get("/v1", headers=headers)
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Origin" in answer.headers.getlist("Vary")


@pytest.mark.parametrize(("method", "path"), ANSWERS)
def test_headers_forbid_sniffing_and_framing_and_control_caching(anybody, method, path):
    headers = anybody.send(method, path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"]


def test_responses_to_a_player_are_not_cached(lin):
    assert lin.get("/v1/me").headers["Cache-Control"] == "no-store"


def test_a_head_request_is_answered_like_a_get_without_a_body(lin):
    answer = lin.send("HEAD", "/v1/me")
    assert (answer.status_code, answer.get_data()) == (200, b"")
    assert answer.headers["Content-Type"] == "application/json"


def test_the_log_line_of_a_request_names_no_token_no_card_and_no_table(world):
    table = world.table()
    table.play_until("play")
    with structlog.testing.capture_logs() as lines:
        table.step()
    line = next(line for line in lines if line["event"] == "request" and line["method"] == "POST")
    assert line["route"] == "/v1/tables/<table>/play"
    assert line["status"] == 200
    assert line["ms"] >= 0
    assert line["player"].startswith("pl_")
    assert line["request_id"].startswith("rq_")
    written = json.dumps(lines)
    assert "sjt_" not in written
    assert not re.search(r'"[2-9TJQKA][SHDC]"', written)
    assert table.id not in written


def test_the_log_tells_of_a_probe_only_when_it_fails(anybody):
    with structlog.testing.capture_logs() as lines:
        for path in ("/healthz", "/livez", "/metrics", "/v1"):
            assert anybody.get(path).status_code == 200
        assert anybody.send("POST", "/healthz").status_code == 405
    told = [(line["route"], line["status"]) for line in lines if line["log_level"] == "info"]
    assert [status for _, status in told] == [200, 405]
    assert told[0][0] == "/v1"
