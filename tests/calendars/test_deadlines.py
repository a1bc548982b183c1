"""Deadlines of tables of days follow the calendars of those who are asked."""

import random

import pytest

from harness.tables import House, at_once, choose, consistent
from service.calendars import Calendars
from service.calendars.calendars import LEAST_MS
from service.game.commands.table.deadlines import move_deadline
from service.game.errors import WrongPhase
from service.game.state.clock import left_ms
from service.game.state.queries import ai_level, waited_for
from service.game.views.view import view
from service.store.port import VersionConflict
from tests.calendars.test_hours import NIGHT, at

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class _Players:
    """The records of players, in memory, and where they sit."""

    def __init__(self):
        self.all = {f"p{seat}": {"id": f"p{seat}", "name": f"P{seat}"} for seat in range(16)}
        self.table = None
        self.read = 0

    def records(self, players):
        self.read += 1
        return {player: self.all[player] for player in players if player in self.all}

    def update(self, player, change):
        if player in self.all:
            self.all[player] = change(self.all[player])
        return self.all.get(player)

    def tables_of(self, _player):
        return [self.table] if self.table else []


class DaysHouse(House):
    """A house whose players have calendars, at noon of a Monday."""

    def __init__(self):
        super().__init__()
        self.clock.now = at("2026-11-30T12:00")
        self.players = _Players()
        self.calendars = Calendars(self.players, self.players.records, self.tables, random.Random(5).randbytes)
        self.tables.stand(self.calendars, more_time=self.calendars.more_time)

    def at_a_play(self, hours=None, **spec):
        """Return a table at its first lead. Its first seat hosts it."""
        table = self.table(clock={"correspondence": hours or {"decision_hours": 24}, **spec.pop("clock", {})}, **spec)
        self.players.table = table
        while self.state(table)["decision"]["kind"] != "play":
            self.play(table)
        self.work(table)
        return table

    def play(self, table, seat=None):
        seat = self.asked(table) if seat is None else seat
        command = dict(choose(view(self.state(table), seat, self.clock.now), b"seed", "easy"))
        self.act(table, seat, command.pop("type"), **command)
        self.work(table)

    def work(self, table):
        """Do what workers do, with orders of nobody: a look at calendars leaves nothing to do."""
        while self.tables.advance(table, None, choose).steps:
            pass

    def asked(self, table):
        return waited_for(self.state(table))[0]

    def deadline(self, table):
        return self.state(table)["decision"]["deadline"]

    def holiday(self, table, first, last, seat=None, only=None):
        player = f"p{self.asked(table) if seat is None else seat}"
        holiday = self.calendars.add_holiday(player, first, last, only)
        self.work(table)
        return player, holiday["id"]

    def wait_until(self, table, moment):
        self.clock.now = moment
        self.work(table)


@pytest.fixture
def house():
    return DaysHouse()


def test_a_holiday_that_begins_within_a_turn_moves_its_deadline(house):
    table = house.at_a_play()
    before = house.deadline(table)
    house.clock.now += HOUR_MS
    house.holiday(table, "2026-12-01", "2026-12-05")
    assert house.deadline(table) == before + 5 * DAY_MS
    seat = house.asked(table)
    (away,) = view(house.state(table), (seat + 1) % 4, house.clock.now)["decision"]["away"]
    assert (away["seat"], away["until"]) == (seat, "2026-12-06T00:00:00.000Z")
    house.wait_until(table, before + 2 * DAY_MS)
    assert house.state(table)["seats"][seat]["timeouts"] == 0
    house.wait_until(table, before + 5 * DAY_MS + 2_000)
    assert house.state(table)["seats"][seat]["timeouts"] == 1
    consistent(house, table)


def test_one_that_is_taken_back_leaves_an_hour_at_least_and_one_that_ends_early_counts_until_then(house):
    table = house.at_a_play()
    opened = house.state(table)["decision"]["opened_at"]
    player, holiday = house.holiday(table, "2026-12-01", "2026-12-05")
    house.calendars.remove_holiday(player, holiday)
    house.work(table)
    assert house.deadline(table) == opened + DAY_MS
    player, holiday = house.holiday(table, "2026-11-30", "2026-12-05")
    house.wait_until(table, opened + 2 * DAY_MS)
    house.calendars.remove_holiday(player, holiday)
    house.work(table)
    assert house.deadline(table) == opened + 3 * DAY_MS
    house.calendars.choose(player, None, (0, 12 * 60))
    house.work(table)
    house.wait_until(table, house.deadline(table) - HOUR_MS // 2)
    house.calendars.choose(player, None, (0, 0))
    house.work(table)
    assert 0 < house.deadline(table) - house.clock.now <= LEAST_MS


def test_a_holiday_for_one_table_moves_nothing_at_others(house):
    table = house.at_a_play()
    before = house.deadline(table)
    house.holiday(table, "2026-12-01", "2026-12-05", only=table)
    assert house.deadline(table) == before + 5 * DAY_MS
    away, other = house.asked(table), house.at_a_play()
    while house.asked(other) != away:
        house.play(other)
    assert house.deadline(other) == house.clock.now + DAY_MS


def test_quiet_hours_count_from_the_opening_of_a_decision_and_are_told_to_nobody(house):
    table = house.at_a_play()
    follower = (house.asked(table) + 1) % 4
    house.calendars.choose(f"p{follower}", "Asia/Shanghai", tuple(NIGHT))
    house.play(table)
    assert house.asked(table) == follower
    # Two nights of eight hours lie in between: sixteen hours of a day count.
    assert house.deadline(table) == house.clock.now + DAY_MS + 16 * HOUR_MS
    shown = view(house.state(table), 0, house.clock.now)["decision"]
    assert "away" not in shown
    assert "stops" not in shown


def test_weekends_stand_still_if_the_host_says_so(house):
    table = house.at_a_play({"decision_hours": 24, "weekends_off": True})
    house.wait_until(table, at("2026-12-04T20:00"))
    house.play(table) if house.state(table)["decision"]["deadline"] > house.clock.now else None
    opened = house.state(table)["decision"]["opened_at"]
    assert house.deadline(table) - opened == DAY_MS + 2 * DAY_MS * (opened >= at("2026-12-04T00:00:01"))


def test_a_bank_is_not_charged_for_what_stands_still(house):
    hours = {"bank_hours": 72, "gain_hours": 12, "most_hours": 200}
    table = house.at_a_play(hours)
    seat = house.asked(table)
    before = left_ms(house.state(table)["decision"], house.clock.now)
    house.holiday(table, "2026-12-01", "2026-12-05")
    house.wait_until(table, at("2026-12-06T12:00"))
    opened = house.state(table)["decision"]["opened_at"]
    house.play(table)
    assert house.state(table)["seats"][seat]["bank_ms"] == before - (house.clock.now - opened - 5 * DAY_MS)


def test_a_time_out_asks_the_calendars_first_even_if_no_worker_has(house):
    table = house.at_a_play()
    before, seat = house.deadline(table), house.asked(table)
    house.players.table = None  # the process died before it told the tables
    house.calendars.add_holiday(f"p{seat}", "2026-12-01", "2026-12-05", None)
    house.clock.now = before + 2_000
    # Anybody who looks, before any worker does.
    state = house.tables.load(table)
    assert state["decision"]["deadline"] == before + 5 * DAY_MS
    assert state["seats"][seat]["timeouts"] == 0


def test_nothing_moves_twice(house):
    table = house.at_a_play()
    house.holiday(table, "2026-12-01", "2026-12-05")
    version = house.state(table)["version"]
    for _ in range(3):
        house.tables.postpone(house.state(table), house.clock.now)
        house.work(table)
        house.holiday(table, "2026-12-01", "2026-12-05")
    assert house.state(table)["version"] == version


def test_a_change_of_the_calendar_races_with_plays_and_workers(house):
    for _ in range(100):
        table = house.at_a_play()
        leader, follower = house.asked(table), (house.asked(table) + 1) % 4

        def race(number, table=table, follower=follower):
            if number == 0:
                house.play(table)
            elif number == 1:
                return house.calendars.add_holiday(f"p{follower}", "2026-12-01", "2026-12-02", table)
            else:
                house.work(table)
            return None

        holiday = at_once(4, race)[1]
        house.work(table)
        decision = house.state(table)["decision"]
        assert decision["seats"] == [follower] != [leader]
        assert decision["deadline"] == decision["opened_at"] + 3 * DAY_MS
        assert decision["away"] == [{"seat": follower, "since": holiday["since"], "until": holiday["until"]}]
        consistent(house, table)
        house.calendars.remove_holiday(f"p{follower}", holiday["id"])


def test_who_is_erased_has_no_calendar_even_if_the_table_hears_of_it_later(house):
    table = house.at_a_play()
    seat, opened = house.asked(table), house.state(table)["decision"]["opened_at"]
    house.holiday(table, "2026-12-01", "2026-12-20")
    assert house.deadline(table) > opened + 20 * DAY_MS
    del house.players.all[f"p{seat}"]
    house.tables.postpone(house.state(table), house.clock.now)
    house.work(table)
    assert house.deadline(table) == opened + DAY_MS
    house.wait_until(table, opened + DAY_MS + 2_000)
    assert house.state(table)["seats"][seat]["timeouts"] == 1


def test_a_table_whose_players_have_all_gone_waits_for_one_of_them_on_holiday_or_not(house):
    table = house.at_a_play()
    house.holiday(table, "2026-12-01", "2026-12-05")
    for _ in range(12):
        if "pause" in house.state(table):
            break
        house.wait_until(table, house.due_at(table) or house.clock.now)
    state = house.state(table)
    assert state["pause"]["reason"] == "absent"
    assert house.due_at(table) is None
    house.clock.now += 10 * DAY_MS
    seat = state["pause"]["decision"]["seats"][0]
    house.act(table, seat, "end_pause")
    house.work(table)
    assert house.deadline(table) == house.clock.now + DAY_MS


def test_whoever_has_let_time_run_out_twice_is_played_for_until_back(house):
    table = house.at_a_play()
    late = house.asked(table)
    for _ in range(2):
        while house.asked(table) != late:
            house.play(table)
        house.wait_until(table, house.deadline(table) + 2_000)
    assert ai_level(house.state(table), late) is not None
    house.act(table, late, "resume")
    assert ai_level(house.state(table), late) is None


# --- more time ---------------------------------------------------------------------------------------------------


def give(house, table, giver, seat, hours=24):
    house.act(table, giver, "give_time", seat=seat, hours=hours)
    house.work(table)


def test_an_opponent_gives_more_time_and_nobody_else(house):
    table = house.at_a_play()
    seat, before = house.asked(table), house.deadline(table)
    for giver in (seat, (seat + 2) % 4):
        with pytest.raises(WrongPhase) as refused:
            give(house, table, giver, seat)
        assert refused.value.params["reason"] == "time_for_own_side"
    give(house, table, (seat + 1) % 4, seat)
    assert house.deadline(table) == before + DAY_MS
    house.holiday(table, "2026-12-01", "2026-12-01")
    assert house.deadline(table) == before + 2 * DAY_MS
    with pytest.raises(WrongPhase) as refused:
        give(house, table, seat, (seat + 1) % 4)
    assert refused.value.params["reason"] == "time_not_asked"
    consistent(house, table)


def test_nobody_gets_more_than_two_weeks(house):
    table = house.at_a_play()
    seat = house.asked(table)
    with pytest.raises(Exception, match="too_much_time"):
        give(house, table, (seat + 1) % 4, seat, 313)
    give(house, table, (seat + 1) % 4, seat, 312)
    with pytest.raises(Exception, match="too_much_time"):
        give(house, table, (seat + 1) % 4, seat, 1)


def test_a_clock_that_only_reminds_never_acts(house):
    table = house.at_a_play(clock={"on_timeout": "remind"})
    state = house.state(table)
    house.wait_until(table, house.deadline(table) + 40 * DAY_MS)
    assert house.state(table) == state, "nor is the table swept away"
    give(house, table, (house.asked(table) + 1) % 4, house.asked(table))
    assert house.deadline(table) >= house.clock.now + DAY_MS
    house.play(table)
    assert house.state(table)["seats"][state["decision"]["seats"][0]]["timeouts"] == 0


def test_a_worker_that_was_slower_moves_no_deadline_of_another_decision(house):
    table = house.at_a_play()
    state = house.state(table)
    stale = move_deadline(state, house.deadline(table) + DAY_MS, [], [], house.clock.now, random.Random(1).randbytes)
    house.play(table)
    with pytest.raises(VersionConflict):
        house.tables._writer.append(table, state["version"], stale)
