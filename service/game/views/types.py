"""Types of what clients get: the view of a table, its events, and hints; see openapi.yaml.

Fields that do not apply to a game are None (`service.game.views.absent`).
"""

from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict

from service.game.events.types import Source
from service.game.state.actions import CalledCard
from service.game.state.table_types import DecisionKind, Occupant, Presence, TimeoutPolicy, VoteKind
from service.game.state.types import DecidedBy, Ending, Options, Phase, Side, Status, TrumpState

#: A spectator who sees all hands.
OPEN: Final = "open"
#: A seat; None for a spectator; `OPEN` for one who sees all hands.
Viewer: TypeAlias = int | Literal["open"] | None

#: Hints for a seat; the fields depend on the kind of decision.
Hints: TypeAlias = dict[str, Any]


class ViewerRole(TypedDict):
    """The role of the viewer."""

    role: Literal["seat", "spectator"]
    seat: NotRequired[int]


class SeatView(TypedDict):
    """The public view of a seat."""

    seat: int
    occupant: Occupant | None
    autopilot: str | None
    ready: bool
    presence: Presence
    timeouts: int
    level: str | None
    active: bool | None
    penalty: int | None
    laps: NotRequired[int]
    since: NotRequired[int]
    bank_ms: int
    side: Side | None
    hand_count: int
    tricks: int
    points: int | None


class GameView(TypedDict):
    """A game; `results` of the latest rounds."""

    id: str
    round: int
    results: list[dict[str, object]]
    winners: list[int] | None
    ended: Ending | None
    scores: list[int] | None
    ends_at: NotRequired[str | None]
    decided_by: NotRequired[DecidedBy]


class DealProgress(TypedDict):
    """Number of cards dealt, and of all cards to deal."""

    count: int
    of: int


class KittyView(TypedDict):
    """The kitty; `cards` when visible, to `OPEN` always; `shown`: its cards, if all players have seen them."""

    count: int
    seat: int | None
    cards: list[str] | None
    revealed: bool
    shown: NotRequired[list[str]]


class CallView(CalledCard):
    """A called card, and the seat that joined by it."""

    filled_by: int | None


class RoadsView(TypedDict):
    """The seats that have stated a road, and the final roads."""

    stated: list[int]
    set: dict[str, str]


class PlayView(TypedDict):
    """A play of a seat; a lead also has its reading."""

    seat: int
    cards: list[str]
    units: NotRequired[list[list[str]]]
    throw: NotRequired[dict[str, object] | None]


class TrickView(TypedDict):
    """A trick; a complete one has `winner` and `points`."""

    number: int
    leader: int
    plays: list[PlayView]
    winning: int
    winner: NotRequired[int]
    points: NotRequired[int | None]


class SeenView(TypedDict):
    """What the complete tricks of the round have revealed about the hands; missing parts are empty."""

    voids: NotRequired[dict[str, list[int]]]
    most: NotRequired[dict[str, dict[str, int]]]
    holds: NotRequired[dict[str, list[str]]]


class RoundView(TypedDict):
    """A round."""

    number: int
    starter: int
    level: str | None
    commitment: str
    trump: TrumpState | None
    passes: list[int] | None
    declarer: int | None
    dealt: DealProgress
    declarations: list[dict[str, object]] | None
    kitty: KittyView | None
    calls: list[CallView] | None
    roads: RoadsView | None
    attackers_points: int | None
    played: dict[str, int]
    trick: TrickView | None
    last_trick: TrickView | None
    seen: SeenView
    take_back: dict[str, object] | None
    returnable: int
    claims: NotRequired[list[int]]
    result: dict[str, object] | None


class SortedBy(TypedDict):
    """The trumps by which a hand is sorted; `twos`: they are trumps at any level; `red_fives`: they are the highest."""

    rank: str | None
    suit: str | None
    twos: bool
    red_fives: NotRequired[bool]


class MyView(TypedDict):
    """Fields that only the viewer sees."""

    seat: int
    hand: list[str]
    sorted_by: SortedBy
    discard: list[str] | None
    road: NotRequired[str | None]


class AwayView(TypedDict):
    """The holidays of a seat that is asked."""

    seat: int
    since: str | None
    until: str | None


class DecisionView(TypedDict):
    """The open decision; `hints` for a seat that is asked."""

    id: str
    kind: DecisionKind
    seats: list[int]
    opened_seq: int
    on_timeout: TimeoutPolicy
    deadline_at: str | None
    remaining_ms: int | None
    away: NotRequired[list[AwayView]]
    hints: NotRequired[Hints]


class VoteView(TypedDict):
    """The open vote."""

    id: str
    kind: VoteKind
    seat: int | None
    votes: dict[str, bool]
    closes_at: NotRequired[str]
    remaining_ms: NotRequired[int]


class PauseView(TypedDict):
    """A pause of the game; `reason`: see `Pause`."""

    by_seat: int
    until: str
    remaining_ms: int
    reason: NotRequired[str]


class PracticeView(TypedDict):
    """A practice table; its seed once the game is over.

    `repeats`: it begins with a known deal. `sandbox`: its clock stands still.
    """

    seed: str | None
    repeats: NotRequired[bool]
    sandbox: NotRequired[bool]


class ClosedView(TypedDict):
    """Why a table was closed."""

    reason: Literal["host", "operator"]


class View(TypedDict):
    """A table as a viewer sees it.

    `my`: for seats; `hands`: for `OPEN`, by seat, card -> number; codes: for seats and the host.
    """

    id: str
    version: int
    server_time: str
    viewer: ViewerRole
    ruleset: str
    options: Options
    players: int
    status: Status
    closed: ClosedView | None
    phase: Phase | None
    direction: str
    host: str
    settings: dict[str, object]
    clock: dict[str, object]
    practice: PracticeView | None
    next_commitment: str
    seats: list[SeatView]
    game: GameView | None
    round: RoundView | None
    vote: VoteView | None
    pause: PauseView | None
    decision: DecisionView | None
    my: NotRequired[MyView]
    hands: NotRequired[list[dict[str, int]]]
    join_code: NotRequired[str]
    watch_code: NotRequired[str]
    room: NotRequired[str]


class EventView(TypedDict):
    """An event as a viewer sees it; `data` by type."""

    seq: int
    type: str
    at: str
    round: int | None
    by: Source
    data: dict[str, object]
    back: NotRequired[int]
