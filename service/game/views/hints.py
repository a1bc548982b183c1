"""Hints for a seat about its own decision: the requirements of a follow, and a legal answer.

They use only the seat's own hand and the cards on the table, and never reveal whether a throw will succeed.
"""

from collections.abc import Callable, Mapping, Sequence

from service.game.state.fallback import cautious_discard, plain_calls
from service.game.state.families import family_of
from service.game.state.overcalls import may_ask_for_a_new_deal, possible_overcalls
from service.game.state.queries import decision_of, round_of
from service.game.state.rules import composition_of, declare_context
from service.game.state.table_types import DecisionKind
from service.game.state.types import State
from service.game.views.types import Hints
from service.rules.cards import names_of
from service.rules.rounds.arms_length import ROADS
from service.rules.rounds.declarations import judge, possible


def hints(state: State, seat: int) -> Hints:
    """Return the hints for a seat that the open decision asks."""
    return _HINTS[decision_of(state)["kind"]](state, seat)


def _discard_hints(state: State, seat: int) -> Hints:
    return {"cards": composition_of(state).kitty, "example": names_of(cautious_discard(state, seat))}


def _call_hints(state: State, seat: int) -> Hints:
    return {"calls": composition_of(state).calls, "example": plain_calls(state, seat)}


def _declare_hints(state: State, seat: int) -> Hints:
    table_round = round_of(state)
    defending = decision_of(state)["kind"] == "defend"
    context, declarations, hand = declare_context(state), table_round["shown"], table_round["hands"][seat]
    sets = possible(context, declarations, seat, hand, may_defend=defending)
    if defending:
        sets = [cards for cards in sets if judge(context, declarations, seat, cards, may_defend=True) == "defend"]
    may_ask = not defending and may_ask_for_a_new_deal(state, seat)
    return {"possible": [names_of(cards) for cards in sets], "redeal": may_ask}


def _overcall_hints(state: State, seat: int) -> Hints:
    hand = round_of(state)["hands"][seat]
    return {"possible": [names_of(cards) for cards in possible_overcalls(state, seat, hand)], "redeal": False}


def _road_hints(_: State, __: int) -> Hints:
    return {"roads": list(ROADS), "example": "either"}


def _play_hints(state: State, seat: int) -> Hints:
    family = family_of(state)
    example = names_of(family.example_play(state, seat))
    requirements = family.requirements(state, seat)
    if requirements is None:
        return {"cards": None, "must_follow": None, "required": [], "example": example}
    return {**requirements, "example": example}


_HINTS: Mapping[DecisionKind, Callable[[State, int], Hints]] = {
    "declare": _declare_hints,
    "defend": _declare_hints,
    "discard": _discard_hints,
    "overcall-kitty": _overcall_hints,
    "call": _call_hints,
    "road": _road_hints,
    "play": _play_hints,
    "ready": lambda _, __: {},
}


def example(state: State, seat: int) -> Sequence[object] | None:
    """Return a legal answer of a seat to the open decision: cards, calls or a road; None if it can only pass."""
    legal = hints(state, seat)
    return legal.get("example") or next(iter(legal.get("possible", ())), None)
