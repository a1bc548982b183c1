"""What the clock's process does for an arena: no more than it has to, and nothing of what others decide is lost."""

import pytest

from service.game.views.fields import timestamp
from service.store import keys
from service.store.port import StoreCorrupt
from service.tournaments.arenas import HEEDED_AFTER_MS, LONGEST_AWAY_MS
from service.tournaments.directing.arena import LOOK_AGAIN_MS
from service.tournaments.schedules.waiting import PATIENCE_MS
from service.tournaments.team_events import CHECK_MS
from service.tournaments.teams import HOUSE
from tests.api.tournaments.test_arenas import ARENA, LENGTH_MS, Arena, checked
from tests.api.tournaments.test_forms import leave
from tests.api.tournaments.test_team_events import MINUTE, SETUP


class ArenaOfClub(Arena):
    """An arena for the members of a club, who have all entered."""

    def __init__(self, world, count):
        self.world, self.director, self.away = world, world.player("Lin", "human"), set()
        club = self.director.post("/v1/clubs", {"name": "Lakeside", "listed": False}).json
        self.club = f"/v1/clubs/{club['club']}"
        made = self.director.post("/v1/team-events", {**SETUP, **ARENA, "club": club["club"]})
        assert made.status_code == 201, made.json
        self.id = made.json["event"]
        self.path = f"/v1/team-events/{self.id}"
        self.captains = [world.player(f"P{number}", "human") for number in range(count)]
        for client in self.captains:
            assert client.post("/v1/me/clubs", {"code": club["code"]}).status_code == 200
            self.come(client)


def due_in(arena):
    """In how many milliseconds a clock examines the arena."""
    return arena.world.redis.zscore(keys.TEAM_ROUNDS, arena.id) - arena.world.now


def looks(arena, seconds, monkeypatch):
    """How often the clock's process examines the arena while nobody does anything."""
    looked = []
    inner = arena.world.services.director._arena
    go_on = inner.go_on
    with monkeypatch.context() as patch:
        patch.setattr(inner, "go_on", lambda event: looked.append(event) or go_on(event))
        for _ in range(seconds):
            arena.world.now += 1_000
            here = [client.player["id"] for client in arena.captains if client.player["id"] not in arena.away]
            arena.world.stores.people.note_here(here, arena.world.now)
            arena.world.conduct()
    return len(looked)


# --- no more than it has to -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("waiting", [0, 1])
def test_an_arena_of_a_club_is_left_alone_while_nothing_happens(world, waiting, monkeypatch):
    arena = ArenaOfClub(world, 4 + waiting)
    arena.begin()
    assert len(checked(arena)) == 1
    version = arena.progress()["version"]
    assert looks(arena, 120, monkeypatch) <= 120_000 // CHECK_MS + 1 + waiting
    assert arena.progress()["version"] == version


def test_who_is_in_a_club_is_read_once_however_many_wait(world, monkeypatch):
    arena = ArenaOfClub(world, 3)
    arena.begin()
    read, clubs = [], world.stores.clubs
    get = clubs.get
    monkeypatch.setattr(clubs, "get", lambda club: read.append(club) or get(club))
    world.services.director.go_on(arena.id)
    assert len(read) == 1


def test_who_does_not_come_back_takes_a_break_and_is_looked_for_no_longer(world, monkeypatch):
    arena = Arena(world, 6)
    gone = arena.captains[0]
    arena.away.add(gone.player["id"])
    world.now += MINUTE
    arena.begin()
    assert len(checked(arena)) == 1
    assert due_in(arena) <= LOOK_AGAIN_MS
    looks(arena, LONGEST_AWAY_MS // 1_000, monkeypatch)
    [entry] = [each for each in arena.body()["entries"] if each["team"] == gone.team]
    assert entry["withdrawn"]
    assert looks(arena, 120, monkeypatch) <= 120_000 // CHECK_MS + 1
    arena.away.clear()
    arena.come(gone)
    assert gone.team in arena.body()["played"][0]["waiting"]


@pytest.mark.parametrize("how", ["suspend", "club"])
def test_who_may_not_play_does_not_wait(world, how):
    world.start(operator_token="0123456789abcdef")
    arena = ArenaOfClub(world, 3)
    arena.begin()
    gone = arena.captains[0]
    assert gone.team in arena.body()["played"][0]["waiting"]
    if how == "suspend":
        leave(world, arena, gone, how)
    else:
        assert arena.director.delete(f"{arena.club}/people/{gone.player['id']}").status_code == 204
    world.now += CHECK_MS
    waiting = arena.body()["played"][0]["waiting"]
    assert len(waiting) == 2
    assert gone.team not in waiting


def test_an_entry_is_heeded_once_and_a_repeated_one_not_at_all(world):
    arena = Arena(world, 5)
    arena.begin()
    arena.look()
    lin = arena.captains[0]
    before = due_in(arena)
    arena.come(lin)
    assert due_in(arena) == before, "nothing has changed"
    late = arena.enter("Late")
    assert due_in(arena) == HEEDED_AFTER_MS
    world.now += HEEDED_AFTER_MS // 2
    for _ in range(3):
        assert late.delete(f"{arena.path}/teams/{late.team}").status_code == 200
        arena.come(late)
    assert due_in(arena) == HEEDED_AFTER_MS // 2, "as soon as for the first time, and no sooner"


def test_ranks_are_not_counted_for_too_few_people(world, monkeypatch):
    arena = Arena(world, 7)
    arena.begin()
    arena.play_one()
    counted, events = [], world.services.team_events
    rows = events.rows
    monkeypatch.setattr(events, "rows", lambda *args: counted.append(args) or rows(*args))
    for client in arena.captains[4:]:
        arena.away.add(client.player["id"])
    world.now += MINUTE
    arena.look()
    counted.clear()
    arena.away.add(arena.captains[0].player["id"])
    world.now += MINUTE
    arena.look()
    assert counted == []


# --- nothing is lost --------------------------------------------------------------------------------------------------


def test_who_was_away_waits_anew_before_ai_players_come(world):
    arena = Arena(world, 2, ai_after_ms=20_000)
    lin, mei = arena.captains
    arena.away = {lin.player["id"], mei.player["id"]}
    world.now += MINUTE
    arena.begin()
    world.now += MINUTE
    arena.look()
    arena.away = {mei.player["id"]}
    world.now += LOOK_AGAIN_MS
    assert checked(arena) == {}, "others may come too"
    world.now += 20_000
    [units] = checked(arena).values()
    assert units.count(HOUSE) == 3
    assert lin.team in units


def test_those_who_wait_are_listed_the_longest_first(world):
    arena = Arena(world, 3)
    first, second, third = arena.captains
    arena.away = {first.player["id"]}
    world.now += MINUTE
    arena.begin()
    arena.away = {second.player["id"]}
    world.now += MINUTE
    arena.look()
    arena.away = set()
    world.now += MINUTE
    arena.look()
    assert arena.body()["played"][0]["waiting"] == [third.team, first.team, second.team]
    assert first.delete(f"{arena.path}/teams/{first.team}").status_code == 200
    assert arena.director.get(arena.path).json["played"][0]["waiting"] == [third.team, second.team], "at once"


def test_a_director_who_brings_somebody_back_has_the_clock_look(world):
    arena = Arena(world, 4)
    arena.begin()
    lin = arena.captains[0]
    arena.play_one()
    assert lin.delete(f"{arena.path}/teams/{lin.team}").status_code == 200
    arena.look()
    back = {"members": [{"player": lin.player["id"]}]}
    assert arena.director.put(f"{arena.path}/teams/{lin.team}", back).status_code == 200
    assert due_in(arena) <= HEEDED_AFTER_MS


def test_an_arena_that_a_director_extends_while_it_is_closed_goes_on(world, monkeypatch):
    arena = Arena(world, 4)
    arena.begin()
    world.now += LENGTH_MS - MINUTE
    checked(arena)
    arena.play(arena.table("1-1"))
    world.now += MINUTE
    events = world.services.team_events
    step = events.step

    def extended(team_event, change):
        monkeypatch.undo()
        ends_at = timestamp(world.now + 2 * LENGTH_MS)
        assert arena.director.patch(f"{arena.path}/rounds/1", {"closes_at": ends_at}).status_code == 200
        return step(team_event, change)

    # The first step ends the table, the second one the arena.
    monkeypatch.setattr(events, "step", lambda *args: monkeypatch.setattr(events, "step", extended) or step(*args))
    world.now += PATIENCE_MS
    assert len(checked(arena)) == 1
    assert arena.body()["played"][0]["status"] == "open"


def test_results_that_cannot_be_told_are_tried_again_later(world, monkeypatch):
    arena = Arena(world, 4)
    arena.begin()
    events = world.services.team_events

    def fail(_):
        raise StoreCorrupt("a season", ValueError())

    monkeypatch.setattr(events, "_at_results", fail)
    assert arena.director.patch(f"{arena.path}/rounds/1", {"closes_at": timestamp(world.now)}).status_code == 200
    world.now += 1_000
    world.conduct()
    assert due_in(arena) > CHECK_MS
