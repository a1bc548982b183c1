"""What a seat could show: the cards it may hold, the sets with which it could overcall for the kitty, and a misdeal.

See docs/rules.md §5.2 (chao di) and §4.5 (misdeals).
"""

from collections.abc import Sequence

from service.game.state.queries import game_of, round_of
from service.game.state.rules import can_declare, composition_of, declare_context, level_rank, options_of
from service.game.state.types import Declaration, StandingOvercall, State
from service.rules.rounds.chao_di import possible_chao
from service.rules.rounds.declarations import outcome, possible
from service.rules.rounds.redeals import may_redeal
from service.rules.trumps import Trump


def not_shown_by_others(state: State, bids: Sequence[Declaration | StandingOvercall], seat: int) -> list[int]:
    """Return how many cards of each kind a seat could hold, given the cards that others have shown."""
    copies = composition_of(state).copies
    hand = list(copies)
    for each in bids:
        if each["seat"] != seat:
            for kind in each["cards"]:
                hand[kind] = min(hand[kind], copies[kind] - each["cards"].count(kind))
    return hand


def may_defend_the_kitty(state: State) -> bool:
    """Return whether an immediate defence is possible against an overcall for the kitty (not of the deal)."""
    overcalls = round_of(state)["overcalls"]
    return overcalls is not None and not overcalls["first"]


def possible_overcalls(state: State, seat: int, hand: list[int]) -> list[list[int]]:
    """Return every set with which a seat could overcall if this were its hand, shorter ones first.

    Args:
        hand: kind of card -> number.
    """
    table_round = round_of(state)
    if options_of(state)["chao_di_rule"] == "overcall":
        may_defend = may_defend_the_kitty(state)
        return possible(declare_context(state), table_round["shown"], seat, hand, may_defend=may_defend)
    trump, overcalls = table_round["trump"], table_round["overcalls"]
    rank = trump["rank"] if trump else None
    standing = overcalls["standing"] if overcalls else None
    return possible_chao(options_of(state), rank, standing["cards"] if standing else [], hand)


def undeclared(state: State) -> int:
    """Return the declarer if nobody makes trumps."""
    fixed = game_of(state)["declarer"]
    return round_of(state)["starter"] if fixed is None else fixed


def jokers_alone(state: State) -> bool:
    """Return whether only jokers can be trumps: nobody can declare, and the level has no trump rank."""
    return not can_declare(state) and level_rank(state, undeclared(state)) is None


def may_ask_for_a_new_deal(state: State, seat: int) -> bool:
    """Return whether a seat may ask for a new deal now, with the hand that it was dealt."""
    table_round = round_of(state)
    if table_round["phase"] != "declaring":
        return False
    result = outcome(declare_context(state), table_round["shown"])
    trump = Trump(None, None) if jokers_alone(state) else result[1] if result else None
    return may_redeal(options_of(state), trump, table_round["hands"][seat], table_round["deal"]["attempt"])
