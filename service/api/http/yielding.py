"""Cooperative scheduling: long computations yield to the other requests of their process, and take turns."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from service.api.http.problems import RETRY_AFTER_S, Unavailable

#: Sleep time. Zero would let other greenlets run, but not poll the sockets for new requests.
_PAUSE_S: Final = 0.001
#: Processor time of long work between two pauses.
SLICE_S: Final = 0.004
#: Requests with long work under way in a process, waiting ones included: of a player, and of all.
MOST_OF_A_PLAYER: Final = 4
_MOST: Final = 24


def give_way() -> None:
    """Let other requests of this process run. Call it every few milliseconds of work."""
    time.sleep(_PAUSE_S)


class Work:
    """A long computation of a request: gives way every few milliseconds, and counts its processor time."""

    __slots__ = ("_since", "_spent_s")

    def __init__(self) -> None:
        self._spent_s = 0.0
        self._since = time.thread_time()

    def rest(self) -> None:
        """Give way if the last pause is some milliseconds of work ago. Cheap; call it often."""
        used = time.thread_time() - self._since
        if used >= SLICE_S:
            self._spent_s += used
            give_way()
            self._since = time.thread_time()

    @property
    def spent_s(self) -> float:
        """Processor time so far, without that of other requests."""
        return self._spent_s + time.thread_time() - self._since


_CURRENT: Final[ContextVar[Work | None]] = ContextVar("work", default=None)


def current_work() -> Work | None:
    """Return the long work of the current request, if it has begun any."""
    return _CURRENT.get()


def rest() -> None:
    """Let the long work of the current request rest, if it has begun any."""
    work = _CURRENT.get()
    if work is not None:
        work.rest()


class Turns:
    """Lets one request with long work run at a time, so that the others of a process wait for one of its slices only.

    Players take turns: a player with several such requests has one of them in the queue.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        #: Player or address -> its lock, and the number of its requests.
        self._own: dict[str, tuple[threading.Lock, int]] = {}

    def under_way(self, owner: str) -> int:
        """Return the number of requests of a player or address that run or wait."""
        return self._own[owner][1] if owner in self._own else 0

    @contextmanager
    def take(self, owner: str) -> Iterator[Work]:
        """Wait for the turn of a player (or an address), and yield the work, which is `current_work` meanwhile.

        Raises:
            Unavailable: too many requests of the player, or of all, are under way.
        """
        own, count = self._own.get(owner, (None, 0))
        own = own or threading.Lock()
        if count >= MOST_OF_A_PLAYER or sum(each for _, each in self._own.values()) >= _MOST:
            raise Unavailable(retry_after_s=RETRY_AFTER_S)
        self._own[owner] = own, count + 1
        try:
            with own, self._turn:
                work = Work()
                before = _CURRENT.set(work)
                try:
                    yield work
                finally:
                    _CURRENT.reset(before)
        finally:
            own, count = self._own.pop(owner)
            if count > 1:
                self._own[owner] = own, count - 1
