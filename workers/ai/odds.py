"""How likely another seat beats a play, from the cards that this seat cannot place.

The pool is every card whose holder is unknown: a seat that holds `held` cards has each of them with the same chance,
`held / pool`. That is the whole model; knowing more (what was played, who is void) only makes the pool smaller.
"""

from collections.abc import Sequence
from math import comb

from service.rules.trumps import TRUMPS, Order


def at_least(copies: int, wanted: int, chance: float) -> float:
    """Return the chance that a seat holds `wanted` or more of `copies` cards, each with `chance`."""
    if copies < wanted:
        return 0.0
    miss = 1.0 - chance
    return 1.0 - sum(comb(copies, i) * chance**i * miss ** (copies - i) for i in range(wanted))


class Odds:
    """Chances about the other hands.

    Args:
        order: ranking of the round.
        pool: how many cards of each kind are not placed (54 counts).
        voids: group -> cards in hands that are known to have none of it.
    """

    __slots__ = ("_known", "in_group", "order", "pool", "room", "size")

    def __init__(self, order: Order, pool: Sequence[int], voids: Sequence[int]) -> None:
        self.order = order
        self.pool = pool
        self.size = max(1, sum(pool))
        #: group -> cards among which those of the group lie.
        self.room = [max(1, self.size - elsewhere) for elsewhere in voids]
        #: cards of each suit group in the pool.
        self.in_group = [sum([pool[kind] for kind in kinds]) for kinds in order.groups]
        self._known: dict[tuple[int, int, int, int, int], float] = {}

    def above(self, group: int, level: int) -> int:
        """Return how many cards of the pool beat a single of `level` in its suit."""
        level_of, pool = self.order.level_of, self.pool
        return sum([pool[kind] for kind in self.order.groups[group] if level_of[kind] > level])

    def holds(self, held: int, group: int, shape: tuple[int, int], level: int) -> float:
        """Return the chance that a hand of `held` cards has a unit of this shape above `level`.

        Args:
            held: cards in that hand.
            group: suit group of the unit.
            shape: width and length of the unit.
            level: strength to be beaten; -1: any.
        """
        key = (held, group, *shape, level)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._holds(*key)
        return found

    def _holds(self, held: int, group: int, width: int, length: int, level: int) -> float:
        chance = min(1.0, held / self.room[group])
        if width == 1:
            return 1.0 - (1.0 - chance) ** self.above(group, level)
        level_of, pool = self.order.level_of, self.pool
        missing: dict[int, float] = {}  # level -> chance that no tuple of it is held
        for kind in self.order.groups[group]:
            if pool[kind] >= width:
                at = level_of[kind]
                missing[at] = missing.get(at, 1.0) * (1.0 - at_least(pool[kind], width, chance))
        none = 1.0
        for top in missing:
            if top > level:
                run = 1.0
                for at in range(top - length + 1, top + 1):
                    run *= 1.0 - missing.get(at, 1.0)
                none *= 1.0 - run
        return 1.0 - none

    def void(self, held: int, group: int) -> float:
        """Return the chance that a hand of `held` cards has none of the suit."""
        return float((1.0 - min(1.0, held / self.room[group])) ** self.in_group[group])

    def trumps(self, held: int, wanted: int) -> float:
        """Return the chance that a hand of `held` cards has at least `wanted` trumps."""
        return at_least(self.in_group[TRUMPS], wanted, min(1.0, held / self.room[TRUMPS]))
