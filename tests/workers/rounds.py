"""Rounds of `normal` for inspection, each played once per test process."""

import json
import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from harness.ai_table import Table
from service.game.state.types import State
from tests.workers.players import choose
from workers.ai.knowledge.seat import Knowledge
from workers.ai.search.searching import Simulation
from workers.ai.simulation.world import World

FAST = {"deal_pace": "instant"}


class Asked(NamedTuple):
    """A decision: the table, and the view of the seat asked."""

    state: State
    view: dict[str, Any]


class Played(NamedTuple):
    """The decisions of a round in order, and its result."""

    decisions: list[Asked]
    result: dict[str, Any]


class Situation(NamedTuple):
    """A decision to play, and a possible world, which may be modified."""

    view: dict[str, Any]
    simulation: Simulation
    world: World


def played(ruleset: str, players: int, options: Mapping[str, Any], deal: int) -> Played:
    """Return a round, which must not be modified."""
    return _played(ruleset, players, json.dumps(options), deal)


@cache
def _played(ruleset: str, players: int, options: str, deal: int) -> Played:
    table = Table(ruleset, players, json.loads(options), deal)
    decisions: list[Asked] = []

    def note(_: int, view: dict[str, Any]) -> Any:
        decisions.append(Asked(table.state, view))
        return choose(view, b"x", "normal")

    while not table.results:
        table.step(note)
    return Played(decisions, table.results[0])


def plays_asked(ruleset: str, players: int, options: Mapping[str, Any], deal: int) -> list[Asked]:
    """Return the play decisions of a round."""
    decisions = played(ruleset, players, options, deal).decisions
    return [each for each in decisions if each.view["decision"]["kind"] == "play"]


def situations(ruleset: str, players: int, deals: range) -> Iterator[Situation]:
    """Yield the play decisions of some rounds."""
    for deal in deals:
        for view, simulation, world in _situations(ruleset, players, deal):
            yield Situation(view, simulation, world.copy())


@cache
def _situations(ruleset: str, players: int, deal: int) -> list[Situation]:
    chance, situations_of_deal = random.Random(deal), []
    for _, view in plays_asked(ruleset, players, FAST, deal):
        simulation = Simulation(view, Knowledge(view, memory=True), chance)
        situations_of_deal.append(Situation(view, simulation, simulation.world()))
    return situations_of_deal
