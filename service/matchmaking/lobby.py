"""The list of public tables."""

from collections.abc import Callable
from typing import Final

from service.game.state.queries import persons
from service.game.state.types import State
from service.people.people import People
from service.people.presence import Presence
from service.store.port import Listed, StoreTooNew
from service.tables import Tables

#: Most tables examined for a page.
_MOST_EXAMINED: Final = 200


class Lobby:
    """See the module.

    Args:
        tables: use cases of tables.
        people: who may meet whom.
        presence: who is there.
    """

    def __init__(self, tables: Tables, people: People, presence: Presence) -> None:
        self._tables: Final = tables
        self._people: Final = people
        self._presence: Final = presence

    def page(
        self, player: str, fits: Callable[[State], bool], limit: int, before: Listed | None, *, watchable: bool
    ) -> tuple[list[State], Listed | None]:
        """Return at most `limit` tables for a player, the newest first, and where the next page begins, or None.

        Tables of people apart from the player are skipped like those that do not fit.

        Args:
            watchable: whether to list tables that may be watched instead of those with a free seat.
        """
        entries = self._tables.store.listed(_MOST_EXAMINED, before, watchable=watchable)
        tables: list[State] = []
        last = None
        for entry in entries:
            if len(tables) == limit:
                break
            last = entry
            try:
                stored = self._tables.store.load(entry.table)
            except StoreTooNew:
                continue
            if stored is None:
                self._tables.store.delete(entry.table)
            elif (
                fits(stored.state)
                and self._is_attended(stored.state)
                and not self._people.is_barred(player, stored.state)
            ):
                tables.append(stored.state)
        has_more = last is not None and (last != entries[-1] or len(entries) == _MOST_EXAMINED)
        return tables, last if has_more else None

    def _is_attended(self, state: State) -> bool:
        """Return whether a person is there, or none has sat down yet; of a running game it does not matter."""
        state = self._presence.settle(state)
        people = persons(state)
        return (
            state["status"] == "playing"
            or not people
            or any(state["seats"][at]["presence"] == "online" for at in people)
        )
