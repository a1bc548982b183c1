"""Prometheus metrics. Labels contain no ids: paths are counted by their templates."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import accumulate
from math import inf
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.jobs.worker_status import LATENESS, WorkerStatus
from service.store.connections.health import OK, SILENT, STATES

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """The metrics of this process; with `PROMETHEUS_MULTIPROC_DIR` set, those of all processes of the API.

    Args:
        read_worker_status: returns heartbeats and job metrics of workers and clocks.
        redis_states: returns the state of each Redis.
        expected: kind of process -> how many the operator starts.
        preconditions: returns whether Redis is set up as it must be, by name.
    """

    def __init__(
        self,
        read_worker_status: Callable[[], WorkerStatus],
        redis_states: Callable[[], Mapping[str, str]],
        expected: Mapping[str, int],
        preconditions: Callable[[], Mapping[str, bool]] = dict,
    ) -> None:
        self._worker_status = _WorkerStatusCollector(read_worker_status, redis_states, expected, preconditions)
        registry = self._registry = CollectorRegistry()
        self._requests = Counter(
            "http_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "http_request_duration_seconds",
            "Time to the answer's first byte.",
            ("route",),
            registry=registry,
            buckets=_BUCKETS,
        )
        self._series = cache(lambda *labels: (self._requests.labels(*labels), self._seconds.labels(labels[1])))
        self.guesses = Counter(
            "code_guesses",
            "Codes of players, devices and tables that were not taken.",
            ("kind", "outcome"),
            registry=registry,
        )
        self.deprecated = Counter(
            "deprecated_requests",
            "Requests of operations that go (docs/stability.md).",
            ("method", "route"),
            registry=registry,
        )
        self.streams = Gauge(
            "event_streams", "Event streams and long polls held.", registry=registry, multiprocess_mode="livesum"
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request; `route` is the path's template."""
        # Clients may invent methods, each of which would become a permanent time series.
        number, times = self._series(method if method in _METHODS else "other", route, status)
        number.inc()
        times.observe(seconds)

    def page(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        registry = CollectorRegistry()
        registry.register(self._worker_status)
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        else:
            registry.register(self._registry)
        return generate_latest(registry)


class _WorkerStatusCollector(Collector):
    """Heartbeats and job metrics, read from Redis at each scrape."""

    def __init__(
        self,
        read_worker_status: Callable[[], WorkerStatus],
        redis_states: Callable[[], Mapping[str, str]],
        expected: Mapping[str, int],
        preconditions: Callable[[], Mapping[str, bool]],
    ) -> None:
        self._read, self._states, self._expected = read_worker_status, redis_states, expected
        self._preconditions = preconditions

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics; if Redis is down, only those that report it."""
        status, states = None, self._states()
        # The API's own metrics are reported even if something is down. A Redis that hangs is not asked once more.
        if not any(state in SILENT for state in states.values()):
            with suppress(Exception):
                status = self._read()
        family = GaugeMetricFamily(
            "redis_state", "1: the Redis is in this state; `ok`: it takes writes.", labels=["redis", "state"]
        )
        for redis, now in states.items():
            for state in STATES:
                family.add_metric([redis, state], state == now)
        yield family
        yield _gauge("processes_expected", "Processes that the operator starts.", "role", self._expected)
        yield GaugeMetricFamily("redis_up", "Whether Redis answers.", value=status is not None)
        if status is None:
            return
        with suppress(Exception):
            yield _gauge("preconditions_met", "Whether Redis is set up so.", "name", self._preconditions())
        # Without writes there are no heartbeats, and who lives is unknown.
        if all(state == OK for state in states.values()):
            yield _gauge("processes", "Processes with a recent heartbeat.", "role", status.processes)
        yield _gauge("job_queue_depth", "Jobs waiting.", "queue", status.waiting)
        searches = CounterMetricFamily(
            "ai_searches",
            "Moves of AI seats searched with less work than their level has, or failed.",
            labels=["outcome"],
        )
        for outcome, number in status.searches.items():
            searches.add_metric([outcome], number)
        yield searches
        notices = CounterMetricFamily(
            "notices", "Attempts to tell players of what waits for them.", labels=["carrier", "outcome"]
        )
        for pair, number in status.notices.items():
            notices.add_metric(pair, number)
        yield notices
        waits = 0.0 if status.notice_due is None else max(0.0, time.time() - status.notice_due / 1000)
        yield GaugeMetricFamily("notice_oldest_due_seconds", "How long the oldest due notice has waited.", value=waits)
        age = inf if status.backup_at is None else max(0.0, time.time() - status.backup_at / 1000)
        yield GaugeMetricFamily("backup_age_seconds", "Age of the last backup that was checked; +Inf: none.", value=age)
        yield GaugeMetricFamily(
            "newer_release_needed",
            "Whether some tables need a newer release than this one, and are answered with 503.",
            value=bool(status.newer_release),
        )
        yield GaugeMetricFamily("tables_overdue", "Tables overdue for more than 1.5 s.", value=status.overdue)
        late = HistogramMetricFamily(
            "job_lateness_seconds", "From the due time of a job to its start.", labels=["queue"]
        )
        took = HistogramMetricFamily("job_seconds", "From the start of a job to its end.", labels=["queue"])
        for (queue, what), times in status.jobs.items():
            bounds = ("+Inf" if bound == inf else str(bound) for bound in times.counts)
            buckets = list(zip(bounds, accumulate(times.counts.values()), strict=True))
            (late if what == LATENESS else took).add_metric([queue], buckets, times.sum)
        yield late
        yield took


def _gauge(name: str, text: str, label: str, values: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family
