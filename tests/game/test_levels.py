"""Levels after a round: who moves up, who stays, who declares next, and when the game is won."""

import pytest

from harness.driver import Driver
from service.game.commands.round import scoring
from service.game.views.view import LATEST_RESULTS, view
from service.rules.cards import counts_of, kinds_of
from service.rules.rounds.scoring import Score
from tests.game.scenes import bury, declare, last, stack, types


def play_round(driver, monkeypatch, side, levels):
    """Play a round that is scored like this, whatever the cards."""
    monkeypatch.setattr(scoring, "_score", lambda *_: Score(side, levels))
    number = driver.state["round"]["number"]
    driver.play_until(lambda state: state["round"]["number"] == number and state["round"]["phase"] == "scored")
    return last(driver, "round_scored")


def go_on(driver):
    """Have all get ready for the next round."""
    for seat in range(driver.state["players"]):
        driver.do(seat, type="ready")


def levels(driver):
    return [seat["level"] for seat in driver.state["seats"]]


def declarers(driver):
    return [seat for seat, side in enumerate(last(driver, "round_scored")["sides"]) if side == "declarers"]


def rounds(driver, monkeypatch, *scores):
    for at, (side, gained) in enumerate(scores):
        if at:
            go_on(driver)
        play_round(driver, monkeypatch, side, gained)


def test_both_partners_move_up_together(monkeypatch):
    driver = Driver("shengji", 4)
    rounds(driver, monkeypatch, ("declarers", 2))
    side = driver.state["round"]["declarer"] % 2
    assert levels(driver) == ["4" if seat % 2 == side else "2" for seat in range(4)]
    changed = last(driver, "levels_changed")["seats"]
    assert [(each["seat"], each["from"], each["to"]) for each in changed] == [(side, "2", "4"), (side + 2, "2", "4")]


def test_friends_move_up_from_their_own_levels(monkeypatch):
    driver = Driver("zhaopengyou", 6, seed=3)
    rounds(driver, monkeypatch, ("declarers", 1), ("attackers", 2))
    seats = driver.state["seats"]
    assert sorted({seat["level"] for seat in seats}) != ["2"]
    scored = [event["data"] for event in driver.log if event["type"] == "round_scored"]
    for seat, level in enumerate(levels(driver)):
        gained = sum(each["levels"] for each in scored if each["sides"][seat] == each["side"])
        assert level == "23456789"[gained]


def test_without_a_gain_no_level_changes(monkeypatch):
    driver = Driver("zhaopengyou", 5)
    before = len(driver.log)
    rounds(driver, monkeypatch, (None, 0))
    assert "levels_changed" not in {event["type"] for event in driver.log[before:]}
    assert levels(driver) == ["2"] * 5


def test_attackers_who_gain_no_level_only_become_declarers(monkeypatch):
    driver = Driver("shengji", 4)
    rounds(driver, monkeypatch, ("attackers", 0))
    declarer = last(driver, "trump_fixed")["declarer"]
    assert levels(driver) == ["2"] * 4
    assert driver.state["game"]["declarer"] == (declarer + 1) % 4


def test_a_must_play_level_is_not_passed_by_attackers(monkeypatch):
    driver = Driver("shengji", 4, {"must_play": ["5"], "start_level": "3"})
    rounds(driver, monkeypatch, ("attackers", 4))
    assert sorted(levels(driver)) == ["3", "3", "5", "5"]
    go_on(driver)
    play_round(driver, monkeypatch, "declarers", 2)
    assert sorted(levels(driver)) == ["3", "3", "7", "7"]


def test_one_attempt_at_a_must_play_level_may_be_enough(monkeypatch):
    for enough, level in ((False, "5"), (True, "8")):
        options = {"must_play": ["5"], "start_level": "5", "must_play_attempt_enough": enough}
        driver = Driver("shengji", 4, options)
        rounds(driver, monkeypatch, ("attackers", 1))
        tried = [seat["attempted"] for seat in driver.state["seats"]]
        side = last(driver, "trump_fixed")["declarer"] % 2
        assert tried == [["5"] if seat % 2 == side else [] for seat in range(4)]
        # In the next round, this side wins as attackers.
        go_on(driver)
        play_round(driver, monkeypatch, "attackers", 3)
        assert levels(driver)[side] == level


def test_attackers_do_not_win_the_game_at_the_ace(monkeypatch):
    driver = Driver("shengji", 4, {"start_level": "A"})
    rounds(driver, monkeypatch, ("attackers", 5))
    assert driver.state["status"] == "playing"
    assert levels(driver) == ["A"] * 4
    go_on(driver)
    play_round(driver, monkeypatch, "declarers", 1)
    assert driver.state["status"] == "finished"
    winners = declarers(driver)
    assert driver.state["game"]["winners"] == winners
    assert last(driver, "game_ended") == {"winners": winners, "reason": "passed_last_level"}


def test_in_zhaopengyou_attackers_can_also_pass_the_ace_and_win(monkeypatch):
    driver = Driver("zhaopengyou", 5, {"start_level": "A"})
    rounds(driver, monkeypatch, ("attackers", 1))
    attackers = [seat for seat in range(5) if seat not in declarers(driver)]
    assert driver.state["game"]["winners"] == attackers


def test_a_game_that_is_won_ends_without_a_decision(monkeypatch):
    driver = Driver("shengji", 4, {"start_level": "A"})
    rounds(driver, monkeypatch, ("declarers", 1))
    assert [event["type"] for event in driver.log[-4:]] == [
        "round_scored",
        "levels_changed",
        "round_ended",
        "game_ended",
    ]
    assert driver.state["decision"] is None


def test_the_no_trump_level_follows_the_ace_and_wins_the_game(monkeypatch):
    driver = Driver("tractor", 4, {"start_level": "A"})
    rounds(driver, monkeypatch, ("declarers", 1))
    assert sorted(levels(driver)) == ["A", "A", "NT", "NT"]
    go_on(driver)
    play_round(driver, monkeypatch, "declarers", 1)
    assert last(driver, "trump_fixed")["trump"] == {"rank": None, "suit": None}
    assert driver.state["status"] == "finished"


def test_with_laps_the_game_goes_on_past_the_joker_level(monkeypatch):
    driver = Driver("shengji", 4, {"laps": True, "start_level": "A"})
    rounds(driver, monkeypatch, ("declarers", 1))
    assert sorted(levels(driver)) == ["A", "A", "joker", "joker"]
    go_on(driver)
    play_round(driver, monkeypatch, "declarers", 1)
    assert last(driver, "trump_fixed")["how"] == "level"
    assert sorted(levels(driver)) == ["2+", "2+", "A", "A"]
    go_on(driver)
    play_round(driver, monkeypatch, "declarers", 1)
    assert last(driver, "trump_fixed")["trump"]["rank"] == "2"
    assert driver.state["status"] == "playing"


def test_with_short_laps_the_second_lap_begins_at_ten(monkeypatch):
    driver = Driver("shengji", 4, {"laps": True, "short_laps": True, "start_level": "joker"})
    rounds(driver, monkeypatch, ("declarers", 2))
    assert sorted(set(levels(driver))) == ["J+", "joker"]


def test_active_and_passive_players_gain_differently(monkeypatch):
    driver = Driver("zhaopengyou", 5, {"active_passive": True}, seed=3)
    rounds(driver, monkeypatch, ("attackers", 2))
    winners = {seat for seat in range(5) if seat not in declarers(driver)}
    assert [seat["active"] for seat in driver.state["seats"]] == [seat in winners for seat in range(5)]
    assert levels(driver) == ["4" if seat in winners else "2" for seat in range(5)]
    go_on(driver)
    driver.play_until(lambda state: state["round"]["trump"])
    before, active = levels(driver), [seat["active"] for seat in driver.state["seats"]]
    assert False in active, "nobody declared, and all became active"
    play_round(driver, monkeypatch, "attackers", 1)
    gained = {seat for seat in range(5) if seat not in declarers(driver)}
    for seat in gained:
        # The first level that a passive player gains only makes the player active.
        expected = before[seat] if not active[seat] else "23456"["23456".index(before[seat]) + 1]
        assert levels(driver)[seat] == expected


def test_a_round_without_gain_makes_nobody_passive(monkeypatch):
    driver = Driver("zhaopengyou", 5, {"active_passive": True})
    rounds(driver, monkeypatch, (None, 0))
    assert [seat["active"] for seat in driver.state["seats"]] == [True] * 5


# --- hooks -------------------------------------------------------------------------------------------------------


def last_trick(monkeypatch, cards, points, trump="S", level="J", hooks=None):
    """Play a last trick of these cards at this level; seat 0 is declarer, and the attackers have these points."""
    stack(monkeypatch, {0: level + trump})
    driver = Driver("shengji", 4, {"start_level": level, "hooks": hooks or {"J": "2", "Q": "6"}})
    declare(driver, 0, level + trump)
    bury(driver)
    table_round = driver.state["round"]
    hands = [counts_of(kinds_of(hand.split())) for hand in cards]
    changed = {**table_round, "hands": hands, "points": [0, points, 0, 0], "discard": kinds_of(["3D"])}
    driver.state = {**driver.state, "round": changed}
    for hand in cards:
        driver.do(driver.active_seat, type="play", cards=hand.split())
    return driver


def test_a_jack_of_trumps_that_wins_the_last_trick_hooks_the_declarers(monkeypatch):
    driver = last_trick(monkeypatch, ["AS", "JS", "3S", "4S"], 120)
    assert levels(driver) == ["2", "Q", "2", "Q"]


@pytest.mark.parametrize(
    ("cards", "points", "why"),
    [
        (["AS", "JH", "3S", "4S"], 120, "the jack is of another suit"),
        (["AS", "JS", "3S", "4S"], 60, "the declarers have won the round"),
        (["JS", "3S", "AS", "4S"], 120, "the declarers have won the trick"),
        (["AS", "BJ", "3S", "4S"], 120, "no jack has won it"),
    ],
)
def test_in_other_cases_nobody_is_hooked(monkeypatch, cards, points, why):
    driver = last_trick(monkeypatch, cards, points)
    assert levels(driver)[0] != "2", why


def test_a_jack_that_is_only_a_kicker_does_not_hook(monkeypatch):
    # A pair and a single are thrown: the pair decides, and the jack is only the single.
    driver = last_trick(monkeypatch, ["AH AH KH", "KS KS JS", "3H 4H 5D", "6H 7H 8D"], 120)
    assert last(driver, "trick_won")["seat"] == 1
    assert levels(driver)[0] == "J"
    driver = last_trick(monkeypatch, ["AH AH KH", "JS JS KS", "3H 4H 5D", "6H 7H 8D"], 120)
    assert levels(driver)[0] == "2"


def test_a_queen_hooks_declarers_back_to_six(monkeypatch):
    driver = last_trick(monkeypatch, ["AS", "QS", "3S", "4S"], 120, level="Q")
    assert levels(driver)[0] == "6"


# --- the next declarer and starter ---------------------------------------------------------------------------------


def test_when_declarers_win_the_next_player_of_their_team_follows(monkeypatch):
    for ruleset, players, step in (("shengji", 4, 2), ("shengji_six", 6, 2), ("tractor", 4, 2), ("sishifen", 4, 2)):
        driver = Driver(ruleset, players)
        rounds(driver, monkeypatch, ("declarers", 1))
        declarer = driver.state["round"]["declarer"]
        follows = (declarer + step) % players
        assert last(driver, "round_ended")["next"] == {"declarer": follows, "starter": follows}


def test_the_next_starter_in_games_with_friends(monkeypatch):
    driver = Driver("zhaopengyou", 5)
    rounds(driver, monkeypatch, ("attackers", 1))
    declarer = driver.state["round"]["declarer"]
    assert last(driver, "round_ended")["next"] == {"declarer": None, "starter": declarer}
    driver = Driver("zhaopengyou_80", 4)
    rounds(driver, monkeypatch, ("attackers", 1))
    declarer, own = driver.state["round"]["declarer"], declarers(driver)
    first = next(seat % 4 for seat in range(declarer + 1, declarer + 5) if seat % 4 not in own)
    assert last(driver, "round_ended")["next"] == {"declarer": None, "starter": first}
    driver = Driver("finding_friends", 5)
    rounds(driver, monkeypatch, ("attackers", 1))
    declarer, own = driver.state["round"]["declarer"], declarers(driver)
    first = next(seat % 5 for seat in range(declarer + 1, declarer + 6) if seat % 5 not in own)
    assert last(driver, "round_ended")["next"] == {"declarer": first, "starter": first}
    go_on(driver)
    assert driver.state["round"]["level"] == levels(driver)[first]


def test_with_pass_right_the_first_draw_passes_on(monkeypatch):
    driver = Driver("zhaopengyou", 5, {"first_draw": "pass_right"})
    starter = driver.state["round"]["starter"]
    rounds(driver, monkeypatch, ("attackers", 1))
    go_on(driver)
    assert driver.state["round"]["starter"] == (starter + 1) % 5


def test_a_round_is_at_the_level_of_the_declarer_whoever_draws_first(monkeypatch):
    for seed in range(20):
        driver = Driver("finding_friends", 5, {"first_draw": "pass_right"}, seed=seed)
        rounds(driver, monkeypatch, ("declarers", 3))
        go_on(driver)
        opened = last(driver, "round_opened")
        if levels(driver)[opened["declarer"]] != levels(driver)[opened["starter"]]:
            assert opened["level"] == "5"
            return
    pytest.fail("the same level everywhere")


def test_results_of_rounds_are_kept_in_order(monkeypatch):
    driver = Driver("shengji", 4)
    rounds(driver, monkeypatch, ("declarers", 1), ("attackers", 0), ("declarers", 3))
    results = driver.state["game"]["results"]
    assert [(each["round"], each["side"], each["levels"]) for each in results] == [
        (1, "declarers", 1),
        (2, "attackers", 0),
        (3, "declarers", 3),
    ]
    assert types(driver.do(0, type="ready")) == ["seat_ready"]


def test_a_view_shows_the_results_of_the_latest_rounds(monkeypatch):
    driver = Driver("shengji", 4)
    rounds(driver, monkeypatch, *[("declarers", 1)] * (LATEST_RESULTS + 1))
    table_view = view(driver.state, 0, 0)["game"]["results"]
    assert [each["round"] for each in table_view] == list(range(2, LATEST_RESULTS + 2))
