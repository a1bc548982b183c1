"""Standing orders of the seats of a table. They lie beside the table, in its slot; nothing in its log tells of them."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypedDict

from service.common import fastjson
from service.store import keys
from service.store.connections.commands import Client
from service.store.port import ORDERS_KEPT_MS
from service.store.scripts import Script, translate_errors
from service.store.sleep import sleeping

#: Longest time between the claim of orders that act and the append (ms); a change of them waits for its end.
ACTING_MS: Final = 5_000
#: Most acts remembered of a seat.
MOST_ACTS: Final = 30
_PAUSE_S: Final = 0.02

_PUT: Final = Script("put_orders", "asleep")
_TAKE: Final = Script("take_orders", "asleep")
_DONE: Final = Script("done_orders", "asleep")
#: What they tell of a table that sleeps.
_SLEEPS: Final = -1


class StoredOrders(TypedDict):
    """The orders of a seat: whose, in which game, in which round they were set, and when (ms)."""

    player: str
    game: str | None
    round: int
    set_at: int
    orders: list[Any]


class Act(TypedDict):
    """An act: whose order, in which round, its number and what it did; seq and time (ms) of its first event."""

    player: str
    round: int
    order: int
    do: str
    seq: int
    at: int


class SeatOrders(NamedTuple):
    """What is stored for a seat, and the same as bytes, to tell whether it has changed."""

    stored: StoredOrders
    raw: bytes


class StandingOrderStore:
    """See the module."""

    def __init__(self, client: Client, now: Callable[[], int]) -> None:
        self._redis: Final = client
        self._now: Final = now

    @translate_errors
    def put(self, table: str, seat: int, orders: StoredOrders | None) -> None:
        """Set or withdraw the orders of a seat; those of before do not act any more once this returns.

        Waits while they act. One round trip, if they do not.
        """
        text = b"" if orders is None else fastjson.dumps(orders)
        names = (keys.orders(table), keys.head(table))
        while wait := _PUT.run(self._redis, names, seat, self._now(), text, ORDERS_KEPT_MS):
            if wait == _SLEEPS:
                sleeping.rouse(self._redis, table)
            else:
                time.sleep(_PAUSE_S)

    @translate_errors
    def of_table(self, table: str, seats: Sequence[int]) -> dict[int, SeatOrders]:
        """Return the orders of seats that have any, and keep them alive. One round trip."""
        values = self._awake(table, [str(seat) for seat in seats], keep=True)
        return {seat: SeatOrders(fastjson.loads(raw), raw) for seat, raw in zip(seats, values, strict=True) if raw}

    @translate_errors
    def take(self, table: str, seat: int, raw: bytes) -> bool:
        """Return whether the orders are still the same; if so, no change of them ends before `done`. One round trip."""
        names, until = (keys.orders(table), keys.head(table)), self._now() + ACTING_MS
        while (taken := _TAKE.run(self._redis, names, seat, raw, until)) == _SLEEPS:
            sleeping.rouse(self._redis, table)
        return bool(taken)

    @translate_errors
    def done(self, table: str, seat: int, act: Act | None) -> None:
        """Let orders be changed again after they have acted, and remember the act. Two round trips at most."""
        acts = fastjson.dumps([*self.of_seat(table, seat)[1], act][-MOST_ACTS:]) if act is not None else b""
        while _DONE.run(self._redis, (keys.orders(table), keys.head(table)), seat, acts) == _SLEEPS:
            sleeping.rouse(self._redis, table)

    @translate_errors
    def of_seat(self, table: str, seat: int) -> tuple[StoredOrders | None, list[Act]]:
        """Return the orders of a seat, or None, and their latest acts, the earliest first. One round trip."""
        orders, acts = self._awake(table, [str(seat), f"{seat}:acts"])
        return fastjson.loads(orders) if orders else None, fastjson.loads(acts) if acts else []

    def _awake(self, table: str, fields: Sequence[str], *, keep: bool = False) -> list[bytes | None]:
        """Return fields of a table's orders, after waking the table if it sleeps; `keep`: keep the orders alive."""
        while True:
            pipeline = self._redis.pipeline(transaction=True)
            pipeline.hget(keys.head(table), "v")
            pipeline.hmget(keys.orders(table), fields)
            if keep:
                pipeline.pexpire(keys.orders(table), ORDERS_KEPT_MS)
            version, values, *_ = pipeline.execute()
            if not sleeping.is_asleep(version):
                return list(values)
            sleeping.rouse(self._redis, table)
