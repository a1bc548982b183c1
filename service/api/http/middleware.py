"""Middleware around every request: request id, CORS and security headers, metrics, and a line in the log.

As WSGI middleware it also covers responses made by Flask itself, and costs far less than Flask's hooks (decision 30).
"""

import re
import secrets
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from types import TracebackType
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import structlog
from flask import Request, request

from service.api.deprecation import Deprecation
from service.api.metrics import Metrics
from service.common.settings import Settings
from service.store.port import Player

log: Final = structlog.get_logger("service.api")

_ENVIRON_KEY: Final = "shengji.context"
#: Routes that orchestrators and monitors read every few seconds.
_PROBES: Final = frozenset({"/healthz", "/livez", "/readyz", "/metrics"})
_REQUEST_ID: Final = re.compile(r"[\w.:+/=@-]{1,80}", re.ASCII).fullmatch

Headers = list[tuple[str, str]]
#: The result of `start_response`, built only once.
Write = Callable[[bytes], object]
ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None] | None

_SECURITY_HEADERS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
#: Default headers: responses are not rendered as pages, run no scripts and are not cached.
_DEFAULT_HEADERS: Final = (
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cache-Control", "no-store"),
)
_EXPOSED_HEADERS: Final = (
    "Access-Control-Expose-Headers",
    (
        "Content-Language, Deprecation, ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, "
        "Retry-After, Sunset, X-Request-Id"
    ),
)
_HEADERS_FOR_ANY_ORIGIN: Final = (*_SECURITY_HEADERS, ("Access-Control-Allow-Origin", "*"), _EXPOSED_HEADERS)
_ALLOWED_HEADERS: Final = (
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "Prefer, X-Request-Id"
)
_PREFLIGHT_HEADERS: Final = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
    ("Access-Control-Allow-Headers", _ALLOWED_HEADERS),
    ("Access-Control-Max-Age", "86400"),
)


class RequestContext:
    """Data of the current request for its response headers and its line in the log.

    Attributes:
        started: `time.perf_counter()` when it arrived.
        request_id: the client's own `X-Request-Id`, or a new one.
        route: path template, once the route is known.
        player: id of its player, once known.
        operator: name of its operator, if it comes from one.
        token_hash: hash of the token or stream ticket, once known.
        rate_limit, rate_limit_policy: values of `RateLimit` and `RateLimit-Policy`, once a budget has been charged;
            only the second if it is used up.
        deprecated: that its operation goes, if it does.
    """

    __slots__ = (
        "deprecated",
        "operator",
        "player",
        "rate_limit",
        "rate_limit_policy",
        "request_id",
        "route",
        "started",
        "token_hash",
    )

    def __init__(self, request_id: str | None) -> None:
        self.started: Final = time.perf_counter()
        self.request_id: Final = request_id if request_id and _REQUEST_ID(request_id) else "rq_" + secrets.token_hex(8)
        self.route = "(none)"
        self.player: Player | None = None
        self.operator = ""
        self.token_hash: str | None = None
        self.rate_limit: str | None = None
        self.rate_limit_policy: str | None = None
        self.deprecated: Deprecation | None = None


def request_context(raw: Request = request) -> RequestContext:
    """Return the context of a request, by default the current one."""
    context: RequestContext = raw.environ[_ENVIRON_KEY]
    return context


def route_of(environ: WSGIEnvironment) -> str:
    """Return the path template of a request, if known."""
    return str(environ[_ENVIRON_KEY].route)


class Middleware:
    """See the module.

    Args:
        app: the application.
        metrics: counts the requests.
    """

    def __init__(self, app: WSGIApplication, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._origins = frozenset(settings.cors_origins)
        self._metrics = metrics

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request (PEP 3333)."""
        context = environ[_ENVIRON_KEY] = RequestContext(environ.get("HTTP_X_REQUEST_ID"))
        method = environ["REQUEST_METHOD"]
        origin = environ.get("HTTP_ORIGIN")

        def start(status: str, headers: Headers, exc_info: ExcInfo = None) -> Write:
            present = {name for name, _ in headers}
            headers += [header for header in _DEFAULT_HEADERS if header[0] not in present]
            headers += self._headers_for(origin)
            headers.append(("X-Request-Id", context.request_id))
            if context.rate_limit is not None:
                headers.append(("RateLimit", context.rate_limit))
            if context.rate_limit_policy is not None:
                headers.append(("RateLimit-Policy", context.rate_limit_policy))
            if context.deprecated is not None:
                headers += context.deprecated.headers
                self._metrics.deprecated.labels(method, context.route).inc()
            self._record(context, method, int(status[:3]))
            return start_response(status, headers, exc_info)

        if method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            start("204 NO CONTENT", [*_PREFLIGHT_HEADERS])
            return ()
        return self._app(environ, start)

    def _headers_for(self, origin: str | None) -> tuple[tuple[str, str], ...]:
        """Return security and CORS headers (Fetch standard, 3.2) for a request from an origin.

        Any origin is allowed, since there are no cookies: clients send tokens explicitly.
        """
        if "*" in self._origins:
            return _HEADERS_FOR_ANY_ORIGIN
        if origin in self._origins:
            return (
                *_SECURITY_HEADERS,
                ("Access-Control-Allow-Origin", str(origin)),
                _EXPOSED_HEADERS,
                ("Vary", "Origin"),
            )
        return (*_SECURITY_HEADERS, ("Vary", "Origin"))

    def _record(self, context: RequestContext, method: str, status: int) -> None:
        elapsed = time.perf_counter() - context.started
        self._metrics.request(method, context.route, status, elapsed)
        # Probes that come every few seconds would bury what people did.
        write = log.debug if context.route in _PROBES and status < HTTPStatus.BAD_REQUEST else log.info
        write(
            "request",
            method=method,
            route=context.route,
            status=status,
            ms=round(elapsed * 1000, 2),
            request_id=context.request_id,
            player=context.player["id"] if context.player else None,
        )
