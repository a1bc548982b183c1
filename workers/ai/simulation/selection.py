"""Picking cards of a hand: the cheapest, those with points, and those to give away."""

from collections.abc import Sequence
from itertools import pairwise

from service.rules.trumps import TRUMPS
from workers.ai.simulation.card_indices import IndexHand

#: Cost of a point, and of a further card of the suit, in levels of the discarded card.
_POINT = 2.0
_LENGTH = 0.6


def size_of(hand: IndexHand) -> int:
    """Return the number of cards of a hand."""
    number = 0
    for suit in hand:
        number += len(suit)
    return number


def pairs_in(suit: list[int]) -> list[int]:
    """Return the indices that a suit has at least twice, ascending."""
    return [index for index, after in pairwise(suit) if index == after]


def distinct(cards: list[int]) -> list[int]:
    """Return cards without repetitions, in the same order."""
    return list(dict.fromkeys(cards))


def cheapest(cards: list[int], points_of: Sequence[int]) -> int:
    """Return the lowest card without points, or the one with fewest."""
    for card in cards:
        if not points_of[card]:
            return card
    return min(cards, key=points_of.__getitem__)


def lone(cards: list[int], points_of: Sequence[int]) -> int:
    """Return the lowest single card without points, or -1."""
    before = -1
    last = len(cards) - 1
    for at, card in enumerate(cards):
        if card != before and not points_of[card] and (at == last or cards[at + 1] != card):
            return card
        before = card
    return -1


def lowest_with_points(cards: list[int], points_of: Sequence[int]) -> int:
    """Return the lowest card with points, or -1."""
    for card in cards:
        if points_of[card]:
            return card
    return -1


def most_points(cards: list[int], points_of: Sequence[int]) -> int:
    """Return the lowest of the cards with most points."""
    best, most = cards[0], points_of[cards[0]]
    for card in cards:
        if points_of[card] > most:
            best, most = card, points_of[card]
    if not most:
        return cards[0]
    return best


def cheap(cards: list[int], points_of: Sequence[int]) -> list[int]:
    """Return the cards worth giving, without repetitions: the lowest of each class.

    The classes are: without points; without points and not in a pair; with points; with most points.
    """
    cards_of = [cheapest(cards, points_of), most_points(cards, points_of)]
    cards_of += [card for card in (lowest_with_points(cards, points_of), lone(cards, points_of)) if card >= 0]
    return distinct(cards_of)


def discard(hand: IndexHand, points_of: Sequence[int], level: Sequence[int], feed: bool) -> int:
    """Return the card that a hand discards when it cannot follow: side cards first, with points for a mate."""
    best, value = -1, -1000.0
    for group in range(TRUMPS):
        suit = hand[group]
        if suit:
            card = most_points(suit, points_of) if feed else cheapest(suit, points_of)
            points = points_of[card]
            score = (points if feed else -points) * _POINT - level[card] - _LENGTH * len(suit)
            if score > value:
                best, value = card, score
    if best >= 0:
        return best
    trumps = hand[TRUMPS]
    return most_points(trumps, points_of) if feed else cheapest(trumps, points_of)


def several(
    hand: IndexHand, cards: list[int], number: int, points_of: Sequence[int], level: Sequence[int], feed: bool
) -> list[int]:
    """Return `number` cards of a hand: `cards`, all of the suit led, and the best ones to give away."""
    rest = [suit[:] for suit in hand]
    if cards:
        for group, suit in enumerate(rest):
            if suit and cards[0] in suit:
                rest[group] = []
                break
    while len(cards) < number:
        card = discard(rest, points_of, level, feed)
        cards.append(card)
        for suit in rest:
            if card in suit:
                suit.remove(card)
                break
    return cards
