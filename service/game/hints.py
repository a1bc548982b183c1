"""What a seat may be told about its own decision: what must be followed, and one legal answer.

Computed from the seat's own hand and from what lies on the table alone; never whether a throw will hold.
"""

from collections.abc import Callable, Mapping
from typing import Any

from service.errors import IllegalDeclaration
from service.game import dealing, defaults
from service.game.playing import lead_of, rules_of
from service.game.state import State, composition_of
from service.rules.arms_length import ROADS
from service.rules.cards import BJ, CARDS, KIND, LJ, SUITS, kinds_in, names_of
from service.rules.chao_di import chao_suit
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
    return _HINTS[state["decision"]["kind"]](state, seat)


def _discard_hints(state: State, seat: int) -> dict[str, Any]:
    return {"cards": composition_of(state).kitty, "example": names_of(defaults.cautious_discard(state, seat))}


def _call_hints(state: State, seat: int) -> dict[str, Any]:
    return {"calls": composition_of(state).calls, "example": defaults.plain_calls(state, seat)}


def _declare_hints(state: State, seat: int) -> dict[str, Any]:
    table_round = state["round"]
    defending = state["decision"]["kind"] == "defend"
    context, hand = dealing.context_of(state), table_round["hands"][seat]
    sets = possible(context, table_round["shown"], seat, hand, may_defend=defending)
    if defending:
        sets = [cards for cards in sets if _defends(state, seat, cards)]
    return {"possible": [names_of(cards) for cards in sets]}


def _defends(state: State, seat: int, cards: list[int]) -> bool:
    shown = state["round"]["shown"]
    return judge(dealing.context_of(state), shown, seat, cards, may_defend=True) == "defend"


def _overcall_hints(state: State, seat: int) -> dict[str, Any]:
    return {"possible": [names_of(cards) for cards in _kitty_overcalls(state, seat)]}


def _kitty_overcalls(state: State, seat: int) -> list[list[int]]:
    """Return every set with which the seat could overcall for the kitty, shorter ones first."""
    table_round = state["round"]
    rank = table_round["trump"]["rank"]
    standing = table_round["overcalls"]["standing"]
    hand = table_round["hands"][seat]
    kinds = [KIND[rank + suit] for suit in SUITS] if rank else []
    sets = []
    for cards in ([kind] * number for kind in (*kinds, LJ, BJ) for number in range(2, hand[kind] + 1)):
        try:
            chao_suit(state["options"], rank, standing["cards"] if standing else [], cards)
        except IllegalDeclaration:
            continue
        sets.append(cards)
    return sorted(sets, key=len)


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


_HINTS: Mapping[str, Callable[[State, int], dict[str, Any]]] = {
    "declare": _declare_hints,
    "defend": _declare_hints,
    "discard": _discard_hints,
    "overcall-kitty": _overcall_hints,
    "call": _call_hints,
    "road": lambda state, seat: {"roads": list(ROADS), "example": defaults.action(state, seat)["road"]},
    "play": _play_hints,
    "ready": lambda _, __: {},
}
