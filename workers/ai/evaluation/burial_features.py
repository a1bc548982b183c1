"""Features of the hand left after burying the kitty: names with numbers.

As with plays (`features.py`), the weight of a feature says how much better or worse such hands are than predicted by
card prices.
"""

from collections import Counter
from collections.abc import Sequence

from service.rules.cards import CARDS, POINTS, Counts
from service.rules.trumps import TRUMPS, Order
from workers.ai.evaluation.features import Features, bucket

#: Bounds of buckets: trumps left, and high ones among them, relative to an average hand.
_TRUMPS = (0.8, 1.0, 1.2, 1.45)
_HIGH = (0.7, 1.0, 1.65)
_LENGTHS = (1, 2, 3, 4, 5, 7, 9)
_POINTS = (5, 10, 15, 20, 25, 30, 40)
#: Ranks distinguished in burials.
_RANKS = "AKQJT5"


class BurialFeatures:
    """Values shared by the features of all ways to bury from one hand.

    Args:
        hand: hand with the kitty, 54 counts.
        order: ranking of the round.
        deck: all cards of the game.
        players: number of seats.
    """

    def __init__(self, hand: Counts, order: Order, deck: Counts, players: int) -> None:
        self.hand, self.order = hand, order
        trumps = order.groups[TRUMPS]
        #: Jokers and cards of a rank that is trumps.
        self.high = [kind for kind in trumps if order.level_of[kind] >= order.plain_tiers]
        self.average = sum([deck[kind] for kind in trumps]) / players
        self.average_high = sum([deck[kind] for kind in self.high]) / players

    def features(self, buried: Sequence[int]) -> Features:
        """Return the features of burying these cards."""
        hand, order = self.hand, self.order
        gone = Counter(buried)
        left = [held - gone[kind] for kind, held in enumerate(hand)]
        trumps = bucket(sum([left[kind] for kind in order.groups[TRUMPS]]) / self.average, _TRUMPS)
        high = bucket(sum([left[kind] for kind in self.high]) / self.average_high, _HIGH)
        points = sum([POINTS[kind] for kind in buried])
        values: Features = {
            f"points {bucket(points, _POINTS)} high {high}": 1.0,
            f"points trumps {trumps}": points / 10,
            "points": points / 10,
        }

        def add(name: str) -> None:
            values[name] = values.get(name, 0.0) + 1.0

        for kinds in order.groups[:TRUMPS]:
            held = [left[kind] for kind in kinds]
            if not held:
                continue
            length = bucket(sum(held), _LENGTHS)
            if length or any(hand[kind] for kind in kinds):
                add(f"suit {length} trumps {trumps}")
                add(f"suit {length} top {held[-1]} {held[-2]}")
                add(f"suit {length} pairs {min(3, sum([copies > 1 for copies in held]))}")
        for kind, copies in gone.items():
            if order.group_of[kind] == TRUMPS:
                what = "trump " + str(bucket(len(order.groups[TRUMPS]) - order.slot_of[kind], (3, 5, 7, 10)))
            else:
                what = CARDS[kind][0] if CARDS[kind][0] in _RANKS else "low"
            add(f"buried {what} {copies} of {hand[kind]}")
        return values
