"""Refusals about people."""

from service.common.errors import Refusal
from service.game.errors import NotYourSeat


class PlayerBlocked(Refusal):
    """The caller has blocked this player."""

    code = "player-blocked"


class TooManyBlocks(Refusal):
    """The player has reached the limit of blocks. `params`: `limit`."""

    code = "too-many-blocks"


class TooManyFriends(Refusal):
    """The player has reached the limit of friends and sent requests. `params`: `limit`."""

    code = "too-many-friends"


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


class Apart(NotYourSeat):
    """A game would begin between people of whom one has blocked another, so one of them has to leave.

    To that player it is the answer to those whom the host has removed.

    Args:
        player: the one who has to leave, chosen independently of who has blocked whom.
    """

    def __init__(self, player: str) -> None:
        super().__init__()
        self.player = player


class RegistrationClosed(Refusal):
    """Nobody may register now, or only with a valid registration code. `params`: `reason` (code of the sentence)."""

    code = "registration-closed"


class TooManyCodes(Refusal):
    """Too many registration codes were made. `params`: `limit`, and the `days` within which it holds."""

    code = "too-many-codes"
