"""Muting and reporting a player."""

import pytest
from structlog.testing import capture_logs

from service.api.streams.follower import Follower, Frame
from service.common.settings import Budget
from service.people.people import MOST_MUTED
from tests.api.contract import assert_problem
from tests.api.streams.test_events import Stream
from tests.api.tables.test_chat import last_event

KEY = {"Idempotency-Key": "0a7d3f52-9b1e-4c6f-8e21-5d2b7a9c4f36"}


def say(client, table, text="hello"):
    answer = client.post(f"{table.path}/chat", {"text": text})
    assert answer.status_code == 200
    return answer.json["seq"]


def mute(client, other):
    assert client.put(f"/v1/me/mutes/{other.player['id']}").status_code == 204


def test_a_message_of_a_muted_player_keeps_only_its_seq_and_seat(world):
    table = world.table(ready=False)
    me, loud, other = table.clients[:3]
    before = say(loud, table)
    mute(me, loud)
    seq = say(loud, table)
    for at in (before, seq):
        [event] = me.get(f"{table.path}/events?after={at - 1}&limit=1").json["events"]
        assert (event["seq"], event["type"], event["data"]) == (at, "chat", {"seat": 1, "muted": True})
    assert last_event(other, table)["data"]["text"] == "hello"
    assert last_event(loud, table)["data"]["text"] == "hello"
    say(other, table)
    assert last_event(me, table)["data"]["text"] == "hello"
    assert me.delete(f"/v1/me/mutes/{loud.player['id']}").status_code == 204
    [event] = me.get(f"{table.path}/events?after={seq - 1}&limit=1").json["events"]
    assert event["data"]["text"] == "hello"


def test_a_mute_takes_effect_on_open_streams(world):
    table = world.table(ready=False)
    me, loud, other = table.clients[:3]
    start = f"{table.path}/events?after={table.state()['version']}"
    with Stream(me, start) as mine, Stream(other, start) as others:
        say(loud, table, "one")
        assert mine.next()[2]["data"]["text"] == "one"
        assert others.next()[2]["data"]["text"] == "one"
        mute(me, loud)
        say(loud, table, "two")
        seq = say(other, table, "three")
        assert mine.next()[2]["data"] == {"seat": 1, "muted": True}
        event = mine.next()[2]
        assert (event["seq"], event["data"]["text"]) == (seq, "three")
        assert [others.next()[2]["data"]["text"] for _ in range(2)] == ["two", "three"]


def test_a_mute_in_another_process_takes_effect_on_open_streams(world):
    table = world.table(ready=False)
    me, loud = table.clients[:2]
    with Stream(me, f"{table.path}/events?after={table.state()['version']}") as mine:
        # From here on, the feed hands events to the stream, which no longer reads the log.
        say(loud, table, "one")
        assert mine.next()[2]["data"]["text"] == "one"
        world.stores.players.update(me.player["id"], lambda record: {**record, "muted": [loud.player["id"]]})
        world.feeds.revoked(me.player["id"])
        say(loud, table)
        assert mine.next()[2]["data"] == {"seat": 1, "muted": True}


def test_a_mute_takes_effect_on_a_message_that_a_stream_is_about_to_send(world, monkeypatch):
    table = world.table(ready=False)
    me, loud = table.clients[:2]
    with Stream(me, f"{table.path}/events?after={table.state()['version']}") as mine:
        say(loud, table, "one")
        assert mine.next()[2]["data"]["text"] == "one"
        next_frame = Follower.frame

        def muting(follower: Follower) -> Frame | None:
            frame = next_frame(follower)
            if frame is not None:
                world.stores.players.update(me.player["id"], lambda record: {**record, "muted": [loud.player["id"]]})
                follower.must_check = True
            return frame

        monkeypatch.setattr(Follower, "frame", muting)
        say(loud, table, "two")
        assert mine.next()[2]["data"] == {"seat": 1, "muted": True}


def test_spectators_mute_spectators(world):
    table = world.table(ready=False, spectators="delayed", spectator_delay_ms=0)
    mei, yun = world.player("Mei"), world.player("Yun")
    mute(yun, mei)
    say(mei, table)
    assert last_event(yun, table)["data"] == {"seat": None, "muted": True}
    # Players do not hear spectators anyway; the mark is the same.
    mute(table.host, mei)
    assert last_event(table.host, table)["data"] == {"seat": None, "muted": True}


def test_the_list_of_mutes_is_private_and_bounded(world):
    me, other = world.player(), world.player()
    assert me.get("/v1/me/mutes").json == {"players": []}
    mute(me, other)
    mute(me, other)
    assert me.get("/v1/me/mutes").json == {"players": [other.player["id"]]}
    assert other.get("/v1/me/mutes").json == {"players": []}
    assert "muted" not in me.get("/v1/me").json
    assert "muted" not in other.get(f"/v1/players/{me.player['id']}").json
    many = [f"pl_{number}" for number in range(MOST_MUTED)]
    world.stores.players.update(me.player["id"], lambda record: {**record, "muted": many})
    world.start()
    me = world.anybody.with_token(me.token)
    mute(me, other)
    assert me.get("/v1/me/mutes").json == {"players": [*many[1:], other.player["id"]]}


def test_muting_or_reporting_an_unknown_player_is_not_found(lin):
    assert_problem(lin.put("/v1/me/mutes/pl_nobody"), "not-found", what="player")
    assert_problem(lin.post("/v1/players/pl_nobody/reports", {"reason": "chat"}), "not-found", what="player")
    assert lin.delete("/v1/me/mutes/pl_nobody").status_code == 204


def test_a_report_is_logged_once_and_its_response_shows_what_is_kept(world, lin):
    about = world.player("Mallory")
    path, body = f"/v1/players/{about.player['id']}/reports", {"reason": "chat", "table": "tb_1", "text": "Insults."}
    with capture_logs() as logs:
        first = lin.post(path, body, headers=KEY)
        again = lin.post(path, body, headers=KEY)
    assert first.status_code == 200
    assert again.json == first.json
    assert first.json | body == first.json
    assert (first.json["by"], first.json["name"]) == (lin.player["id"], "Mallory")
    [entry] = [each for each in logs if each["event"] == "player reported"]
    # `event` is the message of a line.
    assert entry == {**first.json, "team_event": None, "event": "player reported", "log_level": "error"}
    assert_problem(lin.post(path, {"reason": "display_name"}, headers=KEY), "idempotency-key-reused")


@pytest.mark.parametrize(
    "body", [{}, {"reason": "hair"}, {"reason": "chat", "text": "two\nlines"}, {"reason": "chat", "text": "x" * 501}]
)
def test_a_report_with_an_unknown_reason_or_invalid_text_is_refused(world, lin, body):
    assert_problem(lin.post(f"/v1/players/{world.player().player['id']}/reports", body), "invalid-request")


def test_reports_are_limited(world):
    world.start(limit_create=Budget(2, 60))
    lin, about = world.player(), world.player()
    path = f"/v1/players/{about.player['id']}/reports"
    assert [lin.post(path, {"reason": "other"}).status_code for _ in range(3)] == [200, 200, 429]
