"""Refusals: the order of checks, and the data that the messages need."""

import json

import pytest

from harness.driver import Driver
from service.common.errors import (
    CardsNotHeld,
    IllegalCall,
    IllegalDeclaration,
    IllegalDiscard,
    IllegalPlay,
    InvalidRequest,
    RuleBroken,
)
from service.game.commands.decide import ACTIONS
from service.game.errors import (
    NotYourSeat,
    NotYourTurn,
    StaleDecision,
    WrongPhase,
)
from service.game.views import hints
from service.rules.cards import CARDS, names_of
from tests.game.scenes import bury, declare, play, stack

STRANGER = 99


def at(kind, ruleset="shengji", players=4, options=None, *, seed=5, **more):
    driver = Driver(ruleset, players, options, seed=seed, **more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == kind)
    return driver


def lobby(players=4, **more):
    return Driver("shengji", players, start=False, **more)


def not_held(driver, seat):
    """Return the name of a card that the seat does not hold."""
    return next(name for name, count in zip(CARDS, driver.hand(seat), strict=True) if not count)


# --- the order of checks (docs/contract.md) ----------------------------------------------------------------------

#: Each case fails one check more than the next one, and is refused for the first that it fails.
ORDER = [
    ("seat", NotYourSeat, {"who": "stranger", "type": "discard", "decision_id": "dc_1"}),
    ("phase", WrongPhase, {"who": "waiting", "type": "discard", "decision_id": "dc_1"}),
    ("decision", StaleDecision, {"who": "waiting", "type": "play", "decision_id": "dc_1"}),
    ("turn", NotYourTurn, {"who": "waiting", "type": "play"}),
    ("cards", CardsNotHeld, {"who": "asked", "type": "play"}),
]


@pytest.mark.parametrize(("check", "error", "command"), ORDER, ids=[case[0] for case in ORDER])
def test_checks_come_in_one_order(check, error, command):
    driver = at("play")
    seat = driver.active_seat
    waiting = (seat + 1) % 4
    who = {"stranger": STRANGER, "waiting": waiting, "asked": seat}[command["who"]]
    body = {name: value for name, value in command.items() if name != "who"}
    # Cards that nobody could play: not held by the seat that is asked, of several suits, and far too many.
    cards = [name for name in CARDS[:52] if not driver.hand(seat)[CARDS.index(name)]]
    driver.refused(error, who, **body, cards=cards)


def test_rules_are_checked_last():
    driver = at("play")
    two_suits = [
        next(kind for kind in range(at, at + 13) if driver.hand(driver.active_seat)[kind]) for at in (0, 13, 26, 39)
    ]
    refusal = driver.refused(IllegalPlay, driver.active_seat, type="play", cards=names_of(two_suits))
    assert refusal.rule == "one_suit"
    assert driver.do(driver.active_seat, type="play", cards=refusal.example).events[0]["type"] == "played"


@pytest.mark.parametrize(
    ("kind", "field", "error"),
    [
        ("declare", "cards", IllegalDeclaration),
        ("discard", "cards", IllegalDiscard),
        ("call", "calls", IllegalCall),
        ("play", "cards", IllegalPlay),
    ],
)
def test_a_broken_rule_is_refused_with_a_legal_example(kind, field, error):
    driver = at(kind, "finding_friends", 6)
    # Find a seat that can declare.
    while kind == "declare" and not hints.example(driver.state, driver.active_seat):
        driver.do(driver.active_seat, type="pass")
    refusal = driver.refused(error, driver.active_seat, type=kind, **{field: []})
    assert driver.do(driver.active_seat, type=kind, **{field: refusal.example}).events


def test_a_retry_is_answered_before_anything_else_is_checked():
    driver = at("discard")
    seat = driver.active_seat
    command = {**driver.choice(seat), "decision_id": driver.decision["id"]}
    done = driver.do(seat, **command)
    driver.play_until(lambda state: len(state["answers"][seat]) == 6)
    again = driver.do(seat, **{**command, "cards": list(reversed(command["cards"]))})
    assert again.events == []
    assert again.replay_of == done.events[0]["tx"]


def test_another_body_for_an_answered_decision_is_no_retry():
    driver = at("play")
    seat, decision = driver.active_seat, driver.decision["id"]
    command = driver.choice(seat)
    driver.do(seat, **command)
    driver.refused(StaleDecision, seat, **{**command, "units": [command["cards"]]}, decision_id=decision)


def test_another_seat_with_the_same_body_is_no_retry():
    driver = at("play")
    seat, decision = driver.active_seat, driver.decision["id"]
    command = driver.choice(seat)
    driver.do(seat, **command)
    driver.refused(StaleDecision, (seat + 1) % 4, **command, decision_id=decision)


# --- actions -----------------------------------------------------------------------------------------------------


def test_a_wrong_phase_says_what_the_table_waits_for():
    driver = at("discard")
    for action, kinds in ACTIONS.items():
        if "discard" not in kinds:
            refusal = driver.refused(WrongPhase, driver.active_seat, type=action, cards=[], calls=[], road="high")
            assert refusal.params == {"action": action, "expected": "discard"}


def test_before_the_game_every_action_is_out_of_phase():
    driver = lobby()
    driver.do(0, type="sit", kind="bot", name="A")
    for action in ACTIONS:
        refusal = driver.refused(WrongPhase, 0, type=action, decision_id="dc_1")
        assert refusal.params == {"action": action, "expected": None}


def test_the_refusal_of_a_stale_decision_contains_the_open_one():
    driver = at("play")
    refusal = driver.refused(StaleDecision, driver.active_seat, type="play", cards=[], decision_id="dc_2")
    assert refusal.params == {"decision_id": "dc_2", "open": driver.decision["id"]}
    assert refusal.decision["seats"] == [driver.active_seat]


def test_not_your_turn_says_whose_it_is():
    driver = at("play")
    refusal = driver.refused(NotYourTurn, (driver.active_seat + 2) % 4, type="play", cards=[])
    assert refusal.params == {"seats": [driver.active_seat]}


@pytest.mark.parametrize(
    ("kind", "action", "ruleset", "options"),
    [
        ("declare", "declare", "shengji", {}),
        ("defend", "declare", "zhaopengyou", {}),
        ("discard", "discard", "shengji", {}),
        ("overcall-kitty", "overcall_kitty", "shengji", {"chao_di": True}),
        ("play", "play", "shengji", {}),
        ("play", "play", "arms_length", {}),
    ],
)
def test_cards_that_are_not_held_are_named(kind, action, ruleset, options):
    driver = at(kind, ruleset, 5 if ruleset == "zhaopengyou" else 4, options)
    seat = driver.active_seat
    missing = not_held(driver, seat)
    refusal = driver.refused(CardsNotHeld, seat, type=action, cards=[missing, missing])
    assert refusal.params == {"missing": [missing, missing]}


def test_more_copies_than_held_are_not_held():
    driver = at("play")
    seat = driver.active_seat
    single = next(name for name, count in zip(CARDS, driver.hand(seat), strict=True) if count == 1)
    assert driver.refused(CardsNotHeld, seat, type="play", cards=[single, single]).params == {"missing": [single]}


def test_an_unknown_card_is_refused():
    driver = at("play")
    refusal = driver.refused(InvalidRequest, driver.active_seat, type="play", cards=["1S"])
    assert refusal.params == {"reason": "no_such_card", "card": "1S"}
    held = names_of([kind for kind, count in enumerate(driver.hand(driver.active_seat)) if count])[:1]
    refusal = driver.refused(InvalidRequest, driver.active_seat, type="play", cards=held, units=[["ZZ"]])
    assert refusal.params == {"reason": "no_such_card", "card": "ZZ"}


def broken(driver, rule, error, **command):
    refusal = driver.refused(error, driver.active_seat, **command)
    assert isinstance(refusal, RuleBroken)
    assert refusal.rule == rule
    json.dumps([refusal.required, refusal.example, dict(refusal.params)])
    return refusal


def test_a_discard_of_the_wrong_size_is_refused():
    driver = at("discard")
    hand = [kind for kind, count in enumerate(driver.hand(driver.active_seat)) for _ in range(count)]
    refusal = broken(driver, "kitty_size", IllegalDiscard, type="discard", cards=names_of(hand[:7]))
    assert refusal.required == {"cards": 8}
    assert refusal.params == {"given": 7}


def test_the_kitty_is_shown_only_if_the_option_allows_it():
    driver = at("discard")
    hand = [kind for kind, count in enumerate(driver.hand(driver.active_seat)) for _ in range(count)]
    broken(driver, "kitty_is_not_shown", IllegalDiscard, type="discard", cards=names_of(hand[:8]), reveal=True)


def test_a_misdeal_needs_a_hand_that_qualifies():
    driver = at("declare", options={"misdeal": {"points_below": 5}})
    assert broken(driver, "no_misdeal", IllegalDeclaration, type="redeal").required == {"points_below": 5}


def test_a_misdeal_cannot_be_claimed_before_all_cards_are_dealt():
    options = {"misdeal": {"points_below": 200}, "deal_pace": "timed"}
    driver = Driver("shengji", 4, options)
    driver.wait(2_000)
    broken(driver, "no_misdeal", IllegalDeclaration, type="redeal")


def test_a_seat_that_may_defend_cannot_overcall(monkeypatch):
    stack(monkeypatch, {0: "2S 2H 2H 2H", 1: "2C 2C"})
    driver = Driver("zhaopengyou", 8, {"self_overcall": True})
    while not driver.state["round"]["shown"]:
        if driver.active_seat == 0:
            driver.do(0, type="declare", cards=["2S"])
        else:
            driver.do(driver.active_seat, type="pass")
    driver.do(1, type="declare", cards=["2C", "2C"])
    assert driver.decision["kind"] == "defend"
    assert driver.active_seat == 0
    broken(driver, "only_defence_now", IllegalDeclaration, type="declare", cards=["2H", "2H", "2H"])


def test_calls_follow_the_rules_of_calling():
    driver = at("call", "zhaopengyou", 6)
    trump = driver.state["round"]["trump"]
    ace = {"card": "AS" if trump["suit"] != "S" else "AH", "ordinal": 1}
    for rule, calls in (
        ("number_of_calls", [ace]),
        ("call_no_trumps", [ace, {"card": "BJ", "ordinal": 1}]),
        ("call_ordinal", [ace, {**ace, "ordinal": 3}]),
        ("calls_distinct", [ace, ace]),
        ("no_other_copy", [ace, {"card": ace["card"], "other": True}]),
    ):
        broken(driver, rule, IllegalCall, type="call", calls=calls)


def test_an_unknown_road_is_refused():
    driver = at("road", "arms_length")
    refusal = driver.refused(InvalidRequest, 0, type="road", road="middle")
    assert refusal.params["reason"] == "no_such_road"


def test_a_road_cannot_be_stated_twice():
    driver = at("road", "arms_length")
    driver.do(0, type="road", road="high")
    driver.refused(NotYourTurn, 0, type="road", road="low")


def test_in_arms_length_more_than_one_card_is_refused():
    driver = at("play", "arms_length")
    hand = [kind for kind, count in enumerate(driver.hand(driver.active_seat)) if count]
    refusal = broken(driver, "card_count", IllegalPlay, type="play", cards=names_of(hand[:2]))
    assert refusal.required == {"cards": 1}
    broken(driver, "card_count", IllegalPlay, type="play", cards=[])


def test_overcalling_for_the_kitty_needs_a_pair():
    driver = at("overcall-kitty", options={"chao_di": True})
    single = next(name for name, count in zip(CARDS, driver.hand(driver.active_seat), strict=True) if count)
    broken(driver, "kitty_overcall_pair", IllegalDeclaration, type="overcall_kitty", cards=[single])


def test_an_illegal_follow_is_refused_with_a_legal_example(monkeypatch):
    stack(monkeypatch, {0: "2S AH", 1: "3H 4C"})
    driver = Driver("shengji", 4)
    declare(driver, 0, "2S")
    bury(driver)
    play(driver, "AH")
    refusal = broken(driver, "follow_suit", IllegalPlay, type="play", cards=["4C"])
    assert refusal.required["must_follow"] == "H"
    assert driver.do(1, type="play", cards=refusal.example).events
