"""Refusals of team events."""

from service.common.errors import Refusal


class MembersOnly(Refusal):
    """The event is for members of a club alone. `params`: `player`."""

    code = "members-only"


class NotDirector(Refusal):
    """Only a director of the event may do this, or the one who leads it. `params`: `event`."""

    code = "not-director"


class EntriesClosed(Refusal):
    """The first round has begun: the form takes no late teams now, and captains change none. `params`: `event`."""

    code = "entries-closed"


class InAnotherTeam(Refusal):
    """A player is in another team of the event. `params`: `player`, `team` (id)."""

    code = "in-another-team"


class TooManyTeams(Refusal):
    """The event has fewer places than its entries would need. `params`: `limit`, its places."""

    code = "too-many-teams"


class TooManyEvents(Refusal):
    """The player has reached the limit of directed events. `params`: `limit`."""

    code = "too-many-events"


class OwnTeam(Refusal):
    """A director decides nothing about the team that they play for. `params`: `team` (id)."""

    code = "own-team"


class NotTheLastRuling(Refusal):
    """Only the last ruling or penalty can be taken back. `params`: `act`, its number in the log, or None."""

    code = "not-the-last-ruling"


class PlaysInEvent(Refusal):
    """Who plays in an event watches it when it is over. `params`: `event`."""

    code = "plays-in-event"


class NotCommentator(Refusal):
    """Only commentators of the event may do this, while it lasts. `params`: `event`."""

    code = "not-commentator"


class RoundNotReady(Refusal):
    """The round cannot begin. `params`: `reason`, and values for its text."""

    code = "round-not-ready"


class MatchNotOpen(Refusal):
    """The time of the match cannot be changed. `params`: `reason`, and values for its text."""

    code = "match-not-open"


class RoundClosed(Refusal):
    """The round is over. `params`: `round`."""

    code = "round-closed"
