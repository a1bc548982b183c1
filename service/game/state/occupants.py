"""Who sits on a seat: what a table stores of its players."""

from typing import Literal, NotRequired, TypedDict

from service.game.state.table_types import Occupant


class About(TypedDict):
    """What is known of a player; there may be more. `face` None: none chosen."""

    id: str
    name: str
    kind: Literal["human", "bot"]
    face: NotRequired[int | None]


def occupant_of(player: About) -> Occupant:
    """Return who sits on a seat when a player takes it."""
    occupant: Occupant = {"kind": player["kind"], "player": player["id"], "name": player["name"], "level": None}
    face = player.get("face")
    return occupant if face is None else {**occupant, "face": face}
