"""What the people of a league do: propose times for their matches, agree to them, and say that they are ready."""

from collections.abc import Callable
from typing import Final

from service.game.views.fields import timestamp
from service.store.players.inbox import InboxStore, Note
from service.tournaments import fixtures, teams
from service.tournaments.team_events import TeamEvent, TeamEvents, check_match


class Appointments:
    """See the module.

    Args:
        events: the events.
        inbox: notifies the others of times.
        is_apart: returns whether there is a block between two players (ids).
    """

    def __init__(self, events: TeamEvents, inbox: InboxStore, is_apart: Callable[[str, list[str]], bool]) -> None:
        self._events: Final = events
        self._inbox: Final = inbox
        self._is_apart: Final = is_apart

    def propose(self, event: str, where: tuple[int, int], player: str, at: int) -> TeamEvent:
        """Name a time (ms) for a match; see `fixtures.proposed`. The others are told what is new.

        Raises:
            NotFound: there is no such event or match, or the player does not play it.
            EventClosed, RoundClosed, MatchNotOpen, InvalidRequest: see these.
        """
        before = self._open(event, where)
        now = self._events.now()
        after = self._events.change(before, lambda progress: fixtures.proposed(progress, where, player, at, now))
        self._events.plan(after)
        self._tell(after, where, player, at)
        return after

    def be_ready(self, event: str, where: tuple[int, int], player: str, *, is_ready: bool) -> TeamEvent:
        """Be ready to play a match now, or no longer; it begins as soon as all of its people are.

        Raises:
            NotFound, EventClosed, RoundClosed, MatchNotOpen: see `propose`.
        """
        team_event, now = self._open(event, where), self._events.now()
        team_event = self._events.change(
            team_event, lambda progress: fixtures.ready(progress, where, player, now, is_ready=is_ready)
        )
        self._events.plan(team_event)
        return team_event

    def _open(self, event: str, where: tuple[int, int]) -> TeamEvent:
        team_event = self._events.opened(event)
        check_match(team_event, *where)
        return team_event

    def _tell(self, after: TeamEvent, where: tuple[int, int], player: str, at: int) -> None:
        """Tell the other people of a match that a player has proposed a time (ms), or agreed on it, once each.

        Also when the request is sent again, since the process may have died before. Who has blocked the player, or is
        blocked, reads it on the page of the event alone.
        """
        entry = after.progress["rounds"][where[0] - 1]
        fixture, people = fixtures.fixture_of(entry, where[1]), fixtures.people_of(after.progress, entry, where[1])
        proposal = fixture["proposal"]
        if proposal is not None and proposal["at"] == at and proposal["units"] == [people[player]]:
            kind = "time_proposed"
        elif proposal is None and fixture["at"] == at:
            kind = "time_agreed"
        else:
            return
        unit, match = people[player], f"{where[0]}-{where[1]}"
        data = {
            "event": after.event["id"],
            "event_name": after.event["teams"]["name"],
            "match": match,
            "team": unit,
            "team_name": teams.shown_name(after.progress["teams"][unit]),
            "meets_at": timestamp(at),
            "time": f"{after.event['id']}:{match}:{kind}:{sum(fixture['asked'].values())}",
        }
        for each in people:
            if each != player and not self._is_apart(each, [player]):
                self._inbox.put(each, Note(kind, self._events.now(), data), "time")
