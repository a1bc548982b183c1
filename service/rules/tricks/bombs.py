"""Bombs: four or more identical cards that beat everything else (`docs/rules.md` §8)."""

from collections.abc import Sequence
from typing import Final

from service.rules.cards import CARDS, RANKS
from service.rules.trumps import TRUMPS, Order

#: Fewest cards of a bomb.
LEAST: Final = 4
#: What is compared: trumps over side suits, then the ranking of the trumps or the rank alone.
Strength = tuple[bool, int]


def bomb_strength(order: Order, play: Sequence[int]) -> Strength | None:
    """Return the strength of a play that is a bomb, else None."""
    if len(play) < LEAST or play.count(play[0]) < len(play):
        return None
    kind = play[0]
    if order.group_of[kind] == TRUMPS:
        return True, order.level_of[kind]
    return False, RANKS.index(CARDS[kind][0])
