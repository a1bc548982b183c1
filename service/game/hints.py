"""What a seat may be told about its own decision: what must be followed, and one legal answer.

Computed from the seat's own hand and from what lies on the table alone; never whether a throw will hold.
"""

from typing import Any

from service.game import dealing, defaults
from service.game.playing import lead_of, rules_of
from service.game.state import State, composition_of
from service.rules.cards import CARDS, kinds_in, names_of
from service.rules.declarations import judge, possible, trump_maker
from service.rules.levels import rank_of_level
from service.rules.trumps import Trump, order_of


def display_order(state: State, seat: int) -> tuple[int, ...]:
    """Return all kinds in the order in which a seat's hand is shown. Before trumps are fixed: by what stands now."""
    table_round = state["round"]
    options = state["options"]
    fixed = table_round["trump"]
    if fixed is not None:
        trump = Trump(fixed["rank"], fixed["suit"])
    elif "declare_rank" not in options:
        trump = Trump(None, None)
    else:
        made = trump_maker(dealing.context_of(state), table_round["shown"])
        trump = made[1] if made else Trump(rank_of_level(state["seats"][seat]["level"]), None)
    return order_of(trump, bool(options.get("twos_always_trump"))).display


def hints(state: State, seat: int) -> dict[str, Any]:
    """Return the hints for a seat that the open decision asks (`api.md` §4)."""
    kind = state["decision"]["kind"]
    if kind == "play":
        return _play_hints(state, seat)
    if kind == "discard":
        return {"cards": composition_of(state).kitty, "example": names_of(defaults.cautious_discard(state, seat))}
    if kind == "call":
        return {"calls": composition_of(state).calls, "example": defaults.plain_calls(state, seat)}
    if kind in ("declare", "defend"):
        table_round = state["round"]
        sets = possible(
            dealing.context_of(state),
            table_round["shown"],
            seat,
            table_round["hands"][seat],
            may_defend=kind == "defend",
        )
        if kind == "defend":
            sets = [cards for cards in sets if _defends(state, seat, cards)]
        return {"possible": [names_of(cards) for cards in sets]}
    if kind == "road":
        return {"roads": ["high", "low", "either"]}
    return {}


def _defends(state: State, seat: int, cards: list[int]) -> bool:
    shown = state["round"]["shown"]
    return judge(dealing.context_of(state), shown, seat, cards, may_defend=True) == "defend"


def _play_hints(state: State, seat: int) -> dict[str, Any]:
    table_round = state["round"]
    trick = table_round["trick"]
    example = names_of(defaults.example_play(state, seat))
    if trick is None:
        return {"cards": None, "must_follow": None, "required": [], "example": example}
    if table_round["roads"] is not None:
        led = CARDS[trick["plays"][0]["cards"][0]][1]
        hand = table_round["hands"][seat]
        holds = any(CARDS[kind][1] == led for kind in kinds_in(hand))
        return {"cards": 1, "must_follow": led if holds else None, "required": [], "example": example}
    rules = rules_of(state)
    lead = lead_of(rules, trick)
    return {**rules.required(lead, table_round["hands"][seat]), "example": example}
