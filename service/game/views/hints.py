"""What a seat is told about its own decision: what must be followed, and a legal answer.

Computed from the seat's own hand and from what lies on the table alone; never whether a throw will hold.
"""

from collections.abc import Callable, Mapping

from service.errors import IllegalDeclaration
from service.game.state.fallback import cautious_discard, plain_calls
from service.game.state.families import family_of
from service.game.state.queries import decision_of, round_of
from service.game.state.rules import composition_of, declare_context, options_of
from service.game.state.table_types import DecisionKind
from service.game.state.types import State
from service.game.views.types import Hints
from service.rules.cards import BJ, KIND, LJ, SUITS, names_of
from service.rules.rounds.arms_length import ROADS
from service.rules.rounds.chao_di import chao_suit
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
    context, shown, hand = declare_context(state), table_round["shown"], table_round["hands"][seat]
    sets = possible(context, shown, seat, hand, may_defend=defending)
    if defending:
        sets = [cards for cards in sets if judge(context, shown, seat, cards, may_defend=True) == "defend"]
    return {"possible": [names_of(cards) for cards in sets]}


def _overcall_hints(state: State, seat: int) -> Hints:
    return {"possible": [names_of(cards) for cards in _kitty_overcalls(state, seat)]}


def _kitty_overcalls(state: State, seat: int) -> list[list[int]]:
    """Return every set with which the seat could overcall for the kitty, shorter ones first."""
    table_round = round_of(state)
    if options_of(state)["chao_di_rule"] == "overcall":
        hand = table_round["hands"][seat]
        return possible(declare_context(state), table_round["shown"], seat, hand, may_defend=True)
    trump, overcalls = table_round["trump"], table_round["overcalls"]
    rank = trump["rank"] if trump else None
    standing = overcalls["standing"] if overcalls else None
    hand = table_round["hands"][seat]
    kinds = [KIND[rank + suit] for suit in SUITS] if rank else []
    sets = []
    for cards in ([kind] * number for kind in (*kinds, LJ, BJ) for number in range(2, hand[kind] + 1)):
        try:
            chao_suit(options_of(state), rank, standing["cards"] if standing else [], cards)
        except IllegalDeclaration:
            continue
        sets.append(cards)
    return sorted(sets, key=len)


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
