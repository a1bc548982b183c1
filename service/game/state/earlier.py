"""The tricks of a round before the last one: kept so that AI players know who played what, as people may know it.

A trick is kept as a list of numbers, since the state is written with every move: its leader, 1 if the lead was forced
by a throw that failed, else 0, and the kinds of all plays in order. All plays of a trick have the same number of cards.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from service.game.state.types import Cards, Trick

Packed: TypeAlias = list[int]


class EarlierTrick(NamedTuple):
    """A complete trick.

    Attributes:
        leader: the seat that led.
        forced: the lead was forced by a throw that failed.
        plays: cards of each seat, in order of play.
    """

    leader: int
    forced: bool
    plays: list[Cards]


def packed(trick: Trick) -> Packed:
    """Return a trick as it is kept."""
    plays = trick["plays"]
    throw = plays[0]["throw"]
    forced = throw is not None and not throw["ok"]
    return [trick["leader"], int(forced), *[kind for play in plays for kind in play["cards"]]]


def unpacked(trick: Sequence[int], players: int) -> EarlierTrick:
    """Return what `packed` has kept."""
    leader, forced, *cards = trick
    size = len(cards) // players
    return EarlierTrick(leader, bool(forced), [cards[at : at + size] for at in range(0, len(cards), size)])
