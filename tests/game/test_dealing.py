"""The deal: a timed deal is a function of the clock, and a defence suspends it."""

import pytest

from harness.driver import Driver
from service.common.errors import CardsNotHeld, IllegalDeclaration
from service.game.commands.decide import catch_up
from service.game.commands.round.declaring import HURRIED_MS
from service.game.errors import NotYourTurn, StaleDecision
from service.game.records import record, replay
from service.game.state import clock
from service.rules.cards import kinds_in
from tests.game.scenes import last, show, stack, timed, types

INTERVAL = 400


def dealt(driver):
    return driver.state["round"]["deal"]["count"]


# --- the deal as a function of the clock -----------------------------------------------------------------------------


@pytest.mark.parametrize("elapsed", [0, 1, 399, 400, 401, 799, 800, 4_321, 9_999, 10_000, 60_000])
def test_each_interval_deals_one_circle_of_cards(elapsed):
    driver = timed()
    driver.wait(elapsed)
    assert dealt(driver) == 4 * min(25, elapsed // INTERVAL)
    assert [sum(hand) for hand in driver.state["round"]["hands"]] == [dealt(driver) // 4] * 4


def test_the_deal_does_not_depend_on_how_often_it_is_looked_at():
    often, seldom = timed(seed=3), timed(seed=3)
    for step in (100, 300, 1, 399, 250, 250, 250, 250, 999, 1, 1_000):
        often.wait(step)
    seldom.wait(sum((100, 300, 1, 399, 250, 250, 250, 250, 999, 1, 1_000)))
    ignored = {"version"}
    assert {name: value for name, value in often.state.items() if name not in ignored} == {
        name: value for name, value in seldom.state.items() if name not in ignored
    }


def test_cards_are_dealt_in_turn_from_the_starter():
    driver = timed(seed=4)
    starter, deck = driver.state["round"]["starter"], driver.state["round"]["deck"]
    driver.wait(2 * INTERVAL)
    for step in range(4):
        seat = (starter + step) % 4
        assert kinds_in(driver.hand(seat)) == sorted([deck[step], deck[step + 4]])


def test_a_late_look_deals_all_cards_and_keeps_the_window_open():
    driver = timed()
    outcome = driver.wait(25 * INTERVAL + 3_000)
    assert types(outcome) == ["dealt"]
    assert driver.state["round"]["phase"] == "declaring"
    assert driver.decision["kind"] == "declare"
    assert driver.decision["deadline"] == driver.now - 3_000 + 8_000


def test_cards_that_are_not_dealt_yet_cannot_be_declared(monkeypatch):
    stack(monkeypatch, {0: "3S 2S"})
    driver = timed()
    driver.wait(INTERVAL)
    driver.refused(CardsNotHeld, 0, type="declare", cards=["2S"])
    driver.wait(INTERVAL)
    assert show(driver, 0, "2S") == ["declared"]


def test_the_window_to_declare_is_open_until_some_time_after_the_last_card():
    driver = timed()
    assert driver.decision["kind"] == "declare"
    assert driver.decision["seats"] == [0, 1, 2, 3]
    opened = driver.decision["id"]
    assert driver.decision["deadline"] == driver.now + 25 * INTERVAL + 8_000
    driver.wait(25 * INTERVAL)
    assert driver.decision["id"] == opened
    assert driver.wait(8_000 + 1_499).events == []
    assert types(driver.wait(1))[0] == "declaration_closed"


def test_a_declaration_during_the_deal_does_not_extend_the_window(monkeypatch):
    stack(monkeypatch, {0: "2S"})
    driver = timed()
    deadline = driver.decision["deadline"]
    driver.wait(INTERVAL)
    show(driver, 0, "2S")
    assert driver.decision["deadline"] == deadline


def test_a_declaration_after_the_last_card_extends_the_window(monkeypatch):
    stack(monkeypatch, {0: "2S", 1: "2H 2H"})
    driver = timed()
    driver.wait(25 * INTERVAL + 5_000)
    opened = driver.decision["id"]
    show(driver, 0, "2S")
    assert driver.decision["id"] == opened
    assert driver.decision["deadline"] == driver.now + 8_000
    driver.wait(7_000)
    show(driver, 1, "2H", "2H")
    assert driver.decision["deadline"] == driver.now + 8_000


def test_a_declaration_never_shortens_the_window(monkeypatch):
    stack(monkeypatch, {0: "2S"})
    driver = timed(clock_settings={"declare_ms": 8_000})
    driver.wait(25 * INTERVAL)
    deadline = driver.decision["deadline"]
    show(driver, 0, "2S")
    assert driver.decision["deadline"] == deadline


def test_when_all_have_passed_the_window_closes_early(monkeypatch):
    stack(monkeypatch, {0: "2S"})
    driver = timed()
    driver.wait(25 * INTERVAL)
    show(driver, 0, "2S")
    for seat in (1, 2):
        assert types(driver.do(seat, type="pass")) == ["passed"]
    outcome = driver.do(3, type="pass")
    assert types(outcome)[:4] == ["passed", "declaration_closed", "trump_fixed", "kitty_taken"]
    assert driver.state["round"]["trump"] == {"rank": "2", "suit": "S"}


def test_a_pass_during_the_deal_is_void_when_more_cards_come():
    driver = timed()
    driver.wait(INTERVAL)
    for seat in range(4):
        assert types(driver.do(seat, type="pass")) == ["passed"]
    assert driver.state["round"]["passes"] == [0, 1, 2, 3]
    driver.wait(24 * INTERVAL)
    assert driver.state["round"]["passes"] == []
    assert driver.decision["kind"] == "declare"


def hurried(driver, seat=0):
    """Have a seat pass; return the interval of the deal from then on."""
    driver.do(seat, type="pass")
    return driver.state["round"]["deal"]["interval"]


def test_once_all_have_passed_the_deal_is_hurried():
    driver = timed()
    driver.wait(3 * INTERVAL + 100)
    assert [hurried(driver, seat) for seat in (0, 1, 2)] == [INTERVAL] * 3
    assert hurried(driver, 3) == HURRIED_MS
    driver.wait(HURRIED_MS - 1)
    assert dealt(driver) == 12
    driver.wait(1)
    assert dealt(driver) == 16
    driver.wait(21 * HURRIED_MS)
    assert driver.state["round"]["phase"] == "declaring"
    # With complete hands, all are asked again.
    assert (driver.decision["seats"], driver.state["round"]["passes"]) == ([0, 1, 2, 3], [])


def test_ai_seats_do_not_hold_up_a_hurried_deal_and_keep_their_own_pace():
    driver = timed(ai=(1, 2, 3))
    driver.wait(INTERVAL)
    assert hurried(driver) == HURRIED_MS
    assert clock.wake_at(driver.state) == driver.now + HURRIED_MS
    driver.wait(24 * HURRIED_MS)
    assert clock.ai_due_at(driver.state) == driver.now + driver.state["settings"]["ai_pace_ms"]


def test_a_declaration_does_not_hurry_the_deal_but_counts_as_a_pass(monkeypatch):
    stack(monkeypatch, {0: "2S", 1: "2H 2H"})
    driver = timed(ai=(2, 3))
    driver.wait(2 * INTERVAL)
    driver.do(1, type="pass")
    show(driver, 0, "2S")
    assert driver.state["round"]["deal"]["interval"] == INTERVAL
    assert hurried(driver, 1) == HURRIED_MS


def test_a_hurried_deal_is_replayed_from_its_record():
    driver = timed()
    driver.wait(INTERVAL)
    for seat in range(4):
        hurried(driver, seat)
    driver.wait(24 * HURRIED_MS)
    for _ in driver.rounds(1):
        pass
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    passes = game_record["rounds"][0]["actions"][:4]
    assert [action.get("interval_ms") for action in passes] == [None, None, None, HURRIED_MS]
    assert replay.check(game_record)["ok"]
    # Without the interval, actions after the deal would come before its end.
    del passes[3]["interval_ms"]
    assert not replay.check(game_record)["ok"]


def test_a_seat_that_has_passed_may_still_declare_while_the_window_is_open(monkeypatch):
    stack(monkeypatch, {0: "2S"})
    driver = timed()
    driver.wait(25 * INTERVAL)
    driver.do(0, type="pass")
    assert show(driver, 0, "2S") == ["declared"]


def test_simultaneous_declarations_do_not_shut_each_other_out(monkeypatch):
    stack(monkeypatch, {0: "2S", 1: "2H 2H"})
    driver = timed()
    driver.wait(2 * INTERVAL)
    decision = driver.decision["id"]
    driver.do(0, type="declare", cards=["2S"], decision_id=decision)
    driver.do(1, type="declare", cards=["2H", "2H"], decision_id=decision)
    assert [declarations["as"] for declarations in driver.state["round"]["shown"]] == ["declare", "overcall"]


def test_a_table_with_no_interval_deals_at_once():
    driver = timed(clock_settings={"deal_interval_ms": 0})
    driver.wait(25)
    assert dealt(driver) == 100
    assert driver.decision["seats"] == [0, 1, 2, 3]


def test_nobody_is_asked_in_a_deal_without_declarations():
    driver = timed(options={"last_level": "NT", "start_level": "NT"})
    assert (driver.state["round"]["phase"], driver.state["decision"]) == ("dealing", None)
    driver.wait(24 * INTERVAL)
    assert driver.state["decision"] is None
    types_of_events = types(driver.wait(INTERVAL))
    assert types_of_events == ["dealt", "declaration_closed", "trump_fixed", "kitty_taken", "decision_opened"]
    assert driver.decision["kind"] == "discard"


def test_seats_that_may_claim_a_misdeal_are_asked_in_a_deal_without_declarations():
    driver = timed(options={"last_level": "NT", "start_level": "NT", "misdeal": {"points_below": 30}})
    assert driver.decision["kind"] == "declare"


def test_nobody_is_asked_once_an_unbeatable_set_is_shown(monkeypatch):
    stack(monkeypatch, {0: "BJ BJ", 1: "2S"})
    driver = timed()
    driver.wait(2 * INTERVAL)
    show(driver, 1, "2S")
    assert driver.decision["kind"] == "declare"
    outcome = driver.do(0, type="declare", cards=["BJ", "BJ"])
    assert outcome.events[0]["data"]["asked"] is None
    assert driver.state["decision"] is None
    # Nobody is left to wait for.
    outcome = types(driver.wait(23 * HURRIED_MS))
    assert outcome == ["dealt", "declaration_closed", "trump_fixed", "kitty_taken", "decision_opened"]


@pytest.mark.parametrize(("cards", "kind"), [("BJ BJ", "discard"), ("LJ LJ", "declare")])
def test_the_window_closes_with_the_highest_set(monkeypatch, cards, kind):
    stack(monkeypatch, {0: cards})
    driver = timed()
    driver.wait(26 * INTERVAL)
    show(driver, 0, *cards.split())
    assert driver.decision["kind"] == kind


@pytest.mark.parametrize(("cards", "kind"), [("BJ BJ", "discard"), ("LJ LJ", "declare")])
def test_nobody_is_asked_in_turn_after_the_highest_set(monkeypatch, cards, kind):
    stack(monkeypatch, {0: cards})
    driver = Driver("shengji", 4, {"deal_pace": "instant"}, seed=1)
    while driver.decision["seats"] != [0]:
        driver.do(driver.decision["seats"][0], type="pass")
    show(driver, 0, *cards.split())
    assert driver.decision["kind"] == kind


# --- a defence suspends the deal -------------------------------------------------------------------------------------


THREE_DECKS = {"decks": 3}
#: Cards of each player with three decks.
HAND = 31


def defending(monkeypatch, **more):
    """Seat 0 has declared, and seat 1 overcalled at 2 100 ms; with three decks, a pair can still be beaten."""
    stack(monkeypatch, {0: "2S 2S", 1: "2H 2H"})
    driver = timed("zhaopengyou", 5, options=THREE_DECKS, **more)
    driver.wait(2 * INTERVAL)
    show(driver, 0, "2S")
    driver.wait(1_300)
    assert show(driver, 1, "2H", "2H") == ["declared", "decision_opened"]
    return driver


def test_a_deal_stops_while_somebody_may_defend(monkeypatch):
    driver = defending(monkeypatch)
    assert driver.decision["kind"] == "defend"
    assert driver.decision["seats"] == [0]
    assert driver.decision["deadline"] == driver.now + 4_000
    assert dealt(driver) == 5 * 5
    assert clock.next_circle_at(driver.state) is None
    assert driver.wait(4_000).events == []
    assert dealt(driver) == 5 * 5


def test_a_deal_goes_on_where_it_stopped_once_the_defence_is_settled(monkeypatch):
    driver = defending(monkeypatch)
    driver.wait(3_000)
    driver.do(0, type="pass")
    assert driver.decision["kind"] == "declare"
    assert driver.decision["deadline"] == driver.now + (HAND * INTERVAL - 2_100) + 8_000
    # 2 100 ms of the deal have passed; the next circle is due at 2 400.
    assert clock.next_circle_at(driver.state) == driver.now + 300
    driver.wait(300)
    assert dealt(driver) == 6 * 5
    assert driver.state["round"]["shown"][-1]["seat"] == 1


def test_a_pass_in_a_defence_does_not_hurry_the_deal(monkeypatch):
    driver = defending(monkeypatch, ai=(2, 3, 4))
    assert hurried(driver) == INTERVAL


def test_a_defence_cancels_the_overcall_and_the_deal_goes_on(monkeypatch):
    driver = defending(monkeypatch)
    driver.wait(1_000)
    assert show(driver, 0, "2S", "2S") == ["declared", "decision_opened"]
    assert [declarations["as"] for declarations in driver.state["round"]["shown"]] == ["declare", "overcall", "defend"]
    assert driver.decision["seats"] == [0, 1, 2, 3, 4]
    assert clock.next_circle_at(driver.state) == driver.now + 300


def test_nobody_else_declares_while_somebody_may_defend(monkeypatch):
    driver = defending(monkeypatch)
    window = next(e for e in driver.log if e["type"] == "decision_opened" and e["data"]["kind"] == "declare")
    driver.refused(StaleDecision, 2, type="declare", cards=[], decision_id=f"dc_{window['seq']}")
    driver.refused(NotYourTurn, 2, type="declare", cards=[])


def test_a_defence_times_out(monkeypatch):
    driver = defending(monkeypatch)
    outcome = driver.wait(4_000 + 1_500)
    assert types(outcome) == ["passed", "decision_opened"]
    assert outcome.events[0]["by"] == "timeout"
    driver.wait(300)
    assert dealt(driver) == 6 * 5
    # From now on, the seat needs one card more.
    driver.refused(IllegalDeclaration, 0, type="declare", cards=["2S", "2S"])


def test_a_defence_after_the_last_card_extends_the_window(monkeypatch):
    stack(monkeypatch, {0: "2S 2S", 1: "2H 2H"})
    driver = timed("zhaopengyou", 5, options=THREE_DECKS)
    driver.wait(HAND * INTERVAL)
    show(driver, 0, "2S")
    show(driver, 1, "2H", "2H")
    driver.wait(2_000)
    show(driver, 0, "2S", "2S")
    assert driver.decision["kind"] == "declare"
    assert driver.decision["deadline"] == driver.now + 8_000
    for seat in (1, 2, 3):
        driver.do(seat, type="pass")
    assert types(driver.do(4, type="pass"))[1] == "declaration_closed"
    assert driver.state["round"]["declarer"] == 0


# --- the starter -----------------------------------------------------------------------------------------------------


def test_the_first_starter_is_drawn_by_lot_from_the_committed_seed():
    starters = {Driver("shengji", 4, seed=seed).state["round"]["starter"] for seed in range(20)}
    assert starters == {0, 1, 2, 3}
    driver = Driver("shengji", 4, seed=1)
    created, opened = last(driver, "table_created"), last(driver, "round_opened")
    assert opened["commitment"] == created["next_commitment"]
    assert opened["server_seed"] == created["next_seed"]
    assert opened["next_commitment"] != opened["commitment"]


def test_entropy_goes_into_the_next_shuffle_only():
    plain = Driver("shengji", 4, seed=1, start=False)
    seasoned = Driver("shengji", 4, seed=1, start=False)
    for driver in (plain, seasoned):
        for seat in range(4):
            driver.do(seat, type="sit", kind="bot", name="X", seat=seat)
    assert seasoned.do(2, type="entropy", entropy="00ff").events
    assert seasoned.do(2, type="entropy", entropy="00ff").events == []
    for driver in (plain, seasoned):
        for seat in range(4):
            driver.do(seat, type="ready")
    assert seasoned.state["round"]["entropy"] == {"2": "00ff"}
    assert seasoned.state["entropy"] == {}
    assert last(seasoned, "round_opened")["server_seed"] == last(plain, "round_opened")["server_seed"]
    assert last(seasoned, "round_opened")["deck"] != last(plain, "round_opened")["deck"]


def test_practice_tables_with_one_seed_deal_the_same_cards():
    first, second = (Driver("shengji", 4, seed=seed, practice="monday") for seed in (1, 2))
    other = Driver("shengji", 4, seed=1, practice="tuesday")
    decks = [last(driver, "round_opened")["deck"] for driver in (first, second, other)]
    assert decks[0] == decks[1] != decks[2]


def test_each_card_is_dealt_once_and_not_before_its_time():
    driver = timed(seed=6)
    for _ in range(24):
        driver.wait(INTERVAL)
    assert catch_up(driver.state, driver.now + INTERVAL - 1, driver.random.randbytes).events == []
    driver.wait(INTERVAL)
    hands = [cards for event in driver.log if event["type"] == "dealt" for cards in event["data"]["cards"]]
    everything = [kind for cards in hands for kind in cards]
    assert len(everything) == 100
    assert sorted([*everything, *driver.state["round"]["kitty"]]) == [kind for kind in range(54) for _ in range(2)]
