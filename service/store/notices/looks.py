"""Tables whose players may have to be notified: when to look at each, and how far it has been processed.

An append to a table with subscribers sets the time (`append.lua`); other appends do not write it. A look is claimed
with a lease, like due tables.
"""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, NamedTuple

from service.game.events.needs import understood
from service.game.state.types import State
from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.connections.watched import Watched
from service.store.port import StoreCorrupt, StoreTooNew
from service.store.scripts import Script, translate_errors

_HEED: Final = Script("heed")
_CLAIM: Final = Script("claim_looks", "leave")
#: How long a messenger leaves a table alone that needs a later release (ms); see `leave.lua`.
_LEFT_MS: Final = 10_000
_LOOKED: Final = Script("looked")


class Seen(NamedTuple):
    """The last look at a table: the table's version, and the time (ms)."""

    version: int
    at: int


class Claimed(NamedTuple):
    """A table to be looked at.

    Attributes:
        state: the table; None: it cannot be read.
        seen: the previous look.
        lease: end of the claim (ms).
    """

    table: str
    state: State | None
    seen: Seen
    lease: int


class Looked(NamedTuple):
    """The result of a look.

    Attributes:
        claimed: the claim; without effect if the lease has ended.
        again: when to look again if nothing happens at the table (ms), or None.
        after_ms: delay between an append and the next look; None: no subscribers left.
    """

    claimed: Claimed
    again: int | None
    after_ms: int | None

    def arguments(self) -> tuple[str | int, ...]:
        """Return the arguments of `looked.lua`."""
        state = self.claimed.state
        return (
            self.claimed.table,
            self.claimed.lease,
            state["version"] if state else 0,
            "" if self.again is None else self.again,
            "" if self.after_ms is None else self.after_ms,
        )


class LookStore:
    """See the module."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client
        self._due: Final = Watched(client, keys.notify)

    def close(self) -> None:
        """Give back the connections that hear of changes."""
        self._due.close()

    @translate_errors
    def heed(self, tables: Iterable[str], after_ms: int, now: int) -> None:
        """Schedule a look at tables now, and `after_ms` after each append (at the latest).

        One round trip for each table.
        """
        for table in tables:
            _HEED.run(self._redis, (keys.head(table), keys.notify(keys.bucket_of(table))), table, after_ms, now)

    @translate_errors
    def claim(self, now: int, lease_ms: int, limit: int) -> list[Claimed]:
        """Claim tables that are due for a look, the earliest first.

        One or two round trips, and one more for each bucket with work.
        """
        due = self._due.due(now, limit)
        claimed = []
        for bucket in sorted({bucket for _, _, bucket in due}):
            tables = [table for _, table, its_bucket in due if its_bucket == bucket]
            names = [keys.notify(bucket), *map(keys.head, tables)]
            answer = _CLAIM.run(self._redis, names, now, now + lease_ms, understood(), now + _LEFT_MS, *tables)
            for row in answer:
                # Later numbers of a schema: their tables are due again when the lease ends.
                with suppress(StoreTooNew):
                    claimed.append(_claimed(row, now + lease_ms))
        return claimed

    @translate_errors
    def looked(self, at: int, looks: Iterable[Looked]) -> None:
        """Record looks at tables, and their time (ms). One round trip for each bucket."""
        by_bucket: dict[int, list[Looked]] = defaultdict(list)
        for look in looks:
            by_bucket[keys.bucket_of(look.claimed.table)].append(look)
        for bucket, its in by_bucket.items():
            given = [argument for look in its for argument in look.arguments()]
            names = [keys.notify(bucket), *(keys.head(look.claimed.table) for look in its)]
            _LOOKED.run(self._redis, names, at, *given)

    @translate_errors
    def oldest(self) -> int | None:
        """Return the earliest time for which a look is scheduled (ms). One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        for bucket in range(keys.buckets()):
            pipeline.zrange(keys.notify(bucket), 0, 0, withscores=True)
        return min((int(at) for found in pipeline.execute() for _, at in found), default=None)


def _claimed(row: list[bytes], lease: int) -> Claimed:
    table, version, snapshot, setup, seen = row
    name = table.decode()
    try:
        state = codec.decode_state(snapshot, setup or None, f"snapshot of {name}")
    except StoreCorrupt:
        # Requests to the table report the error; here it must not block other tables.
        return Claimed(name, None, Seen(int(version), lease), lease)
    last = seen.split()
    return Claimed(name, state, Seen(int(last[0]), int(last[1])) if len(last) == 2 else Seen(0, 0), lease)
