"""Who is asking: bearer tokens and what is known of them.

Only the SHA-256 of a token is ever kept. A token that was good a moment ago is taken from memory, so that playing a
card does not ask the store who plays it; after a token is rotated or a player erased, another process may take the
old token for `CACHE_S` more seconds.
"""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from service.api.http.problems import Unauthorized

CACHE_S: Final = 5.0
_MOST_KEPT: Final = 20_000
_PREFIX: Final = "sjt_"

Player = dict[str, Any]


class Players(Protocol):
    """The part of the player store that tells whose a token is."""

    def by_token(self, token_hash: str) -> Player | None:
        """Return the player with this token."""
        ...


def new_salt() -> str:
    """Return 256 random bits to make a token of."""
    return secrets.token_hex(32)


def token_of(salt: str, idempotency_key: str | None) -> str:
    """Return the bearer token made of a salt.

    Where the client sent an idempotency key, the token follows from it too. So a retry can be told the same token,
    although the store keeps the salt alone, and of the key no more than a hash.
    """
    digest = hashlib.sha256(f"{salt}:{idempotency_key or ''}".encode()).digest()
    return _PREFIX + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def hash_of(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def presented(authorization: str | None) -> str:
    """Return the token that an `Authorization` header carries.

    Raises:
        Unauthorized: there is no header, or it carries no bearer token.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized
    return token.strip()


class Identity:
    """Tokens of this process' callers."""

    def __init__(self, players: Players, clock: Callable[[], float] = time.monotonic) -> None:
        self._players = players
        self._clock = clock
        self._known: dict[str, tuple[float, Player]] = {}

    def player(self, authorization: str | None) -> Player:
        """Return the player whose token an `Authorization` header carries.

        Raises:
            Unauthorized: there is no header, it is no bearer token, or nobody's.
        """
        known = self._known.get(authorization or "")
        if known is not None and known[0] > self._clock():
            return known[1]
        player = self._players.by_token(hash_of(presented(authorization)))
        if player is None:
            raise Unauthorized
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        self._known[authorization or ""] = (self._clock() + CACHE_S, player)
        return player

    def forget(self, player: str) -> None:
        """Ask the store again about all tokens of a player."""
        self._known = {header: known for header, known in self._known.items() if known[1]["id"] != player}
