"""Candidate leads: every unit of the hand, and throws that cannot fail."""

from collections.abc import Iterator

from service.common.errors import IllegalPlay
from service.rules.tricks.leads import Lead
from service.rules.tricks.units import Unit
from workers.ai.knowledge.seat import Sight


def candidates(sight: Sight) -> list[Lead]:
    """Return different leads."""
    found: dict[tuple[int, ...], Lead] = {}
    for group in range(len(sight.order.groups)):
        for cards in _units(sight, group):
            key = tuple(sorted(cards))
            if key not in found:
                found[key] = sight.rules.lead(cards)
        throw = _safe_throw(sight, group)
        if throw is not None:
            found.setdefault(tuple(sorted(throw.cards)), throw)
    return list(found.values())


def _units(sight: Sight, group: int) -> Iterator[tuple[int, ...]]:
    """Yield singles, pairs, whole tuples, and the tractors found by reading the whole suit as a lead."""
    hand = sight.hand
    pairs = 0
    for kind in sight.order.groups[group]:
        count = hand[kind]
        if count:
            yield (kind,)
        if count > 1:
            pairs += 1
            yield (kind, kind)
            if count > 2:
                yield (kind,) * count
    if pairs > 1:
        line = sight.rules.lines[group]
        for width, place in line.read(sight.order.suit_counts(hand, group)):
            if width > 1 and len(place) > 1:
                yield line.unit(width, place).cards


def _safe_throw(sight: Sight, group: int) -> Lead | None:
    """Return the largest throw of a suit of which no other hand can beat a unit, or None.

    Collects the cards that nobody can beat, as whole tuples or singles, then checks the units of the resulting throw.
    """
    hand, order = sight.hand, sight.order
    cards: list[int] = []
    for kind in reversed(order.groups[group]):
        count = hand[kind]
        if count and (
            _stands(sight, group, Unit(count, 1, (kind,) * count)) or _stands(sight, group, Unit(1, 1, (kind,)))
        ):
            cards += [kind] * count
    if len(cards) < 2:
        return None
    try:
        lead = sight.rules.lead(cards, unseen=sight.odds.pool)
    except IllegalPlay:
        return None
    if lead.kind != "throw" or not all(_stands(sight, group, unit) for unit in lead.units):
        return None
    return lead


def _stands(sight: Sight, group: int, unit: Unit) -> bool:
    """Return whether no card or tuple in other hands can beat the unit under `throw_test` (docs/rules.md §6.3)."""
    order, odds = sight.order, sight.odds
    width = 1 if sight.options["throw_test"] == "cards" else unit.width
    others = [seat for seat in range(sight.players) if seat != sight.seat]
    if all((sight.voids[seat] | sight.short_of(seat, width)) >> group & 1 for seat in others):
        return True
    if width == 1:
        return odds.above(group, order.level_of[unit.cards[-1]]) == 0
    high = order.level_of[unit.cards[0]]
    return not any(odds.pool[kind] >= unit.width for kind in order.groups[group] if order.level_of[kind] > high)
