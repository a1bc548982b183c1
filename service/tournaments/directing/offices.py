"""Who directs an event: its maker names other directors, and passes on the lead.

All directors may do the same, except name others. Whoever is offered the lead agrees to it, as it counts among the
events that they direct.
"""

from collections.abc import Callable
from typing import Final

from service.common.errors import InvalidRequest
from service.game.errors import NotFound
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, PlayerStore
from service.store.tournaments.teams import Progress, without_director
from service.tournaments import teams
from service.tournaments.directing import acts
from service.tournaments.errors import NotDirector
from service.tournaments.team_events import TeamEvent, TeamEvents

#: Most directors of an event, with the one who leads it.
MOST_DIRECTORS: Final = 8
#: Most that are named for an event, with those who have been removed: the log is to be read without them once erased.
MOST_NAMED: Final = 24


class Offices:
    """See the module.

    Args:
        events: the events.
        players: the players.
        inbox: notifies those who are named.
        takes: returns whether a player (id) accepts invitations from another one (id).
    """

    def __init__(
        self, events: TeamEvents, players: PlayerStore, inbox: InboxStore, takes: Callable[[str, str], bool]
    ) -> None:
        self._events: Final = events
        self._players: Final = players
        self._inbox: Final = inbox
        self._takes: Final = takes

    def name(self, event: str, by: Player, player: str) -> TeamEvent:
        """Make a player (id) a director. Idempotent. They are told once an event.

        Raises:
            NotFound: there is no such event or player.
            NotDirector: the caller does not lead it.
            EventClosed: it is over.
            InvalidRequest: the player takes no invitations from the caller or has no office in the club of the event,
                or there would be too many directors.
        """
        team_event = self._led(event, by["id"])
        named = self._players.get(player)
        if named is None:
            raise NotFound(what="player", id=player)
        if teams.directs(team_event.progress, player):
            return team_event
        if not self._takes(player, by["id"]):
            raise InvalidRequest(reason="takes_no_office", field="player", player=player)
        if not self._events.has_office(team_event, player):
            raise InvalidRequest(reason="no_office_in_club", field="player", player=player)
        now = self._events.now()

        def change(progress: Progress) -> Progress:
            _check_leads(event, progress, by["id"])
            if teams.directs(progress, player):
                return progress
            others = {**progress.get("directors", {}), player: named["name"]}
            if len({*others, by["id"]}) > MOST_DIRECTORS:
                raise InvalidRequest(reason="too_many_directors", field="player", limit=MOST_DIRECTORS)
            former = {each: name for each, name in progress.get("former", {}).items() if each != player}
            if len({*others, *former}) > MOST_NAMED:
                raise InvalidRequest(reason="too_many_named", field="player", limit=MOST_NAMED)
            after: Progress = {**progress, "directors": others, "former": former}
            return acts.noted(after, by["id"], now, "director_named", player=player)

        team_event = self._events.change(team_event, change)
        about = {"event": event, "event_name": team_event.event["teams"]["name"]}
        self._inbox.put(player, Note("director_named", now, {**about, "player": by["id"], "name": by["name"]}), "event")
        return team_event

    def remove(self, event: str, by: str, player: str) -> TeamEvent:
        """Take the office from a director (id), or give up one's own. Idempotent.

        Raises:
            NotFound, EventClosed: see these.
            NotDirector: the caller is neither that director nor leads the event.
            InvalidRequest: the director leads the event.
        """
        team_event = self._events.opened(event)
        if player != by:
            team_event = self._led(event, by)
        else:
            self._events.check_directs(team_event, by)
        now = self._events.now()

        def change(progress: Progress) -> Progress:
            if not teams.directs(progress, player):
                return progress
            if teams.leads(progress, player):
                raise InvalidRequest(reason="leads_event", field="player", player=player)
            if player != by:
                _check_leads(event, progress, by)
            return acts.noted(without_director(progress, player), by, now, "director_removed", player=player)

        return self._events.change(team_event, change)

    def pass_on(self, event: str, by: str, player: str) -> TeamEvent:
        """Offer the lead of an event to another director (id), or take it if it has been offered. Idempotent.

        The leading director who names themselves withdraws the offer.

        Raises:
            NotFound: there is no such event, or the player does not direct it.
            EventClosed, TooManyEvents: see these.
            NotDirector: the caller does not lead it, and the lead has not been offered to them.
        """
        team_event = self._events.directed(event, by)
        if by == player and team_event.progress.get("heir") == by:
            return self._take(team_event, by)
        team_event = self._led(event, by)

        def change(progress: Progress) -> Progress:
            _check_leads(event, progress, by)
            if not teams.directs(progress, player):
                raise NotFound(what="player", id=player)
            after = progress.copy()
            after.pop("heir", None)
            return after if player == by else {**after, "heir": player}

        return self._events.change(team_event, change)

    def _take(self, team_event: TeamEvent, player: str) -> TeamEvent:
        """Make the director to whom the lead has been offered the one who leads; the one before stays a director."""
        now, before = self._events.now(), team_event.progress["director"]
        old = None if before is None else self._players.get(before)

        def change(progress: Progress) -> Progress:
            if progress.get("heir") != player or progress["director"] != before:
                raise NotDirector(event=team_event.event["id"])
            after: Progress = {**progress, "director": player}
            del after["heir"]
            if old is not None:
                after["directors"] = {**after.get("directors", {}), old["id"]: old["name"]}
            return acts.noted(after, player, now, "lead_taken", player=player)

        return self._events.taken_over(team_event, player, change)

    def _led(self, event: str, player: str) -> TeamEvent:
        """Return an open event that a player leads.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
        """
        team_event = self._events.directed(event, player)
        _check_leads(event, team_event.progress, player)
        return team_event


def _check_leads(event: str, progress: Progress, player: str) -> None:
    if not teams.leads(progress, player):
        raise NotDirector(event=event)
