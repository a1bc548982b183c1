"""Judging what somebody has done: what an AI player would have done with the same view, and what that is worth."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final, NamedTuple

from service.rules.cards import kinds_of
from workers.ai import EFFORTS, advise
from workers.ai.reasons import Advice
from workers.ai.search.searching import Simulation, compared
from workers.ai.sight import Sight, View

#: Fields of an action that say what is done, apart from its type.
_FIELDS: Final = ("cards", "calls", "road")


class Judgement(NamedTuple):
    """What an AI player says of an action.

    Attributes:
        advice: what it would have done; the same action if it agrees.
        agrees: whether it would have done the same.
        gain: levels that its answer gains on the action; None: nothing was simulated.
        error: standard error of the gain.
    """

    advice: Advice
    agrees: bool
    gain: float | None
    error: float


def judge(view: View, action: Mapping[str, Any], seed: bytes, level: str) -> Judgement:
    """Judge an action of the seat whose view this is.

    Args:
        view: before the action.
        action: `type` and its fields.
        seed: of the player's random choices.
        level: of the AI player.
    """
    advice = advise(view, seed, level)
    if _same(advice.command, action):
        return Judgement(advice, agrees=True, gain=0.0, error=0.0)
    if level not in EFFORTS or action["type"] != "play" or view["round"]["roads"] is not None:
        return Judgement(advice, agrees=False, gain=None, error=0.0)
    # Fresh deals: on those in which it was found, the best play looks better than it is.
    random = Random(seed + b"judge")  # noqa: S311
    simulation = Simulation(view, Sight(view, memory=True), random, thorough=EFFORTS[level].thorough)
    slots = simulation.game.slots
    better, done = (slots.slots_of(kinds_of(each["cards"])) for each in (advice.command, action))
    gain, error = compared(simulation, better, done, EFFORTS[level])
    return Judgement(advice, agrees=False, gain=gain, error=error)


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one["type"] == other["type"] and all(_ordered(one, name) == _ordered(other, name) for name in _FIELDS)


def _ordered(action: Mapping[str, Any], name: str) -> object:
    value = action.get(name)
    return sorted(map(str, value)) if isinstance(value, list) else value
