"""Legal plays: a cheap one, a random one, all of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from random import Random
from typing import Final

from service.rules.cards import KINDS, POINTS
from service.rules.follows import Duty, needed
from service.rules.leads import Lead
from service.rules.trumps import TRUMPS, Order
from service.rules.units import Line, Place, Shape, by_size

#: Steps of a search for plays, when the caller names no other number.
BUDGET: Final = 20_000

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
        taken += [kind] * min(counts[kind], number - len(taken))
    return tuple(taken)


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
        left = [count if order.group_of[kind] == lead.group else 0 for kind, count in enumerate(left)]
    return (*played, *_take(order, left, lead.size - len(played)))


def random_lead(order: Order, lines: Sequence[Line], hand: Sequence[int], random: Random) -> Play:
    """Return one of the hand's units, each as likely as the others."""
    kinds = [kind for kind, count in enumerate(hand) if count]
    tuples = [(kind, width) for kind in kinds if hand[kind] > 1 for width in range(2, hand[kind] + 1)]
    tractors: list[Play] = []
    if len(tuples) > 1:
        for group, within in groupby(tuples, key=lambda each: order.group_of[each[0]]):
            if len(list(within)) > 1:
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
    held = order.suit_counts(hand, lead.group)
    suit_size = sum(held)
    if suit_size <= size:
        played = [kind for kind, count in zip(line.kinds, held, strict=True) for _ in range(count)]
        group_of, group = order.group_of, lead.group
        others = [kind for kind, count in enumerate(hand) if count and group_of[kind] != group for _ in range(count)]
        if size - suit_size == 1:
            played.append(others[int(random.random() * len(others))])
            return tuple(played)
        return (*played, *random.sample(others, size - suit_size))
    left = list(held)
    chosen: list[int] = []
    need = needed(line, held, size, lead.shapes, duty)
    for number, shape in enumerate(need):
        places = line.places(left, shape, duty.protect_larger)
        random.shuffle(places)
        for place in places:
            rest = list(left)
            for slot in place:
                rest[slot] -= shape[0]
            if line.fit(rest, need[number + 1 :], duty.protect_larger) is not None:
                chosen += place * shape[0]
                left = rest
                break
    more = [slot for slot, count in enumerate(left) for _ in range(count)]
    chosen += random.sample(more, size - len(chosen))
    return tuple([line.kinds[slot] for slot in chosen])


class _Search:
    """Plays found so far, none twice, within a limit and a budget."""

    def __init__(self, limit: int, budget: int) -> None:
        self.plays: dict[Play, None] = {}
        self.limit, self.steps = limit, budget

    def step(self) -> bool:
        """Tell whether the search may go on."""
        self.steps -= 1
        return self.steps >= 0

    def add(self, play: Play) -> bool:
        """Take a play down; False: the limit or the budget is used up."""
        if not self.step() or (len(self.plays) >= self.limit and play not in self.plays):
            return False
        self.plays[play] = None
        return True


def _picks(kinds: Sequence[int], counts: Sequence[int], number: int) -> Iterator[Play]:
    """Yield every multiset of `number` cards; kinds in the order given."""
    if number == 0:
        yield ()
        return
    kinds = [kind for kind, count in zip(kinds, counts, strict=True) if count]
    counts = [count for count in counts if count]
    room = [0] * (len(counts) + 1)
    for index in range(len(counts) - 1, -1, -1):
        room[index] = room[index + 1] + counts[index]

    def pick(index: int, rest: int) -> Iterator[Play]:
        if rest == 0:
            yield ()
            return
        for taken in range(min(counts[index], rest), max(rest - room[index + 1], 0) - 1, -1):
            for more in pick(index + 1, rest - taken):
                yield (kinds[index],) * taken + more

    if number <= room[0]:
        yield from pick(0, number)


def _cores(
    line: Line, held: Sequence[int], need: tuple[Shape, ...], exact: bool, search: _Search
) -> Iterator[list[int]]:
    """Yield what is left of the suit for every different set of cards that serves the units needed.

    A budget used up ends it; the search then has no steps left.
    """
    need = tuple(sorted(need, key=by_size, reverse=True))
    seen = set()

    def place_from(number: int, left: list[int], last: Place) -> Iterator[list[int]]:
        if number == len(need):
            if tuple(left) not in seen:
                seen.add(tuple(left))
                yield left
            return
        shape = need[number]
        again = number + 1 < len(need) and need[number + 1] == shape
        for place in line.places(left, shape, exact):
            if place < last:
                continue
            if not search.step():
                return
            rest = list(left)
            for slot in place:
                rest[slot] -= shape[0]
            if line.fit(rest, need[number + 1 :], exact) is not None:
                yield from place_from(number + 1, rest, place if again else ())

    return place_from(0, list(held), ())


def follows(
    order: Order, line: Line, hand: Sequence[int], lead: Lead, duty: Duty, *, limit: int, budget: int
) -> tuple[list[Play], bool]:
    """Return distinct legal follows, each ascending by kind, and whether they are all."""
    held = order.suit_counts(hand, lead.group)
    search = _Search(limit, budget)
    if sum(held) <= lead.size:
        suited = [kind for kind, count in zip(line.kinds, held, strict=True) for _ in range(count)]
        others = [0 if order.group_of[kind] == lead.group else count for kind, count in enumerate(hand)]
        found = ((suited, more) for more in _picks(range(KINDS), others, lead.size - len(suited)))
    else:
        need = needed(line, held, lead.size, lead.shapes, duty)
        free = lead.size - sum(width * length for width, length in need)
        found = (
            ([kind for kind, had, has in zip(line.kinds, held, left, strict=True) for _ in range(had - has)], more)
            for left in _cores(line, held, need, duty.protect_larger, search)
            for more in _picks(line.kinds, left, free)
        )
    complete = all(search.add(tuple(sorted((*core, *more)))) for core, more in found)
    return list(search.plays), complete and search.steps >= 0


def leads(
    order: Order, lines: Sequence[Line], hand: Sequence[int], same_count: bool, *, limit: int, budget: int
) -> tuple[list[Play], bool]:
    """Return distinct cards to lead, every unit first and then throws, each ascending by kind, and whether all."""
    search = _Search(limit, budget)
    suits = [(line, order.suit_counts(hand, group)) for group, line in enumerate(lines)]

    def found() -> Iterator[Play]:
        for kind, count in enumerate(hand):
            yield from ((kind,) * width for width in range(1, count + 1))
        for line, counts in suits:
            if any(counts):
                yield from _tractors(line, counts)
        for line, counts in suits:
            for number in range(2, sum(counts) + 1):
                for play in _picks(line.kinds, counts, number):
                    if not same_count or len({play.count(kind) for kind in play}) == 1:
                        yield play
                    elif not search.step():
                        return

    complete = all(search.add(tuple(sorted(play))) for play in found())
    return list(search.plays), complete and search.steps >= 0
