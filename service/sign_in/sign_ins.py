"""Sign-ins: to the provider, back, and on to the client that began it, with a code that works once.

The client that begins a sign-in has a verifier, and sends only its challenge (S256). So a code is worthless to anybody
else, and nobody can be tricked into completing a sign-in begun by somebody else.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from authlib.common.security import generate_token

from service.common.errors import InvalidRequest
from service.sign_in.errors import Failed
from service.store.players.identities import IdentityStore, SignIn

if TYPE_CHECKING:
    from service.sign_in.providers import Provider

#: Time for the player at the provider (ms), and lifetime of the code (ms).
AT_PROVIDER_MS: Final = 15 * 60_000
CODE_MS: Final = 60_000
_LONGEST_RETURN: Final = 2_000
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}").fullmatch
#: Parameter with which an address may have a web client of releases before 0.4 send the code to any service.
_OTHER_SERVICE: Final = "api"
#: Where to redirect a player whose sign-in has expired.
_UNKNOWN: Final = "/#/ways"


class Led(NamedTuple):
    """A redirect, and why the sign-in failed, if it did."""

    to: str
    failure: Failed | None = None


class SignIns:
    """See the module.

    Args:
        store: stores sign-ins.
        providers: configured providers.
        origins: configured origins of web clients.
        hash_of: returns the hash under which a secret is stored.
    """

    def __init__(
        self,
        store: IdentityStore,
        providers: Iterable["Provider"],
        origins: Iterable[str],
        hash_of: Callable[[str], str],
    ) -> None:
        self._store: Final = store
        self._providers: Final = {provider.name: provider for provider in providers}
        self._origins: Final = frozenset(origins) - {"*"}
        self._hash_of: Final = hash_of

    def has(self, provider: str) -> bool:
        """Return whether there is a provider with this name."""
        return provider in self._providers

    def begin(self, name: str, callback: str, return_to: str, challenge: str) -> Led:
        """Return the redirect to the provider, or the one with the error if it does not answer.

        Args:
            name: name of the provider.
            callback: URL to which the provider redirects the player.
            return_to: final URL.
            challenge: challenge of the client's verifier.

        Raises:
            InvalidRequest: `return_to` is not allowed, or the challenge is not valid.
        """
        if not _CHALLENGE(challenge):
            raise InvalidRequest(reason="bad_challenge")
        if not self._leads_home(return_to):
            raise InvalidRequest(reason="bad_return_to")
        provider = self._providers[name]
        state, nonce, verifier = (generate_token(48) for _ in range(3))
        try:
            url = provider.authorization_url(callback, state, nonce, verifier)
        except Failed as failure:
            return Led(_with(return_to, sign_in_error=failure.reason), failure)
        begun: SignIn = {
            "provider": name,
            "issuer": provider.issuer,
            "return_to": return_to,
            "challenge": challenge,
            "nonce": nonce,
            "verifier": verifier,
            "identity": None,
        }
        self._store.begin(self._hash_of(state), begun, AT_PROVIDER_MS)
        return Led(url)

    def finish(self, name: str, callback: str, answer: Mapping[str, str]) -> Led:
        """Return the final redirect of a player who comes back from the provider, with a code or the error.

        Args:
            name: name of the provider.
            callback: see `begin`.
            answer: parameters of the request.
        """
        begun = self._store.take(self._hash_of(answer.get("state", "")))
        if begun is None or begun["provider"] != name or begun["identity"] is not None:
            return Led(_with(_UNKNOWN, sign_in_error="unknown"), Failed("unknown", "no such state"))
        try:
            subject = self._providers[name].subject(answer, callback, begun["nonce"], begun["verifier"])
        except Failed as failure:
            return Led(_with(begun["return_to"], sign_in_error=failure.reason), failure)
        code = generate_token(48)
        known: SignIn = {**begun, "nonce": "", "verifier": "", "identity": identity_hash(begun["issuer"], subject)}
        self._store.begin(self._hash_of(code), known, CODE_MS)
        return Led(_with(begun["return_to"], sign_in=code))

    def _leads_home(self, return_to: str) -> bool:
        """Return whether a URL is a path of this service, or one of a configured web client, and names no service."""
        if len(return_to) > _LONGEST_RETURN or not return_to.isascii() or not return_to.isprintable():
            return False
        if " " in return_to or "\\" in return_to:
            return False
        try:
            parts = urlsplit(return_to)
            query = parse_qsl(parts.query, keep_blank_values=True)
        except ValueError:
            return False
        if any(name == _OTHER_SERVICE for name, _ in query):
            return False
        if return_to.startswith("/"):
            return not return_to.startswith("//")
        return f"{parts.scheme}://{parts.netloc}" in self._origins


def identity_hash(issuer: str, subject: str) -> str:
    """Return the hash of an identity in the store."""
    return hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()


def _with(address: str, **parameters: str) -> str:
    """Add parameters to a URL, after the `#` if there is one, where no server reads them."""
    last = address.partition("#")[2] if "#" in address else address
    return f"{address}{'&' if '?' in last else '?'}{urlencode(parameters)}"
