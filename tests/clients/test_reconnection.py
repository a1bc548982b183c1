"""Clients whose connection breaks at any moment see the same events as one whose connection never does."""

import json
import zlib
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from random import Random

import pytest

PLAYERS = 4
STREAM = {"Accept": "text/event-stream"}


class Caller:
    """A player's program, with a connection for each request, which may break before the answer is read."""

    def __init__(self, service, token=None):
        self.service = service
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def open(self, method, path, body=None, headers=()):
        connection = HTTPConnection("127.0.0.1", self.service.port, timeout=40)
        connection.request(method, path, None if body is None else json.dumps(body), {**self.headers, **dict(headers)})
        return connection

    def send(self, method, path, body=None):
        connection = self.open(method, path, body)
        try:
            answer = connection.getresponse()
            content = json.load(answer)
            assert answer.status < 400, content
            return content
        finally:
            connection.close()


class Table:
    """A table with a player on seat 0 and AI players on the others."""

    def __init__(self, service, pace):
        token = Caller(service).send("POST", "/v1/players", {"name": "Lin", "kind": "bot"})["token"]
        self.caller = Caller(service, token)
        options = {"deal_pace": "instant"}
        spec = {"ruleset": "shengji", "players": PLAYERS, "options": options, "ai_pace_ms": pace}
        self.path = f"/v1/tables/{self.caller.send('POST', '/v1/tables', spec)['id']}"
        self.caller.send("POST", f"{self.path}/seats", {"seat": 0})
        for seat in range(1, PLAYERS):
            self.caller.send("PUT", f"{self.path}/seats/{seat}/ai", {})

    def whole_log(self):
        return self.caller.send("GET", f"{self.path}/events?after=0&limit=500")["events"]


def is_last(event):
    return event["type"] == "decision_opened" and event["data"]["kind"] == "ready" and event["round"] is not None


def follow_stream(table, random, coding="identity"):
    """Follow the stream to the end of the round; return the events, and how often the connection broke."""
    events, drops = [], -1
    while not (events and is_last(events[-1])):
        drops += 1
        resume = {"Last-Event-ID": str(events[-1]["seq"])} if events else {}
        headers = {**STREAM, **resume, "Accept-Encoding": coding}
        connection = table.caller.open("GET", f"{table.path}/events?after=0", headers=headers)
        answer, buffer = connection.getresponse(), b""
        assert answer.headers.get("Content-Encoding", "identity") == coding
        unpack = zlib.decompressobj(31).decompress if coding == "gzip" else bytes
        # `table_created` is the largest event: a connection that breaks within it stays open for a while, as one of
        # the streams that the player may have.
        left = random.randrange(1, 3_000 if events else 12_000) if random else None
        while (left is None or left > 0) and not (events and is_last(events[-1])):
            chunk = answer.read1(1_000 if left is None else min(left, 1_000))
            assert chunk, "the stream has ended in the middle of a round"
            left = left and left - len(chunk)
            *messages, buffer = (buffer + unpack(chunk)).split(b"\n\n")
            events += [event for event in map(event_of, messages) if event is not None]
        connection.close()
    return events, drops


def stored(event):
    """Return an event without its hints, which it has only while its decision is open."""
    return {**event, "data": {name: value for name, value in event["data"].items() if name != "hints"}}


def event_of(message):
    fields = dict(line.split(": ", 1) for line in message.decode().split("\n"))
    if "event" in fields or "data" not in fields:
        return None
    event = json.loads(fields["data"])
    assert fields["id"] == str(event["seq"])
    return event


def follow_polls(table, random):
    """Do the same by long polling, and lose about a third of the answers, or parts of them."""
    events, drops = [], 0
    while not (events and is_last(events[-1])):
        after = events[-1]["seq"] if events else 0
        connection = table.caller.open("GET", f"{table.path}/events?after={after}&wait=20&limit=7")
        if random.random() < 0.3:
            drops += 1
            if random.random() < 0.5:
                connection.getresponse().read(random.randrange(200))
        else:
            events += json.load(connection.getresponse())["events"]
        connection.close()
    return events, drops


def play(table, random):
    """Play the round; lose about half of the answers and send the request again. Return how many were lost."""
    lost = 0
    after = 0
    table.caller.send("PUT", f"{table.path}/seats/me/ready", {})
    while True:
        after = table.caller.send("GET", f"{table.path}/events?after={after}&wait=20")["next_after"]
        view = table.caller.send("GET", table.path)
        decision = view["decision"]
        if view["version"] > after or decision is None:
            continue
        if decision["kind"] == "ready":
            return lost
        if 0 in decision["seats"]:
            action, body = answer_to(decision)
            if random.random() < 0.5:
                lost += 1
                table.caller.open("POST", f"{table.path}/{action}", body).close()
            table.caller.send("POST", f"{table.path}/{action}", body)


def answer_to(decision):
    hints, body = decision["hints"], {"decision_id": decision["id"]}
    if decision["kind"] in ("play", "discard"):
        return decision["kind"], {**body, "cards": hints["example"]}
    if hints["possible"]:
        return "declare", {**body, "cards": hints["possible"][-1]}
    return "pass", body


@pytest.mark.parametrize("pace", [0, 20])
def test_a_client_that_reconnects_gets_every_event_once(service, pace):
    table = Table(service, pace)
    with ThreadPoolExecutor(6) as threads:
        steady = threads.submit(follow_stream, table, None)
        codings = enumerate(("identity", "gzip"))
        streams = [threads.submit(follow_stream, table, Random(seed), coding) for seed, coding in codings]
        polls = [threads.submit(follow_polls, table, Random(seed)) for seed in range(2)]
        lost = threads.submit(play, table, Random(7)).result(120)
        steady_events, drops = steady.result(60)
        assert drops == 0
        for dropping in (*streams, *polls):
            dropping_events, drops = dropping.result(60)
            assert list(map(stored, dropping_events)) == list(map(stored, steady_events))
            assert drops >= 5
    assert lost >= 3
    assert [event["seq"] for event in steady_events] == list(range(1, len(steady_events) + 1))
    assert list(map(stored, table.whole_log()[: len(steady_events)])) == list(map(stored, steady_events))
    mine = [event for event in steady_events if event["type"] == "played" and event["data"]["seat"] == 0]
    assert sum(len(event["data"]["cards"]) for event in mine) == 25
