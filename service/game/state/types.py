"""The state of a table, as types.

The state is a JSON value (dicts, lists, strings, numbers), so that a snapshot is the state and nothing else: see
docs/decisions/0010. It is never changed in place; `evolve` returns a new one that shares what did not change. The types
cost nothing at run time: they are plain dicts.

Cards are kinds, 0 to 53 (`service.rules.cards`), and hands are counts, 54 numbers. Times are milliseconds since the
epoch. Maps that JSON keys by text are keyed by the seat's number as text: `{"0": …}`.
"""

from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict

from service.game.state.table_types import Decision, Occupant, Pause, Seat, SeatText, Settings, Vote

#: Version of this shape; stored with each snapshot.
SCHEMA: Final = 1

Cards: TypeAlias = list[int]
Hand: TypeAlias = list[int]

Status: TypeAlias = Literal["lobby", "playing", "finished"]
Phase: TypeAlias = Literal["dealing", "declaring", "kitty", "calling", "roads", "playing", "scored"]
Side: TypeAlias = Literal["declarers", "attackers", "unknown"]
#: How trumps were fixed.
TrumpSource: TypeAlias = Literal["declared", "level", "kitty", "random", "no_trump"]
#: Why a game ended.
Ending: TypeAlias = Literal["passed_last_level", "four_rounds", "one_round", "abandoned", "ended_early"]
#: An answered action, so that a retry is known: [decision id or the client's key, digest of the body, tx].
Answer: TypeAlias = list[str | int]
#: Option -> value, any JSON value; `service.rules.options.table` lists them.
Options: TypeAlias = dict[str, Any]


class RoundSummary(TypedDict):
    """What a game keeps of a round. Arm's Length has `scores`, `roads` and `tricks`, the others the rest."""

    points: NotRequired[int]
    side: NotRequired[Side | None]
    levels: NotRequired[int]
    declarer: NotRequired[int | None]
    declarers: NotRequired[list[int]]
    scores: NotRequired[list[int]]
    roads: NotRequired[dict[SeatText, str]]
    tricks: NotRequired[list[int]]


class NumberedSummary(RoundSummary):
    """The summary of the round with this number."""

    round: int


class SeatChange(TypedDict):
    """Another occupant has a seat from `round` on; `before`: who had it until then."""

    round: int
    seat: int
    before: Occupant


class Game(TypedDict):
    """A game.

    Attributes:
        round: number of the current or last round.
        kept: its record has been archived.
        rules: version of the rules with which it began (`service.rules.versions`); left out: the first.
        changes: seats that have changed hands between its rounds, at most one for each seat and round.
        uneven: not all began on the same level.
        paused_ms: how long its pauses have been so far; left out before the first one has ended.
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


# --- the round ---------------------------------------------------------------------------------------------------

#: The deal. `count` of `of` cards are out; `from`: when it began, moved on by pauses; `interval`: ms a circle.
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

#: Cards that were shown to declare: the whole set that lies on the table then.
Declaration = TypedDict("Declaration", {"seat": int, "cards": Cards, "as": DeclarationMeaning})


class TrumpState(TypedDict):
    """Trumps. `rank` None: a level without a trump rank; `suit` None: no trump suit."""

    rank: str | None
    suit: str | None


class StandingOvercall(TypedDict):
    """Cards that somebody has to beat to overcall for the kitty."""

    seat: int
    cards: Cards


class Overcalls(TypedDict):
    """Overcalling for the kitty. `asked`: seats that let it be since; `first`: nobody has overcalled yet."""

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
    """What became of a throw: `cards` were tried, and if it failed `forced` was led instead."""

    ok: bool
    cards: Cards
    forced: Cards
    penalty: int


class ThrowPenalty(TypedDict):
    """Points that a failed throw costs the side of `seat`."""

    seat: int
    points: int


class Play(TypedDict):
    """Cards that a seat has played. Of a lead also how it is read; `was_winning`: the seat that led before it."""

    seat: int
    cards: Cards
    units: list[Cards]
    throw: ThrowOutcome | None
    was_winning: int


class Trick(TypedDict):
    """A trick; `winning` is the seat of the best play so far. A complete one has `winner` and `points`."""

    number: int
    leader: int
    plays: list[Play]
    winning: int
    winner: NotRequired[int]
    points: NotRequired[int]


class Memory(TypedDict):
    """What the complete tricks of a round tell everybody about the hands (`service.game.state.memory`).

    Attributes:
        voids: letter of a suit (T: trumps) -> the seats that have shown to hold no card of it.
        most: letter of a suit -> seat -> the most identical cards of it that the seat can still hold.
        holds: seat -> cards that it has shown, in a declaration or a failed throw, and must still hold.
    """

    voids: dict[str, list[int]]
    most: dict[str, dict[SeatText, int]]
    holds: dict[SeatText, Cards]


class Revealed(TypedDict, total=False):
    """What a trick adds to a `Memory`: `voids` are new seats, the others new values; 0 and no cards: no longer so."""

    voids: dict[str, list[int]]
    most: dict[str, dict[SeatText, int]]
    holds: dict[SeatText, Cards]


#: What has become known, so that no earlier play can be taken back; `rated`: an AI has played in a game that counts.
SettledBy: TypeAlias = Literal["throw_failed", "throw_held", "claim_failed", "friend_joined", "trumps_made", "rated"]


class TakeBackRequest(TypedDict):
    """A player asks to take the last play back; `accepted`: the seats that agree; `asked_at`: ms."""

    seat: int
    accepted: list[int]
    asked_at: NotRequired[int]


class TrickBefore(TypedDict):
    """What a complete trick has replaced: the trick before it, and what was known then."""

    last_trick: Trick | None
    memory: Memory


class Roads(TypedDict):
    """Roads of Arm's Length. `clashes`: how often the partners of each side clashed; `set`: the final roads."""

    stated: dict[SeatText, str]
    clashes: list[int]
    set: dict[SeatText, str]


class KittyResult(TypedDict):
    """The kitty, turned up at the end: its points, and what they bring the attackers."""

    cards: Cards | None
    points: int
    factor: int
    bonus: int


class RoundResult(TypedDict):
    """The result of a round. `scores` (the totals of both sides) in Arm's Length alone."""

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
        starter: who drew first.
        deck: cards in the order in which they are dealt; None once they are out.
        hands: counts, by seat.
        kitty: cards that lie face down; empty once they are taken.
        discard: cards that were buried; `revealed`: shown before the first lead.
        kitty_seat: who took the kitty.
        kitty_shown: what lay in it, if all have seen that.
        passes: seats that have passed since the last declaration.
        defence: the seat that may defend its declaration now.
        played: counts of all cards played.
        points, tricks: by seat.
        open: nobody declared in an earlier deal, and the place of the declarer is free.
        owing: the leaders of failed throws, and of false claims, that cost levels at the end of the round.
        claims: seats that have claimed the rest wrongly; left out until there is one.
        memory: left out until a trick is complete.
        earlier: the tricks before the last one (`service.game.state.earlier`); left out until there is one.
        opened_seq: seq of the event that opened it; states stored before that was noted leave it out.
        returnable: how many of the last plays may be taken back; left out until one may (`state.take_backs`).
        settled_by: why those before may not.
        before: what the last trick has replaced, at tables that allow take-backs.
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


class State(TypedDict):
    """A table.

    Attributes:
        version: seq of the last event.
        at: when it happened (ms); not in states stored by version 0.2.0 and earlier.
        options: effective options, as they were stored; `service.game.state.rules.options_of` has those of today.
        host: id of a player.
        next_seed: hex; secret until the round that it shuffles has ended. `next_commitment` is public.
        entropy: seat -> hex, for the next shuffle.
        answers: for each seat its latest answers.
        commands: player (id) -> commands since the round began that answered no decision.
        chats: messages of players and of spectators so far.
        kicked: players (ids) whom the host has kicked, the latest last; they need the join code to come back.
        pause: meanwhile no decision is open; left out while the game is not paused.
        moved_at: until when interruptions of the service have moved the open windows (ms).
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
