"""Cards as indices: a small number for each kind, ascending by suit group and strength.

A simulated hand is a list of five lists, one for each suit group, of indices in ascending order; identical cards are
equal numbers next to each other. Lowest, highest and pairs of a suit are then found without any lookup.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, repeat

from service.rules.cards import POINTS
from service.rules.trumps import Order

#: A hand: for each suit group its indices in ascending order.
IndexHand = list[list[int]]


class CardIndices:
    """The indices of one ranking.

    Attributes:
        order: the ranking.
        kind: index -> kind of card.
        index: kind -> index.
        first: suit group -> its first index.
        group: index -> suit group.
        level: index -> strength within the group.
        points: index -> card points.
    """

    __slots__ = ("first", "group", "index", "kind", "level", "order", "points")

    def __init__(self, order: Order) -> None:
        self.order = order
        self.kind = tuple(kind for kinds in order.groups for kind in kinds)
        index = [0] * len(self.kind)
        for number, kind in enumerate(self.kind):
            index[kind] = number
        self.index = tuple(index)
        self.first = (0, *accumulate(len(kinds) for kinds in order.groups[:-1]))
        self.group = tuple(order.group_of[kind] for kind in self.kind)
        self.level = tuple(order.level_of[kind] for kind in self.kind)
        self.points = tuple(POINTS[kind] for kind in self.kind)

    def hand(self, counts: Sequence[int]) -> IndexHand:
        """Return a hand of 54 counts as lists of indices."""
        index = self.index
        return [[index[kind] for kind in kinds for _ in repeat(None, counts[kind])] for kinds in self.order.groups]

    def counts(self, hand: IndexHand) -> list[int]:
        """Return a hand as 54 counts."""
        counts = [0] * len(self.kind)
        kind = self.kind
        for suit in hand:
            for index in suit:
                counts[kind[index]] += 1
        return counts

    def indices_of(self, kinds: Iterable[int]) -> list[int]:
        """Return the indices of cards, ascending."""
        return sorted([self.index[kind] for kind in kinds])

    def kinds_of(self, indices: Iterable[int]) -> list[int]:
        """Return the kinds of indices, in their order."""
        return [self.kind[index] for index in indices]


@lru_cache(maxsize=256)
def indices_for(order: Order) -> CardIndices:
    """Return the indices of a ranking, cached."""
    return CardIndices(order)
