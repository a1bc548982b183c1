"""Take-backs of a play and of all that was played since."""

import pytest

from harness.driver import Driver
from service.game.errors import WrongPhase
from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.state import clock
from service.game.state.queries import ai_level
from service.game.views.view import view
from tests.game.scenes import bury, declare, last, play, stack, trick, types


def at_play(ruleset="shengji", players=4, **more):
    driver = Driver(ruleset, players, seed=5, **more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


def take_back(driver, player):
    return driver.do(player, type="take_back")


def accept(driver, player, accepted=True):
    return driver.do(player, type="answer_take_back", accept=accepted)


def test_a_play_is_taken_back_when_all_others_agree():
    driver = at_play(take_back=True)
    driver.step()
    seat = driver.active_seat
    before = driver.state["round"]
    choice = driver.choice(seat)
    driver.do(seat, **choice)
    assert types(take_back(driver, seat)) == ["take_back"]
    assert view(driver.state, 0, 0)["round"]["take_back"] == {"seat": seat, "accepted": []}
    assert take_back(driver, seat).events == []
    others = [other for other in range(4) if other != seat]
    for other in others[:-1]:
        assert types(accept(driver, other)) == ["take_back"]
        assert accept(driver, other).events == []
    outcome = accept(driver, others[-1])
    assert types(outcome) == ["take_back", "take_back", "decision_opened"]
    after = driver.state["round"]
    for field in ("hands", "played", "trick", "points", "tricks"):
        assert after[field] == before[field], field
    assert (driver.decision["kind"], driver.active_seat) == ("play", seat)
    assert fold(driver.log) == driver.state
    # The same cards again answer a new decision.
    assert driver.do(seat, **choice).events


def test_a_lead_is_taken_back_with_its_trick():
    driver = at_play(take_back=True)
    seat = driver.active_seat
    driver.step()
    take_back(driver, seat)
    for other in range(4):
        accept(driver, other)
    assert driver.state["round"]["trick"] is None
    assert driver.active_seat == seat


def test_after_a_take_back_the_previous_winner_is_winning_again():
    driver = at_play(take_back=True)
    while True:
        table_round = driver.state["round"]
        standing = table_round["trick"]["winning"] if table_round["trick"] else None
        seat = driver.active_seat
        driver.step()
        now = driver.state["round"]["trick"]
        if standing is not None and now is not None and standing not in (now["winning"], now["leader"]):
            break
    take_back(driver, seat)
    for other in range(4):
        accept(driver, other)
    assert driver.state["round"]["trick"]["winning"] == standing


def test_one_refusal_ends_a_request():
    driver = at_play(take_back=True)
    seat = driver.active_seat
    driver.step()
    take_back(driver, seat)
    assert last(driver, "take_back")["stage"] == "asked"
    assert accept(driver, seat).events == accept(driver, seat, accepted=False).events == []
    accept(driver, (seat + 2) % 4, accepted=False)
    assert driver.state["round"]["take_back"] is None
    driver.refused(WrongPhase, (seat + 1) % 4, type="answer_take_back", accept=True)


def test_ai_seats_need_not_agree():
    driver = at_play(take_back=True)
    seat = driver.active_seat
    driver.step()
    for other in range(4):
        if other != seat:
            driver.do(other, type="leave")
    assert types(take_back(driver, seat)) == ["take_back", "take_back", "decision_opened"]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_request_does_not_wait_for_a_player_who_leaves_or_is_replaced(replaced):
    driver = at_play(take_back=True)
    seat = driver.active_seat
    driver.step()
    take_back(driver, seat)
    third, fourth = (seat + 2) % 4, (seat + 3) % 4
    for other in ((seat + 1) % 4, third):
        accept(driver, other)
    if replaced:
        driver.do(fourth, type="presence", presence="away")
        opened = driver.do(seat, type="open_vote", kind="replace", seat=fourth)
        outcome = driver.do(third, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
        assert types(opened) == ["vote_opened"]
    else:
        outcome = driver.do(fourth, type="leave")
    assert types(outcome)[-2:] == ["take_back", "decision_opened"]
    assert driver.active_seat == seat
    assert driver.state["round"]["trick"] is None


def test_nothing_is_taken_back_for_a_player_who_has_gone():
    driver = at_play(take_back=True)
    seat = driver.active_seat
    driver.step()
    take_back(driver, seat)
    for other in range(4):
        driver.do((seat + other) % 4, type="leave")
    assert last(driver, "take_back")["stage"] == "asked"


def test_nothing_is_taken_back_when_the_last_answer_ends_the_game():
    driver = at_play(take_back=True)
    seat = driver.active_seat
    driver.step()
    take_back(driver, seat)
    *others, gone = ((seat + step) % 4 for step in (1, 2, 3))
    for other in others:
        accept(driver, other)
    driver.do(seat, type="open_vote", kind="abandon")
    for other in others:
        driver.do(other, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    assert "game_ended" in types(driver.do(gone, type="leave"))
    assert driver.state["decision"] is None


def test_a_card_that_made_a_friend_join_cannot_be_taken_back(monkeypatch):
    stack(monkeypatch, {0: "2S AH"})
    driver = Driver("zhaopengyou", 6, take_back=True)
    declare(driver, 0, "2S")
    bury(driver)
    driver.do(0, type="call", calls=[{"card": "AH", "ordinal": 1}, {"card": "AD", "ordinal": 1}])
    assert "friend_joined" in play(driver, "AH")
    assert obstacle(driver, 0) == "take_back_friend_joined"


def test_a_throw_that_held_cannot_be_taken_back(monkeypatch):
    stack(monkeypatch, {0: "2S AH AH KH KH"})
    driver = Driver("shengji", 4, take_back=True)
    declare(driver, 0, "2S")
    bury(driver)
    play(driver, "AH", "KH")
    assert driver.state["round"]["trick"]["plays"][0]["throw"]["ok"] is True
    assert obstacle(driver, 0) == "take_back_throw_held"
    assert driver.state["round"]["returnable"] == 0


def test_a_failed_throw_and_all_before_it_cannot_be_taken_back(monkeypatch):
    stack(monkeypatch, {0: "2S AH AH QH", 1: "KH"})
    driver = Driver("shengji", 4, take_back=True)
    declare(driver, 0, "2S")
    bury(driver)
    first = trick(driver, {0: "AH"})
    assert first["winner"] == 0
    assert driver.state["round"]["returnable"] == 4
    assert "throw_failed" in play(driver, "AH", "QH")
    for seat in range(4):
        assert obstacle(driver, seat) == "take_back_throw_failed"
    driver.step()
    assert driver.state["round"]["returnable"] == 1


def test_a_false_claim_ends_a_request_and_nothing_before_it_can_be_taken_back():
    driver = at_play(take_back=True, claims=True)
    driver.step()
    driver.play_until(lambda state: state["round"]["trick"] is None)
    last_seat = driver.state["round"]["last_trick"]["plays"][-1]["seat"]
    take_back(driver, last_seat)
    assert last(driver, "take_back")["stage"] == "asked"
    driver.do(driver.active_seat, type="claim")
    assert last(driver, "claimed") == {"seat": driver.active_seat, "ok": False, "penalty": 0, "returnable": 0}
    assert driver.state["round"]["take_back"] is None
    for seat in range(4):
        assert obstacle(driver, seat) == "take_back_claim_failed"
    driver.step()
    assert driver.state["round"]["returnable"] == 1
    driver.play_until(lambda state: state["round"]["result"])
    written = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert replay.check(written)["ok"]


def test_a_discard_that_made_trumps_cannot_be_taken_back(monkeypatch):
    starter = Driver("arms_length", 4).state["round"]["starter"]
    stack(monkeypatch, {starter: "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"})
    driver = Driver("arms_length", 4, take_back=True)
    for seat in range(4):
        driver.do(seat, type="road", road="either")
    driver.step()
    driver.step()
    assert driver.state["round"]["trump"] is not None
    assert obstacle(driver, (starter + 1) % 4) == "take_back_trumps_made"


def test_take_backs_need_a_table_that_allows_them_and_a_play():
    driver = at_play()
    seat = driver.active_seat
    driver.step()
    assert driver.refused(WrongPhase, seat, type="take_back").params["reason"] == "no_take_back"
    driver = Driver("shengji", 4, take_back=True, start=False)
    driver.do(0, type="sit", kind="bot", name="X")
    assert obstacle(driver, 0) == "take_back_nothing"
    driver.refused(WrongPhase, 0, type="answer_take_back", accept=True)
    driver = at_play(take_back=True)
    refusal = driver.refused(WrongPhase, driver.active_seat, type="take_back")
    assert refusal.params == {"action": "take_back", "expected": "play", "reason": "take_back_nothing"}


def obstacle(driver, seat):
    """Return why a seat cannot take its last play back."""
    return driver.refused(WrongPhase, seat, type="take_back").params["reason"]


def accepted(driver, seat):
    """Have a seat ask for its last play, and all others accept; return the last result."""
    outcome = take_back(driver, seat)
    for other in range(4):
        if driver.state["round"]["take_back"] is not None and ai_level(driver.state, other) is None:
            outcome = accept(driver, other)
    return outcome


def what_was(driver):
    """Return the fields of the round that a take-back restores."""
    table_round = driver.state["round"]
    names = ("hands", "played", "trick", "last_trick", "points", "tricks", "earlier", "memory")
    return {name: table_round.get(name) for name in names}


def alone(**more):
    """Return a table of one person and three AI players, at the person's first play."""
    driver = Driver("shengji", 4, seed=5, take_back=True, ai=(1, 2, 3), **more)
    reach(driver, lambda state: state["decision"]["kind"] == "play" and state["decision"]["seats"] == [0])
    return driver


def reach(driver, reached):
    """Have all seats play until a condition holds."""
    while not (driver.state["decision"] and reached(driver.state)):
        move(driver)


def before_ai(state):
    """Whether seat 1 is asked, and seat 2 will play next."""
    trick = state["round"] and state["round"]["trick"]
    is_person = state["decision"]["kind"] == "play" and state["decision"]["seats"] == [1]
    return is_person and (trick is None or len(trick["plays"]) < 3)


def move(driver):
    seats = [seat for seat in clock.ai_seats_asked(driver.state) if seat != 0]
    if seats:
        driver.ai(seats[0], **driver.choice(seats[0]))
    else:
        driver.step()


def test_plays_of_ai_players_are_taken_back_with_ones_own_even_across_tricks():
    driver = alone()
    ended = 0
    while ended < 3:
        before, tricks = what_was(driver), sum(driver.state["round"]["tricks"])
        driver.step()
        for _ in range(3):
            if driver.active_seat != 0:
                move(driver)
        if driver.state["round"].get("settled_by") or driver.state["round"]["phase"] != "playing":
            break
        crossed = sum(driver.state["round"]["tricks"]) > tricks
        outcome = take_back(driver, 0)
        assert types(outcome)[-1] == "decision_opened"
        assert ("trick_reopened" in types(outcome)) == crossed
        assert what_was(driver) == before
        assert driver.decision["seats"] == [0]
        ended += crossed
        driver.step()
        reach(driver, lambda state: state["decision"]["seats"] == [0])
    assert ended >= 2
    assert fold(driver.log) == driver.state


def test_in_a_rated_game_plays_of_ai_players_cannot_be_taken_back():
    driver = Driver("shengji", 4, seed=5, take_back=True, ai=(2, 3))
    reach(driver, before_ai)
    driver.step()
    assert driver.state["round"]["returnable"] > 0
    move(driver)
    assert driver.state["round"]["returnable"] == 0
    assert obstacle(driver, 1) == "take_back_rated"


def test_several_plays_are_taken_back_by_agreement_one_by_one_or_together():
    driver = at_play(take_back=True)
    first = driver.active_seat
    before = what_was(driver)
    for _ in range(3):
        driver.step()
    second, third = (first + 1) % 4, (first + 2) % 4
    assert view(driver.state, None, 0)["round"]["returnable"] == 3
    assert types(accepted(driver, third)).count("take_back") == 2
    assert driver.state["round"]["returnable"] == 2
    outcome = accepted(driver, first)
    assert [event["data"]["seat"] for event in outcome.events if event["data"].get("stage") == "done"] == [
        second,
        first,
    ]
    assert what_was(driver) == before
    assert driver.active_seat == first


def test_a_play_of_the_last_trick_can_be_taken_back_by_agreement():
    driver = at_play(take_back=True)
    for _ in range(4):
        driver.step()
    before = what_was(driver)
    leader = driver.active_seat
    for _ in range(5):
        driver.step()
    outcome = accepted(driver, leader)
    if driver.log[-1]["type"] == "decision_opened" and "trick_reopened" not in types(outcome):
        # The leader had won and led again, so this was the play taken back.
        outcome = accepted(driver, (leader + 1) % 4)
        assert "trick_reopened" in types(outcome)
    else:
        assert what_was(driver) == before


def test_ai_players_wait_for_answers_to_a_request_for_a_limited_time():
    driver = Driver("shengji", 4, seed=5, take_back=True, ai=(2, 3), practice="unrated")
    reach(driver, before_ai)
    driver.step()
    assert driver.active_seat == 2
    normally = clock.ai_due_at(driver.state)
    take_back(driver, 1)
    assert normally < driver.now + clock.ANSWER_MS == clock.ai_due_at(driver.state)
    accept(driver, 0, accepted=False)
    assert clock.ai_due_at(driver.state) == normally


def test_nothing_is_taken_back_once_the_round_is_over():
    driver = at_play(take_back=True)
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    assert obstacle(driver, 0) == "take_back_round_over"
    assert view(driver.state, 0, 0)["round"]["returnable"] == 0


def test_in_a_round_begun_by_an_earlier_release_only_new_plays_can_be_taken_back():
    driver = at_play(take_back=True)
    driver.step()
    for name in ("returnable", "settled_by", "before"):
        driver.state["round"].pop(name, None)
    driver.state["round"]["plain_play"] = True
    earlier = driver.state["round"]["trick"]["plays"][-1]["seat"]
    assert obstacle(driver, earlier) == "take_back_nothing"
    later = driver.active_seat
    driver.step()
    assert driver.state["round"]["returnable"] == 1
    assert types(accepted(driver, later))[-1] == "decision_opened"


def test_a_take_back_removes_what_the_trick_has_shown_of_hands():
    driver = at_play("arms_length", take_back=True)
    driver.play_until(lambda state: state["round"]["trump"] is not None)
    revealed = None
    while revealed is None:
        driver.play_until(lambda state: state["round"]["trick"] is None)
        leader, before = driver.active_seat, what_was(driver)
        for _ in range(4):
            driver.step()
        revealed = last(driver, "trick_won").get("seen")
    assert "trick_reopened" in types(accepted(driver, leader))
    assert what_was(driver) == before
