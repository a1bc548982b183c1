"""The possible leads of a hand: its units, rainbows and throws."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from random import Random

from service.rules.cards import KINDS
from service.rules.tricks import rainbows
from service.rules.tricks.searches import Play, Search, Sets
from service.rules.tricks.units import Line
from service.rules.tricks.ways import cost_of
from service.rules.trumps import Order


@lru_cache(maxsize=1 << 12)
def _tractors_of(line: Line, counts: tuple[int, ...]) -> tuple[Play, ...]:
    """Return the cards of all tractors in a suit. Cached, since most suits do not change from trick to trick."""
    return tuple([line.unit(width, place).cards for width, place in line.tractors(counts)]) if any(counts) else ()


class LeadChoices:
    """The leads under one trump and one set of options.

    Args:
        order: the ranking.
        lines: the line of each group.
        rainbow: fewest cards of a rainbow; None: there are no rainbows.
    """

    def __init__(self, order: Order, lines: Sequence[Line], rainbow: int | None) -> None:
        self._order, self._lines, self._rainbow = order, lines, rainbow

    def cheapest(self, hand: Sequence[int]) -> Play:
        """Return the cheapest single card."""
        return (min(compress(range(KINDS), hand), key=cost_of(self._order).__getitem__),)

    def random(self, hand: Sequence[int], random: Random) -> Play:
        """Return a random unit; every unit is possible. The rainbows of a rank together count as one choice."""
        kinds = list(compress(range(KINDS), hand))
        pairs = [kind for kind in kinds if hand[kind] > 1]
        tuples = [(kind, width) for kind in pairs for width in range(2, hand[kind] + 1)]
        tractors: list[Play] = []
        if len(pairs) > 1:
            groups = [self._order.group_of[kind] for kind in pairs]
            for group in set(groups):
                if groups.count(group) > 1:
                    tractors += self._tractors(group, hand)
        ranks = [] if self._rainbow is None else rainbows.ranks_to_lead(self._order, hand, self._rainbow)
        number = int(random.random() * (len(kinds) + len(tuples) + len(tractors) + len(ranks)))
        if number < len(kinds):
            return (kinds[number],)
        number -= len(kinds)
        if number < len(tuples):
            kind, width = tuples[number]
            return (kind,) * width
        number -= len(tuples)
        if number < len(tractors):
            return tractors[number]
        return rainbows.random_rainbow(hand, ranks[number - len(tractors)], self._rainbow or 0, random)

    def plays(
        self, hand: Sequence[int], throws: Callable[[Play], bool] | None, limit: int, budget: int
    ) -> tuple[list[Play], bool]:
        """Return distinct leads, first all units and then throws, and whether they are all.

        Each is in ascending order of kinds.

        Args:
            hand: counts.
            throws: returns whether a throw may be led; None: throws are not allowed.
            limit: most leads.
            budget: most steps of the search.
        """
        search = Search(limit, budget)

        def candidates() -> Iterator[Sequence[int]]:
            for kind, count in enumerate(hand):
                yield from ((kind,) * width for width in range(1, count + 1))
            units = {tuple(sorted(play)) for group in range(len(self._lines)) for play in self._tractors(group, hand)}
            yield from sorted(units)
            yield from self._rainbows(hand)
            if throws is not None:
                for play in self._several(search, hand):
                    if play not in units and throws(play):
                        yield play

        return search.run(candidates())

    def _tractors(self, group: int, hand: Sequence[int]) -> tuple[Play, ...]:
        """Return the cards of all tractors that a hand holds in a suit."""
        return _tractors_of(self._lines[group], self._order.suit_counts(hand, group))

    def _rainbows(self, hand: Sequence[int]) -> Iterator[Play]:
        if self._rainbow is not None:
            for rank in rainbows.ranks_to_lead(self._order, hand, self._rainbow):
                yield from rainbows.rainbows_of(hand, [rank], self._rainbow)

    def _several(self, search: Search, hand: Sequence[int]) -> Iterator[Play]:
        """Yield cards of several kinds of one suit, and rainbows of several ranks, in ascending order of kinds."""
        for group, line in enumerate(self._lines):
            counts = self._order.suit_counts(hand, group)
            for size in range(2, sum(counts) + 1):
                for chosen in Sets(search, counts, size):
                    if chosen.count(0) < len(chosen) - 1:
                        play = [kind for kind, count in zip(line.kinds, chosen, strict=True) for _ in range(count)]
                        yield tuple(sorted(play))
        if self._rainbow is not None:
            ranks = rainbows.ranks_to_lead(self._order, hand, self._rainbow)
            yield from (tuple(sorted(play)) for play in rainbows.rainbow_throws(hand, ranks, self._rainbow))
