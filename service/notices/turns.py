"""Turns derived from a table: who is asked, since when and until when."""

from typing import Final, NamedTuple

from service.game.state.queries import persons, waited_for
from service.game.state.types import State


class Turn(NamedTuple):
    """A decision that waits for a player.

    Attributes:
        mark: name of the decision, the same as long as it is open.
        opened_seq, opened_at: seq and time (ms) of the event that opened it.
        deadline: deadline of the decision (ms); None: no limit.
        is_host: whether the player hosts the table.
    """

    table: str
    ruleset: str
    seat: int
    player: str
    mark: str
    kind: str
    opened_seq: int
    opened_at: int
    deadline: int | None
    is_host: bool

    @property
    def data(self) -> dict[str, object]:
        """The data of notices. Nothing in it is hidden from players at the table."""
        return {
            "table": self.table,
            "ruleset": self.ruleset,
            "seat": self.seat,
            "decision_id": self.mark,
            "decision": self.kind,
            "deadline": self.deadline,
        }


#: A request for another game is not a decision: players who left before the end are not notified of it.
def turns_of(state: State) -> list[Turn]:
    """Return the turns of players at a table, except those for whom an AI plays."""
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


def turn_of(state: State, player: str, mark: str) -> Turn | None:
    """Return the turn of a player if its decision is still open."""
    return next((turn for turn in turns_of(state) if turn.player == player and turn.mark == mark), None)


def turn_of_player(state: State, player: str) -> Turn | None:
    """Return the turn of a player, whatever is decided; None: the table does not wait for the player."""
    return next((turn for turn in turns_of(state) if turn.player == player), None)


def players_of(state: State) -> list[str]:
    """Return the seated players for whom no AI plays."""
    return [player for _, player in _players(state)]


def _players(state: State) -> list[tuple[int, str]]:
    players: Final[list[tuple[int, str]]] = []
    for seat in persons(state):
        occupant = state["seats"][seat]["occupant"]
        if occupant is not None and occupant["player"] is not None:
            players.append((seat, occupant["player"]))
    return players
