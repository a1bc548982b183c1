"""Whatever goes wrong is told as a problem: our refusals, the framework's own errors, a store that is away, a bug."""

from typing import Final
from urllib.parse import quote

import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from service import fastjson
from service.api.http.middleware import trace
from service.api.http.problems import (
    MEDIA_TYPE,
    RETRY_AFTER_S,
    InternalError,
    Unauthorized,
    Unavailable,
    problem,
    refusal_of,
)
from service.errors import Refusal
from service.store.port import StoreUnavailable
from service.texts import language_of

log: Final = structlog.get_logger("service.api")


def install(app: Flask, max_body_bytes: int) -> None:
    """Let the application answer all errors as problems."""

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> Response:
        return tell(refusal)

    @app.errorhandler(StoreUnavailable)
    def store_away(error: StoreUnavailable) -> Response:
        log.warning("store unavailable", error=str(error), request_id=trace().request_id)
        return tell(Unavailable(retry_after_s=RETRY_AFTER_S))

    @app.errorhandler(HTTPException)
    def framework(error: HTTPException) -> Response:
        answer = tell(refusal_of(error, request.method, max_body_bytes))
        allowed = dict(error.get_headers(request.environ)).get("Allow")
        if allowed is not None:
            answer.headers["Allow"] = allowed
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
