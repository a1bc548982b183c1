"""Games by correspondence: hours for a decision, or a bank of hours to which each decision adds."""

from functools import reduce

import pytest

from harness.driver import Driver
from service.common.errors import InvalidRequest
from service.game.errors import GameRunning
from service.game.events.evolve import NO_TABLE, evolve
from service.game.events.needs import needs_of
from service.game.records import record, replay
from service.game.state import clock
from service.game.state.queries import ai_level
from service.game.views.view import view
from service.tables.writing import LIFETIMES, lifetime_of
from tests.game.test_fold import Client
from tests.game.test_pauses import pause

HOUR_MS = 3_600_000
DAILY = {"decision_hours": 24}
BANK = {"bank_hours": 72, "gain_hours": 12, "most_hours": 80}


def table(hours, **more):
    return Driver("shengji", 4, clock_settings={"correspondence": hours}, kind="human", seed=5, **more)


def at_a_play(hours, **more):
    driver = table(hours, **more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


def hours_left(driver):
    return (driver.decision["deadline"] - driver.now) / HOUR_MS


def play(driver):
    driver.do(driver.active_seat, **driver.choice(driver.active_seat))


def test_every_decision_has_the_hours_of_the_clock():
    driver = table(DAILY)
    kinds = set()
    while not (driver.state["round"] and driver.state["round"]["phase"] == "scored"):
        kinds.add(driver.decision["kind"])
        assert hours_left(driver) == 24
        driver.now += HOUR_MS
        play(driver)
    assert {"declare", "discard", "play"} <= kinds


def test_a_bank_pays_for_what_a_decision_does_not_add():
    driver = at_a_play(BANK)
    seat = driver.active_seat
    before = driver.state["seats"][seat]["bank_ms"] / HOUR_MS
    allowed = min(before + 12, 80)
    assert hours_left(driver) == allowed
    driver.now += 30 * HOUR_MS
    play(driver)
    assert driver.state["seats"][seat]["bank_ms"] == (allowed - 30) * HOUR_MS
    driver.play_until(lambda state: state["decision"]["seats"] == [seat])
    assert hours_left(driver) == min(allowed - 30 + 12, 80)


def test_a_bank_never_holds_more_than_its_most():
    driver = at_a_play(BANK)
    for _ in range(40):
        assert hours_left(driver) <= 80
        play(driver)
    assert max(seat["bank_ms"] for seat in driver.state["seats"]) == 80 * HOUR_MS


def test_a_pause_or_an_outage_does_not_fill_a_bank():
    driver = at_a_play(BANK, pause_limit_ms=600_000)
    seat, left = driver.active_seat, hours_left(driver)
    driver.now += 20 * HOUR_MS
    pause(driver)
    assert "pause" in driver.state
    driver.wait(600_000)
    assert hours_left(driver) == left - 20
    play(driver)
    assert driver.state["seats"][seat]["bank_ms"] == (left - 20) * HOUR_MS


def test_whoever_lets_time_run_out_twice_is_replaced_until_back():
    driver = at_a_play(DAILY)
    seat = driver.active_seat
    driver.wait(25 * HOUR_MS)
    assert driver.state["seats"][seat]["timeouts"] == 1
    assert ai_level(driver.state, seat) is None
    driver.play_until(lambda state: state["decision"]["seats"] == [seat])
    driver.wait(25 * HOUR_MS)
    assert ai_level(driver.state, seat) is not None
    driver.do(seat, type="resume")
    assert ai_level(driver.state, seat) is None


@pytest.mark.parametrize("hours", [DAILY, BANK])
def test_clients_that_know_only_limits_in_milliseconds_see_them(hours):
    driver = table(hours)
    shown = view(driver.state, 0, driver.now)["clock"]
    assert shown["correspondence"] == hours
    assert shown["play_ms"] == shown["declare_ms"] == hours.get("gain_hours", 24) * HOUR_MS
    assert shown["bank_ms"] == hours.get("bank_hours", 0) * HOUR_MS == driver.state["seats"][0]["bank_ms"]


def test_clients_fold_the_events_and_earlier_releases_leave_the_table_alone():
    driver = table(BANK)
    assert needs_of(driver.log[0]) == "0.4"
    clients = [Client(driver.state, player, driver.now) for player in ("p0", None)]
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    for client in clients:
        client.catch_up(driver)
    assert reduce(evolve, driver.log, NO_TABLE) == driver.state


def test_a_record_of_a_game_by_correspondence_replays():
    driver = table(BANK)
    driver.play_until(lambda state: state["round"] and state["round"]["phase"] == "scored")
    game = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert game["clock"]["correspondence"] == BANK
    assert replay.check(game)["ok"]


def test_a_table_lives_two_weeks_beyond_its_deadline_and_in_the_lobby():
    waiting = table(DAILY, start=False)
    assert lifetime_of(waiting.state) == 14 * 24 * HOUR_MS
    driver = at_a_play({"decision_hours": 336})
    assert lifetime_of(driver.state) == (14 + 14) * 24 * HOUR_MS
    assert lifetime_of(Driver("shengji", 4).state) == LIFETIMES["playing"]
    assert clock.wake_at(driver.state) > driver.now + 335 * HOUR_MS


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"correspondence": DAILY, "play_ms": 30_000}, "clock_of_both_forms"),
        ({"correspondence": DAILY, "bank_ms": 0}, "clock_of_both_forms"),
        ({"correspondence": {**DAILY, **BANK}}, "hours_of_one_form"),
        ({"correspondence": {"bank_hours": 72}}, "hours_of_one_form"),
    ],
)
def test_a_clock_has_one_form(settings, reason):
    with pytest.raises(InvalidRequest) as refused:
        Driver("shengji", 4, clock_settings=settings)
    assert refused.value.params["reason"] == reason


def test_no_cards_are_dealt_one_by_one():
    with pytest.raises(InvalidRequest) as refused:
        table(DAILY, options={"deal_pace": "timed"})
    assert refused.value.params["reason"] == "timed_deal_by_correspondence"
    driver = Driver("shengji", 4, {"deal_pace": "timed"}, start=False)
    refusal = driver.refused(
        InvalidRequest, 0, type="settings", version=None, changes={"clock": {"correspondence": DAILY}}
    )
    assert refusal.params["reason"] == "timed_deal_by_correspondence"


def test_the_form_of_the_clock_stays_the_same_while_a_game_is_on():
    driver = table(DAILY)
    driver.play_until(lambda state: state["round"] and state["round"]["phase"] == "scored")

    def change(clock):
        return {"type": "settings", "version": None, "changes": {"clock": clock}}

    refusal = driver.refused(GameRunning, 0, **change({"play_ms": 20_000}))
    assert refusal.params["settings"] == ["clock.correspondence"]
    driver.do(0, **change({"correspondence": {"decision_hours": 48}}))
    assert driver.state["settings"]["clock"]["correspondence"] == {"decision_hours": 48}
