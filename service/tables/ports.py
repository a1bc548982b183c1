"""What the use cases of a table are handed from outside, and what stands in where nothing is handed in."""

import time
from collections.abc import Callable

from service.game.commands.types import Fields
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.types import View

#: An AI player: from the seat's view, a seed and the level to a command without player and decision.
Choose = Callable[[View, bytes, str], Fields]
#: Archives a finished game: its table, and the log of the table. May be called twice for one game.
Keep = Callable[[State, list[Event]], None]
#: Enqueues a job: table, version, queue.
Enqueue = Callable[[str, int, str], None]
#: The time, in milliseconds since the epoch.
Now = Callable[[], int]


def wall_clock() -> int:
    """Return milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def enqueue_nothing(_table: str, _version: int, _queue: str) -> None:
    """Leave it to the clock to find what is due."""


def archive_nothing(_state: State, _log: list[Event]) -> None:
    """Archive nothing: a game lives as long as its table."""
