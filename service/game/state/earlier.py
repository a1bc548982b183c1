"""The tricks of a round before the last one, stored for AI players, since people may remember them too.

The state is written with every move, so a trick is stored compactly, as a list of numbers: its leader, 1 if the lead
was forced by a failed throw, else 0, and the kinds of all plays in order. All plays of a trick have the same number of
cards.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from service.game.state.types import Cards, Trick

Packed: TypeAlias = list[int]


class EarlierTrick(NamedTuple):
    """A complete trick.

    Attributes:
        leader: the seat that led.
        forced: whether the lead was forced by a failed throw.
        plays: cards of each seat, in order of play.
    """

    leader: int
    forced: bool
    plays: list[Cards]


def packed(trick: Trick) -> Packed:
    """Encode a trick as numbers."""
    plays = trick["plays"]
    throw = plays[0]["throw"]
    forced = throw is not None and not throw["ok"]
    return [trick["leader"], int(forced), *[kind for play in plays for kind in play["cards"]]]


def unpacked(trick: Sequence[int], players: int) -> EarlierTrick:
    """Decode the result of `packed`."""
    leader, forced, *cards = trick
    size = len(cards) // players
    return EarlierTrick(leader, bool(forced), [cards[at : at + size] for at in range(0, len(cards), size)])
