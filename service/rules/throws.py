"""Whether a throw holds, and what else is led (`rules.md` §4.3; 000 l.205-211, l.317; 001 §3.7.5, §4.2)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.rules.leads import Lead
from service.rules.trumps import Order
from service.rules.units import Line, Unit

#: Levels owed after a failed throw under `penalty_levels`: by its leader, and by each other on that side (000 l.331).
LEADER_OWES: Final = 2
PARTNER_OWES: Final = 1

_POINTS: Final = 10


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
    """The options of the same names (`rules.md` §4.3)."""

    throw_test: str
    throw_failure: str
    throw_penalty: str


def judge_throw(order: Order, line: Line, lead: Lead, hands: Sequence[Sequence[int]], rules: ThrowRules) -> Throw:
    """Test a throw against what the others hold; see `TrickRules.throw`."""
    suits = [order.suit_counts(hand, lead.group) for hand in hands]
    level_of = order.level_of
    if rules.throw_test == "cards":
        highest = max((line.levels[slot] for suit in suits for slot, count in enumerate(suit) if count), default=-1)
        beaten = [unit for unit in lead.units if level_of[unit.cards[-1]] < highest]
        beaten_cards = sum(level_of[kind] < highest for kind in lead.cards)
    else:
        best = {shape: max((line.highest(suit, shape) for suit in suits), default=()) for shape in set(lead.shapes)}
        beaten = [unit for unit in lead.units if _key(order, unit) < best[unit[:2]]]
        beaten_cards = sum(len(unit.cards) for unit in beaten)
    if not beaten:
        return Throw(ok=True)
    if rules.throw_failure == "end_round":
        return Throw(ok=False, ends_round=True)
    if rules.throw_failure == "penalty_levels":
        return Throw(ok=False, ends_round=True, penalty_levels=LEADER_OWES)
    if rules.throw_failure == "lowest_card":
        forced: tuple[int, ...] = (min(lead.cards, key=level_of.__getitem__),)
    else:
        forced = min(beaten, key=lambda unit: (unit.length > 1, unit.width, unit.length, _key(order, unit))).cards
    times = {
        "none": 0,
        "flat": 1,
        "per_unit": len(beaten),
        "per_card": beaten_cards,
        "per_withdrawn": lead.size - len(forced),
    }
    return Throw(ok=False, forced=forced, penalty=_POINTS * times[rules.throw_penalty])


def _key(order: Order, unit: Unit) -> tuple[int, ...]:
    """Return the levels of a unit from high to low, as `Line.key`."""
    return tuple([order.level_of[kind] for kind in unit.cards[:: unit.width]])
