"""Types of a table's settings, seats, decisions and votes; see `service.game.state.types`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, NotRequired, Required, TypeAlias, TypedDict

SeatText: TypeAlias = str
Presence: TypeAlias = Literal["online", "away", "gone"]
DecisionKind: TypeAlias = Literal["declare", "defend", "discard", "overcall-kitty", "call", "road", "play", "ready"]
TimeoutPolicy: TypeAlias = Literal["auto_play", "ai_takeover", "pause"]
PauseReason: TypeAlias = Literal["absent", "left"]
VoteKind: TypeAlias = Literal["abandon", "replace", "end_early", "pause", "forfeit"]


class Correspondence(TypedDict):
    """Hours in place of time limits: `decision_hours` alone, or the three others (`service.game.state.settings`).

    `weekends_off`: whether weekends do not count; left out: they do.
    """

    decision_hours: NotRequired[int]
    bank_hours: NotRequired[int]
    gain_hours: NotRequired[int]
    most_hours: NotRequired[int]
    weekends_off: NotRequired[bool]


class Clock(TypedDict):
    """Time limits in milliseconds by kind of decision, and what happens when they are over."""

    deal_interval_ms: int
    declare_ms: int
    defence_ms: int
    discard_ms: int
    call_ms: int
    play_ms: int
    ready_ms: int
    bank_ms: int
    grace_ms: int
    on_timeout: TimeoutPolicy | Literal["remind"]
    #: Whether a person who plays only with AI players has time limits; missing in states of earlier releases.
    alone: NotRequired[Literal["limited", "unlimited"]]
    #: Whether people have no time limits at all; left out: they have.
    untimed: NotRequired[bool]
    #: Left out at tables that count in seconds.
    correspondence: NotRequired[Correspondence]


class RepeatedDeal(TypedDict):
    """A recorded deal that a practice table repeats in its first round (docs/shuffle.md).

    Attributes:
        shuffle_name, round, entropy: parts of the message that the server seed signs.
        starter: the first to draw; None: derived from the shuffle, as in the first round of a game.
        declarer: None: the trump maker.
        next_seed: server seed (secret, hex) of the round after the recorded one, on which the choices of AI players
            depend; left out: they choose as at any table of this deal, but not as in the recorded round.
    """

    shuffle_name: str
    round: int
    entropy: dict[SeatText, str]
    starter: int | None
    declarer: int | None
    next_seed: NotRequired[str]


class KnownDeal(TypedDict):
    """Cards (kinds) dealt without a shuffle: the hand of each seat, and the kitty."""

    hands: list[list[int]]
    kitty: list[int]


class Script(TypedDict, total=False):
    """Scripted actions of an AI seat of a sandbox in the first round, as names of cards. They may be incomplete.

    `declare`: sets shown one after the other; `plays`: one for each trick.
    """

    declare: list[list[str]]
    discard: list[str]
    overcall_kitty: list[str]
    calls: list[dict[str, object]]
    road: str
    plays: list[list[str]]


class Sandbox(TypedDict):
    """A table for developers of clients, whose clock only its host advances.

    `scripts` of AI seats; `opponents`: how they decide without a script.
    """

    scripts: dict[SeatText, Script]
    opponents: Literal["cautious", "random"]


class Board(TypedDict):
    """A board: one round with cards that other tables get too.

    `event` and `number` identify the board. Until `sealed_until` (ms) everyone sees only what their seat sees. `room`:
    that of a match of teams, for which the seal may end earlier; left out in events of single players. `link`: whether
    somebody has sent the deal by a link; `event` is then its code, and only who plays there may read the record. Left
    out at boards of events.
    """

    event: str
    number: int
    sealed_until: int
    room: NotRequired[str]
    link: NotRequired[bool]


class Length(TypedDict, total=False):
    """How long a game is if it is not a whole one (`service.game.state.lengths`).

    `rounds`: so many; `levels`: one round on each of these, whoever wins. `minutes`: so many; `last_round`: whether the
    round that has begun when they are over is `played`, or `dropped`.
    """

    rounds: int
    minutes: int
    last_round: Literal["played", "dropped"]
    levels: list[str]


class Settings(TypedDict):
    """Settings that the host chooses. `seed` (secret) makes a practice table; `watch_code` opens a private one.

    `deal`: the deal that the first round repeats; `seed` is then its server seed.

    `spectators`: whether others may watch a game; with `open` they see all hands of finished rounds. `takeover_level`:
    level of the AI that plays for absent players; left out if it is `easy`. `random_seats`: whether seats are drawn at
    the start of each game; left out if not. `hints`: in which games players may ask the AI for hints; left out if it is
    `unrated`. `start_levels`: of the next game only, by side if teams are fixed, else by seat. `closed_by`: who closed
    the table, if not its host. `claims`: whether players may claim the remaining tricks; left out if not.
    `pause_limit_ms`: how long a game may be paused in total; left out if not at all. `board`: left out at tables that
    do not play a board. `former_codes` (secret): join codes before players were kicked; they work for all others.
    `circle`, `club`: whose people alone may sit down and watch; left out at other tables. `voice`: whether they may
    talk there; left out if not. `length`: left out if games are whole ones. `sandbox`: left out at other tables.
    `known`: round of the first game -> its known deals, the first one and those after misdeals. `imported`: whether the
    game was played elsewhere.
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
    former_codes: NotRequired[list[str]]
    start_levels: NotRequired[list[str]]
    pause_limit_ms: NotRequired[int]
    claims: NotRequired[bool]
    closed_by: NotRequired[Literal["operator"]]
    board: NotRequired[Board]
    circle: NotRequired[str]
    club: NotRequired[str]
    voice: NotRequired[bool]
    length: NotRequired[Length]
    sandbox: NotRequired[Sandbox]
    known: NotRequired[dict[str, list[KnownDeal]]]
    imported: NotRequired[bool]


class Choice(NamedTuple):
    """What the document says of a field that a player chooses.

    Attributes:
        about: what it is, for those who read it; `more`: what else there is to know.
        to_change: what it is, for the player who changes it.
        example: a value. A player who wants none sends 0, or an empty text.
        low, high: bounds of a number, or of the length of a text.
        pattern: what a text has to match.
        since: the first release that knows it; "": 0.3.
    """

    about: str
    to_change: str
    example: int | str
    low: int
    high: int
    pattern: str | None = None
    since: str = ""
    more: str = ""


class Chosen(TypedDict, total=False):
    """What a player chooses and everybody sees beside the name, wherever the player is shown.

    These are fields of a player's record, of the occupant of a seat, of a member of a team, of the command that takes a
    seat, and of all schemas that show a player. None, or left out: the player has chosen none.
    """

    face: Annotated[
        int | None,
        Choice(
            "Number of the drawn face that the player has chosen",
            "Number of the drawn face that others see",
            example=7,
            low=0,
            high=16,
            more="How it looks is up to the client.",
        ),
    ]


class Occupant(Chosen):
    """The occupant of a seat. An AI has a `level` and no `player`."""

    kind: Literal["human", "bot", "ai"]
    player: str | None
    name: str
    level: str | None


class Standing(TypedDict):
    """What a seat carries over from one round to the next.

    `attempted`, `defended`: must-play levels tried and won as declarers. `penalty`: levels owed. `laps`: how often the
    last level was passed. Missing fields are empty.
    """

    level: str
    active: bool
    attempted: list[str]
    penalty: int
    defended: NotRequired[list[str]]
    laps: NotRequired[int]


class Seat(Standing):
    """A seat.

    `autopilot`: level of the AI that plays for its player now. `timeouts`: number of decisions missed in a row.
    `away_since`: since when the player is away. `vote_lost_at`: when a vote opened by this seat was lost. `since`: the
    occupant's first round of the game; left out: the first.
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


class Away(TypedDict):
    """The holidays of a seat that is asked: from `since` until `until` (ms) its clock stands still."""

    seat: int
    since: int
    until: int


class Decision(TypedDict):
    """A decision that the table waits for. `deadline` None: no limit.

    By correspondence, `stops` says when its clock stands still between its opening and the deadline, as (since, until)
    in order (ms), and `away` which of that all may know. Both are left out until there is any.
    """

    id: str
    kind: DecisionKind
    seats: list[int]
    opened_seq: int
    opened_at: int
    deadline: int | None
    on_timeout: TimeoutPolicy
    stops: NotRequired[list[list[int]]]
    away: NotRequired[list[Away]]


class Vote(TypedDict):
    """An open vote; `seat` is the one to `replace`, `by_seat` opened the vote."""

    id: str
    kind: VoteKind
    seat: int | None
    votes: dict[SeatText, bool]
    by_seat: NotRequired[int]
    closes_at: NotRequired[int]


class Pause(TypedDict):
    """A pause of the game.

    `by_seat` asked for it. It lasts from `since` to `until` at the latest (ms). `decision`: the one it suspends.
    `longer_ms`: extension of `until` by outages, which does not count against the limit of pauses. `reason`: left out
    if all have agreed; `absent`: none of the players was there. It then lasts until one of them is back, and `by_seat`
    is a seat that was waited for. `left`: `by_seat` has left a table of a circle; it lasts until somebody ends it.
    """

    by_seat: int
    since: int
    until: int
    decision: Decision | None
    longer_ms: NotRequired[int]
    reason: NotRequired[PauseReason]


class DealAsked(TypedDict, total=False):
    """A deal to repeat; see `RepeatedDeal`."""

    server_seed: Required[str]
    shuffle_name: str
    round: int
    entropy: dict[str, str]
    starter: int | None
    declarer: int | None
    next_seed: str


class SandboxAsked(TypedDict, total=False):
    """A sandbox; see `sandbox_settings`."""

    hands: Mapping[str, Sequence[str]]
    kitty: Sequence[str]
    starter: int
    declarer: int | None
    scripts: dict[str, Script]
    opponents: Literal["cautious", "random"]
    free: Sequence[int]


class TableSpec(TypedDict, total=False):
    """The settings of a new table, checked by a schema or made by a use case; see `create_table`."""

    ruleset: Required[str]
    players: Required[int]
    preset: str | None
    options: Mapping[str, object]
    clock: Mapping[str, object]
    visibility: Literal["public", "private"]
    spectators: Literal["off", "delayed", "open"]
    spectator_delay_ms: int
    chat: bool
    take_back: bool
    ai_pace_ms: int
    takeover_level: str
    hints: Literal["off", "unrated", "on"]
    random_seats: bool
    start_levels: list[str]
    pause_limit_ms: int
    claims: bool
    circle: str
    club: str
    voice: bool
    length: Length
    seed: str | None
    deal: DealAsked
    board: Board
    occupants: Sequence[Occupant | None]
    sandbox: SandboxAsked
