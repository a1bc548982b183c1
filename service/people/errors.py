"""Refusals about people."""

from service.common.errors import Refusal
from service.game.errors import TableFull


class PlayerBlocked(Refusal):
    """The caller has blocked this player."""

    code = "player-blocked"


class TooManyBlocks(Refusal):
    """The player has blocked as many as are allowed. `params`: `limit`."""

    code = "too-many-blocks"


class TooManyFriends(Refusal):
    """The player has as many friends as are allowed, with those who have been asked. `params`: `limit`."""

    code = "too-many-friends"


class TicketOpen(Refusal):
    """The player waits for a game already. `params`: `ticket` (id)."""

    code = "ticket-open"


class NotFriends(Refusal):
    """Only friends play together as a party. `params`: `players` (ids of those who are none)."""

    code = "not-friends"


class PartyBusy(Refusal):
    """A member of the party waits for a game already. `params`: `player`."""

    code = "party-busy"


class NotMatched(Refusal):
    """There is no match to confirm: it is over, or there is none yet."""

    code = "not-matched"


class NotAccepted(Refusal):
    """The player takes no such challenge now. `params`: `what` does not fit (a code)."""

    code = "not-accepted"


class ChallengeOver(Refusal):
    """The challenge has been answered, or its time is over. `params`: `state`."""

    code = "challenge-over"


class Apart(TableFull):
    """A game would begin between people of whom one has blocked another: one of them gives way.

    Args:
        player: who gives way; which of the two has nothing to do with who has blocked whom.
    """

    def __init__(self, player: str) -> None:
        super().__init__()
        self.player = player
