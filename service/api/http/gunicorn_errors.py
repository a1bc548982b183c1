"""What gunicorn itself refuses: bytes that are no HTTP never reach the application, and are told in its words as well.

gunicorn answers them with a page of HTML and has no hook for another answer; `service.wsgi` puts this in its place.
"""

import socket
from typing import Final

from gunicorn import util  # type: ignore[import-untyped] # it has no types

from service import fastjson
from service.api.http.middleware import Trace
from service.api.http.problems import MEDIA_TYPE, STATUS, InternalError, problem
from service.errors import InvalidRequest
from service.texts import LANGUAGES

_REASONS: Final = {400: "Bad Request", 500: "Internal Server Error"}


def write_error(sock: socket.socket, status: int, _: str, found: str) -> None:
    """Answer a request that cannot be read, in the place of `gunicorn.util.write_error`.

    Args:
        status: what gunicorn would answer; all faults of the client become 400, whatever they ask for.
        found: what gunicorn found; it quotes the request and is not told. Nothing: the fault is our own.
    """
    kept = Trace(None)
    broken = status == 500 and not found
    refusal = InternalError() if broken else InvalidRequest(reason="bad_http")
    told = problem(refusal, LANGUAGES[0], instance="/", request_id=kept.request_id)
    body = fastjson.dumps(told)
    code = STATUS[refusal.code]
    head = (
        f"HTTP/1.1 {code} {_REASONS[code]}\r\n"
        "Connection: close\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\n"
        "Access-Control-Allow-Origin: *\r\n"
        f"X-Request-Id: {kept.request_id}\r\n"
        "\r\n"
    )
    util.write_nonblock(sock, head.encode() + body)
