"""Requests that stay open: event streams and long polls. Each process holds only so many."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.api.services import Services


@contextmanager
def held_open(services: Services, player: str) -> Iterator[None]:
    """Count a request of a player while it is open. Raises as `Streams.hold`."""
    with services.streams.hold(player):
        services.metrics.streams.inc()
        try:
            yield
        finally:
            services.metrics.streams.dec()
