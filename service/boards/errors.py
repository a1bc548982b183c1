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
    """The player has played this board already. `params`: `board`, `left` (boards still to play)."""

    code = "board-played"
