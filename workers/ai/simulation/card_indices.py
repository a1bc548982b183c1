"""Cards as slots: one small number for each kind, ascending by suit group and strength.

A simulated hand is a list of five lists, one for each suit group, of slots in ascending order; identical cards are
equal numbers next to each other. Lowest, highest and pairs of a suit are then found without looking anything up.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, repeat

from service.rules.cards import POINTS
from service.rules.trumps import Order

#: A hand: for each suit group its slots in ascending order.
SlotHand = list[list[int]]


class Slots:
    """The slots of one ranking.

    Attributes:
        order: the ranking.
        kind: slot -> kind of card.
        slot: kind -> slot.
        first: suit group -> its first slot.
        group: slot -> suit group.
        level: slot -> strength within the group.
        points: slot -> card points.
    """

    __slots__ = ("first", "group", "kind", "level", "order", "points", "slot")

    def __init__(self, order: Order) -> None:
        self.order = order
        self.kind = tuple(kind for kinds in order.groups for kind in kinds)
        slot = [0] * len(self.kind)
        for number, kind in enumerate(self.kind):
            slot[kind] = number
        self.slot = tuple(slot)
        self.first = (0, *accumulate(len(kinds) for kinds in order.groups[:-1]))
        self.group = tuple(order.group_of[kind] for kind in self.kind)
        self.level = tuple(order.level_of[kind] for kind in self.kind)
        self.points = tuple(POINTS[kind] for kind in self.kind)

    def hand(self, counts: Sequence[int]) -> SlotHand:
        """Return a hand of 54 counts as lists of slots."""
        slot = self.slot
        return [[slot[kind] for kind in kinds for _ in repeat(None, counts[kind])] for kinds in self.order.groups]

    def counts(self, hand: SlotHand) -> list[int]:
        """Return a hand as 54 counts."""
        counts = [0] * len(self.kind)
        kind = self.kind
        for suit in hand:
            for slot in suit:
                counts[kind[slot]] += 1
        return counts

    def slots_of(self, kinds: Iterable[int]) -> list[int]:
        """Return the slots of cards, ascending."""
        return sorted([self.slot[kind] for kind in kinds])

    def kinds_of(self, slots: Iterable[int]) -> list[int]:
        """Return the kinds of slots, in their order."""
        return [self.kind[slot] for slot in slots]


@lru_cache(maxsize=256)
def slots_for(order: Order) -> Slots:
    """Return the slots of a ranking, cached."""
    return Slots(order)
