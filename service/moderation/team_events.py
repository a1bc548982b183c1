"""What operators do with events of teams: rename and remove events and teams."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from service.boards import deals
from service.common.errors import Refusal
from service.game.errors import NotFound
from service.store.boards.events import BoardStore
from service.store.tournaments.teams import Progress
from service.tables import Tables
from service.tournaments import teams
from service.tournaments.match_tables import rooms_of
from service.tournaments.standings import boards_of, room
from service.tournaments.team_events import TeamEvent, TeamEvents


class Overseer:
    """See the module.

    Args:
        events: the events.
        store: stores them.
        tables: tables of the boards.
        removed: is called with an event that is about to be removed, perhaps again.
    """

    def __init__(
        self, events: TeamEvents, store: BoardStore, tables: Tables, removed: Callable[[TeamEvent], None]
    ) -> None:
        self._events: Final = events
        self._store: Final = store
        self._tables: Final = tables
        self._removed: Final = removed

    def rename_event(self, event: str, name: str) -> str:
        """Rename an event and return the name before. Nobody else can rename one.

        Raises:
            NotFound: there is no such event.
        """
        before = self._events.event(event).event["teams"]["name"]
        self._store.rename_event(event, name)
        # Seasons in which it counts have its name too.
        self._events.look_at([event], 0)
        return before

    def remove_event(self, event: str) -> TeamEvent:
        """Close the tables of an event and delete it; return what it was.

        Raises:
            NotFound: there is no such event.
        """
        team_event = self._events.event(event)
        if team_event.progress["rounds"]:
            number, over = len(team_event.progress["rounds"]), team_event.progress["rounds"][-1].get("over", ())
            for pair, which in (each for each in rooms_of(*team_event) if each[0] not in over):
                for board in boards_of(team_event.event, number):
                    table = deals.table_of(team_event.event, board, room(pair, which))
                    with suppress(Refusal):
                        self._tables.act(table, {"type": "close", "player": "", "by_operator": True})
        if team_event.progress["director"] is not None:
            self._store.teams.undirect(team_event.progress["director"], event, self._tables.now())
        # First: a repeated request finds no event that is gone.
        self._removed(team_event)
        self._store.remove(team_event.event)
        return team_event

    def rename_team(self, event: str, team: str, name: str) -> str:
        """Rename a team, whose name then stays, and return the name before.

        Raises:
            NotFound: there is no such event or team.
        """
        team_event = self._events.event(event)
        before = teams.shown_name(teams.team_of(team_event.progress, team))
        self._events.change(team_event, lambda progress: teams.renamed(progress, team, name))
        return before

    def remove_team(self, event: str, team: str) -> str:
        """Withdraw a team, as its captain may, and return its name.

        Raises:
            NotFound: there is no such event or team.
        """
        team_event = self._events.event(event)
        name, now = teams.shown_name(teams.team_of(team_event.progress, team)), self._events.now()

        def change(progress: Progress) -> Progress:
            if team not in progress["teams"]:
                raise NotFound(what="team", id=team)
            return teams.withdrawn(progress, team, now)

        self._events.change(team_event, change)
        return name
