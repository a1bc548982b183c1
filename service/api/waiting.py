"""Requests that stay open: event streams and long polls. Each process holds only so many."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.api.http.problems import Unavailable
from service.api.services import Services


@contextmanager
def held_open(services: Services) -> Iterator[None]:
    """Count a request while it is open.

    Raises:
        Unavailable: this process has reached its limit.
    """
    if not services.streams.acquire(blocking=False):
        raise Unavailable(retry_after_s=5)
    services.metrics.streams.inc()
    try:
        yield
    finally:
        services.metrics.streams.dec()
        services.streams.release()
