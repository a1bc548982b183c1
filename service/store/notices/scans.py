"""Tables whose players may have to be notified: when to scan each, and how far it has been processed.

An append to a table with subscribers sets the time (`append.lua`); other appends do not write it. Scans are leased
like due tables.
"""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from service.game.events.needs import understood
from service.game.state.types import State
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.connections.watched import Watched
from service.store.port import StoreCorrupt, StoreTooNew
from service.store.scripts import Script, translate_errors
from service.store.sleep import asleep
from service.store.sleep.sleeping import is_asleep

_SCHEDULE: Final = Script("schedule_scan")
_LEASE: Final = Script("lease_scans", "leave")
#: How long a messenger leaves a table alone that needs a later release (ms); see `leave.lua`.
_LEFT_MS: Final = 10_000
_RECORD: Final = Script("record_scans", "asleep")


class LastScan(NamedTuple):
    """The last scan of a table: the table's version, and the time (ms)."""

    version: int
    at: int


class ScanLease(NamedTuple):
    """A table to be scanned.

    Attributes:
        state: the table; None: it cannot be read.
        last: the previous scan.
        until: when the lease ends (ms).
    """

    table: str
    state: State | None
    last: LastScan
    until: int


class ScanResult(NamedTuple):
    """The result of a scan.

    Attributes:
        lease: of the table; the result has no effect if it has ended.
        again: when to scan again if nothing happens at the table (ms), or None.
        after_ms: delay between an append and the next scan; None: no subscribers left.
    """

    lease: ScanLease
    again: int | None
    after_ms: int | None

    def arguments(self) -> tuple[str | int, ...]:
        """Return the arguments of `record_scans.lua`."""
        state = self.lease.state
        return (
            self.lease.table,
            self.lease.until,
            state["version"] if state else 0,
            "" if self.again is None else self.again,
            "" if self.after_ms is None else self.after_ms,
        )


class ScanSchedule:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client
        self._due: Final = Watched(client, keys.notify)

    def close(self) -> None:
        """Give back the connections that hear of changes."""
        self._due.close()

    @translate_errors
    def schedule(self, tables: Iterable[str], after_ms: int, now: int) -> None:
        """Schedule a scan of tables now, and `after_ms` after each append (at the latest).

        One round trip for each table.
        """
        for table in tables:
            _SCHEDULE.run(self._redis, (keys.head(table), keys.notify(keys.bucket_of(table))), table, after_ms, now)

    @translate_errors
    def lease(self, now: int, lease_ms: int, limit: int) -> list[ScanLease]:
        """Lease tables that are due for a scan, the earliest first.

        One or two round trips, and one more for each bucket with work.
        """
        due = self._due.due(now, limit)
        leases = []
        for bucket in sorted({bucket for _, _, bucket in due}):
            tables = [table for _, table, its_bucket in due if its_bucket == bucket]
            names = [keys.notify(bucket), *map(keys.head, tables)]
            answer = _LEASE.run(self._redis, names, now, now + lease_ms, understood(), now + _LEFT_MS, *tables)
            for row in answer:
                # Later numbers of a schema: their tables are due again when the lease ends.
                with suppress(StoreTooNew):
                    leases.append(_lease(row, now + lease_ms))
        return leases

    @translate_errors
    def record(self, at: int, results: Iterable[ScanResult]) -> None:
        """Record scans of tables, and their time (ms). One round trip for each bucket."""
        by_bucket: dict[int, list[ScanResult]] = defaultdict(list)
        for result in results:
            by_bucket[keys.bucket_of(result.lease.table)].append(result)
        for bucket, its in by_bucket.items():
            arguments = [argument for result in its for argument in result.arguments()]
            names = [keys.notify(bucket), *(keys.head(result.lease.table) for result in its)]
            _RECORD.run(self._redis, names, at, *arguments)

    @translate_errors
    def oldest(self) -> int | None:
        """Return the earliest time for which a scan is scheduled (ms). One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for bucket in range(keys.buckets()):
            pipeline.zrange(keys.notify(bucket), 0, 0, withscores=True)
        return min((int(at) for entries in pipeline.execute() for _, at in entries), default=None)


def _lease(row: list[bytes], until: int) -> ScanLease:
    table, version, snapshot, setup, mark = row
    name = table.decode()
    what = f"snapshot of {name}"
    try:
        if is_asleep(version):
            state = asleep.unpack(snapshot, what).state(what)
        else:
            state = codec.decode_state(snapshot, setup or None, what)
    except StoreCorrupt:
        # Requests to the table report the error; here it must not block other tables.
        return ScanLease(name, None, LastScan(abs(int(version)), until), until)
    numbers = mark.split()
    last = LastScan(int(numbers[0]), int(numbers[1])) if len(numbers) == 2 else LastScan(0, 0)
    return ScanLease(name, state, last, until)
