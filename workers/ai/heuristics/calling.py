"""Which cards to call for friends (docs/rules.md §5.3, §5.4)."""

from collections.abc import Iterator
from typing import Any

from service.rules.cards import CARDS, Counts
from service.rules.rounds.friends import breach
from service.rules.trumps import TRUMPS, Order

#: Quality of a call, kind of the card, and copy.
_Offer = tuple[float, int, int]
#: Quality of calls of last resort, which hardly bring a friend.
_LAST: float = -1000.0


def call(
    hand: Counts, buried: Counts, order: Order, deck: Counts, wanted: int, allowed: str = "no_trumps"
) -> list[dict[str, Any]]:
    """Return `wanted` different calls.

    The best call is a high card not held by this seat, in a suit that it can lead: its player is a strong friend. Of a
    card that it holds, it calls the copy after its own; a card that nobody else can hold, or a trump, only as last
    resort.

    Args:
        hand: this seat's hand after burying the kitty.
        buried: the cards that it buried.
        order: ranking of the round.
        deck: all cards of the game.
        wanted: number of calls.
        allowed: the option `call_cards`.
    """
    offers = list(_offers(hand, buried, order, deck, allowed))
    offers.sort(key=lambda offer: (-offer[0], offer[1], offer[2]))
    return [{"card": CARDS[kind], "ordinal": ordinal} for _, kind, ordinal in _spread(offers, wanted)]


def _offers(hand: Counts, buried: Counts, order: Order, deck: Counts, allowed: str) -> Iterator[_Offer]:
    for group, kinds in enumerate(order.groups):
        length = sum(hand[kind] for kind in kinds)
        for place, kind in enumerate(kind for kind in reversed(kinds) if not breach(kind, order, allowed)):
            mine, others = hand[kind], deck[kind] - hand[kind] - buried[kind]
            for ordinal in range(1, deck[kind] + 1):
                extra = ordinal - mine
                # High cards first, then those not held, then suits that can be led, then first copies.
                merit = -3.0 * place - 4.0 * mine - 2.5 * (extra - 1) + (1.5 if length else 0.0) - 0.1 * length
                answered = group != TRUMPS and 0 < extra <= others
                yield (merit if answered else _LAST), kind, ordinal


def _spread(offers: list[_Offer], wanted: int) -> list[_Offer]:
    """Return the best offers, of different cards if possible, since one seat should not fill two."""
    first: list[_Offer] = []
    rest: list[_Offer] = []
    taken: set[int] = set()
    for offer in offers:
        (rest if offer[1] in taken or offer[0] == _LAST else first).append(offer)
        taken.add(offer[1])
    return (first + rest)[:wanted]
