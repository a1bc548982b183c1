"""What a follow must contain in the suit led (`docs/rules.md` §7).

The units that a play must contain are computed once for a hand and a lead. A play is then checked for these units, so
that it need not be compared with all other plays.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from service.rules.tricks.units import Line, Place, Shape, by_size


class Duty(NamedTuple):
    """The options that say how far a lead's structure must be answered, by their names (`docs/rules.md` §7)."""

    follow_tractors: bool
    follow_smaller: str
    protect_larger: bool
    follow_structure: str = "units"
    shorter_tractors: bool = True
    tuple_draws_tractors: bool = False
    throw_structure: str = "units"
    protect_by_rungs: bool = False


class Need(NamedTuple):
    """Units that a play must contain.

    Attributes:
        shapes: of the units.
        whole: whether only cards count of which the play takes all copies in the hand.
    """

    shapes: tuple[Shape, ...]
    whole: bool = False


class Rung(NamedTuple):
    """How well some cards answer a lead.

    Attributes:
        numbers: for each unit of the lead, and for each width from the unit's down: the length of the answering
            tractor,
            or 0, and the number of single tuples. Rungs are compared by these numbers, from first to last.
        shapes: of these tractors and tuples.
    """

    numbers: tuple[int, ...]
    shapes: tuple[Shape, ...]


#: Any cards of the suit will do.
NOTHING: Final[tuple[Need, ...]] = ()


def needs(line: Line, held: tuple[int, ...], size: int, shapes: tuple[Shape, ...], duty: Duty) -> tuple[Need, ...]:
    """Return the alternatives of which a follow must satisfy one; empty if any cards of the suit will do.

    Args:
        line: the suit led.
        held: the hand's counts of the suit.
        size: number of cards led.
        shapes: of the lead's units, longest first.
        duty: the options.
    """
    return NOTHING if size == 1 or sum(held) <= size else _owed(line, held, shapes, duty)


@lru_cache(maxsize=1 << 12)
def _owed(line: Line, held: tuple[int, ...], shapes: tuple[Shape, ...], duty: Duty) -> tuple[Need, ...]:
    if duty.follow_structure == "suit_only":
        return NOTHING
    if not duty.protect_larger:
        owed = [Need(_climb(line, held, shapes, duty, exact=False).shapes)]
    else:
        # Players need not break a larger tuple, but may.
        owed = [Need(_climb(line, held, shapes, duty, exact=exact).shapes, exact) for exact in (True, False)]
    return tuple(owed) if all(need.shapes for need in owed) else NOTHING


def _climb(line: Line, held: tuple[int, ...], shapes: tuple[Shape, ...], duty: Duty, *, exact: bool) -> Rung:
    """Return the highest rung that some cards reach.

    Answers each unit of the lead in turn, as well as the answers to earlier units allow: with the longest tractor of
    its width that is not longer, then with single tuples of that width, then the same with narrower tuples for the
    rest.

    Args:
        line: the suit of the cards.
        held: their counts.
        shapes: of the lead's units, longest first.
        duty: the options.
        exact: whether tuples must not be broken.
    """
    numbers: list[int] = []
    need: list[Shape] = []
    smaller = duty.follow_smaller == "always" or (duty.follow_smaller == "single_set" and _is_tuple(shapes))
    tractors = duty.follow_tractors and not (duty.throw_structure == "tuples" and len(shapes) > 1)
    for width, length in _required(shapes, duty):
        shortest = max(2, line.least_length) if smaller and duty.shorter_tractors else max(2, line.least_length, length)
        # Number of cards still unanswered in each tuple of the unit.
        missing = [width] * length
        for narrower in range(width, 1, -1) if smaller else (width,):
            tractor = 0
            if tractors:
                room = _room(missing, narrower) if duty.tuple_draws_tractors else missing.count(width)
                tractor = _longest(line, held, need, narrower, range(room, shortest - 1, -1), exact)
            if tractor:
                need.append((narrower, tractor))
                _answer(missing, narrower, tractor, width=None if duty.tuple_draws_tractors else width)
            tuples = _most(line, held, need, narrower, _room(missing, narrower), exact)
            need += [(narrower, 1)] * tuples
            _answer(missing, narrower, tuples)
            numbers += [tractor, tuples]
    return Rung(tuple(numbers), tuple(need))


climb = lru_cache(maxsize=1 << 12)(_climb)


def _is_tuple(shapes: tuple[Shape, ...]) -> bool:
    return len(shapes) == 1 and shapes[0][1] == 1


def _required(shapes: tuple[Shape, ...], duty: Duty) -> list[Shape]:
    """Return the shapes that the lead asks for, largest first, without singles (`throw_structure`)."""
    several = [shape for shape in shapes if shape[0] > 1]
    if len(shapes) == 1 or duty.throw_structure == "units":
        return several
    if duty.throw_structure == "tuples":
        return sorted(((width, 1) for width, length in several for _ in range(length)), reverse=True)
    tuples = {width: 0 for width, _ in several}
    for width, length in several:
        tuples[width] += length
    return sorted(tuples.items(), key=by_size, reverse=True)


def _room(missing: Sequence[int], width: int) -> int:
    """Return how many tuples of a width fit into the unanswered tuples."""
    return sum([cards // width for cards in missing])


def _answer(missing: list[int], narrower: int, number: int, width: int | None = None) -> None:
    """Subtract `number` tuples of the width `narrower` from `missing`, filling one tuple of the lead after the other.

    With `width`, each tuple answers another tuple of the lead, of that width and still untouched.
    """
    for at, cards in enumerate(missing):
        room = cards // narrower if width is None else int(cards == width)
        filled = min(number, room)
        missing[at] -= filled * narrower
        number -= filled


def _longest(line: Line, held: Sequence[int], need: list[Shape], width: int, lengths: range, exact: bool) -> int:
    """Return the greatest of these lengths at which a tractor fits next to the units in `need`, or 0."""
    if lengths:
        for length in range(line.longest(held, width, lengths.start, exact), lengths.stop, -1):
            if line.fit(held, (*need, (width, length)), exact) is not None:
                return length
    return 0


def _most(line: Line, held: Sequence[int], need: list[Shape], width: int, most: int, exact: bool) -> int:
    """Return how many tuples of a width, at most `most`, fit next to the units in `need`."""
    if not need:
        return min(most, held.count(width) if exact else sum([count // width for count in held]))
    for number in range(most, 0, -1):
        if line.fit(held, (*need, *[(width, 1)] * number), exact) is not None:
            return number
    return 0


def answer(line: Line, held: Sequence[int], played: Sequence[int], need: Need) -> list[tuple[int, Place]] | None:
    """Return (width, place) of the units that a play must contain, or None if it does not contain them.

    Args:
        line: the suit led.
        held: the hand's counts of the suit.
        played: the play's counts of the suit.
        need: the units.
    """
    if need.whole:
        played = [count if count == whole else 0 for count, whole in zip(played, held, strict=True)]
    return line.fit(played, need.shapes, need.whole)


def keeps_rung(
    line: Line, held: tuple[int, ...], played: tuple[int, ...], shapes: tuple[Shape, ...], duty: Duty
) -> bool:
    """Return whether a play is legal under `protect_by_rungs` (`docs/rules.md` §7).

    It must reach the rung that the hand reaches without breaking tuples. For each width, if parts of larger tuples
    count as tuples, there must be more of them than tuples of that width that stay in the hand. A suit with only one
    kind leaves no choice.
    """
    if sum(map(bool, held)) == 1:
        return True
    reached = climb(line, played, shapes, duty, exact=False)
    if reached.numbers < climb(line, held, shapes, duty, exact=True).numbers:
        return False
    for width in {width for width, length in reached.shapes if length == 1}:
        parts = reached.shapes.count((width, 1)) - played.count(width)
        whole_rungs = sum([whole - count == width for whole, count in zip(held, played, strict=True)])
        if 0 < parts <= whole_rungs:
            return False
    return True


def forget() -> None:
    """Clear the caches, for measurements."""
    _owed.cache_clear()
    climb.cache_clear()
