"""Declaring, overcalling, defending, and overcalling for the kitty: a hand bids if its trumps would be strong enough.

Strength is measured by the number of trumps, their ranks, and pairs among them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.rules.cards import CARDS, KIND, LJ, Counts, kinds_of
from service.rules.options.rulesets import RULESETS
from service.rules.rounds.levels import rank_of_level
from service.rules.trumps import TRUMPS, Order, Trump, ranking
from workers.ai.knowledge.seat import View, deck_counts, hand_of, options_of, trump_of

#: Additional strength of high trumps and pairs; every trump counts 1.
RANK_CARD = 0.7
JOKER = 1.2
HIGH = 0.3
PAIR = 0.8
#: Strength needed to declare (an average hand has 1): when the declarer also takes the kitty, and when the declaration
#: only fixes the suit.
FOR_KITTY = 0.3
FOR_SUIT = 1.1
#: Extra strength needed at the start of the deal, falling to 0 at its end, since later cards may favour another suit.
EARLY = 0.5
#: How much weaker the hand may be to reinforce its own declaration.
REINFORCING = 0.15
#: Extra strength needed to play without a trump suit, since few trumps win fewer tricks.
NO_SUIT = 0.35
#: Extra strength needed to overcall for the kitty; negative, since the kitty itself is valuable.
FOR_KITTY_AGAIN = -0.1

Declaration = Mapping[str, Any]


class Habits(NamedTuple):
    """Bidding habits of a player.

    Attributes:
        over_foe, over_partner: how much stronger the hand must be with its own suit than with the current one to
            overcall an opponent, or a partner.
        most: whether it shows as many identical cards as it can, so that others can hardly overcall; else the fewest.
    """

    over_foe: float
    over_partner: float
    most: bool


#: Habits for winning the kitty, of a reserved player and of a determined one (laboratory/tuning.md); and for fixing
#: only the suit.
CAUTIOUS: Final = Habits(over_foe=-0.5, over_partner=0.6, most=False)
EAGER: Final = Habits(over_foe=-1.0, over_partner=0.0, most=True)
ONLY_SUIT: Final = Habits(over_foe=0.15, over_partner=0.6, most=False)


class Bid(NamedTuple):
    """The cards to show.

    Attributes:
        cards: to show; None: pass.
        strength: strength of the hand with the best trumps that it can make; 0.0 if it can make none.
        needed: least strength for showing them.
    """

    cards: Sequence[str] | None
    strength: float
    needed: float


def strength(hand: Counts, deck: Counts, order: Order) -> float:
    """Return the strength of a hand's trumps; 1 is the average of random hands of the same size."""
    mine = whole = 0.0
    for kind in order.groups[TRUMPS]:
        weight = _weight(kind, order)
        mine += hand[kind] * weight + (PAIR * (hand[kind] - 1) if hand[kind] > 1 else 0.0)
        whole += deck[kind] * weight + PAIR * max(0, deck[kind] - 1) * 0.25
    return mine * sum(deck) / (whole * max(1, sum(hand))) if whole else 0.0


def _weight(kind: int, order: Order) -> float:
    if order.level_of[kind] >= len(order.tiers[TRUMPS]) - order.top_tiers:
        return 1.0 + JOKER
    if CARDS[kind][0] == order.trump.rank:
        return 1.0 + RANK_CARD
    return 1.0 + HIGH if CARDS[kind][0] in "AKQ" else 1.0


def bid(view: View, habits: Habits) -> Bid:
    """Return the cards to declare, overcall, reinforce or defend with, or a pass.

    Args:
        view: view of the seat.
        habits: habits of the player when there is a kitty to win.
    """
    table_round = view["round"]
    sets = view["decision"]["hints"]["possible"]
    if not sets:
        return Bid(None, 0.0, 0.0)
    hand, deck = hand_of(view), deck_counts(view)
    declarations = table_round["declarations"]
    if not _takes_kitty(view):
        habits = ONLY_SUIT
    threshold = _threshold(view, declarations[-1] if declarations else None, hand, deck, habits)
    rated = [(_rate(view, cards, hand, deck), len(cards) if habits.most else -len(cards), cards) for cards in sets]
    value, _, cards = max(rated)
    return Bid(cards if value >= threshold else None, value, threshold)


def _takes_kitty(view: View) -> bool:
    """Return whether the seat becomes declarer if its declaration stands."""
    if view["round"]["declarer"] is not None:
        return False
    first = _first_declarer(view)
    return first is None or first == view["my"]["seat"]


def _first_declarer(view: View) -> int | None:
    """Return the seat whose declaration has settled rank and declarer (`overcall_rank`), or None."""
    declarations = view["round"]["declarations"]
    return declarations[0]["seat"] if declarations and options_of(view)["overcall_rank"] == "first" else None


def _threshold(view: View, standing: Declaration | None, hand: Counts, deck: Counts, habits: Habits) -> float:
    """Return the strength that the hand needs to declare now."""
    table_round, seat = view["round"], view["my"]["seat"]
    dealt = table_round["dealt"]
    threshold: float = (FOR_KITTY if _takes_kitty(view) else FOR_SUIT) + EARLY * (1.0 - dealt["count"] / dealt["of"])
    if standing is None:
        return threshold
    if standing["seat"] == seat:
        # Reinforcing keeps the suit and makes it safer; another suit must be at least as strong.
        return max(threshold - REINFORCING, _rate(view, standing["cards"], hand, deck))
    is_partner = RULESETS[view["ruleset"]].teams == "fixed" and (standing["seat"] - seat) % 2 == 0
    margin = habits.over_partner if is_partner else habits.over_foe
    return max(threshold, _rate(view, standing["cards"], hand, deck) + margin)


def _rate(view: View, cards: Sequence[str], hand: Counts, deck: Counts) -> float:
    """Return the strength of the hand if these cards made trumps."""
    kind = KIND[cards[0]]
    trump = Trump(_rank_without_suit(view), None) if kind >= LJ else Trump(cards[0][0], cards[0][1])
    value = strength(hand, deck, ranking(trump, options_of(view)))
    return value - NO_SUIT if trump.suit is None else value


def _rank_without_suit(view: View) -> str | None:
    """Return the trump rank of a declaration by jokers: the round's, or the declaring seat's own."""
    if options_of(view)["declare_rank"] == "round_level":
        return rank_of_level(view["round"]["level"])
    first = _first_declarer(view)
    return rank_of_level(view["seats"][view["my"]["seat"] if first is None else first]["level"])


def bid_for_kitty(view: View) -> Bid:
    """Return the cards to overcall for the kitty with (docs/rules.md §5.2), or a pass."""
    hand, deck = hand_of(view), deck_counts(view)
    options = options_of(view)
    now = strength(hand, deck, ranking(trump_of(view), options))
    needed = now + FOR_KITTY_AGAIN
    best, chosen = 0.0, None
    for cards in view["decision"]["hints"]["possible"]:
        kind = kinds_of(cards)[0]
        suit = None if kind >= LJ else CARDS[kind][1]
        value = strength(hand, deck, ranking(Trump(trump_of(view).rank, suit), options)) - (0.0 if suit else NO_SUIT)
        if chosen is None or value > best:
            best, chosen = value, cards
    return Bid(chosen if best > needed else None, best, needed)
