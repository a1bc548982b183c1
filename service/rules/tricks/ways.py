"""Ways to follow: sets of legal plays, each of which can return a cheap play, a random play, or all plays."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, repeat
from random import Random
from typing import Final

from service.rules.cards import KINDS, POINTS
from service.rules.tricks.follows import Duty, Need, answer, climb, keeps_rung
from service.rules.tricks.rainbows import plays_of, ranks_in, serve, totals
from service.rules.tricks.searches import Answer, Play, Search, Sets
from service.rules.tricks.units import Line, Place, Shape, without
from service.rules.trumps import TRUMPS, Order

#: With `protect_by_rungs`: random draws before falling back to a search, and limit and budget of that search.
_DRAWS: Final = 20
_LISTED: Final = 60
_STEPS: Final = 1_000


@lru_cache(maxsize=256)
def cost_of(order: Order) -> tuple[int, ...]:
    """Return for each kind how costly it is to play: by card points, then trumps above side suits, then by strength."""
    cheap = sorted(range(KINDS), key=lambda kind: (POINTS[kind], order.group_of[kind] == TRUMPS, order.level_of[kind]))
    costs = [0] * KINDS
    for cost, kind in enumerate(cheap):
        costs[kind] = cost
    return tuple(costs)


class Way:
    """Plays that consist of some fixed cards and any others from a pool.

    Args:
        fixed: kinds that all plays contain.
        kinds: kinds of the pool.
        held: number of cards of each of these kinds.
        number: cards to take from the pool.
    """

    def __init__(self, fixed: Play, kinds: Sequence[int], held: Sequence[int], number: int) -> None:
        self.fixed, self.kinds, self.held, self.number = fixed, kinds, held, number

    def cheapest(self, costs: Sequence[int]) -> Play:
        """Return the cheapest play, without card points if possible."""
        return (*self.fixed, *self._cheapest_of(self.held, self.number, costs))

    def random(self, random: Random) -> Play:
        """Return a random play; every one can come up."""
        if not self.number:
            return self.fixed
        return (*self.fixed, *drawn(self._cards(self.held), self.number, random))

    def plays(self, search: Search) -> Iterator[Sequence[int]]:
        """Yield every play."""
        for counts in Sets(search, self.held, self.number):
            yield (*self.fixed, *self._cards(counts))

    def _cards(self, counts: Sequence[int]) -> list[int]:
        return list(chain.from_iterable(map(repeat, self.kinds, counts)))

    def _cheapest_of(self, counts: Sequence[int], number: int, costs: Sequence[int]) -> list[int]:
        """Return the cheapest cards."""
        return sorted(self._cards(counts), key=costs.__getitem__)[:number]


class UnitsWay(Way):
    """Plays of one suit that contain certain units."""

    def __init__(self, line: Line, held: tuple[int, ...], number: int, need: Need) -> None:
        self.fixed, self.kinds, self.held, self.number = (), line.kinds, held, number
        self.line, self.need = line, need

    def cheapest(self, costs: Sequence[int]) -> Play:
        """Return a play of low cards, without card points if there is one."""
        line, held, need = self.line, self.held, self.need
        plain = [0 if POINTS[kind] else count for kind, count in zip(line.kinds, held, strict=True)]
        placed = line.fit(plain, need.shapes, need.whole) if sum(plain) >= self.number else None
        if placed is None:
            placed = line.fit(held, need.shapes, need.whole)
        left, chosen = list(held), []
        for width, place in placed or ():
            chosen += [line.kinds[slot] for slot in place] * width
            left = without(left, width, place)
        return (*chosen, *self._cheapest_of(left, self.number - len(chosen), costs))

    def random(self, random: Random) -> Play:
        """Return a random play; every one can come up."""
        line, (shapes, whole) = self.line, self.need
        if shapes == ((self.number, 1),):
            slots = line.places(self.held, shapes[0], whole)
            options = [line.kinds[slot] for (slot,) in slots]
            return (options[int(random.random() * len(options))],) * self.number
        left, chosen = list(self.held), list[int]()
        for number, shape in enumerate(shapes):
            places = line.places(left, shape, whole)
            random.shuffle(places)
            tried = ((place, without(left, shape[0], place)) for place in places)
            place, left = next(
                (place, rest) for place, rest in tried if line.fit(rest, shapes[number + 1 :], whole) is not None
            )
            chosen += place * shape[0]
        more = [slot for slot, count in enumerate(left) for _ in range(count)]
        chosen += drawn(more, self.number - len(chosen), random)
        return tuple([line.kinds[slot] for slot in chosen])

    def plays(self, search: Search) -> Iterator[Sequence[int]]:
        """Yield every play."""
        line, held, need = self.line, self.held, self.need
        sets = Sets(search, held, self.number, need.shapes, lambda left: answer(line, held, left, need))
        return map(self._cards, sets)


class RungWay(Way):
    """Plays of one suit that are legal under `protect_by_rungs`."""

    def __init__(self, line: Line, held: tuple[int, ...], number: int, shapes: tuple[Shape, ...], duty: Duty) -> None:
        super().__init__((), line.kinds, held, number)
        self.line, self.shapes, self.duty = line, shapes, duty
        self.whole: tuple[int, ...] = held

    def cheapest(self, costs: Sequence[int]) -> Play:
        """Return a play of low cards, without card points if one is found."""
        plain = [0 if POINTS[kind] else count for kind, count in zip(self.kinds, self.held, strict=True)]
        ways = list(self._built(plain)) or [*self._built(self.held), *self._listed()]
        return min(ways, key=lambda play: (sum([POINTS[kind] for kind in play]), sum([costs[kind] for kind in play])))

    def random(self, random: Random) -> Play:
        """Return a random play; every one can come up."""
        for _ in range(_DRAWS):
            play = tuple(drawn(self._cards(self.held), self.number, random))
            if self._legal(self._counts(play)):
                return play
        return random.choice([*self._built(self.held), *self._listed()])

    def plays(self, search: Search) -> Iterator[Sequence[int]]:
        """Yield every play."""
        for counts in Sets(search, self.whole, self.number, None, self._reached):
            if not search.step():
                return
            if self._legal(tuple(counts)):
                yield self._cards(counts)

    def _built(self, counts: Sequence[int]) -> Iterator[Play]:
        """Yield legal plays from some cards of the hand, first with whole tuples and then with broken ones."""
        line, held = self.line, self.whole
        for exact in (True, False):
            placed = line.fit(counts, climb(line, held, self.shapes, self.duty, exact=exact).shapes, exact)
            for play in self._filled(counts, placed) if placed is not None else ():
                if len(play) == self.number and self._legal(self._counts(play)):
                    yield play

    def _listed(self) -> list[Play]:
        """Return the plays that a short search finds."""
        search = Search(_LISTED, _STEPS)
        return search.run(self.plays(search))[0]

    def _filled(self, counts: Sequence[int], placed: Sequence[tuple[int, Place]]) -> Iterator[Play]:
        """Yield the units, filled up with low cards, and with cards of which there are few copies."""
        left, chosen = list(counts), list[int]()
        for width, place in placed:
            chosen += [self.kinds[slot] for slot in place] * width
            left = without(left, width, place)
        for slots in (range(len(left)), sorted(range(len(left)), key=left.__getitem__)):
            more = [self.kinds[slot] for slot in slots for _ in range(left[slot])]
            yield (*chosen, *more[: self.number - len(chosen)])

    def _counts(self, play: Sequence[int]) -> tuple[int, ...]:
        return tuple([play.count(kind) for kind in self.kinds])

    def _reached(self, left: Sequence[int]) -> Answer:
        line, held = self.line, self.whole
        rung = climb(line, tuple(left), self.shapes, self.duty, exact=False)
        if rung.numbers < climb(line, held, self.shapes, self.duty, exact=True).numbers:
            return None
        return line.fit(left, rung.shapes)

    def _legal(self, played: tuple[int, ...]) -> bool:
        return keeps_rung(self.line, self.whole, played, self.shapes, self.duty)


class RainbowWay(Way):
    """Plays that answer all rainbows of a lead."""

    def __init__(self, hand: Sequence[int], sizes: tuple[int, ...]) -> None:
        super().__init__((), range(KINDS), hand, sum(sizes))
        self.sizes = sizes

    def cheapest(self, costs: Sequence[int]) -> Play:  # noqa: ARG002
        """Return a play of low ranks, without card points if there is one."""
        plain = [0 if POINTS[kind] else count for kind, count in enumerate(self.held)]
        ranks = tuple(ranks_in(plain))
        served = serve(ranks[::-1], self.sizes) or serve(tuple(ranks_in(self.held))[::-1], self.sizes) or ()
        taken = [0] * len(ranks)
        for rank, size in zip(served, self.sizes, strict=False):
            taken[len(ranks) - 1 - rank] += size
        return next(plays_of(self.held, taken))

    def random(self, random: Random) -> Play:
        """Return a random play; every one can come up."""
        held = ranks_in(self.held)
        left, chosen = list(held), [0] * len(held)
        for number, size in enumerate(self.sizes):
            ranks = [rank for rank, count in enumerate(left) if count >= size]
            random.shuffle(ranks)
            for rank in ranks:
                left[rank] -= size
                if serve(tuple(left), self.sizes[number + 1 :]) is not None:
                    chosen[rank] += size
                    break
                left[rank] += size
        cards = []
        for rank, number in enumerate(chosen):
            taken = [0] * rank + [held[rank]]
            cards += drawn(list(next(plays_of(self.held, taken))), number, random) if number else []
        return tuple(cards)

    def plays(self, search: Search) -> Iterator[Sequence[int]]:
        """Yield every play."""
        for taken in totals(ranks_in(self.held), self.sizes, search.step):
            yield from plays_of(self.held, taken)


def drawn(cards: list[int], number: int, random: Random) -> list[int]:
    """Remove random cards from the list and return them."""
    return [cards.pop(int(random.random() * len(cards))) for _ in range(number)]
