"""Fields shared by the data of several types of events."""

from typing import Final

from service.api.schemas import fields as f
from service.api.schemas.common import DeclareHints
from service.api.schemas.view import NOT_IN_ARMS, PHASES, SortedBy

#: Type -> schema of its `data`; None: not described.
EventData = dict[str, type[f.Contract] | None]


def add_event(events: EventData, kind: str, about: str, /, **fields: f.Field) -> None:
    """Add the schema of a type of event, and name it after the type."""
    name = "".join(word.capitalize() for word in kind.split("_")) + "Data"
    schema = f.Contract.from_dict(dict(fields), name=name)
    schema.__doc__ = about
    events[kind] = schema  # type: ignore[assignment]


def seat() -> f.Field:
    """Return the field with the seat of an event."""
    return f.integer("The seat.", example=2)


def cards(about: str, *, hidden: bool = False, nullable: bool = False) -> f.Field:
    """Return a field of cards, which may be hidden from some viewers."""
    return f.cards(about, 0, 200, optional=hidden, nullable=nullable)


def phase(*phases: str) -> f.Field:
    """Return the field with the phase that begins with an event."""
    return f.extensible("The phase that begins with it.", phases or PHASES, optional=len(phases) != 1)


def asked(about: str) -> f.Field:
    """Return the field with the seats that are asked now."""
    return f.array(f.integer(""), about, optional=True, nullable=True)


#: Description of the field `hints`.
HINTS: Final = (
    "For a seat that may answer, as long as the decision is open: its `hints` now. If several events are read "
    "together, the last one has them."
)


def returnable() -> f.Field:
    """Return the field with the number of plays that may be taken back."""
    return f.integer("At tables that allow it: how many of the last plays may be taken back now.", optional=True)


def sets() -> f.Field:
    """Return the field with the sets that a seat may declare."""
    return f.nested(DeclareHints, HINTS, optional=True)


def deal(kitty: f.Field) -> dict[str, f.Field]:
    """Return the fields that describe the deal; `kitty`: number of its cards."""
    return {
        "phase": phase("dealing"),
        "sorted_by": f.nested(SortedBy, "For players: what their hands are sorted by now.", optional=True),
        "of": f.integer("Cards to deal in all."),
        "kitty": kitty,
        "kitty_cards": f.cards("For spectators who see all hands: the cards in it.", optional=True, nullable=True),
        "pace": f.extensible("How the cards are dealt.", ("timed", "instant")),
        "interval_ms": f.integer("Timed deal: interval between two cards to the same seat."),
    }


def attackers_points() -> f.Field:
    """Return the field with the attackers' points so far."""
    return f.integer(
        f"Points of all players not known to be on the declarer's side, afterwards; {NOT_IN_ARMS}",
        optional=True,
        nullable=True,
    )
