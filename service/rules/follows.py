"""What a follow must contain (`rules.md` §4.4; 000 l.145-211, l.315; 001 §4.3, §6.5, fn 11; 003 l.133-233).

The obligation is worked out once for a hand and a lead, as units that the play must contain. A play contains them or
breaks the rule: how it came about does not matter, and no play has to be compared with all others.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from service.rules.units import Line, Place, Shape


class Duty(NamedTuple):
    """How far a lead's structure must be answered: the options of the same names (`rules.md` §4.4)."""

    follow_tractors: bool
    follow_smaller: bool
    protect_larger: bool


def needed(line: Line, held: tuple[int, ...], size: int, shapes: tuple[Shape, ...], duty: Duty) -> tuple[Shape, ...]:
    """Return what a follow of `size` cards must contain: nothing, if all cards of the suit are played anyway."""
    return () if size == 1 or sum(held) <= size else obligation(line, held, shapes, duty)


@lru_cache(maxsize=1 << 12)
def obligation(line: Line, held: tuple[int, ...], shapes: tuple[Shape, ...], duty: Duty) -> tuple[Shape, ...]:
    """Return the shapes of the units of the suit led that a follow must contain, as it reaches the highest rung.

    Each unit of the lead is answered in turn, as well as the ones before allow: the longest tractor of its width and
    at most its length, then single tuples of that width, then the same with what is left in narrower tuples.

    Args:
        line: the suit led.
        held: counts of it in the hand.
        shapes: of the lead's units, longest first.
        duty: the options.
    """
    need: list[Shape] = []
    for width, length in shapes:
        if width == 1:
            break
        # What is still unanswered of each tuple of the unit, in cards.
        open_cards = [width] * length
        for narrower in range(width, 1, -1) if duty.follow_smaller else (width,):
            tractor = _longest(line, held, need, narrower, asked=open_cards.count(width), duty=duty)
            if tractor:
                need.append((narrower, tractor))
                for number in range(tractor):
                    open_cards[number] -= narrower
            asked = sum(cards // narrower for cards in open_cards)
            tuples = _most(line, held, need, narrower, asked=asked, duty=duty)
            need += [(narrower, 1)] * tuples
            # One tuple of the lead is answered as far as it goes before the next is begun.
            for number, cards in enumerate(open_cards):
                filled = min(tuples, cards // narrower)
                open_cards[number] -= filled * narrower
                tuples -= filled
    return tuple(need)


def _longest(line: Line, held: Sequence[int], need: list[Shape], width: int, *, asked: int, duty: Duty) -> int:
    """Return the length of the longest tractor, at most `asked`, that fits beside what is needed already, or 0."""
    if not duty.follow_tractors or asked < 2:
        return 0
    longest = line.longest(held, width, asked, duty.protect_larger)
    shortest = 2 if duty.follow_smaller else asked
    for length in range(longest, shortest - 1, -1):
        if line.fit(held, (*need, (width, length)), duty.protect_larger) is not None:
            return length
    return 0


def _most(line: Line, held: Sequence[int], need: list[Shape], width: int, *, asked: int, duty: Duty) -> int:
    """Return how many tuples of a width, at most `asked`, fit beside what is needed already."""
    for number in range(asked, 0, -1):
        if line.fit(held, (*need, *[(width, 1)] * number), duty.protect_larger) is not None:
            return number
    return 0


def answer(
    line: Line, held: Sequence[int], played: Sequence[int], need: tuple[Shape, ...], duty: Duty
) -> list[tuple[int, Place]] | None:
    """Return (width, place) of the units that a play must contain, or None if it does not.

    Args:
        line: the suit led.
        held: counts of it in the hand.
        played: counts of it in the play.
        need: as `obligation` says.
        duty: the options.
    """
    if duty.protect_larger:
        # Only whole tuples of the hand answer; parts of larger ones are free to be played beside them.
        played = [count if count == whole else 0 for count, whole in zip(played, held, strict=True)]
    return line.fit(played, need, duty.protect_larger)
