"""Apps: unregistered public clients, identified by their redirect URI.

Their only proof is the code verifier (RFC 7636). So the host of the redirect URI is the only claim of an app that is
shown as true.
"""

from typing import Final
from urllib.parse import SplitResult, urlsplit

from authlib.common.urls import url_decode
from authlib.oauth2.rfc6749 import ClientMixin

from service.accounts.scopes import SCOPES

#: Scopes that an app may request: all except the scope for the account.
APP_SCOPES: Final = tuple(scope for scope in SCOPES if scope != "account")
DEVICE_CODE: Final = "urn:ietf:params:oauth:grant-type:device_code"
GRANT_TYPES: Final = ("authorization_code", DEVICE_CODE)

#: Longest value of a parameter; longer ones are refused before they are read.
LONGEST: Final = 2_000
_ALLOWED_SCOPES: Final = frozenset(APP_SCOPES)
_LONGEST_ID: Final = 100
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def redirect_of(uri: str) -> SplitResult | None:
    """Return the parts of a redirect URI, or None if it is not allowed.

    Allowed are `https`, `http` on the loopback interface (RFC 8252 §7.3), and private schemes, which contain a dot
    (§7.1).
    """
    if len(uri) > LONGEST or not uri.isascii() or not uri.isprintable() or " " in uri or "\\" in uri:
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
        # Authlib parses the query to add the answer.
        url_decode(parts.query)
    except ValueError:
        return None
    if parts.fragment or "#" in uri or parts.username is not None:
        return None
    if parts.scheme == "https":
        return parts if parts.hostname else None
    if parts.scheme == "http":
        return parts if parts.hostname in _LOOPBACK else None
    return parts if "." in parts.scheme else None


def scopes_of(text: str | None) -> list[str]:
    """Return the scopes that a text lists, each once; none if one of them is not for apps."""
    wanted = frozenset((text or "").split()) - {""}
    return [scope for scope in APP_SCOPES if scope in wanted] if wanted <= _ALLOWED_SCOPES else []


def place_of(uri: str) -> str:
    """Return the part of an allowed redirect URI to show to a player: its host, or the scheme of an app."""
    parts = redirect_of(uri)
    if parts is None:
        raise ValueError(uri)
    return parts.hostname if parts.scheme in ("https", "http") and parts.hostname else parts.scheme


class App(ClientMixin):  # type: ignore[misc]
    """An app, by its self-chosen id."""

    def __init__(self, client_id: str) -> None:
        self.client_id: Final = client_id

    def get_client_id(self) -> str:
        """Return the id."""
        return self.client_id

    def get_default_redirect_uri(self) -> None:
        """Return None, since each request has its redirect URI."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return the scopes if all of them exist and are allowed for apps, else none."""
        return " ".join(scopes_of(scope)) or None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Return whether the redirect URI is allowed."""
        return redirect_of(redirect_uri) is not None

    def check_endpoint_auth_method(self, method: str, _: str) -> bool:
        """Return whether this is the method of public clients, which have only an id."""
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        """Return whether the response type is allowed."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Return whether the grant type is allowed."""
        return grant_type in GRANT_TYPES


def app_of(client_id: str) -> App | None:
    """Return the app with an id; None if the id is not valid."""
    is_name = client_id.isascii() and client_id.isprintable() and client_id.strip() == client_id
    return App(client_id) if is_name and 0 < len(client_id) <= _LONGEST_ID else None
