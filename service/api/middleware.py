"""What every request and every answer has in common: ids, origins, safety headers, errors, a line in the log."""

import re
import secrets
import time
from typing import Final
from urllib.parse import quote

import structlog
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from service import fastjson
from service.api.answers import Trace, trace
from service.api.metrics import Metrics
from service.api.origins import Origins
from service.api.problems import (
    MEDIA_TYPE,
    RETRY_AFTER_S,
    InternalError,
    Unauthorized,
    Unavailable,
    problem,
    refusal_of,
)
from service.errors import Refusal
from service.settings import Settings
from service.store.port import StoreUnavailable
from service.texts import language_of

log: Final = structlog.get_logger("service.api")

_REQUEST_ID: Final = re.compile(r"[\w.:+/=@-]{1,80}", re.ASCII).fullmatch

_SAFE: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
#: Nothing in an answer is to be run or shown as a page; the pages of `service.api.pages` say otherwise for themselves.
_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"


def install(app: Flask, settings: Settings, metrics: Metrics) -> None:
    """Put all of it around the application's operations."""
    origins = Origins(settings.cors_origins)

    @app.before_request
    def begin() -> Response | None:
        given = request.headers.get("X-Request-Id", "")
        g.trace = Trace(given if _REQUEST_ID(given) else "rq_" + secrets.token_hex(8))
        if request.method != "OPTIONS" or request.routing_exception is not None:
            return None
        answer = app.make_default_options_response()
        answer.status_code = 204
        del answer.headers["Content-Type"]
        return answer

    @app.after_request
    def finish(answer: Response) -> Response:
        kept = trace()
        headers = answer.headers
        headers.extend(_SAFE)
        headers.setdefault("Content-Security-Policy", _POLICY)
        headers.setdefault("Cache-Control", "no-store")
        headers["X-Request-Id"] = kept.request_id
        origins.allow(answer)
        if kept.limit is not None:
            headers["RateLimit"] = kept.limit
            headers["RateLimit-Policy"] = kept.policy or ""
        elapsed = time.perf_counter() - kept.started
        route = request.url_rule.rule if request.url_rule is not None else "(none)"
        metrics.request(request.method, route, answer.status_code, elapsed)
        log.info(
            "request",
            method=request.method,
            route=route,
            status=answer.status_code,
            ms=round(elapsed * 1000, 2),
            request_id=kept.request_id,
            player=kept.player["id"] if kept.player else None,
        )
        return answer

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> Response:
        return tell(refusal)

    @app.errorhandler(StoreUnavailable)
    def store_away(error: StoreUnavailable) -> Response:
        log.warning("store unavailable", error=str(error), request_id=trace().request_id)
        return tell(Unavailable(retry_after_s=RETRY_AFTER_S))

    @app.errorhandler(HTTPException)
    def framework(error: HTTPException) -> Response:
        answer = tell(refusal_of(error, request.method, settings.max_body_bytes))
        for name, value in error.get_headers(request.environ):
            if name == "Allow":
                answer.headers["Allow"] = value
        return answer

    @app.errorhandler(Exception)
    def broken(error: Exception) -> Response:
        log.error("broken", request_id=trace().request_id, exc_info=error)
        return tell(InternalError())


def tell(refusal: Refusal) -> Response:
    """Return the answer to a request that is refused."""
    kept = trace()
    locale = kept.player.get("locale") if kept.player else None
    language = language_of(request.headers.get("Accept-Language"), locale)
    told = problem(refusal, language, instance=quote(request.path), request_id=kept.request_id)
    answer = Response(fastjson.dumps(told), told["status"], content_type=MEDIA_TYPE)
    answer.headers["Content-Language"] = language
    answer.vary.add("Accept-Language")
    if isinstance(refusal, Unauthorized):
        answer.headers["WWW-Authenticate"] = 'Bearer realm="shengji"'
    if "retry_after_s" in refusal.params:
        answer.headers["Retry-After"] = str(refusal.params["retry_after_s"])
    return answer
