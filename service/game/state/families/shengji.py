"""Questions about a table of the Sheng Ji family."""

from typing import cast

from service.game.state.actions import PlayRequirements
from service.game.state.queries import round_of
from service.game.state.rules import declare_context, lead_of, level_rank, options_of, rules_of, trump_of, unseen_by
from service.game.state.types import State
from service.rules.rounds.declarations import trump_maker
from service.rules.rounds.levels import height
from service.rules.trumps import Trump


def display_trump(state: State, seat: int) -> Trump:
    """Return the trumps by which a hand is sorted: of the standing declaration before they are fixed."""
    table_round = round_of(state)
    if table_round["trump"] is not None:
        return trump_of(state)
    maker = trump_maker(declare_context(state), table_round["shown"])
    return maker[1] if maker else Trump(level_rank(state, seat), None)


def example_play(state: State, seat: int) -> list[int]:
    """Return a legal play of the seat."""
    table_round, rules = round_of(state), rules_of(state)
    trick = table_round["trick"]
    return list(rules.example(table_round["hands"][seat], lead_of(rules, trick) if trick else None))


def legal_plays(state: State, seat: int, limit: int) -> tuple[list[list[int]], bool]:
    """Return legal plays of the seat, at most `limit`, and whether these are all."""
    table_round, rules = round_of(state), rules_of(state)
    trick = table_round["trick"]
    lead, unseen = (lead_of(rules, trick), None) if trick else (None, unseen_by(state, seat))
    plays, complete = rules.plays(table_round["hands"][seat], lead, limit, unseen=unseen)
    return [list(play) for play in plays], complete


def requirements(state: State, seat: int) -> PlayRequirements | None:
    """Return what the seat's follow must contain, or None when it leads."""
    table_round, rules = round_of(state), rules_of(state)
    trick = table_round["trick"]
    if trick is None:
        return None
    return cast("PlayRequirements", rules.required(lead_of(rules, trick), table_round["hands"][seat]))


def leaders(state: State) -> list[int]:
    """Return the seats on the highest level."""
    heights = [(seat.get("laps", 0), height(options_of(state), seat["level"])) for seat in state["seats"]]
    return [seat for seat, at in enumerate(heights) if at == max(heights)]
