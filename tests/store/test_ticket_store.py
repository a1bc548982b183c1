"""Races of tickets: whatever dies at any point, nobody is in two matches, and nobody waits forever."""

import random
import threading
from collections import Counter
from contextlib import suppress

import pytest

from service.matchmaking import groups as matching
from service.matchmaking.errors import NotMatched
from service.matchmaking.quick_play import CONFIRM_MS, QuickPlay
from service.people.people import People
from service.store.matchmaking.tickets import TicketStore
from service.store.stores import Stores
from tests.store.conftest import START

KIND = {"ruleset": "shengji", "players": 4, "preset": None, "clock": "normal"}


class DiedError(Exception):
    """The process was killed."""


class Mortal:
    """A store whose caller dies before or after random steps."""

    def __init__(self, store, chance):
        self._store, self._chance = store, chance

    def __getattr__(self, name):
        step = getattr(self._store, name)

        def call(*arguments):
            if self._chance.random() < 0.04:
                raise DiedError
            answer = step(*arguments)
            if self._chance.random() < 0.04:
                raise DiedError
            return answer

        return call


@pytest.fixture
def store(client):
    return TicketStore(client)


def ticket(name, *party, since=START):
    return {
        "id": f"ti_{name}",
        "kind": KIND,
        "players": [name, *party],
        "ratings": [None] * (1 + len(party)),
        "window": (None, None),
        "blocks": [],
        "met": [],
        "since": since,
        "ai_after_ms": 20_000,
        "ai_level": "easy",
    }


def match(name, *tickets, now=START):
    seats = [player for each in tickets for player in each["players"]]
    return {
        "id": f"ma_{name}",
        "kind": KIND,
        "seats": [*seats, *[None] * (4 - len(seats))],
        "ai_level": "easy",
        "tickets": [(each["id"], each["since"], each["players"]) for each in tickets],
        "made_at": now,
        "confirm_by": now + CONFIRM_MS,
    }


def test_a_party_waits_as_a_whole_or_not_at_all(store):
    assert store.open(ticket("a", "b")) is None
    assert store.open(ticket("c", "b")) == "b"
    assert store.of_player("c") is None
    assert store.of_player("b").ticket["id"] == "ti_a"


def test_all_tickets_of_a_match_are_taken_or_none(store):
    one, two, three = (ticket(name) for name in "abc")
    for each in (one, two, three):
        store.open(each)
    # Also within a single call.
    found_match = store.take([match("1", one, two), match("2", two, three)], START)
    assert [each["id"] for each in found_match] == ["ma_1"]
    assert store.take([match("2", two, three)], START) == []
    assert store.of_player("c").pending is None
    assert [each["id"] for each in store.waiting()] == ["ti_c"]
    assert not store.close(one), "it is in a match"


def test_a_match_that_all_have_confirmed_is_not_late(store):
    one, two = ticket("a", "b"), ticket("c", since=START + 1)
    pending = match("1", one, two)
    store.open(one)
    store.open(two)
    store.take([pending], START)
    assert store.confirm("x", "ma_1", START) == "gone"
    assert [store.confirm(name, "ma_1", START) for name in "abbc"] == ["some", "some", "some", "all"]
    assert store.end(pending, "late") is None
    assert store.end(pending, "ti_a") is None
    assert store.end(pending, "seated") == ["ti_a", "ti_c"]
    assert store.end(pending, "seated") is None
    assert store.is_idle(START + 1_000_000)


def test_players_who_confirmed_wait_again_with_their_original_start(store):
    one, two = ticket("a", "b"), ticket("c", since=START + 1)
    for each in (one, two, ticket("d", since=START + 2)):
        store.open(each)
    store.take([match("1", one, two)], START)
    store.confirm("a", "ma_1", START)
    store.confirm("c", "ma_1", START)
    assert store.end(match("1", one, two), "late") == ["ti_a"], "of the party only one has confirmed"
    assert [each["id"] for each in store.waiting()] == ["ti_c", "ti_d"]
    assert store.of_player("b") is None


def test_only_players_of_both_last_matches_count(store):
    for name, others in (("1", "abc"), ("1", "abc"), ("2", "abd")):
        assert store.met("a") == set() or name != "1"
        store.note_seated(match(name, ticket(*others)), f"tb_{name}")
    assert store.met("a") == {"b"}
    assert store.met("d") == set()
    store.forget(["a"])
    assert store.met("a") == set()
    assert store.seated("a") is None
    assert store.seated("b") == "tb_2"


class Hall:
    """People who look for a game, and processes that die.

    Attributes:
        games: match -> its players.
    """

    def __init__(self, client, seed, people):
        self.games, self._seed, self._now = {}, seed, START
        self._stores, self._lock, self._stopped = Stores(client), threading.Lock(), threading.Event()
        self._names = [f"p{number}" for number in range(people)]

    def seat(self, made, *_):
        with self._lock:
            players = self.games.setdefault(made["id"], [player for player in made["seats"] if player])
        return f"tb_{made['id']}", players

    def _process(self, tickets):
        stores = self._stores
        people = People(stores.people, stores.players, stores.inbox, lambda: self._now)
        return QuickPlay(
            tickets, people, stores.players, stores.results, stores.inbox, None, None, None, lambda: self._now
        )

    def _clock(self, number):
        chance = random.Random(f"{self._seed} clock {number}")
        while not self._stopped.is_set():
            with suppress(DiedError):
                self._process(Mortal(self._stores.tickets, chance)).tick()

    def _is_matched(self, name):
        held = self._stores.tickets.of_player(name)
        return held is not None and held.pending is not None

    def _some_people(self, number):
        chance = random.Random(f"{self._seed} api {number}")
        api, mine = self._process(Mortal(self._stores.tickets, chance)), self._names[number::4]
        for name in mine:
            self._stores.tickets.open(ticket(name, since=self._now))
        for _ in range(4):
            for name in mine:
                if self._is_matched(name) and chance.random() < 0.8:
                    with suppress(DiedError, NotMatched):
                        api.confirm(name) if chance.random() < 0.9 else api.withdraw(name)
            self._now += 1_000

    def run(self):
        """Let people look and confirm while the processes die."""
        clocks = [threading.Thread(target=self._clock, args=(number,)) for number in range(3)]
        people = [threading.Thread(target=self._some_people, args=(number,)) for number in range(4)]
        self._stores.people.note_here(self._names, START + 10**9)
        for thread in (*clocks, *people):
            thread.start()
        for thread in people:
            thread.join()
        self._stopped.set()
        for thread in clocks:
            thread.join()

    def goes_on_without_deaths(self):
        """Let everybody who is matched confirm, until nobody waits."""
        survivor = self._process(self._stores.tickets)
        for _ in range(8):
            self._now += CONFIRM_MS
            survivor.tick()
            for name in filter(self._is_matched, self._names):
                survivor.confirm(name)


@pytest.mark.parametrize("seed", [1, 2])
def test_after_any_crash_nobody_plays_twice_or_waits_forever(client, seed, monkeypatch):
    """People, clocks and API processes die at any step, and nobody is in two games."""
    hall = Hall(client, seed, people=120)
    monkeypatch.setattr("service.matchmaking.quick_play.seat", hall.seat)
    hall.run()
    hall.goes_on_without_deaths()
    assert len(hall.games) > 10
    assert max(Counter(player for game in hall.games.values() for player in game).values()) == 1
    left = {name.decode().split(":")[2] for name in client.scan_iter("sj:{quick}:*")}
    assert left <= {"met", "seated"}


def test_matching_is_pure_and_works_with_stored_tickets(store):
    for number in range(8):
        store.open(ticket(f"p{number}", since=START + number))
    matches = matching.groups(store.waiting(), START + 10)
    assert [group.people for group in matches] == [4, 4]
