"""Access to tables: who sees what, for all operations (docs/contract.md §5).

Players at the table and the host see it without delay. Others may see a public table, but a running game only if it
allows spectators, and only with its spectator delay, so that nobody can tell a player the cards of others. Open hands
are for spectators whose delay hides the running round, never for a host without a seat.

For a player whom somebody at the table has blocked, or who has blocked somebody there, it is a private table whose
codes they do not have.
"""

from functools import cached_property
from typing import Final, NamedTuple, cast

from service.game.errors import NoSpectators, PrivateTable
from service.game.events.types import Event
from service.game.state.queries import has_keeper, is_board
from service.game.state.types import State
from service.game.views.fields import codes_shown
from service.game.views.redaction import redact
from service.game.views.telling import tell
from service.game.views.types import EventView, View, Viewer
from service.game.views.view import view, viewer_of
from service.people import People
from service.tables import Tables
from service.wiring import UseCases


class Access(NamedTuple):
    """The access of a player to a table.

    Attributes:
        viewer: the player's role as viewer.
        is_host: whether the player hosts the table.
        refusal: why the player may not see it; None: the player may.
        by_invitation: whether the player may see it after sending the watch code, or as one of its circle or club.
    """

    viewer: Viewer
    is_host: bool
    refusal: PrivateTable | NoSpectators | None
    by_invitation: bool = False

    @property
    def seat(self) -> int | None:
        """The player's seat."""
        return self.viewer if isinstance(self.viewer, int) else None

    @property
    def is_delayed(self) -> bool:
        """Whether the player sees the table only with the spectator delay."""
        return self.seat is None and not self.is_host


def private_refusal(table: State) -> PrivateTable | NoSpectators:
    """Return the refusal that a stranger gets at a private table, or would get if it were private."""
    may_watch = table["settings"]["spectators"] != "off"
    # Of a board also when it is over: the refusal must not tell that the game of a sealed board has ended. At other
    # tables no code allows watching either, but the join code may lead to a seat between rounds.
    if is_board(table):
        return NoSpectators(reason="board")
    if table["status"] == "playing" and not may_watch:
        return NoSpectators(reason="running")
    return PrivateTable(reason="no_watch_code" if may_watch else "players_only")


def access_of(table: State, player: str) -> Access:
    """Return the access of a player to the current table."""
    viewer, is_host = viewer_of(table, player), bool(table["host"] == player)
    if not isinstance(viewer, int) and not is_host:
        refusal = private_refusal(table)
        if table["settings"]["visibility"] == "private" or isinstance(refusal, NoSpectators):
            if isinstance(refusal, PrivateTable) and player in table.get("kicked", ()):
                refusal = PrivateTable(reason="kicked")
            may_watch = table["settings"]["spectators"] != "off" or has_keeper(table)
            by_invitation = isinstance(refusal, PrivateTable) and may_watch
            return Access(viewer, is_host, refusal, by_invitation=by_invitation)
    return Access(viewer, is_host, None)


def check_apart(people: People, table: State, player: str) -> None:
    """Check that a player without a part in a table may see who is there. One round trip, none for those at the table.

    Raises:
        PrivateTable, NoSpectators: there is a block between the player and somebody there.
    """
    if people.is_barred(player, table):
        raise private_refusal(table)


class Perspective:
    """A table as a player may see it.

    Attributes:
        table: the current table, including hidden parts.
        player: id of the player.
        viewer: the player's role as viewer.
        seat: the player's seat; None: no seat.
        is_delayed: whether the player sees the table only with the spectator delay.
    """

    def __init__(self, tables: Tables, table: State, player: str) -> None:
        self._tables = tables
        self.table: Final = table
        self.player: Final = player
        self._access: Final = access_of(table, player)
        self.viewer: Final = self._access.viewer
        self.seat: Final = self._access.seat
        self.is_delayed: Final = self._access.is_delayed

    @classmethod
    def of(cls, tables: Tables, table: State, player: str) -> "Perspective":
        """Return a player's perspective on a table, without checking access."""
        return cls(tables, table, player)

    @classmethod
    def load(cls, use: UseCases, table: str, player: str) -> "Perspective":
        """Return a player's perspective on the table with this id.

        Raises:
            NotFound: there is no such table.
            PrivateTable, NoSpectators: the player may not see it.
        """
        perspective = cls.of(use.tables, use.tables.load(table), player)
        perspective.check_access()
        check_apart(use.people, perspective.table, player)
        return perspective

    def check_access(self) -> None:
        """Check that the player may see the table.

        Raises:
            PrivateTable: the player needs a code.
            NoSpectators: no code would help.
        """
        if self._access.refusal is not None and not self.is_invited:
            raise self._access.refusal

    @cached_property
    def is_invited(self) -> bool:
        """Return whether the player has sent the watch code of this private table, or belongs to its circle or club."""
        return self._access.by_invitation and self._tables.is_invited(self.table, self.player)

    @property
    def version(self) -> int:
        """Seq of the last event that the player may know of."""
        return self.visible_table["version"]

    @property
    def is_current(self) -> bool:
        """Whether the player may know of all events up to now."""
        return self.version == self.table["version"]

    @property
    def visible_table(self) -> State:
        """The table after the last event that the player may know of; not redacted yet."""
        return self._watched_table if self.is_delayed else self.table

    @cached_property
    def _watched_table(self) -> State:
        return self._tables.watched_table(self.table)

    def visible_events(self, events: list[Event]) -> list[Event]:
        """Return the events that the player may know of; `events` must have been read before the table."""
        return self._tables.watched(self.table, events) if self.is_delayed else events

    @property
    def etag(self) -> str:
        """ETag of the view."""
        return etag(self.version, self.viewer)

    def view(self) -> View:
        """Return the view. A host without a seat sees the codes too."""
        table_view = view(self.visible_table, self.viewer, self._tables.now_at(self.table))
        if self._access.is_host:
            table_view = cast("View", {**table_view, **codes_shown(self.table["settings"])})
        return table_view

    def redact(self, event: Event) -> EventView:
        """Return an event as the player may see it, without hints."""
        return redact(event, self.viewer, self.table["ruleset"])

    def tell(self, events: list[Event]) -> list[EventView]:
        """Return past events of the table as the player may see them, with hints for the open decision."""
        return tell(events, self.viewer, self.table)


def etag(version: int, viewer: Viewer) -> str:
    """Return the ETag of a viewer's view of a version. It contains nothing else, so it reveals nothing hidden."""
    return f'"{version}.{"w" if viewer is None else viewer}"'
