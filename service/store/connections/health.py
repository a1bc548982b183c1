"""Whether a Redis takes writes, and if not, why: one of `STATES`.

A full or read-only server still answers, so only a write tells.
"""

import time
from collections.abc import Mapping
from typing import Final

from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.store import keys
from service.store.connections.commands import Client

#: Name of the Redis of the tables.
TABLES: Final = "tables"
OK: Final = "ok"
#: What the server answers -> its state. The library has exceptions for some answers, and leaves out their first word.
_BY_TYPE: Final = (
    (RedisTimeoutError, "hanging"),
    (OutOfMemoryError, "memory-full"),
    (ReadOnlyError, "read-only"),
    (BusyLoadingError, "starting"),
    (MasterDownError, "no-replica"),
    (ClusterDownError, "gone"),
)
_BY_WORD: Final = {"OOM": "memory-full", "MISCONF": "disk-full", "READONLY": "read-only", "NOREPLICAS": "no-replica"}
_OTHER: Final = "refusing"
STATES: Final = (OK, "memory-full", "disk-full", "read-only", "no-replica", "starting", "hanging", "gone", _OTHER)
#: States in which nothing can be read either.
SILENT: Final = ("starting", "hanging", "gone")
#: How long the mark is kept that is written to try it (ms).
_MARK_MS: Final = 60_000
#: Timeout for an answer (s), after which a server hangs. Prometheus waits ten seconds for all metrics.
ANSWER_S: Final = 2.0


def state_of(error: Exception) -> str:
    """Return the state of a server that answers a write with this error."""
    for kind, state in _BY_TYPE:
        if isinstance(error, kind):
            return state
    if isinstance(error, ResponseError):
        return next((state for word, state in _BY_WORD.items() if word in str(error)), _OTHER)
    return "gone"


class Health:
    """The states of several Redis, which are tried when asked for.

    Args:
        clients: name -> client with the timeout `ANSWER_S`, without retries. That of the tables is `TABLES`.
    """

    def __init__(self, clients: Mapping[str, Client]) -> None:
        self._clients: Final = clients
        self._failed_at = float("-inf")

    def states(self) -> dict[str, str]:
        """Return the state of each Redis, by name."""
        return {name: self._state(client) for name, client in self._clients.items()}

    def failed_within(self, seconds: float) -> bool:
        """Return whether one of them took no write when it was tried within this time."""
        return time.monotonic() - self._failed_at < seconds

    def _state(self, client: Client) -> str:
        try:
            for key in keys.MARKS:
                client.set(key, "", px=_MARK_MS)
        except (RedisError, RedisClusterException, OSError) as error:
            self._failed_at = time.monotonic()
            return state_of(error)
        return OK
