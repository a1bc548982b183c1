"""What is written back, and the notes that are kept of a request while it is answered."""

import time
from collections.abc import Mapping
from typing import Any

from flask import Response, g

from service import fastjson


class Trace:
    """Notes about the request at hand, for its headers and its line in the log.

    Attributes:
        started: `time.perf_counter()` when it came in.
        request_id: the caller's own, or a new one.
        player: who is asking, once that is known.
        limit, policy: values of `RateLimit` and `RateLimit-Policy`, once it has been charged.
    """

    __slots__ = ("limit", "player", "policy", "request_id", "started")

    def __init__(self, request_id: str) -> None:
        self.started = time.perf_counter()
        self.request_id = request_id
        self.player: Mapping[str, Any] | None = None
        self.limit: str | None = None
        self.policy: str | None = None


def trace() -> Trace:
    """Return the notes about the request at hand."""
    kept: Trace = g.trace
    return kept


def reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer with a JSON body."""
    return Response(fastjson.dumps(value), status, headers, content_type="application/json")


def no_content(status: int = 204, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer without a body."""
    answer = Response(b"", status, headers)
    del answer.headers["Content-Type"]
    return answer
