"""Responses that stay the same, always or for a while. They have an ETag and are compressed once.

Constant are rulesets, the OpenAPI document, and assets of pages. Standings stay until the next round.
"""

import hashlib
from collections.abc import Callable
from typing import Final

from flask import Request, Response

from service.api.http.compression import SMALL, SMALLEST, chosen, set_body
from service.api.http.responses import empty_response
from service.common.latest import Latest

#: Any cache may store the document, but must revalidate it each time.
REVALIDATED: Final = "public, no-cache"
#: Only the client's cache may, and must revalidate it each time.
OWN_REVALIDATED: Final = "private, no-cache"


class Document:
    """A constant body.

    Args:
        body: uncompressed bytes.
        content_type: media type.
        cache_control: value of `Cache-Control`.
    """

    def __init__(self, body: bytes, content_type: str, cache_control: str = REVALIDATED) -> None:
        self._body: Final = body
        self._type: Final = content_type
        self._headers: Final = {"Cache-Control": cache_control, "Vary": "Accept-Encoding"}
        self.etag: Final = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        #: Coding -> compressed body.
        self._packed: dict[str, bytes] = {}

    def response(self, request: Request) -> Response:
        """Return the response to a request: the body in an accepted coding, or 304 if the client has it."""
        headers = {**self._headers, "ETag": self.etag}
        if is_known(request, self.etag):
            return empty_response(304, headers)
        response = Response(self._body, headers=headers, content_type=self._type)
        accepted = request.headers.get("Accept-Encoding")
        coding = chosen(accepted, tuple(SMALL)) if accepted and len(self._body) >= SMALLEST else None
        if coding is not None:
            if coding not in self._packed:
                self._packed[coding] = SMALL[coding](self._body)
            set_body(response, self._packed[coding], coding)
        return response


class LatestDocuments:
    """The documents that were asked for last, each in its latest version: made once for all who read it.

    Args:
        most: number of documents that are remembered.
    """

    def __init__(self, most: int) -> None:
        self._latest: Final[Latest[Document]] = Latest(most)

    def of(self, name: str, version: int, make: Callable[[], bytes]) -> Document:
        """Return the document of a name in a version; `make` returns its body (JSON)."""
        return self._latest.of(name, version, lambda: Document(make(), "application/json", OWN_REVALIDATED))


def is_known(request: Request, etag: str) -> bool:
    """Return whether the client has the content with this ETag, by `If-None-Match`.

    The comparison is weak (RFC 9110 §13.1.2), since compression turns strong ETags into weak ones.
    """
    return "HTTP_IF_NONE_MATCH" in request.environ and request.if_none_match.contains_weak(etag.strip('"'))
