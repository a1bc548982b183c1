"""Chores of a bot: what must get done, whatever fails meanwhile."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from shengji_client.problems import PASSING, Problem, ServiceError
from shengji_client.protocol import pause_before

#: Tries once. Returns the seconds after which to do it again, or None if it is done for good.
Task = Callable[[], float | None]

#: Statuses of a request that will be refused whenever it is sent.
FOR_GOOD: Final = frozenset({400, 404, 405, 410, 413, 414, 415, 422})
#: Delay after a refusal that may pass, such as of too many tables, s; it doubles up to the longest.
REFUSED_S: Final = 60.0
LONGEST_S: Final = 600.0

log = logging.getLogger(__name__)


@dataclass
class _Chore:
    task: Task
    due: float
    #: Whether it is never given up.
    lasting: bool
    failures: int = 0
    #: Counts what has asked for it, so that a request during a run is not lost.
    requests: int = 0


class Chores:
    """Does chores in a thread, one after the other, each by itself: none that fails keeps another from being done.

    A chore that fails is tried again: after what `Retry-After` says, or with growing delays. Only a request that will
    always be refused is given up. The log tells of each failure, and when it is tried again.
    """

    def __init__(self) -> None:
        self._chores: dict[str, _Chore] = {}
        self._changed = threading.Condition()
        self._ended = False

    def add(self, name: str, task: Task, *, lasting: bool = False) -> None:
        """Do a chore now; `name` identifies it, also in the log. One of that name that waits is done now.

        Args:
            name: what the log calls it.
            task: does it.
            lasting: never give it up, whatever the service answers.
        """
        with self._changed:
            chore = self._chores.setdefault(name, _Chore(task, 0.0, lasting))
            chore.task, chore.due = task, 0.0
            chore.requests += 1
            self._changed.notify_all()

    def drop(self, name: str) -> None:
        """Forget a chore."""
        with self._changed:
            self._chores.pop(name, None)
            self._changed.notify_all()

    def waiting(self) -> list[str]:
        """Return the names of the chores that are not done."""
        with self._changed:
            return list(self._chores)

    def end(self) -> None:
        """Let `run` return after the present chore."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def run(self) -> None:
        """Do chores until `end`."""
        while (chore := self._next()) is not None:
            self.do(*chore)

    def _next(self) -> tuple[str, _Chore] | None:
        """Wait for a chore that is due."""
        with self._changed:
            while not self._ended:
                name, chore = min(self._chores.items(), key=lambda each: each[1].due, default=("", None))
                left = None if chore is None else chore.due - time.monotonic()
                if chore is not None and left is not None and left <= 0:
                    return name, chore
                self._changed.wait(left)
            return None

    def do(self, name: str, chore: _Chore) -> None:
        """Try a chore once."""
        requests = chore.requests
        try:
            again = chore.task()
            chore.failures = 0
        except Exception as error:  # noqa: BLE001 (whatever it is, `_after` logs it)
            chore.failures += 1
            again = self._after(name, chore, error)
        with self._changed:
            if again is None:
                if chore.requests == requests and self._chores.get(name) is chore:
                    del self._chores[name]
            elif chore.requests == requests:
                chore.due = time.monotonic() + again
            self._changed.notify_all()

    @staticmethod
    def _after(name: str, chore: _Chore, error: Exception) -> float | None:
        """Log a failure; return the delay before the next try, or None to give up."""
        failures = chore.failures
        # Without a code it is not the service that refuses, but something in between that may be mended.
        if isinstance(error, Problem) and error.status in FOR_GOOD and error.code and not chore.lasting:
            log.error("%s: refused, and not tried again: %s", name, error)
            return None
        if isinstance(error, Problem) and error.retry_after is not None:
            pause = max(1.0, error.retry_after)
        elif isinstance(error, Problem) and error.status not in PASSING and error.status < 500:
            pause = min(LONGEST_S, REFUSED_S * 2 ** (failures - 1))
        else:
            pause = pause_before(failures)
        if isinstance(error, ServiceError):
            log.warning("%s: %s; tried again in %.0f s", name, error, pause)
        else:
            log.error("%s: a fault of the bot runner; tried again in %.0f s", name, pause, exc_info=error)
        return pause
