"""Choosing the cards to bury: empty a side suit, keep trumps, and bury few points."""

from itertools import combinations

from service.rules.cards import POINTS, Counts
from service.rules.trumps import TRUMPS, Order
from workers.ai.odds import Odds
from workers.ai.worth import Worth

#: Value of an empty side suit: every lead of it can be ruffed.
VOID_BONUS = 6.0
#: Cost of burying a point: the attackers win about every third kitty, and its points then count double or more.
POINT_RISK = 0.9


def bury(hand: Counts, size: int, order: Order, deck: Counts) -> list[int]:
    """Return the cards to bury.

    Tries every combination of side suits that can be emptied, and fills the rest of the kitty with the cards whose loss
    costs least.

    Args:
        hand: the hand, including the kitty.
        size: number of cards to bury.
        order: ranking of the round.
        deck: all cards of the game.
    """
    elsewhere = [copies - held for copies, held in zip(deck, hand, strict=True)]
    worth = Worth(Odds(order, elsewhere, [0] * len(order.groups)))
    suits = [
        [kind for kind in order.groups[group] for _ in range(hand[kind])]
        for group in range(len(order.groups))
        if group != TRUMPS
    ]
    trumps = sum(hand[kind] for kind in order.groups[TRUMPS])
    # An empty suit is worth little to a hand with few trumps to ruff with.
    bonus = VOID_BONUS * min(1.0, trumps / (2.0 + size))
    best: list[int] = []
    best_loss = float("inf")
    short = [suit for suit in suits if suit and len(suit) <= size]
    for number in range(len(short) + 1):
        for emptied in combinations(short, number):
            chosen = [kind for suit in emptied for kind in suit]
            if len(chosen) <= size:
                left = list(hand)
                for kind in chosen:
                    left[kind] -= 1
                chosen += _cheapest(left, size - len(chosen), worth)
                loss = _loss(hand, chosen, worth) - bonus * number
                if loss < best_loss:
                    best, best_loss = chosen, loss
    return best


def _cheapest(left: Counts, wanted: int, worth: Worth) -> list[int]:
    """Return `wanted` cards of a hand, picking the cheapest one each time, and take them out of `left`."""
    chosen = []
    prices = {kind: _price(kind, left[kind], worth) for kind in range(len(left)) if left[kind]}
    for _ in range(wanted):
        kind = min(prices, key=lambda kind: (prices[kind], kind))
        chosen.append(kind)
        left[kind] -= 1
        if left[kind]:
            prices[kind] = _price(kind, left[kind], worth)
        else:
            del prices[kind]
    return chosen


def _price(kind: int, held: int, worth: Worth) -> float:
    return worth.of(kind, held) - worth.of(kind, held - 1) + POINT_RISK * POINTS[kind]


def _loss(hand: Counts, chosen: list[int], worth: Worth) -> float:
    used: dict[int, int] = {}
    for kind in chosen:
        used[kind] = used.get(kind, 0) + 1
    return worth.price(hand, used) + POINT_RISK * sum(POINTS[kind] for kind in chosen)
