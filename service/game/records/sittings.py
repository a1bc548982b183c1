"""Who sat on which seat in which rounds of a game; players may change between rounds."""

from typing import NamedTuple

from service.game.state.queries import changes_of, game_of
from service.game.state.table_types import Occupant
from service.game.state.types import State


class Sitting(NamedTuple):
    """Somebody on a seat.

    Attributes:
        first: the first round; 1: since the start of the game.
        rounds: number of finished rounds until somebody else took the seat.
    """

    seat: int
    occupant: Occupant
    first: int
    rounds: int


def sittings_of(state: State) -> list[Sitting]:
    """Return the sittings of the last game, by seat and in order."""
    finished = len(game_of(state)["results"])
    sittings = []
    for number, seat in enumerate(state["seats"]):
        changes = [change for change in changes_of(state) if change["seat"] == number]
        occupants = [*(change["before"] for change in changes), seat["occupant"]]
        starts = [1, *(change["round"] for change in changes)]
        ends = [*starts[1:], finished + 1]
        for occupant, first, end in zip(occupants, starts, ends, strict=True):
            if occupant is not None:
                sittings.append(Sitting(number, occupant, first, max(0, min(end, finished + 1) - first)))
    return sittings
