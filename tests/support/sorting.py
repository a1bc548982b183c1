"""Parameters of tests for `make test`, and for nightly tests only (decision 136)."""

from collections.abc import Container, Iterable
from typing import Any

import pytest
from hypothesis import settings


def by_day(chosen: Container[Any], parameters: Iterable[Any]) -> list[Any]:
    """Return all parameters; those not chosen (compared by equality) run only in `make nightly`."""
    return [
        pytest.param(
            *(each if isinstance(each, tuple) else (each,)), marks=() if each in chosen else pytest.mark.nightly
        )
        for each in parameters
    ]


def ends_of(sizes: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """Return the (ruleset, players) with the fewest and the most players of each ruleset."""
    players: dict[str, list[int]] = {}
    for ruleset, count in sizes:
        players.setdefault(ruleset, []).append(count)
    return {(ruleset, count) for ruleset, counts in players.items() for count in (min(counts), max(counts))}


def is_day() -> bool:
    """Return whether this is `make test`, whose random examples are fixed."""
    return settings.default.derandomize
