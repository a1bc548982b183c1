"""Choosing the cards to call for friends (docs/rules.md §5.3)."""

from typing import Any

from service.rules.cards import CARDS, Counts
from service.rules.trumps import TRUMPS, Order


def call(hand: Counts, buried: Counts, order: Order, deck: Counts, wanted: int) -> list[dict[str, Any]]:
    """Return `wanted` different calls.

    The best call is a high card that this seat does not hold, in a suit that it can lead: whoever holds it is a strong
    friend. Of a card that the seat holds it calls the next copy after its own, but never a copy that nobody else holds.

    Args:
        hand: this seat's hand after burying the kitty.
        buried: the cards that it buried.
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
                # Prefers high cards, cards not held, first copies, and short suits that it can still lead.
                merit = -3.0 * place - 4.0 * mine - 2.5 * (extra - 1) + (1.5 if length else 0.0) - 0.1 * length
                offers.append((merit, kind, mine + extra))
    offers.sort(key=lambda offer: (-offer[0], offer[1], offer[2]))
    return [{"card": CARDS[kind], "ordinal": ordinal} for _, kind, ordinal in _spread(offers, wanted)]


def _spread(offers: list[tuple[float, int, int]], wanted: int) -> list[tuple[float, int, int]]:
    """Return the best offers, each of another card if possible: one player should not answer two calls."""
    first_copies: list[tuple[float, int, int]] = []
    more_copies: list[tuple[float, int, int]] = []
    kinds: set[int] = set()
    for offer in offers:
        (more_copies if offer[1] in kinds else first_copies).append(offer)
        kinds.add(offer[1])
    return (first_copies + more_copies)[:wanted]
