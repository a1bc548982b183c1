"""Which plays may be taken back: those since which nothing hidden has been revealed.

A seat may ask for its last play as long as only plain plays have followed. A throw reveals cards of others, a called
card reveals a friend, and a discard of Arm's Length makes trumps: such plays, and all before them, stay. In rated games
the plays of AI players stay too, since an AI cannot be asked for its agreement.
"""

from service.game.state.queries import ai_level, counts_for_ratings
from service.game.state.types import Round, State, ThrowOutcome


def allows_take_backs(state: State) -> bool:
    """Return whether the table allows taking back plays."""
    # A table that replays a record lacks the setting.
    return state["settings"].get("take_back", False)


def returnable_after(state: State, seat: int, throw: ThrowOutcome | None) -> int | None:
    """Return how many of the last plays may be taken back after a play of `seat`; None if the table allows none."""
    table_round = state["round"]
    if table_round is None or not allows_take_backs(state):
        return None
    if throw is not None or (ai_level(state, seat) is not None and counts_for_ratings(state)):
        return 0
    # The last plays of all seats are in the last two tricks.
    return min(table_round.get("returnable", 0) + 1, 2 * state["players"])


def may_take_back(table_round: Round, seat: int) -> bool:
    """Return whether a seat may ask to take back its last play."""
    tricks = [trick for trick in (table_round["last_trick"], table_round["trick"]) if trick is not None]
    seats = [play["seat"] for trick in tricks for play in trick["plays"]]
    count = table_round.get("returnable", 0)
    return count > 0 and seat in seats[-count:]
