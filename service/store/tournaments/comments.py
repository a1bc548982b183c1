"""What commentators say of the boards of a shown event.

A hash for each event, with a field for each player who is or has been a commentator: also before there is a word, so
that export and erasure find the events of a player.
"""

from collections.abc import Callable, Collection
from typing import Final, TypedDict

from service.common import fastjson
from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

#: Most players of an event who are or have been commentators.
MOST_AUTHORS: Final = 24
_NONE: Final = b"[]"
_REPLACE: Final = Script("replace_field")


class Comment(TypedDict):
    """Words that go with a board: their id, the number of the board, the text, and the time (ms)."""

    id: str
    board: int
    text: str
    at: int


class CommentStore:
    """See the module. All round trips are to the slot of the event."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def admit(self, event: str, players: Collection[str]) -> bool:
        """Note players as commentators, and forget those without a word who are none any more.

        Returns:
            Whether there is room for them; if not, nothing changes.
        """
        name, left_ms = keys.event_comments(event), self._redis.pttl(keys.event(event))
        known: dict[bytes, bytes] = self._redis.hgetall(name)
        silent = {player for player, stored in known.items() if stored == _NONE and player.decode() not in players}
        stay = {player.decode() for player in known} - {player.decode() for player in silent}
        if len(stay | {*players}) > MOST_AUTHORS or left_ms <= 0:
            return False
        pipeline = self._redis.pipeline(transaction=False)
        if silent:
            pipeline.hdel(name, *silent)
        for player in players:
            pipeline.hsetnx(name, player, _NONE)
        pipeline.pexpire(name, left_ms)
        pipeline.execute()
        return True

    @translate_errors
    def change(self, event: str, player: str, change: Callable[[list[Comment]], list[Comment]]) -> bool:
        """Apply a pure function to what a player has said.

        Returns:
            Whether it is stored; not if they are not known as a commentator.
        """
        name = keys.event_comments(event)
        while (stored := self._redis.hget(name, player)) is not None:
            after = fastjson.dumps(change(fastjson.loads(stored)))
            if after == stored or _REPLACE.run(self._redis, (name,), player, stored, after):
                return True
        return False

    @translate_errors
    def of_event(self, event: str) -> dict[str, list[Comment]]:
        """Return player -> what they have said of an event."""
        stored = self._redis.hgetall(keys.event_comments(event))
        return {player.decode(): fastjson.loads(said) for player, said in stored.items()}

    @translate_errors
    def of_player(self, player: str, events: Collection[str]) -> dict[str, list[Comment]]:
        """Return event -> what a player has said of it, of some events. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for event in events:
            pipeline.hget(keys.event_comments(event), player)
        stored = dict(zip(events, pipeline.execute(), strict=True)) if events else {}
        return {event: fastjson.loads(said) for event, said in stored.items() if said is not None}

    @translate_errors
    def erase(self, player: str, events: Collection[str]) -> None:
        """Delete what a player has said of some events."""
        for event in events:
            self._redis.hdel(keys.event_comments(event), player)
