"""Trumps, and the ranking of cards (`docs/rules.md` §3.2).

Every card belongs to one of five groups, the four side suits and the trumps. Strength is compared only within a group.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import Final, NamedTuple

from service.rules.cards import BJ, KIND, KINDS, LJ, RANKS, SUITS
from service.rules.option import Options


class Trump(NamedTuple):
    """The trump rank and the trump suit of a round.

    `suit` None: no trump suit. `rank` None: a level without a trump rank, where only jokers are trumps.
    """

    rank: str | None
    suit: str | None


#: With `red_fives` the highest trumps, ascending.
RED_FIVES: Final = (KIND["5D"], KIND["5H"])
#: Group number of the trumps; 0..3 are the side suits in the order of `SUITS`.
TRUMPS: Final = 4


class Order:
    """The ranking of all cards under one trump.

    Attributes:
        trump: trump rank and suit.
        group_of: kind -> group.
        level_of: kind -> strength within its group; the same for kinds that rank equally.
        slot_of: kind -> index of the kind within its group.
        groups: the kinds of each group, ascending by strength.
        tiers: the same, with kinds that rank equally in one tuple.
        plain_tiers: number of tiers of plain trumps, i.e. neither jokers nor of a rank that is trumps; they come first.
        top_tiers: number of tiers from the little jokers up; they come last.
        display: all kinds in the order in which a hand is shown: trumps, then the side suits, each from high to low.
    """

    __slots__ = (
        "_counts",
        "_displayed",
        "display",
        "group_of",
        "groups",
        "level_of",
        "plain_tiers",
        "slot_of",
        "tiers",
        "top_tiers",
        "trump",
    )

    def __init__(self, trump: Trump, twos_always_trump: bool, red_fives: bool) -> None:
        # Ascending: the trump rank is above the twos, which are trumps too with `twos_always_trump`.
        special = [rank for rank in dict.fromkeys(("2" if twos_always_trump else None, trump.rank)) if rank]

        top = (LJ, BJ, *RED_FIVES) if red_fives else (LJ, BJ)

        def suit_cards(suit: str) -> list[tuple[int, ...]]:
            return [(kind,) for rank in RANKS if rank not in special and (kind := KIND[rank + suit]) not in top]

        def special_cards(rank: str, suits: Iterable[str]) -> list[tuple[int, ...]]:
            kinds = tuple(kind for suit in suits if (kind := KIND[rank + suit]) not in top)
            return [kinds] if kinds else []

        trumps = suit_cards(trump.suit) if trump.suit else []
        self.plain_tiers = len(trumps)
        for rank in special:
            # A hand shows equal cards in the order S, H, D, C; tiers are ascending, so the order is reversed here.
            trumps += special_cards(rank, [suit for suit in reversed(SUITS) if suit != trump.suit])
            trumps += special_cards(rank, trump.suit or "")
        trumps += [(kind,) for kind in top]
        self.top_tiers = len(top)

        self.trump = trump
        self.tiers = (*(() if suit == trump.suit else tuple(suit_cards(suit)) for suit in SUITS), tuple(trumps))
        self.groups = tuple(tuple(kind for tier in tiers for kind in tier) for tiers in self.tiers)
        group_of, level_of, slot_of = [0] * KINDS, [0] * KINDS, [0] * KINDS
        for group, tiers in enumerate(self.tiers):
            for level, tier in enumerate(tiers):
                for kind in tier:
                    group_of[kind], level_of[kind] = group, level
            for slot, kind in enumerate(self.groups[group]):
                slot_of[kind] = slot
        self.group_of, self.level_of, self.slot_of = tuple(group_of), tuple(level_of), tuple(slot_of)
        self.display = tuple(kind for group in (TRUMPS, 0, 1, 2, 3) for kind in reversed(self.groups[group]))
        self._displayed = itemgetter(*self.display)
        # The side group of the trump suit is empty, and `itemgetter` needs at least one index.
        self._counts = tuple(itemgetter(*kinds) if kinds else (lambda _hand: ()) for kinds in self.groups)

    def suit_counts(self, hand: Sequence[int], group: int) -> tuple[int, ...]:
        """Return the hand's counts of the kinds of a group, ascending by strength."""
        counts: tuple[int, ...] = self._counts[group](hand)
        return counts

    def sort_hand(self, counts: Sequence[int]) -> list[int]:
        """Return the cards of a hand as kinds in display order, each as often as held."""
        held = self._displayed(counts)
        return list(chain.from_iterable(map(repeat, compress(self.display, held), filter(None, held))))

    def name_of(self, group: int) -> str:
        """Return `"trumps"` or the letter of a side suit."""
        return "trumps" if group == TRUMPS else SUITS[group]


@lru_cache(maxsize=256)
def order_of(trump: Trump, twos_always_trump: bool = False, red_fives: bool = False) -> Order:
    """Return the ranking under a trump, cached."""
    return Order(trump, twos_always_trump, red_fives)


def ranking(trump: Trump, options: Options) -> Order:
    """Return the ranking under a trump with these options; those of Arm's Length do not affect it."""
    return order_of(trump, options.get("twos_always_trump", False), options.get("red_fives", False))
