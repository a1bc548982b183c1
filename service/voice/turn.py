"""Time-limited access to a TURN server that shares a secret with the service (`use-auth-secret` of coturn).

The user name is `<until>:<alias>`: the second until which connections may be opened, and a name that stays the same for
a player, so that the server can limit each one, and that tells nothing of the player.
"""

import base64
import hmac
from collections.abc import Sequence
from hashlib import sha1, sha256
from typing import Final, NamedTuple

#: How long access lasts (ms). Connections that are open go on.
ACCESS_MS: Final = 15 * 60_000


class Access(NamedTuple):
    """Access of a player to a TURN server until a time (ms)."""

    urls: Sequence[str]
    username: str
    credential: str
    until: int


class TurnServer(NamedTuple):
    """A TURN server: its URLs, and the secret that it shares with the service."""

    urls: Sequence[str]
    secret: str

    def access(self, player: str, now: int) -> Access:
        """Return access for a player (id) from now (ms) on."""
        until, secret = now + ACCESS_MS, self.secret.encode()
        alias = hmac.digest(secret, f"alias {player}".encode(), sha256).hex()[:16]
        username = f"{until // 1000}:{alias}"
        # SHA-1 is what the servers expect; for HMAC it is not known to be weak.
        credential = base64.b64encode(hmac.digest(secret, username.encode(), sha1)).decode()
        return Access(self.urls, username, credential, until)
