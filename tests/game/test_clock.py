"""The clock: what happens when players do not answer, and when."""

import pytest

from harness.driver import Driver
from service.common.errors import IllegalPlay
from service.game.commands.decide import catch_up, note_kept
from service.game.errors import StaleDecision, WrongPhase
from service.game.state import clock
from service.game.state.fallback import fallback_action
from service.game.state.queries import ai_level, persons
from service.game.views.view import view
from tests.game.scenes import timed, types
from tests.game.watch import Watch

GRACE = 1_500


def table(ruleset="shengji", players=4, options=None, *, seed=5, **more):
    return Driver(ruleset, players, options, seed=seed, **more)


def at_play(**more):
    driver = table(**more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


def let_time_out(driver):
    """Let time pass up to the timeout of the open decision."""
    return driver.wait(clock.times_out_at(driver.state) - driver.now)


# --- when --------------------------------------------------------------------------------------------------------


def test_a_decision_times_out_after_its_deadline_and_the_grace():
    driver = at_play()
    deadline = driver.decision["deadline"]
    assert deadline == driver.now + 30_000
    assert clock.wake_at(driver.state) == deadline + GRACE
    assert driver.wait(30_000 + GRACE - 1).events == []
    assert "played" in types(driver.wait(1))


def test_an_answer_within_the_grace_counts():
    driver = at_play()
    seat, decision = driver.active_seat, driver.decision["id"]
    driver.now += 30_000 + GRACE - 1
    outcome = driver.do(seat, **driver.choice(seat))
    assert [event["by"] for event in outcome.events if event["type"] == "played"] == ["player"]
    assert driver.state["seats"][seat]["timeouts"] == 0
    assert driver.decision["id"] != decision


def test_an_answer_after_the_timeout_is_stale():
    driver = at_play()
    seat, decision = driver.active_seat, driver.decision["id"]
    choice = driver.choice(seat)
    let_time_out(driver)
    driver.refused(StaleDecision, seat, **choice, decision_id=decision)


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "kind", "answered"),
    [
        ("shengji", 4, {}, "declare", "passed"),
        ("zhaopengyou", 5, {}, "defend", "passed"),
        ("shengji", 4, {"chao_di": True}, "overcall-kitty", "passed"),
        ("shengji", 4, {}, "discard", "discarded"),
        ("zhaopengyou", 5, {}, "call", "friends_called"),
        ("shengji", 4, {}, "play", "played"),
        ("arms_length", 4, {}, "road", "road_stated"),
        ("arms_length", 4, {}, "play", "played"),
    ],
)
def test_every_kind_of_decision_is_answered_on_timeout(ruleset, players, options, kind, answered):
    driver = table(ruleset, players, options)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == kind)
    seats = driver.decision["seats"]
    expected = {"declare": 8_000, "defend": 4_000, "overcall-kitty": 8_000, "discard": 90_000, "call": 60_000}
    expected |= {"road": 60_000, "play": 30_000}
    assert driver.decision["deadline"] - driver.decision["opened_at"] == expected[kind]
    outcome = let_time_out(driver)
    done = [event for event in outcome.events if event["type"] == answered]
    assert [event["data"]["seat"] for event in done] == seats
    assert {event["by"] for event in done} == {"timeout"}
    held = kind in {"discard", "call", "road", "play"}
    assert (types(outcome)[0] == "decision_timed_out") is held
    for seat in seats:
        assert driver.state["seats"][seat]["timeouts"] == held
        assert driver.state["seats"][seat]["presence"] == ("away" if held else "online")


def test_fallback_actions_are_legal_and_never_throws():
    for seed in range(6):
        driver = table("zhaopengyou", 6, seed=seed)
        driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
        while driver.state["round"]["phase"] == "playing":
            seat = driver.active_seat
            try:
                driver.do(seat, **fallback_action(driver.state, seat))
            except IllegalPlay as refusal:
                pytest.fail(str(refusal))
        assert not [event for event in driver.log if event["data"].get("throw")]


# --- three in a row ----------------------------------------------------------------------------------------------


def play_on(driver, but):
    """Have the other seats answer until this one is asked to play."""
    while driver.active_seat != but:
        driver.step()


def test_after_three_timeouts_in_a_row_an_ai_player_takes_over():
    driver = at_play()
    seat = driver.active_seat
    for expected in (1, 2, 3):
        play_on(driver, seat)
        assert ai_level(driver.state, seat) is None
        let_time_out(driver)
        assert driver.state["seats"][seat]["timeouts"] == expected
    assert ai_level(driver.state, seat) == "easy"
    assert [e["data"]["reason"] for e in driver.log if e["type"] == "seat_taken_over"] == ["timeouts"]
    play_on(driver, seat)
    assert clock.ai_seats_asked(driver.state) == [seat]
    assert clock.wake_at(driver.state) == driver.now + driver.state["settings"]["ai_pace_ms"]


def test_an_answer_in_between_resets_the_count_of_timeouts():
    driver = at_play()
    seat = driver.active_seat
    for times_out in (True, True, False, True, True):
        play_on(driver, seat)
        if times_out:
            let_time_out(driver)
        else:
            driver.step()
            assert driver.state["seats"][seat]["timeouts"] == 0
    assert ai_level(driver.state, seat) is None


def taken_over(driver):
    seat = driver.active_seat
    for _ in range(3):
        play_on(driver, seat)
        let_time_out(driver)
    play_on(driver, seat)
    return seat


def test_a_player_who_acts_takes_the_seat_back():
    driver = at_play()
    seat = taken_over(driver)
    outcome = driver.do(seat, **driver.choice(seat))
    assert types(outcome)[:2] == ["seat_resumed", "played"]
    assert ai_level(driver.state, seat) is None
    assert driver.state["seats"][seat]["timeouts"] == 0


def test_an_illegal_action_does_not_take_the_seat_back():
    driver = at_play()
    seat = taken_over(driver)
    driver.refused(IllegalPlay, seat, type="play", cards=[])
    assert ai_level(driver.state, seat) == "easy"


def test_a_player_who_resumes_is_asked_as_before():
    driver = at_play()
    seat = taken_over(driver)
    assert types(driver.do(seat, type="resume")) == ["seat_resumed"]
    assert driver.do(seat, type="resume").events == []
    assert clock.ai_seats_asked(driver.state) == []
    assert clock.wake_at(driver.state) == clock.times_out_at(driver.state)


def late_ai(driver):
    """Have a player leave while asked; let time pass almost up to the timeout, without a move of the AI player."""
    seat = driver.active_seat
    driver.do(seat, type="leave")
    driver.wait(clock.times_out_at(driver.state) - 1 - driver.now)
    return seat


def test_a_player_who_resumes_after_a_late_ai_player_gets_the_full_time():
    driver = at_play(clock_settings={"bank_ms": 5_000})
    seat = late_ai(driver)
    assert types(driver.do(seat, type="resume")) == ["seat_resumed", "decision_opened"]
    assert driver.decision["seats"] == [seat]
    assert driver.decision["deadline"] > driver.now
    assert driver.state["seats"][seat]["bank_ms"] == 5_000


def test_a_player_who_acts_after_a_late_ai_player_pays_nothing_from_the_bank():
    driver = at_play(clock_settings={"bank_ms": 5_000})
    seat = late_ai(driver)
    assert types(driver.do(seat, **driver.choice(seat)))[:2] == ["seat_resumed", "played"]
    assert driver.state["seats"][seat]["bank_ms"] == 5_000


# --- other values of on_timeout ----------------------------------------------------------------------------------


def test_with_ai_takeover_the_first_timeout_makes_an_ai_player_decide():
    driver = at_play(clock_settings={"on_timeout": "ai_takeover"})
    seat, decision = driver.active_seat, driver.decision["id"]
    outcome = let_time_out(driver)
    assert types(outcome) == ["decision_timed_out", "seat_taken_over", "decision_opened"]
    assert driver.decision["seats"] == [seat]
    assert driver.decision["id"] != decision
    assert catch_up(driver.state, driver.now, driver.random.randbytes).events == []
    assert clock.wake_at(driver.state) == driver.now + 600
    played = driver.ai(seat, **driver.choice(seat))
    assert [event["by"] for event in played.events if event["type"] == "played"] == ["ai"]


def test_with_ai_takeover_an_ai_player_that_does_not_move_times_out_in_the_end():
    driver = at_play(clock_settings={"on_timeout": "ai_takeover"})
    seat = driver.active_seat
    let_time_out(driver)
    assert driver.active_seat == seat
    assert driver.wait(30_000 + GRACE).events == [], "it moves, however late"
    assert driver.wait(clock.AI_LATE_MS - 1).events == []
    assert [event["by"] for event in driver.wait(1).events if event["type"] == "played"] == ["timeout"]
    assert driver.state["seats"][seat]["timeouts"] == 1


def test_with_ai_takeover_all_seats_without_a_stated_road_are_taken_over():
    driver = table("arms_length", clock_settings={"on_timeout": "ai_takeover"})
    driver.do(1, type="road", road="high")
    outcome = let_time_out(driver)
    assert [event["data"]["seat"] for event in outcome.events if event["type"] == "seat_taken_over"] == [0, 2, 3]
    assert driver.decision["seats"] == [0, 2, 3]
    assert persons(driver.state) == [1]
    for seat in (0, 2, 3):
        driver.ai(seat, type="road", road="low")
    assert driver.decision["seats"] == [0, 2]


def test_with_pause_a_table_waits_for_the_player():
    driver = at_play(clock_settings={"on_timeout": "pause"})
    seat, decision = driver.active_seat, driver.decision["id"]
    assert types(let_time_out(driver)) == ["decision_timed_out"]
    assert driver.decision["id"] == decision
    assert driver.decision["deadline"] is None
    open_decision = view(driver.state, seat, driver.now)["decision"]
    assert (open_decision["deadline_at"], open_decision["remaining_ms"]) == (None, None)
    assert clock.wake_at(driver.state) is None
    assert driver.wait(10**9).events == []
    driver.do(seat, **driver.choice(seat))
    assert driver.decision["deadline"] == driver.now + 30_000


def test_with_pause_an_optional_decision_still_times_out():
    driver = table(clock_settings={"on_timeout": "pause"})
    assert driver.decision["kind"] == "declare"
    assert types(let_time_out(driver))[0] == "passed"


# --- time bank ---------------------------------------------------------------------------------------------------


def test_a_time_bank_gives_time_beyond_the_deadline_and_is_used_up():
    driver = at_play(clock_settings={"bank_ms": 10_000})
    seat = driver.active_seat
    assert clock.wake_at(driver.state) == driver.decision["deadline"] + 10_000 + GRACE
    driver.now = driver.decision["deadline"] + 4_000
    outcome = driver.do(seat, **driver.choice(seat))
    assert types(outcome)[0] == "bank_used"
    assert driver.state["seats"][seat]["bank_ms"] == 6_000
    play_on(driver, seat)
    driver.now = driver.decision["deadline"]
    driver.do(seat, **driver.choice(seat))
    assert driver.state["seats"][seat]["bank_ms"] == 6_000
    play_on(driver, seat)
    let_time_out(driver)
    assert driver.state["seats"][seat]["bank_ms"] == 0


def test_an_answer_in_the_grace_uses_at_most_the_whole_bank():
    driver = at_play(clock_settings={"bank_ms": 100})
    seat = driver.active_seat
    driver.now = driver.decision["deadline"] + 1_500
    driver.do(seat, **driver.choice(seat))
    assert driver.state["seats"][seat]["bank_ms"] == 0


def test_a_decision_of_several_seats_does_not_use_their_banks():
    driver = table("arms_length", clock_settings={"bank_ms": 10_000})
    assert clock.wake_at(driver.state) == driver.decision["deadline"] + GRACE
    driver.now = driver.decision["deadline"] + 1
    assert types(driver.do(2, type="road", road="high")) == ["road_stated"]
    let_time_out(driver)
    assert [seat["bank_ms"] for seat in driver.state["seats"]] == [10_000] * 4


def test_a_decision_to_declare_does_not_use_the_bank():
    driver = table(clock_settings={"bank_ms": 10_000})
    seat = driver.active_seat
    assert clock.wake_at(driver.state) == driver.decision["deadline"] + GRACE
    driver.now = driver.decision["deadline"] + 1
    driver.do(seat, type="pass")
    assert driver.state["seats"][seat]["bank_ms"] == 10_000


def test_a_new_game_begins_with_full_banks():
    driver = Driver("arms_length", 4, clock_settings={"bank_ms": 10_000})
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    seat = driver.active_seat
    let_time_out(driver)
    assert driver.state["seats"][seat]["bank_ms"] == 0
    driver.play_until(lambda state: state["status"] == "finished")
    for number in range(4):
        driver.do(number, type="ready")
    assert [place["bank_ms"] for place in driver.state["seats"]] == [10_000] * 4


# --- never late, never busy ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "clocks"),
    [
        ("shengji", 4, {"deal_pace": "timed"}, {}),
        ("zhaopengyou", 5, {"deal_pace": "timed"}, {"on_timeout": "ai_takeover"}),
        ("zhaopengyou_80", 4, {"deal_pace": "timed"}, {"deal_interval_ms": 0, "grace_ms": 0}),
        ("finding_friends", 5, {}, {"bank_ms": 500}),
        ("arms_length", 4, {}, {}),
    ],
)
def test_something_is_due_exactly_when_the_table_wakes(ruleset, players, options, clocks):
    driver = table(ruleset, players, options, clock_settings={"play_ms": 1_000, **clocks})
    Watch(driver, sampled=50)
    for _ in range(300):
        state = driver.state
        wake = clock.wake_at(state)
        if state["status"] == "finished":
            break
        if wake is None:
            # It waits for people, and any of them makes it go on.
            seat = driver.random.randrange(players)
            driver.do(seat, type="resume" if "pause" in state else "ready")
            continue
        due = clock.ai_due_at(state)
        if wake > driver.now:
            assert catch_up(state, wake - 1, driver.random.randbytes).events == []
        if due is not None and due <= wake:
            driver.now = max(driver.now, due)
            seat = clock.ai_seats_asked(state)[0]
            driver.ai(seat, **driver.choice(seat))
            continue
        assert catch_up(state, wake, driver.random.randbytes).events, "woken for nothing"
        if driver.random.random() < 0.5:
            driver.wait(wake - driver.now + driver.random.choice([0, 0, 700]))
        elif state["decision"] is not None and state["round"]["phase"] != "dealing":
            driver.step()


def test_ai_seats_watch_the_deal_and_are_asked_after_it():
    driver = timed(ai=(1, 3))
    driver.wait(4_000)
    assert clock.ai_seats_watching(driver.state) == [1, 3]
    assert clock.ai_seats_asked(driver.state) == []
    driver.wait(6_000)
    assert clock.ai_seats_watching(driver.state) == []
    assert clock.ai_seats_asked(driver.state) == [1, 3]
    assert clock.wake_at(driver.state) == driver.now + 600


def test_keeping_a_finished_game_is_due_until_it_is_done():
    driver = Driver("arms_length", 4)
    driver.play_until(lambda state: state["status"] == "finished")
    assert clock.keeping_is_due(driver.state)
    assert clock.wake_at(driver.state) == driver.now
    outcome = note_kept(driver.state, driver.now, driver.random.randbytes)
    assert types(outcome) == ["game_kept"]
    assert not clock.keeping_is_due(outcome.state)
    assert clock.wake_at(outcome.state) is None


def test_nothing_is_due_at_a_table_without_a_game():
    driver = table(start=False)
    assert clock.wake_at(driver.state) is None
    assert driver.wait(10**9).events == []


def test_only_keeping_its_game_is_due_at_a_closed_table():
    driver = table(ai=(1, 2, 3))
    assert types(driver.do(0, type="close")) == ["game_ended", "table_closed"]
    assert driver.state["game"]["ended"] == "abandoned"
    assert clock.keeping_is_due(driver.state)
    assert clock.wake_at(note_kept(driver.state, driver.now, driver.random.randbytes).state) is None
    assert driver.wait(10**9).events == []
    driver.refused(WrongPhase, 0, type="play", cards=[], decision_id="dc_1")


def test_times_of_events_never_decrease_even_if_a_clock_is_behind():
    driver = at_play()
    times = [driver.state["at"]]
    while driver.state["round"]["phase"] == "playing":
        driver.now += 2_000 if len(times) % 2 else -1_900
        times += [event["at"] for event in driver.do(driver.active_seat, **driver.choice(driver.active_seat)).events]
        assert driver.state["at"] == times[-1]
    assert times == sorted(times)
    assert len(set(times)) > 1
