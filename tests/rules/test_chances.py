"""What chance deals: the formulas against all hands of a small deck, and against shuffled decks."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from service.rules.cards import BJ, KIND, LJ
from service.rules.chances import MEASURES, chances, measured
from service.rules.composition import Composition, composition, deck_of
from service.rules.options.rulesets import RULESETS


def small() -> Composition:
    """Eleven cards in two copies of most, and hands of four."""
    copies = [0] * 54
    for card, count in (("2S", 2), ("3S", 1), ("5H", 2), ("KD", 2), ("AC", 1)):
        copies[KIND[card]] = count
    copies[LJ], copies[BJ] = 1, 2
    return replace(
        composition("shengji", 4, {}), copies=tuple(copies), little_jokers=1, big_jokers=2, total=11, hand=4, kitty=0
    )


def test_the_chances_are_those_of_all_hands_of_a_small_deck() -> None:
    hands = list(combinations(deck_of(small()), 4))
    for measure, probabilities in chances(small()).items():
        counted = Counter(measured(hand)[measure] for hand in hands)
        assert probabilities == pytest.approx([counted[value] / len(hands) for value in range(len(probabilities))])
        assert max(counted) == len(probabilities) - 1


def test_a_hand_is_measured_by_its_printed_suits() -> None:
    hand = [KIND[card] for card in ("2S", "2S", "2S", "3S", "5H", "5H")] + [LJ, BJ, BJ]
    assert measured(hand) == {"pairs": 3, "jokers": 3, "longest": 4}
    assert measured([]) == {"pairs": 0, "jokers": 0, "longest": 0}


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 12), ("arms_length", 4)])
def test_shuffled_decks_come_near_the_chances(ruleset: str, players: int) -> None:
    cards, rng, drawn = composition(ruleset, players, {}), random.Random(9), 4_000
    deck = deck_of(cards)
    hands = [measured(rng.sample(deck, cards.hand)) for _ in range(drawn)]
    for measure, probabilities in chances(cards).items():
        counted = Counter(hand[measure] for hand in hands)
        for value, probability in enumerate(probabilities):
            # Within five standard deviations, and one hand.
            assert abs(counted[value] - drawn * probability) < 5 * (drawn * probability) ** 0.5 + 1, (measure, value)


def test_the_chances_of_every_game_add_up() -> None:
    for ruleset, rules in RULESETS.items():
        for players in rules.players:
            told = chances(composition(ruleset, players, {}))
            assert tuple(told) == MEASURES
            assert [sum(each) for each in told.values()] == pytest.approx([1.0] * 3)
