"""Reasons of decisions, as data: a code and the values for its text (`service.texts.ai_reasons`).

A reason is derived from the seat's knowledge, like the decision itself, and may name its cards: until the round is
over, only the seat may see it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from service.game.state.memory import GROUPS
from service.rules.cards import Counts, names_of, points_of
from service.rules.trumps import TRUMPS, Order
from workers.ai.candidates.following import Play
from workers.ai.knowledge.seat import Knowledge

#: `code`, and `params` (JSON).
Reason = dict[str, Any]


class Advice(NamedTuple):
    """An answer to a decision.

    Attributes:
        command: the action, without player and decision id.
        reason: why; None if there is nothing to explain.
        others: other plays, best first, each with its gain over the answer in levels; empty without a search.
    """

    command: dict[str, Any]
    reason: Reason | None = None
    others: Sequence[tuple[list[str], float]] = ()


#: Least probabilities of certain, sure, likely and possible.
_CERTAIN: Final = 0.9999
_SURE: Final = 0.97
_LIKELY: Final = 0.6
_POSSIBLE: Final = 0.2
#: Reasons of a search that overrules the rules.
OF_SEARCHES: Final = frozenset({"search", "search-points", "search-slight"})
#: Reasons that claim that other cards are worse, which is true only of the choice of the rules.
_PREFERENCES: Final = frozenset({"bury-cheapest", "cheap-lead", "least-loss"})


def reason(code: str, **params: Any) -> Reason:
    """Return a reason."""
    return {"code": code, "params": params}


def for_play(knowledge: Knowledge, cards: Play, plays: Sequence[Play]) -> Reason:
    """Return the reason for leading or following with these cards.

    Args:
        plays: compared plays, including `cards`.
    """
    if len(plays) == 1:
        return reason("last-cards" if len(cards) == knowledge.size else "only-play")
    races = [call.kind for call in knowledge.races if call.filled_by(cards.count(call.kind))]
    if races:
        return reason("join", cards=names_of(races))
    return _for_lead(knowledge, cards) if knowledge.lead is None else _for_follow(knowledge, cards, plays)


def for_search(usual: Play, gain: float, worlds: int, *, unit: str = "levels") -> Reason:
    """Return the reason for a play by a search that overrules the rules, which would have played `usual`.

    Args:
        gain: gain over `usual`.
        unit: `levels`, or `points` of the score.
    """
    code, figure = ("search", round(gain, 2)) if unit == "levels" else ("search-points", round(gain))
    values = {"over": names_of(usual), "deals": worlds}
    return reason(code, gain=figure, **values) if figure else reason("search-slight", **values)


def for_as_good(why: Reason, over: Play, worlds: int) -> Reason:
    """Return the reason for an action that no other measurably beats.

    Args:
        why: its reason by the rules.
        over: the choice of the AI player.
        worlds: number of worlds in which both were compared.
    """
    if why["code"] in _PREFERENCES:
        return reason("as-good", over=names_of(over), deals=worlds)
    return why


def for_bid(cards: Sequence[str] | None, strength: float, needed: float) -> Reason:
    """Return the reason for showing a hand or not; 1.0 is the strength of an average hand."""
    if cards is None and not strength:
        return reason("nothing-to-show")
    code = "too-weak" if cards is None else "strong-enough"
    return reason(code, strength=round(strength, 2), needed=round(needed, 2))


def for_discard(hand: Counts, cards: Sequence[int], order: Order) -> Reason:
    """Return the reason for burying these cards."""
    emptied = _emptied(_left(hand, cards), cards, order)
    points = points_of(cards)
    if emptied:
        return reason("bury-suits", suits=_letters(emptied), points=points)
    return reason("bury-cheapest", points=points)


def _for_lead(knowledge: Knowledge, cards: Play) -> Reason:
    lead = knowledge.rules.lead(cards, unseen=knowledge.probabilities.pool)
    ours, holds = knowledge.win_probability(lead, lead.units[0].cards, 1.0)
    if lead.kind == "throw":
        if holds < _LIKELY:
            return reason("throw-into-ruff", cards=len(cards), chance=_percent(1.0 - holds))
        return reason("throw", cards=len(cards), chance=_percent(holds))
    if holds >= _CERTAIN:
        return reason("boss")
    if lead.group == TRUMPS:
        mine = sum(knowledge.hand[kind] for kind in knowledge.order.groups[TRUMPS])
        out, seats = _trumps_out(knowledge)
        # Others run out of trumps first, and then there is something to lead.
        if 0.0 < out < (mine - len(cards)) * seats and mine < knowledge.size:
            return reason("draw-trumps", mine=mine, others=max(1, round(out)))
    emptied = _emptied_for_ruffs(knowledge, cards)
    if emptied and holds < _SURE:
        return reason("empty-suit", suits=_letters(emptied))
    return _for_probabilities(ours, holds)


def _trumps_out(knowledge: Knowledge) -> tuple[float, int]:
    """Return the expected number of trumps in other hands, and the number of hands that may hold any."""
    may = [
        cards
        for seat, (cards, voids) in enumerate(zip(knowledge.held, knowledge.voids, strict=True))
        if seat != knowledge.seat and not voids >> TRUMPS & 1
    ]
    return knowledge.probabilities.in_group[TRUMPS] * sum(may) / max(1, knowledge.probabilities.room[TRUMPS]), len(may)


def _for_probabilities(ours: float, holds: float) -> Reason:
    if holds >= _LIKELY:
        return reason("likely-to-win", chance=_percent(holds))
    if ours >= _LIKELY:
        return reason("for-partner", chance=_percent(ours))
    return reason("cheap-lead", chance=_percent(ours))


def _for_follow(knowledge: Knowledge, cards: Play, plays: Sequence[Play]) -> Reason:
    rules, lead = knowledge.rules, knowledge.lead
    if lead is None:
        raise AssertionError("there is no lead to follow")
    points = points_of(cards)
    if rules.beats(lead, knowledge.best, cards):
        ours, holds = knowledge.win_probability(lead, rules.winning_unit(lead, cards) or cards, 1.0)
        if holds >= _POSSIBLE:
            return reason(_winning_code(knowledge, cards), points=knowledge.points + points, chance=_percent(holds))
        if _percent(holds) and (not points or ours < _LIKELY):
            return reason("beat", chance=_percent(holds))
    else:
        ours = knowledge.probability_as_it_stands(lead)
    if ours >= _LIKELY:
        if points:
            return reason("feed", points=points, chance=_percent(ours))
        return reason("leave-it", chance=_percent(ours))
    return _for_lost(knowledge, cards, plays, _percent(1.0 - ours))


def _for_lost(knowledge: Knowledge, cards: Play, plays: Sequence[Play], chance: int) -> Reason:
    """Return the reason for cards given to a trick that the other side wins with this probability in percent."""
    points = points_of(cards)
    if points:
        is_fewest = points == min(map(points_of, plays))
        return reason("fewest-points" if is_fewest else "least-loss", points=points, chance=chance)
    emptied = _emptied_for_ruffs(knowledge, cards)
    # A seat forced to follow with its last card of a suit does not play it in order to empty the suit.
    if emptied and any(_emptied_for_ruffs(knowledge, other) != emptied for other in plays):
        return reason("empty-suit", suits=_letters(emptied))
    return reason("keep-points", chance=chance)


def _winning_code(knowledge: Knowledge, cards: Play) -> str:
    order, lead = knowledge.order, knowledge.lead
    if lead is None or lead.group == TRUMPS or any(order.group_of[kind] != TRUMPS for kind in cards):
        return "win"
    return "overruff" if all(order.group_of[kind] == TRUMPS for kind in knowledge.best) else "ruff"


def _left(hand: Counts, cards: Sequence[int]) -> list[int]:
    """Return the counts of a hand without some of its cards."""
    left = list(hand)
    for kind in cards:
        left[kind] -= 1
    return left


def _emptied_for_ruffs(knowledge: Knowledge, cards: Play) -> list[int]:
    """Return the side suits that this play empties, if trumps are left to ruff them."""
    left = _left(knowledge.hand, cards)
    if not any(left[kind] for kind in knowledge.order.groups[TRUMPS]):
        return []
    return _emptied(left, cards, knowledge.order)


def _emptied(left: Counts, cards: Sequence[int], order: Order) -> list[int]:
    """Return the side suits of which these cards were the last."""
    touched = {order.group_of[kind] for kind in cards} - {TRUMPS}
    return [group for group in sorted(touched) if not any(left[kind] for kind in order.groups[group])]


def _letters(groups: Iterable[int]) -> list[str]:
    return [GROUPS[group] for group in groups]


def _percent(chance: float) -> int:
    """Return a probability in percent; 100 only if it is certain."""
    return 100 if chance >= _CERTAIN else min(99, round(100 * chance))
