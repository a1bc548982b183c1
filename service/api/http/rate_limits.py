"""How many requests a player may make: budgets shared by all processes, at the cost of one in many requests.

A budget counts requests in windows of fixed length. Each process takes leases of a twentieth of the budget from the
common count and spends them by itself, so that most requests ask nobody. Taken together no more than the budget is
ever spent; a process that does not use up its lease leaves that part of the window unspent.
"""

import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from service.api.http.problems import RateLimited
from service.settings import Budget

_LEASES: Final = 20
_MOST_KEPT: Final = 20_000


class Counter(Protocol):
    """The common count; `limits.storage.Storage` is one."""

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a count that is forgotten `expiry` seconds after it began, and return it."""
        ...


class _Lease:
    """What this process may still spend of one budget of one subject in one window."""

    __slots__ = ("elsewhere", "left", "until")

    def __init__(self, until: float) -> None:
        self.until = until
        self.left = 0
        self.elsewhere: int | None = None


class Budgets:
    """The budgets of this process.

    Args:
        counter: the common count.
        budgets: name -> budget.
        clock: seconds since the epoch.
    """

    def __init__(self, counter: Counter, budgets: Mapping[str, Budget], clock: Callable[[], float] = time.time) -> None:
        self._counter = counter
        self.budgets: Final = dict(budgets)
        self._clock = clock
        self._leases: dict[tuple[str, str], _Lease] = {}
        self.policies: Final = {
            name: f'"{name}";q={budget.limit};w={budget.window_s}' for name, budget in budgets.items() if budget.limit
        }

    def spend(self, name: str, subject: str) -> str | None:
        """Spend one request of a budget and return the `RateLimit` header, or None where there is no limit.

        Raises:
            RateLimited: nothing is left in this window.
        """
        budget = self.budgets[name]
        if not budget.limit:
            return None
        now = self._clock()
        lease = self._leases.get((name, subject))
        if lease is None or lease.until <= now:
            lease = self._open(name, subject, now)
        if lease.left <= 0 and lease.elsewhere != 0:
            self._take(name, subject, lease)
        reset = int(lease.until - now) + 1
        if lease.left <= 0:
            raise RateLimited(budget=name, limit=budget.limit, window_s=budget.window_s, retry_after_s=reset)
        lease.left -= 1
        return f'"{name}";r={lease.left + (lease.elsewhere or 0)};t={reset}'

    def refund(self, name: str, subject: str) -> None:
        """Give back a request that turned out to cost nothing."""
        lease = self._leases.get((name, subject))
        if lease is not None:
            lease.left += 1

    def _open(self, name: str, subject: str, now: float) -> _Lease:
        if len(self._leases) >= _MOST_KEPT:
            self._leases = {key: lease for key, lease in self._leases.items() if lease.until > now}
        window = self.budgets[name].window_s
        lease = self._leases[name, subject] = _Lease((now // window + 1) * window)
        return lease

    def _take(self, name: str, subject: str, lease: _Lease) -> None:
        limit, window = self.budgets[name]
        wanted = max(1, limit // _LEASES)
        try:
            count = self._counter.incr(f"sj:budget:{name}:{subject}:{int(lease.until)}", window, wanted)
        except Exception:  # noqa: BLE001 (whatever the count runs on; without it requests are served, not refused)
            count = wanted
        lease.left += wanted - max(0, min(wanted, count - limit))
        lease.elsewhere = max(0, limit - count)
