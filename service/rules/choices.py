"""Legal plays: a cheap one, a random one, all of them."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, compress
from random import Random
from typing import Final

from service.rules.cards import KINDS, POINTS
from service.rules.follows import Duty, answer, needed
from service.rules.leads import Lead
from service.rules.trumps import TRUMPS, Order
from service.rules.units import Line, Place, Shape, without

#: Steps of a search for plays, when the caller names no other number: some milliseconds at the very worst.
BUDGET: Final = 4_000
#: Steps that it costs to see whether units fit.
_FITTING: Final = 20

Play = tuple[int, ...]


@lru_cache(maxsize=256)
def _by_cost(order: Order) -> Play:
    """Return all kinds from the cheapest to the dearest: by card points, then side suits first, then low first."""
    return tuple(
        sorted(range(KINDS), key=lambda kind: (POINTS[kind], order.group_of[kind] == TRUMPS, order.level_of[kind]))
    )


def cheapest_lead(order: Order, hand: Sequence[int]) -> Play:
    """Return the single card that costs least."""
    return _take(order, hand, 1)


def _take(order: Order, counts: Sequence[int], number: int) -> Play:
    """Return the cards that cost least."""
    taken: list[int] = []
    for kind in _by_cost(order):
        if counts[kind]:
            taken += [kind] * counts[kind]
            if len(taken) >= number:
                break
    return tuple(taken[:number])


def cheapest_follow(order: Order, line: Line, hand: Sequence[int], lead: Lead, duty: Duty) -> Play:
    """Return a legal follow of low cards; without card points if there is one."""
    held = order.suit_counts(hand, lead.group)
    left = list(hand)
    played: list[int] = []
    if sum(held) <= lead.size:
        played = [kind for kind in line.kinds for _ in range(left[kind])]
        for kind in line.kinds:
            left[kind] = 0
    else:
        need = needed(line, held, lead.size, lead.shapes, duty)
        plain = [0 if POINTS[kind] else count for kind, count in zip(line.kinds, held, strict=True)]
        placed = line.fit(plain, need, duty.protect_larger) if sum(plain) >= lead.size else None
        if placed is None:
            placed = line.fit(held, need, duty.protect_larger)
        for width, place in placed or ():
            for slot in place:
                kind = line.kinds[slot]
                played += [kind] * width
                left[kind] -= width
        suited, left = left, [0] * KINDS
        for kind in line.kinds:
            left[kind] = suited[kind]
    return (*played, *_take(order, left, lead.size - len(played)))


def random_lead(order: Order, lines: Sequence[Line], hand: Sequence[int], random: Random) -> Play:
    """Return one of the hand's units, each as likely as the others."""
    kinds = list(compress(range(KINDS), hand))
    tuples = [(kind, width) for kind in kinds if hand[kind] > 1 for width in range(2, hand[kind] + 1)]
    tractors: list[Play] = []
    if len(tuples) > 1:
        groups = [order.group_of[kind] for kind, width in tuples if width == 2]
        for group in set(groups):
            if groups.count(group) > 1:
                tractors += _tractors(lines[group], order.suit_counts(hand, group))
    number = int(random.random() * (len(kinds) + len(tuples) + len(tractors)))
    if number < len(kinds):
        return (kinds[number],)
    number -= len(kinds)
    if number < len(tuples):
        kind, width = tuples[number]
        return (kind,) * width
    return tractors[number - len(tuples)]


def _tractors(line: Line, counts: Sequence[int]) -> list[Play]:
    """Return the cards of all tractors among the cards of a suit."""
    return [
        line.unit(width, place).cards
        for width in range(2, max(counts) + 1)
        for length in range(2, line.longest(counts, width, len(counts)) + 1)
        for place in line.places(counts, (width, length))
    ]


def random_follow(order: Order, line: Line, hand: Sequence[int], lead: Lead, duty: Duty, *, random: Random) -> Play:
    """Return a legal follow; every one can come up."""
    size = lead.size
    if size == 1:
        options = [kind for kind in line.kinds if hand[kind]] or list(compress(range(KINDS), hand))
        return (options[int(random.random() * len(options))],)
    held = order.suit_counts(hand, lead.group)
    suit_size = sum(held)
    if suit_size <= size:
        played = [kind for kind in line.kinds if hand[kind] for _ in range(hand[kind])]
        group_of, group = order.group_of, lead.group
        others = [kind for kind, count in enumerate(hand) if count and group_of[kind] != group for _ in range(count)]
        return (*played, *_drawn(others, size - suit_size, random))
    left = list(held)
    chosen: list[int] = []
    need = needed(line, held, size, lead.shapes, duty)
    if need == ((size, 1),):
        options = [line.kinds[slot] for (slot,) in line.places(held, need[0], duty.protect_larger)]
        return (options[int(random.random() * len(options))],) * size
    for number, shape in enumerate(need):
        places = line.places(left, shape, duty.protect_larger)
        random.shuffle(places)
        tried = ((place, without(left, shape[0], place)) for place in places)
        place, left = next(
            (place, rest)
            for place, rest in tried
            if line.fit(rest, need[number + 1 :], duty.protect_larger) is not None
        )
        chosen += place * shape[0]
    more = [slot for slot, count in enumerate(left) for _ in range(count)]
    chosen += _drawn(more, size - len(chosen), random)
    return tuple([line.kinds[slot] for slot in chosen])


def _drawn(cards: list[int], number: int, random: Random) -> list[int]:
    """Return random cards, taken out of the list."""
    return [cards.pop(int(random.random() * len(cards))) for _ in range(number)]


class _Search:
    """Plays found so far, within a limit and a budget of steps."""

    def __init__(self, limit: int, budget: int) -> None:
        self.plays: list[Play] = []
        self.limit, self.steps = limit, budget

    def step(self, cost: int = 1) -> bool:
        """Tell whether the search may go on."""
        self.steps -= cost
        return self.steps >= 0

    def run(self, found: Iterator[Sequence[int]]) -> tuple[list[Play], bool]:
        """Take plays down; return them and whether they are all."""
        for play in found:
            if len(self.plays) == self.limit or not self.step():
                return self.plays, False
            self.plays.append(tuple(sorted(play)))
        return self.plays, self.steps >= 0


class _Sets:
    """All sets of `size` cards that contain the units needed, none twice, low cards first.

    From the highest slot down, cards are left out as long as the rest still contains the units. The rest can then
    always be thinned out to the units themselves, save for cards kept above that serve no unit; those are limited.

    Args:
        search: counts the steps; when it has no more, the sets end.
        held: counts of the cards to choose from.
        size: of a set.
        need: shapes of the units.
        answer: where the units lie in some cards, or None.
    """

    def __init__(
        self,
        search: _Search,
        held: Sequence[int],
        size: int,
        need: tuple[Shape, ...] = (),
        answer: Callable[[Sequence[int]], list[tuple[int, Place]] | None] = lambda _counts: [],
    ) -> None:
        self.search, self.held, self.size, self.answer = search, held, size, answer
        #: What is kept of each slot; all of it where nothing is decided yet.
        self.left = list(held)
        #: How many cards are held in a slot and those below.
        self.below = list(accumulate(held))
        #: How many cards may be kept that serve no unit.
        self.free = size - sum(width * length for width, length in need)
        #: Count -> how many of so many identical cards can serve units, at most.
        self.serving = [0]
        for count in range(1, max(held, default=0) + 1):
            served = (width + self.serving[count - width] for width, _ in need if width <= count)
            self.serving.append(max(served, default=0))

    def __iter__(self) -> Iterator[Sequence[int]]:
        """Yield counts; each is changed by what comes after it."""
        used = self._used(self.answer(self.held) or [])
        return self._choose(len(self.held) - 1, sum(self.held) - self.size, 0, used)

    def _choose(self, slot: int, out: int, waste: int, used: list[int]) -> Iterator[Sequence[int]]:
        """Yield the sets that leave `out` of the cards in a slot and below out.

        `waste`: how many cards kept above serve no unit; `used`: how many cards of each slot serve the units for now.
        """
        if out == 0:
            yield self.left
        elif slot >= 0 and self.below[slot] >= out:
            count = self.held[slot]
            for kept, needed_cards in reversed(self._fewer(slot, count - min(count, out), used)):
                wasted = waste + kept - self.serving[kept]
                if not self.search.step():
                    return
                if wasted <= self.free:
                    self.left[slot] = kept
                    yield from self._choose(slot - 1, out - count + kept, wasted, needed_cards)
            self.left[slot] = count

    def _fewer(self, slot: int, least: int, used: list[int]) -> list[tuple[int, list[int]]]:
        """Return from all to the least how many cards of a slot may be kept, and what then serves the units."""
        found = []
        for kept in range(self.held[slot], least - 1, -1):
            self.left[slot] = kept
            if kept < used[slot]:
                places = self.answer(self.left) if self.search.step(_FITTING) else None
                if places is None:
                    break
                used = self._used(places)
            found.append((kept, used))
        return found

    def _used(self, places: list[tuple[int, Place]]) -> list[int]:
        used = [0] * len(self.held)
        for width, place in places:
            for slot in place:
                used[slot] += width
        return used


def _cards(kinds: Sequence[int], counts: Sequence[int]) -> list[int]:
    return [kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]


def follows(
    order: Order, line: Line, hand: Sequence[int], lead: Lead, duty: Duty, *, limit: int, budget: int
) -> tuple[list[Play], bool]:
    """Return distinct legal follows, each ascending by kind, and whether they are all."""
    held = order.suit_counts(hand, lead.group)
    search = _Search(limit, budget)
    if sum(held) <= lead.size:
        suited = _cards(line.kinds, held)
        others = [kind for kind, count in enumerate(hand) if count and order.group_of[kind] != lead.group]
        sets = _Sets(search, [hand[kind] for kind in others], lead.size - len(suited))
        found = (suited + _cards(others, counts) for counts in sets)
    else:
        need = needed(line, held, lead.size, lead.shapes, duty)
        sets = _Sets(search, held, lead.size, need, lambda left: answer(line, held, left, need, duty))
        found = (_cards(line.kinds, counts) for counts in sets)
    plays, complete = search.run(found)
    if not plays and limit > 0:
        plays.append(tuple(sorted(cheapest_follow(order, line, hand, lead, duty))))
    return plays, complete


def leads(
    order: Order, lines: Sequence[Line], hand: Sequence[int], same_count: bool, *, limit: int, budget: int
) -> tuple[list[Play], bool]:
    """Return distinct cards to lead, every unit first and then throws, each ascending by kind, and whether all."""
    search = _Search(limit, budget)
    suits = [(line, order.suit_counts(hand, group)) for group, line in enumerate(lines)]
    units = {tuple(sorted(play)): None for line, counts in suits if any(counts) for play in _tractors(line, counts)}

    def found() -> Iterator[Sequence[int]]:
        for kind, count in enumerate(hand):
            yield from ((kind,) * width for width in range(1, count + 1))
        yield from units
        for line, counts in suits:
            for size in range(2, sum(counts) + 1):
                for chosen in _Sets(search, counts, size):
                    several = len(set(chosen) - {0}) > 1
                    if chosen.count(0) == len(chosen) - 1 or (several and same_count):
                        continue
                    play = tuple(sorted(_cards(line.kinds, chosen)))
                    if several or play not in units:
                        yield play

    return search.run(found())
