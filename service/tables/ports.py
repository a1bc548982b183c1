"""The dependencies injected into the use cases of a table, and their defaults."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from service.common.interruptions import NO_INTERRUPTIONS, Interruptions
from service.game.commands.types import Fields
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.ai_view import AiView

#: An AI player: takes the seat's view, a seed and the level; returns a command without player and decision id.
Choose = Callable[[AiView, bytes, str], Fields]
#: May refuse what would come of a command: takes the table, and the events that the command brings about.
Admit = Callable[[State, Sequence[Event]], None]
#: Archives a finished game: takes its table and the table's log. May be called twice for one game.
Keep = Callable[[State, list[Event]], None]
#: Enqueues a job: takes table, version and queue.
Enqueue = Callable[[str, int, str], None]


class Turn(Protocol):
    """The turn of a job among others."""

    def admits(self, state: State) -> bool:
        """Tell whether a table may be advanced now."""
        ...

    def is_over(self) -> bool:
        """Tell whether other jobs should run now."""
        ...


class Unlimited:
    """A turn that never ends."""

    def admits(self, _: State) -> bool:
        """Admit any table."""
        return True

    def is_over(self) -> bool:
        """Go on."""
        return False


#: Returns milliseconds since the epoch.
Now = Callable[[], int]
#: Returns when nobody could reach the service, as far as this process knows.
Interrupted = Callable[[], Interruptions]
#: Takes the events that have been appended, and the state after them.
Announce = Callable[[list[Event], State], None]


class Streams(Protocol):
    """The event streams of this process, which are handed its own appends and need not read them."""

    def appending(self, table: str) -> AbstractContextManager[Announce]:
        """Return a context manager for an append; call the value it yields once the append has succeeded."""


def wall_clock() -> int:
    """Return milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def never_interrupted() -> Interruptions:
    """Return that the service has always been reachable."""
    return NO_INTERRUPTIONS


def tell_nobody(_events: list[Event], _state: State) -> None:
    """Tell nobody: there are no streams."""


class NoStreams:
    """For processes without streams."""

    def appending(self, _table: str) -> AbstractContextManager[Announce]:
        """See `Streams.appending`."""
        return _NOBODY


_NOBODY = nullcontext(tell_nobody)


def admit_all(_state: State, _events: Sequence[Event]) -> None:
    """Refuse nothing."""


def enqueue_nothing(_table: str, _version: int, _queue: str) -> None:
    """Enqueue nothing: the clock finds the table when it is due."""


def archive_nothing(_state: State, _log: list[Event]) -> None:
    """Archive nothing: the game is lost when its table expires."""
