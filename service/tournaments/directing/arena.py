"""The clock's steps of an arena: it ends tables, seats those who wait, and opens their tables.

Each step may be repeated, and a process may be killed between any two of them: who has which table is decided by one
change of the event, and everything after that follows from it again.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from service.store.boards.events import Results
from service.store.players.people import PeopleStore
from service.store.port import is_suspended
from service.store.tournaments.teams import Progress
from service.tournaments import arenas, forms, teams
from service.tournaments.match_tables import MatchTables
from service.tournaments.schedules import waiting
from service.tournaments.team_events import CHECK_MS, ROOMS_AT_ONCE, TeamEvent, TeamEvents

#: When it is looked again whether those who are away have come back (ms).
LOOK_AGAIN_MS: Final = 5_000


class Arena:
    """See the module.

    Args:
        events: the events.
        tables: opens the tables.
        people: who is online, suspended, or blocked by whom.
        members_of: returns who belongs to a club (id): ids.
    """

    def __init__(
        self,
        events: TeamEvents,
        tables: MatchTables,
        people: PeopleStore,
        members_of: Callable[[str], Collection[str]],
    ) -> None:
        self._events: Final = events
        self._tables: Final = tables
        self._people: Final = people
        self._members_of: Final = members_of

    def go_on(self, event: str) -> int | None:
        """Take the steps of an arena that are due; return when to take the next ones (ms), or None."""
        team_event, now = self._events.settled(self._events.event(event)), self._events.now()
        if not team_event.progress["rounds"] or team_event.progress["rounds"][-1]["is_scored"]:
            return self._events.told(team_event)
        if teams.is_over(team_event.progress["rounds"][-1], now):
            # Left to a later release.
            return now + CHECK_MS
        team_event = self._end_tables(team_event)
        before = len(teams.meetings_of(team_event.progress["rounds"][-1]))
        team_event = self._seat(team_event)
        new = len(teams.meetings_of(team_event.progress["rounds"][-1])) - before
        if self._open(team_event) or new >= arenas.TABLES_AT_ONCE:
            return now
        # A director may change its end meanwhile.
        end = partial(arenas.ended, team_event.event, now=now)
        if end(team_event.progress) != team_event.progress:
            team_event = self._events.step(team_event, end)
            return self._events.told(team_event) if team_event.progress["rounds"][-1]["is_scored"] else now
        return self._next_at(team_event)

    def _end_tables(self, team_event: TeamEvent) -> TeamEvent:
        """Note which tables are over, and open those that are lost; who has left one to AI players plays no more."""
        event, progress = team_event
        entry = progress["rounds"][-1]
        # Tables that are still to be opened are not lost.
        opened = [(pair, 0) for pair in arenas.open_tables(entry) if pair <= entry.get("opened", 0)]
        done = self._tables.tend(event, progress, opened)
        if not done:
            return team_event
        absent = _absent(progress, self._tables.results(event, len(progress["rounds"]), done))
        pairs = [pair for pair, _ in done]
        return self._events.step(team_event, partial(arenas.over, pairs=pairs, absent=absent, now=self._events.now()))

    def _seat(self, team_event: TeamEvent) -> TeamEvent:
        """Seat those who wait, as far as enough of them do."""
        event, progress = team_event
        now, wait = self._events.now(), arenas.units_waiting(progress)
        is_seating = arenas.is_seating(event, progress["rounds"][-1], now)
        players = {player: unit for unit in wait for player in teams.confirmed_in(progress["teams"][unit])}
        present = {players[player] for player in self._present(team_event, players)} if is_seating else set()
        seat = partial(arenas.seated, event, present=present, now=now)
        # Ranks take time after hundreds of tables, and are needed only where there are enough people.
        if len(present) >= event["players"] or (present and "ai_after_ms" in forms.rules_of(event)):
            apart = {frozenset((players[one], players[other])) for one, other in self._people.blocked_among(players)}
            ranks = {row["team"]: at for at, row in enumerate(self._events.rows(event, progress))}
            seat = partial(seat, ranks=ranks, apart=apart)
        return team_event if seat(progress) == progress else self._events.step(team_event, seat)

    def _present(self, team_event: TeamEvent, players: Collection[str]) -> set[str]:
        """Return those players (ids) who may be seated: online, not suspended, and members of the club, if any."""
        now, club = self._events.now(), team_event.event["teams"].get("club")
        here = self._people.here(players, now)
        members = here if club is None or not here else {*self._members_of(club)}
        free = {player for player, record in self._people.records(here).items() if not is_suspended(record, now)}
        return free & members

    def _open(self, team_event: TeamEvent) -> bool:
        """Open the next tables; return whether some are left."""
        event, progress = team_event
        entry = progress["rounds"][-1]
        known, total = entry.get("opened", 0), len(teams.meetings_of(entry))
        if known >= total:
            return False
        done = self._tables.open_some(event, progress, known, ROOMS_AT_ONCE)
        number = len(progress["rounds"])
        self._events.step(team_event, partial(teams.opened, number=number, rooms=done))
        return done < total

    def _next_at(self, team_event: TeamEvent) -> int:
        """Return when something is due without anybody doing anything (ms)."""
        event, entry, now = team_event.event, team_event.progress["rounds"][-1], self._events.now()
        at = [entry["closes_at"], now + CHECK_MS]
        if arenas.is_seating(event, entry, now):
            at.append(arenas.last_table_at(event, entry))
            waiters = arenas.waiters_of(entry, entry.get("waiting", {}), {})
            wanted = arenas.wanted_of(event, others_play=False)
            soon = waiting.due_at(waiters, wanted.ai_after_ms, now)
            at += [] if soon is None else [soon]
            if entry.get("away"):
                at.append(now + LOOK_AGAIN_MS)
        return min(at)


def _absent(progress: Progress, results: Results) -> set[str]:
    """Return the units that have left their seats at tables with these results to AI players."""
    meetings = teams.meetings_of(progress["rounds"][-1])
    return {
        meetings[int(room[:-1]) - 1][seat] for (_, room), result in results.items() for seat in result.get("taken", ())
    }
