"""Which plays may be taken back: those since which nothing has become known that was hidden.

A seat may ask for its last play as long as only plain plays have followed. A throw shows what others hold, a called
card shows a friend, a discard of Arm's Length makes trumps: such a play stays, and so does all before it. In a game
that counts for ratings the play of an AI stays too, since nobody can ask an AI whether it agrees.
"""

from service.game.state.queries import ai_level, counts_for_ratings
from service.game.state.types import Round, State, ThrowOutcome


def allows_take_backs(state: State) -> bool:
    """Tell whether plays may be taken back at the table at all."""
    # A table at which a record is replayed has no such setting.
    return state["settings"].get("take_back", False)


def returnable_after(state: State, seat: int, throw: ThrowOutcome | None) -> int | None:
    """Return how many of the last plays may be taken back once `seat` has played; None where none ever may."""
    table_round = state["round"]
    if table_round is None or not allows_take_backs(state):
        return None
    if throw is not None or (ai_level(state, seat) is not None and counts_for_ratings(state)):
        return 0
    # The last play of every seat is in one of two tricks.
    return min(table_round.get("returnable", 0) + 1, 2 * state["players"])


def may_take_back(table_round: Round, seat: int) -> bool:
    """Tell whether a seat may ask for its last play."""
    tricks = [trick for trick in (table_round["last_trick"], table_round["trick"]) if trick is not None]
    seats = [play["seat"] for trick in tricks for play in trick["plays"]]
    count = table_round.get("returnable", 0)
    return count > 0 and seat in seats[-count:]
