"""What chance deals: exact probabilities for one hand of a shuffled deck.

A hand is a random subset of the deck, whatever the number of players and wherever its cards lie. So each probability
is a number of subsets, found as a coefficient of a product of polynomials, divided by the number of all subsets.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

from service.rules.cards import BJ, CARDS, LJ
from service.rules.composition import Composition

#: What is counted in a hand: kinds of card that it has at least twice, jokers, and cards of its longest printed suit.
MEASURES: Final = ("pairs", "jokers", "longest")
_JOKERS: Final = (LJ, BJ)


def measured(hand: Sequence[int]) -> dict[str, int]:
    """Return the measures of a hand of kinds."""
    copies = Counter(hand)
    suits = Counter(CARDS[kind][1] for kind in hand if kind not in _JOKERS)
    return {
        "pairs": sum(count > 1 for count in copies.values()),
        "jokers": sum(copies[kind] for kind in _JOKERS),
        "longest": max(suits.values(), default=0),
    }


@lru_cache(maxsize=128)
def chances(cards: Composition) -> dict[str, list[float]]:
    """Return measure -> probability of each value from 0 up to the last that is possible."""
    subsets = comb(cards.total, cards.hand)
    counted = {"pairs": _pairs(cards), "jokers": _jokers(cards), "longest": _longest(cards)}
    return {measure: [number / subsets for number in _trimmed(numbers)] for measure, numbers in counted.items()}


def _trimmed(numbers: list[int]) -> list[int]:
    return numbers[: max(value for value, number in enumerate(numbers) if number) + 1]


def _pairs(cards: Composition) -> list[int]:
    """Return number of pairs -> how many hands have it; `ways[size][pairs]` counts hands of the kinds so far."""
    most = cards.hand // 2
    ways = [[0] * (most + 1) for _ in range(cards.hand + 1)]
    ways[0][0] = 1
    for copies in filter(None, cards.copies):
        fuller = [[0] * (most + 1) for _ in ways]
        for size, row in enumerate(ways):
            for pairs, number in enumerate(row):
                for taken in range(min(copies, cards.hand - size) + 1) if number else ():
                    fuller[size + taken][pairs + (taken > 1)] += number * comb(copies, taken)
        ways = fuller
    return ways[cards.hand]


def _jokers(cards: Composition) -> list[int]:
    jokers = cards.little_jokers + cards.big_jokers
    return [
        comb(jokers, held) * comb(cards.total - jokers, cards.hand - held)
        for held in range(min(jokers, cards.hand) + 1)
    ]


def _longest(cards: Composition) -> list[int]:
    """Return length of the longest suit -> how many hands have it: those with at most that, without the shorter."""
    jokers = cards.little_jokers + cards.big_jokers
    suits: Counter[str] = Counter()
    for kind, copies in enumerate(cards.copies):
        if kind not in _JOKERS:
            suits[CARDS[kind][1]] += copies
    at_most = [
        _hands([*((size, most) for size in suits.values()), (jokers, jokers)], cards.hand)
        for most in range(cards.hand + 1)
    ]
    return [number - before for number, before in zip(at_most, [0, *at_most], strict=False)]


def _hands(groups: Sequence[tuple[int, int]], hand: int) -> int:
    """Return how many hands take from each group of cards (its size, and how many at most)."""
    ways = [1] + [0] * hand
    for size, most in groups:
        taken = [comb(size, count) for count in range(min(size, most, hand) + 1)]
        ways = [
            sum(taken[count] * ways[total - count] for count in range(min(total, len(taken) - 1) + 1))
            for total in range(hand + 1)
        ]
    return ways[hand]
