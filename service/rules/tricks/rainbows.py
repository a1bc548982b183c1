"""Rainbows: many cards of one rank, of at least four suits (`docs/rules.md` §6.1).

Suits do not matter when following a rainbow: plays are checked and compared by rank alone, and trumps have no
advantage.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, product, repeat
from random import Random
from typing import Final

from service.common.errors import TooComplex
from service.rules.cards import CARDS, KIND, KINDS, RANKS, SUITS
from service.rules.tricks.units import MOST_STATES, Unit
from service.rules.trumps import Order

#: Group number of a lead of rainbows, which has no suit.
RAINBOW: Final = 5
#: Fewest suits of a rainbow; trumps count as one suit.
_SUITS: Final = 4
#: Probability of taking all cards of a rank after a random choice had too few for a rainbow.
_ENOUGH: Final = 0.1

#: Rank, from 2 to A -> its kinds.
KINDS_OF_RANK: Final[tuple[tuple[int, ...], ...]] = tuple(tuple(KIND[rank + suit] for suit in SUITS) for rank in RANKS)
#: Kind -> index of its rank; `len(RANKS)` for jokers, which are in no rainbow.
RANK_OF: Final[tuple[int, ...]] = tuple(
    RANKS.index(CARDS[kind][0]) if CARDS[kind][0] in RANKS else len(RANKS) for kind in range(KINDS)
)


def ranks_in(counts: Sequence[int]) -> list[int]:
    """Return how many cards of each rank, from 2 to A, a hand has."""
    return [sum([counts[kind] for kind in kinds]) for kinds in KINDS_OF_RANK]


def ranks_of(cards: Sequence[int]) -> list[int]:
    """Return how many of these cards are of each rank, from 2 to A."""
    ranks = [0] * (len(RANKS) + 1)
    for kind in cards:
        ranks[RANK_OF[kind]] += 1
    return ranks[:-1]


def read_rainbows(order: Order, cards: Sequence[int], least: int) -> list[Unit] | None:
    """Return the rainbows that cards make, those with most cards and then of higher rank first; None if they do not.

    Args:
        order: the ranking.
        cards: kinds.
        least: fewest cards of a rainbow.
    """
    by_rank: dict[int, list[int]] = {}
    for kind in cards:
        by_rank.setdefault(RANK_OF[kind], []).append(kind)
    if len(RANKS) in by_rank or not all(
        len(same) >= least and len({order.group_of[kind] for kind in same}) >= _SUITS for same in by_rank.values()
    ):
        return None
    ranks = sorted(by_rank, key=lambda rank: (len(by_rank[rank]), rank), reverse=True)
    return [Unit(len(by_rank[rank]), 1, tuple(sorted(by_rank[rank]))) for rank in ranks]


@lru_cache(maxsize=1 << 12)
def serve(ranks: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return a rank with which each unit is answered, as high as possible from the largest unit on; None if impossible.

    One rank may answer several units.

    Args:
        ranks: number of cards of each rank, from 2 to A.
        sizes: numbers of cards of the units, largest first.

    Raises:
        TooComplex: more than `MOST_STATES` dead ends.
    """
    left = list(ranks)
    failed: set[tuple[int, ...]] = set()

    def place_from(number: int, chosen: tuple[int, ...]) -> tuple[int, ...] | None:
        if number == len(sizes):
            return chosen
        state = (number, *sorted(count for count in left if count >= sizes[-1]))
        if state in failed or sum(state[1:]) < sum(sizes[number:]):
            return None
        size = sizes[number]
        tried = set()
        for rank in range(len(left) - 1, -1, -1):
            # Of ranks with the same number of cards, trying the highest is enough.
            if left[rank] >= size and left[rank] not in tried:
                tried.add(left[rank])
                left[rank] -= size
                placed = place_from(number + 1, (*chosen, rank))
                left[rank] += size
                if placed is not None:
                    return placed
        failed.add(state)
        if len(failed) > MOST_STATES:
            raise TooComplex(budget=MOST_STATES)
        return None

    return place_from(0, ())


def answer_strength(play: Sequence[int], sizes: tuple[int, ...]) -> list[int] | None:
    """Return the ranks with which a play answers rainbows, high to low; None if it does not answer all of them."""
    served = serve(tuple(ranks_of(play)), sizes)
    return None if served is None else sorted(served, reverse=True)


def beatable(units: Sequence[Unit], hands: Sequence[Sequence[int]]) -> list[Unit]:
    """Return the rainbows of a throw that another hand can beat with as many cards of one higher rank."""
    held = [ranks_in(hand) for hand in hands]
    best = [max((ranks[rank] for ranks in held), default=0) for rank in range(len(RANKS))]
    return [unit for unit in units if max(best[RANK_OF[unit.cards[0]] + 1 :], default=0) >= unit.width]


def smallest(units: Sequence[Unit]) -> Unit:
    """Return the rainbow with the fewest cards; on a tie, the one of the lowest rank."""
    return min(units, key=lambda unit: (unit.width, RANK_OF[unit.cards[0]]))


def totals(ranks: Sequence[int], sizes: tuple[int, ...], step: Callable[[], bool]) -> Iterator[tuple[int, ...]]:
    """Yield the different numbers of cards per rank of plays that answer all units, as long as `step` returns true."""
    visited: set[tuple[int, ...]] = set()
    left, taken = list(ranks), [0] * len(ranks)

    def place_from(number: int, first: int) -> Iterator[tuple[int, ...]]:
        if number == len(sizes):
            total = tuple(taken)
            if total not in visited:
                visited.add(total)
                yield total
            return
        size = sizes[number]
        again = number + 1 < len(sizes) and sizes[number + 1] == size
        for rank in range(first, len(left)):
            if left[rank] >= size and step():
                left[rank] -= size
                taken[rank] += size
                yield from place_from(number + 1, rank if again else 0)
                left[rank] += size
                taken[rank] -= size

    return place_from(0, 0)


def plays_of(counts: Sequence[int], taken: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the plays with the given numbers of cards of each rank, from 2 to A."""
    rank = next((rank for rank, number in enumerate(taken) if number), None)
    if rank is None:
        yield ()
        return
    others = [0 if at == rank else number for at, number in enumerate(taken)]
    for part in _parts(counts, KINDS_OF_RANK[rank], taken[rank]):
        yield from (part + rest for rest in plays_of(counts, others))


def _parts(counts: Sequence[int], kinds: Sequence[int], number: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take a number of cards of these kinds."""
    if not kinds:
        if not number:
            yield ()
        return
    first, *others = kinds
    least = max(0, number - sum([counts[kind] for kind in others]))
    for taken in range(least, min(number, counts[first]) + 1):
        yield from ((first,) * taken + rest for rest in _parts(counts, others, number - taken))


def ranks_to_lead(order: Order, counts: Sequence[int], least: int) -> list[int]:
    """Return the ranks that a hand can lead as a rainbow."""
    return [
        rank
        for rank, kinds in enumerate(KINDS_OF_RANK)
        if all(counts[kind] for kind in kinds)
        and sum([counts[kind] for kind in kinds]) >= least
        and len({order.group_of[kind] for kind in kinds}) >= _SUITS
    ]


def rainbows_of(counts: Sequence[int], ranks: Sequence[int], least: int) -> Iterator[tuple[int, ...]]:
    """Yield all leads with one rainbow of each of these ranks."""
    if not ranks:
        yield ()
        return
    held = [range(1, counts[kind] + 1) for kind in KINDS_OF_RANK[ranks[0]]]
    for numbers in product(*held):
        if sum(numbers) >= least:
            part = tuple(chain.from_iterable(map(repeat, KINDS_OF_RANK[ranks[0]], numbers)))
            yield from (part + rest for rest in rainbows_of(counts, ranks[1:], least))


def rainbow_throws(counts: Sequence[int], ranks: Sequence[int], least: int) -> Iterator[tuple[int, ...]]:
    """Yield all throws of rainbows of these ranks."""
    for number in range(2, len(ranks) + 1):
        for chosen in combinations(ranks, number):
            yield from rainbows_of(counts, chosen, least)


def random_rainbow(counts: Sequence[int], rank: int, least: int, random: Random) -> tuple[int, ...]:
    """Return a random rainbow of a rank that has one; every rainbow is possible."""
    kinds = KINDS_OF_RANK[rank]
    while True:
        numbers = [random.randint(1, counts[kind]) for kind in kinds]
        if sum(numbers) >= least:
            return tuple(chain.from_iterable(map(repeat, kinds, numbers)))
        if random.random() < _ENOUGH:
            return tuple(kind for kind in kinds for _ in range(counts[kind]))
