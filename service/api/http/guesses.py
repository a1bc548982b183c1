"""Guesses of link codes, recovery codes and codes of sign-ins, limited for all addresses together."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from service.accounts.errors import VoidCode
from service.api.http.problems import RateLimited
from service.api.http.rate_limits import RateLimiter
from service.api.metrics import Metrics

Kind = Literal["link", "recovery", "device", "sign_in"]


@contextmanager
def guess(limiter: RateLimiter, metrics: Metrics, kind: Kind, guesser: str) -> Iterator[None]:
    """Let somebody try a code. Only a wrong one counts, and the kinds count apart.

    The operation has charged `failed` to the guesser already; a right code gets that back too.

    Raises:
        RateLimited: there were too many wrong ones; the code is not even looked at.
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
