"""Events whose processes end after every round trip to Redis: no board is lost, none is played or counted twice."""

from copy import copy
from functools import partial

import pytest

from harness.tables import choose
from service.common.settings import Settings
from service.game.views.fields import timestamp
from service.tournaments.team_events import CHECK_MS
from tests.api.conftest import World
from tests.api.contract import assert_problem
from tests.api.tournaments.test_forms import leave, many, results_of
from tests.api.tournaments.test_team_events import SETUP
from tests.support.kills import killed_everywhere
from tests.support.sorting import by_day
from workers import conducting
from workers.conducting import Conductor

DAY_MS = 86_400_000
#: Nobody runs out of time while processes wait for leases.
SLOW = {f"{kind}_ms": 3_600_000 for kind in ("play", "declare", "defence", "discard", "call", "ready")}
#: Form, and how many enter; by day, pairs and teams.
BY_DAY = [("swiss", 4), ("mitchell", 4)]
PLAYED = [*BY_DAY, ("knock_out", 3), ("round_robin", 3), ("howell", 3), ("swiss_pairs", 3), ("individual", 5)]


def by_hints(view, seed, _level="easy"):
    """Decide as the cards say, so that a board comes to the same result whenever it is played."""
    return choose(view, seed, "easy")


class Evening:
    """An event from its first round to its standings, each step taken by `step`."""

    def __init__(self, cup, step):
        self.world, self.cup, self.step = cup.world, cup, step

    def is_held(self):
        for number in range(1, self.cup.body()["rounds"] + 1):
            self.step(partial(self.begins, number), self.goes_on)
            self.plays_round()
        # When the clock looks again, it forgets the event.
        self.world.now += CHECK_MS
        self.step(self.conducts, self.goes_on)
        return self

    def plays_round(self):
        self.step(self.conducts, self.goes_on)
        while tables := self.open_tables():
            for table in tables:
                self.plays(table)
            self.step(self.conducts, self.goes_on)

    def begins(self, number):
        answer = self.cup.director.post(f"{self.cup.path}/rounds", {"round": number})
        assert answer.status_code == 200, answer.json

    def conducts(self):
        services = self.world.services
        one = Conductor(services.team_events, services.director, services.boards, lambda *_: True)
        while one.tick():
            pass

    def goes_on(self):
        """Another process, after the leases of the one that has ended."""
        self.world.now += conducting.LEASE_MS
        self.world.start()

    def open_tables(self):
        due = {each.table for each in self.world.stores.tables.lease_due(self.world.now, 0, 100)}
        return sorted(due | ({self.cup.table_of(client) for client in self.cup.captains} - {None}))

    def plays(self, table):
        while self.world.tables.load(table)["status"] == "playing":
            self.world.now += 1_000
            self.step(partial(self.advances, table), self.world.start)
            self.step(partial(self.answers, table), self.world.start)
        self.step(partial(self.advances, table), self.world.start)

    def advances(self, table):
        self.world.tables.advance(table, None, by_hints)

    def answers(self, table):
        """The first person who is asked answers."""
        decision = self.world.tables.load(table)["decision"]
        asked = None if decision is None else self.cup.asked_person(table, decision, None)
        if asked is not None:
            player, view = asked
            self.world.tables.act(table, {"player": player, "decision_id": decision["id"], **by_hints(*view)})

    def came_to(self):
        """What the evening has come to, without times: results, standings, inboxes, past games, and keys of Redis."""
        results = results_of(self.cup)
        told = {
            client.player["name"]: [
                (note.type, {**note.data}) for note in self.world.stores.inbox.after(client.player["id"], 0, 99)
            ]
            for client in self.cup.captains
        }
        past = {client.player["name"]: len(client.get("/v1/me/games").json["items"]) for client in self.cup.captains}
        # Of a table whose process ended while it was opened, codes are left until they expire.
        keys = {key for key in self.world.redis.scan_iter("*") if not key.startswith(b"sj:code:")}
        return {**{part: results[part] for part in ("matches", "standings")}, "told": told, "past": past, "keys": keys}


class League(Evening):
    """A league, whose matches begin when all of their people are ready, and whose fixtures follow by themselves."""

    def is_held(self):
        self.step(partial(self.begins, 1), self.goes_on)
        for _ in range(self.cup.body()["rounds"]):
            for client in self.cup.captains:
                self.step(partial(self.is_ready, client), self.world.start)
            self.plays_round()
            # The clock begins the next one.
            progress = self.world.stores.boards.teams.progress(self.cup.id)
            self.world.now = progress["rounds"][-1]["closes_at"]
            self.step(self.conducts, self.goes_on)
        return self

    def is_ready(self, client):
        body = self.cup.director.get(self.cup.path).json
        [match] = [match for match in body["played"][-1]["matches"] if client.team in match["teams"]]
        answer = client.put(f"{self.cup.path}/matches/{match['match']}/readiness")
        assert answer.status_code == 200, answer.json


class Saved:
    """What is in Redis, to be put there again, and an event in it."""

    def __init__(self, cup):
        self._cup, redis = cup, cup.world.redis
        self._kept = {key: (redis.dump(key), max(redis.pttl(key), 0)) for key in redis.scan_iter("*")}

    def again(self):
        """The event as it was, in a world whose processes know nothing."""
        before = self._cup.world
        before.redis.flushall()
        for key, (value, ttl) in self._kept.items():
            before.redis.restore(key, ttl, value)
        cup, cup_world = copy(self._cup), World(before.redis_url, before.settings)
        cup.world, cup.director = cup_world, self._again(cup_world, cup.director)
        cup.captains = [self._again(cup_world, client) for client in cup.captains]
        return cup

    def _again(self, world, client):
        other = world.anybody.with_token(client.token)
        other.player, other.team = client.player, getattr(client, "team", None)
        return other


@pytest.mark.parametrize(("form", "entrants"), by_day(BY_DAY, PLAYED))
def test_an_event_whose_processes_end_after_every_round_trip_comes_to_the_same(empty_redis, form, entrants):
    check_that_ends_change_nothing(empty_redis, Evening, entrants, form=form, rounds=2)


@pytest.mark.nightly
@pytest.mark.parametrize(("entrants", "rounds"), [(2, 1), (4, 3)])
def test_a_league_whose_processes_end_after_every_round_trip_comes_to_the_same(empty_redis, entrants, rounds):
    setup = {"form": "round_robin", "league": "agreed", "rounds": rounds}
    check_that_ends_change_nothing(empty_redis, League, entrants, **setup)


def test_who_was_the_last_to_be_ready_may_say_so_again(world):
    cup = many(world, 2, form="round_robin", rounds=1, boards=1, league="agreed", round_ms=DAY_MS)
    cup.begin()
    path = f"{cup.path}/matches/1-1/readiness"
    for client in (*cup.captains, cup.captains[-1]):
        assert client.put(path).status_code == 200
    assert cup.body()["played"][-1]["status"] == "open"
    assert_problem(cup.captains[0].delete(path), "match-not-open", reason="begun")


def check_that_ends_change_nothing(redis, kind, entrants, **setup):
    """Hold an event twice, once with ends of processes everywhere, and compare what it has come to."""
    cup = many(World(redis, Settings()), entrants, boards=1, clock=SLOW, round_ms=DAY_MS, **setup)
    saved, ends = Saved(cup), []
    undisturbed = kind(cup, lambda do, _: do()).is_held().came_to()

    def step(do, goes_on):
        ends.append(killed_everywhere(do, goes_on))

    again = saved.again()
    killed = kind(again, step).is_held().came_to()
    assert sum(ends) > 100
    for part, expected in undisturbed.items():
        assert killed[part] == expected, part
    for each in (cup, again):
        each.world.close()


def test_a_player_who_is_suspended_leaves_the_seat_although_the_process_that_opened_the_table_died(world):
    world.start(operator_token="0123456789abcdef")
    cup = many(world, 2, boards=1)
    gone, there = cup.captains
    leave(world, cup, gone, "suspend")
    evening = Evening(cup, killed_everywhere)
    evening.step(partial(evening.begins, 1), evening.goes_on)
    evening.step(evening.conducts, evening.goes_on)
    state = world.tables.load(cup.table_of(there))
    [seat] = [seat for seat in state["seats"] if seat["occupant"]["player"] == gone.player["id"]]
    assert seat["autopilot"]
    assert [note.type for note in world.stores.inbox.after(gone.player["id"], 0, 9)].count("seated") == 0
    assert [note.type for note in world.stores.inbox.after(there.player["id"], 0, 9)].count("seated") == 1


@pytest.mark.parametrize("is_of_club", [False, True])
def test_an_event_is_made_once_and_directed_although_processes_die(world, is_of_club):
    director, member = world.player("Director"), world.player("Member")
    club = director.post("/v1/clubs", {"name": "Lakeside"}).json
    assert member.post("/v1/me/clubs", {"code": club["code"]}).status_code == 200
    setup = {**SETUP, "form": "mitchell", **({"club": club["club"]} if is_of_club else {})}
    made = []

    def make():
        answer = director.post(
            "/v1/team-events", setup, headers={"Idempotency-Key": "5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10"}
        )
        assert answer.status_code == 201, answer.json
        made.append(answer.json)

    assert killed_everywhere(make, world.start) > 5
    assert made[0]["mine"]["directs"]
    assert [each["event"] for each in director.get("/v1/team-events").json["items"]] == [made[0]["event"]]
    assert [*world.stores.boards.teams.directed(director.player["id"])] == [made[0]["event"]]
    told = [note.type for note in world.stores.inbox.after(member.player["id"], 0, 9)]
    assert told.count("club_event") == is_of_club
    listed = director.get(f"/v1/clubs/{club['club']}/events").json["items"]
    assert [each["event"] for each in listed] == [made[0]["event"]] * is_of_club


def test_a_time_is_told_once_although_processes_die(world):
    cup = many(world, 2, form="round_robin", rounds=1, boards=1, league="agreed", round_ms=DAY_MS)
    cup.begin()
    one, other = cup.captains
    at = timestamp(world.now + DAY_MS // 2)

    def names(client):
        answer = client.put(f"{cup.path}/matches/1-1/time", {"at": at})
        assert answer.status_code == 200, answer.json

    def told(client):
        notes = world.stores.inbox.after(client.player["id"], 0, 99)
        return [note.type for note in notes if note.type.startswith("time_")]

    for client in (one, other):
        assert killed_everywhere(partial(names, client), world.start) > 5
    assert (told(one), told(other)) == (["time_agreed"], ["time_proposed"])
