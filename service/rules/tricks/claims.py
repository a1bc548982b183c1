"""Claims: whether a leader wins all tricks that are left, whatever the others play."""

from collections.abc import Sequence
from typing import Final

from service.rules.option import Options
from service.rules.tricks import bombs
from service.rules.tricks.throws import LEADER_OWES, LEAST_PENALTY, QUAD
from service.rules.tricks.units import Line, Shape, Unit, by_size
from service.rules.trumps import TRUMPS, Order

_TWO_PAIRS: Final[Shape] = (2, 2)
#: Counts of a suit in a hand, ascending by strength.
Suit = Sequence[int]


def certain_leads(
    order: Order,
    lines: Sequence[Line],
    hand: Sequence[int],
    others: Sequence[Sequence[int]],
    *,
    quads: bool,
    has_bombs: bool,
) -> list[Unit] | None:
    """Return leads that use up a hand and all win, whatever the others play; None if there is no such certainty.

    Trumps come first, then suit by suit; the largest unit comes as late as it can. A unit is certain if no hand that
    may still have enough cards of its suit has a higher unit of its shape there: each lead draws cards from those who
    must follow. In a side suit, nobody may still have enough trumps either, when the leader has led all trumps.

    Args:
        order: the ranking.
        lines: the line of each group.
        hand: counts of the leader's cards.
        others: counts of the other hands.
        quads: whether four identical cards beat two consecutive pairs (`quad_beats_tractor`).
        has_bombs: whether four identical cards beat everything (`bombs`).
    """
    if has_bombs and any(max(other) >= bombs.LEAST for other in others):
        return None
    trumps = [order.suit_counts(other, TRUMPS) for other in others]
    drawn = sum(order.suit_counts(hand, TRUMPS))
    by_suit: list[list[Unit]] = []
    for group, line in enumerate(lines):
        counts = order.suit_counts(hand, group)
        if not any(counts):
            continue
        leads = _order(line, counts, [order.suit_counts(other, group) for other in others], quads)
        if leads is None:
            return None
        for width, length, _ in leads if group != TRUMPS else ():
            if any(_may_beat(lines[TRUMPS], held, (width, length), (), drawn, quads) for held in trumps):
                return None
        by_suit.append(leads)
    by_suit.sort(key=lambda leads: (order.group_of[leads[0].cards[0]] != TRUMPS, by_size(leads[-1][:2])))
    return [unit for leads in by_suit for unit in leads]


def cost_of_false_claim(options: Options) -> tuple[int, int]:
    """Return the cost of a false claim in points and levels, as for a throw that fails by one card (decision 144).

    It is the same however wrong the claim is; anything else would reveal hidden cards.
    """
    owes = options["throw_penalty_levels"] or options["throw_failure"] in {"end_round", "penalty_levels"}
    return 0 if options["throw_penalty"] == "none" else LEAST_PENALTY, LEADER_OWES if owes else 0


def _order(line: Line, counts: Suit, suits: Sequence[Suit], quads: bool) -> list[Unit] | None:
    """Return the units of a suit in an order in which each is certain when it is led; None if there is none."""
    left = sorted(line.read(counts), key=lambda unit: (by_size((unit[0], len(unit[1]))), _lowness(line, unit[1])))
    leads: list[Unit] = []
    drawn = 0
    while left:
        for width, place in left:
            shape, key = (width, len(place)), line.key(place)
            if not any(_may_beat(line, suit, shape, key, drawn, quads) for suit in suits):
                break
        else:
            return None
        left.remove((width, place))
        leads.append(line.unit(width, place))
        drawn += width * len(place)
    return leads


def _lowness(line: Line, place: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([-level for level in line.key(place)])


def _may_beat(line: Line, suit: Suit, shape: Shape, key: tuple[int, ...], drawn: int, quads: bool) -> bool:
    """Tell whether a hand may beat a unit after following with `drawn` cards of a suit."""
    if sum(suit) - drawn < shape[0] * shape[1]:
        return False
    return line.highest(suit, shape) > key or (quads and shape == _TWO_PAIRS and max(suit) >= QUAD)
