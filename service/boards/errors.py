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


class NotSendable(Refusal):
    """The deal cannot be sent: its cards were laid out, imported, or sent to the player by such a link."""

    code = "not-sendable"


class TooManyDeals(Refusal):
    """The player has sent as many deals as are allowed at a time. `params`: `limit`."""

    code = "too-many-deals"


class DealKnown(Refusal):
    """The player sat in the round whose deal it is, and knows the cards."""

    code = "deal-known"


class DealFull(Refusal):
    """As many players as are allowed have opened the deal. `params`: `limit`."""

    code = "deal-full"
