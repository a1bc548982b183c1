"""What the kitty is worth at the end of a round (`docs/rules.md` §5.5)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from service.rules.cards import points_of
from service.rules.option import Options
from service.rules.tricks.leads import Lead
from service.rules.tricks.units import Unit
from service.rules.trumps import TRUMPS


class KittyBonus(NamedTuple):
    """Card points in the kitty, what they are multiplied by, and the bonus that this gives the attackers."""

    points: int
    factor: int
    bonus: int


def _table_248(units: Sequence[Unit]) -> int:
    """Two for singles, four with a tuple, eight with any tractor."""
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
    """Return what the kitty brings the attackers; nothing unless they win the last trick.

    `lead` is the lead of the last trick, `winning` the play that won it, read like a lead (None: the lead did). `kitty`
    are the kinds buried, `winner_side` is `declarers` or `attackers`; if the kitty was `revealed` before the first
    lead, it counts once.
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
