"""Types of the records of finished rounds; see openapi.yaml."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypeAlias, TypedDict

from service.game.state.table_types import Length
from service.game.state.types import DecidedBy, Ending, Options

#: A record or a part of one as a client sent it. The schema of records has checked it; it says more than types can.
RecordJson: TypeAlias = Mapping[str, Any]
#: The same while it is read from a text.
RecordDraft: TypeAlias = dict[str, Any]


class RecordedAction(TypedDict):
    """An action: a command without its player, with its time and source."""

    seq: int
    at: str
    by: str
    seat: int
    type: str
    cards: NotRequired[list[str]]
    units: NotRequired[list[list[str]]]
    calls: NotRequired[list[RecordDraft]]
    road: NotRequired[str]
    interval_ms: NotRequired[int]
    reason: NotRequired[RecordDraft]


class RecordedStanding(TypedDict):
    """The standing of a seat before a round; `active` None: the game has no passive players."""

    level: str
    active: bool | None
    attempted: list[str]
    penalty: int
    defended: NotRequired[list[str]]
    laps: NotRequired[int]


class RecordedDeal(TypedDict):
    """Cards dealt without a shuffle: the hand of each seat in the order of dealing, and the kitty."""

    hands: list[list[str]]
    kitty: list[str]


RecordedPause = TypedDict("RecordedPause", {"from": str, "until": str})


class RecordedRound(TypedDict):
    """A finished round.

    Attributes:
        standings: of all seats before the round; `levels`: after it; None in a game without levels.
        clock: time limits, if they differ from those of the record because the host changed them.
        closings: times at which the clock closed the shared window for declarations; None in a game without declaring.
        pauses: pauses of the game; left out if there was none.
        interruptions: when a timed deal resumed after an outage (`at`), and how long it was delayed (`ms`); left out if
            there was none.
        taken_back: seats whose take-backs cost a level; left out if there was none.
        deals: known deals that replaced shuffled ones, in order; left out if there was none.
        shuffle: what is needed to verify it.
        result: fields of `round_scored`.
    """

    round: int
    opened_at: str
    starter: int
    declarer: int | None
    standings: list[RecordedStanding] | None
    actions: list[RecordedAction]
    closings: list[str] | None
    pauses: NotRequired[list[RecordedPause]]
    interruptions: NotRequired[list[RecordDraft]]
    taken_back: NotRequired[list[int]]
    deals: NotRequired[list[RecordedDeal]]
    result: NotRequired[RecordDraft]
    shuffle: NotRequired[RecordDraft]
    levels: NotRequired[list[str] | None]
    clock: NotRequired[RecordDraft]


class Record(TypedDict):
    """The finished rounds of a game. `complete`: the game is over. `rules`: version of the rules.

    `seats`: occupants at the start; `changes`: those who came later, left out if nobody did. `length`: left
    out of a whole game, and `decided_by` of one that has not ended by its length.
    """

    format: str
    made_at: str
    game: str
    table: str
    ruleset: str
    players: int
    rules: int
    options: Options
    clock: RecordDraft
    length: NotRequired[Length]
    practice: bool
    seats: list[RecordDraft]
    changes: NotRequired[list[RecordDraft]]
    winners: list[int] | None
    ended: Ending | None
    decided_by: NotRequired[DecidedBy]
    rounds: list[RecordedRound]
    complete: bool


class RoundVerdict(TypedDict):
    """Whether a round was dealt and played as recorded; if not, why."""

    round: int
    ok: bool
    reason: str | None
    detail: str | None


class RecordVerdict(TypedDict):
    """Whether all rounds of a record are ok."""

    ok: bool
    rounds: list[RoundVerdict]
