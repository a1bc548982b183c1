"""Limits on guessing codes: for links, recoveries, devices, sign-ins, tables and registrations.

Wrong codes of all addresses together have a budget. When it is used up, each client still has a few wrong codes of its
own, so that guesses are slowed and right codes of others are not. `docs/operations.md` says how likely a guess is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from service.accounts.errors import VoidCode
from service.api.http.problems import RateLimited
from service.api.http.rate_limits import RateLimiter
from service.api.metrics import Metrics
from service.common.addresses import Client

Kind = Literal["link", "recovery", "device", "sign_in", "table", "registration", "room", "club", "deal"]

#: Wrong codes of a client that are checked in each window although the budget of all is used up.
OWN_GUESSES: Final = 5


@contextmanager
def guess(
    limiter: RateLimiter,
    metrics: Metrics,
    kind: Kind,
    client: Client,
    *,
    failed: str | Client | None = None,
    wrong: type[Exception] = VoidCode,
) -> Iterator[None]:
    """Context manager around trying a code. Only wrong codes count, separately for each kind.

    Args:
        limiter, metrics: what counts them.
        kind: kind of code.
        client: who tries. Accounts do not count: anybody can register many.
        failed: to whom the operation has charged `failed`, which is refunded if the code was right and nothing else
            failed; None: to nobody, or for good.
        wrong: raised for a wrong code.

    Raises:
        RateLimited: there were too many wrong codes; this one is not checked.
    """
    own = Client(f"{kind}:{client.key}", client.network and f"{kind}:{client.network}")
    charged: list[str | Client] = []
    refused: RateLimited | None = None
    subjects: tuple[tuple[str | Client, int | None], ...] = ((own, OWN_GUESSES), (kind, None))
    for subject, most in subjects:
        try:
            limiter.charge("guess", subject, most=most)
            charged.append(subject)
        except RateLimited as error:
            refused = error
    if not charged and refused is not None:
        metrics.guesses.labels(kind, "refused").inc()
        raise refused
    is_wrong = has_failed = False
    try:
        yield
    except wrong:
        is_wrong = True
        metrics.guesses.labels(kind, "wrong").inc()
        raise
    except Exception:
        has_failed = True
        raise
    finally:
        if not is_wrong:
            for subject in charged:
                limiter.refund("guess", subject)
            if failed is not None and not has_failed:
                limiter.refund("failed", failed)
