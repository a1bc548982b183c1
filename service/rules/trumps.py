"""Trumps, and the ranking of cards (`docs/rules.md` §3.2).

Every card belongs to one of five groups, the four side suits and the trumps. Strength is compared only within a group.
"""

from collections.abc import Container, Iterable, Sequence
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
        self.trump = trump
        self.plain_tiers, self.top_tiers, self.tiers = _tiers_of(trump, twos_always_trump, red_fives)
        self.groups = tuple(tuple(kind for tier in tiers for kind in tier) for tiers in self.tiers)
        self.group_of = _by_kind((kind, group) for group, kinds in enumerate(self.groups) for kind in kinds)
        self.level_of = _by_kind(
            (kind, level) for tiers in self.tiers for level, tier in enumerate(tiers) for kind in tier
        )
        self.slot_of = _by_kind((kind, slot) for kinds in self.groups for slot, kind in enumerate(kinds))
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


def _tiers_of(
    trump: Trump, twos_always_trump: bool, red_fives: bool
) -> tuple[int, int, tuple[tuple[tuple[int, ...], ...], ...]]:
    """Return how many tiers of trumps are plain, how many are at the top, and the tiers of the groups, ascending."""
    # Ascending: the trump rank is above the twos, which are trumps too with `twos_always_trump`.
    special = [rank for rank in dict.fromkeys(("2" if twos_always_trump else None, trump.rank)) if rank]
    top = (LJ, BJ, *RED_FIVES) if red_fives else (LJ, BJ)
    ranks = [rank for rank in RANKS if rank not in special]
    plain = {suit: _tiers([(rank + suit,) for rank in ranks], top) for suit in SUITS}
    trumps = plain.pop(trump.suit) if trump.suit else []
    # A hand shows equal cards in the order S, H, D, C; tiers are ascending, so the order is reversed here.
    others = [suit for suit in reversed(SUITS) if suit in plain]
    names = [[rank + suit for suit in suits] for rank in special for suits in (others, trump.suit or "")]
    all_trumps = (*trumps, *_tiers(names, top), *((kind,) for kind in top))
    return len(trumps), len(top), (*(tuple(plain.get(suit, ())) for suit in SUITS), all_trumps)


def _tiers(names: Iterable[Iterable[str]], top: Container[int]) -> list[tuple[int, ...]]:
    """Return the kinds of cards that rank equally, from the names of those of each tier, without the top trumps."""
    tiers = (tuple(kind for name in tier if (kind := KIND[name]) not in top) for tier in names)
    return [tier for tier in tiers if tier]


def _by_kind(values: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return a value for each kind, from pairs of kind and value."""
    by_kind = dict(values)
    return tuple(by_kind.get(kind, 0) for kind in range(KINDS))


@lru_cache(maxsize=256)
def order_of(trump: Trump, twos_always_trump: bool = False, red_fives: bool = False) -> Order:
    """Return the ranking under a trump, cached."""
    return Order(trump, twos_always_trump, red_fives)


def ranking(trump: Trump, options: Options) -> Order:
    """Return the ranking under a trump with these options; those of Arm's Length do not affect it."""
    return order_of(trump, options.get("twos_always_trump", False), options.get("red_fives", False))
