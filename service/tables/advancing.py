"""Jobs: what happens at a table without a person acting (dealing, timeouts, moves of AI seats)."""

from typing import Final, NamedTuple

from service.common.reckoning import TOLERANCE_MS
from service.game.commands.ai_moves import AiMoves, Choose
from service.game.commands.transaction import Decided
from service.game.state import clock
from service.game.state.levels import search_is_asked
from service.game.state.types import State
from service.store.port import VersionConflict
from service.tables.ports import Look, Turn
from service.tables.writing import TableWriter

#: Most steps of one job, so that other jobs get to run.
STEPS_PER_JOB: Final = 60


class Advanced(NamedTuple):
    """The outcome of a job.

    Attributes:
        steps: number of steps done.
        wake_at: when the table is next due (ms); None: not before a person acts.
        version: of the table now.
        late_ms: how long the first step had been overdue.
        is_deferred: whether nothing was done because the tables of other hosts go first.
    """

    steps: int
    wake_at: int | None
    version: int
    late_ms: int = 0
    is_deferred: bool = False


class Advancing:
    """One job at one table. It may run twice, also concurrently.

    Args:
        writer: loads and appends.
        table: id of the table.
        choose: the AI player.
        turn: decides when the job yields to others.
        searches: True: only moves that search; False: everything else; None: both.
    """

    def __init__(
        self, writer: TableWriter, table: str, choose: Choose, turn: Turn, searches: bool | None = None
    ) -> None:
        self._writer: Final = writer
        self._table: Final = table
        self._ai: Final = AiMoves(choose, writer.entropy)
        self._turn: Final = turn
        self._searches: Final = searches

    def run(self, version: int | None) -> Advanced:
        """Do what is due, unless the table is past `version`: the later write has enqueued its own job."""
        state = self._begin(version)
        if version not in (None, state["version"]):
            return Advanced(0, self._writer.wake_at(state), state["version"])
        if not self._turn.admits(state):
            return Advanced(0, self._writer.wake_at(state), state["version"], is_deferred=True)
        steps = late = 0
        while steps < STEPS_PER_JOB and not (steps and self._turn.is_over()):
            wake_at, now = self._writer.wake_at(state), self._writer.now_at(state)
            if version is not None and not steps:
                now = _as_enqueued(now, wake_at)
            if self._is_for_another_queue(state, wake_at, now):
                break
            # Only what comes of itself can be late; calendars and orders may have been changed just now.
            late = late if steps else _lateness(clock.wake_at(state), now)
            # After an interruption, open deadlines move before anything is due (decision 63).
            decided = self._next_step(state, now)
            look = Look(decided) if decided is not None else self._look(state, now)
            if look.decided is None:
                return Advanced(steps, wake_at, state["version"], late)
            try:
                self._writer.append(self._table, state["version"], look.decided, enqueue=False)
            except VersionConflict:
                look.end(())
                state = self._writer.load(self._table)
                continue
            look.end(look.decided.events)
            state = look.decided.state
            steps += 1
            if decided is None:
                # What follows is done by a job of its own, as after an act by hand, so that its time does not tell them
                # apart.
                break
        # Another job does the rest, in the right queue, after jobs of other tables.
        wake_at = self._writer.wake_at(state)
        self._writer.enqueue_if_due(state, wake_at)
        return Advanced(steps, wake_at, state["version"], late)

    def _begin(self, version: int | None) -> State:
        """Return the table. If this process wrote `version`, its cached state is current, or the append fails."""
        cached = None if version is None else self._writer.store.cached(self._table)
        return cached if cached and cached["version"] == version else self._writer.load(self._table)

    def _is_for_another_queue(self, state: State, wake_at: int | None, now: int) -> bool:
        """Return whether what is due takes a search and this job does none, or the other way round."""
        is_due = wake_at is not None and wake_at <= now
        return is_due and self._searches not in (None, search_is_asked(state))

    def _next_step(self, state: State, now: int) -> Decided | None:
        """Return the next step; None if nothing is due, or if an AI move waits for the end of an outage."""
        due = self._writer.due_steps(state, now)
        if due.events:
            return self._ai.with_declarations(due, now)
        ai_due_at = clock.ai_due_at(state)
        if ai_due_at is None or ai_due_at > now:
            return None
        if clock.request_ends_at(state) and self._writer.is_unreachable(now):
            return None
        return self._ai.move(state, clock.ai_seats_asked(state)[0], now)

    def _look(self, state: State, now: int) -> Look:
        """Look at what players have told the table to do in their place, if that is due."""
        due_at = self._writer.standing.due_at(state)
        if due_at is None or due_at > now or self._writer.is_unreachable(now):
            return Look()
        look = self._writer.standing.look(state, now)
        if look.decided is None:
            self._writer.postpone(state, look.again)
        return look


def _as_enqueued(now: int, wake_at: int | None) -> int:
    """Return the time for a job: whoever enqueued it has seen that it was due, by a clock that may be a bit ahead.

    Without this, the job would do nothing, and the table would wait until its lease ends.
    """
    return wake_at if wake_at is not None and now < wake_at <= now + TOLERANCE_MS else now


def _lateness(wake_at: int | None, now: int) -> int:
    """Return how long a table has been due (ms)."""
    return 0 if wake_at is None else max(0, now - wake_at)
