"""The browser client: static files, served at `/`. It speaks the public API only, and works from any other host too."""

from pathlib import Path
from typing import Final

from flask import Blueprint, Response, send_from_directory

_CLIENT: Final = Path(__file__).parents[1] / "web" / "client"

#: Nothing inline, nothing from other hosts; requests go anywhere, since `?api=` may name another service.
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src *; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: Files are checked for changes at each use; their ETags make that cheap.
_CACHE_CONTROL: Final = "no-cache"

client_pages: Final = Blueprint("client", __name__)


@client_pages.get("/", defaults={"name": "index.html"})
@client_pages.get("/<any('service-worker.js', 'manifest.webmanifest'):name>")
@client_pages.get("/<any(app, style, art, vendor):folder>/<path:name>")
def client_file(name: str, folder: str = "") -> Response:
    """Send a file of the client."""
    response = send_from_directory(_CLIENT / folder, name)
    response.headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY
    response.headers["Cache-Control"] = _CACHE_CONTROL
    return response
