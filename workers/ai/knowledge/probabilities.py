"""The probability that another seat can beat a play.

The pool is the set of cards whose holder is unknown. A seat with `held` cards holds each card of the pool with
probability `held / pool`, independently. Knowledge about played cards and void hands only makes the pool smaller.
"""

from collections.abc import Sequence
from math import comb

from service.rules.trumps import TRUMPS, Order


def at_least(copies: int, wanted: int, probability: float) -> float:
    """Return the probability that a seat holds at least `wanted` of `copies` cards, each with `probability`."""
    if copies < wanted:
        return 0.0
    miss = 1.0 - probability
    return 1.0 - sum(comb(copies, i) * probability**i * miss ** (copies - i) for i in range(wanted))


class Probabilities:
    """Probabilities about the other hands.

    Args:
        order: ranking of the round.
        pool: number of cards of each kind whose holder is unknown (54 counts).
        voids: group -> number of cards in hands known to be void of it.
    """

    __slots__ = ("_known", "in_group", "order", "pool", "room", "size")

    def __init__(self, order: Order, pool: Sequence[int], voids: Sequence[int]) -> None:
        self.order = order
        self.pool = pool
        self.size = max(1, sum(pool))
        #: Group -> number of cards in hands that may hold cards of the group.
        self.room = [max(1, self.size - elsewhere) for elsewhere in voids]
        #: Group -> number of its cards in the pool.
        self.in_group = [sum([pool[kind] for kind in kinds]) for kinds in order.groups]
        self._known: dict[tuple[int, int, int, int, int], float] = {}

    def above(self, group: int, level: int) -> int:
        """Return how many cards of the pool beat a single of `level` in its suit."""
        level_of, pool = self.order.level_of, self.pool
        return sum([pool[kind] for kind in self.order.groups[group] if level_of[kind] > level])

    def holds(self, held: int, group: int, shape: tuple[int, int], level: int) -> float:
        """Return the probability that a hand of `held` cards has a unit of this shape above `level`.

        Args:
            held: number of cards in the hand.
            group: suit group of the unit.
            shape: width and length of the unit.
            level: strength to beat; -1: any.
        """
        key = (held, group, *shape, level)
        probability = self._known.get(key)
        if probability is None:
            probability = self._known[key] = self._holds(*key)
        return probability

    def _holds(self, held: int, group: int, width: int, length: int, level: int) -> float:
        probability = min(1.0, held / self.room[group])
        if width == 1:
            return 1.0 - (1.0 - probability) ** self.above(group, level)
        level_of, pool = self.order.level_of, self.pool
        missing: dict[int, float] = {}  # level -> probability that the hand has no tuple of it
        for kind in self.order.groups[group]:
            if pool[kind] >= width:
                at = level_of[kind]
                missing[at] = missing.get(at, 1.0) * (1.0 - at_least(pool[kind], width, probability))
        none = 1.0
        for top in missing:
            if top > level:
                run = 1.0
                for at in range(top - length + 1, top + 1):
                    run *= 1.0 - missing.get(at, 1.0)
                none *= 1.0 - run
        return 1.0 - none

    def void(self, held: int, group: int) -> float:
        """Return the probability that a hand of `held` cards has none of the suit."""
        return float((1.0 - min(1.0, held / self.room[group])) ** self.in_group[group])

    def trumps(self, held: int, wanted: int) -> float:
        """Return the probability that a hand of `held` cards has at least `wanted` trumps."""
        return at_least(self.in_group[TRUMPS], wanted, min(1.0, held / self.room[TRUMPS]))
