"""Compressed responses: gzip or br, as `Accept-Encoding` prefers (RFC 9110 §12.5.3, decision 54).

For complete bodies only. Streams use `service.api.streams.coding`, so that no event is delayed.
"""

import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import brotli  # type: ignore[import-untyped] # it has no types
from flask import Response
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

#: Least length of a body to compress; shorter ones fit into a packet anyway.
SMALLEST: Final = 1_000

#: Codings of bodies sent once. gzip comes first: at this speed it is smaller than br.
FAST: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "gzip": lambda body: _gzip(body, 1),
    "br": lambda body: _br(body, 4),
}
#: Codings of bodies sent many times.
SMALL: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": lambda body: _br(body, 5),
    "gzip": lambda body: _gzip(body, 6),
}

_TEXT: Final = ("application/", "text/", "image/svg")


def _gzip(body: bytes, level: int) -> bytes:
    writer = zlib.compressobj(level, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return writer.compress(body) + writer.flush()


def _br(body: bytes, quality: int) -> bytes:
    packed: bytes = brotli.compress(body, quality=quality)
    return packed


def at_rest(body: bytes) -> dict[str, bytes]:
    """Compress a body with each coding as well as possible, for content that is compressed once and sent for weeks."""
    return {"br": _br(body, 11), "gzip": _gzip(body, 9), "identity": body}


@lru_cache(maxsize=256)
def chosen(accept_encoding: str, offered: tuple[str, ...]) -> str | None:
    """Return the offered coding that the client prefers, the first in a tie; None if it accepts none."""
    accepted = parse_accept_header(accept_encoding, Accept)
    best = max(offered, key=accepted.quality)
    quality = accepted.quality(best)
    return best if quality > 0 and quality >= accepted.quality("identity") else None


def compressed(response: Response, accept_encoding: str | None) -> Response:
    """Compress the body of a response if that makes it smaller and the client accepts it."""
    body = response.response
    if not isinstance(body, list) or len(body) != 1 or len(body[0]) < SMALLEST or response.direct_passthrough:
        return response
    names = {name for name, _ in response.headers}
    if "Content-Encoding" in names or not response.content_type.startswith(_TEXT):
        return response
    if "Cache-Control" in names:
        # Otherwise nothing caches the response, so `Vary` is not needed.
        response.headers.add("Vary", "Accept-Encoding")
    coding = chosen(accept_encoding, tuple(FAST)) if accept_encoding else None
    if coding is not None:
        set_body(response, FAST[coding](body[0]), coding)
    return response


def set_body(response: Response, packed: bytes, coding: str) -> None:
    """Give a response a compressed body. Its ETag becomes weak: same content, different bytes."""
    response.set_data(packed)
    headers = response.headers
    headers["Content-Encoding"] = coding
    etag = headers.get("ETag")
    if etag is not None and not etag.startswith("W/"):
        headers["ETag"] = f"W/{etag}"
