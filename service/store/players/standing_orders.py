"""Standing orders of the seats of a table. They lie beside the table, in its slot; nothing in its log tells of them."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypedDict

from service.common import fastjson
from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import Script, translate_errors

#: How long orders are kept after they were last set or read (ms): longer than a table waits for any decisions.
KEPT_MS: Final = 180 * 24 * 3_600_000
#: Longest time between the claim of orders that act and the append (ms); a change of them waits for its end.
ACTING_MS: Final = 5_000
#: Most acts remembered of a seat.
MOST_ACTS: Final = 30
_PAUSE_S: Final = 0.02

_PUT: Final = Script("put_orders")
_TAKE: Final = Script("take_orders")


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
        while _PUT.run(self._redis, (keys.orders(table),), seat, self._now(), text, KEPT_MS):
            time.sleep(_PAUSE_S)

    @translate_errors
    def of_table(self, table: str, seats: Sequence[int]) -> dict[int, SeatOrders]:
        """Return the orders of seats that have any, and keep them alive. One round trip."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hmget(keys.orders(table), [str(seat) for seat in seats])
        pipeline.pexpire(keys.orders(table), KEPT_MS)
        values = pipeline.execute()[0]
        return {seat: SeatOrders(fastjson.loads(raw), raw) for seat, raw in zip(seats, values, strict=True) if raw}

    @translate_errors
    def take(self, table: str, seat: int, raw: bytes) -> bool:
        """Return whether the orders are still the same; if so, no change of them ends before `done`. One round trip."""
        return bool(_TAKE.run(self._redis, (keys.orders(table),), seat, raw, self._now() + ACTING_MS))

    @translate_errors
    def done(self, table: str, seat: int, act: Act | None) -> None:
        """Let orders be changed again after they have acted, and remember the act. Two round trips at most."""
        name = keys.orders(table)
        acts = [*self.of_seat(table, seat)[1], act][-MOST_ACTS:] if act is not None else None
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hdel(name, f"{seat}:acting")
        if acts is not None:
            pipeline.hset(name, f"{seat}:acts", fastjson.dumps(acts))
        pipeline.execute()

    @translate_errors
    def of_seat(self, table: str, seat: int) -> tuple[StoredOrders | None, list[Act]]:
        """Return the orders of a seat, or None, and their latest acts, the earliest first. One round trip."""
        orders, acts = self._redis.hmget(keys.orders(table), str(seat), f"{seat}:acts")
        return fastjson.loads(orders) if orders else None, fastjson.loads(acts) if acts else []
