"""What a follow reveals about the cards left in the hand."""

from collections.abc import Sequence
from typing import NamedTuple

from service.rules.tricks.bombs import bomb_strength
from service.rules.tricks.follows import Duty
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.trumps import Order


class Inference(NamedTuple):
    """What a follow reveals about the suit led.

    Attributes:
        void: no card of it is left.
        most_alike: upper limit of identical cards of it in the hand; None: unknown.
    """

    void: bool = False
    most_alike: int | None = None


NO_INFERENCE = Inference()
VOID = Inference(void=True)


def inferred(order: Order, duty: Duty, lead: Lead, play: Sequence[int]) -> Inference:
    """Return what a legal follow reveals about the cards left in the hand.

    Takes the options into account: a bomb need not follow suit, and with `protect_larger` or `protect_by_rungs` a hand
    may keep tuples that it does not want to break.
    """
    if lead.size == 1:
        return NO_INFERENCE if order.group_of[play[0]] == lead.group else VOID
    if lead.group == RAINBOW or bomb_strength(order, play) is not None:
        return NO_INFERENCE
    if any(order.group_of[kind] != lead.group for kind in play):
        return VOID
    widths = {unit.width for unit in lead.units if unit.width > 1}
    if len(widths) != 1 or duty.protect_larger or duty.protect_by_rungs or duty.follow_structure == "suit_only":
        return NO_INFERENCE
    width = widths.pop()
    wanted = sum(unit.length for unit in lead.units if unit.width == width)
    played = sum(play.count(kind) // width for kind in set(play))
    return Inference(most_alike=width - 1) if played < wanted else NO_INFERENCE
