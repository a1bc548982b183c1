"""Refusals where people look for a game or open a table."""

from service.common.errors import Refusal


class TicketOpen(Refusal):
    """The player waits for a game already. `params`: `ticket` (id)."""

    code = "ticket-open"


class NotFriends(Refusal):
    """Only friends can be in a party. `params`: `players` (ids of those who are not friends)."""

    code = "not-friends"


class PartyBusy(Refusal):
    """A member of the party waits for a game already. `params`: `player`."""

    code = "party-busy"


class NotMatched(Refusal):
    """There is no match to confirm: it is over, or there is none yet."""

    code = "not-matched"


class NotAccepted(Refusal):
    """The player does not accept this challenge now. `params`: `what` (code of the reason)."""

    code = "not-accepted"


class ChallengeOver(Refusal):
    """The challenge has been answered, or its time is over. `params`: `state`."""

    code = "challenge-over"


class TooManyTables(Refusal):
    """The player hosts as many tables as are allowed at a time. `params`: `limit`."""

    code = "too-many-tables"
