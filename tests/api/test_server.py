"""The API as served by gunicorn: invalid requests, several processes, stopping."""

import json
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from harness.waiting import wait_until
from service.game.records.replay import MOST_STEPS
from tests.api.contract import assert_is
from tests.api.game.test_checks import record_of


@contextmanager
def gunicorn(redis_url, **environment):
    """Run gunicorn with the service's settings; yield its process and its port."""
    with launched(redis_url, **environment) as (process, port):
        wait_until(lambda: answers(port) or process.poll() is not None)
        assert process.poll() is None, "gunicorn ended"
        yield process, port


@contextmanager
def launched(redis_url, app="service.wsgi:app", **environment):
    """Like `gunicorn`, but do not wait until it answers."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    known = {"PORT": str(port), "API_WORKERS": "1", "REDIS_URL": redis_url, "LOG_LEVEL": "error", **environment}
    command = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf", app]
    process = subprocess.Popen(command, env={**os.environ, **known})
    try:
        yield process, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


@contextmanager
def served(redis_url, **environment):
    """Like `gunicorn`, but yield only the port."""
    with gunicorn(redis_url, **environment) as (_, port):
        yield port


def answers(port):
    """Whether a worker answers requests."""
    try:
        return exchange(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0] == 200
    except (OSError, ValueError, IndexError):
        return False


@pytest.fixture(scope="module")
def port(module_redis):
    with served(module_redis) as port:
        yield port


def read_to_end(connection):
    """Return all that is received until the connection is closed."""
    received = b""
    try:
        while more := connection.recv(65536):
            received += more
    except ConnectionResetError:
        pass
    return received


def exchange(port, sent):
    """Send bytes; return status, headers and body of the response."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(sent)
        with suppress(OSError):
            # The server may have responded and closed before it has read everything.
            connection.shutdown(socket.SHUT_WR)
        received = read_to_end(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


METRICS = b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET /v1 HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
        POST + b"Content-Length: abc\r\n\r\n{}",
        POST + b"Content-Length: -5\r\n\r\n{}",
        POST + b"Transfer-Encoding: gzip\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        POST + b"Content-Length: 100\r\n\r\n{",
    ],
    ids=lambda sent: repr(sent[-30:]),
)
def test_invalid_http_gets_a_problem(port, sent):
    status, headers, body = exchange(port, sent)
    assert status == 400
    assert headers["content-type"] == "application/problem+json"
    problem = json.loads(body)
    assert_is("Problem", problem)
    assert problem["code"] == "invalid-request"
    assert problem["request_id"] == headers["x-request-id"]
    assert headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"GET /v1?" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", (414, "uri-too-long")),
        (b"GET /v1 HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9_000 + b"\r\n\r\n", (431, "headers-too-large")),
        (
            b"GET /v1 HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: 1\r\n" % number for number in range(200)) + b"\r\n",
            (431, "headers-too-large"),
        ),
    ],
    ids=["line", "header", "headers"],
)
def test_requests_that_are_too_long_get_a_problem(port, sent, expected):
    status, headers, body = exchange(port, sent)
    problem = json.loads(body)
    assert_is("Problem", problem)
    assert (status, problem["code"], headers["content-type"]) == (*expected, "application/problem+json")


def test_a_body_in_chunks_is_read(port):
    sent = POST + b'Transfer-Encoding: chunked\r\n\r\nf\r\n{"name": "Lin"}\r\n0\r\n\r\n'
    status, _, body = exchange(port, sent)
    assert status == 201
    assert json.loads(body[body.index(b"{") : body.rindex(b"}") + 1])["player"]["name"] == "Lin"


def test_a_chunked_body_up_to_the_limit_is_read_and_one_byte_more_is_too_large(port):
    def answered(length):
        body = b'{"name": "Lin"}'.ljust(length)
        return exchange(port, POST + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (length, body))

    assert answered(65_536)[0] == 201
    status, _, body = answered(65_537)
    assert (status, json.loads(body)["params"]["limit"]) == (413, 65_536)
    assert answered(200_000)[1]["connection"] == "close"


@pytest.mark.parametrize("how", [b"Content-Length: 9000000\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_client_that_goes_on_sending_gets_to_know_that_its_body_is_too_large(port, how):
    """The connection is not reset while the answer is on its way."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(POST + how + b"\r\n")
        chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
        for _ in range(20):
            connection.sendall(chunk)
        received = read_to_end(connection)
    assert received.startswith(b"HTTP/1.1 413 ")
    assert b"\r\nConnection: close\r\n" in received
    assert json.loads(received.partition(b"\r\n\r\n")[2])["code"] == "too-large"


def test_continue_is_sent_only_when_the_body_is_wanted(port):
    expecting = POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n"
    body = b'{"name": "Lin"}'
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(expecting % len(body))
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 201 ")
        # The connection stays.
        connection.sendall(POST.replace(b"POST /v1/players", b"GET /healthz") + b"Connection: close\r\n\r\n")
        assert read_to_end(connection).startswith(b"HTTP/1.1 200 ")
    for sent, expected in (
        (expecting % 9_000_000, b"HTTP/1.1 413 "),
        (expecting.replace(b"players", b"tables") % 10, b"HTTP/1.1 401 "),
    ):
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            connection.sendall(sent)
            received = read_to_end(connection)
        assert received.startswith(expected)
        # Whatever the client sends next might be the body, or the next request.
        assert b"\r\nConnection: close\r\n" in received


def test_a_short_body_that_nobody_reads_does_not_end_the_connection(port):
    unread = POST.replace(b"players", b"tables") + b"Content-Length: 2\r\n\r\n{}"
    last = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(unread + last)
        received = read_to_end(connection)
    assert received.startswith(b"HTTP/1.1 401 ")
    assert b"HTTP/1.1 200 " in received


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        ([], 400),
        (["x", "x"], 400),
        (["x", "y"], 400),
        ([""], 400),
        (["a b"], 400),
        (["a/b"], 400),
        (["a@b"], 400),
        (["a:b"], 400),
        (["[::1"], 400),
        (["\u00fc.example"], 400),
        (["x"], 200),
        (["x:8000"], 200),
        (["[::1]:8000"], 200),
        (["127.0.0.1"], 200),
        (["play.example.org."], 200),
        (["a_b-c.example"], 200),
    ],
)
def test_a_request_names_one_valid_host(port, hosts, expected):
    fields = "".join(f"Host: {host}\r\n" for host in hosts)
    status, headers, body = exchange(port, f"GET /healthz HTTP/1.1\r\n{fields}Connection: close\r\n\r\n".encode())
    assert status == expected
    if expected == 400:
        assert (headers["content-type"], json.loads(body)["code"]) == ("application/problem+json", "invalid-request")


def test_http_1_0_needs_no_host(port):
    assert exchange(port, b"GET /healthz HTTP/1.0\r\n\r\n")[0] == 200


def test_headers_cannot_replace_the_path_or_the_scheme(port):
    head = b"GET /v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPATH_INFO: /nowhere\r\nSCRIPT_NAME: /v1\r\n"
    assert exchange(port, head + b"X-Forwarded-Proto: https\r\nX-Forwarded-Ssl: off\r\n\r\n")[0] == 200


def test_metrics_are_summed_over_all_processes(empty_redis):
    with served(empty_redis, API_WORKERS="2") as port:
        for _ in range(20):
            assert exchange(port, b"GET /v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0] == 200
        _, _, body = exchange(port, METRICS)
    assert b'http_requests_total{method="GET",route="/v1",status="200"} 20.0' in body


def test_a_long_record_check_does_not_block_other_requests(port):
    """Without interruptions, it would hold up all requests and streams of the process."""
    with ThreadPoolExecutor(1) as pool:
        check = pool.submit(exchange, port, long_check(port, MOST_STEPS))
        others = 0
        while not check.done():
            assert answers(port)
            others += 1
    status, _, answer = check.result()
    assert (status, json.loads(answer)["ok"]) == (200, True)
    assert others > 5, "if it held up the process, one or two"


def test_a_stopping_server_finishes_its_requests(empty_redis):
    with gunicorn(empty_redis) as (process, port), ThreadPoolExecutor(1) as pool:
        mine = b"Authorization: Bearer %b\r\n" % token(port)
        spec = b'{"ruleset": "shengji", "players": 4}'
        connection = (
            POST.replace(b"players", b"tables") + mine + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(spec)
        )
        table = json.loads(exchange(port, connection + spec)[2])["id"].encode()
        poll = b"GET /v1/tables/%b/events?wait=2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%b\r\n" % (table, mine)
        polling = pool.submit(exchange, port, poll)
        while b"\nevent_streams 1.0" not in exchange(port, METRICS)[2]:
            assert not polling.done()
        process.send_signal(signal.SIGTERM)
        status, _, answer = polling.result()
        assert (status, json.loads(answer)["events"]) == (200, [])
        assert process.wait(30) == 0


def long_check(port, steps):
    """A request that takes up to so many steps, as bytes."""
    record = record_of("shengji", 4, {})
    record["rounds"] *= steps // sum(len(each["actions"]) for each in record["rounds"])
    body = json.dumps(record).encode()
    head = POST.replace(b"players", b"record-checks") + b"Authorization: Bearer %b\r\n" % token(port)
    return b"%bContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (head, len(body), body)


def token(port):
    body = b'{"name": "Lin"}'
    _, _, answer = exchange(port, POST + b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(body), body))
    return json.loads(answer)["token"].encode()


def test_no_connection_is_taken_before_it_can_be_answered(empty_redis, tmp_path):
    loading, go = tmp_path / "loading", tmp_path / "go"
    (tmp_path / "slow.py").write_text(
        "import time\nfrom pathlib import Path\n"
        f"Path({str(loading)!r}).touch()\n"
        f"while not Path({str(go)!r}).exists():\n    time.sleep(0.05)\n"
        "from service.wsgi import app\n"
    )
    path = {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}"}
    with launched(empty_redis, app="slow:app", API_WORKERS="2", **path) as (process, port):
        wait_until(loading.exists)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 60)
        go.touch()
        wait_until(lambda: accepts(port))
        assert answers(port)
        assert process.poll() is None


def accepts(port):
    """Whether a connection is taken."""
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 60):
        return True
    return False
