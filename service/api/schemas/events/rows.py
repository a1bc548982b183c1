"""The schemas of the data of events (docs/contract.md §4), made of their rows (`service.game.events.rows`)."""

from typing import Any, Final

from service.api.schemas import fields as f
from service.api.schemas.common import Away, CalledCard, DeclareHints
from service.api.schemas.view import (
    Declaration,
    Occupant,
    Roads,
    RoundResult,
    Seen,
    SortedBy,
    StandingCall,
    ThrowOutcome,
    Trick,
    Trump,
)
from service.game.events.catalogue import ROWS
from service.game.events.fields import FRIENDS_ONLY, Field
from service.game.events.rows import Row


class LevelChange(f.Contract):
    """A seat's changes after a round."""

    seat = f.integer("The seat.", example=2)
    before = f.text("Its level before.", example="2", data_key="from")
    after = f.text("Its level now.", example="5", data_key="to")
    active = f.flag(f"Whether it is active now; {FRIENDS_ONLY}", nullable=True)
    attempted = f.array(f.text(""), "Must-play levels already attempted.")
    penalty = f.integer("Levels still owed for failed throws.")
    defended = f.array(f.text(""), "Must-play levels already won as declarers; left out: none.", optional=True)
    laps = f.integer("How often it has passed the last level; left out: never.", optional=True)
    won = f.flag("Whether it has passed the last level now.")


class NextRound(f.Contract):
    """What is known about the next round."""

    declarer = f.integer("The declarer; null: whoever makes trumps.", nullable=True)
    starter = f.integer("The seat that draws first; null: not known yet.", nullable=True)


_SCHEMAS: Final = (
    Away,
    CalledCard,
    Declaration,
    DeclareHints,
    LevelChange,
    NextRound,
    Occupant,
    Roads,
    RoundResult,
    Seen,
    SortedBy,
    StandingCall,
    ThrowOutcome,
    Trick,
    Trump,
)
#: Name in rows -> schema.
NAMED: Final[dict[str, type[f.Contract]]] = {schema.__name__: schema for schema in _SCHEMAS}


def schema_field(field: Field) -> f.Field:
    """Return the field of a schema."""
    args: list[Any] = [schema_field(arg) if isinstance(arg, Field) else arg for arg in field.args]
    if field.make == "nested":
        args[0] = NAMED[args[0]]
    return getattr(f, field.make)(*args, **field.attributes)  # type: ignore[no-any-return]


def schema_of(row: Row) -> type[f.Contract]:
    """Return the schema of the data of a type of event, named after the type."""
    name = "".join(word.capitalize() for word in row.name.split("_"))
    base = NAMED[row.base] if row.base else f.Contract
    schema = base.from_dict(
        {name: schema_field(field) for name, field in row.fields.items()}, name=name + "Data" * (not row.base)
    )
    schema.__doc__ = row.about
    return schema  # type: ignore[return-value]


#: Type -> schema of its `data`, in the order of the document.
EVENT_DATA: Final[f.Parts] = {name: schema_of(row) for name, row in ROWS.items()}


def marks_of(row: Row) -> dict[str, Any]:
    """Return what the document says of an event to generators of clients: how it changes a view."""
    ends = {"x-ends-decision": True} if "ends_decision" in row.flags else {}
    return {**ends, "x-sets": dict(row.sets)} if row.sets else ends


#: Type -> `x-` fields of its schema.
MARKS: Final = {name: marks_of(row) for name, row in ROWS.items()}
