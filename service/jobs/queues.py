"""The job queues, filled by API and clock.

A job that advances a table has the table's version, and does nothing if the table has changed since. It may run twice
or be lost: the due time is stored with the table, so the clock enqueues the job again (`workers.clock`). A hint is a
job with a result; asking again returns the result, or enqueues the job again. Analyses and pars wait in
`service.jobs.asked`, and a job of the queue `analysis` does the next step of whoever's turn it is.
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
from service.jobs.asked import Asked, Asker, Question

log: Final = structlog.get_logger("service.jobs.queues")

#: Queues by priority: for tables with people, for tables with only AI seats (`service.tables.queue_for`), and for those
#: of hosts that exceed their share of the workers (`workers.fairness`). Searchers compute hints, for which somebody
#: waits, make the moves that search (those of practice tables last), play the deals without which events have no
#: standings, and analyse rounds when idle.
PEOPLE: Final = "people"
AI: Final = "ai"
HEAVY: Final = "heavy"
HINT: Final = "hint"
SEARCH: Final = "search"
PRACTICE: Final = "practice"
EVENT: Final = "event"
ANALYSIS: Final = "analysis"
QUEUES: Final = (PEOPLE, AI, HEAVY, HINT, SEARCH, PRACTICE, EVENT, ANALYSIS)

#: How long a lease on a table lasts (ms). If the worker dies, the clock leases the table again after that.
LEASE_MS: Final = 3_000
#: Time limit of a job in seconds, far more than any job takes, and how long a failed job is stored for inspection.
JOB_TIMEOUT_S: Final = 30
FAILURE_TTL_S: Final = 86_400

#: Seconds for which a hint is stored, and for which a failed one is not repeated.
HINT_TTL_S: Final = 600
HINT_RETRY_S: Final = 30
#: Time in which one hint of a client goes before the moves that search; further ones take turns with them (ms).
HINT_EVERY_MS: Final = 5_000
#: Most waiting deals of events, several days of them, and most jobs that answer questions: more than searchers.
MOST_DEALS: Final = 500
_MOST_ANSWERING: Final = 32

_JOB: Final = "workers.jobs.advance"
_BATCH_JOB: Final = "workers.jobs.advance_all"
_HINT_JOB: Final = "workers.jobs.hint"
_ANSWER_JOB: Final = "workers.jobs.answer_asked"
_FIELD_JOB: Final = "workers.jobs.play_field"
_SENT_DEAL_JOB: Final = "workers.jobs.play_sent_deal"
_RIDDLE_JOB: Final = "workers.jobs.cut_riddle"
#: Time after which a deal of an event that was not played is enqueued again (ms).
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
        #: Questions of players that wait for a searcher.
        self.waiting_questions: Final = Asked(redis)
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
        """Enqueue a job that advances several leased tables, each with its version. For errors see `enqueue`."""
        if len(tables) == 1:
            self.enqueue(*tables[0], queue)
            return
        try:
            self._add(queue, _BATCH_JOB, (tables,))
        except RedisError as error:
            log.warning("cannot enqueue", tables=len(tables), error=str(error))

    def answer(self) -> None:
        """Enqueue a job that does a step of a waiting question, unless there are enough such jobs."""
        if self.waiting(ANALYSIS) < _MOST_ANSWERING:
            self._add(ANALYSIS, _ANSWER_JOB, ())

    def field(self, event: str, number: int, deal: int) -> None:
        """Enqueue a job in which AI players play a deal of a board, unless it is waiting already."""
        job_id = f"{event}-{number}-{deal}-{self._now() // _STEP_MS}-field"
        self._add(EVENT, _FIELD_JOB, (event, number, deal), job_id)

    def sent_deal(self, code: str) -> None:
        """Enqueue a job in which AI players play a deal that was sent by a link, unless it is waiting already."""
        self._add(EVENT, _SENT_DEAL_JOB, (code,), f"{code}-{self._now() // _STEP_MS}-deal")

    def riddle(self, game: str, number: int, tried: int) -> None:
        """Enqueue a job that looks for a riddle in a round, after so many decisions that were looked at."""
        self._add(ANALYSIS, _RIDDLE_JOB, (game, number, tried), f"{game}-{number}-{tried}-riddle")

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

    def hint(self, client: str, table: str, seat: int, decision: str, moment: int) -> Mapping[str, Any] | None:
        """Return the AI's answer to a decision of a seat, or None while it is being computed.

        Asking again does not compute it twice. If there are no searchers, a worker answers by rules.

        Args:
            client: key of the client that asks.
            moment: distinguishes moments of a decision with different views of the seat.
        """
        by_rules = not self._searchers()
        job_id = f"hint-{table}-{seat}-{decision}-{moment}{'-rules' if by_rules else ''}"
        try:
            job = Job.fetch(job_id, connection=self._redis, serializer=JSONSerializer)
        except NoSuchJobError:
            queue = HINT if self._queues.waiting_questions.is_first_hint(client, HINT_EVERY_MS) else PRACTICE
            self._queues.hint(PEOPLE if by_rules else queue, job_id, (table, seat, decision, by_rules))
            return None
        answer: Mapping[str, Any] | None = job.return_value(refresh=True)
        return answer

    def seconds(self, asker: Asker, question: Question, steps: int) -> float:
        """Return how many seconds of a searcher a question will take with so many steps; 0 if it waits already."""
        waiting = self._queues.waiting_questions
        return 0.0 if waiting.waits(asker, question) else steps * waiting.seconds(question.kind, question.players)

    def ask(self, asker: Asker, question: Question) -> bool:
        """Have a question answered; False if no searcher is alive, or too much of the player waits already."""
        is_new = self._queues.waiting_questions.ask(asker, question) if self._searchers() else None
        if is_new is None:
            return False
        # If it waits already, its job may have been lost.
        if is_new or not self._queues.waiting(ANALYSIS):
            self._queues.answer()
        return True

    def field(self, event: str, number: int, deal: int) -> bool:
        """Have AI players play a deal of a board; False if no searcher is alive or the queue is full."""
        if not self._searchers() or self._queues.waiting(EVENT) >= MOST_DEALS:
            return False
        self._queues.field(event, number, deal)
        return True

    def sent_deal(self, code: str) -> bool:
        """Have AI players play a deal that was sent by a link; False if no searcher is alive or the queue is full."""
        if not self._searchers() or self._queues.waiting(EVENT) >= MOST_DEALS:
            return False
        self._queues.sent_deal(code)
        return True

    def riddle(self, game: str, number: int) -> bool:
        """Look for riddles in a round; False if no searcher is alive, or if any has something else to do."""
        busy = self._queues.searching() or self._queues.waiting(EVENT) or self._queues.waiting(ANALYSIS)
        if not self._searchers() or busy:
            return False
        self._queues.riddle(game, number, 0)
        return True
