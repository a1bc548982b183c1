"""Between rounds: who is asked to be ready, and tables that everybody has left."""

from harness.driver import Driver
from service.game.events.evolve import fold
from service.game.state import clock
from service.game.state.queries import persons
from tests.game.scenes import types


def table(options=None, **more):
    return Driver("shengji", 4, options, seed=5, **more)


def at_play(**options):
    driver = table(options)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


def let_time_out(driver):
    """Let time pass up to the timeout of the open decision."""
    return driver.wait(clock.times_out_at(driver.state) - driver.now)


def scored(driver):
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    return driver


def test_the_next_round_begins_when_the_time_to_get_ready_is_over():
    driver = scored(table())
    driver.do(2, type="ready")
    assert driver.decision["seats"] == [0, 1, 3]
    outcome = let_time_out(driver)
    assert types(outcome)[:4] == ["seat_ready", "seat_ready", "seat_ready", "round_opened"]
    assert driver.state["round"]["number"] == 2


def test_ai_seats_need_not_get_ready():
    driver = table(ai=(1, 2, 3))
    while driver.state["round"]["phase"] != "scored":
        seats = clock.ai_seats_asked(driver.state)
        if seats:
            driver.ai(seats[0], **driver.choice(seats[0]))
        else:
            driver.step()
    assert driver.decision["seats"] == [0]
    driver.do(0, type="ready")
    assert driver.state["round"]["number"] == 2


def leave_all(driver):
    for seat in range(4):
        driver.do(seat, type="leave")


def play_by_ai(driver):
    while driver.state["round"]["phase"] != "scored":
        seat = clock.ai_seats_asked(driver.state)[0]
        driver.ai(seat, **driver.choice(seat))


def test_an_abandoned_table_whose_round_was_finished_by_an_earlier_release_waits():
    driver = at_play()
    leave_all(driver)
    play_by_ai(driver)
    assert driver.decision["kind"] == "ready"
    assert driver.decision["deadline"] is None
    assert clock.wake_at(driver.state) is None
    assert driver.wait(10**9).events == []
    assert driver.state["round"]["number"] == 1


def test_a_player_who_comes_back_to_an_abandoned_table_can_start_the_next_round():
    driver = at_play()
    leave_all(driver)
    play_by_ai(driver)
    driver.do(2, type="resume")
    driver.do(3, type="resume")
    assert driver.state["round"]["number"] == 1
    assert [seat["ready"] for seat in driver.state["seats"]] == [True, True, False, True]
    assert driver.decision["seats"] == [2]
    assert fold(driver.log) == driver.state
    driver.do(2, type="ready")
    assert driver.state["round"]["number"] == 2
    assert persons(driver.state) == [2, 3]


def test_a_player_who_comes_back_to_an_abandoned_table_does_not_hold_it_up_for_ever():
    driver = at_play()
    leave_all(driver)
    play_by_ai(driver)
    driver.do(0, type="resume")
    driver.do(1, type="ready")
    let_time_out(driver)
    assert driver.state["round"]["number"] == 2


def test_a_player_who_comes_back_after_an_abandoned_game_can_start_another():
    driver = at_play(start_level="A")
    leave_all(driver)
    play_by_ai(driver)
    assert driver.state["status"] == "finished"
    for seat in (1, 2):
        driver.do(seat, type="resume")
    assert [seat["ready"] for seat in driver.state["seats"]] == [True, False, True, True]
    driver.do(1, type="ready")
    assert driver.state["status"] == "playing"


def test_getting_ready_resumes_the_seat():
    driver = at_play()
    leave_all(driver)
    play_by_ai(driver)
    outcome = driver.do(1, type="ready")
    assert types(outcome)[:2] == ["seat_resumed", "round_opened"]
    assert persons(driver.state) == [1]


def test_when_all_leave_between_rounds_the_table_waits():
    driver = scored(table())
    leave_all(driver)
    assert driver.state["round"]["number"] == 1
    assert clock.wake_at(driver.state) is None


def test_a_player_who_leaves_between_rounds_is_not_waited_for():
    driver = scored(table())
    for seat in (0, 1):
        driver.do(seat, type="ready")
    driver.do(2, type="leave")
    assert driver.decision["seats"] == [3]
    driver.do(3, type="ready")
    assert driver.state["round"]["number"] == 2
