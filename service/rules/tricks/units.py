"""Units: singles, tuples and tractors, and finding them among the cards of one suit.

A hand's cards of one suit are a tuple of counts, one slot for each kind, ascending by strength (`Order.suit_counts`).
All questions of shape are answered by one search (`Line.fit`): do these units fit into these counts without
overlapping? It decides what a follow must contain, whether it does, and whether it can win, so the answers are
consistent.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, repeat
from typing import NamedTuple

from service.common.errors import TooComplex
from service.rules.trumps import TRUMPS, Order

#: Width and length of a unit: (1, 1) is a single, (k, 1) a tuple of k cards, (k, n) a tractor of n tuples.
Shape = tuple[int, int]
#: Most dead ends in a search for places. Hands of real tables stay far below: a few hundred at worst.
MOST_STATES = 2_000
#: The slots of a unit, ascending.
Place = tuple[int, ...]


class Unit(NamedTuple):
    """A single, a tuple or a tractor: `length` tuples of `width` identical cards (`docs/rules.md` §6.1).

    `cards` are kinds from high to low, each repeated `width` times.
    """

    width: int
    length: int
    cards: tuple[int, ...]


def by_size(shape: Shape) -> tuple[int, int]:
    """Return a sort key of shapes: the number of cards, then the width (`docs/rules.md` §6.1)."""
    return shape[0] * shape[1], shape[0]


class _Demand(NamedTuple):
    """Units to be fitted, without singles, which fit anywhere.

    Attributes:
        tractors: shapes, largest first.
        widths: of the tuples, widest first.
        bounds: number of tractors placed -> a bound for each width among the remaining units: the width, how many
            tuples
            of it they contain if wider tuples are split, and how many tuples of exactly this width.
    """

    tractors: tuple[Shape, ...]
    widths: tuple[int, ...]
    bounds: tuple[tuple[tuple[int, int, int], ...], ...]


@lru_cache(maxsize=1 << 12)
def _demand(shapes: tuple[Shape, ...]) -> _Demand:
    tractors = sorted((shape for shape in shapes if shape[1] > 1), key=by_size, reverse=True)
    tuples = sorted((shape for shape in shapes if shape[1] == 1 and shape[0] > 1), reverse=True)

    def bounds(units: list[Shape]) -> tuple[tuple[int, int, int], ...]:
        return tuple(
            (
                each,
                sum(width // each * length for width, length in units),
                sum(length for width, length in units if width == each),
            )
            for each in sorted({width for width, _ in units}, reverse=True)
        )

    return _Demand(
        tuple(tractors),
        tuple(width for width, _ in tuples),
        tuple(bounds(tractors[number:] + tuples) for number in range(len(tractors) + 1)),
    )


class TractorRules(NamedTuple):
    """What counts as a tractor (`docs/rules.md` §6.2).

    Attributes:
        trump_tractors: `"full"`: any trumps; `"suit_only"`: only the trump suit, without jokers and the trump rank;
            `"suit_and_jokers"`: as `"suit_only"`, and jokers with what is above them.
        equal_rank_tractors: how many of several kinds that rank equally a tractor can contain: `"apart"`: one;
            `"adjacent"`: any number; `"no_gap"`: all of them, but any number at its ends.
        tractor_min_width: fewest cards of each tuple.
        tractor_min_length: fewest tuples.
    """

    trump_tractors: str
    equal_rank_tractors: str
    tractor_min_width: int = 2
    tractor_min_length: int = 2


class Line:
    """The cards of one group in ascending order, and which of them are consecutive.

    With `exact` in its methods, a tuple must use all cards of its slot (`protect_larger`); otherwise a slot may provide
    several tuples, as far as its cards reach.

    Args:
        order: the ranking.
        group: a side suit or the trumps.
        rules: what counts as a tractor.
        absent: kinds that the game does not have; they leave no gap.
    """

    def __init__(self, order: Order, group: int, rules: TractorRules, absent: frozenset[int] = frozenset()) -> None:
        self.kinds = order.groups[group]
        self.levels = tuple(order.level_of[kind] for kind in self.kinds)
        self.equal = rules.equal_rank_tractors
        self.least_width, self.least_length = rules.tractor_min_width, rules.tractor_min_length
        #: Rows of consecutive levels, each level with its slots, ascending. A tractor lies within one row.
        self._rows = [
            [slots for tier in tiers if (slots := tuple(order.slot_of[kind] for kind in tier if kind not in absent))]
            for tiers in _rows(order, group, rules.trump_tractors)
        ]
        #: Groups of slots whose kinds rank equally.
        self.equal_slots = [slots for row in self._rows for slots in row if len(slots) > 1]
        self._runs: dict[int, list[tuple[int, Place]]] = {}

    def key(self, place: Place) -> tuple[int, ...]:
        """Return the sort key of a unit among units of its shape: its levels from high to low."""
        levels = self.levels
        return tuple([levels[slot] for slot in reversed(place)])

    def unit(self, width: int, place: Place) -> Unit:
        """Return the unit with these slots."""
        cards = chain.from_iterable(repeat(self.kinds[slot], width) for slot in reversed(place))
        return Unit(width, len(place), tuple(cards))

    def runs(self, length: int) -> list[tuple[int, Place]]:
        """Return the slots of every possible tractor of a length, each with its bit mask, ascending."""
        if length not in self._runs:
            longest_first = sorted(
                place
                for row in self._rows
                for level in range(len(row))
                for place in self._runs_from(row[level:], length)
            )
            self._runs[length] = [(sum(1 << slot for slot in place), place) for place in longest_first]
        return self._runs[length]

    def _runs_from(self, row: Sequence[Place], length: int, *, first: bool = True) -> Iterator[Place]:
        """Yield the runs of so many slots from the first level of a row on; `first`: it is the tractor's lowest."""
        if not row:
            return
        here = row[0]
        most = 1 if self.equal == "apart" else min(len(here), length)
        for number in range(1, most + 1):
            inside = not first and number < length
            if self.equal == "no_gap" and inside and number < len(here):
                continue
            for part in combinations(here, number):
                if number == length:
                    yield part
                else:
                    yield from (part + rest for rest in self._runs_from(row[1:], length - number, first=False))

    def places(self, counts: Sequence[int], shape: Shape, exact: bool = False) -> list[Place]:
        """Return every place of a tuple or tractor of this shape, ascending."""
        width, length = shape
        if length == 1:
            return [(slot,) for slot, count in enumerate(counts) if count == width or (count > width and not exact)]
        usable = mask(counts, width, exact)
        return [place for run, place in self.runs(length) if run & usable == run]

    def is_unit(self, width: int, place: Place) -> bool:
        """Return whether tuples of a width on these slots, ascending, are one unit."""
        length = len(place)
        if length == 1:
            return True
        long_enough = width >= self.least_width and length >= self.least_length
        return long_enough and any(place == run for _, run in self.runs(length))

    def longest(self, counts: Sequence[int], width: int, most: int, exact: bool = False) -> int:
        """Return the length of the longest tractor of a width, at most `most`; 1 if there is none."""
        if width < self.least_width:
            return 1
        usable = mask(counts, width, exact)
        for length in range(min(most, usable.bit_count()), self.least_length - 1, -1):
            for run, _ in self.runs(length):
                if run & usable == run:
                    return length
        return 1

    def tractors(self, counts: Sequence[int]) -> list[tuple[int, Place]]:
        """Return (width, place) of every tractor in these counts, narrow and short ones first."""
        return [
            (width, place)
            for width in range(self.least_width, max(counts) + 1)
            for length in range(self.least_length, self.longest(counts, width, len(counts)) + 1)
            for place in self.places(counts, (width, length))
        ]

    def highest(self, counts: Sequence[int], shape: Shape) -> tuple[int, ...]:
        """Return the key of the highest unit of a shape; if there is none, an empty tuple, lower than any key."""
        width, length = shape
        if length > 1:
            return max(map(self.key, self.places(counts, shape)), default=())
        for slot in range(len(counts) - 1, -1, -1):
            if counts[slot] >= width:
                return (self.levels[slot],)
        return ()

    def read(self, counts: Sequence[int]) -> list[tuple[int, Place]]:
        """Return (width, place) of the units that these cards are read as, longest first, then high to low.

        Takes the longest unit first, then the longest among the remaining cards, and so on (`docs/rules.md` §6.1).
        Among kinds that rank equally, it prefers those with the fewest copies.
        """
        left = list(counts)
        units = []
        while (top := max(left)) > 1:
            shapes = ((width, self.longest(left, width, len(left))) for width in range(2, top + 1))
            width, length = max(shapes, key=by_size)
            place = max(
                self.places(left, (width, length)),
                key=lambda place: (self.key(place), -sum([left[slot] for slot in place])),
            )
            units.append((width, place))
            left = without(left, width, place)
        units += [(1, (slot,)) for slot in range(len(left) - 1, -1, -1) if left[slot]]
        return units

    def _normalised(self, counts: Sequence[int]) -> tuple[int, ...]:
        """Return the counts with those of kinds that rank equally sorted, since these kinds are interchangeable."""
        if self.equal_slots:
            counts = list(counts)
            for slots in self.equal_slots:
                for slot, count in zip(slots, sorted([counts[slot] for slot in slots]), strict=True):
                    counts[slot] = count
        return tuple(counts)

    def fit(
        self, counts: Sequence[int], shapes: tuple[Shape, ...], exact: bool = False
    ) -> list[tuple[int, Place]] | None:
        """Return (width, place) of tuples and tractors that do not overlap, or None if they do not fit.

        Tries every arrangement before returning None. Singles among the shapes are ignored.

        Raises:
            TooComplex: more than `MOST_STATES` dead ends.
        """
        tractors, widths, bounds = _demand(shapes)
        left = list(counts)
        failed: set[tuple[int, Place, Place]] = set()

        def place_from(number: int, last: Place, chosen: list[tuple[int, Place]]) -> list[tuple[int, Place]] | None:
            for width, cut, whole in bounds[number]:
                if (left.count(width) < whole) if exact else (sum([count // width for count in left]) < cut):
                    return None
            if number == len(tractors):
                return pack(left, widths, exact, chosen)
            state = (number, last, self._normalised(left))
            if state in failed:
                return None
            shape = tractors[number]
            width = shape[0]
            # Tractors of one shape are placed in ascending order, to try only one of their permutations. This is not
            # valid with kinds that rank equally, which states treat as interchangeable.
            again = not self.equal_slots and number + 1 < len(tractors) and tractors[number + 1] == shape
            for place in self.places(left, shape, exact):
                if place < last:
                    continue
                for slot in place:
                    left[slot] -= width
                placed = place_from(number + 1, place if again else (), [*chosen, (width, place)])
                if placed is not None:
                    return placed
                for slot in place:
                    left[slot] += width
            failed.add(state)
            if len(failed) > MOST_STATES:
                raise TooComplex(budget=MOST_STATES)
            return None

        return place_from(0, (), [])


def _rows(order: Order, group: int, trump_tractors: str) -> list[tuple[tuple[int, ...], ...]]:
    """Return the rows of consecutive tiers within which tractors of a group lie, each ascending."""
    tiers = order.tiers[group]
    if group != TRUMPS or trump_tractors == "full":
        return [tiers]
    plain = tiers[: order.plain_tiers]
    return [plain, tiers[-order.top_tiers :]] if trump_tractors == "suit_and_jokers" else [plain]


def without(counts: Sequence[int], width: int, place: Place) -> list[int]:
    """Return the counts after removing a unit."""
    left = list(counts)
    for slot in place:
        left[slot] -= width
    return left


def mask(counts: Sequence[int], width: int, exact: bool) -> int:
    """Return the slots that can provide a tuple of a width, as bits."""
    usable, bit = 0, 1
    for count in counts:
        if count == width or (count > width and not exact):
            usable |= bit
        bit += bit
    return usable


def pack(
    left: list[int], widths: tuple[int, ...], exact: bool, packed: list[tuple[int, Place]]
) -> list[tuple[int, Place]] | None:
    """Return `packed` with (width, place) of tuples of these widths, widest first, or None if they do not fit.

    `left` are the counts of cards that may be used; it is unchanged on return.
    """
    if not widths:
        return packed
    width = widths[0]
    if widths[-1] == width:
        # All remaining tuples have one width, so each slot provides as many as it can; whole tuples first.
        serving: list[tuple[int, Place]] = [(width, (slot,)) for slot, count in enumerate(left) if count == width]
        if not exact:
            larger = [(slot, count // width) for slot, count in enumerate(left) if count > width]
            serving += [(width, (slot,)) for slot, times in larger for _ in range(times)]
        return packed + serving[: len(widths)] if len(serving) >= len(widths) else None
    slots = {count: slot for slot, count in enumerate(left) if count == width or (count > width and not exact)}
    if width in slots:
        # Using a slot with exactly this many cards is never worse: it leaves no remainder.
        slots = {width: slots[width]}
    for count, slot in slots.items():
        left[slot] = count - width
        placed = pack(left, widths[1:], exact, [*packed, (width, (slot,))])
        left[slot] = count
        if placed is not None:
            return placed
    return None
