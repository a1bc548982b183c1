"""Presence: a player is present while a stream is open."""

import threading
import time
from typing import ClassVar

import pytest

from harness.waiting import wait_until
from service.people import presence
from service.store.players.people import HERE_MS
from tests.api.streams.test_events import Stream

GRACE_S = presence.GRACE_S


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(presence, "GRACE_S", 0.05)


def presence_of(table, seat):
    return table.state()["seats"][seat]["presence"]


def test_a_player_who_closes_their_last_stream_is_away_until_they_open_another(world):
    table = world.table(ready=False)
    path = f"{table.path}/events?after=5"
    with Stream(table.clients[1], path), Stream(table.clients[1], path):
        pass
    wait_until(lambda: presence_of(table, 1) == "away")
    with Stream(table.host, path) as stream:
        assert stream.next()[2]["data"] == {"seat": 1, "presence": "away"}
        with Stream(table.clients[1], path):
            assert stream.next()[2]["data"] == {"seat": 1, "presence": "online"}


class GracePeriod(threading.Thread):
    """A timer that runs out when the test says so, even if it has been cancelled."""

    begun: ClassVar[list["GracePeriod"]] = []

    def __init__(self, seconds, function, args):
        super().__init__(target=function, args=args, daemon=True)
        self.begun.append(self)

    def start(self):
        pass

    def cancel(self):
        pass

    def run_out(self):
        super().start()
        self.join()


@pytest.fixture
def grace_periods(monkeypatch):
    """Those that have begun."""
    monkeypatch.setattr(GracePeriod, "begun", [])
    monkeypatch.setattr(presence.threading, "Timer", GracePeriod)
    return GracePeriod.begun


def test_reloading_a_page_does_not_make_a_player_away(world, grace_periods):
    table = world.table(ready=False)
    path = f"{table.path}/events?after=5"
    with Stream(table.clients[1], path):
        pass
    with Stream(table.clients[1], path):
        grace_periods[0].run_out()
        assert presence_of(table, 1) == "online"
    assert table.state()["version"] == 5


def test_the_grace_period_begins_anew_with_each_last_stream(world, grace_periods):
    table = world.table(ready=False)
    for _ in range(2):
        with Stream(table.clients[1], f"{table.path}/events?after=5"):
            pass
    first, second = grace_periods
    first.run_out()
    assert presence_of(table, 1) == "online"
    second.run_out()
    assert presence_of(table, 1) == "away"


def test_a_player_who_acts_is_present(world):
    table = world.table(ready=False)
    with Stream(table.clients[1], f"{table.path}/events?after=5"):
        pass
    wait_until(lambda: presence_of(table, 1) == "away")
    table.clients[1].put(f"{table.path}/seats/me/ready", {})
    assert presence_of(table, 1) == "online"


def test_a_stream_in_another_process_keeps_its_player_present(world):
    table = world.table(ready=False)
    here = table.clients[1]
    there = world.start().with_token(here.token)
    with Stream(here, f"{table.path}/events?after=5") as stream:
        with Stream(there, f"{table.path}/events?after=5"):
            pass
        assert stream.next()[2]["data"]["presence"] == "away"
        assert stream.next()[2]["data"]["presence"] == "online"


def test_spectators_and_players_who_left_have_no_presence(world):
    table = world.table()
    table.clients[1].delete(f"{table.path}/seats/me")
    with Stream(table.clients[1], f"{table.path}/events"):
        pass
    time.sleep(0.2)
    assert presence_of(table, 1) == "gone"


def test_the_client_guide_says_how_long_a_closed_stream_is_tolerated(pytestconfig):
    assert f"`away` {GRACE_S:.0f} seconds after" in (pytestconfig.rootpath / "docs" / "clients.md").read_text()


def test_a_player_who_polls_is_away_after_a_missed_decision_until_the_next_poll(world):
    table = world.table(clock={"on_timeout": "auto_play"})
    table.play_until("play")
    seat = table.state()["decision"]["seats"][0]
    client, path = table.clients[seat], f"{table.path}/events?wait=0"
    client.get(path)
    assert presence_of(table, seat) == "online"
    world.now += 100_000
    assert presence_of(table, seat) == "away"
    client.get(path)
    assert presence_of(table, seat) == "online"


# --- people who are never heard of again ------------------------------------------------------------------------------


PUBLIC = {"ruleset": "shengji", "players": 4, "visibility": "public"}


def alone_at(world, name="Ghost", **settings):
    """A public table at which somebody has sat down over the API, and the client that made it."""
    host = world.player("Host")
    table = host.post("/v1/tables", {**PUBLIC, **settings}).json["id"]
    ghost = world.player(name)
    assert ghost.post(f"/v1/tables/{table}/seats", {}).status_code == 200
    return f"/v1/tables/{table}", ghost, host


def presence_at(client, path, seat=0):
    return client.get(path).json["seats"][seat]["presence"]


def test_who_sat_down_and_is_not_heard_of_is_away_and_back_with_the_next_request(world):
    path, ghost, host = alone_at(world)
    world.now += HERE_MS - 1
    assert presence_at(host, path) == "online"
    world.now += 2
    assert presence_at(host, path) == "away"
    ghost.get(path)
    assert presence_at(host, path) == "online"
    world.now += HERE_MS - 1
    assert presence_at(host, path) == "online"


def test_who_polls_follows_the_account_or_a_stream_in_another_process_is_not_away(world):
    path, ghost, host = alone_at(world)
    for _ in range(9):
        world.now += HERE_MS // 3
        ghost.get(path)
        assert presence_at(host, path) == "online"
    for _ in range(9):
        world.now += HERE_MS // 3
        world.stores.people.note_here([ghost.player["id"]], world.now)
        assert presence_at(host, path) == "online"


def test_a_stream_of_another_player_tells_who_is_not_heard_of(world):
    path, _, host = alone_at(world)
    other = world.player("Other")
    other.post(f"{path}/seats", {})
    version = host.get(path).json["version"]
    with Stream(other, f"{path}/events?after={version}&heartbeat=5") as stream:
        wait_until(lambda: world.stores.people.here([other.player["id"]], world.now))
        world.now += HERE_MS + 1
        world.stores.people.note_here([other.player["id"]], world.now)
        while (answer := stream.next())[2].get("type") != "presence":
            pass
        assert answer[2]["data"] == {"seat": 0, "presence": "away"}


def test_during_a_game_only_missed_decisions_and_streams_count(world):
    table = world.table()
    world.now += 2 * HERE_MS
    assert {seat["presence"] for seat in table.view()["seats"]} == {"online"}


def test_the_lobby_does_not_list_a_table_at_which_nobody_is_left(world):
    path, ghost, host = alone_at(world)
    empty = host.post("/v1/tables", PUBLIC).json["id"]

    def listed():
        return {f"/v1/tables/{each['table']}" for each in host.get("/v1/tables").json["items"]}

    assert path in listed()
    world.now += HERE_MS + 1
    assert listed() == {f"/v1/tables/{empty}"}, "one at which nobody has sat down stays"
    ghost.get(path)
    assert path in listed()


def test_quick_play_seats_nobody_with_somebody_who_is_not_heard_of(world):
    path, *_ = alone_at(world)
    seeker = world.player("Seeker")
    world.now += HERE_MS + 1
    request = {"ruleset": "shengji", "players": 4}
    assert seeker.post("/v1/me/ticket", request).json.get("table") is None
    assert presence_at(seeker, path) == "away"
    seeker.delete("/v1/me/ticket")
    path, *_ = alone_at(world, "There")
    assert f"/v1/tables/{seeker.post('/v1/me/ticket', request).json['table']}" == path
