"""Occupants of seats: what a table stores of its players, and what others see of a player."""

from collections.abc import Mapping
from typing import Final, Literal, cast, get_type_hints

from service.game.state.table_types import Choice, Chosen, Occupant

#: Field that a player chooses -> what is said of it.
CHOSEN: Final[dict[str, Choice]] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Chosen, include_extras=True).items()
}


class About(Chosen):
    """Fields of a player that a table needs."""

    id: str
    name: str
    kind: Literal["human", "bot"]


def chosen_of(player: Mapping[str, object]) -> Chosen:
    """Return what a player has chosen, as tables store it: fields without a choice are left out."""
    return cast("Chosen", {name: player[name] for name in CHOSEN if player.get(name) is not None})


def shown_of(player: Mapping[str, object]) -> dict[str, object]:
    """Return what a player has chosen, as others see it: fields without a choice are None."""
    return {name: player.get(name) for name in CHOSEN}


def occupant_of(player: About) -> Occupant:
    """Return a player as occupant of a seat."""
    return {
        "kind": player["kind"],
        "player": player["id"],
        "name": player["name"],
        "level": None,
        **chosen_of(player),
    }
