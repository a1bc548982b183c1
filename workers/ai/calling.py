"""Which cards to call for friends (docs/rules.md §5.3, §5.4)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from service.rules.cards import CARDS, Counts
from service.rules.rounds.friends import breach
from service.rules.trumps import TRUMPS, Order

#: How good a call is, the card's kind, and the copy.
_Offer = tuple[float, int, int]
#: For calls that make a friend of nobody but in a pinch.
_LAST: float = -1000.0
#: Share of trumps in a hand from which the declarer needs fewer friends, and what it takes besides to need none.
_FEW_FRIENDS: Final = 0.43
_NO_FRIENDS: Final = 0.21


def spared(hand: Counts, buried: Counts, order: Order, wanted: int, options: Mapping[str, Any]) -> int:
    """Return how many of its calls a declarer had better have nobody fill: a smaller side gains more levels.

    Found by playing rounds of 6 and 8 with any number of such calls. The more friends there are, the less each is
    missed.

    Args:
        hand: after burying the kitty.
        buried: the cards that were buried: their last copies can be called for this.
        order: ranking of the round.
        wanted: number of calls.
        options: of the table.
    """
    if not options["short_team_bonus"] or options["short_team_gain"] != "multiplied":
        return 0
    share = sum(hand[kind] for kind in order.groups[TRUMPS]) / max(1, sum(hand))
    spare = int(wanted * (share - _FEW_FRIENDS) / _NO_FRIENDS)
    return max(0, min(wanted, spare, sum(buried[kind] for kind in _to_call(buried, order, options["call_cards"]))))


def call(
    hand: Counts, buried: Counts, order: Order, deck: Counts, wanted: int, allowed: str = "no_trumps", spare: int = 0
) -> list[dict[str, Any]]:
    """Return `wanted` different calls.

    The best call is a high card of which this seat holds none, in a suit that it can lead: whoever shows it is a
    strong friend. Of a card that it holds, it calls the copy after its own; one that nobody else can hold, or a trump,
    only where there is nothing else left to call.

    Args:
        hand: this seat's hand after burying the kitty.
        buried: the cards that it buried.
        order: ranking of the round.
        deck: all cards of the game.
        wanted: number of calls.
        allowed: the option `call_cards`.
        spare: number of calls that nobody can fill; see `spared`.
    """
    offers = list(_offers(hand, buried, order, deck, allowed))
    offers.sort(key=lambda offer: (-offer[0], offer[1], offer[2]))
    chosen = _unanswered(buried, order, deck, allowed)[:spare]
    chosen += [offer for offer in _spread(offers, wanted + spare) if offer not in chosen]
    return [{"card": CARDS[kind], "ordinal": ordinal} for kind, ordinal in chosen[:wanted]]


def _unanswered(buried: Counts, order: Order, deck: Counts, allowed: str) -> list[tuple[int, int]]:
    """Return the kinds and copies that stay unplayed, since as many are buried; the highest cards first."""
    kinds = sorted(_to_call(buried, order, allowed), key=lambda kind: (-order.level_of[kind], kind))
    return [(kind, deck[kind] - above) for kind in kinds for above in range(buried[kind])]


def _to_call(buried: Counts, order: Order, allowed: str) -> list[int]:
    """Return the kinds of the buried cards that may be called."""
    return [kind for kind, count in enumerate(buried) if count and not breach(kind, order, allowed)]


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


def _spread(offers: list[_Offer], wanted: int) -> list[tuple[int, int]]:
    """Return the best kinds and copies, of different cards while there are some: one seat should not answer two."""
    first: list[_Offer] = []
    rest: list[_Offer] = []
    taken: set[int] = set()
    for offer in offers:
        (rest if offer[1] in taken or offer[0] == _LAST else first).append(offer)
        taken.add(offer[1])
    return [(kind, ordinal) for _, kind, ordinal in (first + rest)[:wanted]]
