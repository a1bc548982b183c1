"""How good probabilities are, measured against what was true.

A pair is a probability and whether it came true. Sampled deals of hidden cards give such pairs: in how many of them a
card lies where it does.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log2
from statistics import fmean
from typing import Final, NamedTuple

Pair = tuple[float, bool]
#: Place -> the cards there, as numbers.
Places = Mapping[int, Sequence[int]]

#: Probabilities are put into so many equal parts.
PARTS: Final = 10
#: What is added to the times that a card lies in a place where it may be, in sampled deals.
SMOOTHING: Final = 0.5


class Part(NamedTuple):
    """The pairs of a part of all probabilities: how many, the mean probability, and the share that came true."""

    pairs: int
    said: float
    true: float


class Guesses(NamedTuple):
    """What deals say of hidden cards: the surprise of each card, in bits, and pairs for its calibration."""

    bits: list[float]
    pairs: list[Pair]


def surprise(pairs: Iterable[Pair]) -> float:
    """Return the mean surprise of the outcomes in bits: 0.0 if they were certain, 1.0 if each was like a coin flip."""
    return fmean(-log2(said if came else 1.0 - said) for said, came in pairs)


def auc(pairs: Sequence[Pair]) -> float | None:
    """Return how often a true case has a higher probability than an untrue one; equal ones count half.

    0.5 is guessing. None: all cases are alike.
    """
    true = sum(came for _, came in pairs)
    if not 0 < true < len(pairs):
        return None
    ranks, at = 0.0, 0
    ordered = sorted(pairs)
    while at < len(ordered):
        after = at
        while after < len(ordered) and ordered[after][0] == ordered[at][0]:
            after += 1
        ranks += (at + after + 1) / 2 * sum(came for _, came in ordered[at:after])
        at = after
    return (ranks - true * (true + 1) / 2) / (true * (len(pairs) - true))


def reliability(pairs: Iterable[Pair]) -> list[Part | None]:
    """Return for each tenth of the probabilities how often what they said came true; None: there were none."""
    parts: list[list[Pair]] = [[] for _ in range(PARTS)]
    for said, came in pairs:
        parts[min(PARTS - 1, int(said * PARTS))].append((said, came))
    return [
        Part(len(part), sum(said for said, _ in part) / len(part), sum(came for _, came in part) / len(part))
        if part
        else None
        for part in parts
    ]


def error(pairs: Sequence[Pair]) -> float:
    """Return by how much probabilities are off, on average over the pairs: |said - true| of each tenth."""
    parts = [part for part in reliability(pairs) if part]
    return sum(part.pairs * abs(part.said - part.true) for part in parts) / max(1, len(pairs))


def guessed(truth: Places, deals: Sequence[Places], possible: Callable[[int], AbstractSet[int]]) -> Guesses:
    """Compare deals of the hidden cards with the true one.

    Args:
        truth: where they are.
        deals: where they might be; of the same cards.
        possible: takes a card; returns the places where it may be, by what the seat has seen.
    """
    times: defaultdict[tuple[int, int], int] = defaultdict(int)
    for deal in deals:
        for place, cards in deal.items():
            for card in cards:
                times[place, card] += 1
    copies: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for place, cards in truth.items():
        for card in cards:
            copies[card][place] = copies[card].get(place, 0) + 1
    bits: list[float] = []
    pairs: list[Pair] = []
    for card, held in copies.items():
        places, number = possible(card) | held.keys(), sum(held.values())
        for place in sorted(places):
            said = (times[place, card] + SMOOTHING) / (len(deals) * number + SMOOTHING * len(places))
            there = held.get(place, 0)
            bits += [-log2(said)] * there
            pairs += [(said, True)] * there + [(said, False)] * (number - there)
    return Guesses(bits, pairs)
