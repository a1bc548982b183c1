"""Problems for requests that gunicorn itself rejects: bytes that are not HTTP never reach the application.

gunicorn answers them with an HTML page and has no hook to change that; `service.wsgi` replaces its function by
`write_error`.
"""

import socket
from typing import Final

from gunicorn import util  # type: ignore[import-untyped] # it has no types

from service.api.http.middleware import RequestContext
from service.api.http.problems import MEDIA_TYPE, STATUS, HeadersTooLarge, InternalError, UriTooLong, problem
from service.common import fastjson
from service.common.errors import InvalidRequest, Refusal
from service.texts import LANGUAGES

_REASON_PHRASES: Final = {
    400: "Bad Request",
    414: "URI Too Long",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
}


_TOO_LONG: Final[dict[int, type[Refusal]]] = {414: UriTooLong, 431: HeadersTooLarge}


def write_error(sock: socket.socket, status: int, _: str, message: str) -> None:
    """Answer a request that cannot be parsed, instead of `gunicorn.util.write_error`.

    Args:
        status: gunicorn's status; client errors other than 414 and 431 become 400.
        message: gunicorn's message, which is not sent since it quotes the request. Empty for a server error.
    """
    context = RequestContext(None)
    refusal: Refusal = InvalidRequest(reason="bad_http")
    if status == 500 and not message:
        refusal = InternalError()
    elif status in _TOO_LONG:
        refusal = _TOO_LONG[status]()
    body = fastjson.dumps(problem(refusal, LANGUAGES[0], instance="/", request_id=context.request_id))
    code = STATUS[refusal.code]
    head = (
        f"HTTP/1.1 {code} {_REASON_PHRASES[code]}\r\n"
        "Connection: close\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\n"
        "Access-Control-Allow-Origin: *\r\n"
        f"X-Request-Id: {context.request_id}\r\n"
        "\r\n"
    )
    util.write_nonblock(sock, head.encode() + body)
