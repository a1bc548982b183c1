"""Who sits with whom at the next tables of an arena, of those who wait: pure functions.

Who has waited longest is seated first, with those whose ranks are closest and who did not sit at the same table before.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final, NamedTuple

#: How long those of a table wait for others before they all sit together again (ms), while others play.
PATIENCE_MS: Final = 30_000


class Waiter(NamedTuple):
    """Somebody who waits for a table.

    Attributes:
        unit: who.
        since: since when (ms).
        rank: place among all, 0 is the best.
        before: those of the last table, in the order of seats; empty: there was none.
    """

    unit: str
    since: int
    rank: int
    before: Sequence[str] = ()


class Wanted(NamedTuple):
    """The tables that are wanted.

    Attributes:
        size: seats of a table.
        has_teams: whether every other seat is on the same side.
        others_play: whether somebody plays, for whom it may be worth to wait.
        ai_after_ms: how long somebody waits before AI players take the free seats (ms); None: forever.
    """

    size: int
    has_teams: bool
    others_play: bool
    ai_after_ms: int | None


def tables(
    waiting: Sequence[Waiter], wanted: Wanted, apart: Collection[frozenset[str]], now: int, house: str
) -> list[list[str]]:
    """Return the tables to begin now, with the unit of each seat; `house` has those of AI players.

    Args:
        waiting: who waits.
        wanted: what the tables are like.
        apart: pairs that sit at no table together.
        now: the time (ms).
        house: the unit of AI players.
    """
    left = sorted(waiting, key=lambda each: (each.since, each.rank))
    made: list[list[str]] = []
    for first in [*left]:
        if first not in left:
            continue
        chosen = _around(first, left, wanted.size, apart)
        waited_ms = now - first.since
        is_late = wanted.ai_after_ms is not None and waited_ms >= wanted.ai_after_ms
        if len(chosen) < wanted.size and not is_late:
            continue
        is_same = {each.unit for each in chosen} == {*first.before}
        if is_same and wanted.others_play and waited_ms < PATIENCE_MS:
            continue
        left = [each for each in left if each not in chosen]
        made.append(_seats(chosen, wanted, house))
    return made


def due_at(waiting: Collection[Waiter], ai_after_ms: int | None, now: int) -> int | None:
    """Return when there may be another table without anybody coming (ms), or None."""
    delays = [PATIENCE_MS] if ai_after_ms is None else [PATIENCE_MS, ai_after_ms]
    return min((at for each in waiting for delay in delays if (at := each.since + delay) > now), default=None)


def _around(first: Waiter, left: Sequence[Waiter], size: int, apart: Collection[frozenset[str]]) -> list[Waiter]:
    """Return who would sit with somebody, as many as can; that one comes first."""
    others = [each for each in left if each != first]
    others.sort(key=lambda each: (each.unit in first.before, abs(each.rank - first.rank), each.since))
    chosen = [first]
    for other in others:
        if len(chosen) == size:
            break
        if not any(frozenset((other.unit, each.unit)) in apart for each in chosen):
            chosen.append(other)
    return chosen


def _seats(chosen: Sequence[Waiter], wanted: Wanted, house: str) -> list[str]:
    """Return the unit of each seat: partners who were none before if possible, and sides of equal strength."""
    free = wanted.size - len(chosen)
    ranked = sorted(chosen, key=lambda each: each.rank)
    if not wanted.has_teams:
        return [*(each.unit for each in ranked), *[house] * free]
    last = max(each.rank for each in chosen) + 1
    people = [*ranked, *(Waiter(house, 0, last) for _ in range(free))]
    half = wanted.size // 2
    # Each division once: the best is always on the first side.
    sides = [(0, *rest) for rest in combinations(range(1, wanted.size), half - 1)]
    side = min(sides, key=lambda each: _cost(people, each))
    other = [at for at in range(wanted.size) if at not in side]
    pairs = zip(side, other, strict=True)
    return [people[at].unit for pair in pairs for at in pair]


def _cost(people: Sequence[Waiter], side: Sequence[int]) -> tuple[int, int, int]:
    """Return what speaks against a division: partners again, opponents again, and the difference of strength."""
    partners = opponents = 0
    for one, other in combinations(range(len(people)), 2):
        distance = _distance_before(people[one], people[other])
        are_partners = (one in side) == (other in side)
        if distance is not None and are_partners == (distance % 2 == 0):
            partners += are_partners
            opponents += not are_partners
    strength = sum(each.rank if at in side else -each.rank for at, each in enumerate(people))
    return partners, opponents, abs(strength)


def _distance_before(one: Waiter, other: Waiter) -> int | None:
    """Return how many seats apart two have sat at the last table of both, or None."""
    if one.unit not in other.before or other.unit not in one.before or [*one.before] != [*other.before]:
        return None
    return abs(one.before.index(one.unit) - one.before.index(other.unit))
