"""Looks while the service runs whether Redis still keeps its data, and logs it if not."""

from collections.abc import Mapping
from threading import Event
from typing import Any, Final

import structlog
from redis.exceptions import RedisError

from service.store.connections import preconditions

log: Final = structlog.get_logger("workers.watching")

#: Seconds between two looks, and looks after which a fault that stays is logged again: ten minutes.
_LOOK_EVERY_S: Final = 15.0
_AGAIN_AFTER: Final = 40


class Preconditions:
    """Watches the Redis of the tables.

    Args:
        client: its client.
        replicas: see `unmet`.
    """

    def __init__(self, client: Any, replicas: int = 0) -> None:
        self._client: Final = client
        self._replicas: Final = replicas
        self._missing: Mapping[str, str] = {}
        self._looks = 0

    def look(self) -> None:
        """Look once; log what has changed, and from time to time what stays wrong."""
        try:
            missing = preconditions.unmet(self._client, replicas=self._replicas)
        except RedisError:
            # That it does not answer is logged elsewhere.
            return
        self._looks = self._looks + 1 if missing.keys() == self._missing.keys() else 0
        if self._looks % _AGAIN_AFTER == 0:
            for text in preconditions.sentences(missing):
                log.error("Redis is not set up as it must be", found=text)
        for name in self._missing.keys() - missing.keys():
            log.warning("Redis is set up as it must be again", precondition=name)
        self._missing = missing


def watch_preconditions(client: Any, stop: Event, replicas: int = 0) -> None:
    """Watch the Redis of the tables until `stop` is set."""
    watched = Preconditions(client, replicas)
    while not stop.is_set():
        watched.look()
        stop.wait(_LOOK_EVERY_S)
