"""An OpenID provider, found by discovery. Authlib implements the protocol, joserfc checks signatures.

Requests are sent only when a player signs in, have timeouts, and do not block others. A provider's metadata are cached
for an hour, its keys until one is missing.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.client import OAuth2Client
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import get_well_known_url
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from service.common.fastjson import loads
from service.common.settings import OidcProvider
from service.notices.outbound import Answer
from service.sign_in.errors import Failed, refused

#: Algorithms of signatures that only the provider can make: neither `none`, nor those with the client's secret.
_ALGORITHMS: Final = frozenset(f"{kind}{size}" for kind in ("RS", "PS", "ES") for size in (256, 384, 512)) | {"EdDSA"}
_METADATA_S: Final = 3_600
#: Allowed difference of clocks (s).
_LEEWAY_S: Final = 60
_LONGEST_SUBJECT: Final = 255

#: Sends a GET request, or with a body a POST request (`service.notices.outbound.Outbound.fetch`).
Fetch = Callable[[str, Mapping[str, str], bytes | None], Answer]


class _Response:
    """A response with the interface that Authlib expects."""

    def __init__(self, answer: Answer) -> None:
        if answer.status is None or answer.status >= 500:
            raise Failed("provider_down", answer.error or f"status {answer.status}")
        self.status_code: Final = answer.status
        self._body: Final = answer.body

    def json(self) -> object:
        return loads(self._body)

    def raise_for_status(self) -> None:
        raise refused(f"status {self.status_code}")


class _Session:
    """A session with the interface that Authlib expects."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch: Final = fetch

    def post(self, url: str, data: Mapping[str, str], headers: Mapping[str, str], auth: ClientAuth) -> _Response:
        url, sent, body = auth.prepare("POST", url, dict(headers), urlencode(data))
        return _Response(self._fetch(url, sent, body.encode()))


class Provider:
    """See the module.

    Args:
        told: its settings.
        fetch: sends requests.
        clock: returns seconds of a monotonic clock.
    """

    def __init__(self, configuration: OidcProvider, fetch: Fetch, clock: Callable[[], float] = time.monotonic) -> None:
        self.name: Final = configuration.name
        self.issuer: Final = configuration.issuer
        self._configuration: Final = configuration
        self._fetch: Final = fetch
        self._clock: Final = clock
        self._metadata: dict[str, Any] = {}
        self._until: float | None = None
        self._keys: KeySet | None = None

    def authorization_url(self, callback: str, state: str, nonce: str, verifier: str) -> str:
        """Return the URL where the player signs in.

        Args:
            callback: URL to which the provider redirects the player.
            state, nonce, verifier: values of this sign-in; the verifier is sent only in the token request.

        Raises:
            Failed: the provider does not answer, or gives no URL.
        """
        at = self._endpoint("authorization_endpoint")
        client = self._client(callback)
        url, _ = client.create_authorization_url(at, state=state, code_verifier=verifier, nonce=nonce)
        return str(url)

    def subject(self, answer: Mapping[str, str], callback: str, nonce: str, verifier: str) -> str:
        """Return the provider's id of the user who has signed in (`sub`).

        Args:
            answer: parameters of the redirect.
            callback, nonce, verifier: see `authorization_url`.

        Raises:
            Failed: nobody has signed in, the provider does not answer, or its answer is not valid.
        """
        metadata = self._load()
        must_say = metadata.get("authorization_response_iss_parameter_supported") is True
        if answer.get("iss", None if must_say else self.issuer) != self.issuer:
            raise refused("another issuer")
        if "error" in answer:
            raise Failed("access_denied" if answer["error"] == "access_denied" else "refused", answer["error"])
        try:
            client = self._client(callback)
            token = client.fetch_token(
                self._endpoint("token_endpoint"),
                grant_type="authorization_code",
                code=answer.get("code", ""),
                code_verifier=verifier,
            )
            claims = self._claims(token["id_token"], token.get("access_token"), nonce)
        except (OAuth2Error, JoseError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise refused(f"{type(error).__name__}: {error}") from error
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT:
            raise refused("no subject")
        return subject

    def _client(self, callback: str) -> OAuth2Client:
        methods = self._metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        in_form = "client_secret_basic" not in methods and "client_secret_post" in methods
        return OAuth2Client(
            _Session(self._fetch),
            client_id=self._configuration.client_id,
            client_secret=self._configuration.secret or None,
            token_endpoint_auth_method="client_secret_post" if in_form and self._configuration.secret else None,
            scope="openid",
            redirect_uri=callback,
            code_challenge_method="S256",
        )

    def _claims(self, id_token: str, access_token: str | None, nonce: str) -> CodeIDToken:
        offered = self._metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        registry = JWSRegistry(algorithms=sorted(_ALGORITHMS & set(offered)), strict_check_header=False)
        try:
            token = jwt.decode(id_token, self._keys or self._load_keys(), registry=registry)
        except InvalidKeyIdError:
            token = jwt.decode(id_token, self._load_keys(), registry=registry)
        required = {"iss": self.issuer, "aud": self._configuration.client_id}
        options = {name: {"essential": True, "value": value} for name, value in required.items()}
        known = {"nonce": nonce, "client_id": self._configuration.client_id, "access_token": access_token}
        claims = CodeIDToken(token.claims, token.header, options, known)
        claims.validate(leeway=_LEEWAY_S)
        return claims

    def _load(self) -> dict[str, Any]:
        """Return the provider's metadata."""
        if self._until is None or self._until <= self._clock():
            metadata = self._read(get_well_known_url(self.issuer, external=True))
            if metadata.get("issuer") != self.issuer:
                raise refused("the metadata are those of another issuer")
            self._metadata, self._until = metadata, self._clock() + _METADATA_S
        return self._metadata

    def _load_keys(self) -> KeySet:
        self._keys = keys = KeySet.import_key_set(self._read(self._endpoint("jwks_uri")))  # type: ignore[arg-type]
        return keys

    def _endpoint(self, name: str) -> str:
        """Return a URL of the provider, which must be as safe as the issuer's URL."""
        url = self._load().get(name)
        if not isinstance(url, str) or not url.isascii() or not url.isprintable():
            raise refused(f"no {name}")
        if urlsplit(url).scheme not in ("https", urlsplit(self.issuer).scheme):
            raise refused(f"no safe {name}")
        return url

    def _read(self, url: str) -> dict[str, Any]:
        response = _Response(self._fetch(url, {"Accept": "application/json"}, None))
        try:
            read = response.json() if response.status_code == 200 else None
        except ValueError:
            read = None
        if not isinstance(read, dict):
            raise refused(f"nothing at {url}")
        return read
