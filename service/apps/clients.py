"""Apps: unregistered public clients, identified by their redirect URI.

Their only proof is the code verifier (RFC 7636). So the host of the redirect URI is the only claim of an app that is
shown as true.
"""

import re
from typing import Final, Literal, NamedTuple
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
#: A part of a host name.
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?").fullmatch
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
        return parts if _is_host(parts.hostname or "") else None
    if parts.scheme == "http":
        return parts if parts.hostname in _LOOPBACK else None
    return parts if "." in parts.scheme else None


def scopes_of(text: str | None) -> list[str]:
    """Return the scopes that a text lists, each once; none if one of them is not for apps."""
    wanted = frozenset((text or "").split()) - {""}
    return [scope for scope in APP_SCOPES if scope in wanted] if wanted <= _ALLOWED_SCOPES else []


class Place(NamedTuple):
    """Where an app leads a player, as the player is shown it.

    Attributes:
        label: the whole host, or the private scheme with `:/`, so that it cannot be taken for a host.
        kind: `website`; `app`: an app on this device, which has claimed the scheme; `program`: one on the same machine.
        reads: how a browser may show a host in other letters than ASCII; None: as it is.
    """

    label: str
    kind: Literal["website", "app", "program"]
    reads: str | None


def place_of(uri: str) -> Place:
    """Return where an allowed redirect URI leads."""
    parts = redirect_of(uri)
    if parts is None:
        raise ValueError(uri)
    host = parts.hostname or ""
    if parts.scheme not in ("https", "http"):
        return Place(f"{parts.scheme}:/", "app", None)
    if host in _LOOPBACK:
        return Place(host, "program", None)
    return Place(host, "website", _read(host))


def name_of(uri: str, longest: int) -> str:
    """Return the place of a redirect URI as name of a token. Of a long host, the end says whose it is."""
    name = place_of(uri).label
    return name if len(name) <= longest else f"…{name[1 - longest :]}"


def _read(host: str) -> str | None:
    """Return a host with other letters than ASCII as browsers may show it, or None."""
    if "xn--" not in host:
        return None
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return None


def _is_host(host: str) -> bool:
    """Return whether this is a name that all browsers read alike: no number that they would read as an address."""
    labels = host.removesuffix(".").split(".")
    return all(_LABEL(label) for label in labels) and not labels[-1].isdigit() and not labels[-1].startswith("0x")


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
