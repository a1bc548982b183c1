"""Positions that make good riddles: one play is better than every other one, whatever the seed.

The plays that the rules nominate are played out on the same possible deals, twice, with different seeds. A position is
a riddle if both searches have the same best play, and each finds it clearly better than every other one.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from service.rules.cards import kinds_of, names_of
from workers.ai.candidates.following import Play
from workers.ai.heuristics import playing
from workers.ai.knowledge.seat import Knowledge, View
from workers.ai.search.searching import Simulation

#: Most plays among which one is asked for, and the fewest that make a riddle.
MOST_PLAYS: Final = 6
LEAST_PLAYS: Final = 3
#: Possible deals of a search, and after how many it is given up if nothing stands out.
WORLDS: Final = 200
LOOK: Final = 24
_HOPELESS: Final = 0.5
#: What the best play must gain over the next: in standard errors, to exclude chance, and in levels, to matter.
ERRORS: Final = 2.0
LEVELS: Final = 0.05


class Valued(NamedTuple):
    """A play, what it costs in levels against the best one, and the standard error of the cost; 0.0 for the best."""

    play: Play
    cost: float
    error: float


class Choice(NamedTuple):
    """One of the plays of a riddle, as `Valued`, with the names of its cards."""

    cards: list[str]
    cost: float
    error: float


def riddle_in(view: View, done: Sequence[str], seed: bytes) -> list[Choice] | None:
    """Return the plays of a riddle, the best first; None if the position is none.

    Args:
        view: AI view of a seat that is asked to play, in a game with fixed teams.
        done: the cards that were played, which are among the plays.
        seed: of the searches.
    """
    plays = plays_in(view, done)
    if len(plays) < LEAST_PLAYS:
        return None
    one, other = (valued(view, plays, seed + name) for name in (b"one", b"other"))
    if one is None or other is None or one[0].play != other[0].play or not (is_clear(one) and is_clear(other)):
        return None
    # The mean of both, which have as many deals.
    costs = {each.play: each for each in other}
    both = [
        Choice(names_of(play), (cost + costs[play].cost) / 2, (error**2 + costs[play].error ** 2) ** 0.5 / 2)
        for play, cost, error in one
    ]
    return sorted(both, key=lambda each: each.cost)


def plays_in(view: View, done: Sequence[str]) -> list[Play]:
    """Return the plays among which a riddle asks to choose: those that the rules rate best, and what was done."""
    knowledge = Knowledge(view, memory=True)
    rated = sorted(playing.rated(knowledge, widely=True), key=lambda each: -each[0])
    was = tuple(sorted(kinds_of(done)))
    plays = list(dict.fromkeys(tuple(sorted(play)) for _, play in rated))
    if was in plays[MOST_PLAYS:]:
        plays.insert(0, was)
    return list(dict.fromkeys(plays))[:MOST_PLAYS]


def valued(view: View, plays: Sequence[Play], seed: bytes, look: int = LOOK) -> list[Valued] | None:
    """Return what plays are worth in the same possible deals, the best first.

    Args:
        look: after how many deals None is returned if nothing stands out; 0: never.
    """
    random = Random(seed)  # noqa: S311 - deals no cards of a table
    simulation = Simulation(view, Knowledge(view, memory=True), random, thorough=True)
    indices = [simulation.indices_of(play) for play in plays]
    values: list[list[float]] = [[] for _ in plays]
    for number in range(WORLDS):
        world = simulation.world()
        for of_play, cards in zip(values, indices, strict=True):
            of_play.append(simulation.value(world, cards))
        if number + 1 == look and not is_clear(_compared(plays, values), _HOPELESS, 0.0):
            return None
    return _compared(plays, values)


def _compared(plays: Sequence[Play], values: Sequence[Sequence[float]]) -> list[Valued]:
    best = max(range(len(plays)), key=lambda number: fmean(values[number]))
    found = []
    for number, play in enumerate(plays):
        lost = [mine - its for mine, its in zip(values[best], values[number], strict=True)]
        found.append(Valued(play, fmean(lost), stdev(lost) / len(lost) ** 0.5))
    return sorted(found, key=lambda each: (each.cost, each.play != plays[best]))


def is_clear(found: Sequence[Valued], errors: float = ERRORS, levels: float = LEVELS) -> bool:
    """Return whether the first of some plays is better than every other one."""
    return all(each.cost > max(levels, errors * each.error) for each in found[1:])
