"""What may come about at a table; `service.game.commands.flow` tells what follows each."""

from typing import Literal, TypeAlias

#: What a step has brought about. Plain words: reading a member of an `Enum` costs as much as a step.
Milestone: TypeAlias = Literal[
    "seats_changed",  # somebody is ready, has left, or an AI has taken a seat
    "game_due",
    "round_due",
    "deck_shuffled",
    "timed_deal_begun",
    "cards_dealt",
    "declaring_over",
    "trump_fixed",
    "kitty_buried",
    "kitty_overcalled",
    "kitty_settled",
    "friends_called",
    "roads_stated",
    "cards_played",
    "trick_won",
    "round_played",
    "round_stopped",  # by a failed throw
    "round_over",
]
