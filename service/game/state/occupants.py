"""Occupants of seats: what a table stores of its players."""

from typing import Literal, NotRequired, TypedDict

from service.game.state.table_types import Occupant


class About(TypedDict):
    """Fields of a player that a table needs. `face` None: none chosen."""

    id: str
    name: str
    kind: Literal["human", "bot"]
    face: NotRequired[int | None]


def occupant_of(player: About) -> Occupant:
    """Return a player as occupant of a seat."""
    occupant: Occupant = {"kind": player["kind"], "player": player["id"], "name": player["name"], "level": None}
    face = player.get("face")
    return occupant if face is None else {**occupant, "face": face}
