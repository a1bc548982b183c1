"""Pauses by agreement: nothing is due and nobody is asked, and the game goes on unchanged."""

import pytest

from harness.driver import Driver
from service.game.errors import WrongPhase
from service.game.records import record, replay
from service.game.state import clock
from service.game.state.queries import GONE_AFTER_MS, is_gone
from service.game.views import hints
from service.game.views.view import view
from tests.game.test_fold import Client

LIMIT = 600_000


def at(kind, ruleset="shengji", **more):
    driver = Driver(ruleset, 4, seed=5, **{"pause_limit_ms": LIMIT, **more})
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == kind)
    return driver


def pause(driver, *seats):
    """Have these seats, or all, agree to a pause; return the types of the last events."""
    asker, *others = seats or range(4)
    done = driver.do(asker, type="open_vote", kind="pause")
    for seat in others:
        done = driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    return [event["type"] for event in done.events]


def test_a_game_is_paused_when_the_last_player_agrees():
    driver = at("play")
    decision = driver.decision
    assert pause(driver) == ["vote_cast", "vote_closed", "game_paused"]
    assert driver.state["decision"] is None
    assert clock.wake_at(driver.state) == driver.now + LIMIT
    table_view = view(driver.state, 0, driver.now + 1_000)
    assert (table_view["pause"]["by_seat"], table_view["pause"]["remaining_ms"], table_view["decision"]) == (
        0,
        LIMIT - 1_000,
        None,
    )
    seat = decision["seats"][0]
    refusal = driver.refused(WrongPhase, seat, type="play", cards=["2S"], decision_id=decision["id"])
    assert refusal.params == {"action": "play", "expected": "end_pause", "reason": "paused"}


def test_ai_players_need_not_agree_and_do_nothing_during_a_pause():
    driver = Driver("shengji", 4, seed=5, ai=(1, 2, 3), pause_limit_ms=LIMIT)
    assert pause(driver, 0) == ["vote_opened", "vote_closed", "game_paused"]
    assert clock.ai_seats_asked(driver.state) == []
    assert driver.wait(LIMIT - 1).events == []


@pytest.mark.parametrize("kind", ["discard", "play"])
def test_after_a_pause_the_decision_has_the_remaining_time(kind):
    driver = at(kind, clock_settings={"bank_ms": 20_000})
    before = driver.decision
    driver.now += 11_000
    pause(driver)
    driver.now += 300_000
    resumed = driver.do(2, type="end_pause").events
    assert [event["type"] for event in resumed] == ["game_resumed", "decision_opened"]
    assert resumed[0]["data"] == {"by_seat": 2, "paused_ms": 300_000}
    assert (driver.decision["kind"], driver.decision["seats"]) == (kind, before["seats"])
    assert driver.decision["deadline"] == before["deadline"] + 300_000
    assert [seat["bank_ms"] for seat in driver.state["seats"]] == [20_000] * 4
    driver.do(driver.active_seat, **driver.choice(driver.active_seat))


def test_after_a_pause_a_time_bank_in_use_has_what_was_left():
    driver = at("play", clock_settings={"bank_ms": 20_000, "play_ms": 5_000})
    seat = driver.active_seat
    driver.now += 12_000
    pause(driver)
    driver.now += 100_000
    driver.do(0, type="end_pause")
    driver.do(seat, **driver.choice(seat))
    assert driver.state["seats"][seat]["bank_ms"] == 13_000


def test_a_pause_stops_the_deal_and_can_be_replayed():
    driver = Driver("shengji", 4, {"deal_pace": "timed"}, seed=5, pause_limit_ms=LIMIT)
    driver.play_until(lambda state: state["round"] and state["round"]["deal"]["count"] > 20)
    before = driver.state["round"]["deal"]
    pause(driver)
    assert driver.wait(200_000).events == []
    driver.do(1, type="end_pause")
    after = driver.state["round"]["deal"]
    assert (after["count"], after["paused_at"]) == (before["count"], None)
    assert after["from"] == before["from"] + 200_000
    for seat in range(4):
        driver.do(seat, type="pass")
    driver.play_until(lambda state: state["round"]["phase"] == "declaring")
    sets = {seat: hints.hints(driver.state, seat)["possible"] for seat in range(4)}
    seat = next(seat for seat in range(4) if sets[seat])
    driver.do(seat, type="declare", cards=sets[seat][0])
    for _ in driver.rounds(1):
        pass
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert len(game_record["rounds"][0]["pauses"]) == 1
    assert replay.check(game_record)["ok"]
    del game_record["rounds"][0]["pauses"]
    assert not replay.check(game_record)["ok"]


def test_pauses_of_a_game_have_a_total_limit_after_which_it_goes_on():
    driver = at("play")
    pause(driver)
    driver.now += 400_000
    driver.do(0, type="end_pause")
    pause(driver)
    assert driver.state["pause"]["until"] == driver.now + LIMIT - 400_000
    assert driver.wait(LIMIT - 400_001).events == []
    driver.wait(1)
    assert driver.log[-2]["type"] == "game_resumed"
    assert driver.log[-2]["data"]["by_seat"] is None
    refusal = driver.refused(WrongPhase, 0, type="open_vote", kind="pause")
    assert refusal.params["reason"] == "pauses_used_up"


def test_a_second_pause_is_refused_with_what_would_be_accepted():
    driver = at("play")
    assert driver.do(0, type="end_pause").events == []
    pause(driver)
    refusal = driver.refused(WrongPhase, 1, type="open_vote", kind="pause")
    assert refusal.params == {"action": "pause", "expected": "end_pause", "reason": "paused"}
    assert driver.refused(WrongPhase, 0, type="take_back").params["reason"] == "paused"
    driver.do(3, type="end_pause")
    assert pause(driver)[-1] == "game_paused"


def test_one_player_can_prevent_a_pause_and_tables_have_none_by_default():
    driver = at("play")
    driver.do(0, type="open_vote", kind="pause")
    driver.do(1, type="cast_vote", vote=driver.state["vote"]["id"], approve=False)
    assert driver.log[-1]["data"]["passed"] is False
    assert "pause" not in driver.state
    refusal = at("play", pause_limit_ms=0).refused(WrongPhase, 0, type="open_vote", kind="pause")
    assert refusal.params["reason"] == "no_pauses"


def test_after_a_pause_between_rounds_players_who_are_not_ready_are_asked_again():
    driver = at("ready")
    driver.do(0, type="ready")
    pause(driver)
    for asker, command in (
        (1, {"type": "ready"}),
        (7, {"type": "sit", "kind": "human", "name": "Mei"}),
        (0, {"type": "kick", "seat": 1}),
        (0, {"type": "seat_ai", "seat": 1, "level": "easy"}),
        (0, {"type": "settings", "changes": {"ai_pace_ms": 900}, "version": None}),
    ):
        refusal = driver.refused(WrongPhase, asker, **command)
        assert (refusal.params["expected"], refusal.params["reason"]) == ("end_pause", "paused")
    driver.do(1, type="leave")
    driver.do(2, type="end_pause")
    assert (driver.decision["kind"], driver.decision["seats"]) == ("ready", [2, 3])


def test_time_away_during_a_pause_does_not_make_a_player_gone():
    driver = at("play")
    driver.do(1, type="presence", presence="away")
    driver.now += GONE_AFTER_MS - 10_000
    driver.wait(0)
    pause(driver)
    driver.do(2, type="presence", presence="away")
    driver.now += LIMIT - 1
    assert not is_gone(driver.state, 1, driver.now)
    driver.do(0, type="end_pause")
    assert [is_gone(driver.state, seat, driver.now + 9_999) for seat in (1, 2)] == [False, False]
    assert [is_gone(driver.state, seat, driver.now + 10_000) for seat in (1, 2)] == [True, False]


def test_the_end_of_a_game_ends_its_pause():
    driver = at("play")
    client = Client(driver.state, "p1", driver.now)
    pause(driver)
    driver.do(0, type="open_vote", kind="end_early")
    for seat in (1, 2, 3):
        driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    assert driver.state["status"] == "finished"
    assert "pause" not in driver.state
    client.catch_up(driver)
