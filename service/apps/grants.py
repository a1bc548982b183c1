"""The OAuth 2.1 grants of the service: implementations of Authlib's hooks.

Codes are stored as hashes. A code is spent and its token stored in one step.
"""

import os
from collections.abc import Callable
from typing import Final, Protocol

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6749.errors import InvalidRequestError
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant

from service.accounts import codes
from service.apps.clients import App, scopes_of
from service.store.players.app_grants import AppGrant, AppGrantStore, is_answered

#: Lifetimes of a code and of a device code (s).
CODE_S: Final = 60
DEVICE_S: Final = 600
_POLL_S: Final = 5


class Host(Protocol):
    """The interface of the grants to the server in which they are registered."""

    @property
    def issuer(self) -> str:
        """URL of the service."""

    @property
    def store(self) -> AppGrantStore:
        """The store of grants."""

    @property
    def hash_of(self) -> Callable[[str], str]:
        """The function that returns the hash under which a secret is stored."""

    def user_code_hash(self, user_code: str) -> str:
        """Return the hash of a short code in normalised form."""

    def no_scope(self) -> OAuth2Error:
        """Return the error for a request without scopes, or with scopes that apps cannot have."""

    def end_token_of(self, code: str) -> None:
        """Void the token for which a code was used before."""

    def end_token(self, token_hash: str) -> None:
        """Void a token, if it exists."""


class _Payload(Protocol):
    data: dict[str, str]
    redirect_uri: str


class _Client(Protocol):
    client_id: str


class Request(Protocol):
    """A request as Authlib passes it to a grant."""

    client: _Client
    user: str
    scope: str
    payload: _Payload
    form: dict[str, str]
    authorization_code: "Granted"


class _Requested(Protocol):
    request: Request


class Granted:
    """A stored grant with Authlib's interface."""

    def __init__(self, code: str, grant: AppGrant) -> None:
        self.code: Final = code
        self.grant: Final = grant
        self.code_challenge: Final = grant["challenge"]
        self.code_challenge_method: Final = "S256"

    def get_client_id(self) -> str:
        """Return the id of the app."""
        return self.grant["client"]

    def get_redirect_uri(self) -> str:
        """Return where the code was sent."""
        return self.grant["redirect_uri"]

    def get_scope(self) -> str:
        """Return the scopes, with spaces between them."""
        # Earlier releases have stored some of them repeatedly.
        return " ".join(scopes_of(" ".join(self.grant["scopes"])))

    def get_user_code(self) -> str:
        """Return a placeholder for the code entered by the player, since the answer is in the grant itself."""
        return self.code

    def is_expired(self) -> bool:
        """Return False, since expired grants are deleted by the store."""
        return False


class CodeGrant(grants.AuthorizationCodeGrant):  # type: ignore[misc]
    """RFC 6749 §4.1, for public clients."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)
    server: Host

    def save_authorization_code(self, code: str, request: Request) -> None:
        """Store the grant of a player; `request.user` is the hash of the player's token."""
        self.server.store.put(
            self.server.hash_of(code),
            {
                "client": request.client.client_id,
                "redirect_uri": request.payload.redirect_uri,
                "scopes": scopes_of(request.scope),
                "challenge": request.payload.data["code_challenge"],
                "by": request.user,
                "denied": False,
            },
            CODE_S * 1000,
        )

    def query_authorization_code(self, code: str, client: App) -> Granted | None:
        """Return the grant of a code of this app. Using a spent code voids the token for which it was spent."""
        grant = self.server.store.get(self.server.hash_of(code))
        if grant is None:
            self.server.end_token_of(code)
            return None
        return Granted(code, grant) if grant["redirect_uri"] and grant["client"] == client.client_id else None

    def authenticate_user(self, authorization_code: Granted) -> str | None:
        """Return the hash of the token of the player who granted it."""
        return authorization_code.grant["by"]

    def delete_authorization_code(self, authorization_code: Granted) -> None:
        """Do nothing, since the code is spent when the token is stored."""


class Challenge(CodeChallenge):  # type: ignore[misc]
    """RFC 7636 as in OAuth 2.1: required, and only S256."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)

    def validate_code_challenge(self, grant: _Requested, redirect_uri: str) -> None:
        """Refuse a request without a challenge or with another method.

        Raises:
            InvalidRequestError: the request is malformed; the message names the error.
        """
        data = grant.request.payload.data
        if not data.get("code_challenge") or data.get("code_challenge_method") != "S256":
            raise InvalidRequestError("Send 'code_challenge' with 'code_challenge_method=S256'.")
        super().validate_code_challenge(grant, redirect_uri)


class DeviceGrant(DeviceCodeGrant):  # type: ignore[misc]
    """RFC 8628, for devices without a browser."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)
    server: Host
    _granted: Granted | None = None

    def query_device_credential(self, device_code: str) -> Granted | None:
        """Return the grant of a device. Codes sent to apps do not count, since they would need no verifier here."""
        grant = self.server.store.get(self.server.hash_of(device_code))
        self._granted = None if grant is None or grant["redirect_uri"] else Granted(device_code, grant)
        return self._granted

    def validate_token_request(self) -> None:
        """Check the request, and remember the grant to be spent."""
        super().validate_token_request()
        self.request.authorization_code = self.request.credential

    def query_user_grant(self, _: str) -> tuple[str, bool] | None:
        """Return the hash of the player's token and whether it was granted; None if not answered yet.

        The grant is not read again: between two reads, the player may answer.
        """
        grant = None if self._granted is None else self._granted.grant
        if grant is None or not is_answered(grant):
            return None
        return grant["by"] or "", not grant["denied"]

    def should_slow_down(self, _: Granted) -> bool:
        """Return False, since the rate limit of the address slows down frequent polls."""
        return False


class DeviceAuthorization(DeviceAuthorizationEndpoint):  # type: ignore[misc]
    """RFC 8628 §3.1: a device asks for its codes."""

    CLIENT_AUTH_METHODS = ("none",)
    EXPIRES_IN = DEVICE_S
    INTERVAL = _POLL_S
    server: Host

    def generate_user_code(self) -> str:
        """Return a new short code, in two groups. Those of the library have 35 bits, too few for many guessers."""
        code = codes.new_code(codes.DEVICE_LENGTH, os.urandom)
        half = codes.DEVICE_LENGTH // 2
        return f"{code[:half]}-{code[half:]}"

    def get_verification_uri(self) -> str:
        """Return the page where a player enters the code."""
        return f"{self.server.issuer}/device"

    def save_device_credential(self, client_id: str, scope: str | None, data: dict[str, str]) -> None:
        """Store the grant and map the short code to it."""
        scopes = scopes_of(scope)
        if not scopes:
            raise self.server.no_scope()
        hashed = self.server.hash_of(data["device_code"])
        grant: AppGrant = {
            "client": client_id,
            "redirect_uri": "",
            "scopes": scopes,
            "challenge": "",
            "by": None,
            "denied": False,
        }
        self.server.store.put(hashed, grant, DEVICE_S * 1000)
        self.server.store.name(self.server.user_code_hash(data["user_code"]), hashed, DEVICE_S * 1000)


class Revocation(RevocationEndpoint):  # type: ignore[misc]
    """RFC 7009: an app revokes its token. Anybody who has a token may revoke it, as with `DELETE /v1/me/tokens`."""

    CLIENT_AUTH_METHODS = ("none",)
    server: Host

    def authenticate_token(self, request: Request, client: App) -> str | None:
        """Return the hash of the token."""
        self.check_params(request, client)
        return self.server.hash_of(request.form["token"])

    def revoke_token(self, token: str, _: object) -> None:
        """Void the token, if it exists."""
        self.server.end_token(token)
