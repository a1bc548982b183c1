"""What a lead is read as (`rules.md` §4.3; 000 l.124-198; 001 §4.1, §6.5; 003 l.165-253)."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from service.errors import IllegalPlay
from service.rules.cards import names_of
from service.rules.trumps import Order
from service.rules.units import Line, Place, Shape, Unit, by_size


class Lead(NamedTuple):
    """Cards led, and how they are read.

    Attributes:
        group: suit of all of them (`Order.group_of`).
        size: number of cards.
        kind: `single`, `tuple`, `tractor`, or `throw` for several units.
        units: longest first, at equal cards the wider first, of one shape the higher first.
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


def read_lead(
    order: Order,
    lines: Sequence[Line],
    cards: Sequence[int],
    units: Sequence[Sequence[int]] | None,
    same_count: bool,
) -> Lead:
    """Read the cards of a lead; see `TrickRules.lead`.

    Args:
        order: the ranking.
        lines: the line of each group.
        cards: kinds.
        units: as the leader says, or None.
        same_count: in a throw each kind of card must appear equally often (000 l.319).
    """
    if not cards:
        raise IllegalPlay("no_cards")
    group = order.group_of[cards[0]]
    if any(order.group_of[kind] != group for kind in cards):
        raise IllegalPlay("one_suit", suits=sorted({order.name_of(order.group_of[kind]) for kind in cards}))
    line = lines[group]
    if units is None:
        read = [line.unit(width, place) for width, place in line.read(_slots(order, line, cards))]
    else:
        read = _as_said(order, line, cards, units)
    if len(read) > 1:
        if same_count and len(set(Counter(cards).values())) > 1:
            raise IllegalPlay("throw_same_count")
        kind = "throw"
    elif read[0].length > 1:
        kind = "tractor"
    else:
        kind = "tuple" if read[0].width > 1 else "single"
    return Lead(group, len(cards), kind, tuple(read))


def _slots(order: Order, line: Line, cards: Sequence[int]) -> list[int]:
    counts = [0] * len(line.kinds)
    for kind in cards:
        counts[order.slot_of[kind]] += 1
    return counts


def _as_said(order: Order, line: Line, cards: Sequence[int], units: Sequence[Sequence[int]]) -> list[Unit]:
    """Read the cards as the leader says (001 §6.5)."""
    if Counter(chain.from_iterable(units)) != Counter(cards):
        raise IllegalPlay("units_not_cards")
    places: list[tuple[int, Place]] = []
    for unit in units:
        counts = Counter(order.slot_of[kind] for kind in unit)
        width, place = next(iter(counts.values()), 0), tuple(sorted(counts))
        if not place or any(count != width for count in counts.values()) or not line.is_run(width, place):
            raise IllegalPlay("no_unit", unit=names_of(unit))
        places.append((width, place))
    places.sort(key=lambda unit: (by_size((unit[0], len(unit[1]))), line.key(unit[1])), reverse=True)
    return [line.unit(width, place) for width, place in places]
