"""Throws: what is led instead of a failed one, what it costs, and rounds that it ends."""

import pytest

from harness.driver import Driver
from service.common.errors import IllegalPlay
from service.game.views.hints import hints
from service.game.views.view import view
from service.rules.cards import kinds_of, names_of, points_of
from tests.game.scenes import bury, declare, last, play, stack, trick, types

#: Spades are trumps; seat 0 throws clubs, and seat 1 can beat some of them. The hands contain all clubs.
HANDS = {
    0: "2S AC AC KC QC QC JC",
    1: "KC 3C 3C",
    2: "JC TC TC 9C 9C 4C 4C 5C",
    3: "8C 8C 7C 7C 6C 6C 5C",
}


def throwing(monkeypatch, options=None, hands=HANDS, **more):
    stack(monkeypatch, hands)
    driver = Driver("shengji", 4, options, **more)
    declare(driver, 0, "2S")
    # Keep the cards to be thrown.
    keep = kinds_of(hands[0].split())
    rest = [kind for kind in range(54) for _ in range(driver.hand(0)[kind] - keep.count(kind))]
    driver.do(0, type="discard", cards=names_of(rest[:8]))
    return driver


def led(driver):
    return names_of(driver.state["round"]["trick"]["plays"][0]["cards"])


def finish(driver):
    return next(driver.rounds(1))["round"]["result"]


def test_a_throw_that_nobody_beats_is_led_whole(monkeypatch):
    driver = throwing(monkeypatch)
    assert play(driver, "AC", "AC", "QC", "QC") == ["played", "decision_opened"]
    assert sorted(led(driver)) == ["AC", "AC", "QC", "QC"]
    throw = driver.state["round"]["trick"]["plays"][0]["throw"]
    assert throw["ok"] is True
    assert throw["penalty"] == 0


@pytest.mark.parametrize(
    ("options", "thrown", "forced"),
    [
        ({}, "AC KC QC", ["QC"]),
        ({}, "AC KC QC JC", ["JC"]),
        ({"throw_test": "cards"}, "AC AC QC QC", ["QC", "QC"]),
        ({"throw_failure": "lowest_card"}, "AC AC QC QC", None),
        ({"throw_failure": "lowest_card", "throw_test": "cards"}, "AC AC QC QC", ["QC"]),
    ],
)
def test_the_option_says_what_is_led_instead_of_a_failed_throw(monkeypatch, options, thrown, forced):
    driver = throwing(monkeypatch, options)
    parts = play(driver, *thrown.split())
    if forced is None:
        assert parts == ["played", "decision_opened"]
        return
    assert parts == ["throw_failed", "played", "decision_opened"]
    assert led(driver) == forced
    failed = last(driver, "throw_failed")
    assert sorted(names_of(failed["cards"])) == sorted(thrown.split())
    assert names_of(failed["forced"]) == forced
    assert sum(driver.hand(0)) == 25 - len(forced)


@pytest.mark.parametrize("holder", [1, 2, 3])
def test_a_throw_fails_if_any_other_seat_even_the_partner_can_beat_it(monkeypatch, holder):
    driver = throwing(monkeypatch, hands={0: "2S AC QC", holder: "KC KC"})
    assert play(driver, "AC", "QC")[0] == "throw_failed"


@pytest.mark.parametrize(
    ("penalty", "test", "thrown", "points"),
    [
        ("none", "units", "AC KC QC JC", 0),
        ("flat", "units", "AC KC QC JC", 10),
        ("per_unit", "units", "AC KC QC JC", 20),
        ("per_card", "units", "AC KC QC JC", 20),
        ("per_withdrawn", "units", "AC KC QC JC", 30),
        ("flat", "cards", "AC AC QC QC", 10),
        ("per_unit", "cards", "AC AC QC QC", 10),
        ("per_card", "cards", "AC AC QC QC", 20),
        ("per_withdrawn", "cards", "AC AC QC QC", 20),
    ],
)
def test_a_penalty_is_recorded_for_the_leader_and_counted_at_the_end(monkeypatch, penalty, test, thrown, points):
    # Seat 1 holds the other king: by units, it beats single queens and jacks; by cards, also the pair.
    driver = throwing(monkeypatch, {"throw_penalty": penalty, "throw_test": test})
    assert play(driver, *thrown.split())[0] == "throw_failed"
    booked = driver.state["round"]["penalties"]
    assert booked == ([{"seat": 0, "points": points}] if points else [])
    result = finish(driver)
    assert result["penalties"] == booked
    # Seat 0 is a declarer, so the attackers get the penalty.
    assert result["points"] == result["trick_points"] + result["kitty"]["bonus"] + points


def test_penalties_of_attackers_reduce_their_points_but_not_below_zero(monkeypatch):
    hands = {0: "2S 3D 3D", 1: "AC QC AD", 2: "KC"}
    stack(monkeypatch, hands)
    driver = Driver("shengji", 4, {"throw_penalty": "flat"})
    declare(driver, 0, "2S")
    bury(driver)
    trick(driver, {0: "3D", 1: "AD"})
    assert play(driver, "AC", "QC")[0] == "throw_failed"
    result = finish(driver)
    owed = sum(each["points"] if each["seat"] % 2 == 0 else -each["points"] for each in result["penalties"])
    assert result["points"] == max(0, result["trick_points"] + result["kitty"]["bonus"] + owed)


def test_the_penalty_of_a_friend_counts_for_the_side_that_they_end_up_on(monkeypatch):
    stack(monkeypatch, {0: "2S 3D 3H", 2: "AD AC QC AH", 3: "KC"})
    driver = Driver("zhaopengyou", 6, {"throw_penalty": "flat"})
    declare(driver, 0, "2S")
    bury(driver)
    driver.do(0, type="call", calls=[{"card": "AH", "ordinal": 1}, {"card": "AH", "ordinal": 2}])
    trick(driver, {0: "3D", 2: "AD"})
    play(driver, "AC", "QC")
    assert driver.state["round"]["penalties"] == [{"seat": 2, "points": 10}]
    result = finish(driver)
    assert result["sides"][2] == "declarers"
    assert result["points"] >= result["trick_points"] + result["kitty"]["bonus"]
    owed = sum(
        each["points"] if result["sides"][each["seat"]] == "declarers" else -each["points"]
        for each in result["penalties"]
    )
    assert result["points"] == max(0, result["trick_points"] + result["kitty"]["bonus"] + owed)


def test_the_leader_may_name_the_units_of_a_throw(monkeypatch):
    driver = throwing(monkeypatch)
    play(driver, "AC", "AC", "QC", "QC", units=[["AC"], ["AC"], ["QC", "QC"]])
    units = [names_of(unit) for unit in driver.state["round"]["trick"]["plays"][0]["units"]]
    assert units == [["QC", "QC"], ["AC"], ["AC"]]


def test_units_that_do_not_match_the_cards_are_refused(monkeypatch):
    driver = throwing(monkeypatch)
    refusal = driver.refused(IllegalPlay, 0, type="play", cards=["AC", "KC"], units=[["AC"], ["QC"]])
    assert refusal.rule == "units_not_cards"


def test_hints_do_not_reveal_whether_a_throw_will_hold(monkeypatch):
    driver = throwing(monkeypatch)
    assert hints(driver.state, 0)["required"] == []
    table_view = view(driver.state, 0, driver.now)["decision"]["hints"]
    assert set(table_view) == {"cards", "must_follow", "required", "example"}
    assert len(table_view["example"]) == 1


# --- rounds that a throw ends -------------------------------------------------------------------------------------


def ended(monkeypatch, options):
    driver = throwing(monkeypatch, options)
    outcome = driver.do(0, type="play", cards=["AC", "QC"])
    return driver, outcome


@pytest.mark.parametrize("how", ["one_level", "lost_round_one_level"])
def test_with_end_round_a_failed_throw_gives_the_other_side_a_level(monkeypatch, how):
    driver, outcome = ended(monkeypatch, {"throw_failure": "end_round", "throw_forfeit": how})
    assert types(outcome)[:4] == ["throw_failed", "round_scored", "levels_changed", "round_ended"]
    assert last(driver, "throw_failed")["ends_round"] is True
    assert last(driver, "throw_failed")["forced"] == []
    result = driver.state["round"]["result"]
    assert (result["reason"], result["side"], result["levels"]) == ("throw_failed", "attackers", 1)
    assert [seat["level"] for seat in driver.state["seats"]] == ["2", "3", "2", "3"]
    # The attackers have won, so the player to the right becomes declarer.
    assert driver.state["game"]["declarer"] == 1
    assert driver.decision["kind"] == "ready"


def test_unplayed_cards_may_go_to_the_other_side(monkeypatch):
    driver, _ = ended(monkeypatch, {"throw_failure": "end_round", "throw_forfeit": "unplayed_to_others"})
    result = driver.state["round"]["result"]
    buried = points_of(driver.state["round"]["discard"])
    # Nothing was played yet: the attackers get all points but those of the kitty.
    assert result["points"] == 200 - buried
    assert result["kitty"] == {"cards": driver.state["round"]["discard"], "points": buried, "factor": 0, "bonus": 0}
    assert (result["side"], result["levels"]) == ("attackers", (200 - buried - 80) // 40)


def test_unplayed_cards_of_attackers_at_fault_count_for_nobody(monkeypatch):
    stack(monkeypatch, {0: "2S 3D", 1: "AC QC AD", 2: "KC"})
    driver = Driver("shengji", 4, {"throw_failure": "end_round", "throw_forfeit": "unplayed_to_others"})
    declare(driver, 0, "2S")
    bury(driver)
    taken = trick(driver, {0: "3D", 1: "AD"})["points"]
    play(driver, "AC", "QC")
    result = driver.state["round"]["result"]
    assert result["points"] == taken
    assert result["side"] == "declarers"


def test_penalty_levels_are_owed_by_the_whole_team_and_nobody_gains(monkeypatch):
    driver, outcome = ended(monkeypatch, {"throw_failure": "penalty_levels"})
    assert "levels_changed" in types(outcome)
    result = driver.state["round"]["result"]
    assert (result["side"], result["levels"]) == (None, 0)
    assert [seat["penalty"] for seat in driver.state["seats"]] == [2, 0, 2, 0]
    assert [seat["level"] for seat in driver.state["seats"]] == ["2"] * 4
    # Nobody has won, so the declarer stays.
    assert driver.state["game"]["declarer"] == 0


def test_penalty_levels_are_paid_off_from_later_gains():
    for seed in range(40):
        driver = Driver("zhaopengyou", 5, {"throw_failure": "penalty_levels"}, seed=seed)
        driver.throws = 0.2
        before = None
        for state in driver.rounds(12):
            if before is not None and state["round"]["result"]["levels"]:
                gained = state["round"]["result"]
                for seat, (was, now) in enumerate(zip(before, state["seats"], strict=True)):
                    if gained["sides"][seat] == gained["side"] and was["penalty"]:
                        paid = min(was["penalty"], gained["levels"])
                        assert now["penalty"] == was["penalty"] - paid
                        if paid == gained["levels"]:
                            assert now["level"] == was["level"]
                            return
            before = state["seats"]
    pytest.fail("nobody paid anything off")


def test_cards_of_a_round_that_a_throw_ended_stay_in_the_hands(monkeypatch):
    driver, _ = ended(monkeypatch, {"throw_failure": "end_round"})
    assert [sum(hand) for hand in driver.state["round"]["hands"]] == [25] * 4
    assert view(driver.state, 1, driver.now)["my"]["hand"]
    for seat in range(4):
        driver.do(seat, type="ready")
    assert driver.state["round"]["number"] == 2
