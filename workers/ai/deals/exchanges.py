"""Exchanging cards of random deals, so that likely ones are more frequent.

This is the Metropolis algorithm: an exchange that makes a deal likelier is always made, any other with the ratio of the
likelihoods as probability.
"""

import sys
from array import array
from collections.abc import Mapping, Sequence
from itertools import chain
from random import Random
from typing import Final

from workers.ai.deals.beliefs import Beliefs
from workers.ai.simulation import real

#: Number of exchanges tried per hidden card.
TRIES: Final = 3.0
#: A limit of identical cards that no hand reaches.
_UNLIMITED: Final = 99
#: A word of chance has four numbers of so many bits: a pair of places, a card of each, and whether these are exchanged.
_BITS: Final = 16
_ONE: Final = 1 << _BITS


class Exchanges:
    """Exchanges of cards in deals of a view.

    Attributes:
        beliefs: weights of deals.
        numbers: place -> suit group -> number of its cards in the deal, in one array.

    Args:
        beliefs: weights of deals.
        fixed: place -> number of cards at its start that stay.
        rooms: place -> number of its other cards.
        voids: place -> its void suit groups, as bits.
        most: (place, group) -> most identical cards of the group that it can hold.
    """

    def __init__(
        self,
        beliefs: Beliefs,
        fixed: Sequence[int],
        rooms: Sequence[int],
        voids: Sequence[int],
        most: Mapping[tuple[int, int], int],
    ) -> None:
        self.beliefs = beliefs
        places, self._groups, self._kinds = range(len(rooms)), len(beliefs.top), len(beliefs.indices.kind)
        #: The cards of all places, each in a row of the same length.
        self._row = max(map(sum, zip(fixed, rooms, strict=True)))
        self._cards = array("i", [0] * (self._row * len(rooms)))
        self._fixed, self._free = array("i", fixed), array("i", rooms)
        pairs = beliefs.pairs([place for place in places if rooms[place]])
        self._ones, self._others = (array("i", [pair[side] for pair in pairs]) for side in (0, 1))
        self._tries = int(TRIES * (sum(fixed) + sum(rooms))) if pairs else 0
        self._group_of = array("i", beliefs.indices.group)
        self._voids = array("i", voids)
        groups = range(self._groups)
        self._most = array("i", [most.get((place, group), _UNLIMITED) for place in places for group in groups])
        self._limited = bool(most)
        #: Weights, in one array each: place -> index of a card; place -> group -> number of cards; group -> number of
        #: cards in the kitty -> number of those that the burier still holds.
        self._worth = array("d", chain.from_iterable(beliefs.cards))
        self._longest = len(beliefs.counts[0][0])
        self._counts = array("d", chain.from_iterable(chain.from_iterable(beliefs.counts)))
        self._joint = array("d", chain.from_iterable(chain.from_iterable(beliefs.joint)))
        self._joins, self._burier, self._kitty = beliefs.joins, beliefs.burier, len(rooms) - 1
        self.numbers = array("i", [0] * (len(rooms) * self._groups))

    def count(self, places: Sequence[Sequence[int]]) -> None:
        """Count the cards of each group in each place, for `gain`."""
        numbers, group_of, groups = self.numbers, self._group_of, self._groups
        for at in range(len(numbers)):
            numbers[at] = 0
        for place, held in enumerate(places):
            for index in held:
                numbers[place * groups + group_of[index]] += 1

    def settle(self, places: Sequence[list[int]], random: Random) -> None:
        """Exchange cards of a deal.

        Args:
            places: the hands and the kitty, as indices; modified.
            random: source of chance.
        """
        if not self._tries:
            return
        self.count(places)
        self._take(places)
        self._exchange(_words(self._tries, random))
        self._put(places)

    def _take(self, places: Sequence[list[int]]) -> None:
        """Copy the cards of a deal."""
        cards, fixed, free = self._cards, self._fixed, self._free
        for place, held in enumerate(places):
            free[place] = len(held) - fixed[place]
            at = place * self._row
            for index in held:
                cards[at] = index
                at += 1

    def _put(self, places: Sequence[list[int]]) -> None:
        """Copy the cards back."""
        cards = self._cards
        for place, held in enumerate(places):
            at = place * self._row
            for number in range(len(held)):
                held[number] = cards[at + number]

    def _exchange(self, words: "array[int]") -> None:
        """Try an exchange for each word of chance."""
        cards, fixed, free, row, group_of = self._cards, self._fixed, self._free, self._row, self._group_of
        ones, others, voids, worth, kinds = self._ones, self._others, self._voids, self._worth, self._kinds
        number, last = len(ones), _ONE - 1
        for tried in range(self._tries):
            word = words[tried]
            pair = (word & last) * number >> _BITS
            one, other = ones[pair], others[pair]
            at = one * row + fixed[one] + ((word >> 16 & last) * free[one] >> _BITS)
            there = other * row + fixed[other] + ((word >> 32 & last) * free[other] >> _BITS)
            give, get = cards[at], cards[there]
            if give == get:
                continue
            give_group, get_group = group_of[give], group_of[get]
            mine, theirs = one * kinds, other * kinds
            gain = worth[mine + get] - worth[mine + give] + worth[theirs + give] - worth[theirs + get]
            if give_group != get_group:
                if voids[one] >> get_group & 1 or voids[other] >> give_group & 1:
                    continue
                gain += self.gain(one, other, give_group, get_group)
            if gain < 0.0 and (word >> 48) + 0.5 >= _ONE * real.exp(gain):
                continue
            if self._limited and not (self._fits(one, get) and self._fits(other, give)):
                continue
            cards[at], cards[there] = get, give
            if give_group != get_group:
                self._move(one, other, give_group, get_group)

    def gain(self, one: int, other: int, give_group: int, get_group: int) -> float:
        """Return the change in log-likelihood of the group sizes if `one` swaps a card for one of another group.

        Args:
            one, other: places, the kitty only as `other`.
            give_group, get_group: the groups.
        """
        groups = self._groups
        own_give, own_get = one * groups + give_group, one * groups + get_group
        give, get = other * groups + give_group, other * groups + get_group
        gain = self._changes(own_give, -1) + self._changes(own_get, 1) + self._changes(give, 1) + self._changes(get, -1)
        if self._joins:
            buried = 1 if other == self._kitty else 0
            held = -1 if one == self._burier else 1 if other == self._burier else 0
            if buried or held:
                gain += self._joined(give_group, buried, held) + self._joined(get_group, -buried, -held)
        return gain

    def _changes(self, number: int, by: int) -> float:
        """Return the change in log-likelihood if a number of `numbers` changes."""
        at = number * self._longest + self.numbers[number]
        return self._counts[at + by] - self._counts[at]

    def _joined(self, group: int, buried: int, held: int) -> float:
        """Return the change in log-likelihood if the numbers of cards buried and held by the burier change by these."""
        longest, groups = self._longest, self._groups
        hidden = self.numbers[self._kitty * groups + group]
        at = (group * longest + hidden) * longest + self.numbers[self._burier * groups + group]
        return self._joint[at + buried * longest + held] - self._joint[at]

    def _move(self, one: int, other: int, give_group: int, get_group: int) -> None:
        """Count an exchange of cards of two groups."""
        groups = self._groups
        self.numbers[one * groups + give_group] -= 1
        self.numbers[one * groups + get_group] += 1
        self.numbers[other * groups + give_group] += 1
        self.numbers[other * groups + get_group] -= 1

    def _fits(self, place: int, index: int) -> bool:
        """Return whether a place can hold one more card, given its limit of identical ones."""
        cards, first = self._cards, place * self._row
        held = 0
        for at in range(first, first + self._fixed[place] + self._free[place]):
            if cards[at] == index:
                held += 1
        return held < self._most[place * self._groups + self._group_of[index]]


def _words(number: int, random: Random) -> "array[int]":
    """Return words of chance, the same on every machine."""
    words = array("Q", random.randbytes(8 * number))
    if sys.byteorder == "big":
        words.byteswap()
    return words
