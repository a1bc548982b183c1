"""Tables at which somebody may have to be notified: when to look at each, and how far that is done.

The append of a table with subscribers sets the time (`append.lua`); other appends do not write anything. A look is
claimed with a lease, as due tables are.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Protocol

from service.game.state.types import State
from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.connections.watched import Watched
from service.store.port import StoreCorrupt
from service.store.scripts import Script, translate_errors

_HEED: Final = Script("heed")
_CLAIM: Final = Script("claim_looks")
_LOOKED: Final = Script("looked")


class Seen(NamedTuple):
    """How far a table has been looked at: its version then, and when (ms)."""

    version: int
    at: int


class Claimed(NamedTuple):
    """A table to be looked at.

    Attributes:
        state: the table; None: it cannot be read.
        seen: how far it was looked at before.
        lease: when the claim ends (ms).
    """

    table: str
    state: State | None
    seen: Seen
    lease: int


class Looked(NamedTuple):
    """What came of a look.

    Attributes:
        claimed: the claim; if it is not held any more, nothing happens.
        again: when to look again if nothing happens at the table (ms); None: not.
        after_ms: how long after an append somebody wants to be told; None: nobody wants to.
    """

    claimed: Claimed
    again: int | None
    after_ms: int | None

    def arguments(self) -> tuple[str | int, ...]:
        """Return those of `looked.lua`."""
        state = self.claimed.state
        return (
            self.claimed.table,
            self.claimed.lease,
            state["version"] if state else 0,
            "" if self.again is None else self.again,
            "" if self.after_ms is None else self.after_ms,
        )


class LookStore(Protocol):
    """See the module."""

    def heed(self, tables: Iterable[str], after_ms: int, now: int) -> None:
        """Let tables be looked at now, and so long after each append (at the latest)."""

    def claim(self, now: int, lease_ms: int, limit: int) -> list[Claimed]:
        """Claim tables that are to be looked at, the earliest first."""

    def looked(self, at: int, looks: Iterable[Looked]) -> None:
        """Note that tables have been looked at, and when (ms)."""

    def oldest(self) -> int | None:
        """Return when the table that waits longest was to be looked at (ms)."""


class RedisLookStore:
    """`LookStore` on Redis."""

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client
        self._due: Final = Watched(client, keys.notify)

    @translate_errors
    def heed(self, tables: Iterable[str], after_ms: int, now: int) -> None:
        """See `LookStore.heed`. One round trip for each table."""
        for table in tables:
            _HEED.run(self._redis, (keys.head(table), keys.notify(keys.bucket_of(table))), table, after_ms, now)

    @translate_errors
    def claim(self, now: int, lease_ms: int, limit: int) -> list[Claimed]:
        """See `LookStore.claim`. One or two round trips, and one more for each bucket with work."""
        due = self._due.due(now, limit)
        claimed = []
        for bucket in sorted({bucket for _, _, bucket in due}):
            tables = [table for _, table, its_bucket in due if its_bucket == bucket]
            names = [keys.notify(bucket), *map(keys.head, tables)]
            answer = _CLAIM.run(self._redis, names, now, now + lease_ms, *tables)
            claimed += [_claimed(row, now + lease_ms) for row in answer]
        return claimed

    @translate_errors
    def looked(self, at: int, looks: Iterable[Looked]) -> None:
        """See `LookStore.looked`. One round trip for each bucket."""
        by_bucket: dict[int, list[Looked]] = defaultdict(list)
        for look in looks:
            by_bucket[keys.bucket_of(look.claimed.table)].append(look)
        for bucket, its in by_bucket.items():
            given = [argument for look in its for argument in look.arguments()]
            names = [keys.notify(bucket), *(keys.head(look.claimed.table) for look in its)]
            _LOOKED.run(self._redis, names, at, *given)

    @translate_errors
    def oldest(self) -> int | None:
        """See `LookStore.oldest`. One round trip."""
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
        # Whoever acts there is told; here it must not hold up the others.
        return Claimed(name, None, Seen(int(version), lease), lease)
    last = seen.split()
    return Claimed(name, state, Seen(int(last[0]), int(last[1])) if len(last) == 2 else Seen(0, 0), lease)
