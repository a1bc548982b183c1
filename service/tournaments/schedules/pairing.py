"""Swiss pairing of the next round: teams with scores as close as possible, and no pair twice."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

#: Most steps of a search before repeated pairs are allowed, so that it takes only milliseconds.
_MOST_STEPS: Final = 20_000


class _TooLongError(Exception):
    """The search took too many steps."""


def paired(order: Sequence[str], met: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs of a round.

    From the top, each team meets the best remaining one that it has not met, unless the rest could not be paired then.
    If there is no such pairing, or none is found soon, the teams that have met least often meet again.

    Args:
        order: an even number of teams, the best first.
        met: pairs that have met, in any order, with multiplicity.
    """
    times = Counter(frozenset(pair) for pair in met)
    for most in range(max(times.values(), default=0) + 1):
        try:
            pairs = _search(tuple(order), times, most, [_MOST_STEPS])
        except _TooLongError:
            continue
        if pairs is not None:
            return pairs
    # Beyond the most frequent pair, all pairs are allowed.
    return [(order[at], order[at + 1]) for at in range(0, len(order) - 1, 2)]


def _search(
    left: tuple[str, ...], times: Counter[frozenset[str]], most: int, steps: list[int]
) -> list[tuple[str, str]] | None:
    if not left:
        return []
    first, others = left[0], left[1:]
    for other in others:
        steps[0] -= 1
        if steps[0] < 0:
            raise _TooLongError
        if times[frozenset((first, other))] <= most:
            rest = _search(tuple(team for team in others if team != other), times, most, steps)
            if rest is not None:
                return [(first, other), *rest]
    return None
