"""The dependencies injected into the use cases of a table, and their defaults."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, Protocol

from service.common.interruptions import NO_INTERRUPTIONS, Interruptions
from service.game.commands.transaction import Decided
from service.game.events.types import Event
from service.game.state.settings import correspondence_of
from service.game.state.types import State

#: Called with the table and a command's events before they are written; raises to refuse the command.
Admit = Callable[[State, Sequence[Event]], None]
#: Called with the table of a finished game and the table's log; perhaps twice for one game.
Finished = Callable[[State, Sequence[Event]], None]
#: Enqueues a job: takes table, version and queue.
Enqueue = Callable[[str, int, str], None]


def tell_nothing(_events: Sequence[Event]) -> None:
    """Ignore the end of a look."""


class Turn(Protocol):
    """Scheduling of a job among others."""

    def admits(self, state: State) -> bool:
        """Return whether a table may be advanced now."""
        ...

    def is_over(self) -> bool:
        """Return whether other jobs should run now."""
        ...


class Look(NamedTuple):
    """A look at what players have told a table to do in their place.

    Attributes:
        decided: what is to be done now; None: nothing.
        again: when to look again if nothing happens at the table (ms); None: not before an append.
        end: called with the events after they have been appended, or without them after they have not.
    """

    decided: Decided | None = None
    again: int | None = None
    end: Callable[[Sequence[Event]], None] = tell_nothing


class Standing(Protocol):
    """What players have told their tables to do in their place."""

    def due_at(self, state: State) -> int | None:
        """Return when to look first in the open decision (ms); None: never."""
        ...

    def look(self, state: State, now: int) -> Look:
        """Look at a table."""
        ...


class InTurn:
    """Several things that stand at tables of days, looked at one after the other; none stands anywhere else."""

    def __init__(self, *parts: Standing) -> None:
        self._parts = parts

    def due_at(self, state: State) -> int | None:
        """See `Standing.due_at`."""
        if correspondence_of(state) is None:
            return None
        times = [at for part in self._parts if (at := part.due_at(state)) is not None]
        return min(times, default=None)

    def look(self, state: State, now: int) -> Look:
        """See `Standing.look`."""
        again: list[int] = []
        for part in self._parts:
            due_at = part.due_at(state)
            if due_at is not None and due_at > now:
                again.append(due_at)
            elif due_at is not None:
                look = part.look(state, now)
                if look.decided is not None:
                    return look
                again += [] if look.again is None else [look.again]
        return Look(again=min(again, default=None))


#: Returns a later deadline of a decision of days whose time seems to be over (table, ms); None: it is over.
MoreTime = Callable[[State, int], Decided | None]


def no_more_time(_state: State, _now: int) -> None:
    """Give no more time."""


class Unlimited:
    """A turn without limits."""

    def admits(self, _: State) -> bool:
        """Return True."""
        return True

    def is_over(self) -> bool:
        """Return False."""
        return False


#: Returns milliseconds since the epoch.
Now = Callable[[], int]
#: Returns the times at which the service could not be reached, as far as this process knows.
Interrupted = Callable[[], Interruptions]
#: Called with the appended events and the state after them.
Announce = Callable[[list[Event], State], None]


class Streams(Protocol):
    """The event streams of this process, which get its own appends directly instead of reading them from Redis."""

    def appending(self, table: str) -> AbstractContextManager[Announce]:
        """Return a context manager for an append; call the value it yields once the append has succeeded."""


def never_interrupted() -> Interruptions:
    """Return no interruptions."""
    return NO_INTERRUPTIONS


def tell_nobody(_events: list[Event], _state: State) -> None:
    """Ignore an append."""


class NoStreams:
    """For processes without streams."""

    def appending(self, _table: str) -> AbstractContextManager[Announce]:
        """See `Streams.appending`."""
        return _NOBODY


_NOBODY = nullcontext(tell_nobody)


#: Returns the role of a player (id) in a circle or a club (id); None: none.
RoleIn = Callable[[str, str], str | None]


def no_role(_circle: str, _player: str) -> None:
    """For processes to which no player comes: nobody belongs to any circle or club."""


def admit_all(_state: State, _events: Sequence[Event]) -> None:
    """Admit every command."""


def enqueue_nothing(_table: str, _version: int, _queue: str) -> None:
    """Enqueue nothing: the clock finds the table when it is due."""
