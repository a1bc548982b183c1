"""Questions to the rule oracle and their answers: the inputs and outputs of rule vectors of the same kind.

These schemas check the form of a question; `service.rules.oracle.questions` checks its content and bounds its work.
"""

from typing import Final, NamedTuple, Unpack

from marshmallow import Schema

from service.api.schemas import fields as f
from service.rules.cards import RANKS
from service.rules.oracle.inputs import MOST_CARDS, MOST_DECKS, MOST_ENTRIES

SUITS: Final = ("S", "H", "D", "C")
SIDES: Final = ("declarers", "attackers")
MOST_SEATS: Final = 16
#: The trumps of the examples.
HEARTS: Final = {"rank": "2", "suit": "H"}


class Question(NamedTuple):
    """One kind of question.

    Attributes:
        kind: last part of its path.
        title: summary of its operation.
        description: description of its operation.
        body: schema of the body.
        response: schema of the answer.
        example: an example of the body.
    """

    kind: str
    title: str
    description: str
    body: type[Schema]
    response: type[Schema]
    example: dict[str, object]


class _Body(f.Contract):
    """The fields that all questions share."""

    players = f.integer(
        "Number of players; may be left out if the ruleset allows only one.", 1, MOST_SEATS, optional=True
    )
    decks = f.integer("Number of decks, if different from the ruleset's.", 1, MOST_DECKS, optional=True)
    options = f.mapping("Options that differ from the ruleset's defaults.", high=f.MOST_OPTIONS, optional=True)


class AskedTrump(f.Contract):
    """The trumps."""

    rank = f.choice("The trump rank; null: none.", *RANKS, nullable=True, example="7")
    suit = f.choice("The trump suit; null: none.", *SUITS, nullable=True, example="H")


def trump(*, optional: bool = False) -> f.Field:
    """Return the field for the trumps."""
    return f.nested(AskedTrump, "The trumps.", optional=optional)


def hand(about: str = "The hand.", **attributes: Unpack[f.Attributes]) -> f.Field:
    """Return a field for a hand."""
    return f.cards(about, 0, MOST_CARDS, **attributes)


def units() -> f.Field:
    """Return the field for the reading of a lead."""
    return f.array(f.cards("", 1, MOST_CARDS), "How to read the lead, if not longest unit first.", 1, 60, optional=True)


def plays(about: str, low: int = 1) -> f.Field:
    """Return a field for plays."""
    return f.array(f.cards("", 1, MOST_CARDS), about, low, MOST_ENTRIES)


def seat(about: str, **attributes: Unpack[f.Attributes]) -> f.Field:
    """Return a field for a seat."""
    return f.integer(about, 0, MOST_SEATS - 1, **attributes)


def verdict() -> dict[str, f.Field]:
    """Return the fields of a verdict on a play."""
    return {
        "legal": f.flag("Whether the play is legal."),
        "rule": f.text("The broken rule.", nullable=True),
        "required": f.anything("What the rule requires."),
        "example": f.cards("A legal play.", 0, MOST_CARDS, nullable=True),
    }


def ask(
    kind: str,
    title: str,
    description: str,
    inputs: dict[str, f.Field],
    outputs: dict[str, f.Field] | type[Schema],
    /,
    **example: object,
) -> Question:
    """Return a kind of question, with schemas named after it; `example` is an example of its body."""
    name = "".join(word.capitalize() for word in kind.split("_"))
    body = _Body.from_dict(dict(inputs), name=f"{name}Question")
    body.__doc__ = f"The inputs of a rule vector of the kind `{kind}`."
    if isinstance(outputs, type):
        return Question(kind, title, description, body, outputs, example)
    response = f.Contract.from_dict(dict(outputs), name=f"{name}Answer")
    response.__doc__ = f"The outputs of a rule vector of the kind `{kind}`."
    return Question(kind, title, description, body, response, example)
