"""Pending grants to apps, by the SHA-256 of a code, until the app gets its token."""

import json
from typing import Final, TypedDict

from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

_ANSWER: Final = Script("answer_grant")


class AppGrant(TypedDict):
    """A grant.

    Attributes:
        client: id of the app.
        redirect_uri: where the code was sent; "" for a device.
        scopes: requested scopes.
        challenge: S256 of the code verifier; "" for a device.
        by: SHA-256 of the token of the player who granted it; None: not granted yet.
        denied: whether the player denied it.
    """

    client: str
    redirect_uri: str
    scopes: list[str]
    challenge: str
    by: str | None
    denied: bool


def is_answered(grant: AppGrant) -> bool:
    """Return whether a player has granted or denied it."""
    return grant["by"] is not None or grant["denied"]


class AppGrantStore:
    """Grants, by the hexadecimal SHA-256 of a code. `TokenStore.add` spends a grant."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def put(self, code_hash: str, grant: AppGrant, ttl_ms: int) -> None:
        """Store a grant."""
        self._redis.set(keys.app_grant(code_hash), json.dumps(grant), px=ttl_ms)

    @translate_errors
    def get(self, code_hash: str) -> AppGrant | None:
        """Return a grant; None if it does not exist or has expired."""
        stored = self._redis.get(keys.app_grant(code_hash))
        return None if stored is None else json.loads(stored)

    @translate_errors
    def answer(self, code_hash: str, grant: AppGrant) -> bool:
        """Replace a grant by the player's answer; False if it has expired or was answered."""
        return bool(_ANSWER.run(self._redis, (keys.app_grant(code_hash),), json.dumps(grant)))

    @translate_errors
    def name(self, short_hash: str, code_hash: str, ttl_ms: int) -> None:
        """Map a short code to a grant."""
        self._redis.set(keys.app_code(short_hash), code_hash, px=ttl_ms)

    @translate_errors
    def named(self, short_hash: str) -> str | None:
        """Return the hash of the grant that a short code maps to."""
        stored = self._redis.get(keys.app_code(short_hash))
        return None if stored is None else stored.decode()

    @translate_errors
    def spent(self, code_hash: str) -> tuple[str, str] | None:
        """Return the player and the id of the token for which a code was used."""
        stored = self._redis.get(keys.app_spent(code_hash))
        if stored is None:
            return None
        player, token = stored.decode().split(" ")
        return player, token
