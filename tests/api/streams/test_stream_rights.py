"""Streams end as soon as their reader loses the right to them, before they send anything else."""

import pytest

from service.api.streams import feeds
from tests.api.contract import assert_problem
from tests.api.streams.test_events import STREAM, Stream, later, left_of


def events(table):
    return f"{table.path}/events?after={table.state()['version']}"


def say(table, text="hello"):
    assert table.host.post(f"{table.path}/chat", {"text": text}).status_code == 200


def watched(world, **more):
    """A public table in the lobby, and a player without a seat."""
    table = world.table(ready=False, **more)
    return table, world.player("Mei")


# --- tokens ------------------------------------------------------------------------------------------------------


def test_the_streams_of_a_rotated_token_end(world):
    table = world.table(ready=False)
    old = table.clients[1]
    ticket = old.post(f"{table.path}/stream-ticket").json["ticket"]
    with (
        Stream(old, events(table)) as first,
        Stream(world.anybody, f"{events(table)}&ticket={ticket}") as second,
        Stream(table.clients[2], events(table)) as other,
    ):
        token = old.post("/v1/me/token").json["token"]
        assert first.end() == "unauthorized"
        assert second.end() == "unauthorized"
        with Stream(world.anybody.with_token(token), events(table)) as new:
            say(table)
            # The chat message comes first: the player has not become away.
            assert other.next()[2]["type"] == "chat"
            assert new.next()[2]["type"] == "chat"
    assert_problem(old.get(events(table), headers=STREAM), "unauthorized")


def test_the_stream_of_a_deleted_player_ends_in_the_middle_of_a_game(world):
    table = world.table()
    with Stream(table.clients[1], events(table)) as stream:
        assert table.clients[1].delete("/v1/me").status_code == 204
        while (message := stream.next())[0] == "message":
            pass
        assert (message[0], message[2]["reason"]) == ("end", "unauthorized")
        assert stream.next() is None


def test_a_ticket_ends_with_its_token(world):
    table = world.table(ready=False)
    ticket = table.clients[1].post(f"{table.path}/stream-ticket").json["ticket"]
    table.clients[1].post("/v1/me/token")
    assert_problem(world.anybody.get(f"{table.path}/events?ticket={ticket}", headers=STREAM), "unauthorized")


def test_a_token_just_revoked_by_another_process_opens_no_stream(world):
    table = world.table(ready=False)
    client = table.clients[1]
    world.remembers(client)
    # This process has not heard of it yet.
    world.revoke(client)
    assert client.get(table.path).status_code == 200
    assert_problem(client.get(events(table), headers=STREAM), "unauthorized")
    assert_problem(client.get(f"{events(table)}&wait=20"), "unauthorized")


def test_a_missed_revocation_is_found_when_announcements_resume(world):
    table = world.table(ready=False)
    with Stream(table.clients[1], events(table)) as stream:
        say(table)
        assert stream.next()[2]["type"] == "chat"
        world.redis.delete("sj:{players}:token")
        world.feeds.missed()
        assert stream.end() == "unauthorized"


def test_a_long_poll_ends_with_its_token(world):
    table = world.table(ready=False)
    client = table.clients[1]
    thread = later(lambda: world.revoke(client))
    assert_problem(client.get(f"{events(table)}&wait=20"), "unauthorized")
    thread.join()


# --- seats -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["host", "player"])
def test_the_stream_of_a_player_who_loses_the_seat_ends_with_that_event(world, who):
    table = world.table(ready=False)
    with Stream(table.clients[1], events(table)) as stream:
        asks, seat = (table.host, 1) if who == "host" else (table.clients[1], "me")
        assert asks.delete(f"{table.path}/seats/{seat}").status_code in (200, 204)
        event = stream.next()[2]
        assert (event["type"], event["data"]["seat"]) == ("seat_left", 1)
        if who == "host":
            # The join code changes too, but the kicked player does not learn it.
            event = stream.next()[2]
            assert event["type"] == "settings_changed"
            assert "join_code" not in str(event)
        assert stream.end() == "seat-left"
    # The player may go on as a spectator.
    with Stream(table.clients[1], events(table)) as stream:
        say(table)
        assert "text" not in stream.next()[2]["data"]


def test_a_player_who_loses_the_seat_at_a_private_table_gets_no_further_event(world):
    table = world.table(ready=False, visibility="private")
    with Stream(table.clients[1], events(table)) as stream:
        table.host.delete(f"{table.path}/seats/1")
        assert stream.end() == "private-table"
    thread = later(lambda: table.host.delete(f"{table.path}/seats/2"))
    assert_problem(table.clients[2].get(f"{events(table)}&wait=20"), "private-table")
    thread.join()


def test_a_seat_left_to_an_ai_player_during_a_game_stays_the_players(world):
    table = world.table()
    with Stream(table.clients[1], events(table)) as stream:
        table.clients[1].delete(f"{table.path}/seats/me")
        assert stream.next()[2]["type"] == "seat_left"
        table.clients[1].post(f"{table.path}/seats/me/resume")
        while stream.next()[2]["type"] != "seat_resumed":
            pass


# --- spectators --------------------------------------------------------------------------------------------------


def change(table, **settings):
    tag = table.host.get(table.path).headers["ETag"]
    assert table.host.patch(table.path, settings, headers={"If-Match": tag}).status_code == 200


def test_a_strangers_stream_ends_when_the_table_becomes_private(world):
    table, mei = watched(world)
    with Stream(mei, events(table)) as stranger, Stream(table.clients[1], events(table)) as player:
        change(table, visibility="private")
        assert stranger.end() == "private-table"
        assert player.next()[2]["type"] == "settings_changed"


def test_a_strangers_stream_ends_when_a_game_without_spectators_begins(world):
    table, mei = watched(world, spectators="off")
    with Stream(mei, events(table)) as stranger:
        for client in table.clients:
            client.put(f"{table.path}/seats/me/ready", {})
        types = []
        while (message := stranger.next())[0] == "message":
            types.append(message[2]["type"])
        assert message[2]["reason"] == "no-spectators"
        assert set(types) <= {"seat_ready"}
    assert_problem(mei.get(f"{table.path}/events", headers=STREAM), "no-spectators")


def test_a_strangers_stream_ends_with_the_next_game_after_watching_is_turned_off(world):
    table, mei = watched(world, spectators="delayed", spectator_delay_ms=0)
    with Stream(mei, events(table)) as stranger:
        change(table, spectators="off")
        assert stranger.next()[2]["type"] == "settings_changed"
        table.get_ready()
        while (message := stranger.next())[0] == "message":
            assert message[2]["type"] == "seat_ready"
        assert message[2]["reason"] == "no-spectators"


def test_streams_end_when_their_table_is_deleted(world):
    table = world.table(ready=False)
    with Stream(table.clients[1], events(table)) as stream:
        world.stores.tables.delete(table.id)
        assert stream.end() == "not-found"


# --- the end of a game -------------------------------------------------------------------------------------------


def play_to_the_end(table):
    """End the game by a vote; it is not kept yet."""
    for client in table.clients[:1]:
        table.last_vote = client.post(f"{table.path}/votes", {"kind": "abandon"}).json
    vote = table.state()["vote"]
    for client in table.clients[1:]:
        if table.state()["vote"] is None:
            break
        client.put(f"{table.path}/votes/{vote['id']}", {"approve": True})
    assert table.state()["status"] == "finished"


def test_a_stream_ends_after_the_event_that_its_game_is_kept(world):
    table = world.table()
    with Stream(table.clients[1], events(table)) as stream:
        play_to_the_end(table)
        types = []
        while not types or types[-1] != "game_ended":
            types.append(stream.next()[2]["type"])
        # The game is over, but its last event is still to come.
        assert world.advance(table.id)
        assert stream.next()[2]["type"] == "game_kept"
        assert stream.end() == "over"
    drained = table.host.get(f"{table.path}/events", headers={**STREAM, "Last-Event-ID": str(table.state()["version"])})
    assert drained.status_code == 204


def test_a_stream_opened_before_a_finished_game_is_kept_sends_that_event(world):
    table = world.table()
    play_to_the_end(table)
    with Stream(table.clients[1], events(table)) as stream, Stream(table.host, f"{table.path}/events") as of_host:
        assert of_host.next()[0] == "reset"
        world.advance(table.id)
        assert stream.next()[2]["type"] == "game_kept"
        assert stream.end() == "over"
        assert of_host.next()[2]["type"] == "game_kept"
        assert of_host.end() == "over"


def test_a_stream_opened_after_a_game_sends_the_events_of_another_one(world):
    table = world.table()
    play_to_the_end(table)
    world.advance(table.id)
    with Stream(table.clients[1], events(table)) as stream:
        table.host.put(f"{table.path}/seats/me/ready", {})
        assert stream.next()[2]["type"] == "seat_ready"


@pytest.mark.parametrize("query", ["", "?after=1"])
def test_a_stream_opened_while_another_game_is_asked_for_sees_it_begin(world, query):
    table = world.table()
    play_to_the_end(table)
    world.advance(table.id)
    table.host.put(f"{table.path}/seats/me/ready", {})
    with Stream(table.clients[1], f"{table.path}/events{query}") as stream:
        assert stream.next()[0] == ("message" if query else "reset")
        for client in table.clients[1:]:
            client.put(f"{table.path}/seats/me/ready", {})
        while stream.next()[2].get("type") != "game_started":
            pass


def test_a_spectators_heartbeat_names_no_hidden_event(world, monkeypatch):
    monkeypatch.setattr(feeds, "HEARTBEAT_S", 0.1)
    table = world.table(spectators="delayed", spectator_delay_ms=60_000)
    mei = world.player("Mei")
    begun = table.state()["game"]["started_seq"]
    with Stream(mei, f"{table.path}/events?after={begun - 1}") as stream:
        say(table)
        for _ in range(3):
            name, _, data = stream.next()
            assert (name, data["after"]) == ("heartbeat", begun - 1)


def test_an_idle_long_poll_of_a_spectator_is_free_while_a_game_goes_on(world):
    table = world.table(spectators="delayed", spectator_delay_ms=60_000)
    mei = world.player("Mei")
    before = mei.get("/v1/me").headers["RateLimit"]
    thread = later(lambda: say(table))
    begun = table.state()["game"]["started_seq"]
    assert mei.get(f"{table.path}/events?after={begun - 1}&wait=1").json["events"] == []
    thread.join()
    assert left_of(before) - left_of(mei.get("/v1/me").headers["RateLimit"]) == 1
