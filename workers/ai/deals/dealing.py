"""Dealing the hidden cards consistently with a seat's view.

Every possible deal can occur, including the true one. Deals respect voids, limits of identical cards, cards shown and
not played, the sizes of hands, and the seat's own kitty. Likely deals are more frequent.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from workers.ai.deals.beliefs import Beliefs
from workers.ai.deals.exchanges import Exchanges
from workers.ai.simulation.card_indices import CardIndices

#: Attempts to repair a deal card by card before a constraint is dropped.
_REPAIRS = 30


class DealConstraints(NamedTuple):
    """A seat's knowledge of the hidden cards.

    Attributes:
        indices: indices of the ranking.
        seat: the seat.
        hand: its hand, 54 counts.
        pool: 54 counts of the cards in unknown places.
        held: number of cards in each hand.
        kitty: number of cards in the kitty if unknown to the seat, else 0.
        buried: kinds in the kitty, if known.
        voids: for each seat, its void suit groups, as bits.
        most_alike: (seat, group) -> most identical cards of the group that it can hold.
        holds: seat -> kinds that it must hold.
    """

    indices: CardIndices
    seat: int
    hand: Sequence[int]
    pool: Sequence[int]
    held: Sequence[int]
    kitty: int
    buried: Sequence[int]
    voids: Sequence[int]
    most_alike: Mapping[tuple[int, int], int]
    holds: Mapping[int, Sequence[int]]


class Deal(NamedTuple):
    """A possible deal.

    Attributes:
        hands: for each seat the indices of its cards, in any order; must not be modified.
        kitty: kinds in the kitty.
    """

    hands: list[list[int]]
    kitty: Sequence[int]


def shuffle(cards: list[int], random: Random) -> None:
    """Shuffle cards in place, with the same result as `Random.shuffle`, in half the time."""
    draw = random.getrandbits
    bits = len(cards).bit_length()
    for at in range(len(cards) - 1, 0, -1):
        if at + 1 < 1 << (bits - 1):
            bits -= 1
        other = draw(bits)
        while other > at:
            other = draw(bits)
        card = cards[at]
        cards[at] = cards[other]
        cards[other] = card


class Dealer:
    """Samples deals of the hidden cards of a seat's view, likely ones more often."""

    def __init__(self, known: DealConstraints, random: Random, beliefs: Beliefs | None = None) -> None:
        self.known, self.random = known, random
        indices = known.indices
        players = len(known.held)
        pool = list(known.pool)
        #: Number of cards to deal to each place: the seats, then the kitty.
        self.rooms = [0 if seat == known.seat else cards for seat, cards in enumerate(known.held)] + [known.kitty]
        self.fixed: list[list[int]] = [[] for _ in range(players + 1)]
        for seat, kinds in known.holds.items():
            if seat != known.seat:
                self._fix(seat, kinds, pool)
        self.voids = [*known.voids, 0]
        self.voids[known.seat] = 0
        self.groups: list[list[int]] = [
            [indices.index[kind] for kind in kinds for _ in range(pool[kind])] for kinds in indices.order.groups
        ]
        places = [place for place, room in enumerate(self.rooms) if room]
        #: Cards of suits with voids, tightest first, and all other cards.
        bound = [
            group
            for group, cards in enumerate(self.groups)
            if cards and any(self.voids[place] >> group & 1 for place in places)
        ]
        self.bound = sorted(bound, key=lambda group: self._room(group) - len(self.groups[group]))
        self.free = [index for group, cards in enumerate(self.groups) if group not in bound for index in cards]
        self.own = indices.listed(known.hand)
        self.exchanges: Exchanges | None = None
        if beliefs is not None:
            fixed = list(map(len, self.fixed))
            self.exchanges = Exchanges(beliefs, fixed, self.rooms, self.voids, known.most_alike)

    def _fix(self, seat: int, kinds: Sequence[int], pool: list[int]) -> None:
        """Take cards that a seat is known to hold out of the pool."""
        for kind in kinds:
            if pool[kind] > 0 and self.rooms[seat] > 0:
                pool[kind] -= 1
                self.rooms[seat] -= 1
                self.fixed[seat].append(self.known.indices.index[kind])

    def _room(self, group: int) -> int:
        return sum(room for place, room in enumerate(self.rooms) if not self.voids[place] >> group & 1)

    def deal(self) -> Deal:
        """Return a possible deal."""
        random, voids = self.random, self.voids
        rooms = self.rooms[:]
        places: list[list[int]] = [cards[:] for cards in self.fixed]
        homeless: list[int] = []
        for group in self.bound:
            cards = self.groups[group][:]
            shuffle(cards, random)
            tickets: list[int] = []
            for place, room in enumerate(rooms):
                if room and not voids[place] >> group & 1:
                    tickets += [place] * room
            drawn = random.sample(tickets, min(len(cards), len(tickets)))
            for place in drawn:
                places[place].append(cards.pop())
                rooms[place] -= 1
            homeless += cards
        rest = self.free[:]
        shuffle(rest, random)
        for place, room in enumerate(rooms):
            if room:
                taken = min(room, len(rest))
                if taken:
                    places[place] += rest[-taken:]
                    del rest[-taken:]
                    rooms[place] -= taken
        homeless += rest
        if homeless:
            self._house(places, rooms, homeless)
        if self.known.most_alike:
            self._part_tuples(places)
        if self.exchanges is not None:
            self.exchanges.settle(places, random)
        return self._finished(places)

    def _house(self, places: list[list[int]], rooms: list[int], homeless: list[int]) -> None:
        """Place cards that fit nowhere: a seat that may hold such a card gives up one that fits into a free place."""
        random, group_of, voids = self.random, self.known.indices.group, self.voids
        for stray in homeless:
            place = next(at for at, room in enumerate(rooms) if room)
            index = stray
            for _ in range(_REPAIRS):
                if not voids[place] >> group_of[index] & 1:
                    break
                givers = [
                    (giver, at)
                    for giver, cards in enumerate(places)
                    if giver != place and not voids[giver] >> group_of[index] & 1
                    for at in range(len(self.fixed[giver]), len(cards))
                ]
                fitting = [(giver, at) for giver, at in givers if not voids[place] >> group_of[places[giver][at]] & 1]
                if not givers:
                    break
                # If no such exchange exists, a random one may open a longer chain.
                giver, at = random.choice(fitting or givers)
                places[giver][at], index = index, places[giver][at]
            places[place].append(index)
            rooms[place] -= 1

    def _part_tuples(self, places: list[list[int]]) -> None:
        """Exchange cards of seats that exceed their limit of identical cards."""
        random, indices = self.random, self.known.indices
        for (seat, group), most in self.known.most_alike.items():
            if seat == self.known.seat:
                continue
            cards = places[seat]
            for _ in range(_REPAIRS):
                suit = [index for index in cards if indices.group[index] == group]
                many = next((index for index in suit if suit.count(index) > most), None)
                if many is None:
                    break
                others = self._takers(places, seat, many, group) or self._takers(places, seat, many, None)
                if not others:
                    break
                place, at = others[int(random.random() * len(others))]
                mine = len(cards) - 1 - cards[::-1].index(many)
                if mine < len(self.fixed[seat]):
                    break
                cards[mine], places[place][at] = places[place][at], many

    def _takers(self, places: list[list[int]], seat: int, many: int, group: int | None) -> list[tuple[int, int]]:
        """Return the cards that a seat may get in exchange for one of too many identical ones, as (place, position).

        Args:
            group: group of the cards; None: any.
        """
        group_of = self.known.indices.group
        return [
            (place, at)
            for place, held in enumerate(places)
            if place != seat and self._may_get(place, many, held)
            for at, index in enumerate(held)
            if at >= len(self.fixed[place])
            and (group is None or group_of[index] == group)
            and index != many
            and self._may_get(seat, index, places[seat])
        ]

    def _finished(self, places: list[list[int]]) -> Deal:
        known = self.known
        buried = places.pop()
        places[known.seat] = self.own
        return Deal(places, known.buried or known.indices.kinds_of(buried))

    def _may_get(self, seat: int, index: int, cards: list[int]) -> bool:
        """Return whether a seat with these cards can hold one more."""
        group = self.known.indices.group[index]
        most = self.known.most_alike.get((seat, group))
        return not self.voids[seat] >> group & 1 and (most is None or cards.count(index) < most)
