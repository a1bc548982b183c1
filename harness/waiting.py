"""Waiting for effects of other processes."""

import time
from collections.abc import Callable
from typing import Any


def wait_until(true: Callable[[], Any], seconds: float = 60) -> Any:
    """Wait until a function returns a true value, and return that; fail after a timeout."""
    until = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < until, f"it did not happen in {seconds} s"
        time.sleep(0.05)
    return value
