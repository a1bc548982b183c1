"""Arenas: who waits gets a table, what a table counts, and what happens to those who leave."""

import random

import pytest

from service.game.views.fields import timestamp
from service.tournaments import forms
from service.tournaments.arenas import HEEDED_AFTER_MS, last_table_at
from service.tournaments.schedules.waiting import PATIENCE_MS
from service.tournaments.team_events import LONGEST_MS
from service.tournaments.teams import HOUSE
from tests.api.contract import assert_problem
from tests.api.tournaments.test_forms import end, leave, results_of
from tests.api.tournaments.test_team_events import MINUTE, Cup

LENGTH_MS = 20 * MINUTE
ARENA = {"form": "arena", "boards": 1, "round_ms": LENGTH_MS}


class Arena(Cup):
    """An arena of people who are all there, and play at random."""

    def __init__(self, world, count, **setup):
        super().__init__(world, **{**ARENA, **setup})
        self.away = set()
        for number in range(count):
            self.enter(f"P{number}")

    def enter(self, name):
        client = self.world.player(name)
        self.come(client)
        self.captains.append(client)
        return client

    def come(self, client):
        """Enter, or come back."""
        answer = client.post(f"{self.path}/teams", {"teams": [{"members": [{"player": client.player["id"]}]}]})
        assert answer.status_code == 200, answer.json
        client.team = answer.json["mine"]["team"]

    def look(self):
        """What the clock's process does, with everybody there who is not away."""
        here = [client.player["id"] for client in self.captains if client.player["id"] not in self.away]
        self.world.stores.people.note_here(here, self.world.now)
        # Who has come or is free again is heeded a moment later.
        self.world.now += HEEDED_AFTER_MS
        self.world.conduct()

    def begin(self, number=1):
        self.look()
        return super().begin(number)

    def body(self, client=None):
        self.look()
        return super().body(client)

    def open_tables(self):
        """Match -> who sits there, of the tables where people play."""
        entry = self.body()["played"][-1]
        return {each["match"]: each["teams"] for each in entry["matches"]} if entry["status"] == "open" else {}

    def table(self, match):
        """The table (id) of a match."""
        services = self.world.app.extensions["services"]
        units = self.open_tables()[match]
        player = next(client for client in self.captains if client.team in units)
        return services.team_events.table_of(services.team_events.event(self.id), player.player["id"])

    def play_one(self, at=0):
        """Play the table that has begun first, or another one, to its end."""
        match = [*self.open_tables()][at]
        self.play(self.table(match))
        self.look()
        return match

    def progress(self):
        return self.world.stores.boards.teams.progress(self.id)

    def event(self):
        return self.world.stores.boards.event(self.id)

    def standings(self):
        self.look()
        return self.director.get(f"{self.path}/standings").json["items"]


def checked(arena):
    """The tables that have begun, of which nobody sits at two that are open."""
    tables = arena.open_tables()
    seated = [unit for units in tables.values() for unit in units if unit != HOUSE]
    assert len(seated) == len({*seated}), "nobody sits at two tables"
    return tables


@pytest.mark.parametrize(
    ("count", "setup"),
    [
        (4, {}),
        (9, {"boards": 2}),
        (30, {}),
        (9, {"ruleset": "zhaopengyou", "players": 5}),
        (6, {"ruleset": "arms_length", "players": 4, "ai_after_ms": 20_000}),
        (13, {"ruleset": "shengji_six", "players": 6}),
    ],
)
def test_an_arena_is_played_from_entries_to_standings(world, count, setup):
    arena = Arena(world, count, **setup)
    size, rng = arena.body()["players"], random.Random(count)
    arena.begin()
    assert len(checked(arena)) == count // size
    until = world.now + LENGTH_MS
    while tables := checked(arena):
        # Each takes about four minutes.
        world.now += 4 * MINUTE // len(tables)
        arena.play_one(rng.randrange(len(tables)))
        world.now += PATIENCE_MS
        waiting = arena.body()["played"][0]["waiting"]
        assert len(waiting) < size, "who waits gets a table"
        assert world.now < until or waiting == [], "no table begins after the end"
    [entry] = arena.body()["played"]
    assert entry["status"] == "over"
    assert entry["tables"] == len(entry["matches"]) > count // size
    results = results_of(arena)
    assert HOUSE not in {row["team"] for row in results["standings"]}
    assert sum(row["played"] for row in results["standings"]) == sum(
        unit != HOUSE for match in results["matches"] for unit in match["teams"]
    )
    [first, *_] = results["standings"]
    assert first["rank"] == 1
    assert first["points"] == max(row["points"] for row in results["standings"]) > 0


# --- who sits where ---------------------------------------------------------------------------------------------------


def test_partners_change_and_who_has_waited_longest_plays_first(world):
    arena = Arena(world, 5)
    arena.begin()
    [[match, units]] = checked(arena).items()
    [waiting] = arena.body()["played"][0]["waiting"]
    partners = {frozenset(units[0::2]), frozenset(units[1::2])}
    arena.play_one()
    [[again, others]] = checked(arena).items()
    assert again != match
    assert waiting in others, "who has waited longest"
    assert not partners & {frozenset(others[0::2]), frozenset(others[1::2])}


def test_the_same_people_wait_for_others_who_play_but_not_forever(world):
    arena = Arena(world, 8)
    arena.begin()
    assert len(checked(arena)) == 2
    arena.play_one()
    assert len(checked(arena)) == 1
    assert len(arena.body()["played"][0]["waiting"]) == 4
    world.now += PATIENCE_MS
    assert len(checked(arena)) == 2


def test_people_of_whom_one_has_blocked_another_never_sit_together(world):
    arena = Arena(world, 4, ai_after_ms=60_000)
    one, other = arena.captains[:2]
    assert one.put(f"/v1/me/blocks/{other.player['id']}").status_code in {200, 204}
    arena.begin()
    assert checked(arena) == {}
    world.now += 60_000
    tables = checked(arena)
    assert tables
    assert all(not {one.team, other.team} <= {*units} for units in tables.values())


def test_ai_players_fill_a_table_when_somebody_has_waited_too_long_and_get_no_rank(world):
    arena = Arena(world, 2, ai_after_ms=20_000)
    arena.begin()
    assert checked(arena) == {}
    world.now += 20_000
    [units] = checked(arena).values()
    assert units.count(HOUSE) == 2
    assert {client.team for client in arena.captains} < {*units}
    arena.play_one()
    assert {row["team"] for row in arena.standings()} == {client.team for client in arena.captains}


def test_without_the_wish_of_the_director_nobody_plays_with_ai_players(world):
    arena = Arena(world, 3)
    arena.begin()
    world.now += 10 * MINUTE
    assert checked(arena) == {}
    arena.enter("Late")
    assert len(checked(arena)) == 1


def test_only_those_who_are_there_are_seated(world):
    arena = Arena(world, 5)
    gone = arena.captains[0]
    arena.away.add(gone.player["id"])
    world.now += MINUTE
    arena.begin()
    [units] = checked(arena).values()
    assert gone.team not in units
    assert arena.body()["played"][0]["waiting"] == [], "who is not there does not wait"


def test_players_are_told_of_each_table_once(world):
    arena = Arena(world, 4)
    lin = arena.captains[0]
    arena.begin()
    arena.body()
    told = lambda: [  # noqa: E731
        note.data for note in world.stores.inbox.after(lin.player["id"], 0, 99) if note.type == "your_table"
    ]
    [first] = told()
    assert first == {
        "event_match": f"{arena.id}_1-1",
        "event": arena.id,
        "event_name": "Spring Cup",
        "match": "1-1",
        "place": "1",
        "table": arena.body(lin)["mine"]["table"],
        "ruleset": "sishifen",
    }
    arena.play_one()
    world.now += PATIENCE_MS
    arena.look()
    assert [each["match"] for each in told()] == ["1-1", "1-2"]


# --- coming and going -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["withdraw", "erase", "suspend"])
def test_who_leaves_in_the_middle_of_a_table_is_not_seated_again_and_what_is_over_stays(world, how):
    world.start(operator_token="0123456789abcdef")
    arena = Arena(world, 4)
    arena.begin()
    arena.play_one()
    world.now += PATIENCE_MS
    before = arena.director.get(f"{arena.path}/results").json
    assert len(before["matches"]) == 1
    gone = arena.captains[1]
    [units] = checked(arena).values()
    assert gone.team in units
    leave(world, arena, gone, how)
    arena.away.add(gone.player["id"])
    after = arena.director.get(f"{arena.path}/results").json
    assert [each | {"names": []} for each in after["matches"]] == [each | {"names": []} for each in before["matches"]]
    points = {row["team"]: row["points"] for row in before["standings"]}
    assert {row["team"]: row["points"] for row in after["standings"]} == points
    match = next(iter(checked(arena)))
    table = arena.table(match)
    arena.captains = [client for client in arena.captains if client is not gone]
    arena.play(table, absent=gone.player["id"])
    world.now += PATIENCE_MS
    assert checked(arena) == {}, "three are left"
    arena.enter("Late")
    [units] = checked(arena).values()
    assert gone.team not in units
    end(arena, 1)
    results_of(arena)


def test_a_break_ends_when_the_player_enters_again_however_often(world):
    arena = Arena(world, 4)
    arena.begin()
    lin = arena.captains[0]
    for _ in range(5):
        assert lin.delete(f"{arena.path}/teams/{lin.team}").status_code == 200
        team = lin.team
        arena.come(lin)
        assert lin.team == team
    [stored] = [each for name, each in arena.progress()["teams"].items() if name == lin.team]
    assert stored["absences"] == []
    assert not stored["is_withdrawn"]
    arena.play_one()
    world.now += PATIENCE_MS
    assert len(checked(arena)) == 1


def test_who_leaves_a_table_to_ai_players_has_lost_it_and_takes_a_break(world):
    arena = Arena(world, 4, clock={"play_ms": 5_000})
    arena.begin()
    lin = arena.captains[0]
    match, units = next(iter(checked(arena).items()))
    table = arena.table(match)
    assert lin.delete(f"/v1/tables/{table}/seats/me").status_code in {200, 204}
    arena.play(table, absent=lin.player["id"])
    arena.look()
    [entry] = [each for each in arena.body()["entries"] if each["team"] == lin.team]
    assert entry["withdrawn"]
    [board] = lin.get(f"{arena.path}/matches/{match}").json["boards"]
    assert board["counted"] == "adjusted"
    outcomes = dict(zip(units, [seat["outcome"] for seat in board["seats"]], strict=True))
    assert outcomes.pop(lin.team) == "lost"
    assert {*outcomes.values()} <= {"won", "lost"}, "the others have what the cards say"
    arena.come(lin)
    world.now += PATIENCE_MS
    assert len(checked(arena)) == 1
    results_of(arena)


# --- the end ----------------------------------------------------------------------------------------------------------


def test_tables_that_have_begun_count_and_no_other_begins_when_the_time_is_over(world):
    arena = Arena(world, 4)
    arena.begin()
    checked(arena)
    world.now += LENGTH_MS
    assert len(checked(arena)) == 1
    assert arena.body()["played"][0]["status"] == "open"
    assert not arena.body()["takes_entries"]
    late = world.player("Late")
    body = {"teams": [{"members": [{"player": late.player["id"]}]}]}
    assert_problem(late.post(f"{arena.path}/teams", body), "entries-closed")
    arena.play_one()
    [entry] = arena.body()["played"]
    assert (entry["status"], entry["tables"]) == ("over", 1)
    assert sum(row["points"] for row in results_of(arena)["standings"]) == 4
    body = {"teams": [{"members": [{"player": late.player["id"]}]}]}
    assert_problem(late.post(f"{arena.path}/teams", body), "entries-closed")


def test_a_table_that_is_not_over_in_the_end_is_lost_by_who_has_taken_longer(world):
    arena = Arena(world, 4, clock={"play_ms": 600_000, "declare_ms": 600_000, "on_timeout": "pause"})
    arena.begin()
    [match] = checked(arena)
    world.now += LENGTH_MS + forms.GRACE_MS
    [entry] = arena.body()["played"]
    assert entry["status"] == "over"
    [board] = arena.director.get(f"{arena.path}/matches/{match}").json["boards"]
    assert board["rooms"] == [None]
    assert {seat["lead"] for seat in board["seats"]} == {None}
    results_of(arena)


def test_tables_begin_for_four_hours_at_most_whatever_directors_wish(world):
    arena = Arena(world, 4)
    opened_at = world.now
    arena.begin()
    for days in (1, 60):
        body = {"closes_at": timestamp(world.now + days * 24 * 60 * MINUTE)}
        assert arena.director.patch(f"{arena.path}/rounds/1", body).status_code == 200
    [entry] = arena.progress()["rounds"]
    assert 0 <= last_table_at(arena.event(), entry) - opened_at - forms.LONGEST_ARENA_MS < MINUTE
    until = {"closes_at": timestamp(entry["opened_at"] + 2 * forms.GRACE_MS)}
    assert arena.director.patch(f"{arena.path}/rounds/1", until).status_code == 200
    assert arena.body()["played"][0]["last_table_at"] == timestamp(entry["opened_at"] + forms.GRACE_MS)


def test_an_arena_does_not_begin_when_its_event_is_about_to_end(world):
    arena = Arena(world, 4, boards=2)
    world.now += LONGEST_MS - 2 * forms.GRACE_MS
    refused = arena.director.post(f"{arena.path}/rounds", {"round": 1})
    assert_problem(refused, "round-not-ready", reason="too_late")
    assert arena.progress()["rounds"] == []


# --- killed processes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["seated", "half", "result"])
def test_a_clock_that_is_killed_between_its_steps_loses_nobody(world, at, monkeypatch):
    arena = Arena(world, 12)
    arena.begin()
    if at == "result":
        arena.play_one()
        world.now += PATIENCE_MS
    services = world.services
    tables = services.director._arena._tables

    class KilledError(BaseException):
        """The process is gone."""

    opened = tables.open_next
    left = {"seated": 0, "half": 1, "result": 0}[at]

    def open_next(*args):
        nonlocal left
        if not left:
            raise KilledError
        left -= 1
        return opened(*args)

    late = [arena.enter(f"Late {number}") for number in range(8)]
    here = [client.player["id"] for client in arena.captains]
    world.stores.people.note_here(here, world.now)
    monkeypatch.setattr(tables, "open_next", open_next)
    with pytest.raises(KilledError):
        services.director.go_on(arena.id)
    monkeypatch.undo()
    world.now += 16_000
    seated = [unit for units in checked(arena).values() for unit in units]
    assert {client.team for client in late} <= {*seated}
    open_now = {arena.table_of(client) for client in arena.captains} - {None}
    assert len(open_now) == len(checked(arena)), "each of them has its table"


def test_a_lost_table_is_dealt_again_to_the_same_people(world):
    arena = Arena(world, 4)
    arena.begin()
    [match] = checked(arena)
    table = arena.table(match)
    for key in world.redis.keys(f"*{table}*"):
        world.redis.delete(key)
    assert arena.table_of(arena.captains[0]) is None
    world.now += MINUTE
    arena.look()
    assert {arena.table_of(client) for client in arena.captains} == {table}


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ({"boards": 5}, "too_many_boards_at_table"),
        ({"round_ms": forms.LONGEST_ARENA_MS + 1}, "arena_too_long"),
        ({"league": "agreed"}, "not_in_arena"),
        ({"ruleset": "zhaopengyou", "players": 9}, "too_many_seats"),
        ({"form": "swiss", "ai_after_ms": 20_000}, "of_arena"),
        ({"form": "swiss", "ruleset": "zhaopengyou", "players": 5}, "no_fixed_teams"),
        ({"ranks": ["steps"]}, "not_of_this_form"),
    ],
)
def test_what_an_arena_cannot_be_is_refused(world, setup, reason):
    director = world.player("Director")
    spec = {"name": "Arena", "ruleset": "sishifen", "players": 4, **ARENA, **setup}
    assert_problem(director.post("/v1/team-events", spec), "invalid-request", reason=reason)


def test_a_director_gives_penalties_but_neither_rules_nor_shows(world):
    arena = Arena(world, 4)
    arena.begin()
    match = arena.play_one()
    where = f"{arena.path}/matches/{match}/boards/1/ruling"
    refused = arena.director.put(where, {"awards": ["average", "average"], "reason": "No"})
    assert_problem(refused, "invalid-request", reason="not_in_arena")
    refused = arena.director.put(f"{arena.path}/showing", {})
    assert_problem(refused, "invalid-request", reason="not_in_arena")
    row = arena.standings()[0]
    penalty = {"amount": 100, "reason": "Late"}
    assert arena.director.put(f"{arena.path}/teams/{row['team']}/penalty", penalty).status_code == 200
    [after] = [each for each in arena.standings() if each["team"] == row["team"]]
    assert after["points"] == row["points"] - 1
    results_of(arena)


# --- who is in --------------------------------------------------------------------------------------------------------


def test_a_place_at_a_table_and_its_points_stay_those_of_one_player(world):
    arena = Arena(world, 4)
    arena.begin()
    lin, mei = arena.captains[0], world.player("Mei")
    path = f"{arena.path}/teams/{lin.team}"
    refused = arena.director.put(path, {"members": [{"player": mei.player["id"]}]})
    assert_problem(refused, "invalid-request", reason="own_place")
    assert arena.director.put(path, {"members": [{"player": lin.player["id"]}]}).status_code == 200
    late = arena.enter("Late")
    assert late.team not in [unit for units in checked(arena).values() for unit in units]


@pytest.mark.parametrize("when", ["playing", "break"])
def test_whom_a_director_takes_out_only_a_director_brings_back(world, when):
    arena = Arena(world, 5)
    arena.begin()
    lin, mei = arena.captains[0], arena.captains[1]
    path = f"{arena.path}/teams/{lin.team}"
    if when == "break":
        assert lin.delete(path).status_code == 200
    assert arena.director.delete(path).status_code == 200
    entry = {"teams": [{"members": [{"player": lin.player["id"]}]}]}
    for _ in range(2):
        assert_problem(lin.post(f"{arena.path}/teams", entry), "invalid-request", reason="put_out")
        # Nor by going again first.
        assert lin.delete(path).status_code == 200
    assert [each["team"] for each in arena.body()["entries"] if each["put_out"]] == [lin.team]
    assert arena.director.post(f"{arena.path}/teams", entry).status_code == 200
    assert not any(each["put_out"] or each["withdrawn"] for each in arena.body()["entries"])
    # Breaks of one's own end as one likes.
    assert lin.delete(path).status_code == 200
    arena.come(lin)
    assert mei.delete(f"{arena.path}/teams/{mei.team}").status_code == 200
    arena.come(mei)


def test_those_who_have_gone_leave_their_places_to_others_within_a_bound(world, monkeypatch):
    monkeypatch.setitem(forms.FORMS, forms.ARENA, forms.FORMS[forms.ARENA]._replace(most=4, most_ever=6))
    arena = Arena(world, 4)
    arena.begin()
    lin = arena.captains[0]

    def come(client):
        return client.post(f"{arena.path}/teams", {"teams": [{"members": [{"player": client.player["id"]}]}]})

    assert_problem(come(world.player("Late")), "too-many-teams", limit=4)
    assert lin.delete(f"{arena.path}/teams/{lin.team}").status_code == 200
    late = arena.enter("Late")
    assert_problem(come(lin), "too-many-teams", limit=4)
    assert late.delete(f"{arena.path}/teams/{late.team}").status_code == 200
    arena.come(lin)
    assert lin.delete(f"{arena.path}/teams/{lin.team}").status_code == 200
    last = arena.enter("Last")
    assert last.delete(f"{arena.path}/teams/{last.team}").status_code == 200
    assert_problem(come(world.player("Nobody")), "too-many-teams", limit=6)


# --- what others see --------------------------------------------------------------------------------------------------


def test_a_table_is_sealed_until_it_is_over_and_open_to_everybody_then(world):
    arena = Arena(world, 8)
    arena.begin()
    first, second = checked(arena)
    for match in (first, second):
        assert_problem(arena.captains[0].get(f"{arena.path}/matches/{match}"), "not-finished")
    arena.play_one()
    over = next(match for match in (first, second) if match not in checked(arena))
    [board] = world.player("Anybody").get(f"{arena.path}/matches/{over}").json["boards"]
    assert world.anybody.get(f"/v1/games/{board['rooms'][0]['game']}/record") is not None
    other = second if over == first else first
    assert_problem(arena.captains[0].get(f"{arena.path}/matches/{other}"), "not-finished")


def test_tables_have_deals_of_their_own(world):
    arena = Arena(world, 8)
    arena.begin()
    arena.play_one()
    arena.play_one()
    matches = arena.director.get(f"{arena.path}/results").json["matches"]
    assert len({board["server_seed"] for match in matches for board in match["boards"]}) == len(matches) >= 2
    # The deals of tables to come follow from it, so nobody learns it before the arena is over.
    assert {board["drawn_from"] for match in matches for board in match["boards"]} == {None}
