"""Which of two plays answers a lead higher (`rules.md` §4.4; 000 l.160-211; 001 §4.4, §6.5; 003 l.137, l.247-264)."""

from collections.abc import Sequence

from service.errors import TooComplex
from service.rules.units import MOST_STATES, Line, Place, Shape, without

#: Levels of a unit from high to low (`Line.key`).
Key = tuple[int, ...]


def highest_answer(line: Line, counts: Sequence[int], shapes: tuple[Shape, ...]) -> Place | None:
    """Return where the largest unit of a lead is answered highest, so that the play still holds all others.

    Args:
        line: the suit of the play.
        counts: the play, as many cards as the lead.
        shapes: of the lead's units, longest first.
    """
    first, others = shapes[0], shapes[1:]
    places = sorted(line.places(counts, first), key=line.key, reverse=True)
    return next((place for place in places if line.fit(without(counts, first[0], place), others) is not None), None)


def read_highest(line: Line, counts: Sequence[int], shapes: tuple[Shape, ...]) -> list[Key]:
    """Return the keys of all units of a play that answers the lead, each as high as the larger ones allow."""
    keys = []
    # Equal kinds give one key in several places, and what is left by each may differ.
    lefts = {tuple(counts)}
    for number, shape in enumerate(shapes):
        best: Key = ()
        after: set[tuple[int, ...]] = set()
        for left in lefts:
            for place in sorted(line.places(left, shape), key=line.key, reverse=True):
                key, rest = line.key(place), without(left, shape[0], place)
                if key < best:
                    break
                if line.fit(rest, shapes[number + 1 :]) is not None:
                    after = {*after, tuple(rest)} if key == best else {tuple(rest)}
                    best = key
        keys.append(best)
        lefts = after
    return keys


def outdoes(line: Line, counts: Sequence[int], shapes: tuple[Shape, ...], keys: Sequence[Key]) -> bool:
    """Tell whether some reading of a play beats every unit: each is higher than the key of the same number.

    Args:
        line: the suit of the play.
        counts: the play, as many cards as the lead.
        shapes: of the lead's units, longest first.
        keys: to be beaten, of one shape from high to low.
    """
    left = list(counts)
    failed: set[tuple[int, Key, Key]] = set()

    def beat_from(number: int, last: Key) -> bool:
        if number == len(shapes):
            return True
        state = (number, last, tuple(left))
        if state in failed:
            return False
        shape = shapes[number]
        again = number + 1 < len(shapes) and shapes[number + 1] == shape
        # If any pairing of units of one shape wins, the one from high to low does.
        for place in sorted(line.places(left, shape), key=line.key, reverse=True):
            key = line.key(place)
            if key <= keys[number]:
                break
            if last and key > last:
                continue
            for slot in place:
                left[slot] -= shape[0]
            won = beat_from(number + 1, key if again else ())
            for slot in place:
                left[slot] += shape[0]
            if won:
                return True
        failed.add(state)
        if len(failed) > MOST_STATES:
            raise TooComplex(budget=MOST_STATES)
        return False

    return line.fit(counts, shapes) is not None and beat_from(0, ())
