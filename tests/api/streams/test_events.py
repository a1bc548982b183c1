"""The log of a table: pages, long polls, streams."""

import json
import threading
import time
from functools import cache

import pytest

from harness.document import document
from harness.waiting import wait_until
from service.api.streams import feeds, heartbeats, messages
from service.store import keys
from service.store.stores import Stores
from service.tables import Tables
from tests.api.contract import assert_is, assert_problem
from tests.api.game.test_games import whole_game

STREAM = {"Accept": "text/event-stream"}


class Stream:
    """Reads server-sent events and checks each of them."""

    def __init__(self, client, path, headers=None, **more):
        self.answer = client.get(path, headers={**STREAM, **(headers or {})}, buffered=False, **more)
        assert self.answer.status_code == 200
        assert self.answer.mimetype == "text/event-stream"
        self._chunks = iter(self.answer.response)
        self._waiting = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.answer.close()

    def next(self):
        """Name (`message` for events of the log), id and data of the next event; None at the end of the stream."""
        while True:
            while not self._waiting:
                chunk = next(self._chunks, None)
                if chunk is None:
                    return None
                if not chunk:
                    # The stream breaks off.
                    continue
                assert chunk.endswith(b"\n\n"), "a message is sent in one piece"
                self._waiting = chunk.decode().split("\n\n")[:-1]
            fields = dict(line.split(": ", 1) for line in self._waiting.pop(0).split("\n"))
            if "data" not in fields:
                continue
            name, data = fields.get("event", "message"), json.loads(fields["data"])
            self.check(name, fields.get("id"), data)
            return name, fields.get("id"), data

    def check(self, name, place, data):
        """Assert that a message matches the document."""
        if name == "message":
            assert_is("Event", data)
            assert place == str(data["seq"])
        else:
            assert_is(schemas_of_messages("/v1/tables/{table}/events")[name], data)
        if name == "reset":
            assert place == str(data["view"]["version"])

    def end(self):
        """Why the stream ends; nothing comes after that."""
        name, _, data = self.next()
        assert name == "end"
        assert self.next() is None
        return data["reason"]

    def messages(self, count):
        return [self.next()[2] for _ in range(count)]


@cache
def schemas_of_messages(path):
    """Name of a message that is no event -> name of the schema of its data, as documented."""
    answer = document()["paths"][path]["get"]["responses"]["200"]
    defined = answer["content"]["text/event-stream"]["schema"]["$defs"]
    return {name: schema["$ref"].rsplit("/", 1)[1] for name, schema in defined.items()}


def later(action):
    """Do something in a moment, while the test waits for the result."""
    thread = threading.Timer(0.2, action)
    thread.start()
    return thread


def once(holds, action):
    """Do something once a condition holds, while the test waits for the result."""

    def wait_and_act():
        wait_until(holds)
        action()

    thread = threading.Thread(target=wait_and_act)
    thread.start()
    return thread


def once_followed(world, action):
    """Do something once a stream or a poll follows a table; a poll looks once more after that."""
    return once(lambda: world.feeds._feeds, lambda: (time.sleep(0.1), action()))


# --- pages -------------------------------------------------------------------------------------------------------


def test_the_log_is_read_page_by_page(world):
    table = world.table()
    version = table.state()["version"]
    events, after = [], 0
    while after < version:
        page = table.host.get(f"{table.path}/events?after={after}&limit=3").json
        assert page["version"] == version
        events += page["events"]
        after = page["next_after"]
    assert [event["seq"] for event in events] == list(range(1, version + 1))
    assert table.host.get(f"{table.path}/events?after={version}").json["events"] == []


def test_all_players_get_the_same_events_with_only_their_own_cards(world):
    table = world.table()
    table.play_until("play")
    watched = [client.get(f"{table.path}/events?limit=500").json["events"] for client in table.clients]
    assert len({json.dumps([(each["seq"], each["type"], each["at"]) for each in log]) for log in watched}) == 1
    for seat, log in enumerate(watched):
        dealt = [event for event in log if event["type"] == "dealt"]
        hand = [card for event in dealt for card in event["data"]["cards"]]
        taken = [event for event in log if event["type"] in ("kitty_taken", "discarded")]
        assert all(("cards" in event["data"]) == (event["data"]["seat"] == seat) for event in taken)
        assert len(hand) == 25


def test_parameters_of_the_log_are_checked(world):
    table = world.table(ready=False)
    for query in (
        "after=-1",
        "after=x",
        "after=1.0",
        "wait=26",
        "wait=-1",
        "limit=0",
        "limit=501",
        "x=1",
        "after=1&after=2",
    ):
        assert_problem(table.host.get(f"{table.path}/events?{query}"), "invalid-request")


@pytest.mark.parametrize("path", ["events", "stream-ticket"])
def test_the_log_of_an_unknown_table_is_not_found(lin, path):
    method = "GET" if path == "events" else "POST"
    assert_problem(lin.send(method, f"/v1/tables/tb_nothing/{path}"), "not-found")


# --- long polls --------------------------------------------------------------------------------------------------


def test_a_long_poll_is_answered_at_once_with_what_there_is(world):
    table = world.table(ready=False)
    answer = table.host.get(f"{table.path}/events?after=2&wait=25").json
    assert [event["seq"] for event in answer["events"]] == [3, 4, 5]
    assert answer["next_after"] == answer["version"] == 5


def test_a_long_poll_is_answered_as_soon_as_something_happens(world):
    table = world.table(ready=False)
    thread = later(lambda: table.clients[1].put(f"{table.path}/seats/me/ready", {}))
    began = time.monotonic()
    answer = table.host.get(f"{table.path}/events?after=5&wait=25").json
    assert time.monotonic() - began < 20
    assert [event["type"] for event in answer["events"]] == ["seat_ready"]
    thread.join()


def test_an_idle_long_poll_ends_in_time_and_costs_nothing(world):
    table = world.table(ready=False)
    before = table.host.get("/v1/me").headers["RateLimit"]
    answer = table.host.get(f"{table.path}/events?after=5&wait=1")
    assert (answer.json["events"], answer.json["next_after"], answer.json["version"]) == ([], 5, 5)
    after = table.host.get("/v1/me").headers["RateLimit"]
    assert left_of(before) - left_of(after) == 1


def left_of(header):
    return int(header.split("r=")[1].split(";")[0])


def test_a_long_poll_without_after_waits_for_the_next_event(world):
    table = world.table(ready=False)
    thread = once_followed(world, lambda: table.clients[1].put(f"{table.path}/seats/me/ready", {}))
    answer = table.host.get(f"{table.path}/events?wait=25").json
    assert [event["seq"] for event in answer["events"]] == [6]
    thread.join()


def test_a_client_that_accepts_either_gets_json(world):
    table = world.table(ready=False)
    for accept in ("application/json, text/event-stream", "text/event-stream, application/json", "*/*"):
        assert table.host.get(f"{table.path}/events", headers={"Accept": accept}).mimetype == "application/json"


# --- streams -----------------------------------------------------------------------------------------------------


def test_a_stream_begins_with_the_current_view(world):
    table = world.table()
    with Stream(table.clients[2], f"{table.path}/events") as stream:
        name, place, data = stream.next()
        assert name == "reset"
        assert data["view"]["my"]["seat"] == 2
        assert place == str(table.state()["version"])


def test_a_stream_resumes_after_the_given_event(world):
    table = world.table(ready=False)
    with Stream(table.host, f"{table.path}/events?after=3") as stream:
        assert [event["seq"] for event in stream.messages(2)] == [4, 5]
    with Stream(table.host, f"{table.path}/events?after=1", {"Last-Event-ID": "4"}) as stream:
        assert stream.next()[1] == "5"


def test_resuming_beyond_the_log_is_refused(world):
    table = world.table(ready=False)
    for headers in (STREAM, {}):
        refused = table.host.get(f"{table.path}/events?after=6", headers=headers)
        assert_problem(refused, "invalid-request")
        assert [(fault["pointer"], fault["code"]) for fault in refused.json["errors"]] == [("?after", "beyond_log")]
        assert "begin again from the view" in refused.json["errors"][0]["detail"]
        refused = table.host.get(f"{table.path}/events", headers={**headers, "Last-Event-ID": "6"})
        assert_problem(refused, "invalid-request", reason="beyond_log", value=6, last=5)


def test_an_event_id_that_is_not_a_number_is_refused(world):
    table = world.table(ready=False)
    for headers in (STREAM, {}):
        answer = table.host.get(f"{table.path}/events", headers={**headers, "Last-Event-ID": "now"})
        assert_problem(answer, "invalid-request", header="Last-Event-ID")


def test_last_event_id_takes_precedence_over_the_query(world):
    table = world.table(ready=False)
    page = table.host.get(f"{table.path}/events?after=1&limit=2", headers={"Last-Event-ID": "3"}).json
    assert [event["seq"] for event in page["events"]] == [4, 5]
    with Stream(table.host, f"{table.path}/events?after=1", headers={"Last-Event-ID": "3"}) as stream:
        assert stream.next()[1] == "4"


def test_a_stream_sends_events_as_they_happen(world):
    table = world.table(ready=False)
    with Stream(table.host, f"{table.path}/events?after=5") as stream:
        thread = later(table.get_ready)
        events = [stream.next()[2]]
        while events[-1]["type"] != "decision_opened":
            events.append(stream.next()[2])
        thread.join()
    assert [event["seq"] for event in events] == list(range(6, 6 + len(events)))
    dealt = next(event for event in events if event["type"] == "dealt")
    assert len(dealt["data"]["cards"]) == 25


def test_a_quiet_stream_sends_heartbeats(world, monkeypatch):
    monkeypatch.setattr(feeds, "HEARTBEAT_S", 0.1)
    table = world.table(ready=False)
    with Stream(table.host, f"{table.path}/events?after=5") as stream:
        for _ in range(3):
            name, place, data = stream.next()
            assert (name, place, data["after"]) == ("heartbeat", None, 5)


def test_a_stream_that_asks_for_heartbeats_gets_one_at_once_and_so_do_others_of_the_table(world, monkeypatch):
    table = world.table(ready=False)
    monkeypatch.setattr(heartbeats, "random", lambda: 0.99)
    with Stream(table.host, f"{table.path}/events?after=5") as slow:
        with Stream(table.clients[1], f"{table.path}/events?after=5&heartbeat=10") as quick:
            assert quick.next()[0] == "heartbeat"
        monkeypatch.setattr(heartbeats, "random", lambda: 0.0)
        with Stream(table.clients[2], f"{table.path}/events?after=5&heartbeat=5"):
            assert slow.next()[0] == "heartbeat"
    refused = table.host.get(f"{table.path}/events?heartbeat=4", headers=STREAM)
    assert_problem(refused, "invalid-request")


def test_streams_opened_together_do_not_send_heartbeats_together(world, monkeypatch):
    table = world.table(ready=False)
    for place, first in ((0.0, "heartbeat"), (0.99, "message")):
        monkeypatch.setattr(heartbeats, "random", lambda place=place: place)
        with Stream(table.host, f"{table.path}/events?after={table.state()['version']}") as stream:
            if first == "message":
                table.host.post(f"{table.path}/chat", {"text": "hello"})
            assert stream.next()[0] == first


def test_a_stream_reads_the_log_once_per_announcement(world, monkeypatch):
    table = world.table(ready=False)
    with Stream(table.host, f"{table.path}/events?after=5") as stream:
        # Its channels open meanwhile, and then it reads what it may have missed.
        channels = (keys.NEWS, keys.REVOKED, keys.live(table.id))
        wait_until(lambda: all(listeners for _, listeners in world.redis.pubsub_numsub(*channels)))
        later(lambda: table.host.post(f"{table.path}/chat", {"text": "hello"}))
        stream.next()
        reads = []
        read = world.stores.tables.events
        monkeypatch.setattr(world.stores.tables, "events", lambda *request: reads.append(request) or read(*request))
        for text in ("one", "two"):
            later(lambda text=text: table.host.post(f"{table.path}/chat", {"text": text}))
            assert stream.next()[2]["data"]["text"] == text
        # The events were written in this process, which need not read them.
        assert reads == []
        other = Tables(Stores(world.redis).tables, now=lambda: world.now)
        message = {"type": "chat", "player": table.host.player["id"], "name": "Bot 0", "key": "k" * 16}
        later(lambda: other.act(table.id, {**message, "text": "three"}))
        assert stream.next()[2]["data"]["text"] == "three"
        assert [after for _, after, _ in reads] == [8]


def test_a_stream_reads_a_long_log_page_by_page(world, monkeypatch):
    monkeypatch.setattr(messages, "PAGE_SIZE", 2)
    table = world.table(ready=False)
    with Stream(table.host, f"{table.path}/events?after=0") as stream:
        assert [event["seq"] for event in stream.messages(5)] == [1, 2, 3, 4, 5]


def test_a_stream_shows_own_cards_once_its_reader_sits_down(world):
    table = world.table(ready=False)
    table.host.delete(f"{table.path}/seats/3")
    mei = world.player("Mei")
    version = table.state()["version"]
    with Stream(mei, f"{table.path}/events?after={version}") as stream:
        mei.post(f"{table.path}/seats", {"seat": 3})
        table.clients[3] = mei
        table.get_ready()
        while (event := stream.next()[2])["type"] != "dealt":
            pass
    assert event["data"]["cards"]


def test_a_stream_ends_when_its_reader_may_no_longer_see_the_table(world):
    table = world.table(ready=False, visibility="private")
    with Stream(table.clients[1], f"{table.path}/events?after=5") as stream:
        table.host.delete(f"{table.path}/seats/1")
        assert stream.end() == "private-table"


@pytest.mark.parametrize("since", [0, 1], ids=["fewer events", "others in their place"])
def test_a_stream_is_reset_if_a_failover_loses_the_last_events(world, since):
    table = world.table(ready=False)
    names = [name for name in keys.of_table(table.id) if world.redis.exists(name)]
    with Stream(table.host, f"{table.path}/events?after=5") as stream:
        copied = {name: world.redis.dump(name) for name in names}
        table.host.post(f"{table.path}/chat", {"text": "lost"})
        assert stream.next()[2]["data"]["text"] == "lost"
        for name, value in copied.items():
            world.redis.restore(name, 0, value, replace=True)
        other = Tables(Stores(world.redis).tables, now=lambda: world.now + 1)
        for _ in range(since):
            other.act(table.id, {"type": "chat", "player": table.host.player["id"], "text": "kept", "key": "chat-of-6"})
        # As the process does when it lost the connection to the channel.
        world.feeds.missed(table.id)
        name, place, data = stream.next()
        assert (name, place) == ("reset", str(5 + since))
        assert data["view"]["version"] == 5 + since
        table.host.post(f"{table.path}/chat", {"text": "after"})
        assert stream.next()[1] == str(6 + since)


def test_a_stream_is_reset_if_an_event_is_lost_that_it_has_read_before_the_feed_of_the_table(world, monkeypatch):
    missed = world.feeds.missed
    for news in ("announced", "missed"):
        monkeypatch.setattr(feeds.Feeds, news, lambda *_: None)
    table = world.table(ready=False)
    names = [name for name in keys.of_table(table.id) if world.redis.exists(name)]
    copied = {name: world.redis.dump(name) for name in names}

    def says(text):
        other = Tables(Stores(world.redis).tables, now=lambda: world.now)
        other.act(table.id, {"type": "chat", "player": table.host.player["id"], "text": text, "key": f"chat {text}"})
        world.now += 1

    with Stream(table.host, f"{table.path}/events?after=5") as stream:
        says("lost")
        assert stream.next()[2]["data"]["text"] == "lost"
        for name, value in copied.items():
            world.redis.restore(name, 0, value, replace=True)
        says("kept")
        missed(table.id)
        assert stream.next()[:2] == ("reset", "6")
        says("after")
        missed(table.id)
        assert stream.next()[1] == "7"


def test_a_stream_ends_with_the_table_and_does_not_resume(world):
    table = world.table(ready=False)
    with Stream(table.host, f"{table.path}/events?after=5") as stream:
        table.host.delete(table.path)
        assert stream.next()[2]["type"] == "table_closed"
        assert stream.end() == "over"
    drained = table.host.get(f"{table.path}/events", headers={**STREAM, "Last-Event-ID": "6"})
    assert drained.status_code == 204
    with Stream(table.host, f"{table.path}/events") as stream:
        assert stream.next()[0] == "reset"
        assert stream.end() == "over"


def test_changes_of_presence_after_the_game_do_not_open_a_stream(world):
    table = whole_game(world)
    path, before = f"{table.path}/events", table.state()["version"]
    headers = {**STREAM, "Last-Event-ID": str(before)}
    for presence in ("away", "online"):
        world.tables.act(table.id, {"type": "presence", "player": table.host.player["id"], "presence": presence})
    assert table.state()["version"] == before + 2
    assert table.host.get(path, headers=headers).status_code == 204
    # A chat message is worth a stream.
    table.clients[1].post(f"{table.path}/chat", {"text": "well played"})
    with Stream(table.host, path, headers) as stream:
        assert [event["type"] for event in stream.messages(3)] == ["presence", "presence", "chat"]


def test_events_while_a_stream_opens_are_sent_exactly_once(world):
    table = world.table(ready=False)
    stop = threading.Event()

    def chatter():
        client = table.clients[1]
        ready = True
        while not stop.is_set():
            client.put(f"{table.path}/seats/me/ready", {"ready": ready})
            ready = not ready

    thread = threading.Thread(target=chatter)
    thread.start()
    try:
        for _ in range(5):
            with Stream(table.host, f"{table.path}/events?after=5") as stream:
                seqs = [event["seq"] for event in stream.messages(20)]
            assert seqs == list(range(6, 26))
    finally:
        stop.set()
        thread.join()


def test_a_process_limits_its_streams(world):
    table = world.table(ready=False)
    path = f"{table.path}/events?after=5"
    few = world.start(max_streams=1).with_token(table.host.token)
    with Stream(few, path):
        refused = few.get(path, headers=STREAM)
        assert_problem(refused, "unavailable")
        assert refused.headers["Retry-After"] == "5"
    with Stream(few, path):
        pass


# --- spectators --------------------------------------------------------------------------------------------------


def watched(world, **more):
    """A table that may be watched with a delay of a minute, and a player without a seat."""
    table = world.table(spectators="delayed", spectator_delay_ms=60_000, **more)
    return table, world.player("Mei")


def test_spectators_see_a_game_with_the_delay(world):
    table, mei = watched(world)
    begun = table.state()["game"]["started_seq"]
    before = mei.get(table.path)
    assert before.json["status"] == "lobby"
    assert before.json["version"] == begun - 1
    page = mei.get(f"{table.path}/events").json
    assert (page["events"][-1]["seq"], page["version"]) == (begun - 1, begun - 1)
    world.now += 30_000
    table.play_until("play")
    world.now += 31_000
    later = mei.get(table.path)
    assert (later.json["status"], later.json["phase"]) == ("playing", "declaring")
    assert later.headers["ETag"] != before.headers["ETag"]
    events = mei.get(f"{table.path}/events").json["events"]
    assert [event["seq"] for event in events] == list(range(1, later.json["version"] + 1))
    assert "cards" not in next(event for event in events if event["type"] == "dealt")["data"]


def test_an_etag_does_not_tell_spectators_of_later_events(world):
    table, mei = watched(world)
    tag = mei.get(table.path).headers["ETag"]
    table.step()
    assert mei.get(table.path, headers={"If-None-Match": tag}).status_code == 304


def test_a_stream_shows_events_to_a_spectator_after_the_delay(world):
    table = world.table(spectators="delayed", spectator_delay_ms=300)
    mei = world.player("Mei")
    begun = table.state()["game"]["started_seq"]
    with Stream(mei, f"{table.path}/events?after={begun - 2}") as stream:
        assert stream.next()[1] == str(begun - 1)

        def wait_over():
            world.now += 300

        thread = later(wait_over)
        assert stream.next()[1] == str(begun)
        thread.join()


def test_a_spectator_who_sits_down_sees_their_own_cards_at_once(world):
    table = world.table(ready=False, spectators="delayed", spectator_delay_ms=60_000)
    table.host.delete(f"{table.path}/seats/3")
    mei = table.clients[3] = world.player("Mei")
    mei.post(f"{table.path}/seats", {"seat": 3})
    table.get_ready()
    assert len(mei.get(table.path).json["my"]["hand"]) == 25
