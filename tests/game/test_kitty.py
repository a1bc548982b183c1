"""The kitty: taking, burying, showing, and overcalling for it."""

import pytest

from harness.driver import Driver
from service.common.errors import IllegalDeclaration, IllegalDiscard
from service.game.views.hints import hints
from service.rules.cards import kinds_in, names_of, points_of
from tests.game.scenes import ask_until, bury, declare, last, show, stack, types

KITTY = "AS AS KH KH 5D 5D TC TC"


# --- the kitty -------------------------------------------------------------------------------------------------------


def test_the_declarer_takes_the_kitty_and_buries_as_many_cards(monkeypatch):
    stack(monkeypatch, {0: "2S"}, kitty=KITTY)
    driver = Driver("shengji", 4)
    declare(driver, 0, "2S")
    assert sum(driver.hand(0)) == 33
    assert driver.state["round"]["kitty"] == []
    bury(driver, *KITTY.split())
    assert sorted(names_of(driver.state["round"]["discard"])) == sorted(KITTY.split())
    assert sum(driver.hand(0)) == 25
    assert (driver.decision["kind"], driver.active_seat) == ("play", 0)


def test_a_kitty_that_was_shown_counts_once(monkeypatch):
    stack(monkeypatch, {0: "2S"})
    for reveal, factor in ((True, 1), (False, 2)):
        for seed in range(30):
            driver = Driver("zhaopengyou_80", 4, seed=seed)
            declare(driver, 0, "2S")
            bury(driver, reveal=reveal)
            assert driver.state["round"]["revealed"] is reveal
            kinds = [event["type"] for event in driver.log[-4:]]
            assert ("kitty_revealed" in kinds) is reveal
            for state in driver.rounds(1):
                kitty = state["round"]["result"]["kitty"]
            if kitty["factor"]:
                assert kitty["factor"] == factor
                assert kitty["bonus"] == factor * points_of(kitty["cards"])
                break
        else:
            pytest.fail("the declarers won every last trick")


# --- overcalling for the kitty ---------------------------------------------------------------------------------------


def chao(monkeypatch, hands, **more):
    stack(monkeypatch, hands)
    driver = Driver("shengji", 4, {"chao_di": True}, **more)
    declare(driver, 0, "2D")
    bury(driver)
    return driver


def overcall(driver, seat, *cards):
    return types(driver.do(seat, type="overcall_kitty", cards=list(cards)))


def all_pass(driver):
    """Have all seats that may overcall for the kitty pass; return them in turn."""
    seats_asked = []
    while driver.decision["kind"] == "overcall-kitty":
        seats_asked.append(driver.active_seat)
        driver.do(driver.active_seat, type="pass")
    return seats_asked


def test_after_the_discard_all_but_the_last_to_declare_are_asked(monkeypatch):
    driver = chao(monkeypatch, {0: "2D", 1: "2S 2S"})
    assert all_pass(driver) == [1, 2, 3]
    assert (driver.decision["kind"], driver.active_seat) == ("play", 0)


def test_the_last_to_declare_is_skipped_and_another_declarer_is_asked(monkeypatch):
    stack(monkeypatch, {0: "2D", 1: "2H 2H", 3: "2S 2S"})
    driver = Driver("shengji", 4, {"chao_di": True, "first_declarer": "first"})
    ask_until(driver, 0)
    show(driver, 0, "2D")
    show(driver, 1, "2H", "2H")
    declare(driver)
    bury(driver)
    assert driver.state["round"]["kitty_seat"] == 0
    assert driver.active_seat == 2
    driver.do(2, type="pass")
    overcall(driver, 3, "2S", "2S")
    bury(driver)
    assert all_pass(driver) == [0, 1, 2]


def test_an_overcall_takes_the_kitty_and_changes_trumps(monkeypatch):
    driver = chao(monkeypatch, {0: "2D", 2: "2S 2S", 3: "BJ BJ"})
    driver.do(1, type="pass")
    buried = driver.state["round"]["discard"]
    outcome = overcall(driver, 2, "2S", "2S")
    assert outcome == ["kitty_overcalled", "kitty_taken", "decision_opened"]
    assert (driver.decision["kind"], driver.active_seat) == ("discard", 2)
    assert driver.state["round"]["trump"] == {"rank": "2", "suit": "S"}
    assert sum(driver.hand(2)) == 33
    assert last(driver, "kitty_taken")["cards"] == buried
    bury(driver)
    # Now all others are asked, even the last to declare.
    assert (driver.decision["kind"], driver.active_seat) == ("overcall-kitty", 3)
    assert overcall(driver, 3, "BJ", "BJ")[0] == "kitty_overcalled"
    assert driver.state["round"]["trump"] == {"rank": "2", "suit": None}
    bury(driver)
    # The declarer leads, whoever took the kitty last.
    assert (driver.decision["kind"], driver.active_seat) == ("play", 0)
    assert driver.state["round"]["kitty_seat"] == 3
    assert driver.state["round"]["declarer"] == 0


@pytest.mark.parametrize(("cards", "seats"), [("LJ LJ", [2, 3, 0]), ("BJ BJ", [])])
def test_nobody_is_asked_after_the_highest_pair(monkeypatch, cards, seats):
    driver = chao(monkeypatch, {0: "2D", 1: cards})
    overcall(driver, 1, *cards.split())
    bury(driver)
    assert all_pass(driver) == seats
    assert driver.decision["kind"] == "play"


def test_a_lower_pair_does_not_overcall(monkeypatch):
    driver = chao(monkeypatch, {0: "2D", 1: "2S 2S", 2: "2H 2H", 3: "LJ LJ"})
    overcall(driver, 1, "2S", "2S")
    bury(driver)
    driver.refused(IllegalDeclaration, 2, type="overcall_kitty", cards=["2H", "2H"])
    driver.do(2, type="pass")
    assert overcall(driver, 3, "LJ", "LJ")[0] == "kitty_overcalled"


def test_hints_name_the_pairs_that_overcall(monkeypatch):
    driver = chao(monkeypatch, {0: "2D", 1: "2S 2S LJ LJ 2C 2C 3H 3H BJ"})
    possible = hints(driver.state, 1)["possible"]
    assert sorted(cards[0] for cards in possible) == sorted(["2S", "LJ", "2C"])


def test_a_seat_that_has_passed_is_asked_again_only_after_an_overcall(monkeypatch):
    driver = chao(monkeypatch, {0: "2D", 3: "2S 2S"})
    for seat in (1, 2):
        driver.do(seat, type="pass")
    overcall(driver, 3, "2S", "2S")
    bury(driver)
    assert all_pass(driver) == [0, 1, 2]


def test_a_shown_kitty_cannot_be_overcalled_for(monkeypatch):
    stack(monkeypatch, {0: "2D"})
    driver = Driver("zhaopengyou_80", 4, {"chao_di": True})
    declare(driver, 0, "2D")
    bury(driver, reveal=True)
    assert driver.decision["kind"] == "call"


def test_a_seat_that_has_overcalled_for_the_kitty_cannot_show_it(monkeypatch):
    stack(monkeypatch, {0: "2D", 1: "2S 2S"})
    driver = Driver("shengji", 4, {"chao_di": True, "kitty_reveal": True})
    declare(driver, 0, "2D")
    bury(driver)
    ask_until(driver, 1)
    overcall(driver, 1, "2S", "2S")
    cards = names_of(kinds_in(driver.hand(1)))[:8]
    refusal = driver.refused(IllegalDiscard, 1, type="discard", cards=cards, reveal=True)
    assert refusal.rule == "declarer_shows_kitty"
    driver.do(1, type="discard", cards=cards)


def test_at_the_joker_level_jokers_overcall_for_the_kitty(monkeypatch):
    stack(monkeypatch, {1: "BJ BJ 2S 2S"})
    driver = Driver("tractor", 4, {"start_level": "NT", "chao_di": True})
    driver.play_until(lambda state: state["decision"]["kind"] == "overcall-kitty" and state["decision"]["seats"] == [1])
    driver.refused(IllegalDeclaration, 1, type="overcall_kitty", cards=["2S", "2S"])
    assert overcall(driver, 1, "BJ", "BJ")[0] == "kitty_overcalled"
    assert driver.state["round"]["trump"] == {"rank": None, "suit": None}
