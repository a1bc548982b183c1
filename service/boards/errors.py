"""Refusals of events."""

from service.common.errors import Refusal


class EventClosed(Refusal):
    """The event is over. `params`: `event`, `closed_at`."""

    code = "event-closed"


class NotEntered(Refusal):
    """The player has not entered the event. `params`: `event`."""

    code = "not-entered"


class BoardPlayed(Refusal):
    """The player has had the one try at this board. `params`: `board`, `left` (boards still to play)."""

    code = "board-played"
