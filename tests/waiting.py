"""Waiting for what other processes bring about."""

import time
from collections.abc import Callable
from typing import Any


def wait_until(true: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until a function returns what counts as true, and fail if it never does."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, f"it did not happen in {seconds} s"
        time.sleep(0.05)
