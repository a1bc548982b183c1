"""Where the events of a table lie: the latest one by one in its log, those before in chunks, and how they get there.

A log that grows long is noted by the append that finds it so, and compacted by whoever calls `tidy`, beside the traffic
and not in it. Chunks hold `EACH` events; the one that completes a book takes in the chunks before it, since much
compresses better than little.
"""

import logging
from typing import Any, Final

from service.store import chunks, codec, keys
from service.store.clients import Script
from service.store.port import Event, StoreCorrupt

_log: Final = logging.getLogger(__name__)

#: Events of a chunk, and of a book: a multiple of it.
EACH: Final = 32
BOOK: Final = 16 * EACH
#: What stays in the log, so that whoever reads along is not sent to a chunk for the event before last.
_KEPT: Final = 8
#: A log of so many events is compacted.
LONG: Final = EACH + _KEPT

_COMPACT: Final = Script("compact")


def latest(client: Any, table: str, after: int, limit: int) -> list[Event]:
    """Return at most `limit` events with seq > `after` from the log."""
    return _events(client.xrange(keys.log(table), f"{after + 1}-0", "+", limit), table)


def older(client: Any, table: str, after: int, limit: int) -> list[Event]:
    """Return at least `limit` events with seq > `after` from the chunks, or all that there are."""
    events: list[Event] = []
    for entry in client.xrange(keys.old(table), f"{after + 1}-0", "+", limit // EACH + 2):
        if len(events) >= limit:
            break
        events += [event for event in _unpacked(entry, table) if event["seq"] > after]
    return events


def compact(client: Any, table: str) -> bool:
    """Move events from the log into chunks until it is short; return whether there were any."""
    moved = False
    try:
        while len(entries := client.xrange(keys.log(table), "-", "+", LONG)) == LONG:
            first = _seq(entries[0])
            # Chunks end at multiples of EACH, whatever the log begins with.
            events = _events(entries[: EACH - (first - 1) % EACH], table)
            last = events[-1]["seq"]
            taken_in = _book(client, table, last) if last % BOOK == 0 else []
            events = [event for entry in taken_in for event in _unpacked(entry, table)] + events
            ids = [entry[0] for entry in taken_in]
            names = (keys.log(table), keys.old(table))
            if not _COMPACT.run(client, names, first, last, chunks.CHUNK, chunks.pack(events), *ids):
                break
            moved = True
    except StoreCorrupt:
        # It stays as it is, for whoever mends it; the others are not to suffer.
        _log.exception("a log cannot be compacted")
    return moved


def _book(client: Any, table: str, last: int) -> list[Any]:
    """Return the chunks before the one that ends with `last` and completes a book."""
    entries = client.xrange(keys.old(table), f"{last - BOOK + 1}-0", f"{last - 1}-0")
    return list(entries)


def _events(entries: Any, table: str) -> list[Event]:
    return [codec.decode_event(fields, f"event {seq.decode()} of {table}") for seq, fields in entries]


def _unpacked(entry: Any, table: str) -> list[Event]:
    seq, fields = entry
    what = f"events up to {seq.decode()} of {table}"
    if chunks.CHUNK not in fields:
        raise StoreCorrupt(f"{what}: unknown schema {sorted(fields)!r}, not {chunks.CHUNK!r}")
    return chunks.unpack(fields[chunks.CHUNK], what)


def _seq(entry: Any) -> int:
    return int(entry[0].partition(b"-")[0])
