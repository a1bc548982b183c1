"""Choosing the cards to bury: empty a side suit, keep trumps, and bury few points."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from service.rules.cards import POINTS, Counts
from service.rules.trumps import TRUMPS, Order
from workers.ai.odds import Odds
from workers.ai.worth import Worth

#: Value of an empty side suit: every lead of it can be ruffed.
VOID_BONUS = 12.0
#: Cost of burying a point: it is lost, and counts double or more, only if the attackers win the last trick.
POINT_RISK = 0.4


#: What else `candidates` tries: costs of burying a point, as if the attackers won the kitty hardly ever, or mostly; and
#: how much less the cards of one suit count, so that it gets shorter.
_OTHER_RISKS = (0.1, 1.2)
_SHORTER = 2.0


def bury(hand: Counts, size: int, order: Order, deck: Counts) -> list[int]:
    """Return the cards to bury: of all `candidates`, those whose loss costs least.

    Args:
        hand: the hand, including the kitty.
        size: number of cards to bury.
        order: ranking of the round.
        deck: all cards of the game.
    """
    return min(_choices(hand, size, order, deck, POINT_RISK), key=_losses(hand, size, order, deck))


def candidates(hand: Counts, size: int, order: Order, deck: Counts) -> list[tuple[int, ...]]:
    """Return different sets of cards to bury, ascending; the one of `bury` first, then by what their loss costs."""
    shorter = [*range(TRUMPS), None]
    choices = [choice for group in shorter for choice in _choices(hand, size, order, deck, POINT_RISK, group)]
    choices += [choice for risk in _OTHER_RISKS for choice in _choices(hand, size, order, deck, risk)]
    best = sorted(choices, key=_losses(hand, size, order, deck))
    usual = sorted(bury(hand, size, order, deck))
    return list(dict.fromkeys(tuple(sorted(choice)) for choice in [usual, *best]))


def _losses(hand: Counts, size: int, order: Order, deck: Counts) -> Callable[[Sequence[int]], float]:
    """Return a function of cards to bury: what their loss costs, less the value of side suits that are emptied."""
    worth = _worth(hand, order, deck)
    trumps = sum(hand[kind] for kind in order.groups[TRUMPS])
    # An empty suit is worth little to a hand with few trumps to ruff with.
    bonus = VOID_BONUS * min(1.0, trumps / (2.0 + size))

    def loss(chosen: Sequence[int]) -> float:
        emptied = sum(
            0 < sum(hand[kind] for kind in kinds) == sum(order.group_of[kind] == group for kind in chosen)
            for group, kinds in enumerate(order.groups[:TRUMPS])
        )
        used = Counter(chosen)
        return worth.price(hand, used) + POINT_RISK * sum(POINTS[kind] for kind in chosen) - bonus * emptied

    return loss


def _worth(hand: Counts, order: Order, deck: Counts) -> Worth:
    elsewhere = [copies - held for copies, held in zip(deck, hand, strict=True)]
    return Worth(Odds(order, elsewhere, [0] * len(order.groups)))


def _choices(
    hand: Counts, size: int, order: Order, deck: Counts, risk: float, shorter: int | None = None
) -> Iterator[list[int]]:
    """Yield for every combination of side suits that can be emptied a set of cards to bury.

    The rest of the kitty is filled with the cards whose loss costs least.

    Args:
        hand, size, order, deck: see `bury`.
        risk: cost of burying a point.
        shorter: a side suit of which rather more is buried.
    """
    worth = _worth(hand, order, deck)

    def price(kind: int, held: int) -> float:
        less = _SHORTER if order.group_of[kind] == shorter else 0.0
        return worth.of(kind, held) - worth.of(kind, held - 1) + risk * POINTS[kind] - less

    suits = [[kind for kind in kinds for _ in range(hand[kind])] for kinds in order.groups[:TRUMPS]]
    short = [suit for suit in suits if suit and len(suit) <= size]
    for number in range(len(short) + 1):
        for emptied in combinations(short, number):
            chosen = [kind for suit in emptied for kind in suit]
            if len(chosen) <= size:
                left = list(hand)
                for kind in chosen:
                    left[kind] -= 1
                yield chosen + _cheapest(left, size - len(chosen), price)


def _cheapest(left: list[int], wanted: int, price: Callable[[int, int], float]) -> list[int]:
    """Return `wanted` cards of a hand, picking the cheapest one each time, and take them out of `left`.

    Args:
        left, wanted: 54 counts; number of cards.
        price: of giving away a card (kind) of which so many are held.
    """
    chosen = []
    prices = {kind: price(kind, held) for kind, held in enumerate(left) if held}
    for _ in range(wanted):
        kind = min(prices, key=lambda kind: (prices[kind], kind))
        chosen.append(kind)
        left[kind] -= 1
        if left[kind]:
            prices[kind] = price(kind, left[kind])
        else:
            del prices[kind]
    return chosen
