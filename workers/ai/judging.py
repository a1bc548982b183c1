"""Judging an action by what an AI player would have done with the same view."""

from collections.abc import Mapping
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from service.rules.cards import kinds_of
from workers.ai import EFFORTS, Effort, advise, reasons
from workers.ai.candidates.following import Play
from workers.ai.heuristics.playing import ranked
from workers.ai.knowledge.seat import Knowledge, View
from workers.ai.reasons import Reason
from workers.ai.search.discards import Discards
from workers.ai.search.searching import Simulation

#: Fields that define an action, together with its type.
_FIELDS: Final = ("cards", "calls", "road")


#: Least gain of a better play: in standard errors, to exclude chance, and in levels.
_ERRORS: Final = 2.0
_LEVELS: Final = 0.01


class Judgement(NamedTuple):
    """The judgement of an AI player on an action.

    Attributes:
        best: its own action, if measurably better or not simulated; else None.
        reason: reason for `best`, or for the action taken.
        gain: levels that its own action gains over the action taken, measurable or not; None if not simulated.
        error: standard error of the gain.
    """

    best: Mapping[str, Any] | None
    reason: Reason | None
    gain: float | None
    error: float = 0.0


class Gain(NamedTuple):
    """Levels that an action gains over another, and the standard error."""

    levels: float
    error: float


def judge(view: View, action: Mapping[str, Any], seed: bytes, level: str, share: float = 1.0) -> Judgement:
    """Judge an action of the seat whose view this is.

    Args:
        view: view before the action.
        action: `type` and its fields.
        seed: seed of the player's random choices.
        level: level of the AI player.
        share: share of its full work that it may do.
    """
    advice = advise(view, seed, level, share)
    if is_same(advice.command, action):
        return Judgement(None, advice.reason, 0.0)
    # Use fresh deals, since the best play looks too good on those that selected it.
    random = Random(seed + b"judge")  # noqa: S311
    effort = EFFORTS[level].scaled(share) if level in EFFORTS else None
    simulation = _simulation(view, action["type"], random, effort) if effort else None
    if simulation is None or effort is None:
        return Judgement(advice.command, advice.reason, None)
    better, done = (tuple(kinds_of(each["cards"])) for each in (advice.command, action))
    gain, error, worlds = compared(simulation, better, done, effort)
    if gain < max(_LEVELS, _ERRORS * error):
        why = _in_favour(simulation.knowledge, action["type"], done, better)
        return Judgement(None, reasons.for_as_good(why, better, worlds), gain, error)
    if advice.reason and advice.reason["code"] in reasons.OF_SEARCHES:
        # The search may have compared it with another play.
        return Judgement(advice.command, reasons.for_search(done, gain, worlds), gain, error)
    return Judgement(advice.command, advice.reason, gain, error)


def gain_of(view: View, one: Mapping[str, Any], other: Mapping[str, Any], seed: bytes, level: str) -> Gain | None:
    """Return what an action of the seat whose view this is gains over another; None: it cannot be simulated.

    Args:
        view: view before the action.
        one, other: `type` and its fields; of one type.
        seed: of the fresh deals.
        level: level of the search that plays them out.
    """
    simulation = _simulation(view, one["type"], Random(seed + b"judge"), EFFORTS[level])  # noqa: S311
    if simulation is None:
        return None
    better, usual = (tuple(kinds_of(each["cards"])) for each in (one, other))
    return Gain(*compared(simulation, better, usual, EFFORTS[level])[:2])


def _simulation(view: View, kind: str, random: Random, effort: Effort) -> Simulation | None:
    """Return the simulation for judging an action of this type, or None."""
    if kind == "play" and view["round"]["roads"] is None:
        return Simulation(view, Knowledge(view, memory=True), random, thorough=effort.thorough)
    if kind == "discard" and view["round"]["declarer"] == view["my"]["seat"]:
        return Discards(view, Knowledge(view, memory=True), random)
    return None


def _in_favour(knowledge: Knowledge, kind: str, done: Play, better: Play) -> Reason:
    """Return the reason by which rules would have taken the action."""
    if kind == "discard":
        return reasons.for_discard(knowledge.hand, done, knowledge.order)
    return reasons.for_play(knowledge, done, [done, better, *ranked(knowledge)])


def compared(simulation: Simulation, one: Play, other: Play, effort: Effort) -> tuple[float, float, int]:
    """Return the gain of a play over another in levels, its standard error, and the number of fresh worlds."""
    length = max(1, simulation.knowledge.size) * simulation.knowledge.players
    worlds = min(effort.confirm, max(16, effort.plays // length // 2))
    better, usual = simulation.indices_of(one), simulation.indices_of(other)
    gains = []
    for _ in range(worlds):
        world = simulation.world()
        gains.append(simulation.value(world, better) - simulation.value(world, usual))
    return fmean(gains), stdev(gains) / worlds**0.5, worlds


def is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two actions are the same, whatever the order of their cards."""
    return one["type"] == other["type"] and all(_ordered(one, name) == _ordered(other, name) for name in _FIELDS)


def _ordered(action: Mapping[str, Any], name: str) -> object:
    value = action.get(name)
    return sorted(map(str, value)) if isinstance(value, list) else value
