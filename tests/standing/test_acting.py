"""What standing orders do at a decision, order by order."""

import math
import random
from statistics import NormalDist

import pytest

from harness.driver import Driver
from service.game.events.evolve import fold
from service.game.state.rules import composition_of
from service.rules.cards import KIND, counts_of
from service.standing.acting import answers
from service.standing.delays import LEAST_MS, MEDIAN_MS, MOST_MS, delay_ms
from tests.game.hidden import exchanged

DAYS = {"correspondence": {"decision_hours": 24}}


def kinds(cards):
    return [KIND[card] for card in cards.split()]


def playing(ruleset="tractor", players=4, **spec):
    """A table at the first lead of a round."""
    driver = Driver(ruleset, players, seed=4, clock_settings=DAYS, **spec)
    driver.play_until(lambda state: state["decision"]["kind"] == "play")
    return driver


def position(*plays, hand, trump="S", **spec):
    """A state with hearts, clubs and diamonds beside these trumps; `plays` lie on the table, the last seat has `hand`.

    The seats before have what they play, and enough other cards.
    """
    driver = playing(**spec)
    state = driver.state
    leader, size = state["decision"]["seats"][0], len(kinds(hand))
    rest = kinds("3C 4C 6C 7C 8C 9C JC QC 3D 4D 6D 7D 8D 9D JD QD 3C 4C")
    hands = [counts_of([*kinds(cards), *rest[: size - len(kinds(cards))]]) for cards in plays]
    hands.append(counts_of(kinds(hand)))
    hands += [counts_of(rest[:size])] * (state["players"] - len(hands))
    in_order = hands[state["players"] - leader :] + hands[: state["players"] - leader]
    trumps = {"rank": "2", "suit": trump}
    driver.state = {**state, "round": {**state["round"], "hands": in_order, "trump": trumps}}
    for cards in plays:
        driver.do(driver.active_seat, type="play", cards=cards.split())
    return driver.state, driver.active_seat


def first(state, seat, *orders):
    """The cards, or the type, of what the first order with an answer does."""
    for _, command in answers(state, seat, enumerate(orders)):
        return " ".join(command["cards"]) if "cards" in command else command["type"]
    return None


@pytest.mark.parametrize(
    ("orders", "cards"),
    [
        ([{"do": "lowest"}], "3H"),
        ([{"do": "highest"}], "AH"),
        ([{"do": "lowest", "led": "H"}], "3H"),
        ([{"do": "lowest", "led": "C"}], None),
        ([{"do": "highest", "led": "trumps"}], None),
        ([{"do": "highest", "led": "nothing"}], None),
        ([{"do": "cards", "cards": ["TH"]}], "TH"),
        ([{"do": "cards", "cards": ["KH"]}, {"do": "lowest"}], "3H"),
        ([{"do": "cards", "led": "C", "cards": ["3H"]}, {"do": "cards", "led": "H", "cards": ["AH"]}], "AH"),
        ([{"do": "forced"}], None),
        ([{"do": "claim"}], None),
        ([{"do": "ready"}, {"do": "pass", "decisions": ["declare"]}], None),
    ],
)
def test_orders_for_a_card_that_was_led(orders, cards):
    assert first(*position("9H", hand="AH TH 3H 4S"), *orders) == cards


def test_the_lowest_of_equal_strength_has_no_points():
    assert first(*position("3H 3H", hand="5H 5H 4H 4H"), {"do": "lowest"}) == "4H 4H"
    assert first(*position("3H", hand="2H 2C"), {"do": "lowest"}) is None, "twos are trumps"


def test_whoever_cannot_follow_suit_is_asked():
    state, seat = position("9H", hand="AC 3C 4S 5S")
    assert first(state, seat, {"do": "lowest"}, {"do": "highest"}, {"do": "forced"}) is None
    assert first(*position("9H 9H", hand="AH 3C 4S 5S"), {"do": "lowest"}) is None, "one card of another suit"


def test_a_play_is_forced_if_no_other_is_legal():
    assert first(*position("9H", hand="AH AH 4S 5S"), {"do": "forced"}) == "AH"
    assert first(*position("9H 9H", hand="AH AH KH 5S"), {"do": "forced"}) == "AH AH"
    assert first(*position("9H 9H", hand="AH KH QH 5S"), {"do": "forced"}) is None


@pytest.mark.parametrize(
    ("plays", "hand", "cards"),
    [
        (["AH", "3H"], "TH 5H 3H 4S", "TH"),
        (["AH", "3H"], "QH 9H 4H 4S", "4H"),
        (["AH", "3H"], "KC 4S 5S 6S", "KC"),
        (["AH", "3H"], "KS 4S 5S 6S", "KS"),
        (["3H", "AH"], "TH 5H 3H 4S", None),
        (["3H"], "TH 5H 3H 4S", None),
        ([], "TH 5H 3H 4S", None),
    ],
)
def test_points_go_to_the_partner_who_is_winning(plays, hand, cards):
    assert first(*position(*plays, hand=hand), {"do": "partner"}) == cards


def test_nobody_is_a_partner_before_everybody_knows():
    driver = playing("zhaopengyou", 5)
    driver.step()
    seat, state = driver.active_seat, driver.state
    state = {**state, "round": {**state["round"], "sides": ["unknown"] * 5}}
    assert first(state, seat, {"do": "partner"}) is None
    sides = ["attackers"] * 5
    state = {**state, "round": {**state["round"], "sides": sides}}
    assert first(state, seat, {"do": "partner"}) is not None


def test_a_claim_needs_certainty_against_all_cards_that_were_not_seen():
    driver = playing(claims=True)
    state, seat = driver.state, driver.active_seat
    table_round = state["round"]
    copies = composition_of(state).copies
    own, trumps = counts_of(kinds("AS AS BJ BJ")), {"rank": "2", "suit": "S"}
    played = [count - mine for count, mine in zip(copies, own, strict=True)]
    below = counts_of(kinds("3C 4C 6C 7C"))
    hands = [own if each == seat else below for each in range(4)]

    def at(unseen):
        """All other cards have been played but these."""
        seen = [count - left for count, left in zip(played, counts_of(kinds(unseen)), strict=True)]
        return {**state, "round": {**table_round, "hands": hands, "trump": trumps, "played": seen, "discard": []}}

    assert first(at("3C 4C 6C 7C 3D"), seat, {"do": "claim"}) == "claim"
    # Nobody holds them, so a claim would hold; but the seat cannot know that.
    assert first(at("3C 4C 6C 7C 2H LJ LJ 2S 2S 2H"), seat, {"do": "claim"}) is None


@pytest.mark.parametrize(("led", "cards"), [("9H", ["JH", "AH"]), ("KH", ["AH", "AH"]), ("AH", ["3H", "JH"])])
def test_in_arms_length_the_lowest_card_is_the_lowest_that_may_be_played(led, cards):
    driver = Driver("arms_length", 4, seed=4, clock_settings=DAYS)
    driver.play_until(lambda state: state["decision"]["kind"] == "play")
    state, leader = driver.state, driver.active_seat
    hands = {leader: kinds(led), (leader + 1) % 4: kinds("3H JH AH" if led != "AH" else "3H JH")}
    rest = counts_of(kinds("3C 4C"))
    in_order = [counts_of(hands[seat]) if seat in hands else rest for seat in range(4)]
    driver.state = {**state, "round": {**state["round"], "hands": in_order}}
    driver.do(leader, type="play", cards=[led])
    assert [first(driver.state, driver.active_seat, {"do": do}) for do in ("lowest", "highest")] == cards


@pytest.mark.parametrize(
    ("order", "shown", "answer"),
    [
        ({}, [], "pass"),
        ({}, ["2H"], "pass"),
        ({"unless_cards": 2}, ["2H"], "pass"),
        ({"unless_cards": 2}, ["2H", "2H"], None),
        ({"unless_cards": 1}, [], "pass"),
        ({"unless_suits": ["H"]}, ["2H"], None),
        ({"unless_suits": ["S", "NT"]}, ["2H"], "pass"),
        ({"unless_suits": ["NT"]}, ["BJ", "BJ"], None),
        ({"unless_suits": ["H"], "unless_cards": 2}, ["2H"], "pass"),
    ],
)
def test_passing_unless_what_stands_changes_ones_mind(order, shown, answer):
    driver = Driver("tractor", 4, seed=4, clock_settings=DAYS)
    state, seat = driver.state, driver.active_seat
    declaration = {"seat": (seat + 1) % 4, "cards": [KIND[card] for card in shown], "as": "declare"}
    state = {**state, "round": {**state["round"], "shown": [declaration] if shown else []}}
    assert first(state, seat, {"do": "pass", "decisions": ["declare"], **order}) == answer
    assert first(state, seat, {"do": "pass", "decisions": ["defend"], **order}) is None


def test_ready_for_the_next_round():
    driver = Driver("tractor", 4, seed=4, clock_settings=DAYS)
    driver.play_until(lambda state: state["decision"]["kind"] == "ready")
    assert first(driver.state, driver.active_seat, {"do": "ready"}) == "ready"
    assert first(driver.state, driver.active_seat, {"do": "lowest"}, {"do": "forced"}) is None


@pytest.mark.parametrize(("ruleset", "players"), [("tractor", 4), ("zhaopengyou", 6), ("arms_length", 4)])
def test_orders_know_no_hidden_cards(ruleset, players):
    """At a table that differs only in what the seat has not seen, they do the same and wait as long."""
    orders = [{"do": "claim"}, {"do": "forced"}, {"do": "partner"}, {"do": "lowest"}, {"do": "highest"}]
    if ruleset == "arms_length":
        orders = orders[1:2] + orders[3:]
    driver = Driver(ruleset, players, seed=8, clock_settings=DAYS, claims=ruleset != "arms_length")
    compared = 0
    for _ in range(90):
        driver.play_until(lambda state: state["decision"]["kind"] == "play")
        seat = driver.active_seat
        log, changed = exchanged(driver.log, players, seat, random.Random(3))
        twin = {**fold(log), "next_seed": driver.state["next_seed"]}
        for number in range(len(orders)):
            assert first(driver.state, seat, *orders[number:]) == first(twin, seat, *orders[number:])
        assert delay_ms(driver.state, seat) == delay_ms(twin, seat)
        compared += changed > 0
        driver.step()
    assert compared > 30


def test_delays_are_drawn_alike_for_forced_plays_and_for_choices():
    """A test of two samples (Kolmogorov and Smirnov), and that the bounds are reached by few."""
    samples = {True: [], False: []}
    for seed in range(12):
        driver = Driver("tractor", 4, seed=seed, clock_settings=DAYS)
        for _ in range(110):
            if driver.state["decision"]["kind"] == "play" and driver.state["round"]["trick"] is not None:
                seat = driver.active_seat
                is_forced = first(driver.state, seat, {"do": "forced"}) is not None
                samples[is_forced].append(delay_ms(driver.state, seat))
            driver.step()
    forced, chosen = (sorted(samples[each]) for each in (True, False))
    assert len(forced) > 100
    every = sorted(forced + chosen)
    distance = max(abs(_share(forced, at) - _share(chosen, at)) for at in every)
    # Exceeded by one pair of samples in a thousand.
    assert distance < 1.95 * math.sqrt((len(forced) + len(chosen)) / (len(forced) * len(chosen)))
    assert LEAST_MS <= every[0] < MEDIAN_MS / 4
    assert MEDIAN_MS * 4 < every[-1] <= MOST_MS
    assert abs(_share(every, MEDIAN_MS) - 0.5) < NormalDist().inv_cdf(0.999) * 0.5 / math.sqrt(len(every))


def _share(sample, at):
    return sum(each <= at for each in sample) / len(sample)
