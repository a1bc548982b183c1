"""The API over a real Redis, with a clock that the test sets, and helpers that register and seat players."""

from dataclasses import replace
from functools import cache
from random import Random
from threading import Event

import pytest

from harness.waiting import wait_until
from service.api.http.auth import hash_of
from service.api.services import Probes, Services
from service.api.streams import heartbeats
from service.api.streams.feeds import Feeds
from service.app import create_app
from service.common.settings import Settings
from service.jobs import worker_status
from service.jobs.queues import QUEUES, Questions, Queues
from service.jobs.several import SeveralQuestions
from service.store.connections.clients import command_client, listening_client
from service.store.live import Announcements
from service.store.stores import Stores
from tests.api.contract import Client
from tests.api.play import Table
from workers import ai
from workers.answering import Games
from workers.conducting import Conductor, RiddleRounds
from workers.jobs import Worker

START = 1_700_000_000_000
FIXED = {"options": {"deal_pace": "instant"}, "ai_pace_ms": 0}


class MemoryCounter:
    """The counts of rate limits, in memory."""

    def __init__(self):
        self.counts = {}

    def incr(self, key, expiry, amount=1):
        self.counts[key] = self.counts.get(key, 0) + amount
        return self.counts[key]


@cache
def connected(redis_url):
    """A client for all worlds of a test process: connecting costs as much as several requests.

    Each world whose notices are looked at keeps a connection, which hears of changes, until the process ends.
    """
    return command_client(redis_url, connections=1_000)


class World:
    """The stores, the use cases and the API in this process, over a real Redis."""

    def __init__(self, redis_url, settings):
        self.redis_url = redis_url
        self.redis = connected(redis_url)
        self.now = START
        self.clock = lambda: self.now
        self.stores = Stores(self.redis, self.clock)
        self.announcements = Announcements(command_client(redis_url))
        self.feeds = Feeds(
            self.announcements,
            self.stores.tables,
            self.clock,
            lambda players: self.stores.people.note_here(players, self.now),
        )
        # The same cards in every run.
        self.entropy = Random(7).randbytes
        self.counter = MemoryCounter()
        #: How many searchers the API believes are running.
        self.searchers = 1
        self.checks = {"store": lambda: True}
        self.redis_state = {"tables": "ok"}
        self.read_worker_status = lambda: worker_status.read(self.redis, self.stores.tables, QUEUES, self.now)
        self.settings = settings
        self.start()

    def start(self, **settings):
        """Start the API again, as another process would, with these settings changed."""
        self.settings = replace(self.settings, **settings)
        self.services = Services(
            self.settings,
            self.stores,
            self.clock,
            feeds=self.feeds,
            counter=self.counter,
            questions=SeveralQuestions([Questions(self.redis, Queues(self.redis, self.clock), lambda: self.searchers)]),
            probes=Probes(self.checks, lambda: dict(self.redis_state), self.read_worker_status),
            entropy=self.entropy,
        )
        self.tables = self.services.tables
        self.app = create_app(self.services)
        self.anybody = Client(self.app)
        return self.anybody

    def player(self, name="Lin", kind="bot"):
        """Register a player; `player` of the returned client is the public profile."""
        account = self.anybody.post("/v1/players", {"name": name, "kind": kind})
        client = self.anybody.with_token(account.json["token"])
        client.player = account.json["player"]
        return client

    def remembers(self, client):
        """Make the API remember a client's token, and hear of nothing from now on, like a process that is behind."""
        authenticator = self.services.authenticator
        assert client.get("/v1/me").status_code == 200
        wait_until(lambda: authenticator.is_hearing)
        authenticator.forget = lambda _player: None
        authenticator.hears = lambda **_: None
        assert client.get("/v1/me").status_code == 200

    def revoke(self, client):
        """Revoke a client's token in the store, as another process would."""
        caller = self.stores.tokens.find(hash_of(client.token), self.now)
        player, token = caller.player["id"], caller.token["id"]
        assert self.stores.rights.end(player, [token], None) == "done"

    def table(self, players=4, ruleset="shengji", *, seated=True, ready=True, **spec):
        """Create a table; by default, bots sit on all seats and are ready."""
        clients = [self.player(f"Bot {seat}") for seat in range(players)]
        settings = {**({} if ruleset == "arms_length" else FIXED), "visibility": "public", **spec}
        view = clients[0].post("/v1/tables", {"ruleset": ruleset, "players": players, **settings})
        assert view.status_code == 201, view.json
        table = Table(self, view.json["id"], clients)
        if seated:
            table.sit()
            if ready:
                table.get_ready()
        return table

    def advance(self, table):
        """Do what workers do: move AI seats and late decisions until somebody must act."""
        return self.tables.advance(table, None, ai.choose)

    def conduct(self):
        """Do what the clock's process does for events, until nothing is due."""
        services = self.services
        rounds = RiddleRounds(services.riddles, services.questions.riddle)
        events = services.team_events, services.director, services.boards
        conductor = Conductor(*events, services.questions.field, rounds)
        while conductor.tick():
            pass

    def work(self, role="searcher", jobs=None):
        """Run the queued jobs of a role, at most `jobs` of them."""
        queues = Queues(self.redis, lambda: self.now)
        services = self.services
        games = Games(self.stores.archive, self.stores.analyses, services.boards, services.deal_links, services.riddles)
        worker = Worker(listening_client(self.redis_url), self.tables, Event(), queues, role=role, games=games)
        worker.work(burst=True, max_jobs=jobs, logging_level="ERROR")

    def caches_what_is_stored(self):
        """Whether every cached state equals the stored one, if that has the same version."""
        cached = self.stores.tables.cached_states
        stored = {table: self.stores.tables.load(table) for table in cached}
        return all(
            stored[table] is None or stored[table].version != state["version"] or stored[table].state == state
            for table, state in cached.items()
        )

    def close(self):
        self.stores.open_streams.close()
        self.announcements.close()
        self.feeds.close()
        # Their connections are of the client of all worlds, which has 64.
        self.stores.tables.close()
        self.stores.scans.close()


@pytest.fixture(autouse=True)
def late_first_beat(monkeypatch):
    """Delay the first heartbeat of streams, which comes at a random time, so that it disturbs no test."""
    monkeypatch.setattr(heartbeats, "random", lambda: 0.99)


@pytest.fixture
def world(empty_redis):
    new_world = World(empty_redis, Settings())
    yield new_world
    # The API acts on cached states; no response may have changed one.
    assert new_world.caches_what_is_stored()
    new_world.close()


@pytest.fixture
def anybody(world):
    """A client without a token."""
    return world.anybody


@pytest.fixture
def lin(world):
    """A client of the player Lin."""
    return world.player("Lin", "human")
