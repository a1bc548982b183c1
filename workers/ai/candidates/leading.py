"""Candidate leads: every unit of the hand, and throws that cannot fail."""

from collections.abc import Iterator

from service.common.errors import IllegalPlay
from service.rules.tricks.leads import Lead
from service.rules.tricks.units import Unit
from workers.ai.knowledge.seat import Knowledge


def candidates(knowledge: Knowledge) -> list[Lead]:
    """Return different leads."""
    leads: dict[tuple[int, ...], Lead] = {}
    for group in range(len(knowledge.order.groups)):
        for cards in _units(knowledge, group):
            key = tuple(sorted(cards))
            if key not in leads:
                leads[key] = knowledge.rules.lead(cards)
        throw = _safe_throw(knowledge, group)
        if throw is not None:
            leads.setdefault(tuple(sorted(throw.cards)), throw)
    return list(leads.values())


def _units(knowledge: Knowledge, group: int) -> Iterator[tuple[int, ...]]:
    """Yield singles, pairs, whole tuples, and the tractors found by reading the whole suit as a lead."""
    hand = knowledge.hand
    pairs = 0
    for kind in knowledge.order.groups[group]:
        count = hand[kind]
        if count:
            yield (kind,)
        if count > 1:
            pairs += 1
            yield (kind, kind)
            if count > 2:
                yield (kind,) * count
    if pairs > 1:
        line = knowledge.rules.lines[group]
        for width, place in line.read(knowledge.order.suit_counts(hand, group)):
            if width > 1 and len(place) > 1:
                yield line.unit(width, place).cards


def _safe_throw(knowledge: Knowledge, group: int) -> Lead | None:
    """Return the largest throw of a suit of which no other hand can beat a unit, or None.

    Collects the cards that nobody can beat, as whole tuples or singles, then checks the units of the resulting throw.
    """
    hand, order = knowledge.hand, knowledge.order
    cards: list[int] = []
    for kind in reversed(order.groups[group]):
        count = hand[kind]
        if count and (
            _stands(knowledge, group, Unit(count, 1, (kind,) * count)) or _stands(knowledge, group, Unit(1, 1, (kind,)))
        ):
            cards += [kind] * count
    if len(cards) < 2:
        return None
    try:
        lead = knowledge.rules.lead(cards, unseen=knowledge.probabilities.pool)
    except IllegalPlay:
        return None
    if lead.kind != "throw" or not all(_stands(knowledge, group, unit) for unit in lead.units):
        return None
    return lead


def _stands(knowledge: Knowledge, group: int, unit: Unit) -> bool:
    """Return whether no card or tuple in other hands can beat the unit under `throw_test` (docs/rules.md §6.3)."""
    order, probabilities = knowledge.order, knowledge.probabilities
    width = 1 if knowledge.options["throw_test"] == "cards" else unit.width
    others = [seat for seat in range(knowledge.players) if seat != knowledge.seat]
    if all((knowledge.voids[seat] | knowledge.short_of(seat, width)) >> group & 1 for seat in others):
        return True
    if width == 1:
        return probabilities.above(group, order.level_of[unit.cards[-1]]) == 0
    high = order.level_of[unit.cards[0]]
    return not any(
        probabilities.pool[kind] >= unit.width for kind in order.groups[group] if order.level_of[kind] > high
    )
