"""The jobs that RQ runs, and the worker that runs them.

One job is 'advance this table until somebody must act', not one card: it deals, times out and moves AI seats as far as
they are due, in bounded work, and then leaves the table to the time stored with it.
"""

import time
from threading import Event
from types import FrameType
from typing import Final

import structlog
from redis import Redis
from redis.client import Pipeline
from rq import Queue, SimpleWorker, get_current_job
from rq.serializers import JSONSerializer

from service.errors import Refusal
from service.queues import QUEUES
from service.tables import Tables, wall_clock
from service.worker_status import Pulse, Tally
from workers import ai

log: Final = structlog.get_logger("workers.jobs")

#: Seconds: how often an idle worker looks up from its queues is this less 15.
_WORKER_TTL_S: Final = 20


class Worker(SimpleWorker):
    """Runs jobs in its own process, one after the other: a job of some milliseconds is not worth a fork.

    Args:
        redis: where the queues are; for this worker alone, as it blocks.
        tables: what the jobs work on.
        stop: set when a signal has told the worker to stop; the job in hand is finished.
    """

    #: Seconds between two tries to reach Redis. RQ would double the wait up to a minute, and tables would be late.
    max_connection_wait_time = 1.0

    def __init__(self, redis: Redis, tables: Tables, stop: Event) -> None:
        queues = [Queue(name, connection=redis, serializer=JSONSerializer) for name in QUEUES]
        super().__init__(
            queues, connection=redis, serializer=JSONSerializer, worker_ttl=_WORKER_TTL_S, log_job_description=False
        )
        self._pulse = Pulse(redis, "worker", wall_clock)
        self._tally = Tally(redis)
        self._told = stop
        _work_on(tables, self._tally)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note that a signal came, then do as RQ does."""
        self._told.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Tell RQ and `/readyz` that this worker lives."""
        super().heartbeat(timeout, pipeline)
        if self._pulse.beat():
            self._tally.hand_in()

    def teardown(self) -> None:
        """Say goodbye."""
        super().teardown()  # type: ignore[no-untyped-call]
        self._tally.hand_in()
        self._pulse.end()


# RQ finds a job by the name of a function and calls it with what was put into the queue. This is how it comes by the
# tables, and the counts, of the process that it runs in.
_mine: list[tuple[Tables, Tally]] = []


def _work_on(tables: Tables, tally: Tally) -> None:
    _mine[:] = [(tables, tally)]


def advance(table: str, version: int) -> None:
    """Do everything that is due at a table, unless it has moved on from `version`.

    Running it again does nothing: the first run has left another version, or a table at which nothing is due.
    """
    began = time.perf_counter()
    tables, tally = _mine[0]
    try:
        done = tables.advance(table, version, ai.choose)
    except Refusal as refusal:
        # The table was deleted after the job was made.
        log.info("nothing to do", table=table, version=version, why=refusal.code)
        return
    took = time.perf_counter() - began
    job = get_current_job()
    if done.steps and job is not None:
        tally.job(job.origin, done.late_ms / 1000, took)
    log.info(
        "advanced" if done.steps else "nothing to do",
        table=table,
        version=version,
        steps=done.steps,
        now_at=done.version,
        ms=round(1000 * took, 1),
    )
