"""Types of the service's answers. Generated from openapi.yaml by `make openapi`; do not edit it.

Later versions add fields, kinds of decisions, and values where a type is `str`.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

#: Version of the service for which the package was made.
MADE_FOR: Final = "0.3.0"

Card = str


class View(TypedDict):
    """A table as the caller may see it."""

    id: str
    version: int
    server_time: str
    viewer: Viewer
    ruleset: str
    options: dict[str, Any]
    players: int
    status: str
    closed: Closed | None
    phase: str | None
    direction: Literal["anticlockwise", "clockwise"]
    host: str
    settings: TableSettings
    clock: Clock
    practice: Practice | None
    next_commitment: str
    seats: list[Seat]
    game: Game | None
    round: Round | None
    vote: Vote | None
    pause: Pause | None
    decision: OpenDecision | None
    my: NotRequired[Mine]
    hands: NotRequired[list[dict[str, int]]]
    join_code: NotRequired[str]
    watch_code: NotRequired[str]
    room: NotRequired[str]
    club: NotRequired[str]


class Outcome(TypedDict):
    """The outcome of an action."""

    seq: int
    version: int
    server_time: str
    events: list[Event]
    view: NotRequired[View]


class EventPage(TypedDict):
    """A page of the log, or the answer of a long poll."""

    events: list[Event]
    next_after: int
    version: int
    server_time: str


class MyTables(TypedDict):
    """My tables, most urgent first."""

    items: list[MyTable]
    next_cursor: str | None
    server_time: str


class Viewer(TypedDict):
    """The caller's role at the table."""

    role: str
    seat: NotRequired[int]


class Closed(TypedDict):
    """Why a table has been closed."""

    reason: str


class TableSettings(TypedDict):
    """Settings of the table."""

    visibility: str
    spectators: str
    spectator_delay_ms: int
    chat: bool
    take_back: bool
    ai_pace_ms: int
    takeover_level: NotRequired[str]
    hints: NotRequired[str]
    random_seats: NotRequired[bool]
    start_levels: NotRequired[list[str]]
    pause_limit_ms: NotRequired[int]
    claims: NotRequired[bool]
    voice: NotRequired[bool]
    length: NotRequired[GameLength]


class Clock(TypedDict):
    """Time limits of a table, in milliseconds."""

    deal_interval_ms: int
    declare_ms: int
    defence_ms: int
    discard_ms: int
    call_ms: int
    play_ms: int
    ready_ms: int
    bank_ms: int
    grace_ms: int
    on_timeout: str
    alone: NotRequired[str]
    correspondence: NotRequired[Correspondence]
    untimed: NotRequired[bool]


class Practice(TypedDict):
    """A practice table: repeatable, never rated."""

    seed: str | None
    repeats: NotRequired[bool]
    sandbox: NotRequired[bool]


class Seat(TypedDict):
    """A seat of the table."""

    seat: int
    occupant: Occupant | None
    autopilot: str | None
    ready: bool
    presence: str
    timeouts: int
    level: str | None
    active: bool | None
    penalty: int | None
    laps: NotRequired[int]
    since: NotRequired[int]
    bank_ms: int
    side: Literal["declarers", "attackers", "unknown"] | None
    hand_count: int
    tricks: int
    points: int | None


class Game(TypedDict):
    """The game, from the first round to the end of the level ladder or of its `length`."""

    id: str
    round: int
    results: list[RoundSummary]
    winners: list[int] | None
    ended: str | None
    scores: list[int] | None
    ends_at: NotRequired[str | None]
    decided_by: NotRequired[str]


class Round(TypedDict):
    """The round, from its shuffle to its score."""

    number: int
    starter: int
    level: str | None
    commitment: str
    dealt: Dealt
    trump: Trump | None
    declarations: list[Declaration] | None
    passes: list[int] | None
    declarer: int | None
    kitty: Kitty | None
    calls: list[StandingCall] | None
    roads: Roads | None
    attackers_points: int | None
    played: dict[str, int]
    trick: Trick | None
    last_trick: Trick | None
    seen: Seen
    take_back: TakeBack | None
    returnable: int
    result: RoundResult | None
    claims: NotRequired[list[int]]


class Vote(TypedDict):
    """A vote."""

    id: str
    kind: str
    seat: int | None
    votes: dict[str, bool]
    closes_at: NotRequired[str]
    remaining_ms: NotRequired[int]


class Pause(TypedDict):
    """A pause: no decision is open, no time runs, and no cards are dealt."""

    by_seat: int
    until: str
    remaining_ms: int
    reason: NotRequired[str]


class Mine(TypedDict):
    """What only the caller's seat sees."""

    seat: int
    hand: list[Card]
    sorted_by: SortedBy
    discard: list[Card] | None
    road: NotRequired[str | None]


class Event(TypedDict):
    """One that later versions may add."""

    seq: int
    type: str
    at: str
    round: int | None
    by: str
    back: NotRequired[int]
    data: dict[str, Any]


class MyTable(TypedDict):
    """A summary of one of my tables."""

    table: str
    ruleset: str
    players: int
    status: str
    closed: Closed | None
    round: int | None
    seat: int | None
    my_turn: bool
    decision: str | None
    decision_id: str | None
    deadline_at: str | None
    remaining_ms: int | None
    version: int
    board: NotRequired[bool]


class GameLength(TypedDict):
    """How long a game is, if it is not a whole one (docs/rules.md §10.6)."""

    rounds: NotRequired[int]
    minutes: NotRequired[int]
    last_round: NotRequired[str]
    levels: NotRequired[list[str]]


class Correspondence(TypedDict):
    """Hours in place of time limits: `decision_hours` alone, or the three others."""

    decision_hours: NotRequired[int]
    bank_hours: NotRequired[int]
    gain_hours: NotRequired[int]
    most_hours: NotRequired[int]
    weekends_off: NotRequired[bool]


class Occupant(TypedDict):
    """The occupant of a seat."""

    kind: str
    player: str | None
    name: str
    level: str | None
    face: NotRequired[int]


class RoundSummary(TypedDict):
    """A summary of a finished round of the game."""

    points: NotRequired[int]
    side: NotRequired[Literal["declarers", "attackers"] | None]
    levels: NotRequired[int]
    declarer: NotRequired[int]
    declarers: NotRequired[list[int]]
    scores: NotRequired[list[int]]
    roads: NotRequired[dict[str, str]]
    tricks: NotRequired[list[int]]
    round: int


class Dealt(TypedDict):
    """Progress of the deal."""

    count: int
    of: int


class Trump(TypedDict):
    """The trumps."""

    rank: str | None
    suit: Literal["S", "H", "D", "C"] | None


class Kitty(TypedDict):
    """The kitty."""

    count: int
    seat: int | None
    cards: list[Card] | None
    revealed: bool
    shown: NotRequired[list[Card]]


class StandingCall(TypedDict):
    """A called card, and who has played it."""

    card: Card
    ordinal: NotRequired[int]
    other: NotRequired[bool]
    filled_by: int | None


class Roads(TypedDict):
    """Arm's Length: the roads of the players."""

    stated: list[int]
    set: dict[str, str]


class Trick(TypedDict):
    """A trick."""

    number: int
    leader: int
    plays: list[Play]
    winning: int
    winner: NotRequired[int]
    points: NotRequired[int | None]


class Seen(TypedDict):
    """What the complete tricks of the round have shown everybody about the hands."""

    voids: NotRequired[dict[str, list[int]]]
    most: NotRequired[dict[str, dict[str, int]]]
    holds: NotRequired[dict[str, list[Card]]]


class TakeBack(TypedDict):
    """A request to take back a play and all plays since."""

    seat: int
    accepted: list[int]


class RoundResult(TypedDict):
    """The result of the round."""

    reason: str
    points: int | None
    trick_points: int | None
    kitty: KittyCount | None
    penalties: list[Penalty] | None
    sides: list[Literal["declarers", "attackers", "unknown"]] | None
    side: Literal["declarers", "attackers"] | None
    levels: int | None
    scores: NotRequired[list[int]]
    summary: ResultSummary


class DeclareDecision(TypedDict):
    """Show cards, to declare, to defend or to overcall for the kitty; or pass."""

    id: str
    kind: Literal["declare"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[DeclareHints]


class DefendDecision(TypedDict):
    """Show cards, to declare, to defend or to overcall for the kitty; or pass."""

    id: str
    kind: Literal["defend"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[DeclareHints]


class DiscardDecision(TypedDict):
    """Bury the kitty."""

    id: str
    kind: Literal["discard"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[DiscardHints]


class OvercallKittyDecision(TypedDict):
    """Show cards, to declare, to defend or to overcall for the kitty; or pass."""

    id: str
    kind: Literal["overcall-kitty"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[DeclareHints]


class CallDecision(TypedDict):
    """Call cards for friends."""

    id: str
    kind: Literal["call"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[CallHints]


class RoadDecision(TypedDict):
    """Arm's Length: state a road."""

    id: str
    kind: Literal["road"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[RoadHints]


class PlayDecision(TypedDict):
    """Lead or follow."""

    id: str
    kind: Literal["play"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[PlayHints]


class ReadyDecision(TypedDict):
    """The decision that the table waits for."""

    id: str
    kind: Literal["ready"]
    seats: list[int]
    opened_seq: int
    deadline_at: str | None
    remaining_ms: int | None
    on_timeout: str
    away: NotRequired[list[Away]]
    hints: NotRequired[dict[str, Any]]


class SortedBy(TypedDict):
    """The trumps by which a hand is sorted: those of the round, or until they are fixed, those declared so far."""

    rank: str | None
    suit: Literal["S", "H", "D", "C"] | None
    twos: bool
    red_fives: NotRequired[bool]


class Play(TypedDict):
    """A seat's play to a trick."""

    seat: int
    cards: list[Card]
    units: NotRequired[list[list[Card]]]
    throw: NotRequired[ThrowOutcome | None]


class KittyCount(TypedDict):
    """The points of the kitty."""

    cards: list[Card] | None
    points: int
    factor: int
    bonus: int


class Penalty(TypedDict):
    """The penalty for a failed throw."""

    seat: int
    points: int


class ResultSummary(TypedDict):
    """A summary of a finished round."""

    points: NotRequired[int]
    side: NotRequired[Literal["declarers", "attackers"] | None]
    levels: NotRequired[int]
    declarer: NotRequired[int]
    declarers: NotRequired[list[int]]
    scores: NotRequired[list[int]]
    roads: NotRequired[dict[str, str]]
    tricks: NotRequired[list[int]]


class Away(TypedDict):
    """Holidays of a seat that is asked: its clock stands still."""

    seat: int
    since: str
    until: str


class DeclareHints(TypedDict):
    """Show cards, to declare, to defend or to overcall for the kitty; or pass."""

    possible: list[list[Card]]
    redeal: NotRequired[bool]


class DiscardHints(TypedDict):
    """Bury the kitty."""

    cards: int
    example: list[Card]


class CallHints(TypedDict):
    """Call cards for friends."""

    calls: int
    example: list[CalledCard]


class RoadHints(TypedDict):
    """Arm's Length: state a road."""

    roads: list[str]
    example: str


class PlayHints(TypedDict):
    """Lead or follow."""

    cards: int | None
    must_follow: str | None
    required: list[RequiredUnit]
    ruff: NotRequired[list[RequiredUnit]]
    example: list[Card]


class ThrowOutcome(TypedDict):
    """The outcome of a throw."""

    ok: bool
    cards: list[Card]
    forced: list[Card]
    penalty: int


class CalledCard(TypedDict):
    """A card called for a friend."""

    card: Card
    ordinal: NotRequired[int]
    other: NotRequired[bool]


class RequiredUnit(TypedDict):
    """A unit that a play must contain."""

    kind: str
    width: int
    length: int


OpenDecision = (
    DeclareDecision
    | DefendDecision
    | DiscardDecision
    | OvercallKittyDecision
    | CallDecision
    | RoadDecision
    | PlayDecision
    | ReadyDecision
)


# Cards shown to declare trumps.
Declaration = TypedDict(
    "Declaration",
    {
        "seat": int,
        "cards": list[Card],
        "as": Literal["declare", "reinforce", "overcall", "defend"],
    },
)
