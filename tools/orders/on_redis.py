"""Orders on a real Redis: every command and every pipeline of the service is a call of the order.

What the stores do in several round trips can be interrupted between them here, which stores in memory cannot show.
"""

import random
from collections import Counter
from contextlib import contextmanager, suppress
from itertools import count
from types import SimpleNamespace

import pytest
from redis.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError

from harness.tables import START
from service.common.errors import Refusal
from service.notices.outbound import Answer
from service.notices.scanner import LEASE_MS
from service.store import idempotency, keys
from service.store.connections.clients import DirectRedis
from service.store.idempotency import LOCK_MS, RedisIdempotencyStore
from service.store.port import IdempotencyKeyReused, StillWorking, StoreUnavailable, VersionConflict
from service.store.redis_tables import RedisTableStore
from service.tables import Tables
from tools.orders.house import Arena, base
from tools.orders.messages import Messages
from tools.orders.scheduler import Order
from workers import ai


@contextmanager
def stepped(order):
    """Make each round trip of an actor a call of the order; some answers are lost."""

    def wrapped(run, name):
        def call(self, *args, **options):
            if not order.is_stepping:
                return run(self, *args, **options)
            order.point(name(*args))
            if not order.loses():
                return run(self, *args, **options)
            if order.rng.random() < 0.5:
                run(self, *args, **options)
            raise RedisConnectionError("lost")

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DirectRedis, "execute_command", wrapped(DirectRedis.execute_command, lambda *its: str(its[0])))
        patch.setattr(Pipeline, "execute", wrapped(Pipeline.execute, lambda *_its: "pipeline"))
        yield


class Saved:
    """All that Redis has, to be put back before each order."""

    def __init__(self, redis):
        self._redis = redis
        self._keys = [(name, max(redis.pttl(name), 0), redis.dump(name)) for name in redis.scan_iter(count=1_000)]

    def restore(self):
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.flushall()
        for name, left_ms, value in self._keys:
            pipeline.restore(name, left_ms, value)
        pipeline.execute()


# --- a request with an idempotency key --------------------------------------------------------------------------------


class Keys:
    """Requests with one key, some of which die, or are sent again since their answer was lost."""

    numbers = count()

    def __init__(self, seed, redis, store=RedisIdempotencyStore):
        self._redis, self._store = redis, store
        self._key = f"key-of-an-order-{next(self.numbers)}"
        # In a third of the orders a request may take longer than its lock lasts.
        self._is_quick = seed % 3 > 0
        self.order = Order(
            seed,
            start=START,
            jumps=(20, 300, 1_000) if self._is_quick else (20, 1_000, LOCK_MS),
            most_ms=LOCK_MS - 1_000 if self._is_quick else 4 * LOCK_MS,
            kills=seed % 4 == 0,
            losses=seed % 5 == 0,
            moved=self._moved,
        )
        self._done, self._answers = [], []
        for number in range(2 + seed % 2):
            self.order.actor(f"client {number}", self._client, mortal=True)
        if seed % 7 == 0:
            self.order.actor("another request", self._other)

    def _remember(self, digest, answer):
        return self._store(self._redis).remember("pl_1", self._key, digest, answer, ttl_ms=86_400_000)

    def _client(self):
        for _ in range(4):
            with suppress(StoreUnavailable, StillWorking):
                # The key may have been used for the other request.
                with suppress(IdempotencyKeyReused):
                    self._answers.append(self._remember("digest", self._do))
                return

    def _do(self):
        self._done.append(self.order.now)
        number = len(self._done)
        for _ in range(2):
            self.order.point("work")
        return {"number": number}

    def _other(self):
        with suppress(IdempotencyKeyReused, StoreUnavailable, StillWorking):
            number = self._remember("another", lambda: {"number": -1})["number"]
            # Only if it came first, and failed.
            self._answers += [] if number == -1 else [{"number": f"{number}, to another request"}]

    def _moved(self, ms):
        """Let what expires in Redis expire by the time of the order."""
        name = keys.answer("pl_1", self._key)
        left = self._redis.pttl(name)
        if left > 0:
            self._redis.pexpire(name, max(left - ms, 0))

    def run(self):
        order = self.order
        clock = SimpleNamespace(monotonic=lambda: order.now / 1000, sleep=lambda s: order.sleep(round(1000 * s)))
        with stepped(order), pytest.MonkeyPatch.context() as patch:
            patch.setattr(idempotency, "time", clock)
            order.run()
        return list(self._wrong())

    def _wrong(self):
        numbers = {answer["number"] for answer in self._answers}
        if any(isinstance(number, str) for number in numbers):
            yield f"an answer went to another request: {numbers}"
        # A lock ends with its time. A lost answer leaves open whether the request was carried out.
        if self._is_quick and not self.order.lost and not any(step.call == "dies" for step in self.order.steps):
            if len(self._done) > 1:
                yield f"the request was carried out {len(self._done)} times"
            if len(numbers) > 1:
                yield f"its answers differ: {numbers}"


# --- notices ----------------------------------------------------------------------------------------------------------


class Notices:
    """A table whose players play on, and messengers that look at it: a device is told of a decision once."""

    def __init__(self, seed, world, table, saved):
        saved.restore()
        self._world, self._table = world, table
        world.now = START + 25_000
        # No delivery is out for longer than its lease; what is only looked at may be (`SCAN_LEASE_MS`).
        self.order = Order(
            seed, start=world.now, jumps=(50, 400, 2_000, 5_001), most_ms=LEASE_MS - 5_000, moved=self._moved
        )
        self._tables = Tables(
            RedisTableStore(world.redis), now=lambda: world.now, entropy=random.Random(seed).randbytes
        )
        self.deliveries = []
        self.order.actor("player", self._play)
        for number in range(2):
            self.order.actor(f"messenger {number}", self._deliver)

    def _moved(self, _ms):
        self._world.now = self.order.now

    def _play(self):
        for _ in range(2):
            state = self._tables.load(self._table.id)
            decision = state["decision"]
            player = self._table.clients[decision["seats"][0]].player["id"]
            self._tables.act(self._table.id, {"type": "pass", "player": player, "decision_id": decision["id"]})
            self.order.sleep(200)

    def _deliver(self):
        messages = Messages(self._world)
        messages.post = self._post
        for _ in range(2):
            messages.run()
            self.order.sleep(100)

    def _post(self, _url, headers, _body, **_more):
        self.order.point("post")
        self.deliveries.append(headers["webhook-id"])
        return Answer(200, 5)

    def run(self):
        with stepped(self.order):
            self.order.run()
        return [f"{name} was sent {times} times" for name, times in Counter(self.deliveries).items() if times > 1]


# --- a game that is over ----------------------------------------------------------------------------------------------


class Endings:
    """A game that is over, and that processes keep at the same time: it counts once.

    Args:
        world: with `keep`.
        table: its id.
        saved: what Redis has when the game has just ended.
        players: who sat there.
        found: returns what is kept of a game; the same after each order.
    """

    def __init__(self, seed, world, table, saved, player, faults):
        saved.restore()
        self._world, self._table, self._player, self._faults = world, table, player, faults
        self.order = Order(seed, start=world.now, kills=seed % 3, losses=seed % 4)
        for number in range(2):
            tables = self._process(f"{seed} {number}")
            self.order.actor(f"worker {number}", lambda its=tables: self._work(its), mortal=True)
        self.order.actor("player", lambda: self._chat(self._process(f"{seed} player")))

    def _process(self, seed):
        world = self._world
        tables = Tables(RedisTableStore(world.redis), now=lambda: world.now, entropy=random.Random(seed).randbytes)
        tables.on_finished(world.tables.finished)
        return tables

    def _work(self, tables):
        with suppress(StoreUnavailable):
            tables.advance(self._table, None, ai.choose)

    def _chat(self, tables):
        with suppress(StoreUnavailable, Refusal, VersionConflict):
            tables.act(self._table, {"type": "leave", "player": self._player})

    def run(self):
        with stepped(self.order):
            self.order.run()
        tables = self._process("last")
        # Whoever died is followed by another, when the lease ends.
        tables.advance(self._table, None, ai.choose)
        wrong = [] if tables.load(self._table)["game"]["kept"] else ["the game is not kept"]
        noted = [event for event in tables.log(self._table) if event["type"] == "game_kept"]
        if len(noted) != 1:
            wrong.append(f"the game was noted as kept {len(noted)} times")
        return wrong + [f"{what} is {value}" for what, value in self._faults().items() if value != 1]


# --- a table ----------------------------------------------------------------------------------------------------------


class TableOnRedis(Arena):
    """An order at a table whose store is on Redis: it can be interrupted between round trips. Clocks compact logs."""

    def __init__(self, seed, name, redis):
        self._redis, self.stores = redis, []
        super().__init__(seed, name)

    def _new_store(self, _kind):
        created = base(name := self.base.name)
        if name not in _saved:
            self._redis.flushall()
            log = created.house.log(created.table)
            store = RedisTableStore(self._redis)
            due = created.house.due_at(created.table)
            store.append(created.table, 0, log, created.state, wake_at=due, queue="people", watchable=True)
            store.close()
            _saved[name] = Saved(self._redis)
        _saved[name].restore()
        return RedisTableStore(self._redis, cached_tables=0)

    def _stepped(self):
        store = RedisTableStore(self._redis)
        self.stores.append(store)
        return store

    def _tick_once(self, clock):
        super()._tick_once(clock)
        clock._store.tidy(1)

    def _due(self):
        return self._redis.zscore(keys.due(keys.bucket_of(self.table)), self.table)

    def run(self):
        with stepped(self.order):
            self.order.run()
        faults = list(self.wrong())
        for store in (self.store, *self.stores):
            store.close()
        return faults


_saved = {}
