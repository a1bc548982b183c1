"""Tables whose people are away: nothing is dealt, and nobody plays for them, until one of them is back."""

import pytest

from harness.driver import Driver
from service.game.errors import WrongPhase
from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.state import clock
from service.game.state.queries import GONE_AFTER_MS, ai_level, is_gone, persons, waits_for_people
from service.game.views.view import view
from tests.game.scenes import types
from tests.game.test_fold import Client


def table(ruleset="shengji", players=4, **more):
    return Driver(ruleset, players, seed=5, **{"kind": "human", **more})


def at(phase, **more):
    driver = table(**more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == phase)
    return driver


def time_passes(driver):
    """Let everything happen that comes without people, AI moves included."""
    for _ in range(2_000):
        wake = clock.wake_at(driver.state)
        if wake is None:
            return
        driver.now = max(driver.now, wake)
        if not driver.wait(0).events:
            seat = clock.ai_seats_asked(driver.state)[0]
            driver.ai(seat, **driver.choice(seat))
    raise AssertionError("the table goes on without anybody")


def with_ai_players(**more):
    """Return a table where seat 0 plays with AI players, and is asked to play."""
    driver = table(ai=(1, 2, 3), **more)
    while driver.decision["kind"] != "play" or driver.active_seat != 0:
        seat = driver.decision["seats"][0]
        if seat:
            driver.ai(seat, **driver.choice(seat))
        else:
            driver.do(0, **driver.choice(0))
    return driver


def timed_out(driver):
    return [event for event in driver.log if event["type"] == "decision_timed_out"]


def test_nothing_is_dealt_after_a_result_until_somebody_is_ready():
    driver = table()
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    time_passes(driver)
    assert driver.state["round"]["number"] == 1
    assert driver.decision["kind"] == "ready"
    assert driver.decision["deadline"] is None
    assert not any(seat["ready"] for seat in driver.state["seats"])
    driver.now += 3_600_000
    outcome = driver.do(2, type="ready")
    assert types(outcome) == ["seat_ready", "decision_opened"], "the others have their time from now on"
    assert driver.decision["deadline"] == driver.now + 30_000
    driver.wait(clock.times_out_at(driver.state) - driver.now)
    assert driver.state["round"]["number"] == 2


def test_a_trick_in_which_nobody_has_acted_pauses_the_table():
    driver = at("play")
    client = Client(driver.state, "p2", driver.now)
    time_passes(driver)
    client.catch_up(driver)
    assert waits_for_people(driver.state)
    assert len(timed_out(driver)) == 4
    assert sum(event["type"] == "played" for event in driver.log) == 3, "the fourth decides when somebody is back"
    assert not any(seat["autopilot"] for seat in driver.state["seats"])
    table_view = view(driver.state, 2, driver.now)
    assert table_view["pause"]["reason"] == "absent"
    assert client.view["pause"]["reason"] == "absent"
    assert fold(driver.log) == driver.state


@pytest.mark.parametrize("how", ["end_pause", "resume"])
def test_the_first_who_is_back_makes_the_table_go_on_with_the_whole_time(how):
    driver = at("play")
    time_passes(driver)
    seats = driver.state["pause"]["decision"]["seats"]
    driver.now += 3_600_000
    outcome = driver.do(2, type=how)
    assert types(outcome) == ["seat_resumed", "game_resumed", "decision_opened"]
    assert driver.decision["seats"] == seats
    assert driver.decision["deadline"] == driver.now + 30_000
    assert driver.state["game"].get("paused_ms", 0) == 0, "it does not count against pauses by vote"
    # With one who plays, the clock runs for the others as always.
    if seats != [2]:
        driver.wait(clock.times_out_at(driver.state) - driver.now)
        assert driver.log[-1]["type"] == "decision_opened"
    time_passes(driver)
    assert waits_for_people(driver.state)


def test_one_who_plays_keeps_the_clock_running_for_the_others():
    driver = at("play")
    while driver.state["round"]["phase"] != "scored":
        if clock.ai_seats_asked(driver.state):
            seat = clock.ai_seats_asked(driver.state)[0]
            driver.ai(seat, **driver.choice(seat))
        elif driver.active_seat == 1:
            driver.do(1, **driver.choice(1))
        else:
            driver.wait(clock.times_out_at(driver.state) - driver.now)
    assert persons(driver.state) == [1]
    assert "game_paused" not in {event["type"] for event in driver.log}


@pytest.mark.parametrize("policy", ["auto_play", "ai_takeover"])
def test_a_person_among_ai_players_is_waited_for(policy):
    driver = with_ai_players(clock_settings={"on_timeout": policy, "alone": "limited"})
    held = driver.hand(0)
    time_passes(driver)
    assert waits_for_people(driver.state)
    assert driver.hand(0) == held, "nothing is played for somebody who would be the only one"
    refusal = driver.refused(WrongPhase, 0, type="play", cards=["2S"], decision_id="dc_1")
    assert refusal.params["expected"] == "end_pause"
    driver.do(0, type="end_pause")
    assert driver.active_seat == 0
    driver.do(0, **driver.choice(0))
    assert ai_level(driver.state, 0) is None


@pytest.mark.parametrize("pace", ["timed", "instant"])
def test_a_table_that_everybody_leaves_waits_with_its_round(pace):
    driver = table(options={"deal_pace": pace})
    driver.now += 2_000
    driver.wait(0)
    for seat in range(4):
        driver.do(seat, type="leave")
    time_passes(driver)
    assert waits_for_people(driver.state)
    assert driver.state["round"]["phase"] == ("dealing" if pace == "timed" else "declaring")
    driver.now += 600_000
    driver.do(3, type="resume")
    assert persons(driver.state) == [3]
    assert not waits_for_people(driver.state)
    assert driver.decision["deadline"] > driver.now
    if pace == "timed":
        assert driver.decision["deadline"] >= clock.deal_ends_at(driver.state)


def test_ai_players_of_an_earlier_release_stop_where_they_are():
    driver = at("play")
    for seat in range(4):
        driver.do(seat, type="leave")
    seat = clock.ai_seats_asked(driver.state)[0]
    driver.ai(seat, **driver.choice(seat))
    outcome = driver.wait(0)
    assert types(outcome) == ["game_paused"]


def test_the_board_of_an_event_is_played_to_its_end_without_its_players():
    board = {"event": "ev_1", "number": 1, "sealed_until": 1_800_000_000_000}
    driver = table(ai=(1, 2, 3), clock_settings={"alone": "limited"})
    driver.state["settings"]["board"] = board
    driver.do(0, type="leave")
    for _ in range(3_000):
        if driver.state["round"]["phase"] == "scored":
            break
        if not driver.wait(max(0, clock.wake_at(driver.state) - driver.now)).events:
            seat = clock.ai_seats_asked(driver.state)[0]
            driver.ai(seat, **driver.choice(seat))
    assert driver.state["round"]["phase"] == "scored"


def test_a_table_of_ai_players_alone_plays_on():
    driver = table(ai=(0, 1, 2, 3))
    while driver.state["round"]["phase"] != "scored":
        driver.now = max(driver.now, clock.wake_at(driver.state))
        if not driver.wait(0).events:
            seat = clock.ai_seats_asked(driver.state)[0]
            driver.ai(seat, **driver.choice(seat))
    assert "game_paused" not in {event["type"] for event in driver.log}


def test_a_program_that_is_late_once_is_not_missing_and_comes_back_by_any_request():
    driver = with_ai_players(kind="bot")
    for _ in range(200):
        if waits_for_people(driver.state):
            break
        if not driver.wait(max(0, clock.wake_at(driver.state) - driver.now)).events:
            seat = clock.ai_seats_asked(driver.state)[0]
            driver.ai(seat, **driver.choice(seat))
    assert driver.state["seats"][0]["timeouts"] == 3
    assert ai_level(driver.state, 0) == "easy"
    driver.do(0, type="presence", presence="online")
    assert persons(driver.state) == [0]
    assert not waits_for_people(driver.state)


def test_a_page_that_is_open_without_its_person_does_not_bring_the_table_back():
    driver = at("play")
    time_passes(driver)
    driver.do(2, type="presence", presence="online")
    assert waits_for_people(driver.state)


def test_deals_without_a_declaration_do_not_go_on_for_ever():
    driver = table("zhaopengyou", 5, options={"deal_pace": "timed"})
    time_passes(driver)
    assert waits_for_people(driver.state)
    assert driver.state["round"]["deal"]["attempt"] == 2
    driver.do(1, type="end_pause")
    assert driver.decision["deadline"] >= clock.deal_ends_at(driver.state)


def test_those_who_stay_away_are_gone_although_the_table_waits():
    driver = at("play", options={})
    time_passes(driver)
    since = driver.now
    assert not is_gone(driver.state, 1, since)
    assert is_gone(driver.state, 1, since + GONE_AFTER_MS)
    driver.now += GONE_AFTER_MS
    driver.do(2, type="end_pause")
    assert is_gone(driver.state, 1, driver.now)


def test_a_missed_decision_is_forgotten_by_getting_ready():
    driver = at("play")
    seat = driver.active_seat
    driver.wait(clock.times_out_at(driver.state) - driver.now)
    while driver.state["round"]["phase"] != "scored":
        if driver.active_seat == seat and not driver.state["seats"][seat]["timeouts"]:
            driver.wait(clock.times_out_at(driver.state) - driver.now)
        else:
            driver.step()
    for player in range(4):
        driver.do(player, type="ready")
    assert driver.state["round"]["number"] == 2
    assert [place["timeouts"] for place in driver.state["seats"]] == [0, 0, 0, 0]


def test_a_round_with_a_wait_can_be_replayed():
    driver = table(options={"deal_pace": "timed"})
    driver.now += 1_000
    driver.wait(0)
    for seat in range(4):
        driver.do(seat, type="leave")
    time_passes(driver)
    driver.now += 600_000
    for seat in range(4):
        driver.do(seat, type="resume")
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert game_record["rounds"][0]["pauses"]
    driver.do(0, type="open_vote", kind="end_early")
    for seat in (1, 2, 3):
        driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert replay.check(game_record)["ok"]
