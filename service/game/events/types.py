"""Types of the events of a table, and of the data of those around the game.

An event is a JSON value, stored for as long as the table and its game: fields are never removed.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from service.game.state.table_types import (
    Away,
    DecisionKind,
    Occupant,
    PauseReason,
    Presence,
    Settings,
    TimeoutPolicy,
    VoteKind,
)
from service.game.state.types import Answer, Options, Phase

#: Who caused an event.
Source: TypeAlias = Literal["player", "ai", "timeout", "server"]


class Origin(TypedDict, total=False):
    """The cause of a transaction, stored with its first event.

    Attributes:
        answers: [seat, decision id or key, digest] of the action that the transaction carries out.
        back: the seat whose `timeouts` this event resets, since it has answered.
        actor: id of the player whose command, which answers no decision, the transaction carries out.
        reason: why the AI of a seat decided so (`code`, `params`); hidden until the round is over.
    """

    answers: Answer
    back: int
    actor: str
    reason: dict[str, object]


class Event(Origin):
    """An entry of the log.

    Attributes:
        seq: 1, 2, 3 … without gaps.
        at: when (ms since the epoch).
        round: number of the round, if there is one.
        tx: seq of the first event of the same transaction.
        data: fields of the type; see the classes below and `round_types`.
    """

    seq: int
    type: str
    at: int
    round: int | None
    by: Source
    tx: int
    data: Any


class NoData(TypedDict):
    """The data of an event without fields."""


# --- the table ---------------------------------------------------------------------------------------------------


class NextSeed(TypedDict):
    """The secret seed of the next round, and the commitment to it."""

    next_seed: str
    next_commitment: str


class TableCreated(NextSeed):
    """The first event of every table.

    `options`: those that `service.rules.options.storing` stores. `options_need`: the first release that plays their
    values, if their names and listed values do not tell it.
    """

    table: str
    ruleset: str
    players: int
    options: Options
    host: str
    settings: Settings
    options_need: NotRequired[str]


class SeatData(TypedDict):
    """An event about a seat."""

    seat: int


class SeatTaken(SeatData):
    """Somebody sits down, or an AI is seated."""

    occupant: Occupant


#: `replaced`: somebody took the seat of a player who has gone; `drawn`: seats were drawn at the start of a game;
#: `moved`: the player moved to another seat.
LeaveReason: TypeAlias = Literal["left", "kicked", "replaced", "drawn", "moved"]


class SeatLeft(SeatData):
    """A seat is given up, or during a game taken over by an AI of the level `autopilot`."""

    reason: LeaveReason
    autopilot: str | None


class SeatReady(SeatData):
    """A player becomes ready, or unready."""

    ready: bool


class EntropyGiven(SeatData):
    """A player adds bytes (hex) to the next shuffle."""

    entropy: str


class SettingsChanges(TypedDict, total=False):
    """All options as they are stored, or all settings, after a change."""

    options: Options
    settings: Settings


class SettingsChanged(TypedDict):
    """The host changes options or settings.

    `chosen`: the options chosen, if options change. `options_need`: as in `TableCreated`.
    """

    changes: SettingsChanges
    chosen: NotRequired[Options]
    options_need: NotRequired[str]


class PresenceChanged(SeatData):
    """A player comes online or goes away."""

    presence: Presence


class HostChanged(TypedDict):
    """Another player (id) is host."""

    host: str


class TableClosed(TypedDict):
    """The host closes the table."""

    settings: Settings


class SeatTakenOver(SeatData):
    """An AI plays for an absent player."""

    level: str
    reason: Literal["timeouts", "vote"]


class Chat(TypedDict):
    """A message; `seat` None: from a spectator. `muted`: hidden from the viewer who muted its author; never stored."""

    seat: int | None
    player: NotRequired[str]
    muted: NotRequired[bool]
    name: str
    text: str | None
    preset: str | None


class VoteOpened(TypedDict):
    """`by_seat` opens a vote until `closes_at` (ms); `seat` is the one to `replace`."""

    kind: VoteKind
    seat: int | None
    by_seat: int
    closes_at: NotRequired[int]


class VoteCast(SeatData):
    """A vote is cast."""

    vote: str
    approve: bool


class VoteClosed(TypedDict):
    """A vote is decided."""

    vote: str
    kind: VoteKind
    passed: bool


class GamePaused(TypedDict):
    """The game is paused on request of `by_seat`, until `until` (ms) at the latest; `reason`: see `Pause`."""

    by_seat: int
    until: int
    reason: NotRequired[PauseReason]
    game_ends_at: NotRequired[None]


class GameResumed(TypedDict):
    """The game continues after `paused_ms`. `by_seat` ended the pause; None: its time was over."""

    by_seat: int | None
    paused_ms: int
    game_ends_at: NotRequired[int]


class ClockAdvanced(TypedDict):
    """The clock of a sandbox has advanced by `ms`, to the time of the event."""

    ms: int


class BankUsed(SeatData):
    """A seat has used its time bank; `bank_ms` are left."""

    bank_ms: int


class DecisionOpened(TypedDict):
    """Seats may answer something.

    `asked`: seats that the decision waits for, if others have passed already. `phase`: that of the round, if it
    changes.
    """

    kind: DecisionKind
    seats: list[int]
    asked: NotRequired[list[int]]
    phase: NotRequired[Phase]
    deadline: int | None
    on_timeout: TimeoutPolicy


class DeadlineMoved(TypedDict):
    """The open decision has another deadline; `by_seat` has given more time. For `stops` and `away` see `Decision`."""

    by_seat: int | None
    deadline: int
    stops: list[list[int]]
    away: list[Away]


class DecisionTimedOut(TypedDict):
    """The time of `seats` is over."""

    decision: str
    seats: list[int]
    action: TimeoutPolicy
