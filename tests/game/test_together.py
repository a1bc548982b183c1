"""Chat and votes."""

import pytest

from harness.driver import Driver
from service.common.errors import InvalidRequest
from service.game.commands.table.votes import COOL_DOWN_MS, VOTE_MS
from service.game.errors import GameRunning, NotFound, NotYourSeat, WrongPhase
from service.game.state.queries import GONE_AFTER_MS, ai_level, persons, seated_at_start
from service.game.views.fields import timestamp
from service.game.views.redaction import redact
from service.game.views.types import OPEN
from service.game.views.view import view
from service.tables.parts import is_rated
from service.tables.results import new_result, results_after
from tests.game.scenes import last, types

STRANGER = 99


def at_play(ruleset="shengji", players=4, **more):
    driver = Driver(ruleset, players, seed=5, **more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


# --- chat ------------------------------------------------------------------------------------------------------------


def say(driver, player, **what):
    return driver.do(player, type="chat", name="X", **what)


def test_players_and_spectators_have_separate_chats():
    driver = at_play(spectators="delayed")
    by_player = say(driver, 1, text="hello").events[0]
    by_spectator = say(driver, STRANGER, preset="hello").events[0]
    message = {"seat": 1, "player": "p1", "name": "Bot 1", "text": "hello", "preset": None}
    assert redact(by_player, 2, "shengji")["data"] == redact(by_player, 1, "shengji")["data"] == message
    for spectator in (None, OPEN):
        assert redact(by_player, spectator, "shengji")["data"] == {"seat": 1}
        assert redact(by_spectator, spectator, "shengji")["data"]["preset"] == "hello"
    message = {"seat": None, "player": f"p{STRANGER}", "name": "X", "text": None, "preset": "hello"}
    assert redact(by_spectator, None, "shengji")["data"] == message
    assert redact(by_spectator, 2, "shengji")["data"] == {"seat": None}


def test_chat_is_refused_if_it_is_off_and_to_strangers_without_spectators():
    driver = at_play(chat=False)
    assert driver.refused(WrongPhase, 1, type="chat", name="X", text="hello").params["action"] == "chat"
    driver = at_play(spectators="off")
    driver.refused(WrongPhase, STRANGER, type="chat", name="X", text="hello")
    assert say(driver, 1, text="hello").events


def test_chat_is_refused_during_a_round_of_arms_length():
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
def test_invalid_messages_are_refused(what, reason):
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
    outcome = ask(driver, 1, "abandon")
    assert types(outcome) == ["vote_opened"]
    assert view(driver.state, 0, driver.now + 1_000)["vote"] == {
        "id": redact(outcome.events[0], 0, "shengji")["data"]["id"],
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


def test_opening_the_same_vote_again_is_a_vote_in_favour():
    driver = at_play()
    assert types(ask(driver, 1, "abandon")) == ["vote_opened"]
    assert ask(driver, 1, "abandon").events == []
    assert types(ask(driver, 2, "abandon")) == ["vote_cast"]
    assert driver.state["vote"]["votes"] == {"1": True, "2": True}
    ask(driver, 0, "abandon")
    assert types(ask(driver, 3, "abandon")) == ["vote_cast", "vote_closed", "game_ended"]


def test_opening_the_same_vote_again_does_not_change_an_own_vote():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 1, False)
    assert ask(driver, 1, "replace", 0).events == []
    assert driver.state["vote"]["votes"] == {"1": False}


def test_one_vote_against_ending_a_game_is_enough():
    driver = at_play()
    ask(driver, 1, "end_early")
    assert types(answer(driver, 2, False)) == ["vote_cast", "vote_closed"]
    assert last(driver, "vote_closed")["passed"] is False
    assert driver.state["status"] == "playing"
    assert driver.state["vote"] is None


def test_a_vote_can_be_repeated_and_changed():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 2, False)
    assert answer(driver, 2, False).events == []
    assert types(answer(driver, 2, True)) == ["vote_cast"]
    assert driver.state["vote"]["votes"] == {"1": True, "2": True}


def test_a_game_that_is_ended_early_is_won_by_the_side_ahead():
    driver = Driver("shengji", 4, seed=5)
    while len({seat["level"] for seat in driver.state["seats"]}) == 1:
        driver.step()
    driver.play_until(lambda state: state["round"]["phase"] == "playing")
    ahead = [seat for seat, place in enumerate(driver.state["seats"]) if place["level"] != "2"]
    ask(driver, 0, "end_early")
    for player in (1, 2, 3):
        answer(driver, player, True)
    assert last(driver, "game_ended") == {"winners": ahead, "reason": "ended_early"}


def test_with_scores_the_side_with_the_higher_total_is_ahead():
    driver = Driver("arms_length", 4, seed=4)
    driver.play_until(lambda state: state["round"]["number"] == 2)
    scores = driver.state["game"]["scores"]
    ask(driver, 0, "end_early")
    for player in (1, 2, 3):
        answer(driver, player, True)
    assert driver.state["game"]["winners"] == [seat for seat in range(4) if scores[seat % 2] == max(scores)]


def test_a_majority_of_the_others_can_replace_a_player_by_an_ai_player():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 2, True)
    assert types(answer(driver, 3, True))[-1] == "seat_taken_over"
    assert ai_level(driver.state, 0) == "easy"
    assert last(driver, "seat_taken_over")["reason"] == "vote"


def test_a_majority_against_it_prevents_a_replacement():
    driver = at_play("zhaopengyou", 5)
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    answer(driver, 2, False)
    assert types(answer(driver, 3, False)) == ["vote_cast", "vote_closed"]
    assert ai_level(driver.state, 0) is None


def test_replacing_the_last_player_who_is_not_ready_starts_the_next_round():
    driver = Driver("shengji", 4, seed=5)
    driver.play_until(lambda state: state["round"]["phase"] == "scored")
    for seat in (1, 2, 3):
        driver.do(seat, type="ready")
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    outcome = answer(driver, 2, True)
    assert "round_opened" in types(outcome)


def test_a_vote_counts_only_players_who_are_still_there():
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


def test_after_an_abandoned_game_nobody_is_ready():
    driver = Driver("shengji", 4, seed=5)
    driver.play_until(lambda state: state["round"]["number"] == 2 and state["round"]["phase"] == "playing")
    ask(driver, 0, "abandon")
    for player in (1, 2, 3):
        answer(driver, player, True)
    assert [seat["ready"] for seat in driver.state["seats"]] == [False] * 4
    driver.do(0, type="ready")
    assert driver.state["status"] == "finished"


def test_a_player_who_is_present_cannot_be_replaced():
    driver = at_play()
    refusal = driver.refused(WrongPhase, 1, type="open_vote", kind="replace", seat=0)
    assert refusal.params == {"action": "vote", "expected": None, "reason": "vote_present", "seat": 0}


def test_a_player_who_has_missed_the_last_decision_may_be_replaced():
    driver = at_play()
    late = driver.active_seat
    driver.wait(60_000)
    driver.do(late, type="presence", presence="online")
    assert types(ask(driver, (late + 1) % 4, "replace", late)) == ["vote_opened"]


def test_a_vote_to_replace_a_player_ends_when_they_come_back():
    driver = at_play()
    away(driver, 0)
    ask(driver, 1, "replace", 0)
    assert types(driver.do(0, type="presence", presence="online")) == ["presence", "vote_closed"]
    assert last(driver, "vote_closed")["passed"] is False
    assert ai_level(driver.state, 0) is None


def test_a_player_who_was_replaced_still_votes_on_ending_the_game():
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


def test_a_vote_does_not_wait_for_a_player_who_has_been_away_for_long():
    driver = at_play()
    gone(driver, 0)
    ask(driver, 1, "end_early")
    answer(driver, 2, True)
    assert "game_ended" in types(answer(driver, 3, True))


def test_one_side_alone_cannot_end_a_rated_game():
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


def after_a_round(**settings):
    """Return a rated game at play in its second round."""
    driver = Driver("shengji", 4, seed=5, **settings)
    driver.play_until(lambda state: state["game"]["results"] and state["decision"]["kind"] == "play")
    return driver


def test_those_who_are_left_win_a_rated_game_by_forfeit():
    driver = after_a_round()
    gone(driver, 0)
    driver.do(2, type="leave")
    ask(driver, 1, "forfeit")
    assert "game_ended" in types(answer(driver, 3, True))
    assert (driver.state["game"]["winners"], driver.state["game"]["ended"]) == ([1, 3], "forfeited")
    assert is_rated(driver.state)
    after = results_after(driver.state, {})
    at = {occupant["player"]: seat for seat, occupant in enumerate(seated_at_start(driver.state))}
    begun = new_result()["mu"]
    moved = {at[player]: result["mu"] - begun for player, result in after.items()}
    assert [moved[seat] > 0 for seat in range(4)] == [False, True, False, True]
    assert moved[0] < 0
    assert [after[player]["wins"] for player in sorted(after, key=at.__getitem__)] == [0, 1, 0, 1]


@pytest.mark.parametrize("kind", ["abandon", "end_early"])
def test_those_who_are_left_end_a_rated_game_of_a_finished_round(kind):
    driver = after_a_round()
    gone(driver, 0, 2)
    ask(driver, 1, kind)
    assert "game_ended" in types(answer(driver, 3, True))
    assert not is_rated(driver.state)


def test_nobody_wins_by_forfeit_while_an_opponent_may_come_back():
    driver = after_a_round()
    away(driver, 0, 2)
    driver.now += GONE_AFTER_MS - 1
    assert driver.refused(WrongPhase, 1, type="open_vote", kind="forfeit").params["reason"] == "vote_not_left"


def test_a_vote_on_a_forfeit_fails_when_an_opponent_is_back():
    driver = after_a_round()
    gone(driver, 0, 2)
    ask(driver, 1, "forfeit")
    outcome = driver.do(0, type="presence", presence="online")
    assert {event["data"]["passed"] for event in outcome.events if event["type"] == "vote_closed"} == {False}
    assert driver.state["status"] == "playing"


def test_a_partner_who_is_left_has_a_say_in_a_forfeit():
    driver = after_a_round()
    gone(driver, 0, 2)
    ask(driver, 1, "forfeit")
    answer(driver, 3, False)
    assert driver.state["status"] == "playing"


def test_nobody_wins_by_forfeit_before_a_round_is_finished():
    driver = at_play()
    gone(driver, 0, 2)
    assert driver.refused(WrongPhase, 1, type="open_vote", kind="forfeit").params["reason"] == "vote_not_left"


def test_nobody_wins_by_forfeit_against_ai_players():
    driver = Driver("shengji", 4, seed=5, ai=(0, 2))
    finished = {**driver.state["game"], "results": [{}]}
    driver.state = {**driver.state, "game": finished}
    assert driver.refused(WrongPhase, 1, type="open_vote", kind="forfeit").params["reason"] == "vote_not_left"


def test_nobody_wins_an_unrated_game_by_forfeit():
    driver = at_play(practice="monday")
    gone(driver, 0, 2)
    assert driver.refused(WrongPhase, 1, type="open_vote", kind="forfeit").params["reason"] == "vote_unrated"


def test_where_everybody_plays_alone_the_last_one_left_wins_by_forfeit():
    driver = Driver("finding_friends", 5, seed=5)
    driver.play_until(lambda state: state["game"]["results"] and state["decision"]["kind"] == "play")
    gone(driver, 0, 1, 2)
    assert driver.refused(WrongPhase, 3, type="open_vote", kind="forfeit").params["reason"] == "vote_not_left"
    driver.do(4, type="leave")
    assert "game_ended" in types(ask(driver, 3, "forfeit"))
    assert driver.state["game"]["winners"] == [3]


def test_one_side_alone_can_end_an_unrated_game():
    driver = at_play(practice="monday")
    gone(driver, 0, 2)
    ask(driver, 1, "end_early")
    assert "game_ended" in types(answer(driver, 3, True))


def test_the_host_cannot_close_a_table_without_the_players_who_were_replaced():
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


def test_an_open_vote_fails_on_timeout():
    driver = at_play(clock_settings={"play_ms": 600_000})
    ask(driver, 1, "abandon")
    assert types(driver.wait(VOTE_MS - 1)) == []
    assert types(driver.wait(1)) == ["vote_closed"]
    assert driver.state["vote"] is None


def test_a_player_who_has_lost_a_vote_must_wait_before_opening_another():
    driver = at_play(clock_settings={"play_ms": 600_000})
    ask(driver, 1, "abandon")
    answer(driver, 2, False)
    driver.now += COOL_DOWN_MS - 1_001
    refusal = driver.refused(WrongPhase, 1, type="open_vote", kind="end_early")
    assert (refusal.params["reason"], refusal.params["retry_after_s"]) == ("vote_too_soon", 2)
    assert types(ask(driver, 3, "abandon")) == ["vote_opened"]
    answer(driver, 2, False)
    driver.now += 1_500
    assert types(ask(driver, 1, "abandon")) == ["vote_opened"]


def test_invalid_votes_are_refused():
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


def test_without_a_game_there_are_no_votes():
    driver = Driver("shengji", 4, start=False)
    driver.do(0, type="sit", kind="bot", name="X")
    driver.refused(WrongPhase, 0, type="open_vote", kind="abandon")
