"""The job that RQ runs, and the worker that runs it.

A job advances a table until a player must act: it deals, times out and moves AI seats as far as they are due, up to a
number of steps.
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
from service.worker_status import Heartbeat, JobMetrics
from workers import ai

log: Final = structlog.get_logger("workers.jobs")

#: Seconds. An idle worker sends a heartbeat this often, less 15 s (see `rq.Worker`).
_WORKER_TTL_S: Final = 20


class Worker(SimpleWorker):
    """Runs jobs in its own process, one after the other: a job of some milliseconds is not worth a fork.

    Args:
        redis: where the queues are; blocks, so it is for this worker alone.
        tables: what the jobs work on.
        stop: set when a signal stops the worker; the current job is finished.
    """

    #: Seconds between two tries to reach Redis. RQ would back off up to a minute, and tables would be late.
    max_connection_wait_time = 1.0

    def __init__(self, redis: Redis, tables: Tables, stop: Event) -> None:
        queues = [Queue(name, connection=redis, serializer=JSONSerializer) for name in QUEUES]
        super().__init__(
            queues, connection=redis, serializer=JSONSerializer, worker_ttl=_WORKER_TTL_S, log_job_description=False
        )
        self._heartbeat = Heartbeat(redis, "worker", wall_clock)
        self._metrics = JobMetrics(redis)
        self._stop = stop
        _in_this_process[:] = [(tables, self._metrics)]

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Set `stop`, then do as RQ does."""
        self._stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Send heartbeats to RQ and for `/readyz`, and metrics along with them."""
        super().heartbeat(timeout, pipeline)
        if self._heartbeat.beat():
            self._metrics.flush()

    def teardown(self) -> None:
        """Sign off."""
        super().teardown()  # type: ignore[no-untyped-call]
        self._metrics.flush()
        self._heartbeat.end()


#: RQ calls a job by the name of its function, with the arguments from the queue: the tables and the metrics of the
#: process that it runs in have to be found here.
_in_this_process: list[tuple[Tables, JobMetrics]] = []


def advance(table: str, version: int) -> None:
    """Do everything that is due at a table, unless it has moved on from `version`. Idempotent."""
    began = time.perf_counter()
    tables, metrics = _in_this_process[0]
    try:
        done = tables.advance(table, version, ai.choose)
    except Refusal as refusal:
        # The table was deleted after the job was made.
        log.info("nothing to do", table=table, version=version, why=refusal.code)
        return
    took = time.perf_counter() - began
    job = get_current_job()
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
