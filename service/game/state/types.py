"""Types of the state of a table.

The state is a JSON value (dicts, lists, strings, numbers), so a snapshot is just the state (docs/decisions/0001). It is
never modified; `evolve` returns a new one that shares unchanged parts. At run time the types are plain dicts.

Cards are kinds, 0 to 53 (`service.rules.cards`), and hands are counts, 54 numbers. Times are milliseconds since the
epoch. Maps from seats have the seat's number as text for a key, as JSON requires: `{"0": …}`.
"""

from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict

from service.game.state.table_types import Decision, Occupant, Pause, Seat, SeatText, Settings, Vote

#: Version of this schema, stored with each snapshot.
SCHEMA: Final = 1

Cards: TypeAlias = list[int]
Hand: TypeAlias = list[int]

Status: TypeAlias = Literal["lobby", "playing", "finished"]
Phase: TypeAlias = Literal["dealing", "declaring", "kitty", "calling", "roads", "playing", "scored"]
Side: TypeAlias = Literal["declarers", "attackers", "unknown"]
#: How trumps were fixed.
TrumpSource: TypeAlias = Literal["declared", "level", "kitty", "random", "no_trump"]
#: Why a game ended.
Ending: TypeAlias = Literal[
    "passed_last_level",
    "four_rounds",
    "one_round",
    "rounds_played",
    "time_up",
    "abandoned",
    "ended_early",
    "forfeited",
]
#: What has told the winners of a game that its length has ended apart from the others; `draw`: nothing has.
DecidedBy: TypeAlias = Literal["level", "office", "gained", "points", "score", "draw"]
#: An answer, remembered to recognise retries: [decision id or the client's key, digest of the body, tx].
Answer: TypeAlias = list[str | int]
#: Option -> value, any JSON value; `service.rules.options.table` lists them.
Options: TypeAlias = dict[str, Any]


class RoundSummary(TypedDict):
    """The summary of a round. Arm's Length has `scores`, `roads` and `tricks`, other games the rest."""

    points: NotRequired[int]
    side: NotRequired[Side | None]
    levels: NotRequired[int]
    declarer: NotRequired[int | None]
    declarers: NotRequired[list[int]]
    scores: NotRequired[list[int]]
    roads: NotRequired[dict[SeatText, str]]
    tricks: NotRequired[list[int]]


class NumberedSummary(RoundSummary):
    """The summary of a round, with its number."""

    round: int


class SeatChange(TypedDict):
    """A new occupant of a seat from `round` on; `before`: the previous one."""

    round: int
    seat: int
    before: Occupant


class GameTime(TypedDict):
    """The time of a game in minutes: at `since` (ms), `left_ms` of it were left. In a pause it stands still."""

    since: int
    left_ms: int


class Game(TypedDict):
    """A game.

    Attributes:
        round: number of the current or last round.
        kept: whether its record has been archived.
        rules: version of the rules with which it began (`service.rules.versions`); left out: the first.
        changes: new occupants of seats between rounds, at most one for each seat and round.
        uneven: whether seats began on different levels.
        paused_ms: total length of its finished pauses; left out before the first.
        time: what is left of its minutes; left out if it has no limit.
        decided_by: what has decided it, if its length has ended it; else left out.
    """

    id: str
    number: int
    started_seq: int
    round: int
    starter: int
    declarer: int | None
    results: list[NumberedSummary]
    winners: list[int] | None
    ended: Ending | None
    ended_at: int | None
    kept: bool
    scores: list[int] | None
    rules: NotRequired[int]
    changes: NotRequired[list[SeatChange]]
    uneven: NotRequired[bool]
    paused_ms: NotRequired[int]
    time: NotRequired[GameTime]
    decided_by: NotRequired[DecidedBy]


# --- the round ---------------------------------------------------------------------------------------------------

#: The deal. `count` of `of` cards are dealt; `from`: when it began, shifted by pauses; `interval`: ms per circle.
Deal = TypedDict(
    "Deal",
    {
        "attempt": int,
        "pace": Literal["timed", "instant"],
        "interval": int,
        "count": int,
        "of": int,
        "from": int,
        "paused_at": int | None,
    },
)

DeclarationMeaning: TypeAlias = Literal["declare", "overcall", "reinforce", "defend"]

#: Cards shown in a declaration: the whole set on the table.
Declaration = TypedDict("Declaration", {"seat": int, "cards": Cards, "as": DeclarationMeaning})


class TrumpState(TypedDict):
    """Trumps. `rank` None: a level without a trump rank; `suit` None: no trump suit."""

    rank: str | None
    suit: str | None


class StandingOvercall(TypedDict):
    """The cards to beat in an overcall for the kitty."""

    seat: int
    cards: Cards


class Overcalls(TypedDict):
    """Overcalls for the kitty. `asked`: seats that passed since the last one; `first`: nobody has overcalled yet."""

    standing: StandingOvercall | Declaration | None
    asked: list[int]
    first: bool


class Call(TypedDict):
    """A card whose copy number `ordinal` makes a friend (`service.rules.rounds.friends.OTHER_COPY`: the other copy)."""

    card: int
    ordinal: int


class OpenCall(Call):
    """A call, and the seat that has filled it."""

    filled_by: int | None


class ThrowOutcome(TypedDict):
    """The outcome of a throw: `cards` were attempted; if it failed, `forced` was led instead."""

    ok: bool
    cards: Cards
    forced: Cards
    penalty: int


class ThrowPenalty(TypedDict):
    """Points that a failed throw costs the side of `seat`."""

    seat: int
    points: int


class Play(TypedDict):
    """A play of a seat; a lead also has its reading. `was_winning`: the seat of the best play before it."""

    seat: int
    cards: Cards
    units: list[Cards]
    throw: ThrowOutcome | None
    was_winning: int


class Trick(TypedDict):
    """A trick; `winning` is the seat of the best play so far. Complete tricks have `winner` and `points`."""

    number: int
    leader: int
    plays: list[Play]
    winning: int
    winner: NotRequired[int]
    points: NotRequired[int]


class Memory(TypedDict):
    """What the complete tricks of a round have revealed about the hands (`service.game.state.memory`).

    Attributes:
        voids: letter of a suit (T: trumps) -> the seats known to be void of it.
        most: letter of a suit -> seat -> the most identical cards of it that the seat can still hold.
        holds: seat -> cards shown in a declaration or a failed throw that it must still hold.
    """

    voids: dict[str, list[int]]
    most: dict[str, dict[SeatText, int]]
    holds: dict[SeatText, Cards]


class Revealed(TypedDict, total=False):
    """Changes of a `Memory` by a trick: new seats in `voids`, else new values; 0 and empty lists remove entries."""

    voids: dict[str, list[int]]
    most: dict[str, dict[SeatText, int]]
    holds: dict[SeatText, Cards]


#: What was revealed, so that no earlier play can be taken back; `rated`: an AI has played in a rated game.
SettledBy: TypeAlias = Literal["throw_failed", "throw_held", "claim_failed", "friend_joined", "trumps_made", "rated"]


class TakeBackRequest(TypedDict):
    """A player asks to take the last play back; `accepted`: the seats that agree; `asked_at`: ms."""

    seat: int
    accepted: list[int]
    asked_at: NotRequired[int]


class TrickBefore(TypedDict):
    """What a complete trick replaced: the trick before it, and the memory."""

    last_trick: Trick | None
    memory: Memory


class Roads(TypedDict):
    """Roads of Arm's Length. `clashes`: number of clashes of each side; `set`: the final roads."""

    stated: dict[SeatText, str]
    clashes: list[int]
    set: dict[SeatText, str]


class KittyResult(TypedDict):
    """The kitty, turned up at the end: its points, and the attackers' bonus."""

    cards: Cards | None
    points: int
    factor: int
    bonus: int


class RoundResult(TypedDict):
    """The result of a round. `scores` (totals of both sides): only in Arm's Length."""

    reason: Literal["played", "throw_failed"]
    points: int
    trick_points: int
    kitty: KittyResult | None
    penalties: list[ThrowPenalty]
    sides: list[Side]
    side: Side | None
    levels: int
    scores: NotRequired[list[int]]
    summary: RoundSummary


class Round(TypedDict):
    """A round.

    Attributes:
        starter: the seat that drew first.
        deck: cards in the order of dealing; None once they are dealt.
        hands: counts, by seat.
        kitty: cards lying face down; empty once taken.
        discard: buried cards; `revealed`: whether they were shown before the first lead.
        kitty_seat: the seat that took the kitty.
        kitty_shown: the cards of the kitty, if all players have seen them.
        passes: seats that have passed since the last declaration.
        defence: the seat that may defend its declaration now.
        played: counts of all cards played.
        points, tricks: by seat.
        open: whether anybody may become declarer, since nobody declared in an earlier deal.
        owing: seats whose failed throws or false claims cost levels at the end of the round.
        claims: seats that made false claims; left out until there is one.
        memory: left out until a trick is complete.
        earlier: the tricks before the last one (`service.game.state.earlier`); left out until there is one.
        opened_seq: seq of the event that opened it; missing in states of earlier versions.
        returnable: number of last plays that may be taken back; left out until one may (`state.take_backs`).
        settled_by: why earlier ones may not.
        before: what the last trick replaced, at tables that allow take-backs.
        taken_back: seats whose take-backs cost a level at the end of the round; left out until there is one.
    """

    number: int
    phase: Phase
    starter: int
    level: str
    commitment: str
    server_seed: str
    entropy: dict[SeatText, str]
    shown: list[Declaration]
    passes: list[int]
    defence: int | None
    trump: TrumpState | None
    declarer: int | None
    kitty_seat: int | None
    discard: Cards | None
    revealed: bool
    overcalls: Overcalls | None
    calls: list[OpenCall]
    played: Hand
    sides: list[Side]
    points: list[int]
    tricks: list[int]
    penalties: list[ThrowPenalty]
    trick: Trick | None
    last_trick: Trick | None
    take_back: TakeBackRequest | None
    roads: Roads | None
    result: RoundResult | None
    deck: Cards | None
    kitty: Cards
    hands: list[Hand]
    deal: Deal
    kitty_shown: NotRequired[Cards]
    open: NotRequired[bool]
    owing: NotRequired[list[int]]
    claims: NotRequired[list[int]]
    memory: NotRequired[Memory]
    earlier: NotRequired[list[list[int]]]
    opened_seq: NotRequired[int]
    returnable: NotRequired[int]
    settled_by: NotRequired[SettledBy]
    before: NotRequired[TrickBefore]
    taken_back: NotRequired[list[int]]


class State(TypedDict):
    """A table.

    Attributes:
        version: seq of the last event.
        at: its time (ms); missing in states stored by version 0.2.0 or earlier.
        options: effective options as stored; `service.game.state.rules.options_of` converts them to current names.
        host: id of a player.
        next_seed: hex; secret until the end of the round that it shuffles. `next_commitment` is public.
        entropy: seat -> hex, for the next shuffle.
        answers: the latest answers, by seat.
        commands: player (id) -> number of commands in this round that answered no decision.
        chats: numbers of messages of players and of spectators.
        kicked: ids of kicked players, the latest last; they need the new join code to return.
        pause: no decision is open during it; left out if the game is not paused.
        moved_at: end of the last outage that moved the open windows (ms).
        needs: the first release that understands all events (`service.game.events.needs`); left out for release 0.3.
    """

    schema: int
    id: str
    version: int
    at: NotRequired[int]
    created_at: int
    ruleset: str
    players: int
    options: Options
    settings: Settings
    host: str
    status: Status
    seats: list[Seat]
    game: Game | None
    next_seed: str
    next_commitment: str
    entropy: dict[SeatText, str]
    round: Round | None
    decision: Decision | None
    vote: Vote | None
    answers: list[list[Answer]]
    commands: NotRequired[dict[str, int]]
    chats: NotRequired[list[int]]
    kicked: NotRequired[list[str]]
    pause: NotRequired[Pause]
    moved_at: NotRequired[int]
    needs: NotRequired[str]
