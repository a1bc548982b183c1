"""Joining a table, and beginning its game: refused if one of its people has blocked another."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from service.common.errors import Refusal
from service.game.commands.types import Fields
from service.game.errors import NotFound
from service.game.state.occupants import occupant_of
from service.game.state.queries import circle_of, has_keeper, seat_of
from service.game.state.types import State
from service.notices.notices import Notices
from service.people.errors import Apart
from service.people.people import People
from service.people.presence import Presence
from service.store.port import Player, PlayerStore, StoreTooNew
from service.tables import Outcome, Tables

#: Most public tables examined for a free seat.
_MOST_EXAMINED: Final = 100


class Joining:
    """See the module.

    Args:
        tables: use cases of tables.
        players: stores the tables of each player.
        people: who may meet whom.
        presence: who is there.
        notices: of the turns at the table.
        usual_seat: returns the seat that a player (id) had last time in a circle (id).
    """

    def __init__(
        self,
        tables: Tables,
        players: PlayerStore,
        people: People,
        presence: Presence,
        notices: Notices,
        usual_seat: Callable[[str, str], int | None],
    ) -> None:
        self._tables: Final = tables
        self._players: Final = players
        self._people: Final = people
        self._presence: Final = presence
        self._notices: Final = notices
        self._usual_seat: Final = usual_seat

    def sit(self, table: str, command: Fields) -> Outcome:
        """Seat a player, list the table, and schedule its notices. Raises as `Tables.act`.

        If there is a block between the player and somebody at the table, it is a private one to the player, and no code
        opens it. At a table of a circle or a club, no code opens it to others, and its people need none.
        """
        player: str = command["player"]
        self._presence.heard(player)
        state = self._tables.load(table)
        if self._people.is_barred(player, state) or not self._tables.belongs(state, player, to_play=True):
            command = {**command, "is_barred": True}
        elif has_keeper(state):
            # Whom the host has kicked would come in by it all the same.
            if player not in state.get("kicked", ()):
                command = {**command, "join_code": state["settings"]["join_code"]}
            if (circle := circle_of(state)) is not None:
                command = self._at_usual_seat(state, circle, command)
        outcome = self._tables.act(table, command, self._people.to_sit(player, command.get("join_code")))
        self._players.add_table(player, table, self._tables.now())
        self._notices.sat(player, table)
        return outcome

    def _at_usual_seat(self, state: State, circle: str, command: Fields) -> Fields:
        """Name the seat that the player had last time, since levels belong to seats; not if it is taken by now."""
        if command.get("seat") is not None or seat_of(state, command["player"]) is not None:
            return command
        seat = self._usual_seat(circle, command["player"])
        is_free = seat is not None and seat < state["players"] and state["seats"][seat]["occupant"] is None
        return {**command, "seat": seat} if is_free else command

    def take_free_seat(self, player: Player, fits: Callable[[State], bool]) -> str | None:
        """Seat a player at the longest waiting public table that fits; return its id, or None if there is none."""
        for entry in reversed(self._tables.store.listed(_MOST_EXAMINED)):
            with suppress(Refusal, StoreTooNew):
                stored = self._tables.store.load(entry.table)
                if stored is not None and fits(self._presence.settle(stored.state)):
                    self.sit(entry.table, {"type": "sit", **occupant_of(player)})
                    return entry.table
        return None

    def act(self, table: str, command: Fields) -> Outcome:
        """Carry out a command that may start a game.

        If a player at the table has blocked another since they sat down, one of them loses the seat, and no game
        starts.

        Raises:
            NotYourSeat: the player of the command lost the seat.
            Refusal: see `Tables.act`.
        """
        while True:
            try:
                return self._tables.act(table, command, self._people.to_start)
            except Apart as apart:
                with suppress(Refusal):
                    self._tables.act(table, {"type": "leave", "player": apart.player})
                if apart.player == command["player"]:
                    raise

    def part(self, host: str, other: str) -> None:
        """Unseat a player whom a host has blocked, wherever they wait for a game of the host's; a running one goes on.

        Of people who are not the host, one leaves when a game would begin (`act`): at once, both would know why.
        """
        for state in list(self.tables_of(host, lambda _: True)):
            if state["host"] == host and state["status"] != "playing":
                with suppress(Refusal):
                    self._tables.act(state["id"], {"type": "leave", "player": other})

    def tables_of(self, player: str, is_theirs: Callable[[State], bool]) -> Iterator[State]:
        """Yield the tables of a player, the latest first, and remove from the list what is not theirs any more.

        Tables that a later release has changed are left to that release.
        """
        for table in self._players.tables_of(player):
            try:
                state = self._tables.load(table)
            except StoreTooNew:
                continue
            except NotFound:
                self._players.remove_table(player, table)
                continue
            if is_theirs(state):
                yield state
            else:
                self._players.remove_table(player, table)
