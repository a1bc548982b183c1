"""Makes Redis rewrite its log after the disk was full.

A log that ran out of disk space may have holes, and later writes in the wrong place (`service/processes/aof_holes.py`).
The data in memory are intact, and so is a rewritten log.
"""

from threading import Event
from typing import Any, Final

import structlog
from redis import Redis
from redis.exceptions import RedisError

log: Final = structlog.get_logger("workers.aof_rewrite")

#: Seconds between checks.
_LOOK_EVERY_S: Final = 0.5


class Rewriting:
    """Watches one Redis.

    Args:
        redis: its client.
    """

    def __init__(self, redis: Any) -> None:
        self._redis: Final = redis
        self._failed = False

    def watch(self) -> None:
        """Check once: if Redis can write its log again after a failure, make it rewrite the log."""
        try:
            status = self._redis.info("persistence")
            if status.get("aof_last_write_status", "ok") != "ok":
                self._failed = True
            elif self._failed:
                self._redis.bgrewriteaof()
                self._failed = False
                log.warning("Redis could not write its log for a while, and writes it anew now")
        except RedisError as error:
            if self._failed:
                log.warning("cannot let Redis write its log anew; trying again", error=str(error))


def rewrite_after_errors(client: Any, stop: Event) -> None:
    """Watch a Redis until `stop` is set. A cluster is not watched, since each node would need a watcher."""
    rewriting = Rewriting(client)
    while isinstance(client, Redis) and not stop.wait(_LOOK_EVERY_S):
        rewriting.watch()
