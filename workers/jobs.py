"""The job that RQ runs, and the worker that runs it.

A job advances a table, or several with only AI seats, until a player must act: it deals cards, applies timeouts and
plays for AI seats. The number of steps in a job is limited.
"""

import math
import time
from collections import deque
from contextlib import nullcontext
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any, Final, NamedTuple

import structlog
from redis import Redis
from redis.client import Pipeline
from rq import Queue, SimpleWorker, get_current_job
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.utils import now
from rq.worker import WorkerStatus

from service.common.errors import Refusal
from service.common.traces import PARENT, Traces
from service.jobs import asked as asking
from service.jobs.asked import Asker, Question
from service.jobs.queues import AI, ANALYSIS, EVENT, HEAVY, HINT, PEOPLE, PRACTICE, SEARCH, Queues
from service.jobs.worker_status import Heartbeat, JobMetrics
from service.store.port import StoreTooNew, StoreUnavailable
from service.tables import Tables
from workers import ai, pars, riddles
from workers.ai.friends import told
from workers.answering import Games, answer_next
from workers.fairness import SLICE_S, Shares, Turn
from workers.search_budget import FULL_UP_TO, RULES, Chooser

#: Most waiting jobs in the queue `heavy`, or in `practice`.
MOST_HEAVY: Final = 200

log: Final = structlog.get_logger("workers.jobs")

#: Role -> its queues by priority. Searches take long, so only searchers do them, and nothing else.
ROLE_QUEUES: Final = {"worker": (PEOPLE, AI, HEAVY), "searcher": (HINT, SEARCH, PRACTICE, EVENT, ANALYSIS)}
#: Role -> queue for jobs of tables that have to wait.
_LATER: Final = {"worker": HEAVY, "searcher": PRACTICE}
#: How long a worker takes jobs of tables with people alone, before it takes one of the others (s). A job of these takes
#: 30 ms, so people lose 3 % at most, and a table of AI players moves on while people keep all workers busy.
_OTHERS_EVERY_S: Final = 1.0
#: AI level of hints.
HINTS_BY: Final = "expert"
#: RQ's `worker_ttl` in seconds. RQ subtracts 15 s, so an idle worker sends a heartbeat every 5 s (see `rq.Worker`).
_WORKER_TTL_S: Final = 20
#: Seconds between two of RQ's heartbeats that take their own round trip.
_HEARTBEAT_S: Final = 1.0


class _Job(Job):
    """A job without dependents."""

    def cleanup(self, ttl: int | None = None, pipeline: Pipeline | None = None, remove_from_queue: bool = True) -> None:
        """Delete a finished job, in the same pipeline as the other writes of its worker.

        RQ would first query status and executions of the job in six round trips, which the worker knows and removes
        itself (decision 172).
        """
        if ttl == 0 and pipeline is not None and not remove_from_queue:
            pipeline.delete(self.key)
        else:
            super().cleanup(ttl, pipeline, remove_from_queue)


class _Queue(Queue):
    """A queue of jobs without dependents."""

    def enqueue_dependents(self, *_: Any, **__: Any) -> None:
        """Do nothing; RQ would query Redis."""


class Worker(SimpleWorker):
    """Runs jobs one at a time in its own process, since forking would take longer than a job.

    Args:
        redis: connection to the queues. The worker blocks on it, so nothing else may use it.
        tables: use cases called by the jobs.
        stop: set when a signal asks the worker to stop; the current job is finished first.
        queues: receive jobs of tables that have to wait.
        alive_file: see `Heartbeat`.
        role: `worker`, or `searcher` for moves that search.
        games: finished games, for analyses.
        traces: records jobs as spans; None: no traces.
        work: share of their usual work that searches and analyses do.
    """

    #: Longest delay between attempts to reach Redis (s). RQ's default of a minute would make tables late.
    max_connection_wait_time = 1.0
    #: When RQ's heartbeat was last sent outside a pipeline, and when a job was last taken from a queue other than
    #: `people` (seconds).
    _beat_at = _other_at = -math.inf

    def __init__(
        self,
        redis: Redis,
        tables: Tables,
        stop: Event,
        queues: Queues,
        alive_file: Path | None = None,
        role: str = "worker",
        games: Games | None = None,
        traces: Traces | None = None,
        work: float = 1.0,
    ) -> None:
        listened = [_Queue(name, connection=redis, serializer=JSONSerializer) for name in ROLE_QUEUES[role]]
        super().__init__(
            listened,
            connection=redis,
            job_class=_Job,
            queue_class=_Queue,
            serializer=JSONSerializer,
            worker_ttl=_WORKER_TTL_S,
            log_job_description=False,
        )
        self._heartbeat = Heartbeat(redis, role, tables.now, alive_file)
        self._searches = role == "searcher"
        self._metrics = JobMetrics(redis)
        self._stop = stop
        self._traces = traces
        chooser = Chooser(queues.searching, self._metrics, work=work)
        _in_this_process[:] = [_Process(tables, games, self._metrics, queues, Shares(), chooser, role)]
        # A searcher that died has taken its job with it.
        if self._searches and queues.waiting_questions.are_there():
            queues.answer()

    def _install_signal_handlers(self) -> None:
        """Install RQ's handlers, and handle an earlier signal, after which RQ would wait for jobs forever."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]
        if self._stop.is_set():
            self._stop_requested = True

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Set `stop`, then let RQ handle the signal."""
        self._stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Send RQ's heartbeat, the one that `/readyz` reads, and the job metrics.

        RQ would send its own three times per job, two round trips each, although it is valid for over a minute.

        Raises:
            StopRequested: the worker is idle and was asked to stop. RQ raises it where the signal arrives, but code
                there may swallow it, and then RQ would wait for a job forever.
        """
        if self._stop.is_set() and self.get_state() == WorkerStatus.IDLE:
            raise StopRequested
        moment = time.monotonic()
        if pipeline is not None or moment - self._beat_at >= _HEARTBEAT_S:
            super().heartbeat(timeout, pipeline)
            self._beat_at = moment
            if pipeline is None:
                super().set_state(self._state)
        self._heartbeat.beat()
        self._metrics.flush_if_due()

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Note the state of the worker. It is written at the start of a job and with heartbeats, not after each job.

        RQ would write twice between two jobs that the worker is idle.
        """
        if pipeline is None:
            self._state = state
        else:
            super().set_state(state, pipeline)

    def handle_execution_ended(self, job: Job, *_: object) -> None:
        """Note the end of a job. RQ would also write a heartbeat into the job, which is then deleted."""
        job.ended_at = now()

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Perform a job; with tracing, as part of the trace that enqueued it."""
        # With many seats, on a busy machine, a search may take twenty seconds.
        with self._heartbeat.kept_up() if self._searches else nullcontext():
            return self._perform_job(job, queue)

    def _perform_job(self, job: Job, queue: Queue) -> bool:
        if self._traces is None:
            return super().perform_job(job, queue)
        name, about = f"{job.func_name} {queue.name}", {"job": str(job.id)}
        with self._traces.span(name, "CONSUMER", job.meta.get(PARENT), about):
            return super().perform_job(job, queue)

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Alternate between searches of practice tables and others while both wait, and give each queue its turn."""
        if not self._searches:
            self._give_turns(reference_queue.name)
        elif reference_queue.name in (SEARCH, PRACTICE):
            turns = (PRACTICE, SEARCH) if reference_queue.name == SEARCH else (SEARCH, PRACTICE)
            names = [HINT, *turns, EVENT, ANALYSIS]
            self._ordered_queues = sorted(self.queues, key=lambda queue: names.index(queue.name))

    def _give_turns(self, taken: str) -> None:
        moment = time.monotonic()
        if taken != PEOPLE:
            self._other_at = moment
        waits = moment - self._other_at > _OTHERS_EVERY_S
        self._ordered_queues = [*self.queues[1:], self.queues[0]] if waits else self.queues

    def subscribe(self) -> None:
        """Do not listen for RQ's commands. Nobody sends any, and its thread would outlive a worker that lost Redis."""

    def teardown(self) -> None:
        """Flush the metrics and remove this worker's heartbeat."""
        super().teardown()  # type: ignore[no-untyped-call]
        self._metrics.flush()
        self._heartbeat.end()


class _Process(NamedTuple):
    """Objects that the jobs of this process need."""

    tables: Tables
    games: Games | None
    metrics: JobMetrics
    queues: Queues
    shares: Shares
    chooser: Chooser
    role: str


#: RQ imports a job's function by name and passes it the arguments from the queue, so these objects must be reachable
#: from the module.
_in_this_process: list[_Process] = []


def advance(table: str, version: int, by_rules: bool = False) -> None:
    """Do everything that is due at a table, unless it is no longer at `version`. Idempotent.

    Args:
        by_rules: whether AI seats that search move by rules instead.
    """
    queues, later = _in_this_process[0].queues, _LATER[_in_this_process[0].role]
    # If there is no room, the clock enqueues the job again, like any lost job.
    if not _advance(table, version, by_rules=by_rules) and queues.waiting(later) < MOST_HEAVY:
        queues.enqueue(table, version, later, by_rules=by_rules)


def advance_all(tables: list[tuple[str, int]]) -> None:
    """Advance several tables with only AI seats, each unless it is no longer at its version. Idempotent.

    If the job's time is up, or a table fails, the rest is left to another job.
    """
    began, queues, left = time.perf_counter(), _in_this_process[0].queues, deque(tables)
    deferred: list[tuple[str, int]] = []
    job = get_current_job()
    try:
        while left:
            table, version = left.popleft()
            if not _advance(table, version):
                deferred.append((table, version))
            if time.perf_counter() - began > SLICE_S:
                break
    finally:
        if left:
            queues.enqueue_all(list(left), job.origin if job else AI)
        # Yield to tables with people, whose jobs are short.
        if deferred and queues.waiting(HEAVY) < MOST_HEAVY // len(deferred):
            queues.enqueue_all(deferred, HEAVY)


def _advance(table: str, version: int, *, by_rules: bool = False) -> bool:
    """Advance a table; return False if its turn has not come and nothing was done."""
    began = time.perf_counter()
    tables, _, metrics, queues, shares, chooser, role = _in_this_process[0]
    job = get_current_job()
    origin = job.origin if job is not None else None
    searches = None if by_rules else role == "searcher"
    # Searches delay only other searches.
    turn = Turn(
        shares,
        is_heavy=role == "searcher" or origin == HEAVY,
        passes_practice=origin == SEARCH and queues.searching() >= FULL_UP_TO,
    )
    try:
        choose = chooser.search if searches else chooser.by_rules
        done = tables.advance(table, version, choose, turn, searches=searches)
    except Refusal as refusal:
        # The table was deleted after the job was enqueued.
        log.info("nothing to do", table=table, version=version, why=refusal.code)
        return True
    except StoreTooNew as error:
        # A process of a later release does it; the clock leaves the table to them (`leave.lua`).
        log.info("nothing to do", table=table, version=version, why=str(error))
        return True
    except StoreUnavailable as error:
        # Do not fail the job: its lease expires, and the clock enqueues it again.
        log.warning("store unavailable", table=table, version=version, error=str(error))
        return True
    finally:
        turn.end()
    if done.is_deferred:
        return False
    took = time.perf_counter() - began
    if done.steps and job is not None:
        metrics.count(job.origin, done.late_ms / 1000, took)
    log.info(
        "advanced" if done.steps else "nothing to do",
        table=table,
        version=version,
        steps=done.steps,
        now_at=done.version,
        ms=round(1000 * took, 1),
    )
    return True


def hint(table: str, seat: int, decision: str, by_rules: bool = False) -> dict[str, Any]:
    """Return the AI's answer to an open decision of a seat, or None if the table has changed.

    Args:
        by_rules: whether it answers by rules, since there are no searchers.
    """
    process = _in_this_process[0]
    try:
        question = process.tables.question_of(table, seat, decision)
    except (Refusal, StoreTooNew):
        question = None
    if question is None:
        log.info("no hint wanted any more", table=table, decision=decision)
        return {}
    view, seed = question
    advice, level = (ai.advise(view, seed, RULES), RULES) if by_rules else process.chooser.advise(view, seed, HINTS_BY)
    log.info("gave a hint", table=table, version=view["version"], level=level)
    return {
        "level": level,
        "action": advice.command,
        "reason": told(view, advice.reason),
        "others": [{"cards": cards, "gain": round(gain, 2)} for cards, gain in advice.others],
    }


def answer_asked() -> None:
    """Do a step of a question that waits, of whoever's turn it is, and enqueue a job for what is left."""
    process = _in_this_process[0]
    if process.games is None:
        return
    waits = True
    try:
        waits = answer_next(process.queues.waiting_questions, process.tables, process.games, process.chooser.work)
    finally:
        if waits:
            process.queues.answer()


def play_field(event: str, number: int, deal: int) -> None:
    """Let AI players play a deal of a board a few times, for comparison."""
    process = _in_this_process[0]
    if process.games is None or process.games.boards is None:
        return
    try:
        values = pars.field_of(process.games.boards, event, number, deal)
    except Refusal as refusal:
        log.info("nothing to play", event_of_boards=event, board=number, why=refusal.code)
        return
    log.info("played a board", event_of_boards=event, board=number, times=len(values))


def play_sent_deal(code: str) -> None:
    """Let AI players play a deal that was sent by a link a few times, for comparison."""
    process = _in_this_process[0]
    if process.games is None or process.games.deal_links is None:
        return
    try:
        values = pars.field_of_link(process.games.deal_links, code)
    except Refusal as refusal:
        log.info("nothing to play", why=refusal.code)
        return
    log.info("played a deal that was sent", times=len(values))


def cut_riddle(game: str, number: int, tried: int) -> None:
    """Look for a riddle in the next decision of an analysed round, and enqueue a job for what is left.

    Args:
        tried: how many decisions have been looked at.
    """
    process = _in_this_process[0]
    if process.games is None or process.games.riddles is None:
        return
    if riddles.cut(process.games.riddles, process.games.analyses, game, number, tried):
        process.queues.riddle(game, number, tried + 1)


# --- jobs of releases before 0.4, which a rolling upgrade may leave in the queue --------------------------------------

_BEFORE: Final = Asker("before", "before")


def analyse(game: str, number: int) -> None:
    """Continue the analysis of a round."""
    _go_on(Question(asking.ANALYSIS, game, number, 4))


def work_out_par(game: str, number: int) -> None:
    """Continue the par of a round."""
    _go_on(Question(asking.PAR, game, number, 4))


def _go_on(question: Question) -> None:
    queues = _in_this_process[0].queues
    if queues.waiting_questions.ask(_BEFORE, question) is not None:
        queues.answer()
