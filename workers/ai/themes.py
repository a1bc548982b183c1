"""Themes of mistakes: what kind of decision was worse than another one."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.rules.cards import kinds_of, points_of
from service.rules.trumps import TRUMPS
from workers.ai.knowledge.seat import Knowledge, View

#: Type of a decision other than a play -> its theme.
_OF_TYPES: Final = {
    "declare": "bid",
    "pass": "bid",
    "overcall_kitty": "bid",
    "discard": "kitty",
    "call": "friends",
    "road": "road",
}


def theme_of(view: View, action: Mapping[str, Any], best: Mapping[str, Any]) -> str:
    """Return the theme of a decision (`service.store.analyses.THEMES`).

    Args:
        view: view of the seat before it.
        action: what was done.
        best: what would have been better; of the same type if it is a play.
    """
    theme = _OF_TYPES.get(action["type"])
    if theme is not None or action["type"] != "play" or view["round"]["roads"] is not None:
        return theme or "other"
    knowledge = Knowledge(view, memory=True)
    done, better = kinds_of(action["cards"]), kinds_of(best["cards"])
    return _lead(knowledge, done, better) if knowledge.lead is None else _follow(knowledge, done, better)


def _lead(knowledge: Knowledge, done: Sequence[int], better: Sequence[int]) -> str:
    one, other = (_groups(knowledge, cards) for cards in (done, better))
    if one != other:
        return "trumps-early" if one == {TRUMPS} else "trumps-late" if other == {TRUMPS} else "wrong-suit"
    return "shape" if len(done) != len(better) else "wrong-card"


def _follow(knowledge: Knowledge, done: Sequence[int], better: Sequence[int]) -> str:
    rules, lead = knowledge.rules, knowledge.lead
    if lead is None:
        raise AssertionError("there is no lead to follow")
    wins, would_win = (rules.beats(lead, knowledge.best, list(cards)) for cards in (done, better))
    if would_win and not wins:
        return "let-go"
    if wins and not would_win:
        return "high-wasted"
    more = points_of(done) - points_of(better)
    if more:
        return "points-given" if more > 0 else "points-kept"
    one, other = (_groups(knowledge, cards) for cards in (done, better))
    if one != other:
        return "wrong-discard"
    levels = [sum(knowledge.order.level_of[kind] for kind in cards) for cards in (done, better)]
    return "high-wasted" if levels[0] > levels[1] else "wrong-card"


def _groups(knowledge: Knowledge, cards: Sequence[int]) -> set[int]:
    return {knowledge.order.group_of[kind] for kind in cards}
