"""Cards as indices: a small number for each kind, ascending by suit group and strength.

A set of kinds is a number with a bit for each index (`bits`). A simulated hand is several such sets, its planes: the
kinds of which it has a copy, those of which it has a second copy, and so on. Lowest, highest and pairs of a suit are
then found without a loop.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from operator import and_, eq, le, lt
from typing import Final

from service.rules.cards import POINTS
from service.rules.trumps import Order

#: Highest card points of a card.
_MOST_POINTS: Final = 10


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
        suits: suit group -> its cards.
        rich, richest: cards with points, and those with most.
        above: index -> cards of the group with a higher index.
        higher: index -> cards of the group that are stronger; `equals`: those that are not weaker.
    """

    __slots__ = (
        "above", "equals", "first", "group", "higher", "index", "kind", "level", "order", "points", "rich", "richest",
        "suits",
    )  # fmt: skip

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
        self.rich = _where(self.points, partial(lt, 0))
        self.richest = _where(self.points, partial(eq, _MOST_POINTS))
        of_suit = [_where(self.group, partial(eq, group)) for group in range(len(self.first))]
        self.suits, own = array("Q", of_suit), [of_suit[group] for group in self.group]
        self.above = array("Q", [cards & -2 << index for index, cards in enumerate(own)])
        self.higher, self.equals = (
            array("Q", map(and_, own, [_where(self.level, partial(than, level)) for level in self.level]))
            for than in (lt, le)
        )

    def listed(self, counts: Sequence[int]) -> list[int]:
        """Return the cards of a hand of 54 counts, ascending."""
        return [each for each, kind in enumerate(self.kind) for _ in range(counts[kind])]

    def counts(self, cards: Iterable[int]) -> list[int]:
        """Return cards as 54 counts."""
        counts = [0] * len(self.kind)
        for index in cards:
            counts[self.kind[index]] += 1
        return counts

    def indices_of(self, kinds: Iterable[int]) -> list[int]:
        """Return the indices of cards, ascending."""
        return sorted([self.index[kind] for kind in kinds])

    def kinds_of(self, indices: Iterable[int]) -> list[int]:
        """Return the kinds of indices, in their order."""
        return [self.kind[index] for index in indices]


def _where(properties: Sequence[int], test: Callable[[int], bool]) -> int:
    """Return the cards whose property passes a test."""
    return sum(1 << index for index, each in enumerate(properties) if test(each))


@lru_cache(maxsize=256)
def indices_for(order: Order) -> CardIndices:
    """Return the indices of a ranking, cached."""
    return CardIndices(order)
