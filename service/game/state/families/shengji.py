"""Questions about a table of the Sheng Ji family."""

from typing import cast

from service.game.state.actions import PlayRequirements
from service.game.state.families.verdict import Verdict
from service.game.state.families.verdict import verdict as judged
from service.game.state.queries import game_of, round_of
from service.game.state.rules import (
    declare_context,
    has_fixed_teams,
    lead_of,
    level_rank,
    options_of,
    rules_of,
    trump_of,
    unseen_by,
)
from service.game.state.settings import listed_level
from service.game.state.types import State
from service.rules.rounds.declarations import trump_maker
from service.rules.rounds.levels import height, next_round
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


def verdict(state: State) -> Verdict:
    """Return who has won a game that its length has ended: the higher side, then that in office, then by points.

    On listed levels, which follow from no result, the levels gained count in place of level and office.
    """
    players, results = state["players"], game_of(state)["results"]
    count = 2 if has_fixed_teams(state) else players
    sides = [range(first, players, count) for first in range(count)]
    gained, points = [0] * players, [0] * players
    for result in results:
        for seat in range(players):
            is_declarer = seat in result["declarers"]
            if result["side"] == ("declarers" if is_declarer else "attackers"):
                gained[seat] += result["levels"]
            if not is_declarer:
                points[seat] += result["points"]
    if listed_level(state) is not None:
        return judged(sides, {"gained": gained, "points": points})
    declares = _declares_next(state)
    office = [any(seat in side and declares in side for side in sides) for seat in range(players)]
    return judged(sides, {"level": _heights(state), "office": office, "points": points})


def _declares_next(state: State) -> int | None:
    """Return who declares in the round after the last finished one; None: whoever makes trumps, or there is none."""
    results = game_of(state)["results"]
    if not results or results[-1]["declarer"] is None:
        return None
    last = results[-1]
    return next_round(
        state["ruleset"],
        options_of(state),
        state["players"],
        declarer=results[-1]["declarer"],
        declarers=last["declarers"],
        side=last["side"],
        starter=0,
    ).declarer


def _heights(state: State) -> list[tuple[int, tuple[int, int]]]:
    return [(seat.get("laps", 0), height(options_of(state), seat["level"])) for seat in state["seats"]]


def leaders(state: State) -> list[int]:
    """Return the seats on the highest level."""
    heights = _heights(state)
    return [seat for seat, at in enumerate(heights) if at == max(heights)]
