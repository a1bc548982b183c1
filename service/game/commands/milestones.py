"""Milestones: results of steps; `service.game.commands.flow` maps each to the next step."""

from typing import Literal, TypeAlias

#: The result of a step. Plain strings, since reading a member of an `Enum` costs as much as a step.
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
