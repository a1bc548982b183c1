"""What every request and every answer has in common: an id, origins, safety headers, a count, a line in the log.

It lies around Flask as WSGI, so that it holds for whatever Flask answers, and costs next to nothing.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import structlog
from flask import request

from service.api.metrics import Metrics
from service.settings import Settings

log: Final = structlog.get_logger("service.api")

_TRACE: Final = "shengji.trace"
_REQUEST_ID: Final = re.compile(r"[\w.:+/=@-]{1,80}", re.ASCII).fullmatch

Headers = list[tuple[str, str]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_ALWAYS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
#: Unless the answer says otherwise. Nothing in it is to be run or shown as a page, nor kept by anybody.
_USUALLY: Final = (
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cache-Control", "no-store"),
)
_EXPOSED: Final = (
    "Access-Control-Expose-Headers",
    "Content-Language, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
)
_TO_ALL: Final = (*_ALWAYS, ("Access-Control-Allow-Origin", "*"), _EXPOSED)
_MAY_BE_SENT: Final = (
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "X-Request-Id"
)
_PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
    ("Access-Control-Allow-Headers", _MAY_BE_SENT),
    ("Access-Control-Max-Age", "86400"),
)


class Trace:
    """Notes about the request at hand, for its headers and its line in the log.

    Attributes:
        started: `time.perf_counter()` when it came in.
        request_id: the caller's own, or a new one.
        route: template of the path, once the operation is known.
        player: who is asking, once that is known.
        limit, policy: values of `RateLimit` and `RateLimit-Policy`, once it has been charged.
    """

    __slots__ = ("limit", "player", "policy", "request_id", "route", "started")

    def __init__(self, given: str | None) -> None:
        self.started = time.perf_counter()
        self.request_id = given if given and _REQUEST_ID(given) else "rq_" + secrets.token_hex(8)
        self.route = "(none)"
        self.player: Mapping[str, Any] | None = None
        self.limit: str | None = None
        self.policy: str | None = None


def trace() -> Trace:
    """Return the notes about the request at hand."""
    kept: Trace = request.environ[_TRACE]
    return kept


class Frame:
    """See the module.

    Args:
        inner: the application.
        metrics: counts the requests.
    """

    def __init__(self, inner: Wsgi, settings: Settings, metrics: Metrics) -> None:
        self._inner = inner
        self._origins = frozenset(settings.cors_origins)
        self._metrics = metrics

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request (PEP 3333)."""
        kept = environ[_TRACE] = Trace(environ.get("HTTP_X_REQUEST_ID"))
        method = environ["REQUEST_METHOD"]
        always = self._always(environ.get("HTTP_ORIGIN"))

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            named = {name for name, _ in headers}
            headers += [each for each in _USUALLY if each[0] not in named]
            headers += always
            headers.append(("X-Request-Id", kept.request_id))
            if kept.limit is not None and kept.policy is not None:
                headers += (("RateLimit", kept.limit), ("RateLimit-Policy", kept.policy))
            self._note(kept, method, int(status[:3]))
            return start_response(status, headers, exc_info)

        if method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            start("204 NO CONTENT", [*_PREFLIGHT])
            return ()
        return self._inner(environ, start)

    def _always(self, origin: str | None) -> tuple[tuple[str, str], ...]:
        """Return what every answer says, and what lets the page that asks read it (CORS, Fetch §3.2).

        Pages send tokens themselves; there are no cookies.
        """
        if "*" in self._origins:
            return _TO_ALL
        if origin in self._origins:
            return (*_ALWAYS, ("Access-Control-Allow-Origin", str(origin)), _EXPOSED, ("Vary", "Origin"))
        return (*_ALWAYS, ("Vary", "Origin"))

    def _note(self, kept: Trace, method: str, status: int) -> None:
        elapsed = time.perf_counter() - kept.started
        self._metrics.request(method, kept.route, status, elapsed)
        log.info(
            "request",
            method=method,
            route=kept.route,
            status=status,
            ms=round(elapsed * 1000, 2),
            request_id=kept.request_id,
            player=kept.player["id"] if kept.player else None,
        )
