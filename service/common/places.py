"""Places of those who are compared. Equal ones share a place, and the places after it stay free."""

from collections.abc import Iterable


def places(values: Iterable[float]) -> dict[float, int]:
    """Return value -> place, from 1 for the highest."""
    best = sorted(values, reverse=True)
    return {value: at for at, value in reversed([*enumerate(best, 1)])}
