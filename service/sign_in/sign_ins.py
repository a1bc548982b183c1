"""A sign-in: to the provider, back from it, and on to the client that began it, with a code that works once.

The client that began a sign-in has a verifier, and only its challenge (S256) is sent along: so a code is worthless to
anybody else, and nobody can be tricked into a sign-in that somebody else began.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from authlib.common.security import generate_token

from service.common.errors import InvalidRequest
from service.sign_in.errors import Failed
from service.store.players.identities import IdentityStore, SignIn

if TYPE_CHECKING:
    from service.sign_in.providers import Provider

#: How long a player may take at the provider (ms), and how long the code works.
AT_PROVIDER_MS: Final = 15 * 60_000
CODE_MS: Final = 60_000
_LONGEST_RETURN: Final = 2_000
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}").fullmatch
#: Where a player is led of whose sign-in nothing is known any more.
_UNKNOWN: Final = "/#/ways"


class Led(NamedTuple):
    """Where a player is led, and why a sign-in came to nothing; None: it goes on."""

    to: str
    failure: Failed | None = None


class SignIns:
    """See the module.

    Args:
        store: keeps them.
        providers: those that the operator has named.
        origins: those of web clients that the operator has named.
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
        """Tell whether there is a provider of this name."""
        return provider in self._providers

    def begin(self, name: str, callback: str, return_to: str, challenge: str) -> Led:
        """Return where a player signs in, or where with the reason if the provider does not answer.

        Args:
            name: of the provider.
            callback: where it leads the player back.
            return_to: where the player goes on then.
            challenge: of the verifier of the client.

        Raises:
            InvalidRequest: nobody is led to `return_to`, or the challenge is none.
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

    def finish(self, name: str, callback: str, told: Mapping[str, str]) -> Led:
        """Return where a player goes on whom the provider has led back: with a code, or with the reason why not.

        Args:
            name: of the provider that has led here.
            callback: as in `begin`.
            told: the parameters of the address.
        """
        begun = self._store.take(self._hash_of(told.get("state", "")))
        if begun is None or begun["provider"] != name or begun["identity"] is not None:
            return Led(_with(_UNKNOWN, sign_in_error="unknown"), Failed("unknown", "no such state"))
        try:
            subject = self._providers[name].subject(told, callback, begun["nonce"], begun["verifier"])
        except Failed as failure:
            return Led(_with(begun["return_to"], sign_in_error=failure.reason), failure)
        code = generate_token(48)
        known: SignIn = {**begun, "nonce": "", "verifier": "", "identity": identity_hash(begun["issuer"], subject)}
        self._store.begin(self._hash_of(code), known, CODE_MS)
        return Led(_with(begun["return_to"], sign_in=code))

    def _leads_home(self, return_to: str) -> bool:
        """Tell whether an address is a path of this service, or one of a web client that the operator has named."""
        if len(return_to) > _LONGEST_RETURN or not return_to.isascii() or not return_to.isprintable():
            return False
        if " " in return_to or "\\" in return_to:
            return False
        if return_to.startswith("/"):
            return not return_to.startswith("//")
        try:
            parts = urlsplit(return_to)
        except ValueError:
            return False
        return f"{parts.scheme}://{parts.netloc}" in self._origins


def identity_hash(issuer: str, subject: str) -> str:
    """Return what stands for an identity in the store."""
    return hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()


def _with(address: str, **told: str) -> str:
    """Return an address with parameters: behind the `#` if there is one, where no server reads them."""
    last = address.partition("#")[2] if "#" in address else address
    return f"{address}{'&' if '?' in last else '?'}{urlencode(told)}"
