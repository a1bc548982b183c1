"""Testing a throw, and what happens if it fails (`docs/rules.md` §6.3, §6.4)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.rules.tricks import rainbows
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.units import Line, Shape, Unit
from service.rules.trumps import TRUMPS, Order

#: Levels owed for a failed throw: by its leader, and by everybody else on that side.
LEADER_OWES: Final = 2
PARTNER_OWES: Final = 1

#: Least number of points that a failed throw costs, if it costs points.
LEAST_PENALTY: Final = 10
#: The unit that four identical cards beat under `quad_beats_tractor`.
_TWO_PAIRS: Final[Shape] = (2, 2)
QUAD: Final = 4


class Throw(NamedTuple):
    """The result of testing a throw.

    Attributes:
        ok: whether it succeeds.
        forced: kinds that are led instead; empty if it succeeds or ends the round.
        penalty: points that the leader's side loses.
        ends_round: whether the round is over at once.
        penalty_levels: levels owed by the leader; if any, everybody else on that side owes `PARTNER_OWES`.
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
    """Which parts of a throw can be beaten.

    Attributes:
        beaten: the units that some hand can beat.
        cards: number of cards that can be beaten.
        first: the units that the first hand in order of play that beats any can beat.
    """

    beaten: Sequence[Unit]
    cards: int
    first: Sequence[Unit]


def judge_throw(
    order: Order, lines: Sequence[Line], lead: Lead, hands: Sequence[Sequence[int]], rules: ThrowRules
) -> Throw:
    """Test a throw against the other hands; see `TrickRules.throw`."""
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
    return Throw(ok=False, forced=forced, penalty=LEAST_PENALTY * times[rules.throw_penalty])


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
    beating = _Beating(order, lines, lead, rules)
    by_hand = [beating.units(hand, suit) for hand, suit in zip(hands, suits, strict=True)]
    units = lead.units
    beaten = [units[number] for number in sorted(set().union(*by_hand))]
    first = next((numbers for numbers in by_hand if numbers), ())
    cards = _beatable_cards(order, lines, lead, suits, rules) if rules.throw_test == "cards" else 0
    return _Test(beaten, cards or sum([len(unit.cards) for unit in beaten]), [units[number] for number in first])


class _Beating:
    """Finds the units of a throw that a hand can beat."""

    def __init__(self, order: Order, lines: Sequence[Line], lead: Lead, rules: ThrowRules) -> None:
        self._order, self._line, self._trumps = order, lines[lead.group], lines[TRUMPS]
        self._ruff = rules.throw_test == "units_or_ruff" and lead.group != TRUMPS
        self._by_card, self._quads = rules.throw_test == "cards", rules.quad_beats_tractor
        self._units = [(unit[:2], _key(order, unit)) for unit in lead.units]

    def units(self, hand: Sequence[int], suit: Sequence[int]) -> list[int]:
        """Return the indices of the units that a hand beats; `suit` are its counts of the suit."""
        line, units = self._line, self._units
        if self._ruff and not any(suit):
            line, suit = self._trumps, self._order.suit_counts(hand, TRUMPS)
            beaten = [number for number, (shape, _) in enumerate(units) if line.highest(suit, shape)]
        elif self._by_card:
            top = _top(line, suit)
            beaten = [number for number, (_, key) in enumerate(units) if key[-1] < top]
        else:
            beaten = [number for number, (shape, key) in enumerate(units) if key < line.highest(suit, shape)]
        if self._quads and max(suit) >= QUAD:
            beaten += [
                number for number, (shape, _) in enumerate(units) if shape == _TWO_PAIRS and number not in beaten
            ]
        return beaten


def _beatable_cards(
    order: Order, lines: Sequence[Line], lead: Lead, suits: Sequence[Sequence[int]], rules: ThrowRules
) -> int:
    """Return how many cards of a throw are lower than a card in another hand, or in a tractor that a quad beats."""
    top = max((_top(lines[lead.group], suit) for suit in suits), default=0)
    quad = rules.quad_beats_tractor and any(max(suit) >= QUAD for suit in suits)
    return sum(
        len(unit.cards) if quad and unit[:2] == _TWO_PAIRS else sum(order.level_of[kind] < top for kind in unit.cards)
        for unit in lead.units
    )


def _top(line: Line, suit: Sequence[int]) -> int:
    """Return the level of the highest card; 0, which beats nothing, if there is none."""
    return max((line.levels[slot] for slot, count in enumerate(suit) if count), default=0)


def _forced(order: Order, lead: Lead, tested: _Test, failure: str) -> tuple[int, ...]:
    """Return the cards that are led instead of a failed throw."""
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
