"""Requests to all kinds of receivers: limited in time and size, never redirected."""

import socket
import threading

import pytest

from service.notices.outbound import MOST_BODY, Outbound
from tests.notices.receivers import Receiver

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def outbound(**more):
    return Outbound(is_private=True, **more)


def test_a_request_arrives_unchanged():
    with Receiver(lambda _: [OK]) as receiver:
        answer = outbound().post(receiver.url + "?a=1", {"webhook-id": "msg_1"}, b'{"x": 1}')
    assert (answer.status, answer.error) == (200, None)
    head, _, body = receiver.heard[0].partition(b"\r\n\r\n")
    assert head.splitlines()[0] == b"POST /hook?a=1 HTTP/1.1"
    assert b"webhook-id: msg_1" in head.splitlines()
    assert body == b'{"x": 1}'


@pytest.mark.parametrize(
    "parts",
    [
        [OK],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\n", b"\r\n", b"{}"],
        [OK[:20], OK[20:]],
    ],
)
def test_the_beginning_of_the_body_is_read_if_wanted(parts):
    with Receiver(lambda _: parts) as receiver:
        assert outbound().post(receiver.url, {}, b"{}", read=True).body == b"{}"
        assert outbound().post(receiver.url, {}, b"{}").body == b""


def test_very_little_of_an_answer_of_ten_megabytes_is_read():
    big = b"HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n"
    with Receiver(lambda _: [big, *([b"x" * 65_536] * 160)]) as receiver:
        answer = outbound().post(receiver.url, {}, b"{}", read=True)
        assert (answer.status, len(answer.body)) == (200, MOST_BODY)
        # Only what the kernel buffered.
        assert receiver.written < 10 * 1024 * 1024


def test_an_endless_head_is_aborted():
    with Receiver(lambda _: [b"HTTP/1.1 200 OK\r\n", *([b"X: " + b"y" * 4_000 + b"\r\n"] * 100)]) as receiver:
        assert outbound().post(receiver.url, {}, b"{}").error == "answer"


def test_a_slow_receiver_is_aborted_in_time():
    over = threading.Event()

    def trickle(_):
        yield b"HTTP/1.1 200 OK\r\n"
        while not over.wait(0.02):
            yield b"X"

    with Receiver(trickle) as receiver:
        answer = outbound(total_s=0.1).post(receiver.url, {}, b"{}")
        over.set()
    assert (answer.status, answer.error) == (None, "timeout")


def test_a_redirect_is_not_followed():
    with (
        Receiver(lambda _: [OK]) as other,
        Receiver(
            lambda _: [f"HTTP/1.1 307 Go\r\nLocation: {other.url}\r\nContent-Length: 0\r\n\r\n".encode()]
        ) as receiver,
    ):
        answer = outbound().post(receiver.url, {}, b"{}")
    assert (answer.status, answer.is_ok, other.heard) == (307, False, [])


def test_an_invalid_answer_is_an_error():
    with Receiver(lambda _: [b"SSH-2.0-OpenSSH_9.2\r\n\r\n"]) as receiver:
        assert outbound().post(receiver.url, {}, b"{}").error == "answer"
        secret = receiver.url.replace("http:", "https:")
        assert outbound(total_s=0.2).post(secret, {}, b"{}").error in ("tls", "timeout")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert outbound().post(f"http://127.0.0.1:{port}/", {}, b"{}").error == "connection"


@pytest.mark.parametrize(("header", "seconds"), [("60", 60), ("999999", 3_600), ("Wed, 21 Oct", None), ("-1", None)])
def test_a_receiver_may_request_a_delay_of_up_to_an_hour(header, seconds):
    with Receiver(lambda _: [f"HTTP/1.1 503 Later\r\nRetry-After: {header}\r\n\r\n".encode()]) as receiver:
        assert outbound().post(receiver.url, {}, b"{}").retry_after_s == seconds


def test_a_proxy_gets_the_name_and_is_the_only_connection():
    with Receiver(lambda _: [b"HTTP/1.1 200 Established\r\n\r\n"]) as proxy:
        port = int(proxy.url.rsplit(":", 1)[1].split("/")[0])
        sends = Outbound(resolve=_never, proxy=("127.0.0.1", port))
        assert sends.post("https://bot.example.net/", {}, b"{}").error in ("tls", "connection")
        assert sends.refusal_of_new("https://bot.example.net/", "") is None
    assert proxy.heard[0].startswith(b"CONNECT bot.example.net:443 HTTP/1.1\r\n")


def _never(*_):
    raise AssertionError("a proxy looks names up")
