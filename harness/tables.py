"""Tables in an in-memory store, with a clock set by tests, and the enqueued jobs."""

import random
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from harness.memory import MemoryTableStore
from service.common.errors import Refusal
from service.game.events.evolve import fold
from service.game.state.queries import waits_for_people
from service.game.state.types import State
from service.tables import Outcome, Tables

START = 1_700_000_000_000
Command = Mapping[str, Any]


class Clock:
    """The time, advanced by tests."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


class House:
    """Tables in memory, with a clock, the enqueued jobs and the archived games."""

    def __init__(self, store: Callable[[Clock], MemoryTableStore] = MemoryTableStore, seed: int = 5) -> None:
        self.clock = Clock()
        self.jobs: list[tuple[str, int, str]] = []
        self.finished_games: list[tuple[str, int]] = []
        self.store = store(self.clock)
        self.tables = Tables(
            self.store,
            now=self.clock,
            enqueue=lambda *job: self.jobs.append(job),
            entropy=random.Random(seed).randbytes,
        )
        self.tables.on_finished(lambda state, log: self.finished_games.append((state["game"]["id"], len(log))))

    def table(self, ruleset: str = "shengji", players: int = 4, *, ai: int = 0, sit: bool = True, **spec: Any) -> str:
        """Open a table; the last `ai` seats are AI seats, the others have players who are ready."""
        options = {} if ruleset == "arms_length" else {"deal_pace": "instant", **spec.pop("options", {})}
        state = self.tables.create(
            {"id": "p0"},
            {"ruleset": ruleset, "players": players, "options": options, "visibility": "public", **spec},
        )
        table = str(state.state["id"])
        people = range(players - ai)
        if sit:
            for seat in people:
                self.act(table, seat, "sit", kind="bot", name=f"Bot {seat}", seat=seat)
            for seat in range(players - ai, players):
                self.act(table, 0, "seat_ai", seat=seat, level="easy")
            for seat in people:
                self.act(table, seat, "ready")
        return table

    def act(self, table: str, player: int, command: str, /, **fields: Any) -> Outcome:
        """Carry out a player's command; it answers the open decision unless it names one."""
        decision = self.state(table)["decision"]
        fields.setdefault("decision_id", decision["id"] if decision else "dc_0")
        return self.tables.act(table, {"type": command, "player": f"p{player}", **fields})

    def state(self, table: str) -> State:
        stored = self.store.load(table)
        assert stored is not None
        return stored.state

    def log(self, table: str) -> list[dict[str, Any]]:
        return self.tables.log(table)

    def due_at(self, table: str) -> int | None:
        return self.store._due.get(table)

    def play_by_ai(self, table: str, until: Callable[[State], bool], most_jobs: int = 5_000) -> None:
        """Run the jobs of a table until a condition holds. Its first player is there, and is late with everything."""
        for _ in range(most_jobs):
            state = self.state(table)
            if until(state):
                return
            if waits_for_people(state):
                self.act(table, 0, "end_pause")
            at = self.due_at(table)
            assert at is not None, "nothing is due"
            self.clock.now = max(self.clock.now, at)
            self.tables.advance(table, None, choose)
        raise AssertionError("it never came to that")


def choose(view: Mapping[str, Any], seed: bytes, level: str) -> Command:
    """Play by the hints: declare whenever possible, else follow the examples."""
    kind, hints = view["decision"]["kind"], view["decision"]["hints"]
    assert level == "easy"
    assert seed
    if kind in {"declare", "defend", "overcall-kitty"}:
        command = "overcall_kitty" if kind == "overcall-kitty" else "declare"
        return {"type": command, "cards": hints["possible"][0]} if hints["possible"] else {"type": "pass"}
    if kind == "call":
        return {"type": "call", "calls": hints["example"]}
    if kind == "road":
        return {"type": "road", "road": "either"}
    return {"type": kind, "cards": hints["example"]}


def consistent(house: House, table: str) -> None:
    log = house.log(table)
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert fold(log) == house.state(table)


def finished(state: State) -> bool:
    return bool(state["status"] == "finished")


def at_once(count: int, call: Callable[[int], Any]) -> list[Any]:
    """Call from a number of threads at the same time; return the results, including refusals."""
    gate = threading.Barrier(count)

    def run(number: int) -> Any:
        gate.wait()
        try:
            return call(number)
        except Refusal as refusal:
            return refusal

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
