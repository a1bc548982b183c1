"""What is written back when all goes well."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service import fastjson


def reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer with a JSON body."""
    return Response(fastjson.dumps(value), status, headers, content_type="application/json")


def no_content(status: int = 204, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer without a body."""
    answer = Response(b"", status, headers)
    del answer.headers["Content-Type"]
    return answer
