"""Commands, as types: what players, hosts and AI seats ask of a table."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from service.game.state.actions import Action
from service.game.state.table_types import VoteKind

#: A command as it comes from outside, checked by the schema of its operation or made by an AI.
Fields: TypeAlias = Mapping[str, Any]


class PlayerCommand(TypedDict):
    """A command of a player (id).

    `key` makes a command that answers no decision, such as a chat message, take effect once however often it is sent.
    """

    player: str
    key: NotRequired[str | None]


class Sit(PlayerCommand):
    """Take the seat `seat`, or the first that is free."""

    type: Literal["sit"]
    kind: Literal["human", "bot"]
    name: str
    face: NotRequired[int]
    seat: NotRequired[int | None]
    join_code: NotRequired[str | None]


class Plain(PlayerCommand):
    """A command that says all by its type."""

    type: Literal["leave", "resume", "close", "take_back", "end_pause"]


class Close(PlayerCommand):
    """Close the table; `by_operator`: whoever hosts it, and whatever is going on."""

    type: Literal["close"]
    by_operator: NotRequired[bool]


class Kick(PlayerCommand):
    """The host empties a seat."""

    type: Literal["kick"]
    seat: int


class Move(PlayerCommand):
    """The player `moved` gets the seat `seat`."""

    type: Literal["move"]
    moved: str
    seat: int


class SeatAi(PlayerCommand):
    """The host seats an AI."""

    type: Literal["seat_ai"]
    seat: int
    level: str


class Ready(PlayerCommand):
    """Be ready, or no longer."""

    type: Literal["ready"]
    ready: NotRequired[bool]


class GiveEntropy(PlayerCommand):
    """Add bytes (hex) to the next shuffle."""

    type: Literal["entropy"]
    entropy: str


class ChangeSettings(PlayerCommand):
    """The host changes settings or options, as the table was at `version`; None: however it is."""

    type: Literal["settings"]
    changes: dict[str, Any]
    version: int | None


class NotePresence(PlayerCommand):
    """The player is there, or has not been heard of for a while."""

    type: Literal["presence"]
    presence: Literal["online", "away"]


class Say(PlayerCommand):
    """Chat: a `text` or a `preset`."""

    type: Literal["chat"]
    name: str
    text: NotRequired[str | None]
    preset: NotRequired[str | None]


class OpenVote(PlayerCommand):
    """Ask for a vote; `seat` is whom `replace` is about."""

    type: Literal["open_vote"]
    kind: VoteKind
    seat: NotRequired[int | None]


class CastVote(PlayerCommand):
    """Answer the open vote (id)."""

    type: Literal["cast_vote"]
    vote: str
    approve: bool


class AnswerTakeBack(PlayerCommand):
    """Let somebody take a play back, or not."""

    type: Literal["answer_take_back"]
    accept: bool


#: What does not answer a decision.
TableCommand: TypeAlias = (
    Sit
    | Plain
    | Kick
    | Move
    | SeatAi
    | Ready
    | GiveEntropy
    | ChangeSettings
    | NotePresence
    | Say
    | OpenVote
    | CastVote
    | AnswerTakeBack
)


class PlayerAction(TypedDict):
    """What a player adds to an `Action`: who acts, and the decision that is answered."""

    player: str
    decision_id: str


#: Any command. An action of a player also has the fields of `PlayerAction`.
Command: TypeAlias = TableCommand | Action
