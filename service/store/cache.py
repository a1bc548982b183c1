"""The states that a process wrote last, so that the next action at a table does not need to load it.

A cached state may be stale, since other processes write too. Comparing versions on append is not enough to detect that:
a Redis that lost its last writes in a failover may have reached the same version with another history. So each cached
state comes with the checksum of its snapshot, which the append compares as well (decision 40).
"""

from collections import OrderedDict
from typing import Final, NamedTuple

from service.game.state.types import State

#: Most tables whose states are cached: about 25 KB each, 60 KB with twelve seats.
CACHED_TABLES: Final = 1_000


class CachedState(NamedTuple):
    """A state, its version, and the checksums of its snapshot and its set-up."""

    version: int
    state: State
    checksum: int
    setup_checksum: int


class StateCache:
    """LRU cache of states, by table.

    Args:
        size: number of tables; 0 turns the cache off.
    """

    def __init__(self, size: int = CACHED_TABLES) -> None:
        self._size: Final = size
        self._states: Final[OrderedDict[str, CachedState]] = OrderedDict()

    def put(self, table: str, cached: CachedState) -> None:
        """Cache a state in place of an earlier one; the one cached longest ago is evicted."""
        # Other threads may run between any two of these steps.
        self._states.pop(table, None)
        self._states[table] = cached
        if len(self._states) > self._size:
            self._states.popitem(last=False)

    def state(self, table: str) -> State | None:
        """Return the cached state, or None."""
        cached = self._states.get(table)
        return cached.state if cached else None

    def at(self, table: str, version: int) -> CachedState | None:
        """Return the cached entry if it has this version, or None."""
        cached = self._states.get(table)
        return cached if cached and cached.version == version else None

    def drop(self, table: str) -> None:
        """Remove a table."""
        self._states.pop(table, None)

    def states(self) -> dict[str, State]:
        """Return all cached states by table."""
        return {table: cached.state for table, cached in list(self._states.items())}
