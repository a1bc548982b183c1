"""OAuth 2.1 for third-party apps, and redirects for signing in (decision 177).

OAuth has its own documents and errors. These routes are not operations: `openapi.yaml` has them as a security scheme.
"""

from typing import Final
from urllib.parse import parse_qsl

from flask import Blueprint, Response, current_app, request
from werkzeug.datastructures import MultiDict

from service.api.http.parsing import read_body
from service.api.http.rate_limits import client_of
from service.api.http.responses import json_response
from service.api.services import Services

oauth: Final = Blueprint("oauth", __name__)
#: Most fields of a form; the specifications have ten.
_MOST_FIELDS: Final = 100

#: Largest form of an app: a redirect URI in which each character is escaped, and the other parameters.
_MOST_BYTES: Final = 16_384


def _services() -> Services:
    services: Services = current_app.extensions["services"]
    return services


def issuer_of(services: Services) -> str:
    """Return the public address of the service."""
    return (services.settings.public_url or request.root_url).rstrip("/")


def _answer(name: str) -> Response:
    """Answer a form sent by an app."""
    services = _services()
    address = client_of(request)
    # A device's request is kept for ten minutes.
    services.rate_limiter.charge("register" if name == "device_authorization" else "read", address)
    request.max_content_length = min(_MOST_BYTES, services.settings.max_body_bytes)
    content = read_body(request)
    if content.count(b"&") >= _MOST_FIELDS:
        text = f"The form has more than {_MOST_FIELDS} fields."
        return json_response({"error": "invalid_request", "error_description": text}, 400)
    # Other media types mean nothing here (RFC 6749 §3.2), and take longer to parse.
    is_form = request.mimetype == "application/x-www-form-urlencoded"
    form = MultiDict(parse_qsl(content.decode(errors="replace"), keep_blank_values=True) if is_form else ())
    issuer, apps = issuer_of(services), services.apps
    status, body, _ = apps.token(issuer, form) if name == "token" else apps.endpoint(issuer, name, form)
    if status != 200 and isinstance(body, dict) and body.get("error") == "invalid_grant":
        services.rate_limiter.charge("failed", address)
    return json_response(body, status)


@oauth.get("/.well-known/oauth-authorization-server")
def metadata() -> Response:
    """Send the metadata (RFC 8414)."""
    services = _services()
    return json_response(services.apps.metadata(issuer_of(services)))


@oauth.get("/oauth/authorize")
def authorize() -> Response:
    """Redirect a player to the consent page, a screen of the web client."""
    return Response(status=302, headers={"Location": f"../#/consent?{request.query_string.decode('latin-1')}"})


@oauth.get("/device")
def device() -> Response:
    """Redirect a player to the page where the code of a device is entered."""
    return Response(status=302, headers={"Location": f"./#/consent/device?{request.query_string.decode('latin-1')}"})


@oauth.post("/oauth/token")
def token() -> Response:
    """Give an app its token (RFC 6749 §3.2)."""
    return _answer("token")


@oauth.post("/oauth/revoke")
def revoke() -> Response:
    """Revoke a token (RFC 7009)."""
    return _answer("revocation")


@oauth.post("/oauth/device")
def device_authorization() -> Response:
    """Give a device its codes (RFC 8628 §3.1)."""
    return _answer("device_authorization")
