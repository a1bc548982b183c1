"""Levels of AI seats."""

from typing import Final

from service.game.state import clock
from service.game.state.queries import ai_level, decision_of
from service.game.state.types import State

#: From weak to strong; see docs/ai.md. `workers.ai` has a player for each.
AI_LEVELS: Final = ("easy", "normal", "hard", "expert")
#: Levels that search, and the decisions for which they do. These moves take long, and are made by separate workers.
SEARCHING: Final = frozenset({"hard", "expert"})
SEARCHED: Final = frozenset({"play", "discard"})
#: Default level of an AI that takes over a seat.
TAKEOVER_LEVEL: Final = "easy"


def takeover_level(state: State) -> str:
    """Return the level of the AI that plays for an absent player."""
    return state["settings"].get("takeover_level", TAKEOVER_LEVEL)


def search_is_asked(state: State) -> bool:
    """Return whether the next move belongs to an AI seat that searches."""
    seats = clock.ai_seats_asked(state)
    return bool(seats) and decision_of(state)["kind"] in SEARCHED and ai_level(state, seats[0]) in SEARCHING
