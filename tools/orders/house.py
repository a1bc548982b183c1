"""A table with its players, two processes of the API, workers and clocks, as actors of an order; and what must hold."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from copy import copy
from functools import cache
from typing import Any, Final, NamedTuple

from harness.memory import MemoryTableStore
from harness.tables import House, choose
from service.common.errors import Refusal
from service.common.interruptions import Interruptions
from service.game.events.evolve import evolve
from service.game.state import clock
from service.game.state.interruptions import LEAST_MS
from service.game.state.queries import persons, seat_of, seats_asked
from service.game.state.types import State
from service.game.views.ai_view import ai_view
from service.jobs.queues import LEASE_MS
from service.store.port import StoreUnavailable, VersionConflict
from service.tables import Outcome, Tables
from tools.faults.history.checking import AGAIN
from tools.orders.scheduler import Order, Stepped
from workers.clock import Clock, Part

#: By how much the time moves (ms): a tick, a move of an AI player, a lease, a deadline, the end of a vote.
JUMPS: Final = (1, 40, 1_000, LEASE_MS - 1, LEASE_MS, 31_000, 61_000)
#: How often a client sends an action again whose answer was lost.
_TRIES: Final = 6
_SLOW: Final = {"play_ms": 20_000, "declare_ms": 20_000, "discard_ms": 20_000, "grace_ms": 1_000}


# --- where orders begin -----------------------------------------------------------------------------------------------


class Base(NamedTuple):
    """A table from which orders begin."""

    name: str
    table: str
    house: House
    state: State


def _played(house: House, table: str, kinds: Sequence[str], moves: int) -> None:
    """Answer decisions until one of these kinds is open, and then so many more."""
    while moves or house.state(table)["decision"]["kind"] not in kinds:
        state = house.state(table)
        decision = state["decision"]
        moves -= decision["kind"] in kinds
        seat = next((seat for seat in seats_asked(state, decision) if seat in persons(state)), None)
        if seat is None:
            house.clock.now = house.due_at(table)
            house.tables.advance(table, None, choose)
        else:
            house.tables.act(table, _answer(state, seat, house.clock.now))


def _answer(state: State, seat: int, now: int) -> dict[str, Any]:
    decision = state["decision"]
    fields = {"player": f"p{seat}", "decision_id": decision["id"]}
    if decision["kind"] == "ready":
        return {"type": "ready", "player": f"p{seat}", "ready": True}
    return {**choose(ai_view(state, seat, now), b"seed", "easy"), **fields}


@cache
def base(name: str) -> Base:
    """Return a table: while trumps are declared; in play; with two AI seats; with a seat that an AI has taken over;

    paused; with a vote for a pause; with a vote to end the game.
    """
    house = House()
    spec = {"clock": _SLOW, "pause_limit_ms": 600_000, "take_back": True, "rated": False, "ai_pace_ms": 500}
    table = house.table("sishifen", ai=2 if name == "mixed" else 0, **spec)
    if name != "declare":
        _played(house, table, ["play"], 2)
    if name in ("paused", "voting", "over"):
        kind = "abandon" if name == "over" else "pause"
        house.act(table, 0, "open_vote", kind=kind)
        for seat in (1, 2, 3)[: None if name == "paused" else 2]:
            house.act(table, seat, "cast_vote", vote=house.state(table)["vote"]["id"], approve=True)
    if name == "taken":
        house.act(table, 1, "presence", presence="away")
        house.act(table, 0, "open_vote", kind="replace", seat=1)
        for seat in (2, 3):
            if house.state(table)["vote"] is not None:
                house.act(table, seat, "cast_vote", vote=house.state(table)["vote"]["id"], approve=True)
    return Base(name, table, house, house.state(table))


BASES: Final = ("declare", "play", "mixed", "taken", "paused", "voting", "over")


def _copied(store: MemoryTableStore, now: Callable[[], int], kind: type[MemoryTableStore]) -> MemoryTableStore:
    copied = kind(now)
    for name, its in store._tables.items():
        one = copied._tables[name] = copy(its)
        one.log = list(its.log)
    for index in ("_due", "_owed", "_lobby", "_watch"):
        getattr(copied, index).update(getattr(store, index))
    return copied


# --- actors -----------------------------------------------------------------------------------------------------------


class Answered(NamedTuple):
    """What a client was answered: `began` and `ended` count steps. `events` is None for a look at the table."""

    client: str
    began: int
    ended: int
    action: tuple[Any, ...] | None
    state: State
    events: list[Mapping[str, Any]] | None


class _Jobs:
    """The queue of jobs; each is enqueued once within a lease, as by RQ."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._known: set[tuple[str, int, int]] = set()
        self._waiting: list[tuple[str, int]] = []

    def asking(self) -> Any:
        return nullcontext()

    def waiting(self, _queue: str) -> int:
        return 0

    def others(self, _role: str) -> int:
        return 1

    def enqueue(self, table: str, version: int, _queue: str, *, by_rules: bool = False) -> None:
        self._order.point("enqueue")
        job = (table, version, self._order.now // LEASE_MS)
        if job not in self._known:
            self._known.add(job)
            self._waiting.append((table, version))

    def enqueue_all(self, tables: Sequence[tuple[str, int]], queue: str) -> None:
        for table, version in tables:
            self.enqueue(table, version, queue)

    def take(self) -> tuple[str, int] | None:
        self._order.point("take a job")
        return self._waiting.pop(0) if self._waiting else None


class Arena:
    """One order at a table.

    Args:
        seed: of the order.
        name: see `base`.
        store: the class of the store, for faults put in by hand.
    """

    def __init__(self, seed: int, name: str, store: type[MemoryTableStore] = MemoryTableStore) -> None:
        rng = random.Random(f"arena:{seed}")
        self.base: Final = base(name)
        self.table: Final = self.base.table
        self.order: Final = Order(
            seed,
            start=self.base.house.clock.now + 1,
            jumps=JUMPS,
            kills=rng.choice((0, 0, 1, 2)),
            losses=rng.choice((0, 0, 1, 3)),
        )
        self.store: Final = self._new_store(store)
        self.answers: list[Answered] = []
        self.finished_games: list[tuple[str, int]] = []
        self.jobs: Final = _Jobs(self.order)
        #: The outages of the service (ms).
        self._gaps: list[tuple[int, int]] = []
        self._entropy: Final = random.Random(f"entropy:{seed}").randbytes
        self._apis: Final = [self._process() for _ in range(2)]
        for number in range(rng.choice((2, 2, 3))):
            # Two of them may be devices of the same player.
            self._add(f"client {number}", self._client, f"client {number}", rng.randrange(4), rng.choice((1, 2, 3)))
        for number in range(rng.choice((1, 2))):
            self._add(f"worker {number}", self._work, self._process(), mortal=True)
        if rng.random() < 0.3:
            self._add("outage", self._fail)
        for number in range(rng.choice((1, 2))):
            self._add(f"clock {number}", self._tick, self._clock(), mortal=True)

    def _add(self, name: str, run: Callable[..., object], *args: Any, mortal: bool = False) -> None:
        self.order.actor(name, lambda: run(*args), mortal=mortal)

    def _new_store(self, kind: type[MemoryTableStore]) -> Any:
        return _copied(self.base.house.store, lambda: self.order.now, kind)

    def _due(self) -> float | None:
        return self.store._due.get(self.table)

    def _stepped(self) -> Any:
        """Return the store of another process."""
        return Stepped(
            self.store.of_another_process(), self.order, lambda: StoreUnavailable(TimeoutError("lost")), ("cached",)
        )

    def _fail(self) -> None:
        """Let nobody reach the service for some seconds."""
        for call in ("before an outage", "before another outage"):
            self.order.point(call)
            since = self.order.now
            self.order.pass_time(self.order.rng.choice((1_200, 5_000, 40_000)))
            self._gaps.append((since, self.order.now))

    def _interrupted_for(self) -> Callable[[], Interruptions]:
        """Return what a process knows of the outages: it hears of each a moment later than others."""
        late_ms = self.order.rng.choice((0, 30, 1_500))

        def interrupted() -> Interruptions:
            known = [gap for gap in self._gaps if gap[1] + late_ms <= self.order.now]
            return Interruptions(self.order.now, tuple(known))

        return interrupted

    def _process(self) -> Tables:
        tables = Tables(
            self._stepped(),
            now=lambda: self.order.now,
            enqueue=self.jobs.enqueue,
            entropy=self._entropy,
            interrupted=self._interrupted_for(),
        )
        tables.on_finished(lambda state, log: self.finished_games.append((state["game"]["id"], len(log))))
        return tables

    def _clock(self) -> Clock:
        part = Part(self.jobs, self.jobs)  # type: ignore[arg-type]
        return Clock(self._stepped(), [part], lambda: self.order.now, interrupted=self._interrupted_for())

    def _tick(self, clock_: Clock) -> None:
        for _ in range(4):
            try:
                self._tick_once(clock_)
            except StoreUnavailable:
                self.order.sleep(1_000)
            self.order.sleep(50)

    def _tick_once(self, clock_: Clock) -> None:
        clock_.tick()

    def _work(self, tables: Tables) -> None:
        for _ in range(5):
            job = self.jobs.take()
            if job is None:
                self.order.sleep(60)
                continue
            with suppress(StoreUnavailable):
                tables.advance(*job, choose)

    def _client(self, name: str, seat: int, count: int) -> None:
        rng = self.order.rng
        for number in range(count):
            began, api = len(self.order.steps), rng.choice(self._apis)
            try:
                state = api.load(self.table)
            except StoreUnavailable:
                continue
            self._note(name, began, None, state, None)
            command = self._command(state, seat, f"{name} {number}")
            action = tuple(sorted((field, repr(value)) for field, value in command.items()))
            # Sometimes it is sent again although the answer has arrived.
            for _ in range(_TRIES):
                try:
                    outcome = rng.choice(self._apis).act(self.table, command)
                except StoreUnavailable:
                    continue
                except (Refusal, VersionConflict):
                    break
                self._note(name, began, action, outcome.state, outcome)
                if rng.random() < 0.8:
                    break

    def _note(
        self, client: str, began: int, action: tuple[Any, ...] | None, state: State, outcome: Outcome | None
    ) -> None:
        events = None if outcome is None else outcome.events
        self.answers.append(Answered(client, began, len(self.order.steps), action, state, events))

    def _command(self, state: State, seat: int, key: str) -> dict[str, Any]:
        """Return what a player sends who sees the table like this."""
        rng, player, decision = self.order.rng, f"p{seat}", state["decision"]
        command: dict[str, Any] = {"player": player, "key": key}
        if seat_of(state, player) is None:
            return {**command, "type": "sit", "kind": "bot", "name": "X", "seat": seat}
        if decision is not None and seat in decision["seats"] and rng.random() < 0.7:
            return _answer(state, seat, self.order.now)
        if state["vote"] is not None and rng.random() < 0.7:
            return {**command, "type": "cast_vote", "vote": state["vote"]["id"], "approve": rng.random() < 0.8}
        if "pause" in state and rng.random() < 0.5:
            return {**command, "type": "end_pause"}
        kind = rng.choice(("chat", "leave", "resume", "pause", "replace", "abandon", "take_back", "answer_take_back"))
        vote = {"type": "open_vote", "kind": kind}
        fields: dict[str, dict[str, Any]] = {
            "chat": {"name": "X", "text": key},
            "pause": vote,
            "abandon": vote,
            "replace": {**vote, "seat": (seat + 1) % 4},
            "answer_take_back": {"accept": True},
        }
        return {**command, "type": kind, **fields.get(kind, {})}

    # --- what must hold -----------------------------------------------------------------------------------------------

    def run(self) -> list[str]:
        """Run the order; return what is wrong, as sentences."""
        self.order.run()
        return list(self.wrong())

    def wrong(self) -> Iterator[str]:
        """Yield what is wrong after the order."""
        first = self.base.state["version"]
        log = self.store.events(self.table, first, 10_000)
        last = first + len(log)
        if [event["seq"] for event in log] != list(range(first + 1, last + 1)):
            yield f"the log has gaps: {[event['seq'] for event in log]}"
            return
        states = {first: self.base.state}
        for event in log:
            states[event["seq"]] = evolve(states[event["seq"] - 1], event)
        stored = self.store.load(self.table)
        if stored is None or stored.version != last:
            yield f"the table is at version {stored and stored.version}, and its log ends with {last}"
            return
        if stored.state != states[last]:
            yield "the stored table is not the fold of its log"
        yield from self._wrong_answers({event["seq"]: event for event in log}, states)
        yield from answered_twice(log)
        yield from self._stuck(stored.state)
        yield from self._moved_too_far(states)
        games = [event["data"]["game"] for event in log if event["type"] == "game_kept"]
        if len(set(games)) < len(games):
            yield f"a game was noted as kept {len(games)} times"
        if not set(games) <= {game for game, _ in self.finished_games}:
            yield f"{games} were noted as kept, and only {self.finished_games} were"

    def _wrong_answers(self, log: Mapping[int, Any], states: Mapping[int, State]) -> Iterator[str]:
        by_end: list[tuple[int, int]] = []
        of_action: dict[tuple[str, Any], list[int]] = {}
        for answer in sorted(self.answers, key=lambda each: each.ended):
            version = answer.state["version"]
            if answer.state != states.get(version):
                yield f"{answer.client} was shown a table at {version} that is not the fold"
            before = max((version_seen for ended, version_seen in by_end if ended < answer.began), default=0)
            if version < before:
                yield f"{answer.client} was shown version {version} after {before} had been shown"
            by_end.append((answer.ended, version))
            if not answer.events:
                continue
            seqs = [event["seq"] for event in answer.events]
            if [log.get(seq) for seq in seqs] != answer.events:
                yield f"{answer.client} was acknowledged events {seqs}, which the log does not have"
            if answer.action is not None and dict(answer.action)["type"] not in ("'pass'", "'ready'"):
                known = of_action.setdefault((answer.client, answer.action), seqs)
                if known != seqs:
                    yield f"{answer.client} was answered events {known}, and sent again events {seqs}"

    def _stuck(self, state: State) -> Iterator[str]:
        """Something is due, or somebody is asked."""
        wake_at, due = clock.wake_at(state), self._due()
        if wake_at is not None and (due is None or due > max(wake_at, self.order.now + LEASE_MS)):
            yield f"the table is due at {wake_at}, and will be looked at {due}"
        asks = state["decision"] is not None or "pause" in state
        if state["status"] == "playing" and wake_at is None and not asks:
            yield "nothing is due, and nobody is asked"

    def _moved_too_far(self, states: Mapping[int, State]) -> Iterator[str]:
        """An outage moves a deadline once, by its length, or to some time after it."""
        first: dict[str, int] = {}
        for state in states.values():
            decision = state["decision"]
            if decision is None or decision["deadline"] is None:
                continue
            began = first.setdefault(decision["id"], decision["deadline"])
            lost = sum(max(0, until - max(since, decision["opened_at"])) for since, until in self._gaps)
            latest = max(began + lost, max((until for _, until in self._gaps), default=0) + LEAST_MS)
            if decision["deadline"] > max(began, latest):
                yield f"the deadline of {decision['id']} was moved by {decision['deadline'] - began} ms of {lost} lost"


def answered_twice(log: list[Any]) -> Iterator[str]:
    """Yield what is wrong if a seat has answered a decision more than once."""
    answers: dict[tuple[int, str], set[int]] = {}
    for event in log:
        if "answers" in event and event["type"] not in AGAIN:
            seat, decision, _digest = event["answers"]
            answers.setdefault((seat, decision), set()).add(event["tx"])
    for (seat, decision), its in answers.items():
        if len(its) > 1:
            yield f"decision {decision} was answered by seat {seat} {len(its)} times"
