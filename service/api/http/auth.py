"""Authentication by bearer token.

Only the SHA-256 of a token is stored. An authenticated token is cached for a few seconds, so that playing a card does
not cost a lookup: after a token is rotated or a player deleted, other processes may accept the old token for up to
`CACHE_S` seconds.
"""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Final, Protocol

from service.api.http.problems import Unauthorized
from service.store.port import Player

CACHE_S: Final = 5.0
_MAX_CACHED: Final = 20_000
_PREFIX: Final = "sjt_"


class PlayersByToken(Protocol):
    """The part of the player store that authentication needs."""

    def by_token(self, token_hash: str, now: int = 0) -> Player | None:
        """Return the player with this token, and note that there was a request."""
        ...


def new_salt() -> str:
    """Return 256 random bits to derive a token from."""
    return secrets.token_hex(32)


def token_of(salt: str, idempotency_key: str | None) -> str:
    """Return the bearer token derived from a salt, and from the client's idempotency key if it sent one.

    So a retry can be answered with the same token, although only the salt and a hash of the key are stored.
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
    """Finds the player of a bearer token.

    Args:
        players: where to look.
        now: milliseconds since the epoch.
        clock: seconds that only go forward.
    """

    def __init__(
        self, players: PlayersByToken, now: Callable[[], int] = lambda: 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._players = players
        self._now = now
        self._clock = clock
        #: `Authorization` header -> when the entry expires, and the player.
        self._cache: dict[str, tuple[float, Player]] = {}

    def player(self, authorization: str | None) -> Player:
        """Return the player whose token an `Authorization` header carries.

        Raises:
            Unauthorized: there is no header, no bearer token in it, or no player with this token.
        """
        cached = self._cache.get(authorization or "")
        if cached is not None and cached[0] > self._clock():
            return cached[1]
        player = self._players.by_token(hash_of(bearer_token(authorization)), self._now())
        if player is None:
            raise Unauthorized
        if len(self._cache) >= _MAX_CACHED:
            self._cache.clear()
        self._cache[authorization or ""] = (self._clock() + CACHE_S, player)
        return player

    def forget(self, player: str) -> None:
        """Drop a player's tokens from the cache."""
        self._cache = {header: entry for header, entry in self._cache.items() if entry[1]["id"] != player}
