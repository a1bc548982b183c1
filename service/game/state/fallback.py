"""Fallback actions for seats whose time is over: legal, cheap and cautious."""

from service.game.state.actions import Action, CalledCard
from service.game.state.families import family_of
from service.game.state.queries import decision_of, round_of
from service.game.state.rules import composition_of, options_of, ranking_of
from service.game.state.types import Cards, State
from service.rules.cards import BJ, CARDS, KIND, LJ, POINTS, RANKS, SUITS, kinds_in, names_of
from service.rules.rounds.friends import breach
from service.rules.trumps import TRUMPS


def fallback_action(state: State, seat: int) -> Action:
    """Return the fallback action of a seat for the open decision."""
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
    """Return cards to bury: low cards of side suits without points first, then the cheapest others."""
    order = ranking_of(state)
    held = kinds_in(round_of(state)["hands"][seat])
    held.sort(key=lambda kind: (POINTS[kind] > 0, order.group_of[kind] == TRUMPS, order.level_of[kind], kind))
    return held[: composition_of(state).kitty]


def plain_calls(state: State, seat: int) -> list[CalledCard]:
    """Return calls for the highest cards, preferring first copies and cards of which the caller lacks a copy."""
    cards, order, allowed = composition_of(state), ranking_of(state), options_of(state)["call_cards"]
    hand = round_of(state)["hands"][seat]
    ranked = [*(KIND[rank + suit] for rank in reversed(RANKS) for suit in SUITS), BJ, LJ]
    callable_kinds = [kind for kind in ranked if not breach(kind, order, allowed)]
    offers = [(kind, ordinal) for kind in callable_kinds for ordinal in range(1, cards.copies[kind] + 1)]
    offers.sort(key=lambda offer: (offer[1], hand[offer[0]] >= cards.decks))
    return [{"card": CARDS[kind], "ordinal": ordinal} for kind, ordinal in offers[: cards.calls]]
