"""`Tables`: create, read, act, advance."""

import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from service.errors import Refusal
from service.game.commands.creation import create_table
from service.game.commands.decide import catch_up, decide
from service.game.commands.transaction import Chance, Decided
from service.game.commands.types import Fields
from service.game.events.types import Event
from service.game.ids import new_id
from service.game.state import clock
from service.game.state.types import State
from service.store.port import StoreUnavailable, TableStore, VersionConflict
from service.tables.advancing import Advanced, Advancing
from service.tables.ports import Choose, Enqueue, Keep, Now, archive_nothing, enqueue_nothing, wall_clock
from service.tables.reading import transaction, whole_log
from service.tables.watching import DelayedView
from service.tables.writing import TableWriter

__all__ = ["MOST_TRIES", "Advanced", "Outcome", "Tables"]

#: How often a command is decided anew because somebody else was faster. Each try costs two round trips.
MOST_TRIES: Final = 50


class Outcome(NamedTuple):
    """What a command has brought about.

    Attributes:
        seq: seq of the last event of the action.
        events: its events; for a retry, those recorded when it was first done.
        state: the table now.
    """

    seq: int
    events: list[Event]
    state: State


class Tables:
    """The tables of the service.

    Args:
        store: where logs and snapshots are.
        now: milliseconds since the epoch.
        enqueue: called after an append if the table is due at once.
        keep: archives a finished game, before anything else happens at its table.
        entropy: bytes from the operating system's generator.
    """

    def __init__(
        self,
        store: TableStore,
        *,
        now: Now = wall_clock,
        enqueue: Enqueue = enqueue_nothing,
        keep: Keep = archive_nothing,
        entropy: Chance = os.urandom,
    ) -> None:
        self.store: Final = store
        self.now: Final = now
        self._entropy: Final = entropy
        self._writer: Final = TableWriter(store, now, enqueue, keep, entropy)
        self._delayed: Final = DelayedView(store, now)

    # --- reading --------------------------------------------------------------------------------------------------

    def load(self, table: str) -> State:
        """Return the table, after doing what is due by the clock.

        Raises:
            NotFound: there is no such table.
        """
        for _ in range(MOST_TRIES):
            state = self._writer.load(table)
            due = catch_up(state, self.now(), self._entropy)
            if not due.events:
                return state
            try:
                self._writer.append(table, state["version"], due)
            except VersionConflict:
                continue
            except StoreUnavailable:
                # Redis is full and takes no writes: the table can still be shown as it is.
                return state
        return self._writer.load(table)

    def log(self, table: str, until: int | None = None) -> list[Event]:
        """Return all events of a table, or those up to seq `until`."""
        return whole_log(self.store, table, until)

    def recorded(self, table: str, tx: int) -> list[Event]:
        """Return the events of one transaction, by the seq of its first."""
        return transaction(self.store, table, tx)

    def as_watched(self, state: State) -> State:
        """Return a table as spectators see it."""
        return self._delayed.state(state)

    def watched_version(self, state: State) -> int:
        """Return the seq of the last event that spectators see."""
        return self._delayed.version(state)

    def watched(self, state: State, events: list[Event]) -> tuple[list[Event], int | None]:
        """Return those of some events that spectators see, and when they see the next (ms); see `DelayedView`."""
        return self._delayed.events(state, events)

    # --- writing --------------------------------------------------------------------------------------------------

    def create(self, player: Mapping[str, Any], spec: Mapping[str, Any], table: str | None = None) -> Outcome:
        """Open a table with `player` as host.

        Args:
            table: its id, if it follows from the request: then a retry finds the table that the request has made.

        Raises:
            InvalidOption, InvalidRequest: the settings are refused.
        """
        table = table or new_id("tb_", self._entropy)
        decided = create_table(table, player["id"], spec, self.now(), self._entropy)
        try:
            self._writer.append(table, 0, decided)
        except VersionConflict:
            state = self._writer.load(table)
            if state["host"] != player["id"]:
                raise
            return Outcome(1, self.recorded(table, 1), state)
        return self._outcome(table, decided)

    def act(self, table: str, command: Fields) -> Outcome:
        """Do what a player's command asks for.

        Raises:
            NotFound: there is no such table.
            Refusal: the command is refused; nothing has changed but what was due by the clock.
        """
        return self._act_on_cached(table, command) or self._act_on_stored(table, command)

    def advance(self, table: str, version: int | None, choose: Choose) -> Advanced:
        """Do everything that is due at a table: cards, timeouts, moves of AI seats. May run twice, and side by side.

        Args:
            version: the version for which the job was made; if the table has moved on, nothing is done.
        """
        return Advancing(self._writer, table, choose).run(version)

    def _act_on_cached(self, table: str, command: Fields) -> Outcome | None:
        """Act on the state that this process wrote last, which saves loading it.

        Only an append proves that the cached state is the stored one. Anything else that follows from it (a refusal, a
        retry, something due first) may be outdated: then None. A state without the decision that the command answers is
        not even tried.
        """
        state = self.store.cached(table)
        decision = state["decision"] if state else None
        if state is None or decision is None or decision["id"] != command.get("decision_id"):
            return None
        now = self.now()
        try:
            if clock.keeping_is_due(state) or catch_up(state, now, self._entropy).events:
                return None
            decided = decide(state, command, now, self._entropy)
            if not decided.events:
                return None
            self._writer.append(table, state["version"], decided)
        except (Refusal, VersionConflict):
            return None
        return self._outcome(table, decided)

    def _act_on_stored(self, table: str, command: Fields) -> Outcome:
        conflict: VersionConflict | None = None
        for _ in range(MOST_TRIES):
            state, now = self._writer.load(table), self.now()
            due = self._writer.due_steps(state, now)
            decided = due if due.events else decide(state, command, now, self._entropy)
            try:
                if decided.events:
                    self._writer.append(table, state["version"], decided)
            except VersionConflict as error:
                conflict = error
                continue
            if decided is not due:
                return self._outcome(table, decided)
        raise conflict or AssertionError("a try ends with an outcome, a refusal or a conflict")

    def _outcome(self, table: str, decided: Decided) -> Outcome:
        if decided.replay_of is not None:
            events = self.recorded(table, decided.replay_of)
            return Outcome(events[-1]["seq"], events, decided.state)
        return Outcome(decided.state["version"], decided.events, decided.state)
