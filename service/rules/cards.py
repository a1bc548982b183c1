"""Cards, and hands as counts.

There are 54 kinds of card. A kind is a small integer; identical cards of several decks are of one kind and have no ids
(`docs/rules.md` §2). A hand is a list of 54 counts, one for each kind. Clients use names ("TS", "LJ").
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from service.common.errors import InvalidRequest

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"
#: kind -> name. Suits of thirteen ranks each from 2 to A, then the little and the big joker.
CARDS: Final[tuple[str, ...]] = (*(rank + suit for suit in SUITS for rank in RANKS), "LJ", "BJ")
#: name -> kind.
KIND: Final[dict[str, int]] = {name: kind for kind, name in enumerate(CARDS)}
KINDS: Final = len(CARDS)
LJ: Final = KIND["LJ"]
BJ: Final = KIND["BJ"]

_POINTS_OF_RANK: Final = {"5": 5, "T": 10, "K": 10}
#: kind -> card points: kings and tens ten, fives five (`docs/rules.md` §3.1).
POINTS: Final[tuple[int, ...]] = tuple(_POINTS_OF_RANK.get(name[0], 0) for name in CARDS)

#: 54 counts, one for each kind.
Counts = list[int]


def kind_of(name: object) -> int:
    """Return the kind of a card name.

    Raises:
        InvalidRequest: there is no such card.
    """
    if isinstance(name, str) and name in KIND:
        return KIND[name]
    raise InvalidRequest(reason="no_such_card", card=name if isinstance(name, str) else repr(name)[:40])


def kinds_of(names: Sequence[Any]) -> list[int]:
    """Return the kinds of card names, in their order. Raises as `kind_of`."""
    try:
        return [KIND[name] for name in names]
    except (KeyError, TypeError):
        return [kind_of(name) for name in names]


def names_of(kinds: Iterable[int]) -> list[str]:
    """Return the names of kinds, in their order."""
    return [CARDS[kind] for kind in kinds]


def counts_of(kinds: Iterable[int]) -> Counts:
    """Return the number of cards of each kind."""
    counts = [0] * KINDS
    for kind in kinds:
        counts[kind] += 1
    return counts


def kinds_in(counts: Sequence[int]) -> list[int]:
    """Return the cards of a hand as kinds in ascending order, each as often as held."""
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


def missing_from(hand: Sequence[int], kinds: Sequence[int]) -> list[int]:
    """Return those of `kinds` that are missing from `hand`, with multiplicity."""
    missing = []
    for at, kind in enumerate(kinds):
        if hand[kind] <= kinds[:at].count(kind):
            missing.append(kind)
    return missing


def absent_from(deck: Iterable[int]) -> frozenset[int]:
    """Return the kinds that are not among these cards."""
    return frozenset(range(KINDS)).difference(deck)


def points_of(kinds: Iterable[int]) -> int:
    """Return the sum of the cards' points."""
    return sum(POINTS[kind] for kind in kinds)
