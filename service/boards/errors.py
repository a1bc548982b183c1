"""Refusals of events."""

from service.common.errors import Refusal


class EventClosed(Refusal):
    """The event is over. `params`: `event`, `closed_at`."""

    code = "event-closed"


class BotsOnly(Refusal):
    """Only bots enter the event. `params`: `event`."""

    code = "bots-only"


class NotEntered(Refusal):
    """The player has not entered the event. `params`: `event`."""

    code = "not-entered"


class BoardPlayed(Refusal):
    """The player has had the one try at this board. `params`: `board`, `left` (boards still to play)."""

    code = "board-played"


class NotDirector(Refusal):
    """Only the director of the event may do this. `params`: `event`."""

    code = "not-director"


class EntriesClosed(Refusal):
    """Teams enter before the first round. `params`: `event`."""

    code = "entries-closed"


class InAnotherTeam(Refusal):
    """A player is in one team of an event at most. `params`: `player`, `team` (id)."""

    code = "in-another-team"


class TooManyTeams(Refusal):
    """The event has as many teams as are possible. `params`: `limit`."""

    code = "too-many-teams"


class TooManyEvents(Refusal):
    """The player directs as many events as are possible at a time. `params`: `limit`."""

    code = "too-many-events"


class RoundNotReady(Refusal):
    """The round cannot begin. `params`: `reason`, and what it mentions."""

    code = "round-not-ready"


class RoundClosed(Refusal):
    """The round is over. `params`: `round`."""

    code = "round-closed"
