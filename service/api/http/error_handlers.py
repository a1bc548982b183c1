"""Error handlers that answer with problems: refusals, Flask's HTTP errors, an unavailable store, and bugs."""

from typing import Final
from urllib.parse import quote

import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from service.accounts.errors import InsufficientScope
from service.api.http.languages import language_for
from service.api.http.middleware import request_context
from service.api.http.problems import (
    MEDIA_TYPE,
    RETRY_AFTER_S,
    InternalError,
    MethodIsNotAllowed,
    RateLimited,
    Unauthorized,
    Unavailable,
    problem,
)
from service.api.http.rate_limits import policy_of
from service.common import fastjson
from service.common.errors import InvalidRequest, Refusal
from service.game.errors import NotFound
from service.store.port import StoreTooNew, StoreUnavailable

log: Final = structlog.get_logger("service.api")


def register(app: Flask) -> None:
    """Make the application answer every error as a problem."""

    @app.errorhandler(Refusal)
    def handle_refusal(refusal: Refusal) -> Response:
        return problem_response(refusal)

    @app.errorhandler(StoreUnavailable)
    def handle_store_unavailable(error: StoreUnavailable) -> Response:
        log.warning("store unavailable", error=str(error), request_id=request_context().request_id)
        return problem_response(Unavailable(retry_after_s=RETRY_AFTER_S))

    @app.errorhandler(StoreTooNew)
    def handle_store_too_new(error: StoreTooNew) -> Response:
        log.info("left to a newer release", error=str(error), request_id=request_context().request_id)
        return problem_response(Unavailable(retry_after_s=RETRY_AFTER_S, reason="newer_release"))

    @app.errorhandler(HTTPException)
    def handle_http_exception(error: HTTPException) -> Response:
        response = problem_response(refusal_from(error, request.method))
        allowed_methods = dict(error.get_headers(request.environ)).get("Allow")
        if allowed_methods is not None:
            response.headers["Allow"] = allowed_methods
        return response

    @app.errorhandler(Exception)
    def handle_bug(error: Exception) -> Response:
        log.error("unhandled exception", request_id=request_context().request_id, exc_info=error)
        return problem_response(InternalError())


def refusal_from(error: HTTPException, method: str) -> Refusal:
    """Convert one of the framework's errors to a refusal."""
    if isinstance(error, MethodNotAllowed):
        return MethodIsNotAllowed(method=method, allowed=sorted(error.valid_methods or ()))
    if error.code == 404:
        return NotFound(what="path")
    if error.code is not None and error.code < 500:
        return InvalidRequest(reason="bad_http")
    return InternalError()


def _challenge(refusal: Unauthorized | InsufficientScope) -> str:
    """Return what a token is missing (RFC 6750 3); without a token, only that one is needed."""
    parts = ['Bearer realm="shengji"']
    if isinstance(refusal, InsufficientScope):
        parts += ['error="insufficient_scope"', f'scope="{" ".join(refusal.params["required"])}"']
    elif request.headers.get("Authorization", "").lower().startswith("bearer "):
        parts.append('error="invalid_token"')
    return ", ".join(parts)


def problem_response(refusal: Refusal) -> Response:
    """Return the response to a refused request."""
    context = request_context()
    language = language_for(request)
    body = problem(refusal, language, instance=quote(request.path), request_id=context.request_id)
    response = Response(fastjson.dumps(body), body["status"], content_type=MEDIA_TYPE)
    response.headers["Content-Language"] = language
    response.vary.add("Accept-Language")
    if isinstance(refusal, Unauthorized | InsufficientScope):
        response.headers["WWW-Authenticate"] = _challenge(refusal)
    if isinstance(refusal, RateLimited):
        # Describe the used-up budget, even if others were charged before.
        budget = refusal.params
        context.rate_limit = None
        context.rate_limit_policy = policy_of(budget["budget"], budget["limit"], budget["window_s"])
    if "retry_after_s" in refusal.params:
        response.headers["Retry-After"] = str(refusal.params["retry_after_s"])
    return response
