"""The value of the kitty at the end of a round (`docs/rules.md` §5.5)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from service.rules.cards import points_of
from service.rules.option import Options
from service.rules.tricks.leads import Lead
from service.rules.tricks.units import Unit
from service.rules.trumps import TRUMPS


class KittyBonus(NamedTuple):
    """Card points in the kitty, the factor by which they are multiplied, and the attackers' bonus."""

    points: int
    factor: int
    bonus: int


def _table_248(units: Sequence[Unit]) -> int:
    """Return 2 for singles, 4 with a tuple, 8 with any tractor."""
    if any(unit.length > 1 for unit in units):
        return 8
    return 4 if any(unit.width > 1 for unit in units) else 2


#: Value of `kitty_factor` -> factor, given the units of a play, the largest first.
FACTORS: Final[Mapping[str, Callable[[Sequence[Unit]], int]]] = {
    "fixed": lambda _: 2,
    "by_lead": lambda units: 2 * units[0].width << (units[0].length - 1),
    "by_lead_2n": lambda units: 2 * len(units[0].cards),
    "by_lead_power": lambda units: 1 << len(units[0].cards),
    "table_248": _table_248,
    "by_play_2n": lambda units: 2 * sum(len(unit.cards) for unit in units),
}


def kitty_bonus(
    options: Options,
    lead: Lead,
    kitty: Sequence[int],
    winner_side: str,
    revealed: bool,
    *,
    winning: Lead | None = None,
) -> KittyBonus:
    """Return the attackers' bonus from the kitty; it is 0 unless they win the last trick.

    `lead` is the lead of the last trick, and `winning` the play that won it, read like a lead (None: the lead won).
    `kitty` are the kinds buried; `winner_side` is `declarers` or `attackers`. A kitty `revealed` before the first lead
    has factor 1.
    """
    points = points_of(kitty)
    if winner_side != "attackers":
        return KittyBonus(points, 0, 0)
    if revealed:
        return KittyBonus(points, 1, points)
    won = winning or lead
    judged = won if options["kitty_unit_of"] == "winning_play" else lead
    factor = FACTORS[options["kitty_factor"]](judged.units)
    if options["kitty_side_suit"] == "half" and won.group != TRUMPS:
        factor //= 2
    return KittyBonus(points, factor, points * factor)
