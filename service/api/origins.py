"""Which web pages may read the answers (CORS, Fetch §3.2). Pages send tokens themselves; there are no cookies."""

from collections.abc import Sequence
from typing import Final

from flask import Response, request

_EXPOSED: Final = "Content-Language, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
_METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
_HEADERS: Final = (
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "X-Request-Id"
)
_DAY_S: Final = "86400"


class Origins:
    """The origins that are allowed: `*` for any."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._any = "*" in allowed
        self._allowed = frozenset(allowed)

    def allow(self, answer: Response) -> None:
        """Put onto an answer, whatever it is, what lets the page that asked read it."""
        headers = answer.headers
        if self._any:
            headers["Access-Control-Allow-Origin"] = "*"
        else:
            answer.vary.add("Origin")
            origin = request.headers.get("Origin")
            if origin not in self._allowed:
                return
            headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Expose-Headers"] = _EXPOSED
        if request.method == "OPTIONS":
            headers["Access-Control-Allow-Methods"] = _METHODS
            headers["Access-Control-Allow-Headers"] = _HEADERS
            headers["Access-Control-Max-Age"] = _DAY_S
