"""Jobs: what happens at a table without a person acting (dealing, timeouts, moves of AI seats)."""

import hmac
import logging
import traceback
from pathlib import Path
from typing import Final, NamedTuple

from service.common.errors import Refusal
from service.common.reckoning import TOLERANCE_MS
from service.game.commands.decide import decide_for_ai
from service.game.commands.transaction import Decided
from service.game.commands.types import Fields
from service.game.state import clock
from service.game.state.fallback import fallback_action
from service.game.state.levels import TAKEOVER_LEVEL, search_is_asked
from service.game.state.queries import ai_level, decision_of, round_of
from service.game.state.types import State
from service.game.views.ai_view import ai_view
from service.store.port import VersionConflict
from service.tables.ports import Choose, Look, Turn
from service.tables.writing import TableWriter

_log: Final = logging.getLogger(__name__)

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
        self._choose: Final = choose
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
            return self._with_declarations(due, now)
        ai_due_at = clock.ai_due_at(state)
        if ai_due_at is None or ai_due_at > now:
            return None
        if clock.request_ends_at(state) and self._writer.is_unreachable(now):
            return None
        return self._move(state, clock.ai_seats_asked(state)[0], now)

    def _look(self, state: State, now: int) -> Look:
        """Look at what players have told the table to do in their place, if that is due."""
        due_at = self._writer.standing.due_at(state)
        if due_at is None or due_at > now or self._writer.is_unreachable(now):
            return Look()
        look = self._writer.standing.look(state, now)
        if look.decided is None:
            self._writer.postpone(state, look.again)
        return look

    def _with_declarations(self, dealt: Decided, now: int) -> Decided:
        """Let AI seats declare in the same step in which cards were dealt.

        What is due is dealt first, also after an outage that has just been noticed: a record has only the times of its
        actions, from which a replay deals what was due.
        """
        if clock.deal_is_due(dealt.state, now):
            return dealt
        for seat in clock.ai_seats_watching(dealt.state):
            command = self._choice(dealt.state, seat, now)
            declares = command is not None and command["type"] == "declare"
            declared = self._decided(dealt.state, seat, command, now) if command is not None and declares else None
            if declared is not None:
                dealt = Decided([*dealt.events, *declared.events], declared.state)
                if not clock.ai_seats_watching(dealt.state):
                    break
        return dealt

    def _move(self, state: State, seat: int, now: int) -> Decided:
        command = self._choice(state, seat, now)
        move = self._decided(state, seat, command, now) if command is not None else None
        return move or decide_for_ai(state, seat, fallback_action(state, seat), now, self._writer.entropy)

    def _choice(self, state: State, seat: int, now: int) -> Fields | None:
        """Return what an AI player chooses; None if it fails, since a bug in the AI must not block the table."""
        level = ai_level(state, seat) or TAKEOVER_LEVEL
        try:
            return self._choose(ai_view(state, seat, now), seed_for(state, seat), level)
        except Exception as error:  # noqa: BLE001 - no bug of an AI player may block the table
            # Log neither the message nor the local variables: they may contain cards.
            where = traceback.extract_tb(error.__traceback__)[-1]
            _log.error(
                "AI failed: table %s, version %s, level %s, %s in %s line %s",
                state["id"],
                state["version"],
                level,
                type(error).__name__,
                Path(where.filename).name,
                where.lineno,
            )
            return None

    def _decided(self, state: State, seat: int, command: Fields, now: int) -> Decided | None:
        """Carry out an AI player's choice; None if it is illegal, since a bug in the AI must not block the table."""
        try:
            return decide_for_ai(state, seat, command, now, self._writer.entropy)
        except Refusal as refusal:
            _log.error("AI choice refused: table %s, %s, %s", state["id"], command["type"], refusal.code)
            return None


def _as_enqueued(now: int, wake_at: int | None) -> int:
    """Return the time for a job: whoever enqueued it has seen that it was due, by a clock that may be a bit ahead.

    Without this, the job would do nothing, and the table would wait until its lease ends.
    """
    return wake_at if wake_at is not None and now < wake_at <= now + TOLERANCE_MS else now


def _lateness(wake_at: int | None, now: int) -> int:
    """Return how long a table has been due (ms)."""
    return 0 if wake_at is None else max(0, now - wake_at)


def seed_for(state: State, seat: int, what: str = "ai") -> bytes:
    """Return the seed for an AI player's choice at a seat in the open decision, or for `what` else is drawn there.

    It depends only on the course of the round, not on event ids, which chat shifts. So a repeated job, a hint, an
    analysis, and another table with the same deal and the same actions all get the same choice. Clients cannot predict
    it: its key is a secret of the table that is independent of the cards of this round.
    """
    table_round = round_of(state)
    done = (
        table_round["number"],
        table_round["deal"]["attempt"],
        len(table_round["shown"]),
        sum(table_round["played"]),
        decision_of(state)["kind"],
        seat,
    )
    return hmac.digest(state["next_seed"].encode(), "|".join([what, *map(str, done)]).encode(), "sha256")
