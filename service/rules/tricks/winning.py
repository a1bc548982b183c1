"""Which play wins a trick (`docs/rules.md` §8)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.common.errors import TooComplex
from service.rules.tricks.bombs import bomb_strength
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW, answer_strength
from service.rules.tricks.throws import QUAD
from service.rules.tricks.units import MOST_STATES, Line, Place, Shape, without
from service.rules.trumps import TRUMPS, Order

#: Levels of a unit from high to low (`Line.key`).
Key = tuple[int, ...]
_TWO_PAIRS: Final[tuple[Shape, ...]] = ((2, 2),)


class WinRules(NamedTuple):
    """The options of the same names (`docs/rules.md` §8)."""

    trump_throw_compare: str
    quad_beats_tractor: bool
    throw_answer_exact: bool = False
    bombs: str = "none"


class Winning:
    """Compares plays under one trump and one set of options.

    Args:
        order: the ranking.
        lines: the line of each group.
        rules: the options.
    """

    def __init__(self, order: Order, lines: Sequence[Line], rules: WinRules) -> None:
        self._order, self._lines, self._rules = order, lines, rules
        self._group_of, self._level_of = order.group_of, order.level_of
        self._bombs = rules.bombs != "none"

    def beats(self, lead: Lead, best: Sequence[int], play: Sequence[int]) -> bool:
        """Return whether a later `play` beats the best play so far, which may be the lead itself."""
        if self._bombs and lead.group != RAINBOW:
            bomb, standing = bomb_strength(self._order, play), bomb_strength(self._order, best)
            if bomb is not None or standing is not None:
                return bomb is not None and (standing is None or bomb > standing)
        if lead.kind in {"single", "tuple"}:
            kind, standing_kind = play[0], best[0]
            group = self._group_of[kind]
            if group == self._group_of[standing_kind]:
                higher = self._level_of[kind] > self._level_of[standing_kind]
            else:
                higher = group == TRUMPS
            return higher and play.count(kind) == lead.size
        if lead.group == RAINBOW:
            return _beats_rainbow(lead, best, play)
        return self._beats_units(lead, best, play)

    def _beats_units(self, lead: Lead, best: Sequence[int], play: Sequence[int]) -> bool:
        """Return whether a play beats the best one, on a lead that is a tractor or a throw."""
        suit, best_suit = self._group(lead, play), self._group(lead, best)
        if suit is None or (best_suit == TRUMPS and suit != TRUMPS):
            return False
        line, counts = self._lines[suit], self._played(suit, play)
        mine = self._answer(lead, line, counts)
        if mine is None or suit != best_suit:
            return mine is not None
        return self._is_higher(lead, line, (counts, mine), self._played(suit, best))

    def winning_unit(self, lead: Lead, play: Sequence[int]) -> tuple[int, ...] | None:
        """Return the cards of a play that match the lead's largest unit, high to low; None if it does not match."""
        if lead.group == RAINBOW:
            return None if answer_strength(play, _sizes(lead)) is None else tuple(play)
        if self._bombs and bomb_strength(self._order, play) is not None:
            return tuple(play)
        group = self._group(lead, play)
        if group is None:
            return None
        if lead.kind in {"single", "tuple"}:
            return tuple(play) if play.count(play[0]) == lead.size else None
        line, counts = self._lines[group], self._played(group, play)
        unit = self._largest(lead, line, counts)
        return None if unit is None else line.unit(*unit).cards

    def _group(self, lead: Lead, play: Sequence[int]) -> int | None:
        """Return the group of a play if all its cards are of the suit led or all are trumps, else None."""
        group_of = self._group_of
        group = group_of[play[0]]
        if group not in (lead.group, TRUMPS):
            return None
        for kind in play:
            if group_of[kind] != group:
                return None
        return group

    def _played(self, group: int, play: Sequence[int]) -> list[int]:
        counts = [0] * len(self._lines[group].kinds)
        slot_of = self._order.slot_of
        for kind in play:
            counts[slot_of[kind]] += 1
        return counts

    def _answer(self, lead: Lead, line: Line, counts: Sequence[int]) -> tuple[int, Place] | None:
        """Return the highest unit that matches the lead's largest, or None if the play does not match the lead."""
        if self._rules.throw_answer_exact and lead.kind == "throw":
            read = [(width, len(place)) for width, place in line.read(counts)]
            if read != list(lead.shapes):
                return None
        return self._largest(lead, line, counts)

    def _largest(self, lead: Lead, line: Line, counts: Sequence[int]) -> tuple[int, Place] | None:
        """Return (width, place) of the highest unit that matches the lead's largest; None if any unit is missing."""
        shapes = lead.shapes
        if self._rules.quad_beats_tractor and shapes == _TWO_PAIRS and QUAD in counts:
            return QUAD, (counts.index(QUAD),)
        place = highest_answer(line, counts, shapes)
        return None if place is None else (shapes[0][0], place)

    def _is_higher(
        self, lead: Lead, line: Line, mine: tuple[Sequence[int], tuple[int, Place]], best: Sequence[int]
    ) -> bool:
        """Return whether a play, given as counts and its largest unit, beats the best one of the same group."""
        counts, (width, place) = mine
        shapes, compare = lead.shapes, self._rules.trump_throw_compare
        if lead.kind == "throw" and compare == "all_units":
            return outdoes(line, counts, shapes, read_highest(line, best, shapes))
        if lead.kind == "throw" and compare == "highest_card":
            return _top(line, counts) > _top(line, best)
        if lead.kind == "throw" and compare == "longest_first":
            units = tuple(shape for shape in shapes if shape[0] > 1) or shapes
            return read_highest(line, counts, units) > read_highest(line, best, units)
        theirs = self._largest(lead, line, best)
        # A quad beats two pairs, whatever their levels.
        return theirs is None or (width, line.key(place)) > (theirs[0], line.key(theirs[1]))


def _top(line: Line, counts: Sequence[int]) -> int:
    return max(line.levels[slot] for slot, count in enumerate(counts) if count)


def _sizes(lead: Lead) -> tuple[int, ...]:
    return tuple([unit.width for unit in lead.units])


def _beats_rainbow(lead: Lead, best: Sequence[int], play: Sequence[int]) -> bool:
    mine, theirs = answer_strength(play, _sizes(lead)), answer_strength(best, _sizes(lead))
    return mine is not None and theirs is not None and mine > theirs


def highest_answer(line: Line, counts: Sequence[int], shapes: tuple[Shape, ...]) -> Place | None:
    """Return the highest place of a unit that matches the lead's largest, if the rest matches the other units.

    Args:
        line: the suit of the play.
        counts: of the play, which has as many cards as the lead.
        shapes: of the lead's units, longest first.
    """
    first, others = shapes[0], shapes[1:]
    places = sorted(line.places(counts, first), key=line.key, reverse=True)
    return next((place for place in places if line.fit(without(counts, first[0], place), others) is not None), None)


def read_highest(line: Line, counts: Sequence[int], shapes: tuple[Shape, ...]) -> list[Key]:
    """Return the keys of all units of a play that matches the lead, each as high as the larger units allow."""
    keys = []
    # With kinds that rank equally, several places have the same key but leave different cards: keep them all.
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
    """Return whether a play can be read so that each of its units is higher than the key at the same index.

    Args:
        line: the suit of the play.
        counts: of the play, which has as many cards as the lead.
        shapes: of the lead's units, longest first.
        keys: to be beaten; those of one shape from high to low.
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
        # Comparing units of one shape from high to low is enough: if any pairing wins, this one does.
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
