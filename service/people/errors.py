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


class Apart(NotYourSeat):
    """A game would begin between people of whom one has blocked another, so one of them has to leave.

    To that player it is the answer to those whom the host has removed.

    Args:
        player: the one who has to leave, chosen independently of who has blocked whom.
    """

    def __init__(self, player: str) -> None:
        super().__init__()
        self.player = player
