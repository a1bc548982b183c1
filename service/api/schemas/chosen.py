"""The fields of a player that everybody sees beside the name (`service.game.state.table_types.Chosen`), in schemas.

A schema takes them with `vars().update(chosen.shown_fields())` in its body, at their place among its other fields.
"""

from service.api.schemas import fields as f
from service.game.state.occupants import CHOSEN
from service.game.state.table_types import Choice


def shown_fields(*, brief: bool = False) -> dict[str, f.Field]:
    """Return the fields of a schema that shows a player; null: none chosen."""
    return {
        name: _field(choice, f"{choice.about}; null: none." + (f" {choice.more}" if choice.more and not brief else ""))
        for name, choice in CHOSEN.items()
    }


def stored() -> dict[str, f.Field]:
    """Return the fields of the occupant of a seat, as the table stores it; left out: none chosen."""
    return {
        name: _field(choice, f"{choice.about}; left out: none.", nullable=False, optional=True)
        for name, choice in CHOSEN.items()
    }


def changes() -> dict[str, f.Field]:
    """Return the fields of a request that changes them."""
    return {name: _change(choice) for name, choice in CHOSEN.items()}


def _field(choice: Choice, about: str, *, nullable: bool = True, optional: bool = False) -> f.Field:
    make = f.text if isinstance(choice.example, str) else f.integer
    return make(about, nullable=nullable, optional=optional, example=choice.example)


def _change(choice: Choice) -> f.Field:
    if isinstance(choice.example, int):
        return f.integer(
            f"{choice.to_change}; 0: none.", choice.low, choice.high, optional=True, example=choice.example
        )
    about, bounds = f"{choice.to_change}; empty: none.", (choice.low, choice.high)
    return f.text(about, *bounds, pattern=choice.pattern, optional=True, example=choice.example)
