"""The tables of a circle, one at a time: somebody opens it, those who play are told, and sit down without a code."""

from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

from service.circles.circles import Circles, spec_of
from service.circles.errors import OnlyWatching
from service.circles.history import Histories
from service.game.errors import NotFound
from service.game.ids import id_from
from service.game.state.types import State
from service.matchmaking.hosting import Hosting
from service.people.people import People
from service.store.matchmaking.circles import Circle, CircleStore
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, StoreTooNew, VersionConflict
from service.tables import Tables


class Opened(NamedTuple):
    """A circle and its table."""

    circle: Circle
    table: State


class Sessions:
    """See the module.

    Args:
        store: stores circles.
        circles: says who belongs to one.
        people: who is told of whom.
        inbox: gets the events of those who play there.
        tables: use cases of tables.
        hosting: opens tables.
        histories: says with which levels a table starts.
    """

    def __init__(
        self,
        store: CircleStore,
        circles: Circles,
        people: People,
        inbox: InboxStore,
        tables: Tables,
        hosting: Hosting,
        histories: Histories,
    ) -> None:
        self._store: Final = store
        self._circles: Final = circles
        self._people: Final = people
        self._inbox: Final = inbox
        self._tables: Final = tables
        self._hosting: Final = hosting
        self._histories: Final = histories

    def table_of(self, circle: Circle) -> State | None:
        """Return the table of a circle; None if it has none, or it has been closed or is gone."""
        if circle["table"] is None:
            return None
        try:
            state = self._tables.load(circle["table"])
        except (NotFound, StoreTooNew):
            return None
        return None if state["settings"]["closed"] else state

    def open(self, player: Player, circle: str) -> Opened:
        """Return the table of a circle, a new one unless there is one whose game is not over.

        A new one starts on the levels that were reached, if the game is still the same and was not won. The player who
        opens it hosts it. Requests at the same moment open the same table, since its id follows from the circle.

        Raises:
            NotFound: there is no such circle, or the player does not belong to it.
            OnlyWatching: the player only watches there.
            TooManyTables: see `Hosting.open`.
        """
        stored = self._circles.of(player["id"], circle)
        if stored["members"][player["id"]]["role"] == "watcher":
            raise OnlyWatching
        current = self.table_of(stored)
        if current is not None and current["status"] != "finished":
            return Opened(stored, current)
        if current is not None:
            self._histories.note(current)
        number = stored["opened"] + 1
        spec = spec_of(stored["rules"], circle)
        spec = self._histories.start_levels(stored, spec) or spec
        table = id_from("tb_", sha256(f"{circle} {number}".encode()).digest())
        try:
            state = self._hosting.open(player, spec, table)
        except VersionConflict:
            # Somebody else has opened it at the same moment.
            state = self._tables.load(table)
        now = self._store.change(circle, lambda before: _with_table(before, player["id"], table, number))
        if now is None:
            raise NotFound(what="room", id=circle)
        if current is not None:
            # Nobody goes on at the old one meanwhile.
            with suppress(NotFound):
                self._tables.act(current["id"], {"type": "close", "player": current["host"]})
        self._tell(player, now, state)
        return Opened(now, state)

    def _tell(self, by: Player, circle: Circle, state: State) -> None:
        """Tell those who play in a circle, once for each table, unless there is a block between them and who opened."""
        data = {
            "room": circle["id"],
            "room_name": circle["name"],
            "table": state["id"],
            "ruleset": state["ruleset"],
            "player": by["id"],
            "name": by["name"],
        }
        note = Note("room_opened", self._tables.now(), data)
        for other, membership in circle["members"].items():
            is_told = other != by["id"] and membership["role"] != "watcher"
            if is_told and not self._people.is_apart(by["id"], [other]):
                self._inbox.put(other, note, "table")


def _with_table(circle: Circle, by: str, table: str, number: int) -> Circle:
    if by not in circle["members"]:
        raise NotFound(what="room", id=circle["id"])
    return circle if circle["opened"] >= number else {**circle, "table": table, "opened": number}
