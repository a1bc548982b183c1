"""Rate limits: budgets of requests in fixed windows, shared by all processes of the API."""

from collections.abc import Callable, Mapping
from typing import Final

from flask import Request
from limits.storage import Storage

from service.api.http.problems import RateLimited
from service.common.addresses import Client, address_of, client_at
from service.common.settings import Budget

#: Leases per budget.
_LEASES_PER_BUDGET: Final = 20
#: Most addresses of `X-Forwarded-For` that are looked at.
_MOST_PROXIES: Final = 20
#: Number of leases from which those of past windows are dropped.
_MAX_LEASES: Final = 20_000
#: Budgets of one address that a whole IPv6 network (/48) may spend.
NETWORK_SHARE: Final = 16


def client_of(raw: Request) -> Client:
    """Return the client that sent a request: the only place where requests are told apart by their addresses.

    Behind proxies (`TRUSTED_PROXIES`) it is the address that they name or, if they name none that is valid, the proxy.
    """
    return client_at(*_addresses(raw))


def clients_between(raw: Request) -> list[Client]:
    """Return the client that sent a request, and the proxies between it and this process, as far as they are known."""
    named = (raw.environ.get("HTTP_X_FORWARDED_FOR") or "").split(",")
    return [client_of(raw), *(client_at(text) for text in (*named[-_MOST_PROXIES:], *_addresses(raw)))]


def is_from_here(raw: Request, host: str) -> bool:
    """Return whether a request comes from this machine itself, and not through a proxy on it.

    Args:
        host: the address at which this process listens.
    """
    if any(header in raw.headers for header in ("X-Forwarded-For", "Forwarded")):
        return False
    address = address_of(_addresses(raw)[0])
    return address is not None and (address.is_loopback or address == address_of(host))


def _addresses(raw: Request) -> tuple[str, str]:
    """Return the client's address, as the trusted proxies name it, and the address of the connection."""
    direct = raw.environ.get("werkzeug.proxy_fix.orig", raw.environ)
    return raw.remote_addr or "", direct.get("REMOTE_ADDR") or ""


def policy_of(name: str, limit: int, window_s: int) -> str:
    """Return the value of `RateLimit-Policy` for a budget of requests in a window in seconds."""
    return f'"{name}";q={limit};w={window_s}'


class RateLimiter:
    """Charges requests to budgets.

    Args:
        counter: the shared counters.
        budgets: name -> budget; a limit of 0 means no limit.
        clock: returns seconds since the epoch.
    """

    def __init__(self, counter: Storage, budgets: Mapping[str, Budget], clock: Callable[[], float]) -> None:
        self._counter = _LeasedCounter(counter)
        self._clock = clock
        self.budgets: Final = dict(budgets)
        #: Name -> value of `RateLimit-Policy`.
        self.policies: Final = {name: policy_of(name, *budget) for name, budget in budgets.items() if budget.limit}

    def charge(self, name: str, subject: str | Client, amount: int = 1, *, most: int | None = None) -> str | None:
        """Charge a request to a subject's budget; return the value of `RateLimit`, or None if there is no limit.

        What an IPv6 client spends is also charged to the budget of its network.

        Args:
            name: name of the budget.
            subject: owner of the budget: the id of a player, or a client.
            amount: cost of the request, in simple requests; capped at the whole budget.
            most: limit of this subject, if it is lower.

        Raises:
            RateLimited: nothing is left in this window.
        """
        if not isinstance(subject, Client):
            return self._charge(name, subject, amount, most=most)
        if subject.network is not None:
            # First, so that a network whose budget is used up adds no counters of further addresses.
            self._charge(name, subject.network, amount, most=most, times=NETWORK_SHARE)
        try:
            return self._charge(name, subject.key, amount, most=most)
        except RateLimited:
            if subject.network is not None:
                self._counter.give_back((name, subject.network), amount)
            raise

    def _charge(self, name: str, owner: str, amount: int, *, most: int | None, times: int = 1) -> str | None:
        limit, window = self.budgets[name]
        if not limit:
            return None
        limit = times * (limit if most is None else min(limit, most))
        now = self._clock()
        end = int(now // window + 1) * window
        left = self._counter.count((name, owner), end, Budget(limit, window), now, min(amount, limit))
        reset = int(end - now) + 1
        if left is None:
            raise RateLimited(budget=name, limit=limit, window_s=window, retry_after_s=reset)
        return f'"{name}";r={left};t={reset}'

    def charge_done(self, name: str, subject: str | Client, amount: int) -> str | None:
        """Charge work that has been done already, with all that is left if that is less; return as `charge`."""
        try:
            return self.charge(name, subject, amount)
        except RateLimited as refusal:
            self._counter.spend_rest((name, subject.key if isinstance(subject, Client) else subject))
            return f'"{name}";r=0;t={refusal.params["retry_after_s"]}'

    def refund(self, name: str, subject: str | Client, amount: int = 1) -> None:
        """Refund a number of requests."""
        for owner in subject if isinstance(subject, Client) else (subject,):
            if owner is not None:
                self._counter.give_back((name, owner), amount)


class _Lease:
    """The part of a budget that this process may spend in the window ending at `end` without a round trip."""

    __slots__ = ("end", "left", "left_elsewhere")

    def __init__(self, end: int) -> None:
        self.end = end
        self.left = 0
        #: Rest of the budget when this process last took a lease; None before the first.
        self.left_elsewhere: int | None = None


class _LeasedCounter:
    """Counts requests in shared counters, leasing several at a time so that few need a round trip (decision 40).

    All processes together never spend more than the budget. Unused parts of a lease are lost for the window.
    """

    def __init__(self, counter: Storage) -> None:
        self._counter = counter
        self._leases: dict[tuple[str, str], _Lease] = {}
        self._next_drop = _MAX_LEASES

    def count(self, key: tuple[str, str], end: int, budget: Budget, now: float, amount: int) -> int | None:
        """Count a request of cost `amount` for a budget and subject in the window ending at `end`.

        Returns the rest of the budget; None if it was not enough, in which case nothing is counted.
        """
        lease = self._leases.get(key)
        if lease is None or lease.end <= now:
            self._drop_expired(now)
            lease = self._leases[key] = _Lease(end)
        if lease.left < amount and lease.left_elsewhere != 0:
            self._renew(key, lease, budget, amount - lease.left)
        if lease.left < amount:
            return None
        lease.left -= amount
        return lease.left + (lease.left_elsewhere or 0)

    def spend_rest(self, key: tuple[str, str]) -> None:
        """Spend the rest of the budget, which this process has leased when a cost was too high."""
        lease = self._leases.get(key)
        if lease is not None:
            lease.left = 0

    def give_back(self, key: tuple[str, str], amount: int) -> None:
        """Subtract a number of requests."""
        lease = self._leases.get(key)
        if lease is not None:
            lease.left += amount

    def _renew(self, key: tuple[str, str], lease: _Lease, budget: Budget, needed: int) -> None:
        limit, window = budget
        amount = max(needed, limit // _LEASES_PER_BUDGET)
        try:
            counted = self._counter.incr(f"sj:budget:{':'.join(key)}:{lease.end}", window, amount)
        except Exception:  # noqa: BLE001 (if the counters fail, requests are served)
            counted = amount
        lease.left += amount - max(0, min(amount, counted - limit))
        lease.left_elsewhere = max(0, limit - counted)

    def _drop_expired(self, now: float) -> None:
        if len(self._leases) >= self._next_drop:
            self._leases = {key: lease for key, lease in self._leases.items() if lease.end > now}
            # Twice as many as are left, so that many clients do not have all leases looked at with each request.
            self._next_drop = max(_MAX_LEASES, 2 * len(self._leases))
