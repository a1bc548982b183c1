"""The use cases of a table, shared by API and workers.

Every change takes the same steps: load the snapshot, do what is due, decide on the command, append the events. The
append is atomic and fails if another process changed the table first; then the use case starts over from the new state.
Events are stored first, then announced, then jobs are enqueued. The clock finds a table whose job is lost by its stored
due time.
"""

from service.game.commands.ai_moves import Choose
from service.store.shared_clock import wall_clock
from service.tables.ports import Enqueue, Finished
from service.tables.tables import CODE_TTL_MS, MOST_TRIES, Advanced, Outcome, Tables
from service.tables.writing import queue_for

__all__ = [
    "CODE_TTL_MS",
    "MOST_TRIES",
    "Advanced",
    "Choose",
    "Enqueue",
    "Finished",
    "Outcome",
    "Tables",
    "queue_for",
    "wall_clock",
]
