"""Authentication by bearer token.

Only the SHA-256 of a token is stored. An authenticated token is cached for a few seconds, so that playing a card does
not take a lookup. Every change of rights is announced to all processes, and drops the tokens of the player from the
cache; a process that cannot hear announcements caches nothing.
"""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Final

from service.accounts import Accounts
from service.api.http.problems import Unauthorized
from service.store.players.tokens import Caller

CACHE_S: Final = 5.0
_MAX_CACHED: Final = 20_000
_PREFIX: Final = "sjt_"


def new_salt() -> str:
    """Return 256 random bits to derive a token from."""
    return secrets.token_hex(32)


def token_of(salt: str, idempotency_key: str | None) -> str:
    """Derive a bearer token from a salt, and from the client's idempotency key if there is one.

    So a retry can get the same token, although only the salt and a hash of the key are stored.
    """
    digest = hashlib.sha256(f"{salt}:{idempotency_key or ''}".encode()).digest()
    return _PREFIX + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def hash_of(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def bearer_token(authorization: str | None) -> str:
    """Return the token in an `Authorization` header.

    Raises:
        Unauthorized: there is no header, or no bearer token in it.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized
    return token.strip()


class Authenticator:
    """Finds player and token of a bearer token.

    Args:
        accounts: looks tokens up.
        now: returns milliseconds since the epoch.
        listen: makes this process hear of changes of rights, once; see `hears`.
        clock: returns seconds of a monotonic clock.

    Attributes:
        is_hearing: whether this process hears of each change of rights.
    """

    def __init__(
        self,
        accounts: Accounts,
        now: Callable[[], int],
        listen: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._accounts: Final = accounts
        self._now: Final = now
        self._listen: Final = listen
        self._clock: Final = clock
        #: `Authorization` header -> expiry of the entry, and its player and token.
        self._cache: Final[dict[str, tuple[float, Caller]]] = {}
        #: Player -> headers in the cache.
        self._headers: Final[dict[str, set[str]]] = {}
        self.is_hearing = False
        #: Number of changes so far: what was looked up before a change is not cached after it.
        self._changes = 0

    def caller(self, authorization: str | None, *, fresh: bool = False) -> Caller:
        """Return the player and the token of an `Authorization` header; `fresh`: bypass the cache.

        Raises:
            Unauthorized: there is no header, no bearer token in it, or the token is not valid.
        """
        cached = self._cache.get(authorization or "")
        if cached is not None and cached[0] > self._clock() and not fresh:
            return cached[1]
        if not self.is_hearing:
            self._listen()
        before = self._changes
        token = bearer_token(authorization)
        caller = self._accounts.caller(hash_of(token))
        if caller is None:
            self._cache.pop(authorization or "", None)
            raise Unauthorized
        # Other ways to write the header, with thousands of spaces, would fill the cache with one token.
        if self.is_hearing and len(authorization or "") == len(f"Bearer {token}"):
            self._keep(authorization or "", caller, before)
        return caller

    def _keep(self, header: str, caller: Caller, before: int) -> None:
        """Cache a caller who was looked up after `before` changes. Other threads may run between any two steps."""
        if len(self._cache) >= _MAX_CACHED:
            self._clear()
        ends = caller.token["expires_at"]
        cached_s = CACHE_S if ends is None else min(CACHE_S, (ends - self._now()) / 1000)
        self._headers.setdefault(caller.player["id"], set()).add(header)
        self._cache[header] = (self._clock() + cached_s, caller)
        if self._changes != before:
            self._cache.pop(header, None)

    def forget(self, player: str) -> None:
        """Drop a player's tokens from the cache."""
        self._changes += 1
        for header in self._headers.pop(player, ()):
            self._cache.pop(header, None)

    def hears(self, *, everything: bool) -> None:
        """Note whether this process hears of each change of rights; while it does not, nothing is cached."""
        self.is_hearing = everything
        self._changes += 1
        self._clear()

    def _clear(self) -> None:
        self._cache.clear()
        self._headers.clear()
