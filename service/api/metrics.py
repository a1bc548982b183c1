"""Counts and times for Prometheus. No label holds an id: a path is counted by its template."""

import os
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """What this process counts. With `PROMETHEUS_MULTIPROC_DIR` set, what all processes of the API counted together."""

    def __init__(self) -> None:
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
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
