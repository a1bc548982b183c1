"""OAuth 2.1 for third-party apps: the authorization server, on Authlib, and the back end of the consent page."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, NamedTuple

from authlib.common.urls import add_params_to_uri
from authlib.oauth2 import AuthorizationServer, OAuth2Error
from authlib.oauth2.rfc6749 import OAuth2Request
from authlib.oauth2.rfc6749.errors import AccessDeniedError, InvalidGrantError, InvalidRequestError, InvalidScopeError
from authlib.oauth2.rfc6749.requests import OAuth2Payload
from werkzeug.datastructures import MultiDict

from service.accounts import codes
from service.accounts.accounts import Accounts
from service.accounts.errors import TooManyTokens, VoidCode
from service.apps import grants
from service.apps.clients import (
    APP_SCOPES,
    DEVICE_CODE,
    LONGEST,
    App,
    Place,
    app_of,
    name_of,
    place_of,
    redirect_of,
    scopes_of,
)
from service.common.errors import InvalidRequest
from service.store.players.app_grants import AppGrant, AppGrantStore, is_answered

#: Lifetime of an app's token (ms): a year.
TOKEN_MS: Final = 365 * 24 * 3_600_000
_LONGEST_NAME: Final = 40
#: Most codes of one request that are looked up; a right request has one.
_MOST_CODES: Final = 2

#: Error -> what to do, where Authlib says nothing, or names its own methods.
_SENTENCES: Final = {
    "invalid_client": "Send 'client_id' of 1 to 100 characters and no secret: apps are public clients (RFC 6749 2.1).",
    "unsupported_grant_type": f"'grant_type' is 'authorization_code' or '{DEVICE_CODE}'.",
    "unsupported_token_type": "'token_type_hint' is 'access_token', or left out.",
}

#: The same for errors of which Authlib says more in some cases.
_DEFAULTS: Final = {"invalid_request": "A field is missing, or given twice; send the form that the document shows."}

#: Status, JSON body and headers of an answer.
Answer = tuple[int, object, list[tuple[str, str]]]


class Asked(NamedTuple):
    """The request of an app to a player.

    Attributes:
        client: self-chosen id of the app.
        place: where the redirect URI leads; None for a device.
        scopes: requested scopes.
        refusal: for an invalid request, the redirect back to the app with the reason; else None.
    """

    client: str
    place: Place | None
    scopes: list[str]
    refusal: str | None


#: Allowed characters of parameters (RFC 6749, appendix A), except `state`, which belongs to the app.
_ALLOWED: Final = re.compile(r"[\x20-\x21\x23-\x5b\x5d-\x7e]*").fullmatch


def _check_values(values: MultiDict[str, str]) -> None:
    """Refuse long parameters, and invalid characters in them, which Authlib would repeat in its errors.

    Raises:
        InvalidRequestError: names the parameter.
    """
    for name, value in values.items(multi=True):
        if len(name) > LONGEST or (len(value) > LONGEST and name != "state"):
            raise InvalidRequestError(f"A parameter has more than {LONGEST} characters.")
        if name != "state" and not (_ALLOWED(name) and _ALLOWED(value)):
            raise InvalidRequestError(f"'{name}' has characters that are not allowed." if _ALLOWED(name) else None)


def _sentence(error: OAuth2Error) -> str | None:
    """Return what a developer has to do about an error; None: there is nothing to say."""
    text = _SENTENCES.get(error.error, error.description or _DEFAULTS.get(error.error))
    return f"{text.rstrip('.')}." if text else None


class _Payload(OAuth2Payload):  # type: ignore[misc]
    def __init__(self, values: MultiDict[str, str]) -> None:
        self._values: Final = values

    @property
    def data(self) -> dict[str, str]:
        return self._values.to_dict()

    @property
    def datalist(self) -> dict[str, list[str]]:
        return self._values.to_dict(flat=False)


class _Request(OAuth2Request):  # type: ignore[misc]
    """A request for Authlib. TLS is the responsibility of the proxy."""

    def __init__(self, method: str, values: MultiDict[str, str]) -> None:
        super().__init__(method, "https://localhost/")
        self.payload = _Payload(values)

    @property
    def args(self) -> dict[str, str]:
        return self.payload.data

    @property
    def form(self) -> dict[str, str]:
        return self.payload.data


class Server(AuthorizationServer):  # type: ignore[misc]
    """Authlib's server for one request.

    Args:
        issuer: URL of the service.
        store, accounts: grants and tokens.
        end: voids a token of a player by its id, with everything that depends on it.
        new_token: returns a new bearer token.
        hash_of: returns the hash under which a secret is stored.
    """

    def __init__(
        self,
        issuer: str,
        store: AppGrantStore,
        accounts: Accounts,
        end: Callable[[str, str], object],
        new_token: Callable[[], str],
        hash_of: Callable[[str], str],
    ) -> None:
        super().__init__(scopes_supported=list(APP_SCOPES))
        self.issuer: Final = issuer
        self.store: Final = store
        self.hash_of: Final = hash_of
        self._accounts: Final = accounts
        self._end: Final = end
        self._new_token: Final = new_token
        self.register_token_generator("default", self._token)
        self.register_grant(grants.CodeGrant, [grants.Challenge(required=True)])
        self.register_grant(grants.DeviceGrant)
        self.register_endpoint(grants.DeviceAuthorization)
        self.register_endpoint(grants.Revocation)

    @staticmethod
    def user_code_hash(user_code: str) -> str:
        """Return the hash of a short code, whichever way it is written."""
        return codes.hash_of(user_code)

    @staticmethod
    def no_scope() -> OAuth2Error:
        """Return the refusal of a request for nothing, or for what no app is given."""
        return InvalidScopeError(f"Ask for some of: {' '.join(APP_SCOPES)}.")

    def query_client(self, client_id: str) -> App | None:
        """Return an app by its id."""
        return app_of(client_id)

    def create_oauth2_request(self, request: object) -> object:
        """Return the request, which is one of Authlib's already."""
        return request

    def send_signal(self, name: str, *_: object, **__: object) -> None:
        """Do nothing, since there are no receivers."""

    def handle_response(self, status: int, body: object, headers: Iterable[tuple[str, str]]) -> Answer:
        """Return a response."""
        return status, body, list(headers)

    def handle_error_response(self, request: object, error: OAuth2Error) -> Answer:
        """Return the response to a refused request, in a sentence for its developer."""
        error.description = _sentence(error)
        answer: Answer = super().handle_error_response(request, error)
        return answer

    def _token(self, *, scope: str, **_: object) -> dict[str, object]:
        return {
            "access_token": self._new_token(),
            "token_type": "Bearer",
            "expires_in": TOKEN_MS // 1000,
            "scope": scope,
        }

    def save_token(self, token: dict[str, object], request: grants.Request) -> None:
        """Store a token and spend its grant in one step.

        Raises:
            InvalidGrantError: the grant is spent, or the granting token is void or lacks the scopes.
        """
        granted, token_hash = request.authorization_code, self.hash_of(str(token["access_token"]))
        grant, code_hash, scopes = granted.grant, self.hash_of(granted.code), scopes_of(granted.get_scope())
        uri = grant["redirect_uri"]
        name = name_of(uri, _LONGEST_NAME) if uri else grant["client"][:_LONGEST_NAME]
        try:
            outcome = self._accounts.add_for_app(grant["by"] or "", token_hash, name, scopes, TOKEN_MS, code_hash)
        except TooManyTokens as error:
            raise InvalidGrantError(f"The player has {error.params['limit']} tokens, and must delete one.") from error
        if outcome is None:
            if grant["redirect_uri"]:
                # Somebody else may have spent it since it was read.
                self.end_token_of(granted.code)
            raise InvalidGrantError("The code is spent, or was given by a device that is signed out.")
        if (caller := self._accounts.caller(token_hash)) is not None:
            token |= {"player": caller.player["id"], "name": caller.player["name"]}

    def end_token_of(self, code: str) -> None:
        """Void the token for which a code was used before, since the code has leaked (RFC 6749 §4.1.2)."""
        spent = self.store.spent(self.hash_of(code))
        if spent is not None:
            self._end(*spent)

    def end_token(self, token_hash: str) -> None:
        """End a token, if there is one."""
        caller = self._accounts.caller(token_hash)
        if caller is not None:
            self._end(caller.player["id"], caller.token["id"])


class Apps:
    """See the module.

    Args:
        store, accounts, end: see `Server`.
        new_token: returns a new bearer token.
        hash_of: returns the hash under which a secret is stored.
    """

    def __init__(
        self,
        store: AppGrantStore,
        accounts: Accounts,
        end: Callable[[str, str], object],
        new_token: Callable[[], str],
        hash_of: Callable[[str], str],
    ) -> None:
        self._store: Final = store
        self._server: Final = partial(
            Server, store=store, accounts=accounts, end=end, new_token=new_token, hash_of=hash_of
        )

    # --- requests of apps ---------------------------------------------------------------------------------------------

    def token(self, issuer: str, form: MultiDict[str, str]) -> Answer:
        """Answer the token endpoint (RFC 6749 §3.2)."""
        server = self._server(issuer)
        # Whatever else is wrong with the request: whoever sends a spent code has it from somebody.
        for code in form.getlist("code")[:_MOST_CODES]:
            server.end_token_of(code)
        return self._answered(server, form, Server.create_token_response)

    def endpoint(self, issuer: str, name: str, form: MultiDict[str, str]) -> Answer:
        """Answer `revocation` (RFC 7009) or `device_authorization` (RFC 8628 §3.1)."""
        return self._answered(
            self._server(issuer), form, lambda server, request: server.create_endpoint_response(name, request)
        )

    @staticmethod
    def _answered(server: Server, form: MultiDict[str, str], answers: Callable[[Server, object], Answer]) -> Answer:
        request = _Request("POST", form)
        try:
            _check_values(form)
        except OAuth2Error as error:
            return server.handle_error_response(request, error)
        return answers(server, request)

    def metadata(self, issuer: str) -> dict[str, object]:
        """Return the metadata (RFC 8414)."""
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/oauth/authorize",
            "token_endpoint": f"{issuer}/oauth/token",
            "revocation_endpoint": f"{issuer}/oauth/revoke",
            "device_authorization_endpoint": f"{issuer}/oauth/device",
            "scopes_supported": list(APP_SCOPES),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", DEVICE_CODE],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }

    # --- requests of the consent page ---------------------------------------------------------------------------------

    def consent(self, issuer: str, values: MultiDict[str, str]) -> Asked:
        """Return the request of an app that has redirected a player here.

        Raises:
            InvalidRequest: the request has no valid redirect URI for an error.
        """
        server, request = self._server(issuer), _Request("GET", values)
        place = self._place(values)
        try:
            _check_values(values)
            server.get_consent_grant(request)
        except OAuth2Error as error:
            return Asked(request.payload.client_id or "", place, [], self._back(issuer, values, error))
        return Asked(request.payload.client_id, place, request.scope.split(), None)

    def answer(self, issuer: str, values: MultiDict[str, str], by: str | None) -> str:
        """Return the redirect for a player's answer, with a code or an error.

        Args:
            issuer: URL of the service.
            values: parameters of the app's request.
            by: hash of the token of the granting player; None: the player denies it.

        Raises:
            InvalidRequest: see `asked`.
        """
        server, request = self._server(issuer), _Request("GET", values)
        self._place(values)
        try:
            _check_values(values)
            grant = server.get_consent_grant(request)
            if by is None:
                raise AccessDeniedError("The player does not want it.")
            _, _, headers = server.create_authorization_response(request, grant_user=by, grant=grant)
        except OAuth2Error as error:
            return self._back(issuer, values, error)
        return str(add_params_to_uri(dict(headers)["Location"], [("iss", issuer)]))

    def asked_by_device(self, user_code: str) -> Asked:
        """Return the request of the device that shows this code.

        Raises:
            VoidCode: no device shows this code.
        """
        _, grant = self._open_grant(user_code)
        return Asked(grant["client"], None, grant["scopes"], None)

    def answer_device(self, user_code: str, by: str | None) -> None:
        """Grant or deny the request of a device; see `answer`.

        Raises:
            VoidCode: no device shows this code, or it was answered.
        """
        code_hash, grant = self._open_grant(user_code)
        answered: AppGrant = {**grant, "by": by, "denied": by is None}
        if not self._store.answer(code_hash, answered):
            raise VoidCode(what="code", reason="answered_user_code")

    def _open_grant(self, user_code: str) -> tuple[str, AppGrant]:
        code_hash = self._store.named(Server.user_code_hash(user_code))
        grant = self._store.get(code_hash) if code_hash is not None else None
        if code_hash is None or grant is None:
            raise codes.void(user_code, codes.DEVICE_LENGTH, "void_user_code")
        if is_answered(grant):
            raise VoidCode(what="code", reason="answered_user_code")
        return code_hash, grant

    @staticmethod
    def _place(values: MultiDict[str, str]) -> Place:
        """Return the place of the redirect URI.

        Raises:
            InvalidRequest: it is not valid.
        """
        uris = values.getlist("redirect_uri")
        if len(uris) != 1 or redirect_of(uris[0]) is None:
            raise InvalidRequest(reason="bad_redirect_uri")
        return place_of(uris[0])

    @staticmethod
    def _back(issuer: str, values: MultiDict[str, str], error: OAuth2Error) -> str:
        """Return the redirect URI with an error (RFC 6749 §4.1.2.1, RFC 9207)."""
        parameters = [("error", error.error), ("error_description", _sentence(error)), ("iss", issuer)]
        states = values.getlist("state")
        if len(states) == 1:
            parameters.append(("state", states[0]))
        pairs = [(name, value) for name, value in parameters if value]
        return str(add_params_to_uri(values["redirect_uri"], pairs))
