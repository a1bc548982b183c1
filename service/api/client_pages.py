"""The browser client: static files, served at `/`. It uses only the public API, of the service that has served it."""

from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, request, send_from_directory
from werkzeug.exceptions import NotFound

from service.api.client_pack import Packed, pack_of
from service.api.http.compression import chosen
from service.api.services import Services

_CLIENT: Final = Path(__file__).parents[1] / "web" / "client"

#: Content security policy: no inline content, none from other hosts, and no request to them: whatever an address asks
#: of the page, tokens and codes go to this service alone.
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: Devices that the page may use: the microphone alone, and only where people can talk.
_PERMISSIONS_POLICY: Final = "camera=(), geolocation=(), microphone=({})"
#: Files are revalidated on each use, which ETags make cheap.
_CACHE_CONTROL: Final = "no-cache"
#: For files whose name changes with their content.
_FOR_EVER: Final = "public, max-age=31536000, immutable"

client_pages: Final = Blueprint("client", __name__)


@client_pages.get("/")
def client_page() -> Response:
    """Send the page, which loads the bundle."""
    services: Services = current_app.extensions["services"]
    names = ",".join(provider.name for provider in services.settings.oidc_providers)
    tag = f'<html data-sign-in="{names}"' if names else "<html"
    if services.settings.turn_urls:
        tag += " data-voice"
    response = Response(pack_of(_CLIENT).page.replace("<html", tag, 1), mimetype="text/html")
    response.add_etag()
    response.make_conditional(request)
    microphone = "self" if services.settings.turn_urls else ""
    response.headers["Permissions-Policy"] = _PERMISSIONS_POLICY.format(microphone)
    return _with_headers(response, _CACHE_CONTROL)


@client_pages.get("/operator")
def operator_page() -> Response:
    """Redirect operators to their screen of the client."""
    return Response(status=302, headers={"Location": "./#/operator"})


def _packed_file(name: str) -> Response:
    """Send a bundled file. During a rollout, a page of another release gets the file of this one."""
    files = pack_of(_CLIENT).files
    wanted = files.get(name)
    # The part of the name after the hash is the same in each release.
    packed = wanted or next((each for each in files.values() if each.name.split(".")[2:] == name.split(".")[2:]), None)
    if packed is None:
        raise NotFound
    return _with_headers(_coded(packed), _FOR_EVER if wanted else _CACHE_CONTROL)


def _coded(packed: Packed) -> Response:
    coding = chosen(request.headers.get("Accept-Encoding", ""), ("br", "gzip")) or "identity"
    mimetype = "text/css" if packed.name.endswith(".css") else "text/javascript"
    response = Response(packed.coded[coding], mimetype=mimetype)
    response.headers["Vary"] = "Accept-Encoding"
    if coding != "identity":
        response.headers["Content-Encoding"] = coding
    return response


@client_pages.get("/<any('service-worker.js', 'manifest.webmanifest'):name>")
@client_pages.get("/<any(app, style, art, vendor):folder>/<path:name>")
def client_file(name: str, folder: str = "") -> Response:
    """Send a file of the client, bundled or as it is."""
    if name.startswith("all."):
        return _packed_file(f"{folder}/{name}")
    return _with_headers(send_from_directory(_CLIENT / folder, name), _CACHE_CONTROL)


def _with_headers(response: Response, cache_control: str) -> Response:
    response.headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY
    response.headers["Cache-Control"] = cache_control
    return response
