"""The job queues, filled by API and clock.

A job names a table and its version, and does nothing if the table has changed since. It may run twice or be lost: the
due time is stored with the table, so the clock enqueues the job again (`workers.clock`).
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

#: Queues by priority: for tables with people, for tables with AI seats only (`service.tables.queue_for`), and for those
#: of hosts that take more than their share of the workers (`workers.shares`). Moves that search wait for searchers.
PEOPLE: Final = "people"
AI: Final = "ai"
HEAVY: Final = "heavy"
SEARCH: Final = "search"
QUEUES: Final = (PEOPLE, AI, HEAVY, SEARCH)

#: How long a claimed table is left to its job (ms). If the worker dies, the clock then claims the table again.
LEASE_MS: Final = 3_000
#: Time limit of a job in seconds, far more than any job takes, and how long a failed job is stored for inspection.
JOB_TIMEOUT_S: Final = 30
FAILURE_TTL_S: Final = 86_400

_JOB: Final = "workers.jobs.advance"
#: Queue -> what tells its jobs from those of the queue that gave them up.
_SUFFIXES: Final = {HEAVY: "-heavy", SEARCH: "-search"}


class Queues:
    """Enqueues jobs.

    Args:
        redis: of the queues.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, redis: Redis, now: Callable[[], int]) -> None:
        self._now = now
        self._queues = {name: Queue(name, connection=redis, serializer=JSONSerializer) for name in QUEUES}

    def enqueue(self, table: str, version: int, queue: str, *, by_rules: bool = False) -> None:
        """Enqueue a job that advances a table, unless the same job was enqueued within the lease.

        Args:
            by_rules: whether AI seats that search are to move by rules instead, since nobody has time to search.

        The job's id changes with every lease, so that a job whose worker died does not block the next one. If Redis
        fails, the error is only logged: the caller has stored its events, and the clock enqueues the job again.
        """
        suffix = "-rules" if by_rules else _SUFFIXES.get(queue, "")
        try:
            self._queues[queue].enqueue_call(
                _JOB,
                args=(table, version, True) if by_rules else (table, version),
                timeout=JOB_TIMEOUT_S,
                result_ttl=0,
                failure_ttl=FAILURE_TTL_S,
                job_id=f"{table}-{version}-{self._now() // LEASE_MS}{suffix}",
                unique=True,
            )
        except DuplicateJobError:
            pass
        except RedisError as error:
            log.warning("cannot enqueue", table=table, error=str(error))

    def waiting(self, queue: str) -> int:
        """Return the number of jobs in a queue."""
        return int(self._queues[queue].count)
