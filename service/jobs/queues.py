"""The job queues, filled by API and clock.

A job that advances a table has the table's version, and does nothing if the table has changed since. It may run twice
or be lost: the due time is stored with the table, so the clock enqueues the job again (`workers.clock`). A player's
question to the AI is a job with a result; asking again returns the result, or enqueues the job again.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import structlog
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer

from service.common.traces import PARENT, Traces

log: Final = structlog.get_logger("service.jobs.queues")

#: Queues by priority: for tables with people, for tables with only AI seats (`service.tables.queue_for`), and for those
#: of hosts that exceed their share of the workers (`workers.shares`). Searchers compute hints, for which somebody
#: waits, make the moves that search (those of practice tables last), and analyse rounds when idle.
PEOPLE: Final = "people"
AI: Final = "ai"
HEAVY: Final = "heavy"
HINT: Final = "hint"
SEARCH: Final = "search"
PRACTICE: Final = "practice"
ANALYSIS: Final = "analysis"
QUEUES: Final = (PEOPLE, AI, HEAVY, HINT, SEARCH, PRACTICE, ANALYSIS)

#: How long a claim on a table lasts (ms). If the worker dies, the clock claims the table again after that.
LEASE_MS: Final = 3_000
#: Time limit of a job in seconds, far more than any job takes, and how long a failed job is stored for inspection.
JOB_TIMEOUT_S: Final = 30
FAILURE_TTL_S: Final = 86_400

#: Seconds for which a hint is stored, and for which a failed one is not repeated.
HINT_TTL_S: Final = 600
HINT_RETRY_S: Final = 30
#: Most rounds waiting for analysis.
MOST_ANALYSES: Final = 100

_JOB: Final = "workers.jobs.advance"
_BATCH_JOB: Final = "workers.jobs.advance_all"
_HINT_JOB: Final = "workers.jobs.hint"
_ANALYSIS_JOB: Final = "workers.jobs.analyse"
_FIELD_JOB: Final = "workers.jobs.play_field"
_PAR_JOB: Final = "workers.jobs.work_out_par"
#: Time after which an analysis step that was not done is enqueued again (ms).
_STEP_MS: Final = 60_000
#: Queue -> suffix that distinguishes its job ids from those of the queue that passed the jobs on.
_SUFFIXES: Final = {HEAVY: "-heavy", SEARCH: "-search", PRACTICE: "-practice"}


class LeftOutError(RedisConnectionError):
    """One of several Redis servers is left out, since it did not answer recently."""


class Queues:
    """Enqueues jobs.

    Args:
        redis: client of the queues.
        now: returns milliseconds since the epoch.
        traces: tracer of the process; jobs carry their parent span.
        left_out_s: how long Redis is left out after it did not answer, so that callers do not wait again.
    """

    def __init__(
        self, redis: Redis, now: Callable[[], int], traces: Traces | None = None, *, left_out_s: float = 0.0
    ) -> None:
        self._left_out_s = left_out_s
        self._left_out_until = 0.0
        self._now = now
        self._traces = traces
        self._queues = {name: Queue(name, connection=redis, serializer=JSONSerializer) for name in QUEUES}

    def enqueue(self, table: str, version: int, queue: str, *, by_rules: bool = False) -> None:
        """Enqueue a job that advances a table, unless the same job was enqueued within the lease.

        Args:
            by_rules: whether AI seats that search should move by rules, since no searcher has time.

        The job's id changes with every lease, so that a job whose worker died does not block the next one. Errors of
        Redis are only logged: the events are stored already, and the clock will enqueue the job again.
        """
        suffix = "-rules" if by_rules else _SUFFIXES.get(queue, "")
        args = (table, version, True) if by_rules else (table, version)
        job_id = f"{table}-{version}-{self._now() // LEASE_MS}{suffix}"
        try:
            self._add(queue, _JOB, args, job_id)
        except RedisError as error:
            log.warning("cannot enqueue", table=table, error=str(error))

    def enqueue_all(self, tables: Sequence[tuple[str, int]], queue: str) -> None:
        """Enqueue a job that advances several claimed tables, each with its version. For errors see `enqueue`."""
        if len(tables) == 1:
            self.enqueue(*tables[0], queue)
            return
        try:
            self._add(queue, _BATCH_JOB, (tables,))
        except RedisError as error:
            log.warning("cannot enqueue", tables=len(tables), error=str(error))

    def analyse(self, game: str, number: int, done: int) -> None:
        """Enqueue the next step of the analysis of a round after `done` decisions.

        A waiting step is not enqueued again; a lost one is, after a while.
        """
        job_id = f"{game}-{number}-{done}-{self._now() // _STEP_MS}-analysis"
        self._add(ANALYSIS, _ANALYSIS_JOB, (game, number), job_id)

    def par(self, game: str, number: int, done: int) -> None:
        """Enqueue the next step of the par of a round after `done` replays; see `analyse`."""
        job_id = f"{game}-{number}-{done}-{self._now() // _STEP_MS}-par"
        self._add(ANALYSIS, _PAR_JOB, (game, number), job_id)

    def field(self, event: str, number: int, deal: int) -> None:
        """Enqueue a job in which AI players play a deal of a board, unless it is waiting already."""
        job_id = f"{event}-{number}-{deal}-{self._now() // _STEP_MS}-field"
        self._add(ANALYSIS, _FIELD_JOB, (event, number, deal), job_id)

    def hint(self, queue: str, job_id: str, args: tuple[str, int, str, bool]) -> None:
        """Enqueue a question to the AI, whose answer is stored as result of the job."""
        self._add(queue, _HINT_JOB, args, job_id, result_ttl=HINT_TTL_S, failure_ttl=HINT_RETRY_S)

    def waiting(self, queue: str) -> int:
        """Return the number of jobs in a queue."""
        with self.asking():
            return int(self._queues[queue].count)

    def searching(self) -> int:
        """Return the number of waiting hints and searches, without those of low priority."""
        return self.waiting(SEARCH) + self.waiting(HINT)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Context manager around commands to Redis.

        Raises:
            LeftOutError: it did not answer recently.
        """
        if time.monotonic() < self._left_out_until:
            raise LeftOutError("left out, since it did not answer")
        try:
            yield
        except RedisError:
            self._left_out_until = time.monotonic() + self._left_out_s
            raise

    def _add(
        self,
        queue: str,
        job: str,
        args: tuple[object, ...],
        job_id: str | None = None,
        *,
        result_ttl: int = 0,
        failure_ttl: int = FAILURE_TTL_S,
    ) -> None:
        """Enqueue a job, unless a job with its id is waiting."""
        parent = self._traces.carried() if self._traces else None
        with self.asking(), suppress(DuplicateJobError):
            self._queues[queue].enqueue_call(
                job,
                args=args,
                timeout=JOB_TIMEOUT_S,
                result_ttl=result_ttl,
                failure_ttl=failure_ttl,
                job_id=job_id,
                meta={PARENT: parent} if parent else None,
                unique=job_id is not None,
            )


class Questions:
    """Players' questions to the AI.

    Args:
        redis: client of the queues.
        queues: enqueue the jobs.
        searchers: returns the number of searchers.
    """

    def __init__(self, redis: Redis, queues: Queues, searchers: Callable[[], int]) -> None:
        self._redis = redis
        self._queues = queues
        self._searchers = searchers

    def hint(self, table: str, seat: int, decision: str, moment: int) -> Mapping[str, Any] | None:
        """Return the AI's answer to a decision of a seat, or None while it is being computed.

        Asking again does not compute it twice. If there are no searchers, a worker answers by rules.

        Args:
            moment: distinguishes moments of a decision with different views of the seat.
        """
        by_rules = not self._searchers()
        job_id = f"hint-{table}-{seat}-{decision}-{moment}{'-rules' if by_rules else ''}"
        try:
            job = Job.fetch(job_id, connection=self._redis, serializer=JSONSerializer)
        except NoSuchJobError:
            self._queues.hint(PEOPLE if by_rules else HINT, job_id, (table, seat, decision, by_rules))
            return None
        found: Mapping[str, Any] | None = job.return_value(refresh=True)
        return found

    def analyse(self, game: str, number: int, done: int) -> bool:
        """Continue the analysis of a round; False if no searcher is alive or the queue is full."""
        if not self._can_analyse():
            return False
        self._queues.analyse(game, number, done)
        return True

    def par(self, game: str, number: int, done: int) -> bool:
        """Continue the par of a round; False if no searcher is alive or the queue is full."""
        if not self._can_analyse():
            return False
        self._queues.par(game, number, done)
        return True

    def field(self, event: str, number: int, deal: int) -> bool:
        """Have AI players play a deal of a board; False if no searcher is alive or the queue is full."""
        if not self._can_analyse():
            return False
        self._queues.field(event, number, deal)
        return True

    def _can_analyse(self) -> bool:
        return self._searchers() > 0 and self._queues.waiting(ANALYSIS) < MOST_ANALYSES
