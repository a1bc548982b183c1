"""Which cards to call for friends (docs/rules.md §5.3)."""

from typing import Any

from service.rules.cards import CARDS, Counts
from service.rules.trumps import TRUMPS, Order


def call(hand: Counts, buried: Counts, order: Order, deck: Counts, wanted: int) -> list[dict[str, Any]]:
    """Return `wanted` different calls.

    The best call is a high card of which this seat holds none, in a suit that it can lead: whoever shows it is a
    strong friend. Of a card that it holds, it calls the copy after its own; never one that nobody else can hold.

    Args:
        hand: this seat's hand after the kitty is buried.
        buried: what it buried.
        order: ranking of the round.
        deck: all cards of the game.
        wanted: number of calls.
    """
    offers = []
    for group, kinds in enumerate(order.groups):
        if group == TRUMPS or not kinds:
            continue
        length = sum(hand[kind] for kind in kinds)
        for place, kind in enumerate(reversed(kinds)):
            mine, others = hand[kind], deck[kind] - hand[kind] - buried[kind]
            for extra in range(1, others + 1):
                # High cards first, then those not held, then suits that can be led, then first copies.
                merit = -3.0 * place - 4.0 * mine - 2.5 * (extra - 1) + (1.5 if length else 0.0) - 0.1 * length
                offers.append((merit, kind, mine + extra))
    offers.sort(key=lambda offer: (-offer[0], offer[1], offer[2]))
    return [{"card": CARDS[kind], "ordinal": ordinal} for _, kind, ordinal in _spread(offers, wanted)]


def _spread(offers: list[tuple[float, int, int]], wanted: int) -> list[tuple[float, int, int]]:
    """Return the best offers, of different cards as long as there are some: one seat should not answer two."""
    first: list[tuple[float, int, int]] = []
    rest: list[tuple[float, int, int]] = []
    taken: set[int] = set()
    for offer in offers:
        (rest if offer[1] in taken else first).append(offer)
        taken.add(offer[1])
    return (first + rest)[:wanted]
