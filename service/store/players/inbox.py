"""The inbox of an account: its events that must outlast the process in which they occur.

The seq of an event is its time (ms), or the previous seq + 1 if that is greater. So seqs grow even after the inbox has
expired or lost its last events, and show whether later events may have been lost.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from service.common.fastjson import dumps
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

#: Most events in the inbox of a player; the oldest are dropped.
MOST_NOTES: Final = 500
#: How long an inbox lives after its last event (ms).
INBOX_MS: Final = 7 * 24 * 3_600_000

_PUT: Final = Script("put_event", "inbox")


class Note(NamedTuple):
    """An event of an account.

    Attributes:
        type: type of the event; "": no event.
        at: time (ms).
        data: details, as JSON.
        seq: its number in the inbox.
    """

    type: str
    at: int
    data: Mapping[str, Any]
    seq: int = 0


NOTHING: Final = Note("", 0, {})
#: The name shown for a deleted player.
DELETED_NAME: Final = "Deleted player"


class Extent(NamedTuple):
    """The first and last seq of an inbox (0 if empty), and whether earlier events may have been dropped."""

    first: int
    last: int
    is_full: bool


class InboxStore:
    """Inboxes. New events are announced to the player's streams."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def put(self, player: str, note: Note, same: str) -> bool:
        """Add an event to the inbox of a player; False if there is no such player, or the same event is there already.

        Args:
            player: id of the player.
            note: the event.
            same: field of its data; an event of the same type with the same value there is the same event.
        """
        parts = [dumps(part)[1:-1] for part in ({"type": note.type}, {same: note.data[same]})]
        names = (keys.RECORDS, keys.inbox(player), keys.notices_of(player), keys.NOTIFY)
        return bool(_PUT.run(self._redis, names, *put_arguments(player, note), *parts))

    @translate_errors
    def after(self, player: str, seq: int, limit: int) -> list[Note]:
        """Return at most `limit` events after a seq, in order, with the present names of other players.

        One round trip, and one more if an event names a player.
        """
        entries = self._redis.xrange(keys.inbox(player), f"{seq + 1}-0", "+", limit)
        notes = [_note(entry, fields, player) for entry, fields in entries]
        named = list(dict.fromkeys(note.data["player"] for note in notes if _is_named(note)))
        if not named:
            return notes
        stored = zip(named, self._redis.hmget(keys.RECORDS, named), strict=True)
        names = {each: codec.decode(codec.PLAYER, record, each)["name"] for each, record in stored if record}
        return [
            note._replace(data={**note.data, "name": names.get(note.data["player"], DELETED_NAME)})
            if _is_named(note)
            else note
            for note in notes
        ]

    @translate_errors
    def extent(self, player: str) -> Extent:
        """Return the extent of an inbox. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.xrange(keys.inbox(player), "-", "+", 1)
        pipeline.xrevrange(keys.inbox(player), "+", "-", 1)
        pipeline.xlen(keys.inbox(player))
        first, last, count = pipeline.execute()
        return (
            Extent(_seq(first[0][0]), _seq(last[0][0]), count >= MOST_NOTES) if first and last else Extent(0, 0, False)
        )

    @translate_errors
    def opened(self, player: str, token: str, number: str) -> None:
        """Announce to all processes that a token (id) has opened a stream of the account; numbers increase."""
        self._redis.publish(keys.NEWS, f"{player} {token} {number}")


def put_arguments(player: str, note: Note) -> tuple[str | bytes | int, ...]:
    """Return the arguments of `put_event` in `inbox.lua`."""
    return note.at, codec.NOTE, stored_note(note), MOST_NOTES, INBOX_MS, keys.NEWS, player


def stored_note(note: Note) -> bytes:
    """Return an event as stored; b"" for no event.

    Names of other players are left out: they are read from the records, so that an erased player has none.
    """
    data = {**note.data, "name": ""} if _is_named(note) else note.data
    return dumps({"type": note.type, "at": note.at, **data}) if note.type else b""


def _is_named(note: Note) -> bool:
    return "player" in note.data and "name" in note.data


def _note(entry: bytes, fields: dict[bytes, bytes], player: str) -> Note:
    stored = codec.decode_field(codec.NOTE, fields, f"inbox of {player}")
    return Note(stored.pop("type"), stored.pop("at"), stored, _seq(entry))


def _seq(entry: bytes) -> int:
    return int(entry.partition(b"-")[0])
