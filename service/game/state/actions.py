"""Actions, as types: what answers a decision, and what a follow must contain."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class PlayRequirements(TypedDict):
    """What a follow must contain: how many cards, the suit to follow, and the structure owed."""

    cards: int
    must_follow: str | None
    required: list[Any]


class CalledCard(TypedDict):
    """A called card by name: the copy `ordinal`, or the `other` one."""

    card: str
    ordinal: NotRequired[int]
    other: NotRequired[bool]


class CardAction(TypedDict):
    """An action with cards (names). `units`: how a lead is read; `reveal`: show the discard."""

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
    """An action that says all by its type."""

    type: Literal["pass", "redeal", "claim"]


#: What answers a decision.
Action: TypeAlias = CardAction | CallAction | RoadAction | PlainAction
