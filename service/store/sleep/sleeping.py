"""Putting tables to sleep, reading them while they sleep, and waking them.

A table sleeps when nobody has acted or looked for an hour and nothing is due soon. Then its head has a version below
zero and one value (`asleep`), which has the log, chunks and standing orders too; it stays in `due` and in lists that
people look at. Reading it changes nothing. An append and whatever uses its orders wake it first.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import sha1
from itertools import islice
from typing import Final, NamedTuple

from service.game.events.types import Event
from service.store import chunks, codec, compaction, keys
from service.store.connections.commands import Client, Entry
from service.store.port import ORDERS_KEPT_MS, StoreCorrupt, StoreTooNew
from service.store.scripts import Script, translate_errors
from service.store.sleep import asleep
from service.store.sleep.asleep import Book, Sleeper
from service.store.values import names_of

_log: Final = logging.getLogger(__name__)

#: Tables of which it is asked at once whether they may sleep.
_ASKED: Final = 500
#: A version of 1 stays awake: -1 is what an append tells of another history.
_LEAST_VERSION: Final = 2

_MAY_SLEEP: Final = Script("may_sleep")
_READ: Final = Script("read_table")
_SLEEP: Final = Script("sleep")
_ROUSE: Final = Script("rouse")


class Changed(NamedTuple):
    """A table is awake, or has woken while it was read: its version, 0 if there is none."""

    version: int


def is_asleep(version: bytes | int | None) -> bool:
    """Return whether the version in a head is that of a sleeping table."""
    return version is not None and int(version) < 0


def events(client: Client, table: str, after: int, limit: int) -> list[Event] | Changed:
    """Return at most `limit` events with seq > `after` of a table that sleeps. One or two round trips.

    Raises:
        StoreCorrupt, StoreTooNew: see `asleep.unpack`.
    """
    version, value = client.hmget(keys.head(table), "v", "s")
    if not is_asleep(version):
        return Changed(int(version or 0))
    what = f"events of {table}, which sleeps"
    sleeper = asleep.unpack(value, what)
    # Each but the first has as many events as a book.
    wanted = [book.field for book in sleeper.books if book.last > after][: limit // compaction.BOOK_EVENTS + 2]
    now, *books = client.hmget(keys.head(table), "v", *wanted) if wanted else [version]
    if now != version:
        return Changed(abs(int(now or 0)))
    there_are = [book for book in books if book is not None]
    if len(there_are) < len(books):
        raise StoreCorrupt(f"{what}: a book is missing")
    return sleeper.events(after, limit, there_are, what)


def rouse(client: Client, table: str) -> bool:
    """Wake a table; return whether it slept. One round trip, and one more if it sleeps.

    Raises:
        StoreCorrupt, StoreTooNew: it cannot be read; nothing has changed.
    """
    head = client.hgetall(keys.head(table))
    if not is_asleep(head.get(b"v")):
        return False
    what, value = f"value of {table}, which sleeps", head.get(b"s", b"")
    sleeper = asleep.unpack(value, what)
    last, old = sleeper.last, list[tuple[int, str, bytes]]()
    for book in sleeper.books:
        if (packed := head.get(book.field.encode())) is None:
            raise StoreCorrupt(f"{what}: its events up to {book.last} are missing")
        old.append((book.last, book.needs, packed))
    if sleeper.since:
        old.append((last["seq"] - 1, sleeper.needs, chunks.compressed(sleeper.since)))
    entries: list[str | bytes] = [_id(last["seq"]), codec.named(codec.EVENT, sleeper.needs), codec.encode_event(last)]
    entries += [part for seq, needs, packed in old for part in (_id(seq), codec.named(chunks.CHUNK, needs), packed)]
    _ROUSE.run(
        client,
        (*_own(table), keys.due(keys.bucket_of(table)), keys.owed(keys.bucket_of(table))),
        table,
        sha1(value, usedforsecurity=False).hexdigest(),
        -int(head[b"v"]),
        sleeper.snapshot,
        sleeper.setup,
        sleeper.needs,
        ORDERS_KEPT_MS,
        len(old),
        *entries,
        *(part for pair in sleeper.orders.items() for part in pair),
    )
    return True


class SleepingTables:
    """Puts tables to sleep. Any number of processes may do so at the same time.

    Args:
        client: for commands.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, client: Client, now: Callable[[], int]) -> None:
        self._redis: Final = client
        self._now: Final = now
        self._is_noted = False

    @translate_errors
    def begin(self, every_ms: int) -> bool:
        """Return whether it is time to look at all tables again; no other process does so for `every_ms`."""
        return bool(self._redis.set(keys.SLEEP_LOOK, "1", nx=True, px=every_ms))

    def put_to_sleep(self, idle_ms: int) -> Iterator[bool]:
        """Put tables to sleep at which nobody has acted or looked for a while and nothing is due for as long.

        Yields for each of them whether it sleeps now; if not, somebody has acted, it cannot be read, or it needs a
        later release. Reads the names of all keys, in parts.
        """
        for tables in self._awake():
            for table in self._that_may(tables, idle_ms):
                try:
                    yield self._sleep(table)
                except StoreCorrupt:
                    # Leave it for manual repair; other tables are not affected.
                    _log.exception("cannot put %s to sleep", table)
                    yield False

    def wake_all(self) -> Iterator[tuple[str, bool]]:
        """Wake all sleeping tables, for a release that does not know them.

        Yields each that slept, and whether it is awake now; if not, it cannot be read.
        """
        for table in names_of(self._redis, keys.TABLES):
            try:
                if self._rouse(table):
                    yield table, True
            except (StoreCorrupt, StoreTooNew):
                _log.exception("cannot wake %s", table)
                yield table, False

    @translate_errors
    def _rouse(self, table: str) -> bool:
        return rouse(self._redis, table)

    def _awake(self) -> Iterator[list[str]]:
        """Yield the tables that have a log, some at a time."""
        names = iter(names_of(self._redis, keys.LOGS))
        while some := list(islice(names, _ASKED)):
            yield some

    @translate_errors
    def _that_may(self, tables: Collection[str], idle_ms: int) -> list[str]:
        """Return those of some tables that may sleep. One round trip for each bucket."""
        of_bucket: dict[int, list[str]] = defaultdict(list)
        for table in tables:
            of_bucket[keys.bucket_of(table)].append(table)
        until, those = self._now() + idle_ms, []
        for bucket, its in of_bucket.items():
            names = (keys.due(bucket), keys.lobby(bucket), *map(keys.log, its))
            those += _MAY_SLEEP.run(self._redis, names, idle_ms // 1000, until, *its)
        return [table.decode() for table in those]

    @translate_errors
    def _sleep(self, table: str) -> bool:
        """Put a table to sleep, unless it changes meanwhile; return whether it sleeps. Two round trips."""
        (version, checksum, snapshot, setup, needs), *read = _READ.run(self._redis, _own(table))
        its_log, its_old, its_orders = _entries(read[0]), _entries(read[1]), _pairs(read[2])
        if int(version or 0) < _LEAST_VERSION or not its_log:
            return False
        try:
            codec.decode_state(snapshot, setup, f"snapshot of {table}")
            books, since, last = _sorted(its_old, its_log, table)
        except StoreTooNew:
            return False
        told = {name.decode(): value.decode() for name, value in its_orders.items()}
        sleeper = Sleeper((needs or b"").decode(), snapshot, setup or b"", told, [*books], since, last)
        if not self._is_noted:
            # First, so that no data need a release that is not noted. What events need is noted by appends.
            self._redis.sadd(keys.NEEDS, asleep.SINCE)
            self._is_noted = True
        bucket = keys.bucket_of(table)
        answer = _SLEEP.run(
            self._redis,
            (*_own(table), keys.long(bucket), keys.owed(bucket)),
            table,
            version,
            checksum or b"",
            asleep.needs_of(sleeper.needs),
            len(its_orders),
            *(part for pair in its_orders.items() for part in pair),
            "s",
            asleep.pack(sleeper),
            *(part for book, packed in books.items() for part in (book.field, packed)),
        )
        return bool(answer)


def _sorted(old: Collection[Entry], log: Collection[Entry], table: str) -> tuple[dict[Book, bytes], bytes, Event]:
    """Return the books of a table, the text of all events since but the last, and the last event."""
    books, since = dict[Book, bytes](), list[Event]()
    for entry in old:
        seq = compaction.seq_of(entry)
        if seq % compaction.BOOK_EVENTS:
            since += compaction.unpacked(entry, table)
        else:
            field, packed = next(iter(entry[1].items()))
            books[Book(seq, codec.needs_in(field))] = packed
    since += compaction.events_of(log, table)
    last = since.pop()
    return books, chunks.text_of(since) if since else b"", last


def _entries(raw: Iterable[tuple[bytes, list[bytes]]]) -> list[Entry]:
    """Return entries of a stream as a script returns them."""
    return [(seq, _pairs(fields)) for seq, fields in raw]


def _pairs(raw: list[bytes]) -> dict[bytes, bytes]:
    """Return fields and values of a hash or an entry as a script returns them."""
    return dict(zip(raw[::2], raw[1::2], strict=True))


def _id(seq: int) -> str:
    return f"{seq}-0"


def _own(table: str) -> tuple[str, str, str, str]:
    """Return the keys of a table that go into the value, and that of its head."""
    return keys.head(table), keys.log(table), keys.old(table), keys.orders(table)
