"""Fields of the events that clients get, in the order and with the texts of the API's document.

A field is plain data: the API makes a schema of it (`service.api.schemas.events.rows`), and the views show it
(`service.game.views.redaction`). The functions have the names and arguments of those in `service.api.schemas.fields`.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias, TypedDict, Unpack, get_args

from service.game.state.table_types import DecisionKind, PauseReason, Presence, VoteKind
from service.game.state.types import DecidedBy, Phase

PHASES: Final = get_args(Phase)
PRESENCE: Final = get_args(Presence)
CLOSED_BY: Final = ("host", "operator")
DECISIONS: Final = get_args(DecisionKind)
VOTES: Final = get_args(VoteKind)

#: Description of fields that do not apply to some games (`service.game.views.absent`).
NOT_IN_ARMS: Final = "null in Arm's Length."
FRIENDS_ONLY: Final = "null in games without friends."
ARMS_ONLY: Final = "null in other games."
#: Description of the field `hints`.
HINTS: Final = (
    "For a seat that may answer, as long as the decision is open: its `hints` now. If several events are read "
    "together, the last one has them."
)
#: Description of what has decided a game.
DECIDED_BY: Final = (
    "If it has ended by its `length`: what has told the winners apart. `level`: they are higher. `office`: on the same "
    "level, they are to declare next. `gained`: they have gained more levels on listed ones. `points`: all else equal, "
    "they have taken more as attackers. `score`: the totals of Arm's Length. `draw`: nothing has, and nobody has won."
)
#: Description of the reason of a pause.
PAUSE_REASON: Final = (
    "`absent`: none of the players was there; it lasts until one of them ends it, resumes, or, if a bot, sends any "
    "request to the table. `left`: a player has left a table of a room; it lasts until somebody ends it. Left out: all "
    "had agreed to it."
)

#: Who sees a field: everybody who sees the event; the seat of the event; that seat, and spectators who see all hands.
To: TypeAlias = Literal["all", "seat", "seat and open"]


class Attributes(TypedDict, total=False):
    """What else may be said of a field; `data_key` is its name if that is a keyword of Python."""

    optional: bool
    nullable: bool
    example: object
    data_key: str


class Field(NamedTuple):
    """A field of an event.

    Attributes:
        make: name of the function in `service.api.schemas.fields` that makes its schema.
        args: arguments of the function; of `nested`, the name of the schema comes first.
        attributes: keyword arguments of the function.
        to: who sees it.
        value: its value, if that is always the same and not in the data.
        count_of: field of the data whose entries it counts.
    """

    make: str
    args: tuple[object, ...]
    attributes: Attributes
    to: To = "all"
    value: object = None
    count_of: str = ""


def text(about: str, *, to: To = "all", **attributes: Unpack[Attributes]) -> Field:
    """Return a field for a text."""
    return Field("text", (about,), attributes, to)


def integer(about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for an integer."""
    return Field("integer", (about,), attributes)


def flag(about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for true or false."""
    return Field("flag", (about,), attributes)


def time(about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for a time."""
    return Field("time", (about,), attributes)


def choice(about: str, *values: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for one of several strings."""
    return Field("choice", (about, *values), attributes)


def extensible(about: str, values: Iterable[str], **attributes: Unpack[Attributes]) -> Field:
    """Return a field for one of several strings, to which later versions may add."""
    return Field("extensible", (about, values), attributes)


def card(about: str) -> Field:
    """Return a field for a card."""
    return Field("card", (about,), {})


def cards(about: str, *, to: To = "all", **attributes: Unpack[Attributes]) -> Field:
    """Return a field of cards; one that not all see is optional."""
    return Field("cards", (about, 0, 200), attributes if to == "all" else {**attributes, "optional": True}, to)


def array(of: Field, about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for an array."""
    return Field("array", (of, about), attributes)


def mapping(about: str, of: Field | None = None, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for an object with arbitrary names."""
    return Field("mapping", (about, of), attributes)


def nested(schema: str, about: str = "", **attributes: Unpack[Attributes]) -> Field:
    """Return a field for an object of a schema (`service.api.schemas.events.rows.NAMED`)."""
    return Field("nested", (schema, about), attributes)


# --- fields of several events ---


def seat() -> Field:
    """Return the field with the seat of an event."""
    return integer("The seat.", example=2)


def number_of(name: str, about: str) -> Field:
    """Return the field with the number of the cards in the field `name` of the data, which not all may see."""
    return integer(about)._replace(count_of=name)


def phase(*phases: Phase) -> Field:
    """Return the field with the phase that begins with an event; with one phase, the event always begins it."""
    field = extensible("The phase that begins with it.", phases or PHASES, optional=len(phases) != 1)
    return field._replace(value=phases[0]) if len(phases) == 1 else field


def seats_asked(about: str) -> Field:
    """Return the field with the seats that are asked now."""
    return array(integer(""), about, optional=True, nullable=True)


def returnable() -> Field:
    """Return the field with the number of plays that may be taken back."""
    return integer("At tables that allow it: how many of the last plays may be taken back now.", optional=True)


def sets() -> Field:
    """Return the field with the sets that a seat may declare."""
    return nested("DeclareHints", HINTS, optional=True)


def deal(kitty: Field) -> dict[str, Field]:
    """Return the fields that describe the deal; `kitty`: number of its cards."""
    return {
        "phase": phase("dealing"),
        "sorted_by": nested("SortedBy", "For players: what their hands are sorted by now.", optional=True),
        "of": integer("Cards to deal in all."),
        "kitty": kitty,
        "kitty_cards": cards("For spectators who see all hands: the cards in it.", optional=True, nullable=True),
        "pace": extensible("How the cards are dealt.", ("timed", "instant")),
        "interval_ms": integer("Timed deal: interval between two cards to the same seat."),
    }


def attackers_points() -> Field:
    """Return the field with the attackers' points so far."""
    return integer(
        f"Points of all players not known to be on the declarer's side, afterwards; {NOT_IN_ARMS}",
        optional=True,
        nullable=True,
    )


def decided_by() -> Field:
    """Return the field with what has decided a game."""
    return extensible(DECIDED_BY, get_args(DecidedBy), optional=True)


def game_ends_at(about: str) -> Field:
    """Return the field with the new time at which a game of so many minutes ends."""
    return time(f"In a game of so many minutes: {about}", optional=True, nullable=True)


def pause_reason() -> Field:
    """Return the field with the reason of a pause."""
    return extensible(PAUSE_REASON, get_args(PauseReason), optional=True)
