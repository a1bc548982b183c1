"""What the kitty is worth at the end of a round (`rules.md` §4.2)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.rules.cards import points_of
from service.rules.leads import Lead
from service.rules.units import Unit


class KittyBonus(NamedTuple):
    """Card points in the kitty, what they are multiplied by, and the bonus that this gives the attackers."""

    points: int
    factor: int
    bonus: int


def _table_248(units: Sequence[Unit]) -> int:
    """Two for singles, four if the lead included a tuple, eight for any tractor (004 l.34-36)."""
    if any(unit.length > 1 for unit in units):
        return 8
    return 4 if any(unit.width > 1 for unit in units) else 2


#: Value of `kitty_factor` -> factor, given the units of the last lead, the largest first.
FACTORS: Final[Mapping[str, Callable[[Sequence[Unit]], int]]] = {
    "fixed": lambda _: 2,  # 000 l.92, l.215; 003 l.66
    # 001 §3.8, §6.5: 2m for an m-tuple, doubled for each further one
    "by_lead": lambda units: 2 * units[0].width << (units[0].length - 1),
    "by_lead_2n": lambda units: 2 * len(units[0].cards),  # 001 fn 3
    "by_lead_2^n": lambda units: 1 << len(units[0].cards),  # 001 fn 3
    "table_248": _table_248,
}


def kitty_bonus(
    options: Mapping[str, Any], lead: Lead, kitty: Sequence[int], winner_side: str, revealed: bool
) -> KittyBonus:
    """Return what the kitty brings the attackers; nothing unless they win the last trick.

    `lead` is the lead of the last trick, `kitty` the kinds buried, `winner_side` `declarers` or `attackers`; if the
    kitty was `revealed` before the first lead, it counts once (003 l.66).
    """
    points = points_of(kitty)
    if winner_side != "attackers":
        return KittyBonus(points, 0, 0)
    factor = 1 if revealed else FACTORS[options["kitty_factor"]](lead.units)
    return KittyBonus(points, factor, points * factor)
