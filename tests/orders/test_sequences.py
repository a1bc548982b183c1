"""Sequences of requests over HTTP, in any order: players act, leave, come back, vote, and send things again.

A failing sequence is shrunk to the shortest one. After each request: the versions of the log have no gaps, the table is
the fold of its log, each decision is answered once by each seat, what was acknowledged is in the log, what is sent
again gets the same answer, and something is due, or somebody is asked.
"""

from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from service.common.settings import Budget, Settings
from service.game.commands import retries
from service.game.events.evolve import NO_TABLE, evolve
from service.game.state import clock
from service.game.views.view import view
from service.jobs.queues import LEASE_MS
from service.store import keys
from service.store.cache import CACHED_TABLES, StateCache
from service.store.redis_tables import RedisTableStore
from tests.api.conftest import START, World
from tools.orders.house import answered_twice
from tools.orders.on_redis import Saved
from workers import ai

SEATS = st.integers(0, 3)
TIMES = st.sampled_from([1_000, 9_000, 21_000, 61_000])


class Sent(NamedTuple):
    """A request, and its answer if the client got one."""

    seat: int
    method: str
    path: str
    body: Any
    key: str | None
    answer: Any


class Requests(RuleBasedStateMachine):
    """See the module.

    Args:
        world, table: the service, and a table with a bot on each seat.
        saved: what Redis has when it begins.
    """

    def __init__(self, world: Any, table: Any, saved: Saved) -> None:
        super().__init__()
        saved.restore()
        self.world, self.table = world, table
        world.now = START
        self.forget()
        self.numbers = Random(1)
        self.sent: list[Sent] = []
        #: The fold of the log that was read.
        self.state, self.version = NO_TABLE, 0
        self.log: list[Any] = []
        #: Version -> what a view of it shows.
        self.views: dict[int, Any] = {}
        self._fold()

    # --- requests -----------------------------------------------------------------------------------------------------

    def _send(self, seat: int, method: str, path: str, body: Any = None, *, lost: bool = False, keyed: bool = False):
        key = f"{self.numbers.getrandbits(128):032x}" if keyed else None
        answer = self._request(seat, method, path, body, key)
        self.sent.append(Sent(seat, method, path, body, key, None if lost else answer))

    def _request(self, seat: int, method: str, path: str, body: Any, key: str | None) -> Any:
        headers = {} if key is None else {"Idempotency-Key": key}
        answer = self.table.clients[seat].send(method, f"{self.table.path}{path}", body, headers=headers)
        assert answer.status_code < 500, answer.json
        if answer.status_code == 200 and "events" in answer.json:
            self._acknowledged(answer.json["events"])
        return answer

    def _acknowledged(self, events: Any) -> None:
        stored = {event["seq"]: event["type"] for event in self.world.tables.log(self.table.id)}
        types = {event["seq"]: event["type"] for event in events}
        assert types.items() <= stored.items(), "an acknowledged event is not in the log"

    @rule(which=SEATS, lost=st.booleans(), stale=st.booleans())
    def answer(self, which: int, lost: bool, stale: bool) -> None:
        """Answer the open decision as an AI player would, perhaps past its end."""
        state = self.world.stores.tables.load(self.table.id).state
        decision = state["decision"]
        if decision is None:
            return
        seat = decision["seats"][which % len(decision["seats"])]
        if decision["kind"] == "ready":
            self._send(seat, "PUT", "/seats/me/ready", {"ready": True}, lost=lost)
            return
        command = dict(ai.choose(view(state, seat, self.world.now), b"seed"))
        kind = command.pop("type").replace("_", "-")
        if stale:
            self.world.now += 1 + max(0, (decision["deadline"] or 0) - self.world.now)
        self._send(seat, "POST", f"/{kind}", {"decision_id": decision["id"], **command}, lost=lost)

    @precondition(lambda self: self.sent)
    @rule(back=st.integers(0, 3))
    def retry(self, back: int) -> None:
        """Send a late request again, whether its answer came or not."""
        sent = self.sent[-1 - back % len(self.sent)]
        again = self._request(sent.seat, sent.method, sent.path, sent.body, sent.key)
        is_remembered = sent.key is not None or "decision_id" in (sent.body or {})
        if sent.answer is None or sent.answer.status_code != 200 or not is_remembered or sent.path == "/pass":
            return
        # What changed nothing is not recorded. Of a player who has left since, the seat no longer knows what was sent.
        if not sent.answer.json["events"]:
            return
        if again.status_code == 200:
            assert _status_and_events(again) == _status_and_events(sent.answer), "sent again, it got another answer"
        else:
            assert again.json["code"] in ("not-your-seat", "not-found"), again.json

    @rule(seat=SEATS, lost=st.booleans())
    def leave(self, seat: int, lost: bool) -> None:
        self._send(seat, "DELETE", "/seats/me", lost=lost)

    @rule(seat=SEATS, lost=st.booleans())
    def sit(self, seat: int, lost: bool) -> None:
        self._send(seat, "POST", "/seats", {"seat": seat}, lost=lost, keyed=True)

    @rule(seat=SEATS, lost=st.booleans())
    def resume(self, seat: int, lost: bool) -> None:
        self._send(seat, "POST", "/seats/me/resume", lost=lost)

    @rule(seat=SEATS, lost=st.booleans())
    def chat(self, seat: int, lost: bool) -> None:
        self._send(seat, "POST", "/chat", {"text": "hello"}, lost=lost, keyed=True)

    @rule(seat=SEATS, kind=st.sampled_from(["pause", "abandon", "end_early", "replace"]), lost=st.booleans())
    def open_vote(self, seat: int, kind: str, lost: bool) -> None:
        body = {"kind": kind} | ({"seat": (seat + 1) % 4} if kind == "replace" else {})
        self._send(seat, "POST", "/votes", body, lost=lost, keyed=True)

    @rule(seats=st.lists(SEATS, min_size=1, max_size=4, unique=True), approve=st.booleans())
    def cast_votes(self, seats: list[int], approve: bool) -> None:
        for seat in seats:
            vote = self.world.stores.tables.load(self.table.id).state["vote"]
            if vote is not None:
                self._send(seat, "PUT", f"/votes/{vote['id']}", {"approve": approve})

    @rule(seat=SEATS)
    def end_pause(self, seat: int) -> None:
        self._send(seat, "DELETE", "/pause")

    @rule(seat=SEATS, lost=st.booleans())
    def take_back(self, seat: int, lost: bool) -> None:
        self._send(seat, "POST", "/take-back", lost=lost, keyed=True)

    @rule(seats=st.lists(SEATS, min_size=1, max_size=4, unique=True), accept=st.booleans())
    def answer_take_back(self, seats: list[int], accept: bool) -> None:
        for seat in seats:
            self._send(seat, "POST", "/take-back/answer", {"accept": accept})

    @rule(seat=SEATS)
    def look(self, seat: int) -> None:
        """Look at the table: the view is that of the fold."""
        before, answer = self.version, self.table.clients[seat].get(self.table.path)
        assert answer.status_code in (200, 403), answer.json
        if answer.status_code == 200:
            self._fold()
            # That the player has looked may have been noted since.
            assert answer.json["version"] >= before, "an old table is shown"
            assert _without_clock(answer.json) == self.views[answer.json["version"]]

    # --- what else happens --------------------------------------------------------------------------------------------

    @rule(ms=TIMES, works=st.booleans())
    def pass_time(self, ms: int, works: bool) -> None:
        self.world.now += ms
        if works:
            self.world.advance(self.table.id)

    @rule()
    def forget(self) -> None:
        """Go on with another process of the API."""
        self.world.stores.tables._cache = StateCache(CACHED_TABLES)

    # --- what holds ---------------------------------------------------------------------------------------------------

    def _fold(self) -> None:
        new = self.world.stores.tables.events(self.table.id, self.version, 1_000)
        seqs = [event["seq"] for event in new]
        assert seqs == list(range(self.version + 1, self.version + 1 + len(new))), "the log has gaps"
        for event in new:
            self.state = evolve(self.state, event)
            self.views[event["seq"]] = _without_clock(self.state)
        self.log += new
        self.version += len(new)

    @invariant()
    def nothing_is_wrong(self) -> None:
        self._fold()
        stored = self.world.stores.tables.load(self.table.id)
        assert stored.version == self.version, "a process is shown an old table"
        assert stored.state == self.state, "the table is not the fold of its log"
        assert list(answered_twice(self.log)) == []
        self._is_not_stuck()

    def _is_not_stuck(self) -> None:
        state, table = self.state, self.table.id
        wake_at, due = clock.wake_at(state), self.world.redis.zscore(keys.due(keys.bucket_of(table)), table)
        if wake_at is not None:
            assert due is not None, "nobody will look at the table"
            assert due <= max(wake_at, self.world.now + LEASE_MS), "nobody will look at the table in time"
        elif state["status"] == "playing":
            assert state["decision"] is not None or "pause" in state, "nothing is due, and nobody is asked"


def _without_clock(table: Any) -> Any:
    """Return what a state and its view have in common."""
    decision, seats = table["decision"], table["seats"]
    return table["status"], decision and (decision["id"], decision["seats"]), [seat["presence"] for seat in seats]


def _status_and_events(answer: Any) -> tuple[int, list[tuple[int, str]]]:
    return answer.json["seq"], [(event["seq"], event["type"]) for event in answer.json["events"]]


@pytest.fixture
def machine(empty_redis):
    """Return a function that makes a machine."""
    free = Budget(0, 60)
    world = World(empty_redis, Settings(limit_chat=free, limit_act=free, limit_read=free, limit_keep=free))
    table = world.table(
        ruleset="sishifen",
        pause_limit_ms=600_000,
        take_back=True,
        clock={"play_ms": 20_000, "declare_ms": 20_000, "discard_ms": 20_000},
    )
    yield partial(Requests, world, table, Saved(world.redis))
    world.close()


def test_no_sequence_of_requests_brings_out_anything_wrong(machine):
    run_state_machine_as_test(machine, settings=settings(stateful_step_count=30))


_SHRUNK = [Phase.generate, Phase.shrink]


def lose_chats(monkeypatch):
    plain = RedisTableStore.append

    def append(self, table, expected, events, state, **more):
        if events[0]["type"] != "chat":
            plain(self, table, expected, events, state, **more)

    monkeypatch.setattr(RedisTableStore, "append", append)


def forget_answers(monkeypatch):
    monkeypatch.setattr(retries, "earlier_tx", lambda _state, _answer: None)


def forget_times(monkeypatch):
    plain = RedisTableStore.append

    def append(self, table, expected, events, state, *, wake_at, **more):
        """Forget when the end of a vote is due."""
        plain(self, table, expected, events, state, wake_at=None if state["vote"] else wake_at, **more)

    monkeypatch.setattr(RedisTableStore, "append", append)


def show_old_tables(monkeypatch):
    plain, known = RedisTableStore.load, {}

    def load(self, table):
        """Show a table that was shown a moment ago."""
        state = plain(self, table)
        before = known.get(table)
        known[table] = state
        return before if before and before.version == state.version - 1 else state

    monkeypatch.setattr(RedisTableStore, "load", load)


@pytest.mark.parametrize(
    ("fault", "expected", "phases", "most"),
    [
        (lose_chats, "an acknowledged event is not in the log", _SHRUNK, 1),
        # Shrinking these sequences takes minutes.
        (forget_answers, "sent again|wrong-phase|stale-decision|not-your-turn", [Phase.generate], 30),
        (forget_times, "nobody will look at the table", _SHRUNK, 1),
        (show_old_tables, "is shown an old table", _SHRUNK, 1),
    ],
)
def test_a_fault_put_in_by_hand_is_found_in_a_short_sequence(machine, monkeypatch, fault, expected, phases, most):
    fault(monkeypatch)
    chosen = settings(stateful_step_count=30, report_multiple_bugs=False, phases=phases)
    with pytest.raises(AssertionError, match=expected) as error:
        run_state_machine_as_test(machine, settings=chosen)
    assert 1 <= len(_rules(error.value)) <= most


def _rules(error: BaseException) -> list[str]:
    """Return the requests of the sequence that Hypothesis tells of."""
    lines = [line.strip() for note in error.__notes__ for line in note.splitlines()]
    return [
        line for line in lines if line.startswith("state.") and "nothing_is_" not in line and "teardown" not in line
    ]
