"""The row of a type of event: all that is said of it, above the function that says what it does to the table.

    @event(
        "A player is ready, or no longer ready.",
        seat=f.seat(),
        ready=f.flag("Whether ready."),
    )
    def seat_ready(state: State, data: SeatReady, event: Event) -> State:

From the row follow what viewers see of the event (`service.game.views.redaction`), its schema in the API and its part
of `openapi.yaml`, which release understands it (`service.game.events.needs`), and the tables of the client packages.
`service.game.events.catalogue` has all rows.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from service.game.events.fields import Field
from service.game.state.types import State

#: `ends_decision`: the open decision is over; another one may be opened at once. `changes_hints`: it opens a decision,
#: or changes which sets may be shown.
Flag: TypeAlias = Literal["ends_decision", "changes_hints"]


class Needs(dict[str, str]):
    """Part of the data of an event -> the first release that understands it (`service.game.events.needs`)."""


class Sets(dict[str, object]):
    """Path in the view -> its value afterwards, for events that need no more than that to be folded.

    A path begins with `seat` for the seat of the event. A text that begins with `=` is the value of that field of the
    event; any other value is itself: `Sets({"seat.autopilot": "=level", "seat.ready": True})`. Client packages get it
    as a table, so such an event needs no code there.
    """


class Like(str):
    """The name of a schema whose fields the event has too."""

    __slots__ = ()


Evolve = TypeVar("Evolve", bound=Callable[..., State])


class Row(NamedTuple):
    """A type of event.

    Attributes:
        name: the type, which is the name of the function.
        about: when it happens, for the document.
        evolve: the function that returns the state after it.
        flags: see `Flag`.
        fields: name -> field, as viewers get them.
        base: schema with further fields; "" if there is none.
        needs: see `Needs`.
        sets: see `Sets`.
    """

    name: str
    about: str
    evolve: Callable[..., State]
    flags: frozenset[Flag]
    fields: Mapping[str, Field]
    base: str
    needs: Needs
    sets: Sets


#: Type -> row, in the order of imports.
DECLARED: Final[dict[str, Row]] = {}


def event(about: str, /, *marks: Flag | Needs | Sets | Like, **fields: Field) -> Callable[[Evolve], Evolve]:
    """Declare the type of event that is called like the decorated function. See `Row`."""
    flags: set[Flag] = set()
    needs, sets, base = Needs(), Sets(), ""
    for mark in marks:
        if isinstance(mark, Needs):
            needs = mark
        elif isinstance(mark, Sets):
            sets = mark
        elif isinstance(mark, Like):
            base = mark
        else:
            flags.add(mark)

    def declare(evolve: Evolve) -> Evolve:
        name = evolve.__name__
        DECLARED[name] = Row(name, about, evolve, frozenset(flags), fields, base, needs, sets)
        return evolve

    return declare
