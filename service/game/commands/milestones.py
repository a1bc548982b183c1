"""What may come about at a table; `service.game.commands.flow` tells what follows each."""

from enum import Enum, auto


class Milestone(Enum):
    """What a step has brought about."""

    SEATS_CHANGED = auto()  # somebody is ready, has left, or an AI has taken a seat
    GAME_DUE = auto()
    ROUND_DUE = auto()
    DECK_SHUFFLED = auto()
    TIMED_DEAL_BEGUN = auto()
    CARDS_DEALT = auto()
    DECLARING_OVER = auto()
    TRUMP_FIXED = auto()
    KITTY_BURIED = auto()
    KITTY_OVERCALLED = auto()
    KITTY_SETTLED = auto()
    FRIENDS_CALLED = auto()
    ROADS_STATED = auto()
    CARDS_PLAYED = auto()
    TRICK_WON = auto()
    ROUND_PLAYED = auto()
    ROUND_STOPPED = auto()  # by a failed throw
    ROUND_OVER = auto()
