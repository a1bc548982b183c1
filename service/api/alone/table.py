"""One table in one process: its state, its log, and what is due at it."""

from typing import Final, TypedDict

from service.game.commands.ai_moves import AiMoves
from service.game.commands.creation import create_table
from service.game.commands.decide import catch_up, decide, note_kept
from service.game.commands.transaction import Decided, RandomBytes
from service.game.commands.types import Fields
from service.game.errors import NotFound
from service.game.events.types import Event
from service.game.records.record import game_log, record
from service.game.records.types import Record
from service.game.state import clock
from service.game.state.queries import game_of
from service.game.state.table_types import TableSpec
from service.game.state.types import State
from service.game.views.ai_view import AiView
from workers.ai.heuristics.rule_players import EASY, advice_of, by_rules

#: The level of AI players that needs no search: `easy`.
PLAYER: Final = by_rules(EASY)


class Kept(TypedDict):
    """A table as JSON, to go on with later."""

    log: list[Event]
    state: State


def _choose(view: AiView, seed: bytes, _level: str) -> Fields:
    """Return what the easy AI player does, whatever the level of the seat; with its reason, for the record."""
    advice = advice_of(PLAYER, {**view}, seed)
    return advice.command if advice.reason is None else {**advice.command, "reason": advice.reason}


class AloneTable:
    """See the module.

    Attributes:
        state, log: of the table; both are JSON.
    """

    def __init__(self, kept: Kept, random_bytes: RandomBytes) -> None:
        self.state: State = kept["state"]
        self.log: Final = kept["log"]
        self._random_bytes: Final = random_bytes
        self._ai: Final = AiMoves(_choose, random_bytes)

    @classmethod
    def open(cls, table: str, host: str, spec: TableSpec, now: int, random_bytes: RandomBytes) -> "AloneTable":
        """Open a table.

        Raises:
            InvalidOption, InvalidRequest: the settings are not valid.
        """
        decided = create_table(table, host, spec, now, random_bytes)
        return cls({"log": decided.events, "state": decided.state}, random_bytes)

    def kept(self) -> Kept:
        """Return what `__init__` takes."""
        return {"log": self.log, "state": self.state}

    def act(self, command: Fields, now: int) -> list[Event]:
        """Carry out a player's command, after what is due before; return its events.

        Raises:
            Refusal: it is not allowed, and has changed nothing.
        """
        while self._take(self._due(now)):
            pass
        decided = decide(self.state, command, now, self._random_bytes)
        if decided.replay_of is not None:
            return [event for event in self.log if event["tx"] == decided.replay_of]
        return self._take(decided)

    def step(self, now: int) -> list[Event]:
        """Do the next thing that is due without a person acting; return its events, none if nothing is due."""
        due = self._due(now)
        if due.events:
            return self._take(self._ai.with_declarations(due, now))
        at = clock.ai_due_at(self.state)
        if at is None or at > now:
            return []
        return self._take(self._ai.move(self.state, clock.ai_seats_asked(self.state)[0], now))

    def due_at(self) -> int | None:
        """Return when something is due next (ms), or None: only a person can go on."""
        return clock.due_at(self.state)

    def record(self, now: int) -> Record:
        """Return the record of the game that is played, or was played last: its finished rounds.

        Raises:
            NotFound: there has been no game.
        """
        if self.state["game"] is None:
            raise NotFound(what="game", id="")
        return record(game_log(self.log, game_of(self.state)["id"]), now)

    def _due(self, now: int) -> Decided:
        if clock.keeping_is_due(self.state):
            return note_kept(self.state, now, self._random_bytes)
        return catch_up(self.state, now, self._random_bytes)

    def _take(self, decided: Decided) -> list[Event]:
        self.log.extend(decided.events)
        self.state = decided.state
        return decided.events
