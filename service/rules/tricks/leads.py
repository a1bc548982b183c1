"""Reading a lead as units, and checking that it is legal (`docs/rules.md` §6.1)."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from service.common.errors import IllegalPlay
from service.rules.cards import CARDS, names_of
from service.rules.tricks.rainbows import RAINBOW, read_rainbows
from service.rules.tricks.units import Line, Place, Shape, Unit, by_size
from service.rules.trumps import TRUMPS, Order


class Lead(NamedTuple):
    """The cards led, read as units.

    Attributes:
        group: the group of all cards (`Order.group_of`), or `RAINBOW`.
        size: number of cards.
        kind: `single`, `tuple`, `tractor`, `rainbow`, or `throw` if there are several units.
        units: those with most cards first; then the wider, then the higher first.
    """

    group: int
    size: int
    kind: str
    units: tuple[Unit, ...]

    @property
    def cards(self) -> tuple[int, ...]:
        """All cards led, unit by unit."""
        if len(self.units) == 1:
            return self.units[0].cards
        return tuple(chain.from_iterable(unit.cards for unit in self.units))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Width and length of each unit."""
        return tuple([unit[:2] for unit in self.units])


class LeadRules(NamedTuple):
    """The options of the same names (`docs/rules.md` §6.1)."""

    throws: str = "any"
    throw_same_count: bool = False
    rainbow: int | None = None


def read_lead(
    order: Order, lines: Sequence[Line], cards: Sequence[int], units: Sequence[Sequence[int]] | None, rules: LeadRules
) -> Lead:
    """Read the cards of a lead; see `TrickRules.lead`.

    Args:
        order: the ranking.
        lines: the line of each group.
        cards: kinds.
        units: the units named by the leader, or None.
        rules: the options.
    """
    if not cards:
        raise IllegalPlay("no_cards")
    group = order.group_of[cards[0]]
    rainbows = None if rules.rainbow is None else read_rainbows(order, cards, rules.rainbow)
    if rainbows is not None:
        group = RAINBOW
        _check_named(rainbows, units)
        read = rainbows
    elif any(order.group_of[kind] != group for kind in cards):
        raise IllegalPlay("one_suit", suits=sorted({order.name_of(order.group_of[kind]) for kind in cards}))
    elif units is None:
        line = lines[group]
        read = [line.unit(width, place) for width, place in line.read(_slots(order, line, cards))]
    else:
        read = _as_named(order, lines[group], cards, units)
    lead = Lead(group, len(cards), _kind(group, read), tuple(read))
    if len(read) > 1:
        _check_throw(lead, rules)
    return lead


def _kind(group: int, units: Sequence[Unit]) -> str:
    if len(units) > 1:
        return "throw"
    if group == RAINBOW:
        return "rainbow"
    if units[0].length > 1:
        return "tractor"
    return "tuple" if units[0].width > 1 else "single"


def _check_throw(lead: Lead, rules: LeadRules) -> None:
    if rules.throws == "none":
        raise IllegalPlay("throws")
    if rules.throws == "side_suits" and lead.group == TRUMPS:
        raise IllegalPlay("throws_of_trumps")
    if rules.throw_same_count and len(set(Counter([CARDS[kind][0] for kind in lead.cards]).values())) > 1:
        raise IllegalPlay("throw_same_count")


def _slots(order: Order, line: Line, cards: Sequence[int]) -> list[int]:
    counts = [0] * len(line.kinds)
    for kind in cards:
        counts[order.slot_of[kind]] += 1
    return counts


def _as_named(order: Order, line: Line, cards: Sequence[int], units: Sequence[Sequence[int]]) -> list[Unit]:
    """Read the cards as the units that the leader named."""
    if Counter(chain.from_iterable(units)) != Counter(cards):
        raise IllegalPlay("units_not_cards")
    places: list[tuple[int, Place]] = []
    for unit in units:
        counts = Counter(order.slot_of[kind] for kind in unit)
        width, place = next(iter(counts.values()), 0), tuple(sorted(counts))
        if not place or any(count != width for count in counts.values()) or not line.is_unit(width, place):
            raise IllegalPlay("no_unit", unit=names_of(unit))
        places.append((width, place))
    places.sort(key=lambda unit: (by_size((unit[0], len(unit[1]))), line.key(unit[1])), reverse=True)
    return [line.unit(width, place) for width, place in places]


def _check_named(rainbows: Sequence[Unit], units: Sequence[Sequence[int]] | None) -> None:
    """Check the units that the leader named: rainbows can be read in only one way, each rank as one unit."""
    for unit in units or ():
        if tuple(sorted(unit)) not in [each.cards for each in rainbows]:
            raise IllegalPlay("no_unit", unit=names_of(unit))
    if units is not None and len(units) != len(rainbows):
        raise IllegalPlay("units_not_cards")
