"""The use cases of a table, shared by API and workers: load, decide, append, wake.

Every change goes one way: the snapshot is loaded, what the clock owes the table is done, the command is decided on, and
the events are appended in one atomic step that fails if somebody else was faster. Then it starts again from the new
state. Store first, then notify, then enqueue: a job that is lost is found again by the due time stored with the state.
"""

import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from service.errors import Refusal
from service.game.commands.creation import create_table
from service.game.commands.decide import catch_up, decide, decide_for_ai, note_kept
from service.game.commands.transaction import Chance, Decided
from service.game.errors import NotFound
from service.game.events.evolve import fold
from service.game.events.types import Event
from service.game.ids import new_id
from service.game.state import clock
from service.game.state.fallback import fallback_action
from service.game.state.queries import ai_level, persons
from service.game.state.types import State
from service.game.views.view import view
from service.store.port import StoreUnavailable, TableStore, VersionConflict

_log = logging.getLogger(__name__)

#: An AI: the seat's view, a seed and the level -> a command without player and decision.
Choose = Callable[[dict[str, Any], bytes, str], Mapping[str, Any]]
#: Keeps what is left of a finished game: its table, and the log of the table. May be called twice for one game.
Keep = Callable[[State, list[Event]], None]
#: Wakes a worker: table, version, queue.
Enqueue = Callable[[str, int, str], None]

#: How often a command is decided on anew because somebody else was faster. Each try costs two round trips.
MOST_TRIES = 50
_HOUR_MS = 3_600_000
#: Status -> how long a table is kept without anything happening at it (ms).
LIFETIMES = {"lobby": 24 * _HOUR_MS, "playing": 7 * 24 * _HOUR_MS, "finished": 48 * _HOUR_MS}
#: Events that are read at once.
_PAGE = 1_000
#: Events that are read at once backwards, in search of the last that spectators may see.
_LOOK_BACK = 200
#: Tables of which a process remembers the state that it has stored last: about 25 KB each, 60 KB for twelve seats.
_MOST_RECENT = 1_000
#: Steps that one job may do before it makes room for others.
STEPS_PER_JOB = 60


class Outcome(NamedTuple):
    """What came of a command.

    Attributes:
        seq: seq of the last event of this action.
        events: its events; those recorded when it was first done, if this is a retry.
        state: the table now.
    """

    seq: int
    events: list[Event]
    state: State


class Advanced(NamedTuple):
    """What a job has done.

    Attributes:
        steps: how many steps.
        wake_at: when the table is next due (ms), if it is.
        version: of the table now.
        late_ms: how long the first step was due before it was begun.
    """

    steps: int
    wake_at: int | None
    version: int
    late_ms: int = 0


class _Recent:
    """The states that this process has stored last, by table. Any of them may be out of date."""

    def __init__(self) -> None:
        self._kept: Final[OrderedDict[str, tuple[State, int]]] = OrderedDict()

    def keep(self, table: str, state: State, seal: int) -> None:
        """Remember a state, and forget the one that was kept longest."""
        # Each of these steps may come between those of other threads.
        self._kept.pop(table, None)
        self._kept[table] = state, seal
        if len(self._kept) > _MOST_RECENT:
            self._kept.popitem(last=False)

    def of(self, table: str, command: Mapping[str, Any]) -> tuple[State, int] | None:
        """Return state and seal, if the decision that the command answers was open then: it most likely still is."""
        kept = self._kept.get(table)
        decision = kept[0]["decision"] if kept else None
        return kept if decision and decision["id"] == command.get("decision_id") else None

    def states(self) -> dict[str, State]:
        """Return them all."""
        return {table: state for table, (state, _) in self._kept.items()}


def wall_clock() -> int:
    """Return milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def _nobody(_table: str, _version: int, _queue: str) -> None:
    """Wake nobody: the clock finds what is due."""


def _forget(_state: State, _log: list[Event]) -> None:
    """Keep nothing of a game beyond the lifetime of its table."""


class Tables:
    """The tables of the service.

    Args:
        store: where logs and snapshots are.
        now: milliseconds since the epoch.
        enqueue: called after an append when somebody must move at once.
        keep: called when a game is over, before anything else happens at its table.
        entropy: bytes from the operating system's generator.
    """

    def __init__(
        self,
        store: TableStore,
        *,
        now: Callable[[], int] = wall_clock,
        enqueue: Enqueue = _nobody,
        keep: Keep = _forget,
        entropy: Chance = os.urandom,
    ) -> None:
        self.store = store
        self.now = now
        self._enqueue = enqueue
        self._keep = keep
        self._entropy = entropy
        self._recent: Final = _Recent()

    def create(self, player: Mapping[str, Any], spec: Mapping[str, Any], table: str | None = None) -> Outcome:
        """Open a table with `player` as host.

        Args:
            table: its id, if the request determines it: done again, the request finds the table that it has made.

        Raises:
            InvalidOption, InvalidRequest: the settings make no sense.
        """
        table = table or new_id("tb_", self._entropy)
        decided = create_table(table, player["id"], spec, self.now(), self._entropy)
        try:
            self._append(table, 0, decided)
        except VersionConflict:
            state = self._load(table)
            if state["host"] != player["id"]:
                raise
            return Outcome(1, self.recorded(table, 1), state)
        return Outcome(decided.state["version"], decided.events, decided.state)

    def load(self, table: str) -> State:
        """Return the table, after doing what the clock owes it.

        Raises:
            NotFound: there is no such table.
        """
        for _ in range(MOST_TRIES):
            state = self._load(table)
            owed = catch_up(state, self.now(), self._entropy)
            if not owed.events:
                return state
            try:
                self._append(table, state["version"], owed)
            except VersionConflict:
                continue
            except StoreUnavailable:
                # Nothing can be written, Redis is full: the table can be seen all the same, as it is.
                return state
        return self._load(table)

    @property
    def remembered(self) -> dict[str, State]:
        """The states from which this process goes on as long as they are the stored ones, by table."""
        return self._recent.states()

    def act(self, table: str, command: Mapping[str, Any]) -> Outcome:
        """Do what a player's command asks.

        Raises:
            NotFound: there is no such table.
            Refusal: it may not be done; nothing has changed but what the clock owed.
        """
        last: VersionConflict | None = None
        for number in range(MOST_TRIES):
            recent = None if number else self._recent.of(table, command)
            try:
                decided = self._try(table, command, *(recent or (self._load(table),)))
            except VersionConflict as conflict:
                last = conflict
                continue
            except Refusal:
                if recent is None:
                    raise
                continue
            # What could be stored followed on what was stored. Nothing else that comes of a remembered state may be
            # told: the table may have moved on since.
            if decided is None or (recent is not None and not decided.events):
                continue
            if decided.replay_of is not None:
                events = self.recorded(table, decided.replay_of)
                return Outcome(events[-1]["seq"], events, decided.state)
            return Outcome(decided.state["version"], decided.events, decided.state)
        raise last or AssertionError("a try ends by returning, by a refusal or by a conflict")

    def _try(self, table: str, command: Mapping[str, Any], state: State, seal: int | None = None) -> Decided | None:
        """Decide on a command and store what comes of it; None if something else came first, which is done now."""
        now = self.now()
        owed = self._owed(state, now)
        if owed.events:
            self._append(table, state["version"], owed, seal=seal)
            return None
        decided = decide(state, command, now, self._entropy)
        if decided.events:
            stored = self._append(table, state["version"], decided, seal=seal)
            self._recent.keep(table, decided.state, stored)
        return decided

    def recorded(self, table: str, tx: int) -> list[Event]:
        """Return the events of one action, by the seq of its first."""
        events = self.store.events(table, tx - 1, 64)
        return [event for event in events if event["tx"] == tx]

    def log(self, table: str, until: int | None = None) -> list[Event]:
        """Return all events of a table, or those up to seq `until`."""
        events: list[Event] = []
        while page := self.store.events(table, len(events), _PAGE):
            events += page
        return events[:until]

    def as_watched(self, state: State) -> State:
        """Return a table as spectators see it: as it was some time ago while a game is on, so that nobody can help."""
        version = self.watched_version(state)
        return state if version == state["version"] else fold(self.log(state["id"], version))

    def watched_version(self, state: State) -> int:
        """Return the seq of the last event that spectators may know of. What was before the game is no help to any."""
        if state["status"] != "playing":
            return int(state["version"])
        until, started = self._watched_until(state), int(state["game"]["started_seq"])
        last = int(state["version"])
        while last >= started:
            first = max(started, last - _LOOK_BACK + 1)
            for event in reversed(self.store.events(state["id"], first - 1, last - first + 1)):
                if event["at"] <= until:
                    return int(event["seq"])
            last = first - 1
        return started - 1

    def watched(self, state: State, events: list[Event]) -> tuple[list[Event], int | None]:
        """Return those of some events, read before `state`, that spectators may see, and when the next may be (ms)."""
        if state["status"] == "playing":
            until, started = self._watched_until(state), state["game"]["started_seq"]
            for at, event in enumerate(events):
                if event["seq"] >= started and event["at"] > until:
                    return events[:at], event["at"] + self.now() - until
        return events, None

    def _watched_until(self, state: State) -> int:
        return self.now() - int(state["settings"]["spectator_delay_ms"])

    def advance(self, table: str, version: int | None, choose: Choose) -> Advanced:
        """Do everything that is due at a table: cards, timeouts, moves of AI seats. May run twice, and side by side.

        Args:
            version: the version that the job was made for; when the table has moved on, others look after it.
        """
        steps = late = 0
        state = self._load(table)
        if version is not None and state["version"] != version:
            return Advanced(0, clock.wake_at(state), state["version"])
        while steps < STEPS_PER_JOB:
            now = self.now()
            wake = clock.wake_at(state)
            if wake is None or wake > now:
                return Advanced(steps, wake, state["version"], late)
            late = late if steps else now - wake
            decided = self._next_step(state, now, choose)
            try:
                self._append(table, state["version"], decided, again=False)
            except VersionConflict:
                state = self._load(table)
                continue
            state = decided.state
            steps += 1
        # Others have waited long enough: what is left is due now and comes as a job of its own.
        wake = clock.wake_at(state)
        self._wake(table, state, wake)
        return Advanced(steps, wake, state["version"], late)

    def _next_step(self, state: State, now: int, choose: Choose) -> Decided:
        owed = self._owed(state, now)
        if owed.events:
            return self._declare_while_dealing(owed, now, choose)
        return self._move(state, clock.ai_seats_asked(state)[0], now, choose)

    def _owed(self, state: State, now: int) -> Decided:
        """Return what comes before anybody may do anything: what the clock owes, and the keeping of a finished game.

        Whoever acts keeps the game if no worker has done so yet: the next game takes its place in the state, and who
        leaves a seat is no longer known to have played.
        """
        if clock.keeping_is_due(state):
            self._keep(state, self.log(state["id"]))
            return note_kept(state, now, self._entropy)
        return catch_up(state, now, self._entropy)

    def _declare_while_dealing(self, owed: Decided, now: int, choose: Choose) -> Decided:
        """After cards were dealt, let the AI seats look at them: who wants to declare does so in the same step."""
        for seat in clock.ai_seats_watching(owed.state):
            command = self._choice(owed.state, seat, now, choose)
            made = self._made(owed.state, seat, command, now) if command["type"] == "declare" else None
            if made is not None:
                owed = Decided([*owed.events, *made.events], made.state)
                if not clock.ai_seats_watching(owed.state):
                    break
        return owed

    def _move(self, state: State, seat: int, now: int, choose: Choose) -> Decided:
        made = self._made(state, seat, self._choice(state, seat, now, choose), now)
        return made or decide_for_ai(state, seat, fallback_action(state, seat), now, self._entropy)

    def _made(self, state: State, seat: int, command: Mapping[str, Any], now: int) -> Decided | None:
        """Do what an AI has chosen. None if it may not be done: no table stands still for a fault of our own."""
        try:
            return decide_for_ai(state, seat, command, now, self._entropy)
        except Refusal as refusal:
            _log.error("the choice of an AI was refused: %s, %s, %s", state["id"], command["type"], refusal.code)
            return None

    def _choice(self, state: State, seat: int, now: int, choose: Choose) -> Mapping[str, Any]:
        # The seed goes with table, version and seat, so that a job that runs twice chooses the same.
        seed = f"{state['id']}:{state['version']}:{seat}".encode()
        return choose(view(state, seat, now), seed, ai_level(state, seat) or "easy")

    def _load(self, table: str) -> State:
        stored = self.store.load(table)
        if stored is None:
            raise NotFound(what="table", id=table)
        return stored.state

    def _append(
        self, table: str, expected: int, decided: Decided, *, again: bool = True, seal: int | None = None
    ) -> int:
        state = decided.state
        wake = clock.wake_at(state)
        stored = self.store.append(
            table,
            expected,
            decided.events,
            state,
            wake_at=wake,
            listed=_is_open(state),
            ttl_ms=LIFETIMES[state["status"]],
            seal=seal,
            queue=queue_for(state),
        )
        if again:
            self._wake(table, state, wake)
        return stored

    def _wake(self, table: str, state: State, wake: int | None) -> None:
        if wake is not None and wake <= self.now():
            self._enqueue(table, state["version"], queue_for(state))


def queue_for(state: State) -> str:
    """Return the queue of a table's jobs: tables with people go before tables of AI seats alone."""
    return "people" if persons(state) else "ai"


def _is_open(state: State) -> bool:
    """Tell whether the lobby lists the table: it is public, has a free seat, and no game is running."""
    return (
        state["settings"]["visibility"] == "public"
        and state["status"] == "lobby"
        and any(seat["occupant"] is None for seat in state["seats"])
    )
