"""Records: what they contain, replays, and changed ones that fail the check."""

import copy

import pytest

from harness.driver import Driver
from service.game.errors import NotFinished, NotFound
from service.game.records import record, replay
from service.game.state import clock
from service.game.views.redaction import redact
from service.game.views.view import view

GAMES = [
    ("shengji", 4, {}),
    ("zhaopengyou", 6, {}),
    ("zhaopengyou", 8, {"throw_failure": "end_round", "throw_forfeit": "unplayed_to_others"}),
    ("zhaopengyou_80", 4, {"kitty_reveal": True}),
    ("finding_friends", 7, {}),
    ("shengji", 4, {"chao_di": True}),
    ("tractor", 4, {"deal_pace": "timed"}),
    ("sishifen", 4, {}),
    ("arms_length", 4, {}),
]


def played(ruleset, players, options, rounds=3, seed=5):
    driver = Driver(ruleset, players, options, seed=seed)
    for _ in driver.rounds(rounds):
        pass
    return driver


def game_of(driver):
    return record.game_log(driver.log, driver.state["game"]["id"])


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES)
def test_a_record_of_finished_rounds_can_be_replayed(ruleset, players, options):
    driver = played(ruleset, players, options)
    game_record = record.record(game_of(driver), driver.now)
    assert len(game_record["rounds"]) == len(driver.state["game"]["results"])
    verdict = replay.check(game_record)
    assert verdict["ok"], verdict


def test_rounds_with_timeouts_and_time_banks_can_be_replayed():
    driver = Driver("shengji", 4, seed=5, clock_settings={"bank_ms": 60_000})
    while not driver.state["game"]["results"]:
        if len(driver.log) % 5 == 0 and (driver.state["decision"] or {}).get("deadline"):
            driver.wait(clock.times_out_at(driver.state) - driver.now)
        else:
            driver.now += 31_000  # A second more than the time for a play.
            driver.step()
    assert {"bank_used", "decision_timed_out"} < {event["type"] for event in driver.log}
    assert replay.check(record.record(game_of(driver), driver.now))["ok"]


def test_a_window_to_declare_that_was_closed_late_is_replayed_as_late():
    """Nobody declares, and the clock is late: the redeal begins when it was noticed, not at the deadline."""
    driver = Driver("zhaopengyou", 5, {"deal_pace": "timed"}, seed=5)
    while not driver.state["round"]["deal"]["attempt"]:
        driver.wait(clock.wake_at(driver.state) - driver.now + 350)
    declared = False
    while not declared:
        driver.wait(clock.wake_at(driver.state) - driver.now)
        for seat in range(5):
            command = driver.choice(seat)
            if command["type"] == "declare":
                driver.do(seat, **command)
                declared = True
                break
    for _ in driver.rounds(1):
        pass
    game_record = record.record(game_of(driver), driver.now)
    assert len(game_record["rounds"][0]["closings"]) == 1
    assert replay.check(game_record)["ok"]


def test_a_running_round_is_not_in_the_record():
    driver = played("shengji", 4, {}, rounds=1)
    while driver.state["round"]["phase"] != "playing":
        driver.step()
    game_record = record.record(game_of(driver), driver.now)
    assert [each["round"] for each in game_record["rounds"]] == [1]
    assert game_record["complete"] is False


def test_an_unknown_game_has_no_record():
    with pytest.raises(NotFound):
        record.game_log(played("shengji", 4, {}, rounds=1).log, "gm_other")


def test_a_changed_result_is_found():
    driver = played("shengji", 4, {}, rounds=1)
    game_record = record.record(game_of(driver), driver.now)
    forged = copy.deepcopy(game_record)
    forged["rounds"][0]["result"]["points"] += 5
    assert replay.check(forged)["rounds"][0]["reason"] == "result"


def test_a_play_of_a_card_that_was_not_held_is_found():
    driver = played("shengji", 4, {}, rounds=1)
    game_record = record.record(game_of(driver), driver.now)
    forged = copy.deepcopy(game_record)
    plays = [action for action in forged["rounds"][0]["actions"] if action["type"] == "play"]
    plays[-1]["cards"] = plays[0]["cards"][:1] * len(plays[-1]["cards"])
    assert replay.check(forged)["rounds"][0]["reason"] == "illegal"


def test_a_seed_that_does_not_match_the_commitment_is_found():
    driver = played("shengji", 4, {}, rounds=1)
    game_record = record.record(game_of(driver), driver.now)
    forged = copy.deepcopy(game_record)
    forged["rounds"][0]["shuffle"]["server_seed"] = "00" * 32
    assert replay.check(forged)["rounds"][0]["reason"] == "commitment"


def test_every_state_of_a_finished_round_can_be_seen_as_any_seat_saw_it():
    driver = Driver("zhaopengyou", 6, seed=3)
    states = {}
    driver.on_step = lambda drove: states.update(
        {(drove.state["version"], seat): view(drove.state, seat, drove.now) for seat in (0, 3, None)}
    )
    for _ in driver.rounds(1):
        pass
    game = game_of(driver)
    for (seq, seat), expected in states.items():
        if expected["game"]["round"] == 1:
            assert record.state_at(game, 1, seq, seat) == expected


def test_states_of_a_running_round_are_not_shown():
    driver = played("shengji", 4, {}, rounds=1)
    while driver.state["round"]["phase"] != "playing":
        driver.step()
    with pytest.raises(NotFinished):
        record.state_at(game_of(driver), 2, driver.state["version"], 0)


EARLY = {"type": "open_vote", "kind": "end_early"}


@pytest.mark.parametrize("how", ["played", "ended_early"])
def test_the_record_of_a_finished_game_names_the_winners_and_is_complete(how):
    driver = Driver("arms_length", 4, seed=5)
    if how == "ended_early":
        for seat in range(4):
            vote = driver.state["vote"]
            driver.do(seat, **({"type": "cast_vote", "vote": vote["id"], "approve": True} if vote else EARLY))
    for _ in driver.rounds(500):
        pass
    game_record = record.record(game_of(driver), driver.now)
    assert game_record["complete"]
    assert game_record["winners"] == driver.state["game"]["winners"]
    assert game_record["ended"] == driver.state["game"]["ended"]
    assert len(game_record["rounds"]) == len(driver.state["game"]["results"]) == (4 if how == "played" else 0)


def test_reasons_of_ai_seats_are_shown_only_in_records_of_finished_rounds():
    driver = Driver("shengji", 4, seed=5, ai=[1])
    secret = {"code": "last-cards", "params": {"marked": "of seat 1"}}
    while not driver.state["game"]["results"]:
        decision = driver.state["decision"]
        if decision and decision["seats"][:1] == [1]:
            driver.ai(1, **driver.choice(1), reason=secret)
        else:
            driver.step()
        for viewer in (*range(4), None):
            views = [redact(event, viewer, "shengji") for event in driver.log[-4:]]
            assert "marked" not in str(views)
            assert "marked" not in str(view(driver.state, viewer, driver.now))
    game_record = record.record(game_of(driver), driver.now)
    actions = game_record["rounds"][0]["actions"]
    assert {action["seat"] for action in actions if "reason" in action} == {1}
    assert all(action["reason"] == secret for action in actions if "reason" in action)
    assert replay.check(game_record)["ok"]
