"""Records of finished rounds, as types. See openapi.yaml."""

from typing import Any, NotRequired, TypedDict

from service.game.state.types import Ending, Options


class RecordedAction(TypedDict):
    """An action: a command without its player, and when and by whom it was done."""

    seq: int
    at: str
    by: str
    seat: int
    type: str
    cards: NotRequired[list[str]]
    units: NotRequired[list[list[str]]]
    calls: NotRequired[list[dict[str, Any]]]
    road: NotRequired[str]
    interval_ms: NotRequired[int]
    reason: NotRequired[dict[str, Any]]


class RecordedStanding(TypedDict):
    """What a seat takes into a round; `active` None: the game has no active and passive players."""

    level: str
    active: bool | None
    attempted: list[str]
    penalty: int
    defended: NotRequired[list[str]]
    laps: NotRequired[int]


class RecordedDeal(TypedDict):
    """Cards that were dealt instead of shuffled ones: the hand of each seat as it was dealt, and the kitty."""

    hands: list[list[str]]
    kitty: list[str]


RecordedPause = TypedDict("RecordedPause", {"from": str, "until": str})


class RecordedRound(TypedDict):
    """A finished round.

    Attributes:
        standings: of all seats before it; `levels`: after it; None in a game without levels.
        clock: time limits, where they are not those of the record: the host has changed them since.
        closings: when the shared window for declarations was closed by the clock; None in a game without declaring.
        pauses: what nobody played in; left out if the round was never paused.
        interruptions: when a timed deal went on after the service had been away, and by how much later (`at`, `ms`);
            left out if there was none.
        deals: what was dealt instead of what was shuffled, the first deal and those after it; left out if nothing.
        shuffle: everything that its check needs.
        result: what `round_scored` says of it.
    """

    round: int
    opened_at: str
    starter: int
    declarer: int | None
    standings: list[RecordedStanding] | None
    actions: list[RecordedAction]
    closings: list[str] | None
    pauses: NotRequired[list[RecordedPause]]
    interruptions: NotRequired[list[dict[str, Any]]]
    deals: NotRequired[list[RecordedDeal]]
    result: NotRequired[dict[str, Any]]
    shuffle: NotRequired[dict[str, Any]]
    levels: NotRequired[list[str] | None]
    clock: NotRequired[dict[str, Any]]


class Record(TypedDict):
    """A game: its finished rounds. `complete`: it is over. `rules`: version of the rules by which it was played.

    `seats`: who sat there at the start; `changes`: who came later, left out if nobody did.
    """

    format: str
    made_at: str
    game: str
    table: str
    ruleset: str
    players: int
    rules: int
    options: Options
    clock: dict[str, Any]
    practice: bool
    seats: list[dict[str, Any]]
    changes: NotRequired[list[dict[str, Any]]]
    winners: list[int] | None
    ended: Ending | None
    rounds: list[RecordedRound]
    complete: bool


class RoundVerdict(TypedDict):
    """Whether a round was dealt and played as its record says; if not, why."""

    round: int
    ok: bool
    reason: str | None
    detail: str | None


class RecordVerdict(TypedDict):
    """Whether all rounds of a record are right."""

    ok: bool
    rounds: list[RoundVerdict]
