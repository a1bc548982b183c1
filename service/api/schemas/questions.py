"""Questions to the rule oracle and their answers: the inputs and outputs of a rule vector of the same kind.

`service.rules.oracle` reads a question closely and bounds its work; here it is told what a question looks like.
"""

from typing import Any, Final, NamedTuple

from marshmallow import INCLUDE, Schema

from service.api.schemas import fields as f
from service.rules.cards import RANKS
from service.rules.oracle_input import MOST_CARDS, MOST_DECKS, MOST_ENTRIES

SUITS: Final = ("S", "H", "D", "C")
SIDES: Final = ("declarers", "attackers")
MOST_SEATS: Final = 16
#: What is trumps in the examples.
HEARTS: Final = {"rank": "2", "suit": "H"}


class Question(NamedTuple):
    """One kind of question.

    Attributes:
        kind: last part of its path.
        title: what it asks.
        about: what there is to know about it.
        takes: schema of the body.
        gives: schema of the answer.
        example: of the body.
    """

    kind: str
    title: str
    about: str
    takes: type[Schema]
    gives: type[Schema]
    example: dict[str, Any]


class _Body(f.Contract):
    """What every question may name. Fields that a question does not read are let be: a whole vector may be sent."""

    class Meta:
        """See marshmallow."""

        unknown = INCLUDE

    players = f.integer(
        "How many play; may be left out where the ruleset leaves no choice.", 1, MOST_SEATS, optional=True
    )
    decks = f.integer("Decks in use, whatever the ruleset's own composition.", 1, MOST_DECKS, optional=True)
    options = f.mapping("Where the options differ from the ruleset.", optional=True)


class AskedTrump(f.Contract):
    """What is trumps."""

    rank = f.choice("The trump rank; null: none.", *RANKS, nullable=True, example="7")
    suit = f.choice("The trump suit; null: none.", *SUITS, nullable=True, example="H")


def trump(*, optional: bool = False) -> f.Field:
    """Return the field that says what is trumps."""
    return f.nested(AskedTrump, "What is trumps.", optional=optional)


def hand(about: str = "The hand.", **more: Any) -> f.Field:
    """Return a field for a hand."""
    return f.cards(about, 0, MOST_CARDS, **more)


def units() -> f.Field:
    """Return the field that says how a lead is to be read."""
    return f.array(
        f.cards("", 1, MOST_CARDS), "How the lead is to be read, if not longest unit first.", 1, 60, optional=True
    )


def plays(about: str, low: int = 1) -> f.Field:
    """Return a field for plays."""
    return f.array(f.cards("", 1, MOST_CARDS), about, low, MOST_ENTRIES)


def seat(about: str, **more: Any) -> f.Field:
    """Return a field for a seat."""
    return f.integer(about, 0, MOST_SEATS - 1, **more)


def verdict() -> dict[str, f.Field]:
    """Return the fields that say whether a play is legal."""
    return {
        "legal": f.flag("Whether the play is legal."),
        "rule": f.text("The rule that it breaks.", nullable=True),
        "required": f.anything("What the rule asks for."),
        "example": f.cards("A legal play.", 0, MOST_CARDS, nullable=True),
    }


def ask(
    kind: str,
    title: str,
    about: str,
    takes: dict[str, f.Field],
    gives: dict[str, f.Field] | type[Schema],
    /,
    **example: Any,
) -> Question:
    """Return a kind of question. Schemas are named after it; `example` is an example of its body."""
    name = "".join(word.capitalize() for word in kind.split("_"))
    asked = _Body.from_dict(dict(takes), name=f"{name}Question")
    asked.__doc__ = f"The inputs of a rule vector of the kind `{kind}`."
    given = gives if isinstance(gives, type) else f.Contract.from_dict(dict(gives), name=f"{name}Answer")
    if not isinstance(gives, type):
        given.__doc__ = f"The outputs of a rule vector of the kind `{kind}`."
    return Question(kind, title, about, asked, given, example)
