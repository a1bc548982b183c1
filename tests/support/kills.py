"""Ends a process, as the rest of a test sees it, after any round trip to Redis."""

from collections.abc import Callable
from itertools import count
from threading import get_ident
from typing import Any

import pytest
from redis.client import Pipeline

from service.store.connections.clients import DirectRedis


class Killed(BaseException):
    """The end of a process."""


def killed_after(place: int, do: Callable[[], object]) -> bool:
    """Do something, but end after so many round trips of this thread; return whether there were so many."""
    thread, left = get_ident(), [place]

    def counted(run: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **options: Any) -> Any:
            answer = run(*args, **options)
            if get_ident() == thread:
                left[0] -= 1
                if left[0] == 0:
                    raise Killed
            return answer

        return wrapped

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DirectRedis, "execute_command", counted(DirectRedis.execute_command))
        patched.setattr(Pipeline, "execute", counted(Pipeline.execute))
        try:
            do()
        except Killed:
            return True
    return False


def killed_everywhere(do: Callable[[], object], then: Callable[[], object]) -> int:
    """Do something again and again, ended after one round trip, two, and so on, until nothing is left to end it.

    `then` is called after each end: another process goes on. Returns how often it was ended.
    """
    for place in count(1):
        if not killed_after(place, do):
            return place - 1
        then()
    raise AssertionError("it always ends")
