"""Compaction of logs: the latest events of a table are entries of its log; older ones are stored in chunks.

An append that finds a long log marks the table; the clock compacts marked tables in the background (`tidy`). A chunk
holds `CHUNK_EVENTS` events. The chunk that completes a book absorbs the chunks before it, since many events compress
better than few.
"""

import logging
from collections.abc import Iterable
from typing import Any, Final

from service.game.events import needs
from service.game.events.types import Event
from service.store import chunks, codec, keys
from service.store.connections.commands import Client, Entry
from service.store.port import StoreCorrupt, StoreTooNew
from service.store.scripts import Script

_log: Final = logging.getLogger(__name__)

#: Events of a chunk, and of a book (a multiple of it).
CHUNK_EVENTS: Final = 32
BOOK_EVENTS: Final = 16 * CHUNK_EVENTS
#: Events that stay in the log, so that streams slightly behind do not need to read chunks.
_LATEST_EVENTS: Final = 8
#: Length from which a log is compacted.
LONG_LOG: Final = CHUNK_EVENTS + _LATEST_EVENTS

_COMPACT: Final = Script("compact")


def latest(client: Client, table: str, after: int, limit: int) -> list[Event]:
    """Return at most `limit` events with seq > `after` from the log."""
    return events_of(client.xrange(keys.log(table), f"{after + 1}-0", "+", limit), table)


def older(client: Client, table: str, after: int, limit: int) -> list[Event]:
    """Return at least `limit` events with seq > `after` from the chunks, or all if there are fewer."""
    events: list[Event] = []
    for entry in client.xrange(keys.old(table), f"{after + 1}-0", "+", limit // CHUNK_EVENTS + 2):
        if len(events) >= limit:
            break
        events += [event for event in unpacked(entry, table) if event["seq"] > after]
    return events


def compact(client: Client, table: str) -> bool:
    """Move events from the log into chunks until it is short; return whether any were moved."""
    moved = False
    try:
        while len(entries := client.xrange(keys.log(table), "-", "+", LONG_LOG)) == LONG_LOG:
            first = seq_of(entries[0])
            # Chunks end at multiples of CHUNK_EVENTS, wherever the log begins.
            events = events_of(entries[: CHUNK_EVENTS - (first - 1) % CHUNK_EVENTS], table)
            last = events[-1]["seq"]
            absorbed = _book(client, table, last) if last % BOOK_EVENTS == 0 else []
            events = [event for entry in absorbed for event in unpacked(entry, table)] + events
            ids = [entry[0] for entry in absorbed]
            names = (keys.log(table), keys.old(table))
            schema = codec.named(chunks.CHUNK, needs.latest(map(needs.needs_of, events)))
            if not _COMPACT.run(client, names, first, last, schema, chunks.pack(events), *ids):
                break
            moved = True
    except StoreTooNew:
        # A process of a later release compacts it, after the next append.
        pass
    except StoreCorrupt:
        # Leave the log for manual repair; other tables are not affected.
        _log.exception("cannot compact the log of %s", table)
    return moved


def _book(client: Client, table: str, last: int) -> list[Any]:
    """Return the chunks before the one that ends with `last` and completes a book."""
    entries = client.xrange(keys.old(table), f"{last - BOOK_EVENTS + 1}-0", f"{last - 1}-0")
    return list(entries)


def events_of(entries: Iterable[Entry], table: str) -> list[Event]:
    """Return the events of entries of a log."""
    return [codec.decode_event(fields, f"event {seq.decode()} of {table}") for seq, fields in entries]


def unpacked(entry: Entry, table: str) -> list[Event]:
    """Return the events of an entry of `old`."""
    seq, fields = entry
    what = f"events up to {seq.decode()} of {table}"
    return chunks.unpack(codec.field_of(chunks.CHUNK, fields, what), what)


def seq_of(entry: Entry) -> int:
    """Return the seq in the id of an entry."""
    return int(entry[0].partition(b"-")[0])
