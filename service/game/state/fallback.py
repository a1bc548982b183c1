"""What is done for a seat whose time is over: something legal, cheap and cautious, never clever."""

from typing import Any

from service.game.state.rules import composition_of, lead_of, rules_of
from service.game.state.types import State
from service.rules import arms_length
from service.rules.cards import CARDS, KIND, POINTS, RANKS, SUITS, kinds_in, names_of
from service.rules.trumps import TRUMPS, Trump, order_of


def action(state: State, seat: int) -> dict[str, Any]:
    """Return the command (without player and decision) that stands in for the seat's own."""
    kind = state["decision"]["kind"]
    if kind == "discard":
        return {"type": "discard", "cards": names_of(cautious_discard(state, seat))}
    if kind == "call":
        return {"type": "call", "calls": plain_calls(state, seat)}
    if kind == "road":
        return {"type": "road", "road": "either"}
    if kind == "play":
        return {"type": "play", "cards": names_of(example_play(state, seat))}
    return {"type": "pass"}


def example_play(state: State, seat: int) -> list[int]:
    """Return a legal play out of the seat's hand."""
    table_round = state["round"]
    hand = table_round["hands"][seat]
    trick = table_round["trick"]
    if table_round["roads"] is not None:
        trump = table_round["trump"]["suit"] if table_round["trump"] else None
        before = [play["cards"][0] for play in trick["plays"]] if trick else []
        legal: list[int] = arms_length.legal(trump, before, hand)
        return [min(legal, key=lambda kind: kind % len(RANKS))]
    rules = rules_of(state)
    return list(rules.example(hand, lead_of(rules, trick) if trick else None))


def cautious_discard(state: State, seat: int) -> list[int]:
    """Return cards to bury: the lowest of the side suits without points, then what is cheapest."""
    table_round = state["round"]
    trump = table_round["trump"]
    order = order_of(Trump(trump["rank"], trump["suit"]), state["options"]["twos_always_trump"])
    held = kinds_in(table_round["hands"][seat])
    held.sort(key=lambda kind: (POINTS[kind] > 0, order.group_of[kind] == TRUMPS, order.level_of[kind], kind))
    return held[: composition_of(state).kitty]


def plain_calls(state: State, seat: int) -> list[dict[str, Any]]:
    """Return calls for the highest cards outside trumps of which the caller does not hold every copy."""
    made = composition_of(state)
    table_round = state["round"]
    trump = table_round["trump"]
    order = order_of(Trump(trump["rank"], trump["suit"]), state["options"]["twos_always_trump"])
    hand = table_round["hands"][seat]
    ranked = [KIND[rank + suit] for rank in reversed(RANKS) for suit in SUITS]
    callable_kinds = [kind for kind in ranked if order.group_of[kind] != TRUMPS]
    callable_kinds.sort(key=lambda kind: hand[kind] >= made.decks)
    return [{"card": CARDS[kind], "ordinal": 1} for kind in callable_kinds[: made.calls]]
