"""The link by which people enter an event: a secret that its directors give to whom they want."""

import os
from collections.abc import Callable
from hmac import compare_digest
from typing import Final

from service.common.errors import InvalidRequest
from service.game.ids import new_id
from service.store.tournaments.teams import Progress
from service.tournaments.directing import acts
from service.tournaments.team_events import TeamEvent, TeamEvents


class EntryLinks:
    """See the module.

    Args:
        events: the events.
        random_bytes: returns random bytes from the operating system, for codes of 60 bits.
    """

    def __init__(self, events: TeamEvents, random_bytes: Callable[[int], bytes] = os.urandom) -> None:
        self._events: Final = events
        self._random_bytes: Final = random_bytes

    def make(self, event: str, player: str, *, required: bool) -> TeamEvent:
        """Make a link in place of one before, which then opens nothing.

        Args:
            event: id of the event.
            player: the director.
            required: whether nobody enters without it.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
        """
        team_event, now = self._events.directed(event, player), self._events.now()
        code = new_id("", self._random_bytes)

        def change(progress: Progress) -> Progress:
            after: Progress = {**progress, "link": {"code": code, "required": required}}
            return acts.noted(after, player, now, "link_made")

        return self._events.change(team_event, change)

    def end(self, event: str, player: str) -> TeamEvent:
        """End the link: everybody may enter as before. Idempotent.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
        """
        team_event, now = self._events.directed(event, player), self._events.now()

        def change(progress: Progress) -> Progress:
            if "link" not in progress:
                return progress
            after = progress.copy()
            del after["link"]
            return acts.noted(after, player, now, "link_ended")

        return self._events.change(team_event, change)


def is_open_by(progress: Progress, code: str | None) -> bool:
    """Return whether somebody with a code, or without one, may enter an event."""
    link = progress.get("link")
    return link is None or not link["required"] or compare_digest(link["code"].encode(), (code or "").encode())


def check_link(progress: Progress, code: str | None) -> None:
    """Check that somebody with a code, or without one, may enter an event.

    Raises:
        InvalidRequest: they may not.
    """
    if not is_open_by(progress, code):
        raise InvalidRequest(reason="link_needed", field="code")
