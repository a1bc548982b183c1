"""Units: singles, tuples and tractors, and where they can lie among the cards of one suit.

A hand's cards of one suit are a tuple of counts, one slot for each kind, ascending by strength (`Order.suit_counts`).
All questions of shape come down to one: do these units fit, disjointly, into these counts (`Line.fit`)? What a follow
must contain, whether it does and whether it can win are all put to it, so that they cannot disagree.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, repeat
from typing import NamedTuple

from service.rules.trumps import TRUMPS, Order

#: Width and length of a unit: (1, 1) a single, (k, 1) a tuple of k cards, (k, n) a tractor of n tuples.
Shape = tuple[int, int]
#: The slots that a unit lies on, ascending.
Place = tuple[int, ...]


class Unit(NamedTuple):
    """A single, a tuple or a tractor (`rules.md` §2): `length` tuples of `width` identical cards.

    `cards` are kinds, high to low, each as often as the unit has it.
    """

    width: int
    length: int
    cards: tuple[int, ...]


def by_size(shape: Shape) -> tuple[int, int]:
    """Sort key: units are ordered by cards, and at equal cards by width (001 §6.5; `rules.md` §4.3)."""
    return shape[0] * shape[1], shape[0]


@lru_cache(maxsize=1 << 12)
def _split(shapes: tuple[Shape, ...]) -> tuple[tuple[Shape, ...], tuple[int, ...]]:
    """Return the tractors, largest first, and the widths of the tuples, widest first. Singles fit anywhere."""
    tractors = sorted((shape for shape in shapes if shape[1] > 1), key=by_size, reverse=True)
    widths = sorted((width for width, length in shapes if length == 1 and width > 1), reverse=True)
    return tuple(tractors), tuple(widths)


class Line:
    """The cards of one suit in a row, and which of them are consecutive.

    `exact` in its methods: a slot serves only a tuple of as many cards as it has (`protect_larger`); otherwise a slot
    serves several tuples, as far as its cards reach.

    Args:
        order: the ranking.
        group: the suit, or the trumps.
        trump_tractors: `"full"`, or `"suit_only"`: neither jokers nor cards of the trump rank in a tractor (000 l.166).
        equal_rank_tractors: what a tractor takes of several equal kinds: `"no"`: one of them; `"yes"`: any number (003
            l.177); `"no_gap"`: all of them, but at its ends any number (001 §4.1 fn 5).
    """

    def __init__(self, order: Order, group: int, trump_tractors: str, equal_rank_tractors: str) -> None:
        tiers = order.tiers[group]
        if group == TRUMPS and trump_tractors == "suit_only":
            tiers = tiers[: order.plain_tiers]
        self.kinds = order.groups[group]
        self.levels = tuple(order.level_of[kind] for kind in self.kinds)
        self.equal = equal_rank_tractors
        #: Slots of each level that tractors run through, ascending from slot 0.
        self.chain: tuple[Place, ...] = tuple(tuple(order.slot_of[kind] for kind in tier) for tier in tiers)
        #: Every level is one kind, so a tractor is an unbroken row of slots.
        self.simple = all(len(slots) == 1 for slots in self.chain)

    def key(self, place: Place) -> tuple[int, ...]:
        """Return what units of one shape are compared by: their levels from high to low."""
        levels = self.levels
        return tuple([levels[slot] for slot in reversed(place)])

    def unit(self, width: int, place: Place) -> Unit:
        """Return the unit that lies there."""
        cards = chain.from_iterable(repeat(self.kinds[slot], width) for slot in reversed(place))
        return Unit(width, len(place), tuple(cards))

    def places(self, counts: Sequence[int], shape: Shape, exact: bool = False) -> list[Place]:
        """Return every place where a tuple or tractor of that shape can lie."""
        width, length = shape
        usable = [count == width if exact else count >= width for count in counts]
        if length == 1:
            return [(slot,) for slot, use in enumerate(usable) if use]
        if self.simple:
            found, run = [], 0
            for slot in range(len(self.chain)):
                run = run + 1 if usable[slot] else 0
                if run >= length:
                    found.append(tuple(range(slot - length + 1, slot + 1)))
            return found
        open_slots = [tuple([slot for slot in slots if usable[slot]]) for slots in self.chain]
        return [place for start in range(len(open_slots)) for place in self._runs(open_slots, start, length, True)]

    def _runs(self, open_slots: list[Place], level: int, length: int, first: bool) -> Iterator[Place]:
        """Yield the runs of `length` slots from `level` upwards."""
        if level == len(open_slots):
            return
        here = open_slots[level]
        most = min(len(here), length if self.equal != "no" else 1)
        for number in range(1, most + 1):
            inside = not first and number < length
            if self.equal == "no_gap" and inside and number < len(self.chain[level]):
                continue
            for part in combinations(here, number):
                if number == length:
                    yield part
                else:
                    yield from (part + rest for rest in self._runs(open_slots, level + 1, length - number, False))

    def is_run(self, width: int, place: Place) -> bool:
        """Tell whether tuples of a width on these slots, ascending, are one unit."""
        if width == 1 or len(place) == 1:
            return len(place) == 1
        counts = [0] * len(self.kinds)
        for slot in place:
            counts[slot] = width
        return place in self.places(counts, (width, len(place)))

    def longest(self, counts: Sequence[int], width: int, most: int, exact: bool = False) -> int:
        """Return the length of the longest tractor of that width, at most `most`; 0 if there is none."""
        if self.simple:
            best = run = 0
            for slot in range(len(self.chain)):
                if counts[slot] == width if exact else counts[slot] >= width:
                    run += 1
                    best = max(best, run)
                else:
                    run = 0
            return min(best, most) if best > 1 else 0
        most = min(most, sum(count >= width for count in counts))
        return next((length for length in range(most, 1, -1) if self.places(counts, (width, length), exact)), 0)

    def highest(self, counts: Sequence[int], shape: Shape) -> tuple[int, ...]:
        """Return the key of the highest unit of that shape; empty, and so lower than any, if there is none."""
        return max(map(self.key, self.places(counts, shape)), default=())

    def read(self, counts: Sequence[int]) -> list[tuple[int, Place]]:
        """Return (width, place) of the units that these cards are read as, longest first, then high to low.

        Always the longest unit, out of equal kinds the ones with the fewest cards to spare, then again on the rest
        (`rules.md` §4.3).
        """
        left = list(counts)
        units = []
        while (top := max(left)) > 1:
            # At most one width and length is the largest; a tuple is a run of one.
            width, length = max(
                ((width, self.longest(left, width, len(left)) or 1) for width in range(2, top + 1)), key=by_size
            )
            place = max(
                self.places(left, (width, length)),
                key=lambda place: (self.key(place), -sum([left[slot] for slot in place])),
            )
            units.append((width, place))
            for slot in place:
                left[slot] -= width
        units += [(1, (slot,)) for slot in range(len(left) - 1, -1, -1) if left[slot]]
        return units

    def fit(
        self, counts: Sequence[int], shapes: tuple[Shape, ...], exact: bool = False
    ) -> list[tuple[int, Place]] | None:
        """Return (width, place) for each of the tuples and tractors, all disjoint, or None if they do not fit.

        Exact: tries every arrangement before it says None. Singles among the shapes are left out.
        """
        tractors, widths = _split(shapes)
        left = list(counts)
        if not tractors:
            return pack(left, widths, exact)
        found: list[tuple[int, Place]] = []
        failed: set[tuple[int, Place, Place]] = set()

        def place_from(number: int, last: Place) -> bool:
            if number == len(tractors):
                rest = pack(left, widths, exact)
                found.extend(rest or ())
                return rest is not None
            state = (number, last, tuple(left))
            if state in failed:
                return False
            shape = tractors[number]
            width = shape[0]
            # Equal tractors are placed in ascending order: their permutations are one arrangement.
            again = number + 1 < len(tractors) and tractors[number + 1] == shape
            for place in self.places(left, shape, exact):
                if place < last:
                    continue
                for slot in place:
                    left[slot] -= width
                found.append((width, place))
                if place_from(number + 1, place if again else ()):
                    return True
                found.pop()
                for slot in place:
                    left[slot] += width
            failed.add(state)
            return False

        return found if place_from(0, ()) else None


def pack(counts: Sequence[int], widths: Iterable[int], exact: bool) -> list[tuple[int, Place]] | None:
    """Return (width, place) for tuples of these widths, widest first, all disjoint, or None if they do not fit."""
    left = list(counts)
    widths = tuple(widths)
    found: list[tuple[int, Place]] = []

    def pack_from(number: int) -> bool:
        if number == len(widths):
            return True
        width = widths[number]
        options = {count: slot for slot, count in enumerate(left) if (count == width if exact else count >= width)}
        if width in options:
            # Whatever else a slot of exactly this width could serve fits into the room that this tuple leaves free.
            options = {width: options[width]}
        elif widths[-1] == width and options:
            # Only tuples of one width are left, and each slot serves as many as it holds.
            options = dict([options.popitem()])
        for count, slot in options.items():
            left[slot] = count - width
            found.append((width, (slot,)))
            if pack_from(number + 1):
                return True
            found.pop()
            left[slot] = count
        return False

    return found if pack_from(0) else None
