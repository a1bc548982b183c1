"""The one way to wait for what another process, a thread or a page does."""

import time
from collections.abc import Callable
from typing import Any

#: Patience for anything on a busy machine (s).
PATIENCE_S = 60.0
_PAUSE_S = 0.05


def wait_until(
    true: Callable[[], Any],
    what: str | Callable[[], object] = "",
    *,
    seconds: float = PATIENCE_S,
    despite: tuple[type[Exception], ...] = (),
    pause: Callable[[], object] = lambda: time.sleep(_PAUSE_S),
) -> Any:
    """Wait until a function returns a true value, and return that.

    Args:
        true: may also raise `AssertionError` to fail at once, when what is waited for cannot come any more.
        what: what is waited for, or a function that tells it when it has not come; for the message.
        seconds: patience; a test never depends on how fast things go.
        despite: errors that count as false.
        pause: called between two attempts.

    Raises:
        AssertionError: it has not become true.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            if value := true():
                return value
        except despite as error:
            last: object = f" (last: {error!r})"
        else:
            last = ""
        assert time.monotonic() < until, f"not in {seconds:g} s: {what() if callable(what) else what or true}{last}"
        pause()
