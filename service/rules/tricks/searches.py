"""Searching all sets of cards that contain certain units, within a limit of results and a budget of steps."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from service.rules.tricks.units import Place, Shape

#: Cost in steps of checking whether units fit.
_FITTING: Final = 20

Play = tuple[int, ...]
#: (width, place) of the units found in some counts; None: not all were found.
Answer = list[tuple[int, Place]] | None


class Search:
    """Collects distinct plays, up to a limit and a budget of steps."""

    def __init__(self, limit: int, budget: int) -> None:
        self.plays: dict[Play, None] = {}
        self.limit, self.steps = limit, budget

    def step(self, cost: int = 1) -> bool:
        """Spend steps, and return whether the search may go on."""
        self.steps -= cost
        return self.steps >= 0

    def run(self, candidates: Iterator[Sequence[int]]) -> tuple[list[Play], bool]:
        """Collect plays, each in ascending order of kinds; return them and whether they are all."""
        for cards in candidates:
            play = tuple(sorted(cards))
            if play not in self.plays:
                if len(self.plays) == self.limit or not self.step():
                    return list(self.plays), False
                self.plays[play] = None
            elif not self.step():
                break
        return list(self.plays), self.steps >= 0


class Sets:
    """All different sets of `size` cards that contain certain units, low cards first.

    Decides slot by slot, from the highest down, how many cards to leave out, as long as the rest still contains the
    units. The lower slots can then always be reduced to the units. So a branch leads to a set unless it has kept too
    many cards that belong to no unit, and their number is limited.

    Args:
        search: counts the steps; the iteration ends when its budget is used up.
        held: counts of the cards to choose from.
        size: number of cards in a set.
        need: shapes of the units; None: they differ from set to set.
        answer: returns where the units are in some counts. If it finds them in some cards, it must also do so in more.
    """

    def __init__(
        self,
        search: Search,
        held: Sequence[int],
        size: int,
        need: tuple[Shape, ...] | None = (),
        answer: Callable[[Sequence[int]], Answer] = lambda _counts: [],
    ) -> None:
        self.search, self.held, self.size, self.answer = search, held, size, answer
        #: Cards kept in each slot; all cards of slots that are not decided yet.
        self.left = list(held)
        #: Slot -> number of cards in this slot and all below.
        self.below = list(accumulate(held))
        #: Number of cards in a set that belong to no unit.
        self.free = size - sum(width * length for width, length in need or ())
        #: Number of identical cards -> most of them that can belong to units.
        self.serving = [0]
        for count in range(1, max(held, default=0) + 1):
            served = (width + self.serving[count - width] for width, _ in need or () if width <= count)
            self.serving.append(count if need is None else max(served, default=0))

    def __iter__(self) -> Iterator[Sequence[int]]:
        """Yield counts. It is always the same list, changed by the next iteration."""
        used = self._used(self.answer(self.held) or [])
        return self._choose(len(self.held) - 1, sum(self.held) - self.size, 0, used)

    def _choose(self, slot: int, out: int, waste: int, used: list[int]) -> Iterator[Sequence[int]]:
        """Yield the sets that leave out `out` cards of a slot and those below.

        `waste` is the number of cards kept in higher slots that belong to no unit, `used` the number of cards of each
        slot in the units found last.
        """
        if out == 0:
            yield self.left
        elif slot >= 0 and self.below[slot] >= out:
            count = self.held[slot]
            for rest, needed_cards in reversed(self._fewer(slot, count - min(count, out), used)):
                wasted = waste + rest - self.serving[rest]
                if not self.search.step():
                    return
                if wasted <= self.free:
                    self.left[slot] = rest
                    yield from self._choose(slot - 1, out - count + rest, wasted, needed_cards)
            self.left[slot] = count

    def _fewer(self, slot: int, least: int, used: list[int]) -> list[tuple[int, list[int]]]:
        """Return how many cards of a slot may be kept, from all down to `least`, each with the new `used`."""
        choices = []
        for rest in range(self.held[slot], least - 1, -1):
            self.left[slot] = rest
            if rest < used[slot]:
                places = self.answer(self.left) if self.search.step(_FITTING) else None
                if places is None:
                    break
                used = self._used(places)
            choices.append((rest, used))
        return choices

    def _used(self, places: Sequence[tuple[int, Place]]) -> list[int]:
        used = [0] * len(self.held)
        for width, place in places:
            for slot in place:
                used[slot] += width
        return used
