"""Types of the actions that answer decisions, and of the requirements of a follow."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class PlayRequirements(TypedDict):
    """The requirements of a follow: number of cards, suit and structure."""

    cards: int
    must_follow: str | None
    required: list[Any]


class CalledCard(TypedDict):
    """A called card by name: the copy number `ordinal`, or the `other` copy."""

    card: str
    ordinal: NotRequired[int]
    other: NotRequired[bool]


class CardAction(TypedDict):
    """An action with cards (names). `units`: how to read a lead; `reveal`: show the discard."""

    type: Literal["declare", "discard", "overcall_kitty", "play"]
    cards: list[str]
    units: NotRequired[list[list[str]] | None]
    reveal: NotRequired[bool]


class CallAction(TypedDict):
    """Call friends."""

    type: Literal["call"]
    calls: list[CalledCard]


class RoadAction(TypedDict):
    """State a road."""

    type: Literal["road"]
    road: str


class PlainAction(TypedDict):
    """An action without fields."""

    type: Literal["pass", "redeal", "claim"]


#: Any action.
Action: TypeAlias = CardAction | CallAction | RoadAction | PlainAction
