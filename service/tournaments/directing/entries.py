"""Entries of teams to an event, by captains, members and the director."""

import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final, NotRequired, TypedDict

from service.common.errors import InvalidRequest
from service.game.errors import NotFound
from service.game.ids import new_id
from service.game.state.occupants import occupant_of
from service.store.boards.events import StoredEvent
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, PlayerStore
from service.store.tournaments.teams import Member, Progress, Team
from service.tournaments import forms, teams
from service.tournaments.directing import acts, late_entries
from service.tournaments.directing.entry_links import check_link
from service.tournaments.errors import EntriesClosed, MembersOnly
from service.tournaments.team_events import TeamEvent, TeamEvents


class NamedMember(TypedDict, total=False):
    """A member as the request names it: either the `player` (id) or the `level` of an AI player."""

    player: str
    level: str


class Entry(TypedDict):
    """A team as the request names it."""

    name: NotRequired[str]
    members: list[NamedMember]


class Entries:
    """See the module.

    Args:
        events: the events.
        players: the players.
        inbox: notifies members entered by somebody else.
        takes: returns whether a player accepts invitations from another one to play with others (ids).
        is_apart: returns whether there is a block between a player and one of others (ids).
        members_of: returns who belongs to a club (id): ids.
        random_bytes: returns random bytes from the operating system.
    """

    def __init__(
        self,
        events: TeamEvents,
        players: PlayerStore,
        inbox: InboxStore,
        takes: Callable[[str, str, Collection[str]], bool],
        is_apart: Callable[[str, Collection[str]], bool],
        members_of: Callable[[str], Collection[str]],
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._events: Final = events
        self._players: Final = players
        self._inbox: Final = inbox
        self._takes: Final = takes
        self._is_apart: Final = is_apart
        self._members_of: Final = members_of
        self._random_bytes: Final = random_bytes

    def enter(
        self, event: str, by: Player, entries: Sequence[Entry], code: str | None = None, *, comes_back: bool = True
    ) -> TeamEvent:
        """Enter teams: any as director, others only their own.

        Args:
            event: id of the event.
            by: the calling player.
            entries: `name` and `members` of each: `player` (id) or `level` of an AI player.
            code: of the link by which the player has come, if any.
            comes_back: whether teams that have withdrawn come back.

        Raises:
            NotFound: there is no such event or player.
            InvalidRequest: a team has another size or only AI players, or does not include the player; a director has
                put it out; or the event takes entries by its link alone.
            EventClosed, EntriesClosed, InAnotherTeam, MembersOnly, TooManyTeams: see these.
        """
        team_event, player = self._events.opened(event), by["id"]
        is_director = self._events.directs(team_event, player) and self._events.has_office(team_event, player)
        if not is_director and not teams.plays(team_event.progress, player):
            check_link(team_event.progress, code)
        new: dict[str, Team] = {}
        now, form = self._events.now(), forms.form_of(team_event.event)
        club_members = self._club_members(team_event)
        for entry in entries:
            members = self._members(team_event.event, entry["members"], player)
            people = [member["player"] for member in members if member["player"] is not None]
            # The caller first, so that nobody learns who else belongs to the club.
            _check_members(club_members, [player, *people])
            if not is_director and player not in people:
                raise InvalidRequest(reason="not_ones_own_team", field="teams")
            new[new_id("tm_", self._random_bytes)] = {
                "name": _name(form, entry),
                "captain": player if player in people else people[0],
                "members": members,
                "is_withdrawn": False,
                "is_house": False,
            }

        def change(progress: Progress) -> Progress:
            is_late = late_entries.takes_entries(team_event.event, progress, now)
            limits = {"most": form.most, "most_ever": form.most_ever}
            after = teams.entered(
                team_event.event, progress, new, player, now, **limits, is_late=is_late, comes_back=comes_back
            )
            if after["teams"] == progress["teams"] or not teams.directs(progress, player):
                return after
            return acts.noted(after, player, now, "teams_entered")

        team_event = self._changed(team_event, change)
        return self._after_invitations(team_event, by, [member for team in new.values() for member in team["members"]])

    def replace(self, event: str, team: str, by: Player, entry: Entry) -> TeamEvent:
        """Change name and members of a team, as captain until the first round begins, as director at any time.

        A team that has withdrawn comes back.

        Raises:
            NotFound: there is no such event, team or player.
            InvalidRequest: see `enter`; or the place of an arena would have somebody else.
            NotDirector: the player is neither director nor captain.
            EventClosed, EntriesClosed, InAnotherTeam, MembersOnly, TooManyTeams: see these.
        """
        team_event, player = self._events.opened(event), by["id"]
        self._check_captain(team_event, team, player)
        if not self._events.directs(team_event, player) and team_event.progress["rounds"]:
            raise EntriesClosed(event=event)
        members = self._members(team_event.event, entry["members"], player)
        # Who plays already goes on.
        known = {each["player"] for each in teams.team_of(team_event.progress, team)["members"]}
        new = [each["player"] for each in members if each["player"] not in {None, *known}]
        if new and forms.form_of(team_event.event).grows:
            # Somebody sits at a table, and has points.
            raise InvalidRequest(reason="own_place", field="members")
        if new:
            _check_members(self._club_members(team_event), [player, *new])
        name, now = _name(forms.form_of(team_event.event), entry), self._events.now()

        def change(progress: Progress) -> Progress:
            after = teams.replaced(team_event.event, progress, team, name, members, now)
            return _noted(progress, after, team, player, now, "team_changed")

        team_event = self._changed(team_event, change)
        return self._after_invitations(team_event, by, members)

    def confirm(self, event: str, team: str, player: str) -> TeamEvent:
        """Agree to play for a team. Idempotent.

        With a block between the player and somebody who has agreed before, the place becomes empty instead, as if the
        player had been taken out of the team.

        Raises:
            NotFound: there is no such event, or the team has no such member.
            EventClosed: the event is over.
            InAnotherTeam, MembersOnly, TooManyTeams: see these.
        """
        team_event = self._events.opened(event)
        form = forms.form_of(team_event.event)
        agree = partial(teams.confirmed, team=team, player=player, most=form.most, most_ever=form.most_ever)
        changed = agree(team_event.progress)
        mates = teams.confirmed_in(teams.team_of(team_event.progress, team))
        if player not in mates:
            _check_members(self._club_members(team_event), [player])
        if player not in mates and self._is_apart(player, mates):
            self._events.change(team_event, lambda progress: teams.emptied(progress, team, player))
            raise NotFound(what="team", id=team)
        if changed == team_event.progress:
            return team_event
        return self._changed(team_event, agree)

    def leave(self, event: str, team: str, player: str) -> TeamEvent:
        """Leave a team, until the first round begins.

        Raises:
            NotFound: there is no such event, or the team has no such member.
            EventClosed, EntriesClosed: see these.
        """
        team_event = self._events.opened(event)
        return self._events.change(team_event, lambda progress: teams.left(team_event.event, progress, team, player))

    def withdraw(self, event: str, team: str, player: str) -> TeamEvent:
        """Withdraw a team, as its captain or the director; its results stay.

        Who is withdrawn by a director comes back by one alone.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
        """
        team_event = self._events.opened(event)
        self._check_captain(team_event, team, player)
        now, is_captain = self._events.now(), teams.team_of(team_event.progress, team)["captain"] == player

        def change(progress: Progress) -> Progress:
            after = teams.withdrawn(progress, team, now, is_put_out=not is_captain)
            return _noted(progress, after, team, player, now, "team_withdrawn")

        return self._events.change(team_event, change)

    def _changed(self, before: TeamEvent, change: Callable[[Progress], Progress]) -> TeamEvent:
        """Change an event if it has places for all, and have a clock seat who has come to an arena by that."""

        def checked(progress: Progress) -> Progress:
            after = change(progress)
            late_entries.check_places(before.event, progress, after)
            return after

        team_event = self._events.change(before, checked)
        if team_event.progress != before.progress:
            self._events.heed(team_event)
        return team_event

    def _after_invitations(self, team_event: TeamEvent, by: Player, named: Sequence[Member]) -> TeamEvent:
        """Notify members who have not agreed yet that they are in a team, once per team."""
        for player in (member["player"] for member in named if member["player"] is not None):
            place = teams.place_of(team_event.progress, player)
            team = None if place is None else team_event.progress["teams"][place[0]]
            if place is None or team is None or team["members"][place[1]]["is_confirmed"]:
                continue
            mates = [each["player"] for each in team["members"] if each["player"] not in (None, player)]
            if self._takes(player, by["id"], mates):
                data = {
                    "team": place[0],
                    "team_name": teams.shown_name(team),
                    "event": team_event.event["id"],
                    "event_name": team_event.event["teams"]["name"],
                    "player": by["id"],
                    "name": by["name"],
                }
                self._inbox.put(player, Note("team_entered", self._events.now(), data), "team")
        return team_event

    def _members(self, event: StoredEvent, named: Sequence[NamedMember], by: str) -> list[Member]:
        size = forms.form_of(event).size(event["players"])
        if len(named) != size:
            raise InvalidRequest(reason="team_size", field="members", count=size)
        if not all(("player" in each) != ("level" in each) for each in named):
            raise InvalidRequest(reason="player_or_level", field="members")
        if not any("player" in each for each in named):
            raise InvalidRequest(reason="team_of_ai", field="members")
        return [self._member(at, each, by) for at, each in enumerate(named)]

    def _member(self, at: int, named: NamedMember, by: str) -> Member:
        if "player" not in named:
            return teams.ai_member(at, named["level"])
        record = self._players.get(named["player"])
        if record is None:
            raise NotFound(what="player", id=named["player"])
        return {**occupant_of(record), "is_confirmed": record["id"] == by}

    def _club_members(self, team_event: TeamEvent) -> Collection[str] | None:
        """Return who belongs to the club of an event (ids); None: anybody may enter it."""
        club = team_event.event["teams"].get("club")
        return None if club is None else self._members_of(club)

    def _check_captain(self, team_event: TeamEvent, team: str, player: str) -> None:
        if teams.team_of(team_event.progress, team)["captain"] != player:
            self._events.check_directs(team_event, player)


def _check_members(members: Collection[str] | None, players: Sequence[str | None]) -> None:
    """Check that players (ids) are among the members of a club; None: there is no club.

    Raises:
        MembersOnly: names the first one who is not.
    """
    for player in players:
        if members is not None and player is not None and player not in members:
            raise MembersOnly(player=player)


def _noted(before: Progress, after: Progress, team: str, player: str, now: int, what: str) -> Progress:
    """Return an event in whose log is what a director has done to the team of others."""
    # Before the first round, a captain who directs does no more than any captain.
    is_captain = before["teams"][team]["captain"] == player and not before["rounds"]
    if after == before or not teams.directs(before, player) or is_captain:
        return after
    return acts.noted(after, player, now, what, team=team)


def _name(form: forms.Form, entry: Entry) -> str:
    """Return the name of a unit; that of a player is the player's, which may change or be erased.

    Raises:
        InvalidRequest: a team has none.
    """
    if form.unit == "team" and "name" not in entry:
        raise InvalidRequest(reason="name_needed", field="name")
    return "" if form.unit == "player" else entry.get("name", "")
