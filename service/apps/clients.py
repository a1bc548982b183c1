"""The apps: unregistered public clients, identified by the address to which they redirect the player.

Their only proof is the code verifier (RFC 7636). So of all that an app says of itself, only the host of its redirect
URI is shown as true.
"""

from typing import Final
from urllib.parse import SplitResult, urlsplit

from authlib.common.urls import url_decode
from authlib.oauth2.rfc6749 import ClientMixin

from service.accounts.scopes import SCOPES

#: What an app may ask for: everything but the account itself.
APP_SCOPES: Final = tuple(scope for scope in SCOPES if scope != "account")
DEVICE_CODE: Final = "urn:ietf:params:oauth:grant-type:device_code"
GRANT_TYPES: Final = ("authorization_code", DEVICE_CODE)

_LONGEST_ID: Final = 100
_LONGEST_URI: Final = 2_000
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def redirect_of(uri: str) -> SplitResult | None:
    """Return the parts of a redirect URI, or None if nobody may be led there.

    Allowed are `https`, `http` on this device (RFC 8252 §7.3), and schemes of apps, which have a dot (§7.1).
    """
    if len(uri) > _LONGEST_URI or not uri.isascii() or not uri.isprintable() or " " in uri or "\\" in uri:
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
        # Authlib adds the answer to the query, and reads it for that.
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


def place_of(uri: str) -> str:
    """Return what a player is shown of an allowed redirect URI: its host, or the scheme of an app on the device."""
    parts = redirect_of(uri)
    if parts is None:
        raise ValueError(uri)
    return parts.hostname if parts.scheme in ("https", "http") and parts.hostname else parts.scheme


class App(ClientMixin):  # type: ignore[misc]
    """An app, by the id that it has given itself."""

    def __init__(self, client_id: str) -> None:
        self.client_id: Final = client_id

    def get_client_id(self) -> str:
        """Return the id."""
        return self.client_id

    def get_default_redirect_uri(self) -> None:
        """Return None: there is none; each request names its own."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return the scopes, if all of them exist and may be given to apps. Whoever asks for none gets none."""
        wanted = (scope or "").split()
        return " ".join(wanted) if wanted and set(wanted) <= set(APP_SCOPES) else None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Return whether anybody may be led there."""
        return redirect_of(redirect_uri) is not None

    def check_endpoint_auth_method(self, method: str, _: str) -> bool:
        """Return whether the app says who it is in this way: by its id alone."""
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        """Return whether it may ask for this."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Return whether it may have a token for this."""
        return grant_type in GRANT_TYPES


def app_of(client_id: str) -> App | None:
    """Return the app with an id; None: no app can be called so."""
    is_name = client_id.isascii() and client_id.isprintable() and client_id.strip() == client_id
    return App(client_id) if is_name and 0 < len(client_id) <= _LONGEST_ID else None
