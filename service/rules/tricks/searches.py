"""Searches through the sets of cards that contain what is needed, within a limit and a budget."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from service.rules.tricks.units import Place, Shape

#: Steps that it costs to see whether units fit.
_FITTING: Final = 20

Play = tuple[int, ...]
#: (width, place) of the units that some counts answer with; None: they do not answer.
Answer = list[tuple[int, Place]] | None


class Search:
    """Distinct plays found so far, within a limit and a budget of steps."""

    def __init__(self, limit: int, budget: int) -> None:
        self.plays: dict[Play, None] = {}
        self.limit, self.steps = limit, budget

    def step(self, cost: int = 1) -> bool:
        """Return whether the search may go on."""
        self.steps -= cost
        return self.steps >= 0

    def run(self, found: Iterator[Sequence[int]]) -> tuple[list[Play], bool]:
        """Take plays down, each ascending by kind; return them and whether they are all."""
        for cards in found:
            play = tuple(sorted(cards))
            if play not in self.plays:
                if len(self.plays) == self.limit or not self.step():
                    return list(self.plays), False
                self.plays[play] = None
            elif not self.step():
                break
        return list(self.plays), self.steps >= 0


class Sets:
    """All sets of `size` cards that contain the units needed, none twice, low cards first.

    From the highest slot down, cards are left out as long as the rest still contains the units. The rest can then
    always be thinned out to the units themselves, save for cards kept above that serve no unit; those are limited.

    Args:
        search: counts the steps; when it has no more, the sets end.
        held: counts of the cards to choose from.
        size: of a set.
        need: shapes of the units; None: they differ from set to set.
        answer: where the units lie in some cards. More cards must not answer less.
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
        #: What is kept of each slot; all of it where nothing is decided yet.
        self.left = list(held)
        #: How many cards are held in a slot and those below.
        self.below = list(accumulate(held))
        #: How many cards may be kept that serve no unit.
        self.free = size - sum(width * length for width, length in need or ())
        #: Count -> how many of so many identical cards can serve units, at most.
        self.serving = [0]
        for count in range(1, max(held, default=0) + 1):
            served = (width + self.serving[count - width] for width, _ in need or () if width <= count)
            self.serving.append(count if need is None else max(served, default=0))

    def __iter__(self) -> Iterator[Sequence[int]]:
        """Yield counts; each is changed by what comes after it."""
        used = self._used(self.answer(self.held) or [])
        return self._choose(len(self.held) - 1, sum(self.held) - self.size, 0, used)

    def _choose(self, slot: int, out: int, waste: int, used: list[int]) -> Iterator[Sequence[int]]:
        """Yield the sets that leave `out` of the cards in a slot and below out.

        `waste`: how many cards kept above serve no unit; `used`: how many cards of each slot serve the units for now.
        """
        if out == 0:
            yield self.left
        elif slot >= 0 and self.below[slot] >= out:
            count = self.held[slot]
            for kept, needed_cards in reversed(self._fewer(slot, count - min(count, out), used)):
                wasted = waste + kept - self.serving[kept]
                if not self.search.step():
                    return
                if wasted <= self.free:
                    self.left[slot] = kept
                    yield from self._choose(slot - 1, out - count + kept, wasted, needed_cards)
            self.left[slot] = count

    def _fewer(self, slot: int, least: int, used: list[int]) -> list[tuple[int, list[int]]]:
        """Return from all to the least how many cards of a slot may be kept, and what then serves the units."""
        found = []
        for kept in range(self.held[slot], least - 1, -1):
            self.left[slot] = kept
            if kept < used[slot]:
                places = self.answer(self.left) if self.search.step(_FITTING) else None
                if places is None:
                    break
                used = self._used(places)
            found.append((kept, used))
        return found

    def _used(self, places: Sequence[tuple[int, Place]]) -> list[int]:
        used = [0] * len(self.held)
        for width, place in places:
            for slot in place:
                used[slot] += width
        return used
