"""The events of an account: streams, long polls and pages; and waiting for changes of the list of my tables."""

import gzip
import json
import socket
import time

import pytest

from harness.waiting import wait_until
from service.account_events.catalogue import ROWS
from service.accounts.inbox import Inbox
from service.accounts.scopes import SCOPES
from service.api.schemas.account_events import ACCOUNT_EVENT_DATA
from service.api.streams import feeds
from service.api.streams.account_reader import AccountReader
from service.api.streams.cursor import LONGEST, Cursor
from service.store import keys
from service.store.players.inbox import INBOX_MS, MOST_NOTES, Note
from service.store.players.players import RedisPlayerStore
from service.store.stores import Stores
from service.tables import Tables
from tests.api.contract import assert_is, assert_problem
from tests.api.play import Table
from tests.api.streams.test_events import STREAM, Stream, later, left_of, once, schemas_of_messages
from tests.api.streams.test_stream_rights import play_to_the_end

EVENTS = "/v1/me/events"


class MyStream(Stream):
    """The stream of an account; another stream resumes at `place`."""

    def __init__(self, client, query="", headers=None, **more):
        super().__init__(client, EVENTS + query, headers, **more)
        self.place = None

    def check(self, name, place, data):
        assert_is("AccountEvent" if name == "message" else schemas_of_messages(EVENTS)[name], data)
        self.place = place or self.place

    def event(self):
        """Type and data of the next event."""
        name, _, data = self.next()
        assert name == "message", (name, data)
        return data["type"], data["data"]

    def turn(self, kind="turn"):
        """Table and decision of the next event, which must be of this type."""
        event_type, data = self.event()
        assert event_type == kind
        return data["table"], data["decision_id"]

    def end(self, after=()):
        """Why the stream ends; before that, it may send either nothing or one event of each of these types."""
        read = [self.next()]
        while read[-1][0] == "message":
            read.append(self.next())
        assert [data["type"] for _, _, data in read[:-1]] in ([], list(after))
        assert (read[-1][0], self.next()) == ("end", None)
        return read[-1][2]["reason"]

    def snapshot(self):
        name, _, data = self.next()
        assert name == "snapshot", (name, data)
        return data["items"]


def opened(client, query="", **more):
    """A stream that has begun with its snapshot."""
    stream = MyStream(client, query, **more)
    stream.snapshot()
    return stream


def rows(items):
    return [{**item, "remaining_ms": None} for item in items]


def open_turn(table):
    """The seat that the table waits for; table and decision of its turn."""
    decision = table.state()["decision"]
    return decision["seats"][0], (table.id, decision["id"])


def once_waiting(world, action):
    """Do something once a long poll of an account waits, or is about to."""
    return once(lambda: world.feeds._readers._of, action)


def elsewhere(world):
    """The tables as another process sees them."""
    return Tables(Stores(world.redis).tables, now=lambda: world.now)


def note(world, client, kind="game_kept", at=None, **data):
    fields = {"table": "tb_1", "game": f"gm_{time.monotonic_ns()}", **data}
    assert world.stores.inbox.put(client.player["id"], Note(kind, at or world.now, fields), "game")
    return fields


# --- what is sent --------------------------------------------------------------------------------------------------


def test_a_stream_begins_with_the_list_of_my_tables(world):
    table = world.table()
    seat, (_, decision) = open_turn(table)
    client = table.clients[seat]
    with MyStream(client) as stream:
        items = stream.snapshot()
    assert rows(items) == rows(client.get("/v1/me/tables").json["items"])
    assert [(item["my_turn"], item["decision_id"]) for item in items] == [(True, decision)]


def test_a_turn_and_its_end_are_each_sent_once(world):
    table = world.table()
    streams = [opened(client) for client in table.clients]
    open_turns = [[(table.id, state["decision"]["id"])] if 0 in (state := table.state())["decision"]["seats"] else []]
    open_turns += [[] for _ in streams[1:]]
    seat, turn = open_turn(table)
    assert open_turns[0] == ([turn] if seat == 0 else [])
    for _ in range(25):
        before = open_turn(table)
        table.step()
        after = open_turn(table)
        if before == after:
            continue
        assert streams[before[0]].turn("turn_over") == before[1]
        kind, data = streams[after[0]].event()
        state = table.state()
        assert (kind, data["table"], data["decision_id"]) == ("turn", *after[1])
        assert (data["seat"], data["ruleset"], data["decision"]) == (after[0], "shengji", state["decision"]["kind"])
        assert data["remaining_ms"] == state["decision"]["deadline"] - world.now
        assert data.keys() == ACCOUNT_EVENT_DATA["turn"]().fields.keys()
    for stream in streams:
        stream.__exit__()


def test_what_another_process_writes_is_sent_too(world):
    table = world.table()
    seat, before = open_turn(table)
    streams = [opened(client) for client in table.clients]
    _, path, body = table.next_action()
    command = {"type": path.rpartition("/")[2], "player": table.clients[seat].player["id"], **body}
    elsewhere(world).act(table.id, command)
    assert streams[seat].turn("turn_over") == before
    seat, after = open_turn(table)
    assert streams[seat].turn() == after
    for stream in streams:
        stream.__exit__()


def test_a_stream_follows_where_its_player_sits_down_and_leaves(world):
    table, other = world.table(ready=False), world.table(ready=False)
    mei = world.player("Mei")
    with opened(mei) as stream:
        for each in (table, other):
            each.host.delete(f"{each.path}/seats/3")
            # Another process seats her.
            sit = {"type": "sit", "player": mei.player["id"], "name": "Mei", "kind": "bot", "seat": 3}
            elsewhere(world).act(each.id, sit)
            RedisPlayerStore(world.redis).add_table(mei.player["id"], each.id, world.now)
            each.clients[3] = mei
        table.get_ready()
        while open_turn(table)[0] != 3:
            table.step()
        assert stream.turn() == open_turn(table)[1]
        other.host.delete(f"{other.path}/seats/3")
        data_of_note = note(world, mei)
        assert stream.event() == ("game_kept", data_of_note)
        # A table where she no longer sits is not watched. The watch ends when the stream is read after the feed has
        # seen that she left, which may be after the next event.

        def is_unwatched():
            data_of_note = note(world, mei)
            assert stream.event() == ("game_kept", data_of_note)
            return other.id not in world.feeds._feeds

        wait_until(is_unwatched, "the end of the watch", pause=lambda: None)
        assert [*world.feeds._feeds] == [table.id]
    assert world.feeds._feeds == {}


def test_a_state_that_arrives_late_does_not_bring_back_a_table_that_was_left(world):
    table = world.table(ready=False)
    mei = table.clients[2]
    seated = world.tables.load(table.id)
    mei.delete(f"{table.path}/seats/me")
    reader = AccountReader({"id": "tk_1", "player": mei.player["id"], "scopes": None}, "", "")
    reader.rows[table.id] = None
    # The feed passes the newer state while the stream still loads the older one.
    reader.saw(world.tables.load(table.id))
    reader.saw(seated)
    assert reader.shown_rows() == []
    # A replica without the newer state has taken over.
    reader.saw(seated, is_lost=True)
    assert [row.table for row in reader.shown_rows()] == [table.id]


def test_the_closing_of_a_table_is_sent(world):
    table = world.table(ready=False)
    mei = table.clients[2]
    with opened(mei) as stream:
        place = stream.place
        table.host.delete(table.path)
        closed = ("table_closed", {"table": table.id, "ruleset": "shengji", "reason": "host"})
        assert stream.event() == closed
        place, after = stream.place, place
    page = mei.get(f"{EVENTS}?after={after}").json
    assert [(event["type"], event["data"]) for event in page["events"]] == [closed]
    assert page["next_after"] == place
    assert place.endswith("~c")
    assert mei.get(f"{EVENTS}?after={place}").json["events"] == []
    world.stores.tables.delete(table.id)
    page = mei.get(f"{EVENTS}?after={place}").json
    assert (page["events"], "~" in page["next_after"]) == ([], False)


def test_a_turn_ends_when_its_table_is_deleted(world):
    table = world.table()
    seat, turn = open_turn(table)
    with opened(table.clients[seat]) as stream:
        world.stores.tables.delete(table.id)
        assert stream.turn("turn_over") == turn
        assert "~" not in stream.place


def test_the_question_for_another_game_is_a_turn_without_a_decision(world):
    table = world.table()
    play_to_the_end(table)
    world.advance(table.id)
    mei = table.clients[1]
    with opened(mei) as stream:
        table.host.put(f"{table.path}/seats/me/ready", {})
        kind, data = stream.event()
        assert (kind, data["table"], data["decision_id"], data["decision"]) == ("turn", table.id, None, None)
        with MyStream(mei, f"?after={stream.place}") as again:
            assert stream.end() == "newer-stream"
            mei.put(f"{table.path}/seats/me/ready", {})
            assert again.turn("turn_over") == (table.id, None)


def test_all_who_played_are_told_once_that_their_game_is_kept(world):
    table = world.table()
    game = table.state()["game"]["id"]
    mei, other = table.clients[2:]
    with opened(mei) as stream:
        play_to_the_end(table)
        other.delete(f"{table.path}/seats/me")
        world.advance(table.id)
        expected = ("game_kept", {"table": table.id, "game": game})
        # As after the death of a process that had not yet noted that the game is kept.
        Inbox(world.stores.inbox, lambda: world.now).game_kept([mei.player["id"]], table.id, game)
        data_of_note = note(world, mei)
        while (event := stream.event()) != expected:
            assert event[0] in ("turn", "turn_over")
        assert stream.event() == ("game_kept", data_of_note)
    assert [event["data"] for event in other.get(f"{EVENTS}?after=0").json["events"]] == [expected[1]]


def test_a_sign_in_is_sent_to_tokens_that_may_list_tokens(world, lin):
    narrow = world.anybody.with_token(lin.post("/v1/me/tokens", {"name": "a", "scopes": ["tables:read"]}).json["token"])
    narrow.player = lin.player
    with opened(lin) as stream, opened(narrow) as other:
        new_token = lin.post("/v1/me/tokens", {"name": "Score board", "scopes": ["games:read"]}).json
        signed_in = {"token": new_token["id"], "name": "Score board", "how": "token", "is_way_in": False}
        assert stream.event() == ("signed_in", signed_in)
        code = lin.post("/v1/me/link-codes").json["code"]
        world.anybody.post("/v1/links", {"code": code, "name": "Tablet"})
        assert stream.event()[1]["how"] == "link"
        data_of_note = note(world, lin)
        assert other.event() == ("game_kept", data_of_note)
        assert stream.event() == ("game_kept", data_of_note)
        code = lin.post("/v1/me/recovery-code").json["code"]
        data_of_note, added = stream.event()
        assert (data_of_note, added["what"], added["provider"]) == ("access_added", "recovery_code", None)
        token = world.anybody.post("/v1/recoveries", {"code": code}).json["token"]
        # The sign-in may be read before the revocation of the old token.
        assert stream.end(after=("signed_in",)) == other.end() == "unauthorized"
    events = world.anybody.with_token(token).get(f"{EVENTS}?after=0").json["events"]
    assert [event["data"].get("how") for event in events] == ["token", "token", "link", None, None, "recovery"]
    # The events in between, which the narrow token may not see, do not shorten the page.
    page = narrow.with_token(token).get(f"{EVENTS}?after=0&limit=2").json
    assert len(page["events"]) == 2


def test_rotating_a_token_is_no_sign_in(world, lin):
    token = lin.post("/v1/me/token").json["token"]
    assert lin.with_token(token).get(f"{EVENTS}?after=0").json["events"] == []


def test_every_type_of_event_needs_a_scope_that_there_is():
    assert ROWS.keys() == ACCOUNT_EVENT_DATA.keys()
    assert {row.scope for row in ROWS.values()} <= SCOPES.keys()


# --- resuming ------------------------------------------------------------------------------------------------------


@pytest.fixture
def one(world):
    """A table, a client whose turn it is, the place of a stream that has sent this turn, and the turn."""
    table = world.table()
    seat, turn = open_turn(table)
    with opened(table.clients[seat]) as stream:
        return table, table.clients[seat], stream.place, turn


def test_a_turn_that_was_sent_is_not_sent_again(world, one):
    table, client, place, turn = one
    assert place.endswith(f".{table.id.removeprefix('tb_')}~{turn[1].removeprefix('dc_')}")
    for by_header in (False, True):
        query, headers = ("?after=0", {"Last-Event-ID": place}) if by_header else (f"?after={place}", None)
        with MyStream(client, query, headers) as stream:
            data_of_note = note(world, client)
            assert stream.event() == ("game_kept", data_of_note)
            place = stream.place
    assert client.get(f"{EVENTS}?after={place}").json["events"] == []


def test_any_process_sends_what_has_changed_meanwhile(world, one):
    table, client, place, turn = one
    data_of_note = note(world, client)
    table.step()
    while table.clients[open_turn(table)[0]] is not client:
        table.step()
    world.start()
    again = world.anybody.with_token(client.token)
    with MyStream(again, f"?after={place}") as stream:
        assert stream.event() == ("game_kept", data_of_note)
        assert stream.turn("turn_over") == turn
        middle = stream.place
        assert stream.turn() == open_turn(table)[1]
    # A stream cut off between the two sends the rest when it resumes.
    with MyStream(again, f"?after={middle}") as stream:
        assert stream.turn() == open_turn(table)[1]
    page = again.get(f"{EVENTS}?after={place}").json
    assert [event["type"] for event in page["events"]] == ["game_kept", "turn_over", "turn"]
    assert (page["next_after"], page["snapshot"], page["reset"]) == (stream.place, None, False)


def test_a_full_page_ends_where_the_next_one_begins(world, one):
    table, client, place, _ = one
    note(world, client)
    table.step()
    while table.clients[open_turn(table)[0]] is not client:
        table.step()
    types = []
    while page := client.get(f"{EVENTS}?after={place}&limit=1").json["events"]:
        types += [event["type"] for event in page]
        place = client.get(f"{EVENTS}?after={place}&limit=1").json["next_after"]
    assert types == ["game_kept", "turn_over", "turn"]


def test_a_stream_is_reset_if_the_events_after_its_place_are_gone(world, lin):
    with opened(lin) as stream:
        place = stream.place
    for number in range(MOST_NOTES):
        world.stores.inbox.put(
            lin.player["id"], Note("game_kept", world.now, {"game": f"gm_{number}", "table": ""}), "game"
        )
    assert lin.get(f"{EVENTS}?after=0&limit=500").json["events"][-1]["data"]["game"] == f"gm_{MOST_NOTES - 1}"
    with MyStream(lin, f"?after={place}") as stream:
        assert stream.next()[0] == "reset"
        assert stream.snapshot() == []
        data_of_note = note(world, lin)
        assert stream.event() == ("game_kept", data_of_note)
    page = lin.get(f"{EVENTS}?after={place}").json
    assert (page["reset"], page["snapshot"]["items"], page["events"]) == (True, [], [])
    # The oldest one has been dropped.
    place = stream.place
    assert len(lin.get(f"{EVENTS}?after=0&limit=500").json["events"]) == MOST_NOTES
    world.now += INBOX_MS + 1_000
    world.redis.delete(keys.inbox(lin.player["id"]))
    assert lin.get(f"{EVENTS}?after={place}").json["reset"]
    # Numbers go on rising after an inbox has expired.
    note(world, lin)
    assert lin.get(f"{EVENTS}?after=0").json["events"][0]["seq"] > int(place.partition(".")[0])


def test_a_process_whose_clock_is_behind_still_appends_at_the_end(world, lin):
    with opened(lin) as stream:
        place = stream.place
    data_of_note = [note(world, lin), note(world, lin, at=world.now - 30_000)]
    page = lin.get(f"{EVENTS}?after={place}").json
    assert [event["data"] for event in page["events"]] == data_of_note
    seqs = [event["seq"] for event in page["events"]]
    assert seqs[1] == seqs[0] + 1


@pytest.mark.parametrize(
    "after", ["x", "-1", "1.5", "1.a", "1.a~b", "MTp0Yl8x", "1.a~1.", "9" * 16, "1" + ".a~1" * (LONGEST // 4)]
)
def test_a_malformed_place_is_refused(lin, after):
    problem = assert_problem(lin.get(f"{EVENTS}?after={after}"), "invalid-request")
    code = "length" if len(after) > LONGEST else "no_such_place"
    assert [(each["pointer"], each["code"]) for each in problem["errors"]] == [("?after", code)]
    assert_problem(lin.get(EVENTS, headers={"Last-Event-ID": after}), "invalid-request", reason="header")


def test_a_place_in_the_future_is_refused(world, lin):
    after = f"{world.now + 120_000}"
    for headers in (STREAM, {}):
        refused = lin.get(f"{EVENTS}?after={after}", headers=headers)
        assert refused.json["errors"][0]["code"] == "beyond_account"
        assert_problem(refused, "invalid-request")
        refused = lin.get(EVENTS, headers={**headers, "Last-Event-ID": after})
        assert_problem(refused, "invalid-request", reason="beyond_account")
    for query in ("wait=26", "limit=0", "heartbeat=4", "x=1"):
        assert_problem(lin.get(f"{EVENTS}?{query}"), "invalid-request")


def test_a_place_of_two_hundred_turns_fits_into_a_request():
    marks = {f"tb_{number:012d}": "59999" for number in range(200)}
    text = str(Cursor(1_795_202_978_550, marks))
    assert Cursor.of(text) == (1_795_202_978_550, marks)
    assert len(f"GET {EVENTS}?after={text}&wait=25 HTTP/1.1\r\n") <= 4_094
    assert len(text) <= LONGEST


# --- many tables, and long polls -----------------------------------------------------------------------------------


def test_one_stream_covers_eighty_tables(world):
    table = world.table()
    seat, (_, decision) = open_turn(table)
    client = table.clients[seat]
    log, state = world.tables.log(table.id), table.state()
    copies = [f"tb_{number}" for number in range(79)]
    for copy in copies:
        world.stores.tables.append(copy, 0, log, {**state, "id": copy}, wake_at=None)
        world.stores.players.add_table(client.player["id"], copy, world.now)
    _, path, body = table.next_action()
    with MyStream(client) as stream:
        assert sorted(item["table"] for item in stream.snapshot() if item["my_turn"]) == sorted([*copies, table.id])
        for copy in copies[::9]:
            assert client.post(path.replace(table.id, copy), body).status_code == 200
            assert stream.turn("turn_over") == (copy, decision)
            if open_turn(Table(world, copy, table.clients))[0] == seat:
                stream.turn()
    assert len(client.get("/v1/me/tables").json["items"]) == 80


def test_a_long_poll_is_answered_at_once_or_as_soon_as_there_is_something(world, one):
    table, client, place, turn = one
    page = client.get(f"{EVENTS}?wait=25").json
    assert (page["events"], page["next_after"], len(page["snapshot"]["items"])) == ([], place, 1)
    thread = later(table.step)
    page = client.get(f"{EVENTS}?after={place}&wait=25").json
    thread.join()
    # The same player may be asked for something else then.
    assert [(event["type"], event["data"]["decision_id"]) for event in page["events"]][:1] == [("turn_over", turn[1])]
    assert world.feeds._feeds == {}


def test_a_long_poll_with_nothing_to_tell_costs_nothing(world, one):
    _, client, place, _ = one
    before = client.get("/v1/me").headers["RateLimit"]
    assert client.get(f"{EVENTS}?after={place}&wait=1").json["events"] == []
    after = client.get("/v1/me").headers["RateLimit"]
    assert left_of(before) - left_of(after) == 1


def test_a_long_poll_ends_when_its_token_does(world, one):
    _, client, place, _ = one
    thread = later(lambda: world.revoke(client))
    assert_problem(client.get(f"{EVENTS}?after={place}&wait=25"), "unauthorized")
    thread.join()


def test_the_list_of_my_tables_is_sent_once_it_has_changed(world):
    table = world.table()
    client = table.clients[open_turn(table)[0]]
    answer = client.get("/v1/me/tables")
    tag = {"If-None-Match": answer.headers["ETag"]}
    before = client.get("/v1/me").headers["RateLimit"]
    world.now += 1_000
    assert client.get("/v1/me/tables", headers=tag).status_code == 304
    assert client.get("/v1/me/tables?wait=1", headers=tag).status_code == 304
    assert left_of(before) - left_of(client.get("/v1/me").headers["RateLimit"]) == 1
    assert client.get("/v1/me/tables?turn=mine").headers["ETag"] == answer.headers["ETag"]
    # A chat message changes nobody's turn, but the version.
    thread = once_waiting(world, lambda: table.host.post(f"{table.path}/chat", {"text": "hello"}))
    changed = client.get("/v1/me/tables?wait=25", headers=tag)
    thread.join()
    assert changed.json["items"][0]["version"] == answer.json["items"][0]["version"] + 1
    thread = once_waiting(world, table.step)
    tag = {"If-None-Match": changed.headers["ETag"]}
    mine = client.get("/v1/me/tables?turn=mine&wait=25", headers=tag).json["items"]
    # The same player may be asked for something else then.
    assert answer.json["items"][0]["decision_id"] not in [item["decision_id"] for item in mine]
    thread.join()
    assert client.get("/v1/me/tables?wait=25", headers=tag).status_code == 200
    assert_problem(client.get("/v1/me/tables?wait=26"), "invalid-request")


# --- one stream, and how it ends -----------------------------------------------------------------------------------


def test_a_newer_stream_ends_an_older_one_in_the_same_process_without_an_announcement(world, lin, monkeypatch):
    monkeypatch.setattr(type(world.stores.inbox), "opened", lambda *_: None)
    with opened(lin) as first, opened(lin):
        assert first.end() == "newer-stream"


def test_a_newer_stream_of_a_token_ends_the_older_one(world, lin):
    other = lin.with_token(lin.post("/v1/me/tokens", {"name": "b", "scopes": ["tables:read"]}).json["token"])
    [mine] = [token["id"] for token in lin.get("/v1/me/tokens").json["items"] if token["current"]]
    with opened(lin) as first, opened(other) as stays:
        with opened(lin) as second:
            assert first.end() == "newer-stream"
            # A long poll does not end a stream.
            data_of_note = note(world, lin)
            assert len(lin.get(f"{EVENTS}?after={second.place}&wait=25").json["events"]) == 1
            assert second.event() == ("game_kept", data_of_note)
            # An older stream may be announced later: it ends nothing.
            world.stores.inbox.opened(lin.player["id"], mine, "0")
            data_of_note = note(world, lin)
            assert second.event() == ("game_kept", data_of_note)
            # A newer stream in another process.
            world.stores.inbox.opened(lin.player["id"], mine, "9")
            assert second.end() == "newer-stream"
        assert [stays.event()[0] for _ in range(2)] == ["game_kept"] * 2


def test_a_request_whose_client_has_hung_up_ends_no_stream(world, lin):
    with opened(lin) as stream:
        here, there = socket.socketpair()
        there.close()
        with opened(lin, environ_overrides={"gunicorn.socket": here}):
            data_of_note = note(world, lin)
            assert stream.event() == ("game_kept", data_of_note)
        here.close()
        here, there = socket.socketpair()
        with opened(lin, environ_overrides={"gunicorn.socket": here}):
            assert stream.end() == "newer-stream"
        here.close()
        there.close()


def test_the_stream_of_an_account_counts_against_the_limit_of_its_player(world):
    table = world.table()
    client = world.start(player_streams=1).with_token(table.host.token)
    with Stream(client, f"{table.path}/events?after=1"):
        assert_problem(client.get(EVENTS, headers=STREAM), "too-many-streams", limit=1)
        assert_problem(client.get(f"{EVENTS}?wait=1"), "too-many-streams", limit=1)
        assert client.get(EVENTS).status_code == 200


def test_heartbeats_say_where_to_resume(world, one, monkeypatch):
    _, client, place, _ = one
    monkeypatch.setattr(feeds, "HEARTBEAT_S", 0.05)
    with MyStream(client, f"?after={place}") as stream:
        for _ in range(3):
            name, _, data = stream.next()
            assert (name, data["after"]) == ("heartbeat", place)
    monkeypatch.undo()
    with MyStream(client, f"?after={place}&heartbeat=5") as stream:
        assert stream.next()[0] == "heartbeat"


def test_a_stream_ends_when_its_token_does(world, lin):
    other = lin.with_token(
        lin.post("/v1/me/tokens", {"name": "b", "scopes": ["tables:read"], "expires_in_ms": 60_000}).json["token"]
    )
    with opened(other) as stream:
        world.now += 60_001
        [reader] = world.feeds._readers._of[lin.player["id"]]
        reader.send_beat(b"2026-11-20T19:30:00.000Z")
        assert stream.end() == "unauthorized"
    with opened(lin) as stream:
        world.revoke(lin)
        assert stream.end() == "unauthorized"
    assert_problem(lin.get(EVENTS, headers=STREAM), "unauthorized")


def test_erasing_a_player_ends_the_stream_and_closes_the_inbox(world):
    table = world.table()
    mei = table.clients[1]
    note(world, mei)
    with opened(mei) as stream:
        assert mei.delete("/v1/me").status_code == 204
        while (message := stream.next())[0] == "message":
            pass
        assert (message[0], message[2]["reason"]) == ("end", "unauthorized")
    notes = Note("game_kept", world.now, {"game": "gm_1"})
    assert not world.stores.inbox.put(mei.player["id"], notes, "game")
    assert not world.redis.exists(keys.inbox(mei.player["id"]))


def test_missed_changes_are_sent_when_announcements_resume(world, monkeypatch):
    table = world.table()
    seat, turn = open_turn(table)
    with opened(table.clients[seat]) as stream:
        monkeypatch.setattr(world.feeds, "news", lambda *_: None)
        monkeypatch.setattr(world.feeds, "announced", lambda *_: None)
        data_of_note = note(world, table.clients[seat])
        _, path, body = table.next_action()
        command = {"type": path.rpartition("/")[2], "player": table.clients[seat].player["id"], **body}
        elsewhere(world).act(table.id, command)
        world.feeds.missed()
        assert sorted([stream.event()[0], stream.event()[0]]) == ["game_kept", "turn_over"]
        assert data_of_note["game"] in json.dumps(table.clients[seat].get(f"{EVENTS}?after=0").json)
        assert turn[1] not in stream.place


# --- tickets and coding --------------------------------------------------------------------------------------------


def test_a_ticket_opens_one_stream_of_its_account(world, one):
    table, client, *_ = one
    ticket = client.post("/v1/me/stream-ticket").json["ticket"]
    assert_problem(world.anybody.get(f"{table.path}/events?ticket={ticket}", headers=STREAM), "unauthorized")
    with MyStream(world.anybody, f"?ticket={client.post('/v1/me/stream-ticket').json['ticket']}") as stream:
        assert stream.snapshot()[0]["table"] == table.id
    problem = assert_problem(
        world.anybody.get(f"{EVENTS}?ticket={ticket}", headers=STREAM), "unauthorized", reason="bad_ticket"
    )
    assert "POST /v1/me/stream-ticket" in problem["detail"]
    other = client.post(f"{table.path}/stream-ticket").json["ticket"]
    assert_problem(world.anybody.get(f"{EVENTS}?ticket={other}", headers=STREAM), "unauthorized")


def test_a_stream_is_compressed_where_that_is_accepted(world, one):
    _, client, *_ = one
    answer = client.get(EVENTS, headers={**STREAM, "Accept-Encoding": "gzip"}, buffered=False)
    assert answer.headers["Content-Encoding"] == "gzip"
    chunks = iter(answer.response)
    packed = next(chunks) + next(chunks)
    world.revoke(client)
    text = gzip.decompress(packed + b"".join(chunks)).decode()
    answer.close()
    messages = [dict(line.split(": ", 1) for line in each.split("\n")) for each in text.split("\n\n")[1:-1]]
    assert [message["event"] for message in messages] == ["snapshot", "end"]
    assert json.loads(messages[-1]["data"])["reason"] == "unauthorized"
