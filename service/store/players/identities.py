"""Identities at OpenID providers that players have linked, and pending sign-ins.

An identity is an issuer (`iss`) and its id for a user (`sub`). Only the SHA-256 of both is stored.
"""

import json
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.players.inbox import NOTHING, Note, put_arguments
from service.store.players.tokens import Token
from service.store.scripts import Script, translate_errors

_LINK: Final = Script("link_identity", "inbox")


class Identity(TypedDict):
    """The stored data of a linked identity.

    Attributes:
        provider: the service's name for the issuer.
        issuer: `iss`.
        linked_at: when it was linked (ms).
        by: id of the token that linked it; None: not known.
    """

    provider: str
    issuer: str
    linked_at: int
    by: NotRequired[str | None]


class Linked(NamedTuple):
    """A linked identity and the SHA-256 of `iss` and `sub`."""

    identity_hash: str
    identity: Identity


class SignIn(TypedDict):
    """A pending sign-in.

    Attributes:
        provider, issuer: as in `Identity`.
        return_to: URL to which the player returns.
        challenge: S256 of the code verifier of the client.
        nonce, verifier: for the answer of the provider; "" once it has answered.
        identity: SHA-256 of the identity; None until the provider has answered.
    """

    provider: str
    issuer: str
    return_to: str
    challenge: str
    nonce: str
    verifier: str
    identity: str | None


class IdentityStore:
    """Identities, and sign-ins by the SHA-256 of the secret for their next step."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def begin(self, secret_hash: str, sign_in: SignIn, ttl_ms: int) -> None:
        """Store a sign-in."""
        self._redis.set(keys.sign_in(secret_hash), json.dumps(sign_in), px=ttl_ms)

    @translate_errors
    def get(self, secret_hash: str) -> SignIn | None:
        """Return a sign-in; None if it does not exist or has expired."""
        return _decode(self._redis.get(keys.sign_in(secret_hash)))

    @translate_errors
    def take(self, secret_hash: str) -> SignIn | None:
        """Return a sign-in as `get` does, and delete it."""
        key = keys.sign_in(secret_hash)
        stored = self._redis.get(key)
        # Only one of concurrent readers succeeds in deleting it. (`GETDEL` needs Redis 6.2.)
        return _decode(stored) if self._redis.delete(key) else None

    @translate_errors
    def player_of(self, identity_hash: str) -> str | None:
        """Return the player to whom an identity is linked, who may have been deleted by an earlier release."""
        player = self._redis.hget(keys.IDENTITIES, identity_hash)
        return None if player is None else player.decode()

    @translate_errors
    def of_player(self, player: str) -> list[Linked]:
        """Return the identities of a player, oldest first."""
        stored = self._redis.hgetall(keys.identities_of(player))
        identities = [
            Linked(name.decode(), codec.decode(codec.IDENTITY, value, "an identity")) for name, value in stored.items()
        ]
        return sorted(identities, key=lambda each: (each.identity["linked_at"], each.identity_hash))

    @translate_errors
    def link(
        self, by: Token, identity_hash: str, identity: Identity, most: int, code_hash: str, note: Note = NOTHING
    ) -> Literal["done", "gone", "taken", "full"]:
        """Link an identity to the player of a token and spend the code of its sign-in.

        `note` is put into the inbox in the same step, if the identity was not linked before. `gone`: there is no such
        player, token or code; `taken`: it is linked to another player; `full`: the player has `most`
        identities.
        """
        player = by["player"]
        lists = (keys.tokens_of(player), keys.inbox(player), keys.notices_of(player), keys.NOTIFY)
        names = (keys.RECORDS, keys.IDENTITIES, keys.identities_of(player), keys.sign_in(code_hash), *lists)
        arguments = (player, identity_hash, codec.encode(codec.IDENTITY, identity), most, by["id"])
        outcome = _LINK.run(self._redis, names, *arguments, *put_arguments(player, note))
        return outcome.decode()  # type: ignore[no-any-return]


def _decode(stored: bytes | None) -> SignIn | None:
    return None if stored is None else json.loads(stored)
