"""The contract of `service.store.tournaments.teams.TeamStore`, on a server and a cluster."""

import threading

import pytest

from service.boards.deals import new_event
from service.store import keys
from service.store.boards.events import BoardStore

DAY_MS = 86_400_000
NOW = 1_700_000_000_000
RULES = {
    "name": "Cup",
    "is_listed": True,
    "rounds": 1,
    "boards": 1,
    "round_ms": DAY_MS,
    "options": {},
    "clock": {},
    "ai_pace_ms": 0,
}


@pytest.fixture(params=["redis", "cluster"])
def redis(request):
    return request.getfixturevalue("cluster" if request.param == "cluster" else "client")


@pytest.fixture
def store(redis):
    board_store = BoardStore(redis)
    board_store.create({**new_event("ev_1", "shengji", 4, NOW, bytes), "teams": RULES}, DAY_MS)
    return board_store


def team(*players):
    members = [
        {"player": player, "name": player.title(), "kind": "bot", "level": None, "is_confirmed": True}
        for player in players
    ]
    return {"name": "Team", "captain": players[0], "members": members, "is_withdrawn": False, "is_house": False}


def with_team(name, *players):
    return lambda progress: {**progress, "teams": {**progress["teams"], name: team(*players)}}


def test_each_change_increments_the_version_and_notes_new_players(store, redis):
    assert store.teams.progress("ev_1") is None
    store.teams.change("ev_1", lambda progress: {**progress, "director": "lin"}, NOW)
    progress = store.teams.change("ev_1", with_team("tm_1", "mei", "tao"), NOW)
    assert (progress["version"], progress["director"]) == (2, "lin")
    assert store.teams.progress("ev_1") == progress
    assert store.entries("ev_1") == {"mei": {"name": "Mei", "at": NOW}, "tao": {"name": "Tao", "at": NOW}}
    assert store.teams.change("ev_1", lambda same: same, NOW) == progress, "nothing has changed"
    store.teams.change("ev_1", with_team("tm_1", "mei", "ann"), NOW + 1)
    assert store.entries("ev_1").keys() == {"mei", "ann"}
    for key in (keys.event_progress("ev_1"), keys.event_entries("ev_1")):
        assert 0 < redis.pttl(key) <= DAY_MS
    assert store.teams.change("ev_2", with_team("tm_1", "mei"), NOW) is None
    assert store.teams.progress("ev_2") is None


def test_no_concurrent_change_is_lost(store):
    def enter(number):
        for each in range(5):
            name = f"p{number}x{each}"
            store.teams.change("ev_1", with_team(name, name), NOW)

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    progress = store.teams.progress("ev_1")
    assert (len(progress["teams"]), progress["version"]) == (20, 20)


def test_an_erased_player_leaves_an_empty_place(store):
    store.teams.change("ev_1", lambda progress: {**progress, "director": "mei"}, NOW)
    store.teams.change("ev_1", with_team("tm_1", "mei", "tao"), NOW)
    assert store.teams.direct("mei", "ev_1", NOW + DAY_MS, NOW, 10, DAY_MS)
    assert store.traces("mei") == {"ev_1": {"name": "Mei", "at": NOW}}
    store.erase("mei", 0)
    progress = store.teams.progress("ev_1")
    assert (progress["director"], progress["teams"]["tm_1"]["captain"]) == (None, None)
    first, second = progress["teams"]["tm_1"]["members"]
    assert (first["player"], first["name"], first["is_confirmed"]) == (None, "", False)
    assert second["player"] == "tao"
    assert (store.traces("mei"), store.teams.directed("mei")) == ({}, {})
    assert store.traces("tao").keys() == {"ev_1"}


def test_team_events_are_listed_latest_first_without_those_of_single_players(store):
    later = {**new_event("ev_2", "shengji", 4, NOW + 1, bytes), "teams": RULES}
    store.create(later, DAY_MS)
    store.create(new_event("ev_3", "shengji", 4, NOW + 2, bytes), DAY_MS)
    assert [event for _, event in store.teams.newest(5)] == ["ev_2", "ev_1"]
    assert store.newest(5) == ["ev_3"]


def test_directed_events_count_until_their_end_and_are_known_longer(store, redis):
    def direct(event, until, now):
        return store.teams.direct("mei", event, until, now, 2, DAY_MS)

    middle = NOW + DAY_MS // 2
    assert direct("ev_1", middle, NOW)
    assert direct("ev_2", NOW + DAY_MS, NOW)
    assert not direct("ev_3", NOW + DAY_MS, NOW)
    assert direct("ev_2", NOW + DAY_MS, NOW), "a retry"
    assert direct("ev_3", NOW + DAY_MS, middle), "the first counts no longer"
    store.teams.undirect("mei", "ev_2", middle)
    store.teams.undirect("mei", "ev_9", middle)
    assert store.teams.directed("mei") == {"ev_1": middle, "ev_2": middle, "ev_3": NOW + DAY_MS}
    assert direct("ev_4", NOW + 3 * DAY_MS, middle + DAY_MS)
    assert store.teams.directed("mei").keys() == {"ev_3", "ev_4"}
    assert 2 * DAY_MS < redis.pttl(keys.directed_by("mei")) <= 3 * DAY_MS + DAY_MS // 2


def test_of_events_at_the_same_time_no_more_are_directed_than_allowed(store):
    taken = []

    def create(number):
        taken.append(store.teams.direct("mei", f"ev_{number}", NOW + DAY_MS, NOW, 10, DAY_MS))

    threads = [threading.Thread(target=create, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (taken.count(True), len(store.teams.directed("mei"))) == (10, 10)


def test_an_event_that_is_discarded_expires_with_all_of_its_keys(store, redis):
    store.teams.change("ev_1", with_team("tm_1", "mei"), NOW)
    store.set_standings("ev_1", {"version": 1, "rows": []})
    store.teams.discard("ev_1", 60_000)
    stored_keys = [
        keys.event("ev_1"),
        keys.event_progress("ev_1"),
        keys.event_entries("ev_1"),
        keys.event_standings("ev_1"),
    ]
    assert all(0 < redis.pttl(key) <= 60_000 for key in stored_keys)
    assert store.teams.newest(5) == []
    assert store.teams.progress("ev_1") is not None, "readable until then"
