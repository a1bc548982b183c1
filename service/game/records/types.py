"""Records of finished rounds, as types. openapi.yaml tells more."""

from typing import Any, NotRequired, TypedDict

from service.game.state.table_types import Standing
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
    reason: NotRequired[dict[str, Any]]


class RecordedRound(TypedDict):
    """A finished round.

    Attributes:
        standings: of all seats before it; `levels`: after it.
        closings: when the shared window for declarations was closed by the clock.
        shuffle: everything that its check needs.
        result: what `round_scored` says of it.
    """

    round: int
    opened_at: str
    starter: int
    declarer: int | None
    standings: list[Standing]
    actions: list[RecordedAction]
    closings: list[str]
    result: NotRequired[dict[str, Any]]
    shuffle: NotRequired[dict[str, Any]]
    levels: NotRequired[list[str]]


class Record(TypedDict):
    """A game: its finished rounds. `complete`: it is over."""

    format: str
    made_at: str
    game: str
    table: str
    ruleset: str
    players: int
    options: Options
    clock: dict[str, Any]
    practice: bool
    seats: list[dict[str, Any]]
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
