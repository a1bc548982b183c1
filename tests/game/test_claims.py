"""Claims of the remaining tricks: how they are checked and played out, and what a false one costs."""

import pytest

from harness.driver import Driver
from service.game.errors import WrongPhase
from service.game.events.evolve import evolve
from service.game.records import record, replay
from service.game.state.rules import rules_of
from tests.game.test_fold import Client

GAMES = [("shengji", 4), ("zhaopengyou", 6), ("sishifen", 4), ("tractor", 4), ("zhaopengyou_80", 4)]


def certain(state):
    """Whether the seat to lead is certain to win all remaining tricks, at least two."""
    decision = state["decision"]
    if not decision or decision["kind"] != "play" or state["round"]["trick"]:
        return False
    seat, hands = decision["seats"][0], state["round"]["hands"]
    others = hands[:seat] + hands[seat + 1 :]
    return sum(hands[seat]) > 1 and rules_of(state).certain_leads(hands[seat], others) is not None


def at_lead(ruleset="shengji", players=4, options=None, **more):
    driver = Driver(ruleset, players, options, seed=3, **{"claims": True, **more})
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    assert not certain(driver.state)
    return driver


def types(events):
    return [event["type"] for event in events]


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_a_correct_claim_is_played_out_scored_and_replayed(ruleset, players):
    for seed in range(50):
        driver = Driver(ruleset, players, seed=seed, claims=True)
        driver.play_until(lambda state: certain(state) or (state["round"] or {}).get("result"))
        if certain(driver.state):
            break
    before, seat = driver.state, driver.active_seat
    clients = [Client(before, f"p{each}", driver.now) for each in (seat, (seat + 1) % players)]
    held = [sum(hand) for hand in before["round"]["hands"]]
    events = driver.do(seat, type="claim").events
    assert types(events)[0] == "claimed"
    assert events[0]["data"] == {"seat": seat, "ok": True, "penalty": 0}
    plays = [event for event in events if event["type"] == "played"]
    assert {event["by"] for event in plays} == {"server"}
    played = [
        sum(len(play["data"]["cards"]) for play in plays if play["data"]["seat"] == each) for each in range(players)
    ]
    assert played == held
    assert {event["data"]["seat"] for event in events if event["type"] == "trick_won"} == {seat}
    assert driver.state["round"]["result"]["reason"] == "played"
    after_claim = evolve(before, events[0])
    assert after_claim["decision"] is None
    for client in clients:
        client.read(events[:1], after_claim, driver.now)
        client.catch_up(driver)
    assert replay.check(record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now))["ok"]


@pytest.mark.parametrize(
    ("options", "penalty", "levels"),
    [
        ({}, 0, None),
        ({"throw_penalty": "flat"}, 10, None),
        ({"throw_penalty": "per_card"}, 10, None),
        ({"throw_penalty_levels": True}, 0, 2),
        ({"throw_failure": "penalty_levels"}, 0, 2),
        ({"throw_failure": "end_round"}, 0, 2),
    ],
)
def test_a_false_claim_costs_what_a_failed_throw_costs_and_play_goes_on(options, penalty, levels):
    driver = at_lead(options=options)
    seat, seat_asked = driver.active_seat, driver.decision
    client = Client(driver.state, f"p{seat}", driver.now)
    (event,) = driver.do(seat, type="claim").events
    assert (event["data"]["ok"], event["data"]["penalty"], event["data"].get("levels")) == (False, penalty, levels)
    assert driver.decision == seat_asked
    client.catch_up(driver)
    assert driver.do(seat, type="claim").replay_of == event["tx"]
    driver.do(seat, **driver.choice(seat))
    for _ in driver.rounds(1):
        pass
    penalties = [{"seat": seat, "points": penalty}] if penalty else []
    assert driver.state["round"]["result"]["penalties"] == penalties
    written = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert [action["type"] for action in written["rounds"][0]["actions"]].count("claim") == 1
    assert replay.check(written)["ok"]
    if penalty:
        actions = written["rounds"][0]["actions"]
        written["rounds"][0]["actions"] = [action for action in actions if action["type"] != "claim"]
        assert not replay.check(written)["ok"]


def test_a_false_claim_reveals_nothing_but_that_it_is_false():
    """Its event does not depend on the hands of the others."""
    reveals = set()
    for seed in range(6):
        driver = Driver("zhaopengyou", 6, {"throw_penalty": "per_unit"}, seed=seed, claims=True)
        driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
        (event,) = driver.do(driver.active_seat, type="claim").events
        reveals.add(tuple((name, value) for name, value in event["data"].items() if name != "seat"))
    assert reveals == {(("ok", False), ("penalty", 10))}


def test_nobody_claims_in_arms_length():
    driver = Driver("arms_length", 4, claims=True)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    assert driver.refused(WrongPhase, driver.active_seat, type="claim").params["action"] == "claim"


def test_a_claim_that_is_not_allowed_is_refused_with_the_reason():
    driver = at_lead(claims=False)
    assert driver.refused(WrongPhase, driver.active_seat, type="claim").params["reason"] == "no_claims"
    driver = at_lead()
    seat = driver.active_seat
    driver.do(seat, type="claim")
    driver.play_until(
        lambda state: (
            state["decision"]["seats"] == [seat] and not state["round"]["trick"] and state["round"]["last_trick"]
        )
    )
    assert driver.refused(WrongPhase, seat, type="claim").params["reason"] == "claimed_already"
    driver.do(seat, **driver.choice(seat))
    assert driver.refused(WrongPhase, driver.active_seat, type="claim").params["reason"] == "claim_when_leading"
    driver = Driver("arms_length", 4, seed=3, claims=True)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    driver.refused(WrongPhase, driver.active_seat, type="claim")
