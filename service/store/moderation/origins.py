"""From where players come who are suspended, and who register, as keyed hashes: equal ones may be one person.

Kept for a week after the last note, and only of: the client that registered, the clients from which a suspended player
was refused, external accounts that were linked, and those of a suspended player who deletes the account. The key is
random and expires with the last hash.
"""

import hmac
from secrets import token_bytes
from time import monotonic
from typing import Final, Literal, NamedTuple

from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import translate_errors

#: How long a hash is kept after the last note (ms).
KEPT_MS: Final = 7 * 24 * 3_600_000
#: Most players that are kept for a hash, and most hashes of a player; further ones replace the oldest.
_MOST_PLAYERS: Final = 200
_MOST_MARKS: Final = 20
_BYTES: Final = 8
#: The same note is not stored again for so long (s), so that refused requests cost nothing.
_AGAIN_S: Final = 600.0
_MOST_NOTED: Final = 10_000

What = Literal["address", "identity"]


class Alike(NamedTuple):
    """A player (id) who shares an address or an external account, and when that was last noted (ms)."""

    player: str
    what: What
    at: int


class OriginStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client
        #: What was noted -> until when it is not noted again (s, monotonic).
        self._noted: Final[dict[tuple[str, str], float]] = {}

    @translate_errors
    def note(self, player: str, what: What, text: str, now: int) -> None:
        """Note from where a player comes. Two round trips, or none if this was just noted."""
        entry = (player, f"{what}|{text}")
        if self._noted.get(entry, 0.0) > monotonic():
            return
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.set(keys.ORIGIN_KEY, token_bytes(32), nx=True)
        pipeline.pexpire(keys.ORIGIN_KEY, KEPT_MS)
        pipeline.get(keys.ORIGIN_KEY)
        mark = f"{what}-{hmac.digest(pipeline.execute()[-1], entry[1].encode(), 'sha256')[:_BYTES].hex()}"
        pipeline = self._redis.pipeline(transaction=False)
        for name, member, most in (
            (keys.origin(mark), player, _MOST_PLAYERS),
            (keys.origins_of(player), mark, _MOST_MARKS),
        ):
            pipeline.zadd(name, {member: now})
            pipeline.zremrangebyrank(name, 0, -most - 1)
            pipeline.pexpire(name, KEPT_MS)
        pipeline.execute()
        if len(self._noted) >= _MOST_NOTED:
            self._noted.clear()
        self._noted[entry] = monotonic() + _AGAIN_S

    @translate_errors
    def alike(self, player: str, now: int) -> list[Alike]:
        """Return others who share something with a player, the latest first. Two round trips."""
        marks = [mark.decode() for mark in self._redis.zrangebyscore(keys.origins_of(player), now - KEPT_MS, "+inf")]
        pipeline = self._redis.pipeline(transaction=False)
        for mark in marks:
            pipeline.zrangebyscore(keys.origin(mark), now - KEPT_MS, "+inf", withscores=True)
        shares: dict[tuple[str, What], int] = {}
        for mark, others in zip(marks, pipeline.execute(), strict=True):
            what: What = "identity" if mark.startswith("identity-") else "address"
            for other, at in others:
                if (name := other.decode()) != player:
                    shares[name, what] = max(shares.get((name, what), 0), int(at))
        return sorted((Alike(*pair, at) for pair, at in shares.items()), key=lambda each: -each.at)
