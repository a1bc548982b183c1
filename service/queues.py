"""The job queues: what is put into them, by API and clock alike.

A job carries a table and the version that it was made for, does nothing once the table has moved on, and may run twice:
nothing hangs on a job being done exactly once, or at all. What a lost one would have done is found again by the due
time that is stored with the table (`workers.clock`).
"""

from collections.abc import Callable
from typing import Final

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

log: Final = structlog.get_logger("service.queues")

#: Queues in the order in which they are emptied: tables with people, tables of AI seats alone (`tables.queue_for`).
PEOPLE: Final = "people"
AI: Final = "ai"
QUEUES: Final = (PEOPLE, AI)

#: How long a claimed table is left to the job made for it. It is found again that late when its worker was killed.
LEASE_MS: Final = 3_000
#: Seconds. Far more than any job takes; a failed job is kept for a day to be looked at.
JOB_TIMEOUT_S: Final = 30
FAILURE_TTL_S: Final = 86_400

_JOB: Final = "workers.jobs.advance"


class Queues:
    """Puts jobs into the queues.

    Args:
        redis: where the queues are.
        now: milliseconds since the epoch.
    """

    def __init__(self, redis: Redis, now: Callable[[], int]) -> None:
        self._now = now
        self._queues = {name: Queue(name, connection=redis, serializer=JSONSerializer) for name in QUEUES}

    def enqueue(self, table: str, version: int, queue: str) -> None:
        """Ask for a table to be advanced, unless the same has been asked for within the lease.

        The id changes with every lease, so that a job which died with its worker is not in the way of the next. Whoever
        asks has stored what it did, so that queues which are away must not make it fail: the clock asks again.
        """
        try:
            self._queues[queue].enqueue_call(
                _JOB,
                args=(table, version),
                timeout=JOB_TIMEOUT_S,
                result_ttl=0,
                failure_ttl=FAILURE_TTL_S,
                job_id=f"{table}-{version}-{self._now() // LEASE_MS}",
                unique=True,
            )
        except DuplicateJobError:
            pass
        except RedisError as error:
            log.warning("queues away", table=table, error=str(error))

    def waiting(self, queue: str) -> int:
        """Return how many jobs wait in a queue."""
        return int(self._queues[queue].count)
