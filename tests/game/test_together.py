"""What players settle among themselves: chat, votes, taking back a play."""

import pytest

from harness.driver import Driver
from service.common.errors import InvalidRequest
from service.game.commands.table.votes import COOL_DOWN_MS, VOTE_MS
from service.game.errors import GameRunning, NotFound, NotYourSeat, WrongPhase
from service.game.state.queries import GONE_AFTER_MS, ai_level, persons
from service.game.views.fields import timestamp
from service.game.views.redaction import redact
from service.game.views.types import OPEN
from service.game.views.view import view
from tests.game.scenes import last, types

STRANGER = 99


def at_play(ruleset="shengji", players=4, **more):
    driver = Driver(ruleset, players, seed=5, **more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


# --- chat ------------------------------------------------------------------------------------------------------------


def say(driver, player, **what):
    return driver.do(player, type="chat", name="X", **what)


def test_players_and_spectators_talk_apart():
    driver = at_play(spectators="delayed")
    by_player = say(driver, 1, text="hello").events[0]
    by_spectator = say(driver, STRANGER, preset="hello").events[0]
    said = {"seat": 1, "player": "p1", "name": "Bot 1", "text": "hello", "preset": None}
    assert redact(by_player, 2, "shengji")["data"] == redact(by_player, 1, "shengji")["data"] == said
    for spectator in (None, OPEN):
        assert redact(by_player, spectator, "shengji")["data"] == {"seat": 1}
        assert redact(by_spectator, spectator, "shengji")["data"]["preset"] == "hello"
    said = {"seat": None, "player": f"p{STRANGER}", "name": "X", "text": None, "preset": "hello"}
    assert redact(by_spectator, None, "shengji")["data"] == said
    assert redact(by_spectator, 2, "shengji")["data"] == {"seat": None}


def test_there_is_no_chat_where_it_is_off_and_spectators_are_silent_where_there_are_none():
    driver = at_play(chat=False)
    assert driver.refused(WrongPhase, 1, type="chat", name="X", text="hello").params["action"] == "chat"
    driver = at_play(spectators="off")
    driver.refused(WrongPhase, STRANGER, type="chat", name="X", text="hello")
    assert say(driver, 1, text="hello").events


def test_partners_of_arms_length_are_silent_until_the_round_has_ended():
    driver = at_play("arms_length")
    assert driver.refused(WrongPhase, 1, type="chat", name="X", text="low!").params["expected"] == "scored"
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    assert say(driver, 1, text="well").events


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({}, "text_or_preset"),
        ({"text": "a", "preset": "hello"}, "text_or_preset"),
        ({"preset": "boo"}, "no_such_preset"),
        ({"text": "  "}, "chat_length"),
        ({"text": "x" * 201}, "chat_length"),
    ],
)
def test_what_cannot_be_said_is_refused(what, reason):
    assert at_play().refused(InvalidRequest, 1, type="chat", name="X", **what).params["reason"] == reason


# --- votes -----------------------------------------------------------------------------------------------------------


def ask(driver, player, kind, seat=None):
    return driver.do(player, type="open_vote", kind=kind, **({} if seat is None else {"seat": seat}))


def answer(driver, player, approve):
    return driver.do(player, type="cast_vote", vote=driver.state["vote"]["id"], approve=approve)


def away(driver, *players):
    for player in players:
        driver.do(player, type="presence", presence="away")


def gone(driver, *players):
    away(driver, *players)
    driver.now += GONE_AFTER_MS


def test_all_must_agree_to_abandon_a_game():
    driver = at_play()
    made = ask(driver, 1, "abandon")
    assert types(made) == ["vote_opened"]
    assert view(driver.state, 0, driver.now + 1_000)["vote"] == {
        "id": redact(made.events[0], 0, "shengji")["data"]["id"],
        "kind": "abandon",
        "seat": None,
        "votes": {"1": True},
        "closes_at": timestamp(driver.now + VOTE_MS),
        "remaining_ms": VOTE_MS - 1_000,
    }
    answer(driver, 0, True)
    answer(driver, 2, True)
    assert types(answer(driver, 3, True)) == ["vote_cast", "vote_closed", "game_ended"]
    assert driver.state["status"] == "finished"
    assert driver.state["game"]["winners"] == []
    assert driver.state["game"]["ended"] == "abandoned"
    assert driver.state["vote"] is None


def test_those_who_ask_for_the_same_are_all_in_favour():
    driver = at_play()
    assert types(ask(driver, 1, "abandon")) == ["vote_opened"]
    assert ask(driver, 1, "abandon").events == []
    assert types(ask(driver, 2, "abandon")) == ["vote_cast"]
    assert driver.state["vote"]["votes"] == {"1": True, "2": True}
    ask(driver, 0, "abandon")
    assert types(ask(driver, 3, "abandon")) == ["vote_cast", "vote_closed", "game_ended"]


def test_who_has_voted_does_not_change_the_vote_by_asking_again():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 1, False)
    assert ask(driver, 1, "replace", 0).events == []
    assert driver.state["vote"]["votes"] == {"1": False}


def test_one_no_is_enough_to_play_on():
    driver = at_play()
    ask(driver, 1, "end_early")
    assert types(answer(driver, 2, False)) == ["vote_cast", "vote_closed"]
    assert last(driver, "vote_closed")["passed"] is False
    assert driver.state["status"] == "playing"
    assert driver.state["vote"] is None


def test_a_word_can_be_changed_and_said_twice():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 2, False)
    assert answer(driver, 2, False).events == []
    assert types(answer(driver, 2, True)) == ["vote_cast"]
    assert driver.state["vote"]["votes"] == {"1": True, "2": True}


def test_a_game_that_is_ended_early_is_won_by_those_who_are_ahead():
    driver = Driver("shengji", 4, seed=5)
    while len({seat["level"] for seat in driver.state["seats"]}) == 1:
        driver.step()
    driver.play_until(lambda state: state["round"]["phase"] == "playing")
    ahead = [seat for seat, place in enumerate(driver.state["seats"]) if place["level"] != "2"]
    ask(driver, 0, "end_early")
    for player in (1, 2, 3):
        answer(driver, player, True)
    assert last(driver, "game_ended") == {"winners": ahead, "reason": "ended_early"}


def test_with_scores_those_are_ahead_who_have_more():
    driver = Driver("arms_length", 4, seed=4)
    driver.play_until(lambda state: state["round"]["number"] == 2)
    scores = driver.state["game"]["scores"]
    ask(driver, 0, "end_early")
    for player in (1, 2, 3):
        answer(driver, player, True)
    assert driver.state["game"]["winners"] == [seat for seat in range(4) if scores[seat % 2] == max(scores)]


def test_most_of_the_others_replace_somebody_by_an_ai():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 2, True)
    assert types(answer(driver, 3, True))[-1] == "seat_taken_over"
    assert ai_level(driver.state, 0) == "easy"
    assert last(driver, "seat_taken_over")["reason"] == "vote"


def test_when_most_are_against_it_nobody_is_replaced():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 2, False)
    assert types(answer(driver, 3, False)) == ["vote_cast", "vote_closed"]
    assert ai_level(driver.state, 0) is None


def test_replacing_the_one_who_is_waited_for_lets_the_next_round_begin():
    driver = Driver("shengji", 4, seed=5)
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    for seat in (1, 2, 3):
        driver.do(seat, type="ready")
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    made = answer(driver, 2, True)
    assert "round_opened" in types(made)


def test_a_vote_counts_those_who_are_still_there():
    driver = at_play()
    ask(driver, 1, "abandon")
    answer(driver, 0, True)
    answer(driver, 2, True)
    assert types(driver.do(3, type="leave")) == ["seat_left", "vote_closed", "game_ended"]
    assert driver.state["status"] == "finished"


def test_when_the_last_voter_leaves_no_new_game_begins():
    driver = Driver("shengji", 4, seed=5, ai=(2, 3))
    ask(driver, 0, "abandon")
    driver.do(0, type="leave")
    assert driver.state["vote"]["votes"] == {"0": True}
    answer(driver, 1, False)
    assert types(driver.do(1, type="leave")) == ["seat_left"]
    assert persons(driver.state) == []


def test_after_an_abandoned_game_everybody_is_asked_anew():
    driver = Driver("shengji", 4, seed=5)
    driver.play_until(lambda state: state["round"]["number"] == 2 and state["round"]["phase"] == "playing")
    ask(driver, 0, "abandon")
    for player in (1, 2, 3):
        answer(driver, player, True)
    assert [seat["ready"] for seat in driver.state["seats"]] == [False] * 4
    driver.do(0, type="ready")
    assert driver.state["status"] == "finished"


def test_nobody_who_is_there_is_replaced():
    driver = at_play()
    refusal = driver.refused(WrongPhase, 1, type="open_vote", kind="replace", seat=0)
    assert refusal.params == {"action": "vote", "expected": None, "reason": "vote_present", "seat": 0}


def test_who_has_missed_the_last_decision_may_be_replaced():
    driver = at_play()
    late = driver.asked
    driver.wait(60_000)
    driver.do(late, type="presence", presence="online")
    assert types(ask(driver, (late + 1) % 4, "replace", late)) == ["vote_opened"]


def test_the_vote_to_replace_somebody_ends_when_they_come_back():
    driver = at_play()
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    assert types(driver.do(0, type="presence", presence="online")) == ["presence", "vote_closed"]
    assert last(driver, "vote_closed")["passed"] is False
    assert ai_level(driver.state, 0) is None


def test_who_was_replaced_still_has_a_say_in_ending_the_game():
    driver = at_play()
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 2, True)
    assert ai_level(driver.state, 0) == "easy"
    ask(driver, 1, "abandon")
    answer(driver, 2, True)
    assert types(answer(driver, 3, True)) == ["vote_cast"]
    assert types(answer(driver, 0, False)) == ["vote_cast", "vote_closed"]
    assert driver.state["status"] == "playing"


def test_who_has_been_away_for_long_is_not_waited_for():
    driver = at_play()
    gone(driver, 0)
    ask(driver, 1, "end_early")
    answer(driver, 2, True)
    assert "game_ended" in types(answer(driver, 3, True))


def test_one_side_alone_does_not_end_a_rated_game():
    driver = at_play()
    gone(driver, 0, 2)
    for kind in ("abandon", "end_early"):
        refusal = driver.refused(WrongPhase, 1, type="open_vote", kind=kind)
        assert refusal.params["reason"] == "vote_one_side"
    driver = at_play()
    gone(driver, 1, 3)
    assert driver.refused(GameRunning, 0, type="close").params["reason"] == "vote_one_side"
    driver = at_play()
    ask(driver, 1, "abandon")
    answer(driver, 3, True)
    driver.do(0, type="leave")
    assert types(driver.do(2, type="leave")) == ["seat_left", "vote_closed"]
    assert driver.state["status"] == "playing"


def test_one_side_alone_ends_a_game_that_is_not_rated():
    driver = at_play(practice="monday")
    gone(driver, 0, 2)
    ask(driver, 1, "end_early")
    assert "game_ended" in types(answer(driver, 3, True))


def test_the_host_closes_no_table_over_the_heads_of_those_who_were_replaced():
    driver = Driver("shengji", 4, seed=5, ai=(2, 3))
    away(driver, 1)
    ask(driver, 0, "replace", 1)
    assert ai_level(driver.state, 1) == "easy"
    driver.refused(GameRunning, 0, type="close")
    driver.now += GONE_AFTER_MS
    driver.refused(GameRunning, 0, type="close")
    driver = Driver("shengji", 4, seed=5, ai=(1, 3))
    gone(driver, 2)
    assert "table_closed" in types(driver.do(0, type="close"))


def test_an_open_vote_fails_when_its_time_is_over():
    driver = at_play(clock_settings={"play_ms": 600_000})
    ask(driver, 1, "abandon")
    assert types(driver.wait(VOTE_MS - 1)) == []
    assert types(driver.wait(1)) == ["vote_closed"]
    assert driver.state["vote"] is None


def test_who_has_lost_a_vote_waits_before_asking_for_another():
    driver = at_play(clock_settings={"play_ms": 600_000})
    ask(driver, 1, "abandon")
    answer(driver, 2, False)
    driver.now += COOL_DOWN_MS - 1_500
    refusal = driver.refused(WrongPhase, 1, type="open_vote", kind="end_early")
    assert (refusal.params["reason"], refusal.params["retry_after_s"]) == ("vote_too_soon", 2)
    assert types(ask(driver, 3, "abandon")) == ["vote_opened"]
    answer(driver, 2, False)
    driver.now += 1_500
    assert types(ask(driver, 1, "abandon")) == ["vote_opened"]


def test_votes_that_make_no_sense_are_refused():
    driver = at_play()
    assert driver.refused(InvalidRequest, 0, type="open_vote", kind="party").params["reason"] == "no_such_vote"
    for more in ({"kind": "replace"}, {"kind": "replace", "seat": 7}, {"kind": "abandon", "seat": 1}):
        refusal = driver.refused(InvalidRequest, 0, type="open_vote", **more)
        assert refusal.params == {"reason": "vote_seat", "accepted": [0, 1, 2, 3]}
    driver.refused(NotFound, 0, type="cast_vote", vote="vt_1", approve=True)
    ask(driver, 0, "abandon")
    assert driver.refused(WrongPhase, 2, type="open_vote", kind="end_early").params["expected"] == "vote"
    driver.refused(NotFound, 2, type="cast_vote", vote="vt_1", approve=True)
    driver.refused(NotYourSeat, STRANGER, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)


def test_there_is_nothing_to_vote_on_without_a_game():
    driver = Driver("shengji", 4, start=False)
    driver.do(0, type="sit", kind="bot", name="X")
    driver.refused(WrongPhase, 0, type="open_vote", kind="abandon")
