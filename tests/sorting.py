"""What a test tries by day, and what by night alone (decision 136)."""

from collections.abc import Container, Iterable
from typing import Any

import pytest
from hypothesis import settings


def by_day(chosen: Container[Any], parameters: Iterable[Any]) -> list[Any]:
    """Return all parameters; those that are not chosen, compared as they are, run in `make nightly`."""
    return [
        pytest.param(
            *(each if isinstance(each, tuple) else (each,)), marks=() if each in chosen else pytest.mark.nightly
        )
        for each in parameters
    ]


def ends_of(sizes: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """Return of (ruleset, players) the fewest and the most players of each ruleset."""
    players: dict[str, list[int]] = {}
    for ruleset, count in sizes:
        players.setdefault(ruleset, []).append(count)
    return {(ruleset, count) for ruleset, counts in players.items() for count in (min(counts), max(counts))}


def is_day() -> bool:
    """Tell whether this is `make test`, whose examples are the same each time."""
    return settings.default.derandomize
