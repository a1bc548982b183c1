"""Tables at which AI seats move, on a real Redis, with a clock set by the test."""

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import pytest
from redis import Redis

from service.game.state.types import State
from service.jobs.queues import Queues
from service.jobs.worker_status import Heartbeat
from service.store.connections.clients import command_client, listening_client
from service.store.redis_tables import RedisTableStore
from service.tables import Tables, wall_clock
from workers.clock import Clock, Part
from workers.jobs import Worker

HOST = {"id": "pl_host", "name": "Lin", "kind": "human"}


@dataclass
class House:
    """Everything needed for advancing tables, in one process."""

    url: str
    now: int

    def __post_init__(self) -> None:
        self.redis: Redis = command_client(self.url)
        self.store = RedisTableStore(self.redis)
        self.queues = Queues(self.redis, lambda: self.now)
        self.tables = Tables(self.store, now=lambda: self.now, enqueue=self.queues.enqueue)
        part = Part(self.queues, Heartbeat(self.redis, "clock", lambda: self.now))
        self.clock = Clock(self.store, [part], lambda: self.now)

    def table(
        self,
        name: str,
        *,
        people: int = 0,
        pace: int = 0,
        ruleset: str = "shengji",
        level: str = "easy",
        practice: bool = True,
        **options: Any,
    ) -> str:
        """Open and start a table of four with a number of people, the rest AI seats; with both, an AI seat is asked."""
        options.setdefault("deal_pace", "instant")
        spec = {"ruleset": ruleset, "players": 4, "options": options, "ai_pace_ms": pace}
        spec |= {"visibility": "public", "seed": name if practice else None}
        self.tables.create(HOST, spec, name)
        for seat in range(people):
            self.tables.act(
                name, {"type": "sit", "player": f"pl_{seat}", "kind": "human", "name": f"P{seat}", "seat": seat}
            )
            self.tables.act(name, {"type": "ready", "player": f"pl_{seat}"})
        for seat in range(people, 4):
            self.tables.act(name, {"type": "seat_ai", "player": HOST["id"], "seat": seat, "level": level})
        while (decision := self.state(name)["decision"]) and 0 < people < 4 and decision["seats"] == [0]:
            self.tables.act(name, {"type": "pass", "player": "pl_0", "decision_id": decision["id"]})
        return name

    def state(self, table: str) -> State:
        stored = self.store.load(table)
        assert stored is not None
        return stored.state

    def work(self, jobs: int | None = None, role: str = "worker") -> None:
        """Run waiting jobs of a role, at most a number of them."""
        worker = Worker(listening_client(self.url), self.tables, Event(), self.queues, role=role)
        worker.work(burst=True, max_jobs=jobs, logging_level="ERROR")

    def job_ids(self, queue: str) -> list[str]:
        return [raw.decode() for raw in self.redis.lrange(f"rq:queue:{queue}", 0, -1)]


@pytest.fixture
def house(empty_redis: str) -> Iterator[House]:
    house = House(empty_redis, wall_clock())
    yield house
    house.redis.close()
