"""The inbox of an account: those of its events that must outlast the process in which they happen.

The seq of an event is the time when it was put there (ms), or one more than that of the event before. So it grows also
after the inbox has expired or lost its last events, and a seq tells whether something after it may be gone already.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from service.common.fastjson import dumps
from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.scripts import Script, translate_errors

#: Most events in the inbox of a player; the oldest go.
MOST_NOTES: Final = 500
#: How long an inbox lives after its last event (ms).
INBOX_MS: Final = 7 * 24 * 3_600_000

_PUT: Final = Script("put_event", "inbox")


class Note(NamedTuple):
    """An event of an account.

    Attributes:
        type: what has happened; "": nothing.
        at: when (ms).
        data: the details; JSON.
        seq: its number, once it is in an inbox.
    """

    type: str
    at: int
    data: Mapping[str, Any]
    seq: int = 0


NOTHING: Final = Note("", 0, {})


class Extent(NamedTuple):
    """From which event to which an inbox reaches, and whether there may have been more before; 0: it is empty."""

    first: int
    last: int
    is_full: bool


class InboxStore(Protocol):
    """Inboxes. A player's streams are told of what is put there."""

    def put(self, player: str, note: Note, same: str) -> bool:
        """Put an event into the inbox of a player; False: there is no such player, or an event like it is there.

        Args:
            player: whose inbox.
            note: the event.
            same: the member of its data that no other event has with this value.
        """

    def after(self, player: str, seq: int, limit: int) -> list[Note]:
        """Return at most `limit` events after a seq, in order."""

    def extent(self, player: str) -> Extent:
        """Return how far an inbox reaches."""

    def opened(self, player: str, token: str, number: str) -> None:
        """Tell all processes that a stream of the account has been opened with a token (id); numbers grow."""


class RedisInboxStore:
    """`InboxStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client

    @translate_errors
    def put(self, player: str, note: Note, same: str) -> bool:
        """See `InboxStore.put`."""
        part = dumps({same: note.data[same]})[1:-1]
        names = (keys.RECORDS, keys.inbox(player), keys.notices_of(player), keys.NOTIFY)
        return bool(_PUT.run(self._redis, names, *put_arguments(player, note), part))

    @translate_errors
    def after(self, player: str, seq: int, limit: int) -> list[Note]:
        """See `InboxStore.after`. One round trip."""
        found = self._redis.xrange(keys.inbox(player), f"{seq + 1}-0", "+", limit)
        return [_note(entry, fields, player) for entry, fields in found]

    @translate_errors
    def extent(self, player: str) -> Extent:
        """See `InboxStore.extent`. One round trip."""
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
        """See `InboxStore.opened`."""
        self._redis.publish(keys.NEWS, f"{player} {token} {number}")


def put_arguments(player: str, note: Note) -> tuple[str | bytes | int, ...]:
    """Return the arguments of `put_event` in `inbox.lua`."""
    return note.at, codec.NOTE, stored_note(note), MOST_NOTES, INBOX_MS, keys.NEWS, player


def stored_note(note: Note) -> bytes:
    """Return an event as it is stored; nothing: b""."""
    return dumps({"type": note.type, "at": note.at, **note.data}) if note.type else b""


def _note(entry: bytes, fields: dict[bytes, bytes], player: str) -> Note:
    stored = codec.decode_field(codec.NOTE, fields, f"inbox of {player}")
    return Note(stored.pop("type"), stored.pop("at"), stored, _seq(entry))


def _seq(entry: bytes) -> int:
    return int(entry.partition(b"-")[0])
