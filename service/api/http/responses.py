"""Successful responses."""

from collections.abc import Mapping

from flask import Response

from service.common import fastjson


def json_response(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with a JSON body."""
    return Response(fastjson.dumps(value), status, headers, content_type="application/json")


def empty_response(status: int = 204, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response without a body."""
    response = Response(b"", status, headers)
    del response.headers["Content-Type"]
    return response
