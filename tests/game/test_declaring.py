"""Declaring: who is asked in which order, with which cards, and what follows when nobody declares."""

import pytest

from harness.driver import Driver
from service.common.errors import IllegalDeclaration
from service.game.errors import WrongPhase
from service.game.views.hints import hints
from service.game.views.view import view
from service.rules.cards import KIND, kinds_in, names_of
from tests.game.scenes import ask_until, declare, last, show, stack, timed, types

INTERVAL = 400


def dealt(driver):
    return driver.state["round"]["deal"]["count"]


# --- an instant deal asks in turn ------------------------------------------------------------------------------------


def test_seats_are_asked_in_turn_from_the_starter():
    driver = Driver("zhaopengyou", 5, seed=8)
    starter = driver.state["round"]["starter"]
    seats_asked = []
    while driver.decision["kind"] == "declare" and len(seats_asked) < 5:
        seats_asked.append(driver.active_seat)
        driver.do(driver.active_seat, type="pass")
    assert seats_asked == [(starter + step) % 5 for step in range(5)]


def test_after_a_declaration_all_others_are_asked_again_from_the_next_seat(monkeypatch):
    stack(monkeypatch, {2: "2S"})
    driver = Driver("shengji", 4)
    ask_until(driver, 2)
    show(driver, 2, "2S")
    seats_asked = []
    while driver.decision["kind"] == "declare":
        seats_asked.append(driver.active_seat)
        driver.do(driver.active_seat, type="pass")
    assert seats_asked == [3, 0, 1]


def test_the_overcalled_seat_may_defend_before_others_are_asked(monkeypatch):
    stack(monkeypatch, {2: "2S 2S", 3: "2H 2H"})
    driver = Driver("zhaopengyou", 5, {"decks": 3})
    ask_until(driver, 2)
    show(driver, 2, "2S")
    show(driver, 3, "2H", "2H")
    assert (driver.decision["kind"], driver.active_seat) == ("defend", 2)
    driver.do(2, type="pass")
    assert (driver.decision["kind"], driver.active_seat) == ("declare", 4)
    assert driver.state["round"]["passes"] == [3]
    declare(driver)
    assert driver.state["round"]["declarer"] == 3


def test_hints_of_a_defence_are_defences_alone(monkeypatch):
    stack(monkeypatch, {0: "2S 2S 2H 2H 2H", 1: "2C 2C"})
    driver = Driver("zhaopengyou", 8, {"self_overcall": True})
    ask_until(driver, 0)
    show(driver, 0, "2S")
    show(driver, 1, "2C", "2C")
    assert hints(driver.state, 0) == {"possible": [["2S", "2S"]], "redeal": False}


def test_without_defence_an_overcall_stands(monkeypatch):
    stack(monkeypatch, {2: "2S 2S", 3: "2H 2H"})
    driver = Driver("zhaopengyou", 5, {"defence": "none", "decks": 3})
    ask_until(driver, 2)
    show(driver, 2, "2S")
    show(driver, 3, "2H", "2H")
    assert (driver.decision["kind"], driver.active_seat) == ("declare", 4)


def test_a_trump_maker_may_reinforce_when_asked_again(monkeypatch):
    stack(monkeypatch, {0: "2S 2S", 1: "2H 2H"})
    driver = timed()
    driver.wait(25 * INTERVAL)
    show(driver, 0, "2S")
    show(driver, 0, "2S", "2S")
    assert driver.state["round"]["shown"][-1]["as"] == "reinforce"
    driver.refused(IllegalDeclaration, 1, type="declare", cards=["2H", "2H"])


def test_declared_jokers_leave_no_trump_suit(monkeypatch):
    stack(monkeypatch, {1: "2S 2S", 3: "BJ BJ"})
    driver = Driver("shengji", 4)
    ask_until(driver, 1)
    show(driver, 1, "2S", "2S")
    ask_until(driver, 3)
    show(driver, 3, "BJ", "BJ")
    declare(driver)
    assert driver.state["round"]["trump"] == {"rank": "2", "suit": None}
    assert driver.state["round"]["declarer"] == 3


def test_with_first_declarer_the_first_to_show_becomes_declarer_whoever_makes_trumps(monkeypatch):
    stack(monkeypatch, {0: "2S", 1: "2H 2H"})
    driver = Driver("tractor", 4)
    ask_until(driver, 0)
    show(driver, 0, "2S")
    show(driver, 1, "2H", "2H")
    declare(driver)
    assert driver.state["round"]["trump"]["suit"] == "H"
    assert driver.state["round"]["declarer"] == 0


# --- nobody declares -------------------------------------------------------------------------------------------------


def pass_all(driver):
    outcome = None
    while driver.decision["kind"] == "declare":
        outcome = driver.do(driver.active_seat, type="pass")
        if outcome.events[-1]["type"] != "decision_opened" or len(outcome.events) > 2:
            break
    return outcome


def test_with_redeal_the_cards_are_reshuffled_and_the_same_player_starts():
    driver = Driver("zhaopengyou", 5, seed=8)
    before = driver.state["round"]
    outcome = pass_all(driver)
    assert types(outcome) == ["passed", "declaration_closed", "redealt", "dealt", "decision_opened"]
    after = driver.state["round"]
    assert after["starter"] == before["starter"]
    assert after["number"] == before["number"] == 1
    assert after["deal"]["attempt"] == 1
    assert after["hands"] != before["hands"]
    assert driver.active_seat == before["starter"]


def test_a_timed_redeal_deals_from_the_beginning():
    driver = timed("zhaopengyou", 5)
    driver.wait(20 * INTERVAL)
    outcome = driver.wait(8_000 + 1_500)
    assert types(outcome) == ["declaration_closed", "redealt", "decision_opened"]
    assert dealt(driver) == 0
    assert driver.decision["deadline"] == driver.now + 20 * INTERVAL + 8_000
    driver.wait(INTERVAL)
    assert dealt(driver) == 5


def test_with_flip_kitty_cards_are_turned_until_one_has_the_rank(monkeypatch):
    stack(monkeypatch, {}, kitty="AS 9H 2D 2C")
    driver = Driver("shengji", 4)
    outcome = pass_all(driver)
    assert types(outcome)[1:4] == ["declaration_closed", "kitty_flipped", "trump_fixed"]
    assert last(driver, "kitty_flipped") == {"cards": [KIND["AS"], KIND["9H"], KIND["2D"]], "suit": "D"}
    assert driver.state["round"]["trump"] == {"rank": "2", "suit": "D"}
    assert driver.state["round"]["declarer"] == driver.state["round"]["starter"]


def test_with_flip_kitty_and_no_card_of_the_rank_the_highest_decides(monkeypatch):
    stack(monkeypatch, {}, kitty="3S 9H KD KC 4S 5S BJ 6S")
    driver = Driver("shengji", 4)
    pass_all(driver)
    assert len(last(driver, "kitty_flipped")["cards"]) == 8
    assert driver.state["round"]["trump"]["suit"] == "D"


def test_with_a_kitty_of_jokers_there_is_no_trump_suit(monkeypatch):
    stack(monkeypatch, {}, kitty="BJ BJ BJ LJ LJ LJ")
    driver = Driver("finding_friends", 6)
    pass_all(driver)
    assert driver.state["round"]["trump"] == {"rank": "2", "suit": None}


def test_with_random_suit_the_suit_follows_from_the_seed():
    driver = Driver("tractor", 4, seed=8)
    pass_all(driver)
    fixed = last(driver, "trump_fixed")
    assert fixed["how"] == "random"
    assert fixed["trump"]["rank"] == "2"
    again = Driver("tractor", 4, seed=8)
    pass_all(again)
    assert last(again, "trump_fixed") == fixed


# --- misdeals --------------------------------------------------------------------------------------------------------

NO_POINTS = "3S 3H 3D 3C 4S 4H 4D 4C 6S 6H 6D 6C 7S 7H 7D 7C 8S 8H 8D 8C 9S 9H 9D 9C JS"


@pytest.mark.parametrize(("who", "starter"), [("caller", 2), ("same", None)])
def test_after_a_misdeal_the_option_says_who_starts(monkeypatch, who, starter):
    stack(monkeypatch, {2: NO_POINTS})
    driver = Driver("zhaopengyou_80", 4, {"misdeal_starter": who})
    before = driver.state["round"]
    ask_until(driver, 2)
    outcome = driver.do(2, type="redeal")
    assert types(outcome) == ["redealt", "dealt", "decision_opened"]
    claimed = last(driver, "redealt")
    assert (claimed["reason"], claimed["seat"]) == ("misdeal", 2)
    assert sorted(names_of(claimed["hand"])) == sorted(NO_POINTS.split())
    assert driver.state["round"]["starter"] == (before["starter"] if starter is None else starter)
    assert driver.state["round"]["shown"] == []
    assert driver.state["round"]["deal"]["attempt"] == 1


def test_anybody_may_claim_a_misdeal_while_the_window_is_open(monkeypatch):
    stack(monkeypatch, {2: NO_POINTS, 1: "2S"})
    driver = timed("zhaopengyou_80", 4)
    driver.wait(25 * INTERVAL)
    show(driver, 1, "2S")
    assert types(driver.do(2, type="redeal")) == ["redealt", "decision_opened"]
    assert dealt(driver) == 0


@pytest.mark.parametrize("red_fives", [False, True])
def test_hands_are_sorted_in_a_new_deal_as_in_the_first(monkeypatch, red_fives):
    stack(monkeypatch, {2: NO_POINTS, 1: "2S"})
    driver = timed("zhaopengyou_80", 4, {"red_fives": red_fives})
    driver.wait(25 * INTERVAL)
    before = view(driver.state, 2, driver.now)["my"]["sorted_by"]
    driver.do(2, type="redeal")
    assert last(driver, "redealt").get("red_fives", False) == red_fives
    assert view(driver.state, 2, driver.now)["my"]["sorted_by"] == before
    assert before.get("red_fives", False) == red_fives


def test_a_misdeal_cannot_be_claimed_once_the_kitty_is_taken(monkeypatch):
    stack(monkeypatch, {2: NO_POINTS, 1: "2S"})
    driver = Driver("zhaopengyou_80", 4)
    declare(driver, 1, "2S")
    driver.refused(WrongPhase, 2, type="redeal")


def test_a_hand_without_trumps_can_be_claimed_only_once_there_is_a_declaration(monkeypatch):
    hand = "3H 3D 3C 4H 4D 4C 5H 5D 5C 6H 6D 6C 7H 7D 7C 8H 8D 8C 9H 9D 9C TH TD TC JH"
    stack(monkeypatch, {1: "2S", 2: hand})
    driver = timed("shengji", 4, {"misdeal": {"no_trumps": True}})
    driver.wait(25 * INTERVAL)
    assert not hints(driver.state, 2)["redeal"]
    driver.refused(IllegalDeclaration, 2, type="redeal")
    show(driver, 1, "2S")
    assert [seat for seat in range(4) if hints(driver.state, seat)["redeal"]] == [2]
    assert types(driver.do(2, type="redeal"))[0] == "redealt"


# --- levels without a trump rank -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("tractor", 4, {"start_level": "NT"}),
        ("shengji", 4, {"laps": True, "start_level": "joker"}),
        ("zhaopengyou", 5, {"laps": True, "start_level": "joker"}),
        ("zhaopengyou", 5, {"laps": True, "start_level": "joker", "no_declaration": "flip_kitty"}),
        ("zhaopengyou", 5, {"laps": True, "start_level": "joker", "deal_pace": "timed"}),
    ],
)
def test_at_a_level_without_a_rank_only_jokers_are_trumps_and_nobody_is_asked(ruleset, players, options):
    driver = Driver(ruleset, players, options)
    driver.wait(20 * INTERVAL)
    fixed = last(driver, "trump_fixed")
    assert fixed["how"] == "level"
    assert fixed["trump"] == {"rank": None, "suit": None}
    assert driver.decision["kind"] == "discard"
    assert fixed["declarer"] == driver.state["round"]["starter"]
    assert len(list(driver.rounds(1))) == 1


def test_a_misdeal_can_be_claimed_at_a_level_without_a_rank(monkeypatch):
    stack(monkeypatch, {2: NO_POINTS})
    driver = Driver("tractor", 4, {"start_level": "NT", "misdeal": {"no_points": True}})
    ask_until(driver, 2)
    assert types(driver.do(2, type="redeal"))[0] == "redealt"
    declare(driver)
    assert driver.state["round"]["trump"] == {"rank": None, "suit": None}


def test_at_a_level_without_a_rank_a_hand_without_jokers_has_no_trumps(monkeypatch):
    stack(monkeypatch, {1: "LJ", 2: NO_POINTS})
    driver = Driver("tractor", 4, {"start_level": "NT", "misdeal": {"no_trumps": True}})
    ask_until(driver, 1)
    driver.refused(IllegalDeclaration, 1, type="redeal")
    ask_until(driver, 2)
    assert types(driver.do(2, type="redeal"))[0] == "redealt"


def test_a_starter_at_the_joker_level_plays_with_only_jokers_as_trumps_if_nobody_declares():
    options = {"laps": True, "no_declaration": "flip_kitty"}
    driver = Driver("zhaopengyou", 5, options, start=False)
    for seat in range(5):
        driver.do(seat, type="sit", kind="bot", name="X", seat=seat)
    for seat in range(4):
        driver.do(seat, type="ready")
    # No game starts at different levels, so set that of the starter by hand.
    plain = dict(driver.state)
    driver.do(4, type="ready")
    starter = driver.state["round"]["starter"]
    seats = [
        {**seat, "level": "joker" if number == starter else "2"} for number, seat in enumerate(driver.state["seats"])
    ]
    driver.state = {**driver.state, "seats": seats}
    assert plain["status"] == "lobby"
    pass_all(driver)
    assert driver.state["round"]["trump"] == {"rank": None, "suit": None}
    assert driver.state["round"]["declarer"] == starter


# --- who may declare, with what --------------------------------------------------------------------------------------


def at_levels(driver, *levels, active=None):
    """Set the levels of the seats by hand, before anybody has declared."""
    seats = [
        {**seat, "level": level, "active": active is None or number in active}
        for number, (seat, level) in enumerate(zip(driver.state["seats"], levels, strict=True))
    ]
    driver.state = {**driver.state, "seats": seats}


def test_players_declare_with_their_own_levels(monkeypatch):
    stack(monkeypatch, {0: "4C", 1: "3S 3S", 2: "6H 6H"})
    driver = Driver("zhaopengyou", 5)
    at_levels(driver, "4", "3", "6", "2", "2")
    ask_until(driver, 0)
    driver.refused(IllegalDeclaration, 0, type="declare", cards=names_of(kinds_in(driver.hand(0)))[:1])
    show(driver, 0, "4C")
    show(driver, 1, "3S", "3S")
    driver.do(0, type="pass")
    declare(driver)
    assert driver.state["round"]["trump"] == {"rank": "3", "suit": "S"}


def test_passive_players_cannot_declare(monkeypatch):
    stack(monkeypatch, {0: "2C", 1: "2S"})
    driver = Driver("zhaopengyou", 5, {"active_passive": True})
    at_levels(driver, *"22222", active={1})
    ask_until(driver, 0)
    driver.refused(IllegalDeclaration, 0, type="declare", cards=["2C"])
    ask_until(driver, 1)
    assert "declared" in show(driver, 1, "2S")


def test_when_nobody_makes_trumps_all_become_active():
    driver = Driver("zhaopengyou", 5, {"active_passive": True})
    at_levels(driver, *"22222", active={1})
    outcome = pass_all(driver)
    assert "redealt" in types(outcome)
    assert [seat["active"] for seat in driver.state["seats"]] == [True] * 5


@pytest.mark.parametrize(("how", "rank"), [("no_trump", "2"), ("redeal", None)])
def test_if_active_players_have_no_rank_the_passive_starter_plays_at_its_own_level_or_a_redeal_follows(how, rank):
    options = {"active_passive": True, "last_level": "NT", "no_declaration": how, "misdeal": {"no_points": True}}
    driver = Driver("zhaopengyou", 5, options)
    starter = driver.state["round"]["starter"]
    at_levels(driver, *("NT" if seat != starter else "2" for seat in range(5)), active=set(range(5)) - {starter})
    for _ in range(5):
        driver.do(driver.active_seat, type="pass")
    if rank is None:
        # After the redeal all are active, and the starter can declare.
        assert driver.state["round"]["deal"]["attempt"] == 1
        assert all(seat["active"] for seat in driver.state["seats"])
    else:
        fixed = last(driver, "trump_fixed")
        assert (fixed["declarer"], fixed["trump"]) == (starter, {"rank": rank, "suit": None})


def test_a_misdeal_makes_nobody_active(monkeypatch):
    stack(monkeypatch, {1: NO_POINTS[: 3 * 20 - 1]})
    driver = Driver("zhaopengyou", 5, {"active_passive": True, "misdeal": {"no_points": True}})
    at_levels(driver, *"22222", active={1})
    ask_until(driver, 1)
    driver.do(1, type="redeal")
    assert [seat["active"] for seat in driver.state["seats"]] == [False, True, False, False, False]


def test_with_any_active_level_a_card_of_another_players_level_makes_that_player_declarer(monkeypatch):
    stack(monkeypatch, {0: "6C"})
    driver = Driver("zhaopengyou", 5, {"active_passive": True, "declare_rank": "any_active_level"})
    at_levels(driver, "4", "3", "6", "6", "2", active={0, 2, 3})
    ask_until(driver, 0)
    show(driver, 0, "6C")
    declare(driver)
    assert driver.state["round"]["trump"] == {"rank": "6", "suit": "C"}
    assert driver.state["round"]["declarer"] == 2


def test_with_a_predetermined_declarer_anybody_may_set_the_suit_with_their_rank(monkeypatch):
    driver = Driver("zhaopengyou", 5, {"predetermined_declarer": True}, seed=2)
    for _ in driver.rounds(1):
        pass
    declarer = driver.state["game"]["declarer"]
    assert declarer is not None
    level = driver.state["seats"][declarer]["level"]
    other = (declarer + 1) % 5
    stack(monkeypatch, {other: f"{level}S"})
    for seat in range(5):
        driver.do(seat, type="ready")
    ask_until(driver, other)
    show(driver, other, f"{level}S")
    declare(driver)
    assert driver.state["round"]["declarer"] == declarer
    assert driver.state["round"]["trump"] == {"rank": level, "suit": "S"}
    assert driver.state["round"]["kitty_seat"] == declarer


def test_the_next_round_has_the_declarer_that_the_last_result_named(monkeypatch):
    driver = Driver("shengji", 4, seed=2)
    for _ in driver.rounds(1):
        pass
    following = last(driver, "round_ended")["next"]
    for seat in range(4):
        driver.do(seat, type="ready")
    assert driver.state["round"]["declarer"] == following["declarer"]
    assert driver.state["round"]["starter"] == following["starter"]
    driver.play_until(lambda state: state["decision"]["kind"] == "discard")
    assert driver.active_seat == following["declarer"]
