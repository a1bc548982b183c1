"""What is done for a seat whose time is over: something legal, cheap and cautious, never clever."""

from service.game.state.families import family_of
from service.game.state.queries import decision_of, round_of
from service.game.state.rules import composition_of, ranking_of
from service.game.state.types import Action, CalledCard, Cards, State
from service.rules.cards import CARDS, KIND, POINTS, RANKS, SUITS, kinds_in, names_of
from service.rules.trumps import TRUMPS


def fallback_action(state: State, seat: int) -> Action:
    """Return the action that stands in for the seat's own."""
    kind = decision_of(state)["kind"]
    if kind == "discard":
        return {"type": "discard", "cards": names_of(cautious_discard(state, seat))}
    if kind == "call":
        return {"type": "call", "calls": plain_calls(state, seat)}
    if kind == "road":
        return {"type": "road", "road": "either"}
    if kind == "play":
        return {"type": "play", "cards": names_of(family_of(state).example_play(state, seat))}
    return {"type": "pass"}


def cautious_discard(state: State, seat: int) -> Cards:
    """Return cards to bury: the lowest of the side suits without points, then whatever is cheapest."""
    order = ranking_of(state)
    held = kinds_in(round_of(state)["hands"][seat])
    held.sort(key=lambda kind: (POINTS[kind] > 0, order.group_of[kind] == TRUMPS, order.level_of[kind], kind))
    return held[: composition_of(state).kitty]


def plain_calls(state: State, seat: int) -> list[CalledCard]:
    """Return calls for the highest side-suit cards, first those of which the caller does not hold every copy."""
    cards = composition_of(state)
    order = ranking_of(state)
    hand = round_of(state)["hands"][seat]
    ranked = [KIND[rank + suit] for rank in reversed(RANKS) for suit in SUITS]
    callable_kinds = [kind for kind in ranked if order.group_of[kind] != TRUMPS]
    callable_kinds.sort(key=lambda kind: hand[kind] >= cards.decks)
    return [{"card": CARDS[kind], "ordinal": 1} for kind in callable_kinds[: cards.calls]]
