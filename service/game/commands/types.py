"""Types of the commands of players, hosts and AI seats."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from service.game.state.actions import Action
from service.game.state.table_types import Chosen, Clock, VoteKind
from service.game.state.types import Options

#: A command, checked by the schema of its operation or made by an AI.
Fields: TypeAlias = Mapping[str, Any]


class PlayerCommand(TypedDict):
    """A command of a player (id).

    With a `key`, a command that answers no decision (such as a chat message) takes effect only once.
    """

    player: str
    key: NotRequired[str | None]


class Sit(PlayerCommand, Chosen):
    """Take the seat `seat`, or the first that is free.

    `is_barred`: refuse it as at a private table, whatever the code.
    """

    type: Literal["sit"]
    kind: Literal["human", "bot"]
    name: str
    seat: NotRequired[int | None]
    join_code: NotRequired[str | None]
    is_barred: NotRequired[bool]


class Plain(PlayerCommand):
    """A command without fields."""

    type: Literal["leave", "resume", "close", "take_back", "end_pause"]


class Close(PlayerCommand):
    """Close the table. `by_operator`: without being its host, and even during a game."""

    type: Literal["close"]
    by_operator: NotRequired[bool]


class Kick(PlayerCommand):
    """Empty a seat, as host."""

    type: Literal["kick"]
    seat: int


class Expel(PlayerCommand):
    """End what a player has at a table of a circle or club; `heir` (may be empty) hosts it if the player did."""

    type: Literal["expel"]
    heir: str


class Move(PlayerCommand):
    """Move the player `moved` to `seat`."""

    type: Literal["move"]
    moved: str
    seat: int


class SeatAi(PlayerCommand):
    """Put an AI on a seat, as host."""

    type: Literal["seat_ai"]
    seat: int
    level: str


class Ready(PlayerCommand):
    """Become ready, or unready."""

    type: Literal["ready"]
    ready: NotRequired[bool]


class GiveEntropy(PlayerCommand):
    """Add bytes (hex) to the next shuffle."""

    type: Literal["entropy"]
    entropy: str


class SettingsAsked(TypedDict, total=False):
    """Options, a clock, and other settings of `PUBLIC_SETTINGS`, with their new values."""

    options: Options
    clock: Clock


class ChangeSettings(PlayerCommand):
    """Change settings or options, as host, if the table is at `version`; None: at any version."""

    type: Literal["settings"]
    changes: SettingsAsked
    version: int | None


class GiveTime(PlayerCommand):
    """Give a seat that is waited for `hours` more for the open decision."""

    type: Literal["give_time"]
    seat: int
    hours: int


class NotePresence(PlayerCommand):
    """Note whether the player is online."""

    type: Literal["presence"]
    presence: Literal["online", "away"]


class Say(PlayerCommand):
    """Chat: a `text` or a `preset`."""

    type: Literal["chat"]
    name: str
    text: NotRequired[str | None]
    preset: NotRequired[str | None]


class OpenVote(PlayerCommand):
    """Open a vote; `seat` is the one to `replace`."""

    type: Literal["open_vote"]
    kind: VoteKind
    seat: NotRequired[int | None]


class CastVote(PlayerCommand):
    """Answer the open vote (id)."""

    type: Literal["cast_vote"]
    vote: str
    approve: bool


class AnswerTakeBack(PlayerCommand):
    """Agree or refuse to let another player take back a play."""

    type: Literal["answer_take_back"]
    accept: bool


#: Commands that answer no decision.
TableCommand: TypeAlias = (
    Sit
    | Plain
    | Kick
    | Move
    | SeatAi
    | Ready
    | GiveEntropy
    | ChangeSettings
    | GiveTime
    | NotePresence
    | Say
    | OpenVote
    | CastVote
    | AnswerTakeBack
)


class PlayerAction(TypedDict):
    """Fields that a player adds to an `Action`: who acts, and the decision answered."""

    player: str
    decision_id: str


#: Any command. An action of a player also has the fields of `PlayerAction`.
Command: TypeAlias = TableCommand | Action
