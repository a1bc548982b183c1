"""Limits on guessing link codes, recovery codes and sign-in codes, shared by all addresses."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from service.accounts.errors import VoidCode
from service.api.http.problems import RateLimited
from service.api.http.rate_limits import RateLimiter
from service.api.metrics import Metrics
from service.common.addresses import Client

Kind = Literal["link", "recovery", "device", "sign_in"]


@contextmanager
def guess(limiter: RateLimiter, metrics: Metrics, kind: Kind, guesser: str | Client) -> Iterator[None]:
    """Context manager around trying a code. Only wrong codes count, separately for each kind.

    The operation has already charged `failed` to the guesser; a right code refunds that too.

    Raises:
        RateLimited: there were too many wrong codes; this one is not checked.
    """
    wrong = False
    try:
        limiter.charge("guess", kind)
    except RateLimited:
        metrics.guesses.labels(kind, "refused").inc()
        raise
    try:
        yield
    except VoidCode:
        wrong = True
        metrics.guesses.labels(kind, "wrong").inc()
        raise
    finally:
        if not wrong:
            limiter.refund("guess", kind)
            limiter.refund("failed", guesser)
