"""The turns that follow from a table: who is asked, since when and until when."""

from typing import Any, Final, NamedTuple

from service.game.state.queries import persons, waited_for
from service.game.state.types import State


class Turn(NamedTuple):
    """A decision that waits for one player.

    Attributes:
        told: what the decision is called; the same as long as it is open.
        opened_seq, opened_at: which event opened it, and when (ms).
        deadline: of the decision (ms); None: without a limit.
        is_host: whether the player hosts the table.
    """

    table: str
    ruleset: str
    seat: int
    player: str
    told: str
    kind: str
    opened_seq: int
    opened_at: int
    deadline: int | None
    is_host: bool

    @property
    def data(self) -> dict[str, Any]:
        """What is told of it. Nothing of it is hidden from anybody who sits there."""
        return {
            "table": self.table,
            "ruleset": self.ruleset,
            "seat": self.seat,
            "decision_id": self.told,
            "decision": self.kind,
            "deadline": self.deadline,
        }


#: A wish to play another game is no decision: who did not stay for the end of this one is not called for the next.
def turns_of(state: State) -> list[Turn]:
    """Return the turns of players at a table; an AI that plays for one needs nobody."""
    decision = state["decision"]
    if decision is None or state["settings"]["closed"]:
        return []
    waiting = set(waited_for(state))
    return [
        Turn(
            state["id"],
            state["ruleset"],
            seat,
            player,
            decision["id"],
            decision["kind"],
            decision["opened_seq"],
            decision["opened_at"],
            decision["deadline"],
            state["host"] == player,
        )
        for seat, player in _players(state)
        if seat in waiting
    ]


def turn_of(state: State, player: str, told: str) -> Turn | None:
    """Return the turn of a player if it is still this one."""
    return next((turn for turn in turns_of(state) if turn.player == player and turn.told == told), None)


def players_of(state: State) -> list[str]:
    """Return the players who sit and play at a table."""
    return [player for _, player in _players(state)]


def _players(state: State) -> list[tuple[int, str]]:
    found: Final[list[tuple[int, str]]] = []
    for seat in persons(state):
        occupant = state["seats"][seat]["occupant"]
        if occupant is not None and occupant["player"] is not None:
            found.append((seat, occupant["player"]))
    return found
