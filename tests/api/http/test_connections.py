"""Connections: how many are allowed, and how long a request may take to arrive."""

import io
import json
import os
import resource
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from flask import Request

from harness.waiting import wait_until
from service.api.waiting import has_left
from service.processes.descriptors import most_connections, most_streams
from service.processes.gunicorn_worker import ClientSocket
from tests.api.contract import assert_problem
from tests.api.streams.test_events import STREAM, Stream
from tests.api.test_server import exchange, read_to_end, served

HEAD = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def hasty(module_redis):
    """The port of a service with a deadline of a second, instead of ten, for requests to arrive."""
    with served(module_redis, GUNICORN_CMD_ARGS="--worker-class=tests.api.hasty_worker.Worker") as port:
        yield port


def answered(port, *parts):
    """Send parts of a request and nothing more; return all that is received until the connection is closed."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        for part in parts:
            connection.sendall(part)
        return read_to_end(connection)


@pytest.mark.parametrize("parts", [(), (b"GET /v1 HT",), (b"GET /v1 HTTP/1.1\r\n", b"Host: x\r\n")])
def test_a_connection_that_does_not_send_a_head_in_time_is_closed(hasty, parts):
    assert answered(hasty, *parts) == b""


def test_a_body_that_does_not_come_in_time_is_refused(hasty):
    received = answered(hasty, HEAD + b"Content-Length: 30\r\n\r\n", b'{"name": ')
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    content = json.loads(body)
    assert (content["code"], content["params"]["reason"]) == ("invalid-request", "too_slow")


def test_a_head_that_trickles_in_does_not_gain_time_with_each_byte(hasty):
    with socket.create_connection(("127.0.0.1", hasty), 60) as connection:
        connection.settimeout(0.1)
        for _ in range(200):
            try:
                connection.sendall(b"x")
                if connection.recv(1) == b"":
                    return
            except TimeoutError:
                continue
            except OSError:
                return
    raise AssertionError("the connection is still open")


def test_an_idle_connection_serves_another_request_later(hasty):
    ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", hasty), 60) as connection:
        for _ in range(2):
            connection.sendall(ask)
            received = b""
            while not received.endswith(b"}"):
                more = connection.recv(65536)
                assert more, received
                received += more
            assert received.startswith(b"HTTP/1.1 200 ")
            connection.settimeout(1.5)
            with pytest.raises(TimeoutError):
                connection.recv(1)
            connection.settimeout(60)


def test_bodies_of_known_length_and_in_chunks_arrive(hasty):
    body = b'{"name": "Lin"}'
    assert exchange(hasty, HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)[0] == 201
    chunked = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    assert exchange(hasty, HEAD + chunked)[0] == 201


class Wire:
    """A socket that accepts `room` bytes at a time and records what was sent."""

    def __init__(self, room=1_000):
        self.room = room
        self.sent = []

    def send(self, data):
        self.sent.append(bytes(data[: self.room]))
        return len(self.sent[-1])

    def sendall(self, data):
        while data:
            data = data[self.send(data) :]

    def sendfile(self, file, _offset, _count):
        self.sendall(file.read())

    def close(self):
        self.sent.append("closed")


#: What `ClientSocket` looks at of gunicorn's request.
WITHOUT_BODY = SimpleNamespace(should_close=lambda: False)


def begun(wire):
    """A socket whose request has been received."""
    sock = ClientSocket(wire)
    sock.begin(WITHOUT_BODY)
    return sock


def test_the_head_of_a_response_is_sent_with_the_start_of_its_body():
    wire = Wire()
    sock = ClientSocket(wire)
    for _ in range(2):
        sock.begin(WITHOUT_BODY)
        for part in (b"head,", b"body,", b"more"):
            sock.sendall(part)
        sock.flush()
    sock.sendall(b"error")
    assert wire.sent == [b"head,body,", b"more", b"head,body,", b"more", b"error"]


def test_a_head_without_a_body_is_sent_when_the_response_ends():
    wire = Wire()
    sock = begun(wire)
    sock.sendall(b"head")
    assert wire.sent == []
    sock.flush()
    sock.flush()
    assert wire.sent == [b"head"]


def test_a_response_that_the_network_takes_in_parts_arrives_whole():
    wire = Wire(room=3)
    sock = begun(wire)
    for part in (b"head,", b"body"):
        sock.sendall(part)
    assert wire.sent == [b"hea", b"d,b", b"ody"]


def test_a_file_comes_after_its_head():
    wire = Wire()
    sock = begun(wire)
    sock.sendall(b"head,")
    sock.sendfile(io.BytesIO(b"file"))
    assert wire.sent == [b"head,", b"file"]


def test_of_a_response_that_fails_before_its_body_nothing_is_sent():
    wire = Wire()
    sock = begun(wire)
    sock.sendall(b"head")
    sock.close()
    sock.flush()
    assert wire.sent == ["closed"]


def test_a_connection_closed_by_the_client_is_noticed():
    client, server = socket.socketpair()
    request = Request({"gunicorn.socket": ClientSocket(server)})
    with client, server:
        assert not has_left(request)
        client.sendall(b"the next request")
        assert not has_left(request)
        assert server.recv(100) == b"the next request"
        client.close()
        assert has_left(request)


def test_responses_with_and_without_a_body_share_a_connection(hasty):
    with socket.create_connection(("127.0.0.1", hasty), 60) as connection, connection.makefile("rb") as answers:
        for method in (b"GET", b"HEAD", b"GET"):
            connection.sendall(method + b" /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n")
            assert answers.readline() == b"HTTP/1.1 200 OK\r\n"
            length = 0
            while (line := answers.readline()) != b"\r\n":
                name, _, value = line.partition(b": ")
                length = int(value) if name.lower() == b"content-length" else length
            assert length > 100_000
            if method != b"HEAD":
                assert len(answers.read(length)) == length


def test_the_service_raises_its_descriptor_limit_and_takes_as_many_connections(tmp_path):
    hard = min(2_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    show = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard}));"
        "from service import gunicorn_conf as conf;"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], conf.worker_connections)"
    )
    process = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True, timeout=60)
    assert process.stdout.split() == [str(hard), str(hard - 128)]


def test_garbage_collections_wait_for_the_application_and_then_skip_it():
    show = (
        "import gc, types; from service import gunicorn_conf as conf;"
        "conf.post_fork(None, None); print(gc.isenabled());"
        "from service import wsgi; conf.post_worker_init(types.SimpleNamespace(sockets=[]));"
        "print(gc.get_freeze_count() > 50_000, len(gc.get_objects()) < 1_000, gc.isenabled())"
    )
    environment = {**os.environ, "REDIS_URL": "redis://localhost"}
    run = [sys.executable, "-c", show]
    process = subprocess.run(run, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert process.stdout.split() == ["False", "True", "True", "True"]


def test_the_parser_stays_the_same_when_another_one_is_installed():
    show = (
        "import sys, types; sys.modules['gunicorn_h1c'] = types.SimpleNamespace(LimitRequestLine=ValueError);"
        "from gunicorn.config import Config; from gunicorn.http.message import _check_fast_parser as is_other;"
        "from service import gunicorn_conf as conf;"
        "ours = Config(); [ours.set(name, value) for name, value in vars(conf).items() if name in ours.settings];"
        "print(is_other(Config()), is_other(ours))"
    )
    process = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True, timeout=60)
    assert process.stdout.split() == ["True", "False"]


def test_streams_leave_connections_for_short_requests():
    assert [most_connections(limit) for limit in (256, 1_024, 20_000)] == [128, 896, 10_000]
    assert [most_streams(limit) for limit in (256, 1_024, 20_000)] == [96, 672, 7_500]


def test_streams_and_long_polls_of_a_player_are_limited(world):
    table, other = world.table(ready=False), world.table(ready=False)
    path, another = (f"{each.path}/events?after=5" for each in (table, other))
    few = world.start(player_streams=1)
    lin, mei = (few.with_token(table.clients[seat].token) for seat in (0, 1))
    with Stream(lin, path):
        refused = lin.get(another, headers=STREAM)
        assert_problem(refused, "too-many-streams", limit=1)
        assert refused.headers["Retry-After"] == "5"
        assert_problem(lin.get(f"{another}&wait=5"), "too-many-streams")
        assert lin.get(f"{another}&wait=0").status_code == 200
        with Stream(mei, another):
            pass
    with Stream(lin, another):
        pass


def test_the_oldest_of_several_streams_of_a_table_ends_for_a_new_one(world):
    table, other = world.table(ready=False), world.table(ready=False)
    path = f"{table.path}/events?after=5"
    lin = world.start(player_streams=3).with_token(table.host.token)
    with (
        Stream(lin, f"{other.path}/events?after=5") as elsewhere,
        Stream(lin, path) as first,
        Stream(lin, path) as second,
        Stream(lin, path) as third,
    ):
        assert first.end() == "too-many-streams"
        table.host.post(f"{table.path}/chat", {"text": "go on"})
        assert second.next()[2] == third.next()[2]
        other.host.post(f"{other.path}/chat", {"text": "go on"})
        assert elsewhere.next()[2]["type"] == "chat"


def test_streams_that_do_not_read_their_end_still_count(world):
    table = world.table(ready=False)
    path = f"{table.path}/events?after=5"
    lin = world.start(player_streams=2).with_token(table.host.token)
    unread = [Stream(lin, path) for _ in range(4)]
    assert_problem(lin.get(path, headers=STREAM), "too-many-streams", limit=2)
    assert unread[0].end() == "too-many-streams"
    unread[0].answer.close()
    unread.append(Stream(lin, path))
    assert unread[2].end() == "too-many-streams"
    for stream in unread:
        stream.answer.close()


def test_the_oldest_of_several_long_polls_of_a_table_ends_for_a_new_one(world):
    table = world.table(ready=False)
    lin = world.start(player_streams=1).with_token(table.host.token)
    path = f"{table.path}/events?after={lin.get(table.path).json['version']}"
    with ThreadPoolExecutor(1) as threads:
        poll = threads.submit(lin.get, f"{path}&wait=20")
        held = world.app.extensions["services"].streams._open
        wait_until(lambda: any(each.follower for of_player in list(held.values()) for each in of_player))
        assert not poll.done()
        with Stream(lin, path):
            assert_problem(poll.result(60), "too-many-streams")
