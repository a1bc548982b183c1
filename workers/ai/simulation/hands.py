"""Hands as planes of sets, and picking cards of them: the cheapest, those with points, and those to give away.

The planes of a hand lie next to each other: first the kinds of which it has a copy, then those of which it has two, and
so on. A kind in one plane is also in those before it.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from service.rules.trumps import TRUMPS
from workers.ai.simulation import bits

#: Cost of a point, and of a further card of the suit, in levels of the discarded card.
_POINT: Final = 2.0
_LENGTH: Final = 0.6
#: All planes of a world.
Planes: TypeAlias = "array[int]"


def add(planes: Planes, at: int, depth: int, card: int) -> None:
    """Add a card to the hand whose `depth` planes begin at `at`.

    Raises:
        ValueError: the hand has all copies of the card.
    """
    bit = bits.one(card)
    for plane in range(at, at + depth):
        if not planes[plane] & bit:
            planes[plane] |= bit
            return
    raise ValueError("too many copies of a card")


def drop(planes: Planes, at: int, depth: int, card: int) -> None:
    """Remove a card from a hand with `depth` planes."""
    bit = bits.one(card)
    last = at + depth - 1
    while last > at and not planes[last] & bit:
        last -= 1
    planes[last] &= ~bit


def size_of(planes: Planes, at: int, depth: int, cards: int) -> int:
    """Return the number of cards of a hand, with copies, that are in a set."""
    total = 0
    for plane in range(at, at + depth):
        held = planes[plane] & cards
        if not held:
            break
        total += bits.count(held)
    return total


def copies_of(planes: Planes, at: int, depth: int, card: int) -> int:
    """Return the number of copies of a card in a hand."""
    bit = bits.one(card)
    copies = 0
    while copies < depth and planes[at + copies] & bit:
        copies += 1
    return copies


def cards_of(planes: Planes, at: int, depth: int, cards: int) -> list[int]:
    """Return the cards of a hand, with copies, that are in a set, ascending."""
    listed: list[int] = []
    cards &= planes[at]
    while cards:
        card = bits.low(cards)
        cards &= cards - 1
        listed += [card] * copies_of(planes, at, depth, card)
    return listed


def planes_of(hands: Sequence[Iterable[int]], depth: int) -> Planes:
    """Return the planes of hands, one after the other."""
    planes = view = array("Q", bytes(8 * depth * len(hands)))
    for number, cards in enumerate(hands):
        for card in cards:
            add(view, number * depth, depth, card)
    return planes


def middle_of(planes: Planes, at: int, depth: int, cards: int) -> int:
    """Return the middle one of those cards of a hand, with copies, that are in a set: the lower one of two."""
    before = (size_of(planes, at, depth, cards) - 1) // 2
    cards &= planes[at]
    while True:
        card = bits.low(cards)
        before -= copies_of(planes, at, depth, card)
        if before < 0:
            return card
        cards &= cards - 1


class Picking:
    """Picks cards of sets, which must not be empty.

    Attributes:
        depth: number of planes of a hand.
        suits: suit group -> its cards.
        rich, richest: cards with points, and those with most.
        level, points: index -> strength within the group, and card points.
        picked: cards picked.
    """

    def __init__(self, depth: int, suits: Planes, rich: int, richest: int, level: Planes, points: Planes) -> None:
        self.depth, self.suits, self.rich, self.richest, self.level, self.points = (
            depth, suits, rich, richest, level, points,
        )  # fmt: skip
        self.picked = array("i", [0] * 16)
        #: A hand without the cards picked so far.
        self._rest = array("Q", [0] * depth)

    def cheapest(self, cards: int) -> int:
        """Return the lowest card without points, or the lowest of those with fewest."""
        poor = cards & ~self.rich
        return bits.low(poor or cards & ~self.richest or cards)

    def most_points(self, cards: int) -> int:
        """Return the lowest of the cards with most points."""
        return bits.low(cards & self.richest or cards & self.rich or cards)

    def cheap(self, cards: int, twice: int) -> int:
        """Pick the cards worth giving, the lowest of each class, and return their number.

        The classes are: without points; with most points; with points; without points and not in a pair.

        Args:
            cards: the cards.
            twice: cards of which the hand has several copies.
        """
        picked, rich, poor = self.picked, cards & self.rich, cards & ~self.rich
        first = self.cheapest(cards)
        picked[0] = first
        number = 1
        if rich:
            most, least = self.most_points(rich), bits.low(rich)
            if most != first:
                picked[number] = most
                number += 1
            if least not in (first, most):
                picked[number] = least
                number += 1
        poor &= ~twice
        if poor and bits.low(poor) != first:
            picked[number] = bits.low(poor)
            number += 1
        return number

    def discard(self, planes: Planes, at: int, feed: bool) -> int:
        """Return the card that a hand discards when it cannot follow: side cards first, with points for a mate."""
        best, value = -1, -1000.0
        for group in range(TRUMPS):
            suit = planes[at] & self.suits[group]
            if suit:
                card = self.most_points(suit) if feed else self.cheapest(suit)
                points = self.points[card]
                score = (points if feed else -points) * _POINT - self.level[card]
                score -= _LENGTH * size_of(planes, at, self.depth, suit)
                if score > value:
                    best, value = card, score
        if best >= 0:
            return best
        trumps = planes[at] & self.suits[TRUMPS]
        return self.most_points(trumps) if feed else self.cheapest(trumps)

    def discards(self, planes: Planes, at: int, kept: int, number: int, feed: bool) -> list[int]:
        """Return so many cards to discard from a hand, in that order, none of them in the set `kept`."""
        rest = self._rest
        for plane in range(self.depth):
            rest[plane] = planes[at + plane] & ~kept
        cards: list[int] = []
        while len(cards) < number:
            card = self.discard(rest, 0, feed)
            cards.append(card)
            drop(rest, 0, self.depth, card)
        return cards
