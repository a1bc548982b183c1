"""Notes of directors to all entrants of an event: on its page, in its log, and told to each of them."""

import os
from collections.abc import Callable
from typing import Final

from service.boards.deals import DAY_MS
from service.common.errors import InvalidRequest
from service.game.ids import new_id
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player
from service.store.tournaments.teams import EventNote, Progress
from service.tournaments import teams
from service.tournaments.directing import acts
from service.tournaments.team_events import TeamEvent, TeamEvents

#: Most notes of an event within a day, most that are kept, and the longest one (characters).
MOST_NOTES_A_DAY: Final = 10
MOST_NOTES: Final = 20
LONGEST_NOTE: Final = 300


class Notes:
    """See the module.

    Args:
        events: the events.
        inbox: notifies the entrants.
        unheard: returns which of some players (ids) want to hear nothing of another one (id).
        random_bytes: returns random bytes from the operating system.
    """

    def __init__(
        self,
        events: TeamEvents,
        inbox: InboxStore,
        unheard: Callable[[list[str], str], set[str]],
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._events: Final = events
        self._inbox: Final = inbox
        self._unheard: Final = unheard
        self._random_bytes: Final = random_bytes

    def send(self, event: str, by: Player, text: str, note: str | None = None) -> TeamEvent:
        """Send a note to all entrants, who are told of it unless they have blocked or muted its author.

        Args:
            event: id of the event.
            by: the director.
            text: what it says, in one line.
            note: its id, derived from the request if a retry must not send it twice.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
            InvalidRequest: there were too many within a day.
        """
        team_event, now = self._events.directed(event, by["id"]), self._events.now()
        name = note or new_id("no_", self._random_bytes)

        def change(progress: Progress) -> Progress:
            known = progress.get("notes", [])
            if any(each["id"] == name for each in known):
                return progress
            # Not from the log, which has only the latest acts, nor from the notes, which may be deleted.
            sent = [at for at in progress.get("noted_at", []) if at > now - DAY_MS]
            if len(sent) >= MOST_NOTES_A_DAY:
                raise InvalidRequest(reason="too_many_notes", field="text", limit=MOST_NOTES_A_DAY)
            new: EventNote = {"id": name, "at": now, "by": by["id"], "text": text}
            after: Progress = {**progress, "notes": [*known, new][-MOST_NOTES:], "noted_at": [*sent, now]}
            return acts.noted(after, by["id"], now, "note_sent", note=name)

        team_event = self._events.change(team_event, change)
        readers = readers_of(team_event.progress, by["id"])
        without = self._unheard(readers, by["id"])
        about = {"event": event, "event_name": team_event.event["teams"]["name"], "note": name}
        told = Note("event_note", now, {**about, "player": by["id"], "name": by["name"]})
        for player in readers:
            if player not in without:
                self._inbox.put(player, told, "note")
        return team_event

    def take_back(self, event: str, player: str, note: str) -> TeamEvent:
        """Delete a note, as a director; the log still tells that there was one. Idempotent.

        Raises:
            NotFound, NotDirector: see these.
        """
        team_event = self._events.event(event)
        self._events.check_directs(team_event, player)
        return self.delete(team_event, note)

    def delete(self, team_event: TeamEvent, note: str) -> TeamEvent:
        """Delete a note. Idempotent."""

        def change(progress: Progress) -> Progress:
            known = progress.get("notes", [])
            rest = [each for each in known if each["id"] != note]
            return progress if rest == known else {**progress, "notes": rest}

        return self._events.change(team_event, change)


def note_of(team_event: TeamEvent, note: str) -> EventNote | None:
    """Return a note, or None."""
    return next((each for each in team_event.progress.get("notes", []) if each["id"] == note), None)


def readers_of(progress: Progress, by: str) -> list[str]:
    """Return who is told of a note: who has agreed to play for a team that has not withdrawn, and other directors."""
    playing = [
        player for team in progress["teams"].values() if not team["is_withdrawn"] for player in teams.confirmed_in(team)
    ]
    leads = [] if progress["director"] is None else [progress["director"]]
    return [each for each in dict.fromkeys([*playing, *leads, *progress.get("directors", {})]) if each != by]
