"""The types of a table's settings and seats, of what it waits for and votes on; see `service.game.state.types`."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

SeatText: TypeAlias = str
Presence: TypeAlias = Literal["online", "away", "gone"]
DecisionKind: TypeAlias = Literal["declare", "defend", "discard", "overcall-kitty", "call", "road", "play", "ready"]
TimeoutPolicy: TypeAlias = Literal["auto_play", "ai_takeover", "pause"]
VoteKind: TypeAlias = Literal["abandon", "replace", "end_early", "pause"]


class Clock(TypedDict):
    """Milliseconds for each kind of decision, and what happens when they are over."""

    deal_interval_ms: int
    declare_ms: int
    defence_ms: int
    discard_ms: int
    call_ms: int
    play_ms: int
    ready_ms: int
    bank_ms: int
    grace_ms: int
    on_timeout: TimeoutPolicy
    #: Whether time is limited for a person who plays with AI players only; left out by earlier releases.
    alone: NotRequired[Literal["limited", "unlimited"]]


class RepeatedDeal(TypedDict):
    """A deal that a practice table repeats in its first round, as a record has it (docs/shuffle.md).

    Attributes:
        shuffle_name, round, entropy: what the server seed signs.
        starter: who draws first; None: drawn from the shuffle, as in the first round of a game.
        declarer: who declares; None: whoever makes trumps.
    """

    shuffle_name: str
    round: int
    entropy: dict[SeatText, str]
    starter: int | None
    declarer: int | None


class KnownDeal(TypedDict):
    """Cards (kinds) that are dealt instead of shuffled ones: the hand of each seat, and the kitty."""

    hands: list[list[int]]
    kitty: list[int]


class Script(TypedDict, total=False):
    """What an AI seat of a sandbox does in the first round, as cards by name; the rest is decided without it.

    `declare`: sets shown one after the other; `plays`: one for each trick.
    """

    declare: list[list[str]]
    discard: list[str]
    overcall_kitty: list[str]
    calls: list[dict[str, Any]]
    road: str
    plays: list[list[str]]


class Sandbox(TypedDict):
    """A table for those who write clients: time stands still unless its host moves it.

    `scripts` of AI seats; `opponents`: how they decide what no script says.
    """

    scripts: dict[SeatText, Script]
    opponents: Literal["cautious", "random"]


class Board(TypedDict):
    """What a table plays for: one round, with the cards that other tables get too.

    `event` and `number` name the board. Until `sealed_until` (ms) nobody sees more of it than from a seat.
    `room`: of a match of teams, for which the seal may end earlier; left out where everybody plays alone.
    """

    event: str
    number: int
    sealed_until: int
    room: NotRequired[str]


class Settings(TypedDict):
    """Settings that the host chooses. `seed` (secret) makes a practice table; `watch_code` opens a private one.

    `deal`: what its first round repeats; `seed` is then that deal's server seed.

    `spectators`: whether others may watch a game, and with `open` whether they see all hands of rounds that are over.
    `takeover_level`: of the AI that plays for absent players; left out if it is `easy`.
    `random_seats`: drawn at the start of each game; left out if they are not.
    `hints`: in which games players may ask the AI for hints; left out if it is `unrated`.
    `start_levels`: of the next game alone, for each side where teams are fixed, else for each seat.
    `closed_by`: who closed the table, if not its host.
    `claims`: whether players may claim the tricks that are left; left out if not.
    `pause_limit_ms`: how long a game may be paused in all; left out if it may not.
    `board`: left out at tables that play for themselves.
    `sandbox`: left out at all others. `known`: number of a round of its first
    game -> its deals, the first one and those after misdeals. `imported`: the game was played elsewhere.
    """

    visibility: Literal["public", "private"]
    join_code: str
    clock: Clock
    spectators: Literal["off", "delayed", "open"]
    spectator_delay_ms: int
    chat: bool
    take_back: bool
    ai_pace_ms: int
    seed: str | None
    closed: bool
    takeover_level: NotRequired[str]
    hints: NotRequired[Literal["off", "unrated", "on"]]
    random_seats: NotRequired[bool]
    deal: NotRequired[RepeatedDeal]
    watch_code: NotRequired[str]
    start_levels: NotRequired[list[str]]
    pause_limit_ms: NotRequired[int]
    claims: NotRequired[bool]
    closed_by: NotRequired[Literal["operator"]]
    board: NotRequired[Board]
    sandbox: NotRequired[Sandbox]
    known: NotRequired[dict[str, list[KnownDeal]]]
    imported: NotRequired[bool]


class Occupant(TypedDict):
    """Who sits on a seat. An AI has a `level` and no `player`. `face`: number of the drawn face that was chosen."""

    kind: Literal["human", "bot", "ai"]
    player: str | None
    name: str
    level: str | None
    face: NotRequired[int]


class Standing(TypedDict):
    """What a seat takes from one round into the next.

    `attempted`, `defended`: must-play levels tried and won as declarers. `penalty`: levels owed. `laps`: how often the
    last level was passed. What is left out is empty.
    """

    level: str
    active: bool
    attempted: list[str]
    penalty: int
    defended: NotRequired[list[str]]
    laps: NotRequired[int]


class Seat(Standing):
    """A seat.

    `autopilot`: level of the AI that plays for its player now. `timeouts`: decisions missed in a row. `away_since`: of
    who is away. `vote_lost_at`: when a vote was lost that this seat had asked for. `since`: the round of the game from
    which on the occupant has the seat; left out: since it began.
    """

    occupant: Occupant | None
    autopilot: str | None
    ready: bool
    presence: Presence
    timeouts: int
    bank_ms: int
    away_since: NotRequired[int]
    vote_lost_at: NotRequired[int]
    since: NotRequired[int]


class Decision(TypedDict):
    """What the table waits for, of whom, and until when. `deadline` None: without a limit."""

    id: str
    kind: DecisionKind
    seats: list[int]
    opened_seq: int
    opened_at: int
    deadline: int | None
    on_timeout: TimeoutPolicy


class Vote(TypedDict):
    """An open vote; `seat` is whom `replace` is about, `by_seat` who asked for it."""

    id: str
    kind: VoteKind
    seat: int | None
    votes: dict[SeatText, bool]
    by_seat: NotRequired[int]
    closes_at: NotRequired[int]


class Pause(TypedDict):
    """A pause that everybody has agreed to.

    `by_seat` has asked for it. It goes from `since` to `until` at the latest (ms). `decision`: what was asked before.
    `longer_ms`: by how much interruptions have moved `until`, which does not count against the limit of pauses.
    """

    by_seat: int
    since: int
    until: int
    decision: Decision | None
    longer_ms: NotRequired[int]
