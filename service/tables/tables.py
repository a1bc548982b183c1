"""`Tables`: create, read, act, advance."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from service.common.errors import Refusal
from service.game.commands.ai_moves import Choose, seed_for
from service.game.commands.creation import create_table
from service.game.commands.decide import decide
from service.game.commands.sandbox_time import advance_clock, go_on
from service.game.commands.transaction import Decided, RandomBytes
from service.game.commands.types import Fields
from service.game.events.types import Event
from service.game.ids import new_id, table_of_game
from service.game.records.record import GameLog, game_log
from service.game.state.queries import circle_of, club_of, has_keeper, seats_asked
from service.game.state.table_types import TableSpec
from service.game.state.types import State
from service.game.views.ai_view import AiView, ai_view
from service.game.views.fields import codes_of
from service.store.port import StoreUnavailable, TableStore, VersionConflict
from service.store.shared_clock import wall_clock
from service.tables.advancing import Advanced, Advancing
from service.tables.ports import (
    Admit,
    Enqueue,
    Finished,
    Interrupted,
    InTurn,
    MoreTime,
    NoStreams,
    Now,
    RoleIn,
    Standing,
    Streams,
    Turn,
    Unlimited,
    admit_all,
    enqueue_nothing,
    never_interrupted,
    no_more_time,
    no_role,
)
from service.tables.reading import transaction, whole_log
from service.tables.watching import SpectatorDelay
from service.tables.writing import LIFETIMES, TableWriter

__all__ = ["CODE_TTL_MS", "MOST_TRIES", "Advanced", "Outcome", "Tables"]

#: Most attempts of a use case when other processes keep changing the table first. Each costs two round trips.
MOST_TRIES: Final = 50


#: How long a code is valid after its last use: the lifetime of a table in play without events.
CODE_TTL_MS: Final = LIFETIMES["playing"]
_UNLIMITED: Final = Unlimited()
#: Decides on a command: takes the table and the time (ms).
_Decide: TypeAlias = Callable[[State, int], Decided]


class Outcome(NamedTuple):
    """The result of a command.

    Attributes:
        seq: seq of the command's last event.
        events: the command's events; for a retry, those recorded the first time.
        state: the table now.
    """

    seq: int
    events: list[Event]
    state: State


class Tables:
    """The tables of the service.

    Args:
        store: holds logs and snapshots.
        now: returns milliseconds since the epoch.
        enqueue: called after an append if the table is due at once.
        entropy: returns random bytes from the operating system.
        streams: get each append.
        interrupted: returns the times at which the service could not be reached.
        role_in, role_in_club: say who belongs to a circle, and to a club.
    """

    def __init__(
        self,
        store: TableStore,
        *,
        now: Now = wall_clock,
        enqueue: Enqueue = enqueue_nothing,
        entropy: RandomBytes = os.urandom,
        streams: Streams | None = None,
        interrupted: Interrupted = never_interrupted,
        role_in: RoleIn = no_role,
        role_in_club: RoleIn = no_role,
    ) -> None:
        self.store: Final = store
        self._role_in: Final = role_in
        self._role_in_club: Final = role_in_club
        self.now: Final = now
        self._entropy: Final = entropy
        self._writer: Final = TableWriter(store, now, enqueue, entropy, streams or NoStreams(), interrupted)
        self._spectators: Final = SpectatorDelay(store, now)

    def on_finished(self, listener: Finished) -> None:
        """Call a function when a game is over, after those of earlier calls and before anything else at its table.

        Without any, a game is lost when its table expires.
        """
        self._writer.listeners.append(listener)

    def stand(self, *standing: Standing, more_time: MoreTime = no_more_time) -> None:
        """Let the tables of days look at what stands there, and ask for more time before a decision times out."""
        self._writer.standing, self._writer.more_time = InTurn(*standing), more_time

    def postpone(self, state: State, looked_at: int) -> None:
        """Let the table look at what stands there at a time (ms), unless something else is due before."""
        self._writer.postpone(state, looked_at)

    def on_round(self, listener: Callable[[State], None]) -> None:
        """Call a function with the table when the result of a round has been written.

        It may miss one if the process dies at that moment, and must raise nothing: the round is over all the same.
        """
        self._writer.of_rounds.append(listener)

    def finished(self, state: State, log: Sequence[Event]) -> None:
        """Call the functions given to `on_finished`, with the table of a finished game and its log."""
        self._writer.finished(state, log)

    def now_at(self, state: State) -> int:
        """Return the table's time (ms): now, or the stopped clock of a sandbox."""
        return self._writer.now_at(state)

    # --- reading --------------------------------------------------------------------------------------------------

    def stored(self, table: str) -> State:
        """Return the table as it is stored, which changes nothing.

        Raises:
            NotFound: there is no such table.
        """
        return self._writer.load(table)

    def load(self, table: str) -> State:
        """Return the table after doing what is due by now, which writes it.

        Raises:
            NotFound: there is no such table.
        """
        for _ in range(MOST_TRIES):
            state = self._writer.load(table)
            due = self._writer.catch_up(state, self._writer.now_at(state))
            if not due.events:
                return state
            try:
                self._writer.append(table, state["version"], due)
            except VersionConflict:
                continue
            except StoreUnavailable:
                # Redis refuses writes, perhaps because it is full. The table can still be shown.
                return state
        return self._writer.load(table)

    def state_since(self, table: str, version: int) -> State:
        """Return the table at `version` or later, without a round trip if this process wrote that version.

        Raises:
            NotFound: there is no such table.
        """
        cached = self.store.cached(table)
        return cached if cached is not None and cached["version"] >= version else self._writer.load(table)

    def question_of(self, table: str, seat: int, decision_id: str) -> tuple[AiView, bytes] | None:
        """Return the AI view of a seat and its seed; None unless this decision is open and asks the seat.

        Raises:
            NotFound: there is no such table.
        """
        state = self._writer.load(table)
        decision = state["decision"]
        if decision is None or decision["id"] != decision_id or seat not in seats_asked(state, decision):
            return None
        return ai_view(state, seat, self.now_at(state)), seed_for(state, seat)

    def log(self, table: str, until: int | None = None) -> list[Event]:
        """Return all events of a table, or those up to seq `until`."""
        return whole_log(self.store, table, until)

    def game_log(self, game: str) -> GameLog:
        """Return the log of a game whose events the table still has.

        Raises:
            NotFound: there is no such game.
        """
        return game_log(self.log(table_of_game(game)), game)

    def recorded(self, table: str, tx: int) -> list[Event]:
        """Return the events of a transaction, given the seq of the first."""
        return transaction(self.store, table, tx)

    def watched_table(self, state: State) -> State:
        """Return the table after the last event that spectators see."""
        return self._spectators.table(state)

    def watched(self, state: State, events: list[Event]) -> list[Event]:
        """Return the events that spectators see; see `SpectatorDelay.events`."""
        return self._spectators.events(state, events)

    # --- writing --------------------------------------------------------------------------------------------------

    def create(self, player: Mapping[str, object], spec: TableSpec, table: str | None = None) -> Outcome:
        """Open a table with `player` as host.

        Args:
            table: its id, derived from the request if a retry has to find the table created the first time.

        Raises:
            InvalidOption, InvalidRequest: the settings are not valid.
        """
        table = table or new_id("tb_", self._entropy)
        for _ in range(MOST_TRIES):
            decided = create_table(table, str(player["id"]), spec, self.now(), self._entropy)
            if self.reserve_codes(decided.state):
                break
        decided = self._with_what_follows(decided)
        try:
            self._writer.append(table, 0, decided)
        except VersionConflict:
            state = self._writer.load(table)
            if state["host"] != player["id"]:
                raise
            recorded = self.recorded(table, 1)
            self.store.confirm(table, recorded[-1])
            return Outcome(1, recorded, state)
        return self._outcome(table, decided, decided.state)

    def unstored(self, spec: TableSpec) -> State:
        """Return a table without a host that is not stored, to check its settings."""
        return create_table(new_id("tb_", self._entropy), "", spec, self.now(), self._entropy).state

    def reserve_codes(self, state: State) -> bool:
        """Map the codes of a table to it; False if one of them already maps to another table."""
        return all(
            self.store.reserve_code(code, state["id"], CODE_TTL_MS) for code in codes_of(state["settings"]).values()
        )

    def of_code(self, code: str) -> State | None:
        """Return the table to which a code leads, or None; the code then counts for another `CODE_TTL_MS`."""
        table = self.store.table_of_code(code, CODE_TTL_MS)
        stored = self.store.load(table) if table is not None else None
        return stored.state if stored is not None else None

    def add_watcher(self, table: str, code: str, player: str) -> None:
        """Let a player watch a private table, as long as it has this watch code."""
        self.store.add_watcher(table, code, player, CODE_TTL_MS)

    def belongs(self, state: State, player: str, *, to_play: bool = False) -> bool:
        """Return whether a player may come to a table as far as its circle or club is concerned; asked anew each time.

        Args:
            to_play: to sit down, not only to watch.
        """
        circle, club = circle_of(state), club_of(state)
        if club is not None and self._role_in_club(club, player) is None:
            return False
        role = self._role_in(circle, player) if circle is not None else "member"
        return role is not None and not (to_play and role == "watcher")

    def is_invited(self, state: State, player: str) -> bool:
        """Return whether a player without a part in a private table may watch it: by circle, club or watch code."""
        if has_keeper(state):
            return self.belongs(state, player)
        code = codes_of(state["settings"]).get("watch_code")
        return code is not None and self.store.is_watcher(state["id"], code, player)

    def act(self, table: str, command: Fields, admit: Admit = admit_all) -> Outcome:
        """Carry out a player's command.

        Args:
            table: its id.
            command: see `service.game.commands.types`.
            admit: called before the events of a command that answers no decision are written; may refuse it.

        Raises:
            NotFound: there is no such table.
            Refusal: the command is not allowed; what was due by now has been done nevertheless.
            StoreUnavailable: also while the API cannot write its heartbeat, which stops the clock.
        """
        # The state that this process wrote last, if it has the decision that the command answers, saves loading it.
        cached = self.store.cached(table)
        decision = cached["decision"] if cached else None
        if cached is None or decision is None or decision["id"] != command.get("decision_id"):
            cached = None
        return self._act(table, lambda state, now: decide(state, command, now, self._entropy), admit, cached)

    def advance_clock(self, table: str, player: str, elapsed_ms: int) -> Outcome:
        """Advance the clock of a sandbox to `elapsed_ms` after the creation of the table.

        Raises:
            NotFound: there is no such sandbox.
            NotHost: another player hosts it.
        """
        return self._act(table, lambda state, _: advance_clock(state, player, elapsed_ms, self._entropy), admit_all)

    def advance(
        self,
        table: str,
        version: int | None,
        choose: Choose,
        turn: Turn = _UNLIMITED,
        *,
        searches: bool | None = None,
    ) -> Advanced:
        """Do everything that is due at a table: deal cards, apply timeouts, move AI seats.

        May be called twice for one version, also concurrently.

        Args:
            version: version of the table when the job was enqueued. If it has changed since, nothing is done. None:
                any.
            choose: the AI player.
            turn: decides when to yield to other jobs; by default never.
            searches: True: only moves that search; False: everything else; None: both.
        """
        return Advancing(self._writer, table, choose, turn, searches).run(version)

    def _act(self, table: str, decide_: _Decide, admit: Admit, cached: State | None = None) -> Outcome:
        """Decide and append, again after each conflict.

        Args:
            cached: a state to begin with, which may be outdated. Only a successful append proves that it is current; or
                of a refusal, that the stored state turns out to be equal. A retry is left to the stored state.
        """
        error: Refusal | VersionConflict | None = None
        for number in range(MOST_TRIES):
            state = cached if cached is not None and number == 0 else self._writer.load(table)
            if isinstance(error, Refusal) and state == cached:
                raise error
            try:
                outcome = self._try(table, state, decide_, None if state is cached else admit)
            except VersionConflict as conflict:
                error = conflict
            except Refusal as refusal:
                if state is not cached:
                    raise
                error = refusal
            else:
                if outcome is not None:
                    return outcome
        raise error or AssertionError("a try ends with an outcome, a refusal or a conflict")

    def _try(self, table: str, state: State, decide_: _Decide, admit: Admit | None) -> Outcome | None:
        """Do what is due at a table, or else decide and append.

        Args:
            admit: see `act`; None: the state is cached.

        Returns:
            None to try again: something was due, or a cached state showed a retry.

        Raises:
            Refusal, VersionConflict
        """
        now = self.now_at(state)
        due = self._writer.due_before_act(state, now)
        decided = due if due.events else decide_(state, now)
        if not decided.events:
            return self._outcome(table, decided, decided.state) if admit else None
        if admit and decided is not due:
            admit(state, decided.events)
        written = self._with_what_follows(decided)
        self._writer.append(table, state["version"], written)
        return self._outcome(table, decided, written.state) if decided is not due else None

    def _with_what_follows(self, decided: Decided) -> Decided:
        """Add to a decision in a sandbox the steps that follow without any action."""
        if "sandbox" not in decided.state["settings"] or not decided.events:
            return decided
        more = go_on(decided.state, decided.state["at"], self._entropy)
        return Decided([*decided.events, *more.events], more.state)

    def _outcome(self, table: str, decided: Decided, state: State) -> Outcome:
        if decided.replay_of is not None:
            events = self.recorded(table, decided.replay_of)
            self.store.confirm(table, events[-1])
            return Outcome(events[-1]["seq"], events, state)
        if decided.events:
            self.store.confirm(table, decided.events[-1])
        return Outcome(decided.state["version"], decided.events, state)
