"""From where the players of an event play, as keyed hashes: equal ones say that accounts share an address or a browser.

The key is random for each event, stored beside the hashes, and expires with them, so nothing that stays can be compared
with an address.
"""

import hmac
from collections.abc import Mapping
from secrets import token_bytes
from typing import Final

from service.common import fastjson
from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import translate_errors

#: How long hashes are kept after the last board was begun (ms).
KEPT_MS: Final = 7 * 24 * 3_600_000
#: Most hashes of a kind that are kept of a player.
_MOST: Final = 8
_KEY: Final = "key"
_BYTES: Final = 8


class MarkStore:
    """The hashes of an event's players."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def note(self, event: str, player: str, by_mark: Mapping[str, str]) -> None:
        """Note what a player shares with others (kind -> text). Two round trips at most."""
        name = keys.event_marks(event)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hsetnx(name, _KEY, token_bytes(32))
        pipeline.pexpire(name, KEPT_MS)
        pipeline.hmget(name, _KEY, player)
        key, stored = pipeline.execute()[-1]
        known: dict[str, list[str]] = {} if stored is None else fastjson.loads(stored)
        marks = {kind: _added(known.get(kind, []), _mark(key, kind, text)) for kind, text in by_mark.items()}
        if marks != known:
            self._redis.hset(name, player, fastjson.dumps(marks))

    @translate_errors
    def marks(self, event: str) -> dict[str, dict[str, list[str]]]:
        """Return player -> kind -> hashes."""
        stored = self._redis.hgetall(keys.event_marks(event))
        return {name.decode(): fastjson.loads(marks) for name, marks in stored.items() if name != _KEY.encode()}


def _added(known: list[str], mark: str) -> list[str]:
    return known if mark in known else [*known, mark][-_MOST:]


def _mark(key: bytes, kind: str, text: str) -> str:
    return hmac.digest(key, f"{kind}|{text}".encode(), "sha256")[:_BYTES].hex()
