"""Identities at OpenID providers: signing in and linking.

`service.sign_in` talks to the provider; here a code already stands for a verified identity.
"""

import hmac
from collections.abc import Callable
from typing import Final

from authlib.oauth2.rfc7636 import create_s256_code_challenge

from service.accounts.accounts import Accounts, access_added, check_lasting
from service.accounts.errors import IdentityTaken, NoIdentity, TooManyIdentities, VoidCode
from service.store.players.identities import Identity, IdentityStore, Linked, SignIn
from service.store.players.tokens import Caller, Token

#: Most identities of a player.
MOST_IDENTITIES: Final = 10


class Identities:
    """See the module.

    Args:
        store: stores them.
        accounts: creates tokens.
        hash_of: returns the hash under which a secret is stored.
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self, store: IdentityStore, accounts: Accounts, hash_of: Callable[[str], str], now: Callable[[], int]
    ) -> None:
        self._store: Final = store
        self._accounts: Final = accounts
        self._hash_of: Final = hash_of
        self._now: Final = now

    def of_player(self, player: str) -> list[Linked]:
        """Return the identities of a player, oldest first."""
        return self._store.of_player(player)

    def sign_in(self, code: str, verifier: str, token_hash: str, name: str | None) -> Caller:
        """Exchange a code for a token of the player to whom its identity is linked.

        Args:
            code: code of a sign-in.
            verifier: verifier of the client that began it.
            token_hash, name: hash and name of the new token.

        Raises:
            VoidCode: the code is not valid.
            NoIdentity: the identity is not linked; the code stays valid.
            TooManyTokens: the player has too many tokens; the code stays valid.
        """
        _, identity_hash = self._proven(code, verifier)
        player = self._store.player_of(identity_hash)
        if player is None or self._accounts.find(player) is None:
            raise NoIdentity(what="identity", reason="identity_of_nobody")
        caller = self._accounts.add_for_identity(player, identity_hash, token_hash, name, self._hash_of(code))
        if caller is None:
            raise void_sign_in()
        return caller

    def link(self, by: Token, code: str, verifier: str) -> Linked:
        """Link an identity to a player; do nothing if it is linked to the player already.

        Args:
            by: the calling token.
            code, verifier: see `sign_in`.

        Raises:
            InsufficientScope: the token is restricted, but signing in with the identity is not.
            DeviceTooNew: see `Accounts.check_settled`.
            VoidCode: the code is not valid.
            IdentityTaken: it is linked to another player; the code stays valid, for signing in there.
            TooManyIdentities: the player has `MOST_IDENTITIES`.
        """
        check_lasting(by)
        sign_in, identity_hash = self._proven(code, verifier)
        if all(each.identity_hash != identity_hash for each in self.of_player(by["player"])):
            self._accounts.check_settled(by)
        identity: Identity = {
            "provider": sign_in["provider"],
            "issuer": sign_in["issuer"],
            "linked_at": self._now(),
            "by": by["id"],
        }
        note = access_added(by, "identity", sign_in["provider"], self._now())
        outcome = self._store.link(by, identity_hash, identity, MOST_IDENTITIES, self._hash_of(code), note)
        if outcome == "taken":
            raise IdentityTaken(provider=sign_in["provider"])
        if outcome == "full":
            raise TooManyIdentities(limit=MOST_IDENTITIES)
        if outcome == "gone":
            raise void_sign_in()
        return next(each for each in self.of_player(by["player"]) if each.identity_hash == identity_hash)

    def _proven(self, code: str, verifier: str) -> tuple[SignIn, str]:
        """Return a sign-in and its identity, if code and verifier match."""
        sign_in = self._store.get(self._hash_of(code))
        if sign_in is None or (identity := sign_in["identity"]) is None:
            raise void_sign_in()
        if not hmac.compare_digest(create_s256_code_challenge(verifier), sign_in["challenge"]):
            raise void_sign_in()
        return sign_in, identity


def void_sign_in() -> VoidCode:
    """Return the refusal of a sign-in code."""
    return VoidCode(what="code", reason="void_sign_in_code")
