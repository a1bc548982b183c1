"""Declaring, overcalling, defending, and overcalling for the kitty: with many trumps, and pairs of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.rules.cards import BJ, CARDS, KIND, LJ, Counts, kinds_of
from service.rules.options.rulesets import RULESETS
from service.rules.rounds.levels import rank_of_level
from service.rules.trumps import TRUMPS, Order, Trump, order_of
from workers.ai.sight import View, deck_counts, hand_of, options_of, trump_of

#: What a trump counts for besides its number.
RANK_CARD = 0.7
JOKER = 1.2
HIGH = 0.3
PAIR = 0.8
#: How strong trumps must be, 1 being the average of all hands: to take the kitty as well, or the suit alone.
FOR_KITTY = 0.3
FOR_SUIT = 1.1
#: More while most of the cards are still to come: the less is known the more must be held.
EARLY = 0.5
#: How much better one's own suit must be than the one that stands: to take the kitty from the other side, where it is
#: no question of that, and against a partner.
OVER_FOR_KITTY = -0.5
OVER_FOE = 0.15
OVER_PARTNER = 0.6
#: Few trumps are no good to a hand of short suits: without a trump suit more is asked.
NO_SUIT = 0.35
#: A kitty overcalled for must make up for a plan given up.
FOR_KITTY_AGAIN = -0.1

Declaration = Mapping[str, Any]


def strength(hand: Counts, deck: Counts, order: Order) -> float:
    """Return how strong a hand's trumps are: 1 is what as many cards of this deck have on the average."""
    mine = whole = 0.0
    for kind in order.groups[TRUMPS]:
        weight = _weight(kind, order)
        mine += hand[kind] * weight + (PAIR * (hand[kind] - 1) if hand[kind] > 1 else 0.0)
        whole += deck[kind] * weight + PAIR * max(0, deck[kind] - 1) * 0.25
    return mine * sum(deck) / (whole * max(1, sum(hand))) if whole else 0.0


def _weight(kind: int, order: Order) -> float:
    if kind in (LJ, BJ):
        return 1.0 + JOKER
    if CARDS[kind][0] == order.trump.rank:
        return 1.0 + RANK_CARD
    return 1.0 + HIGH if CARDS[kind][0] in "AKQ" else 1.0


def bid(view: View) -> Sequence[str] | None:
    """Return the cards to declare, overcall, reinforce or defend with, or None: not now."""
    table_round = view["round"]
    sets = view["decision"]["hints"]["possible"]
    if not sets:
        return None
    hand, deck = hand_of(view), deck_counts(view)
    shown = table_round["declarations"]
    asked = _asked(view, shown[-1] if shown else None, hand, deck)
    rated = [(_rate(view, cards, hand, deck), -len(cards), cards) for cards in sets]
    value, _, cards = max(rated)
    return cards if value >= asked else None


def _asked(view: View, standing: Declaration | None, hand: Counts, deck: Counts) -> float:
    """Return how strong a declaration must be now."""
    table_round, seat = view["round"], view["my"]["seat"]
    dealt = table_round["dealt"]
    takes_kitty = table_round["declarer"] is None
    asked: float = (FOR_KITTY if takes_kitty else FOR_SUIT) + EARLY * (1.0 - dealt["count"] / dealt["of"])
    if standing is None:
        return asked
    if standing["seat"] == seat:
        # More of the same makes it safer; another suit must be worth it, which `_rate` tells.
        return max(asked - OVER_FOE, _rate(view, standing["cards"], hand, deck))
    together = RULESETS[view["ruleset"]].teams == "fixed" and (standing["seat"] - seat) % 2 == 0
    over = OVER_PARTNER if together else OVER_FOR_KITTY if takes_kitty else OVER_FOE
    return max(asked, _rate(view, standing["cards"], hand, deck) + over)


def _rate(view: View, cards: Sequence[str], hand: Counts, deck: Counts) -> float:
    """Return how strong the hand would be with the trumps that these cards make."""
    kind = KIND[cards[0]]
    trump = Trump(_rank_without_suit(view), None) if kind >= LJ else Trump(cards[0][0], cards[0][1])
    value = strength(hand, deck, order_of(trump, options_of(view)["twos_always_trump"]))
    return value - NO_SUIT if trump.suit is None else value


def _rank_without_suit(view: View) -> str | None:
    """Return the trump rank of a declaration by jokers: the round's, or the declaring seat's own."""
    own = options_of(view)["declare_rank"] != "round_level"
    return rank_of_level(view["seats"][view["my"]["seat"]]["level"] if own else view["round"]["level"])


def bid_for_kitty(view: View) -> Sequence[str] | None:
    """Return the cards to overcall for the kitty with (docs/rules.md §5.2), or None."""
    hand, deck = hand_of(view), deck_counts(view)
    twos = options_of(view)["twos_always_trump"]
    now = strength(hand, deck, order_of(trump_of(view), twos))
    best = now + FOR_KITTY_AGAIN
    chosen = None
    for cards in view["decision"]["hints"]["possible"]:
        kind = kinds_of(cards)[0]
        suit = None if kind >= LJ else CARDS[kind][1]
        value = strength(hand, deck, order_of(Trump(trump_of(view).rank, suit), twos)) - (0.0 if suit else NO_SUIT)
        if value > best:
            best, chosen = value, cards
    return chosen
