"""Whether a throw holds, and what else is led (`docs/rules.md` §6.3, §6.4)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.rules import rainbows
from service.rules.leads import Lead
from service.rules.rainbows import RAINBOW
from service.rules.trumps import TRUMPS, Order
from service.rules.units import Line, Shape, Unit

#: Levels owed after a failed throw under `penalty_levels`: by its leader, and by each other on that side.
LEADER_OWES: Final = 2
PARTNER_OWES: Final = 1

_POINTS: Final = 10
#: The unit that four identical cards beat under `quad_beats_tractor`.
_TWO_PAIRS: Final[Shape] = (2, 2)
QUAD: Final = 4


class Throw(NamedTuple):
    """What became of a throw.

    Attributes:
        ok: it holds.
        forced: kinds that are led instead; empty if it holds or ends the round.
        penalty: points that go to the other side.
        ends_round: the round is over at once.
        penalty_levels: levels owed by the leader; everybody else on that side then owes `PARTNER_OWES`.
    """

    ok: bool
    forced: tuple[int, ...] = ()
    penalty: int = 0
    ends_round: bool = False
    penalty_levels: int = 0


class ThrowRules(NamedTuple):
    """The options of the same names (`docs/rules.md` §6.3, §6.4)."""

    throw_test: str
    throw_failure: str
    throw_penalty: str
    quad_beats_tractor: bool = False
    proven_throws: bool = False


class _Test(NamedTuple):
    """What the test found.

    Attributes:
        beaten: the units that some hand can beat.
        cards: how many cards of the throw can be beaten.
        first: the units that the first of these hands beats, in order of play.
    """

    beaten: Sequence[Unit]
    cards: int
    first: Sequence[Unit]


def judge_throw(
    order: Order, lines: Sequence[Line], lead: Lead, hands: Sequence[Sequence[int]], rules: ThrowRules
) -> Throw:
    """Test a throw against what the others hold; see `TrickRules.throw`."""
    tested = _test(order, lines, lead, hands, rules)
    if not tested.beaten:
        return Throw(ok=True)
    if rules.throw_failure == "end_round":
        return Throw(ok=False, ends_round=True)
    if rules.throw_failure == "penalty_levels":
        return Throw(ok=False, ends_round=True, penalty_levels=LEADER_OWES)
    forced = _forced(order, lead, tested, rules.throw_failure)
    times = {
        "none": 0,
        "flat": 1,
        "per_unit": len(tested.beaten),
        "per_card": tested.cards,
        "per_withdrawn": lead.size - len(forced),
    }
    return Throw(ok=False, forced=forced, penalty=_POINTS * times[rules.throw_penalty])


def can_be_beaten(
    order: Order, lines: Sequence[Line], lead: Lead, hands: Sequence[Sequence[int]], rules: ThrowRules
) -> bool:
    """Return whether one of the hands could beat a unit of a throw."""
    return bool(_test(order, lines, lead, hands, rules).beaten)


def _test(order: Order, lines: Sequence[Line], lead: Lead, hands: Sequence[Sequence[int]], rules: ThrowRules) -> _Test:
    if lead.group == RAINBOW:
        beaten = rainbows.beatable(lead.units, hands)
        return _Test(beaten, sum([unit.width for unit in beaten]), beaten)
    suits = [order.suit_counts(hand, lead.group) for hand in hands]
    tops = [_top(lines[lead.group], suit) for suit in suits]
    by_hand = [
        _beaten_by(order, lines, lead, suit, _ruffing(order, lead, hand, suit, rules), rules)
        for hand, suit in zip(hands, suits, strict=True)
    ]
    units = lead.units
    beaten = [unit for number, unit in enumerate(units) if any(numbers[number] for numbers in by_hand)]
    first = next((numbers for numbers in by_hand if any(numbers)), [])
    if rules.throw_test != "cards":
        cards = sum([len(unit.cards) for unit in beaten])
    else:
        top = max(tops, default=-1)
        quad = rules.quad_beats_tractor and any(max(suit, default=0) >= QUAD for suit in suits)
        cards = sum(
            len(unit.cards)
            if quad and unit[:2] == _TWO_PAIRS
            else sum(order.level_of[kind] < top for kind in unit.cards)
            for unit in units
        )
    return _Test(beaten, cards, [unit for unit, by_first in zip(units, first, strict=False) if by_first])


def _top(line: Line, suit: Sequence[int]) -> int:
    """Return the level of the highest card; -1 if there is none."""
    return max((line.levels[slot] for slot, count in enumerate(suit) if count), default=-1)


def _ruffing(
    order: Order, lead: Lead, hand: Sequence[int], suit: Sequence[int], rules: ThrowRules
) -> tuple[int, ...] | None:
    """Return the trumps with which a hand could ruff the throw, if the test asks for that."""
    if rules.throw_test != "units_or_ruff" or lead.group == TRUMPS or any(suit):
        return None
    return order.suit_counts(hand, TRUMPS)


def _beaten_by(
    order: Order,
    lines: Sequence[Line],
    lead: Lead,
    suit: Sequence[int],
    trumps: Sequence[int] | None,
    rules: ThrowRules,
) -> list[bool]:
    """Return for each unit of a throw whether a hand beats it with cards of the suit, or by ruffing."""
    line = lines[lead.group]
    shapes = set(lead.shapes)
    if trumps is not None:
        beaten = {shape: bool(lines[TRUMPS].places(trumps, shape)) for shape in shapes}
        found = [beaten[unit[:2]] for unit in lead.units]
    elif rules.throw_test == "cards":
        top = _top(line, suit)
        found = [order.level_of[unit.cards[-1]] < top for unit in lead.units]
    else:
        best = {shape: line.highest(suit, shape) for shape in shapes}
        found = [_key(order, unit) < best[unit[:2]] for unit in lead.units]
    if rules.quad_beats_tractor and max(suit if trumps is None else trumps) >= QUAD:
        found = [was or unit[:2] == _TWO_PAIRS for was, unit in zip(found, lead.units, strict=True)]
    return found


def _forced(order: Order, lead: Lead, tested: _Test, failure: str) -> tuple[int, ...]:
    """Return the cards that are led instead of a throw that failed."""
    if failure == "lowest_card":
        levels = rainbows.RANK_OF if lead.group == RAINBOW else order.level_of
        return (min(lead.cards, key=levels.__getitem__),)
    among = {"beaten_unit": tested.beaten, "first_seat": tested.first}.get(failure, lead.units)
    if lead.group == RAINBOW:
        return rainbows.smallest(among).cards

    def weight(unit: Unit) -> tuple[object, ...]:
        key = _key(order, unit)
        if failure == "first_seat":
            return len(unit.cards), key
        if failure == "lowest_top_unit":
            return key[0], len(unit.cards), key
        return unit.length > 1, unit.width, unit.length, key

    return min(among, key=weight).cards


def _key(order: Order, unit: Unit) -> tuple[int, ...]:
    """Return the levels of a unit from high to low, as `Line.key`."""
    return tuple([order.level_of[kind] for kind in unit.cards[:: unit.width]])
