"""The files that the page loads to play without a network (`bundle`). They are sent as they are stored."""

from typing import Final

from flask import Blueprint, Response, request

from service.api.alone import bundle
from service.api.http.compression import chosen

#: Content security policy of the worker, whose own it is: the page may run no WebAssembly.
_CONTENT_SECURITY_POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
_TYPES: Final = {
    "js": "text/javascript",
    "mjs": "text/javascript",
    "json": "application/json",
    "wasm": "application/wasm",
    "zip": "application/zip",
}

alone_pages: Final = Blueprint("alone", __name__)


@alone_pages.get(f"/alone/<any({', '.join(repr(name) for name in (*bundle.NAMES, bundle.LIST))}):name>")
def alone_file(name: str) -> Response:
    """Send a file, or the list of them."""
    file = bundle.sent()[name]
    accepts_br = chosen(request.headers.get("Accept-Encoding", ""), ("br",))
    response = Response(file.packed if accepts_br else file.plain(), mimetype=_TYPES[name.rpartition(".")[2]])
    if accepts_br:
        response.headers["Content-Encoding"] = "br"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(file.mark, weak=True)
    response.make_conditional(request)
    return response
