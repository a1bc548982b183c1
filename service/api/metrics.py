"""Counts and times for Prometheus. No label holds an id: a path is counted by its template."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate
from math import inf
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.worker_status import LATENESS, Vitals

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """What this process counts. With `PROMETHEUS_MULTIPROC_DIR` set, what all processes of the API counted together.

    Args:
        read_vitals: tells of workers and clocks. That is the same whichever process of the API is asked.
    """

    def __init__(self, read_vitals: Callable[[], Vitals]) -> None:
        self._vitals = _VitalsCollector(read_vitals)
        registry = self._registry = CollectorRegistry()
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._requests = Counter(
            "http_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "http_request_seconds", "Time to the answer's first byte.", ("route",), registry=registry, buckets=_BUCKETS
        )
        self.streams = Gauge(
            "event_streams", "Event streams and long polls held.", registry=registry, multiprocess_mode="livesum"
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request; `route` is the path's template."""
        key = (method, route, status)
        if key not in self._known:
            self._known[key] = (self._requests.labels(*key), self._seconds.labels(route))
        count, time = self._known[key]
        count.inc()
        time.observe(seconds)

    def page(self) -> bytes:
        """Return everything in the text format of Prometheus."""
        together = CollectorRegistry()
        together.register(self._vitals)
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        else:
            together.register(self._registry)
        return generate_latest(together)


class _VitalsCollector(Collector):
    """Tells Prometheus of those who move what no person moves, read anew whenever it asks."""

    def __init__(self, read_vitals: Callable[[], Vitals]) -> None:
        self._read = read_vitals

    def collect(self) -> Iterator[Metric]:
        """Yield everything, or without Redis that it is away."""
        vitals = None
        # Whatever is away, the counts of the API itself are told all the same.
        with suppress(Exception):
            vitals = self._read()
        yield GaugeMetricFamily("redis_up", "Whether Redis answers.", value=vitals is not None)
        if vitals is None:
            return
        yield _gauge("processes", "Processes that gave a sign of life lately.", "role", vitals.processes)
        yield _gauge("job_queue_depth", "Jobs that wait.", "queue", vitals.waiting)
        yield GaugeMetricFamily(
            "tables_overdue", "Tables to which something has been owed for more than 1.5 s.", value=vitals.overdue
        )
        late = HistogramMetricFamily("job_lateness_seconds", "From when a job was due to its begin.", labels=["queue"])
        took = HistogramMetricFamily("job_seconds", "From the begin of a job to its end.", labels=["queue"])
        for (queue, what), times in vitals.jobs.items():
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
