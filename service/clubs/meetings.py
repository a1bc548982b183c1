"""What a club holds: tables and team events for its members alone.

Whether somebody belongs to the club is asked at the door: when they sit down, look on, enter or agree to play. With
membership ends what they have at its tables, seat and host included, and their part in events that have not begun; the
matches of an event that has begun go on.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from service.clubs.clubs import Clubs
from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.state.queries import club_of, seat_of
from service.game.state.types import State
from service.store.clubs.clubs import MOST_TABLES, Club, ClubStore, owners
from service.store.pages import Entry
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, StoreTooNew
from service.store.tournaments.teams import players_of
from service.tables import Tables
from service.tournaments import teams
from service.tournaments.directing.entries import Entries
from service.tournaments.team_events import TeamEvent, TeamEvents


class Meetings:
    """See the module.

    Args:
        store: stores clubs.
        clubs: says who belongs to one.
        inbox: gets the announcements.
        tables, events, entries: use cases of tables and team events.
        tables_of: returns the tables of a player (ids), hosted ones included.
    """

    def __init__(
        self,
        store: ClubStore,
        clubs: Clubs,
        inbox: InboxStore,
        tables: Tables,
        events: TeamEvents,
        entries: Entries,
        tables_of: Callable[[str], list[str]],
    ) -> None:
        self._store: Final = store
        self._clubs: Final = clubs
        self._inbox: Final = inbox
        self._tables: Final = tables
        self._events: Final = events
        self._entries: Final = entries
        self._tables_of: Final = tables_of

    # --- tables -------------------------------------------------------------------------------------------------------

    def note_table(self, club: str, table: str) -> None:
        """List a table of a club (ids).

        If the list is full, closed tables go off it, else the oldest one of the member who hosts the most: nobody
        pushes those of others off.
        """
        self._store.note_table(club, table, self._tables.now())
        listed = self._store.tables_of(club)
        if len(listed) <= MOST_TABLES:
            return
        hosts: dict[str, list[str]] = {}
        over: list[str] = []
        for each, state in self._loaded(listed):
            if state is None or not _is_open_for(state, club):
                over.append(each)
            else:
                hosts.setdefault(state["host"], []).append(each)
        while len(listed) - len(over) > MOST_TABLES and hosts:
            over.append(max(hosts.values(), key=len).pop())
        self._store.drop_tables(club, over)

    def tables(self, club: str) -> list[State]:
        """Return the open tables of a club (id) whose game is not over, the latest first.

        Another game may begin where one is over: only tables that are closed or gone go off the list.
        """
        listed = self._store.tables_of(club)
        loaded = dict(self._loaded(listed))
        theirs = {table: state for table, state in loaded.items() if state is not None and _is_open_for(state, club)}
        self._store.drop_tables(club, [table for table in loaded if table not in theirs])
        return [state for state in theirs.values() if state["status"] != "finished"]

    def _loaded(self, tables: Iterable[str]) -> Iterator[tuple[str, State | None]]:
        """Yield tables (ids) with their states, None if gone, without those that a later release has changed."""
        for table in tables:
            with suppress(StoreTooNew):
                try:
                    yield table, self._tables.load(table)
                except NotFound:
                    yield table, None

    # --- team events --------------------------------------------------------------------------------------------------

    def announce(self, by: Player, club: str, team_event: TeamEvent) -> None:
        """List an event of a club (id), and tell its members, once."""
        event = team_event.event
        self._store.note_event(club, event["id"], event["opens_at"])
        stored = self._clubs.of(by["id"], club)
        data = {
            "club": club,
            "club_name": stored["name"],
            "event": event["id"],
            "event_name": event["teams"]["name"],
            "ruleset": event["ruleset"],
        }
        note = Note("club_event", self._tables.now(), data)
        for player in stored["members"]:
            if player != by["id"]:
                self._inbox.put(player, note, "event")

    def events(self, club: str, limit: int, before: Entry | None = None) -> tuple[list[TeamEvent], Entry | None]:
        """Return events of a club (id), the latest first, and where the next page begins, or None."""
        entries = self._store.events_of(club, limit, before)
        found = list[TeamEvent]()
        for _, event in entries:
            with suppress(NotFound):
                found.append(self._events.event(event))
        return found, entries[-1] if len(entries) == limit else None

    # --- the end of membership ----------------------------------------------------------------------------------------

    def end(self, players: Collection[str], club: str) -> None:
        """End what players (ids) have in a club (id) to which they no longer belong.

        At its tables that are seat and host; during a round an AI player takes the seat for good. Tables of a club from
        which one player goes are also found by the list of that player, since that of the club has the latest alone.
        """
        heirs = self._heirs(players, club)
        # For everybody at once these would be 200 lists of 200 tables.
        own = self._tables_of(*players) if len(players) == 1 else []
        for table, state in self._loaded(dict.fromkeys((*self._store.tables_of(club), *own))):
            if state is not None and _is_open_for(state, club):
                self._expel(table, [each for each in players if _has_part(state, each)], heirs)
        for _, event in self._store.events_of(club):
            with suppress(NotFound):
                self._part(self._events.event(event), players)
        # Then, since nobody leaves an event that is closed.
        self.hand_over(players, club)

    def hand_over(self, players: Collection[str], club: str) -> None:
        """Have owners direct the events of a club (id) that are directed by players (ids) without an office there."""
        heirs = self._heirs(players, club)
        for _, event in self._store.events_of(club):
            with suppress(NotFound):
                team_event = self._events.removed(self._events.event(event), players)
                if team_event.progress["director"] in players:
                    self._events.hand_over(team_event, heirs)

    def _heirs(self, players: Collection[str], club: str) -> list[str]:
        """Return the owners of a club (id), without players (ids)."""
        stored = self._store.get(club)
        return [each for each in owners(stored) if each not in players] if stored is not None else []

    def _expel(self, table: str, players: Iterable[str], heirs: Sequence[str]) -> None:
        """Expel players (ids) from a table. The first heir (ids) hosts it if they did; without one, nobody does."""
        for player in players:
            with suppress(Refusal, StoreTooNew):
                self._tables.act(table, {"type": "expel", "player": player, "heir": next(iter(heirs), "")})

    def settled(self, team_event: TeamEvent) -> TeamEvent:
        """Return an event before its first round without those who do not belong to its club any more."""
        club = team_event.event["teams"].get("club")
        if club is None or team_event.progress["rounds"]:
            return team_event
        stored: Club | None = self._store.get(club)
        members = stored["members"] if stored is not None else {}
        return self._part(team_event, players_of(team_event.progress) - members.keys())

    def _part(self, team_event: TeamEvent, players: Collection[str]) -> TeamEvent:
        """Let players (ids) leave their teams in an event whose first round has not begun."""
        event = team_event.event["id"]
        for player in players if not team_event.progress["rounds"] else ():
            while (place := teams.place_of(team_event.progress, player)) is not None:
                try:
                    team_event = self._entries.leave(event, place[0], player)
                except Refusal:
                    # It is over, or has begun meanwhile.
                    return team_event
        return team_event


def _is_open_for(state: State, club: str) -> bool:
    """Return whether a table is one of a club (id), and not closed."""
    return club_of(state) == club and not state["settings"]["closed"]


def _has_part(state: State, player: str) -> bool:
    """Return whether a player sits at a table, or hosts it."""
    return state["host"] == player or seat_of(state, player) is not None
