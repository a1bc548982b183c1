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


def is_day() -> bool:
    """Tell whether this is `make test`, whose examples are the same each time."""
    return settings.default.derandomize
