"""Types of the data of events from the start of a game to its end."""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from service.game.events.types import NextSeed, SeatData
from service.game.state.table_types import SeatText
from service.game.state.types import (
    Call,
    Cards,
    DecidedBy,
    Declaration,
    DeclarationMeaning,
    Ending,
    Memory,
    Overcalls,
    Phase,
    Revealed,
    RoundResult,
    Side,
    ThrowOutcome,
    Trick,
    TrumpSource,
    TrumpState,
)

# --- from the start of a round to the buried kitty ---------------------------------------------------------------


class GameStarted(TypedDict):
    """A game begins, with all seats on `level`; its time is up at `game_ends_at` (ms)."""

    game: str
    number: int
    level: str
    starter: int
    rules: NotRequired[int]
    rounds_before: NotRequired[int]
    declarer: NotRequired[int | None]
    game_ends_at: NotRequired[int]


class NewDeal(TypedDict):
    """A shuffled deck: `of` of its cards are dealt, in circles every `interval` ms; the rest is the kitty.

    `ranks`: the rank by which each seat sorts its hand until trumps are made; `twos`: twos are trumps at any level;
    `red_fives`: they are the highest trumps.
    """

    attempt: int
    deck: Cards
    of: int
    pace: Literal["timed", "instant"]
    interval: int
    ranks: NotRequired[list[str | None]]
    twos: NotRequired[bool]
    red_fives: NotRequired[bool]


class RoundOpened(NewDeal, NextSeed):
    """A round begins."""

    number: int
    starter: int
    declarer: int | None
    level: str
    commitment: str
    server_seed: str
    entropy: dict[SeatText, str]
    sides: list[Side]


class Redealt(NewDeal):
    """The cards are dealt anew; `hand` is what the seat that claimed a misdeal held.

    `declarer` None: the trump maker declares; left out: the declarer stays the same.
    """

    reason: Literal["misdeal", "no_declaration"]
    seat: int | None
    hand: Cards | None
    starter: int
    all_active: bool
    declarer: NotRequired[None]


class Asked(TypedDict):
    """`asked`: seats that the open decision still waits for; None: it is over."""

    asked: NotRequired[list[int] | None]


class Dealt(Asked):
    """Cards are dealt to each seat; `count` are dealt by now. `phase`: the phase that follows the last of them."""

    count: int
    cards: list[Cards]
    phase: NotRequired[Phase]


class Paced(TypedDict):
    """`interval`: from now on a circle of cards is dealt every so many ms, if that is sooner."""

    interval: NotRequired[int]


class Declared(Declaration, Asked, Paced):
    """Cards are shown; the seat `defence` may defend now. `trump`: the trumps if nobody overcalls."""

    defence: int | None
    deadline: int | None
    trump: NotRequired[TrumpState]


class Passed(SeatData, Asked, Paced):
    """A seat passes a decision of this kind."""

    kind: Literal["declare", "defend", "overcall-kitty"]


class KittyFlipped(TypedDict):
    """The kitty was turned up to find the trump suit."""

    cards: Cards
    suit: str | None


class KittyShown(TypedDict):
    """All players see the kitty before the declarer takes it."""

    cards: Cards


class TrumpFixed(TypedDict):
    """Trumps, declarer and sides are fixed."""

    trump: TrumpState
    declarer: int
    sides: list[Side]
    how: TrumpSource


class SeatCards(SeatData):
    """Cards that go to or from a seat."""

    cards: Cards


class Discarded(SeatCards):
    """The kitty is buried."""

    overcalls: Overcalls | None


#: A higher set takes the kitty and changes trumps. Where the rules of declaring apply (`chao_di_rule`), `as` is the
#: meaning of the set, and one that reinforces does not take the kitty.
KittyOvercalled = TypedDict(
    "KittyOvercalled", {"seat": int, "cards": Cards, "trump": TrumpState, "as": NotRequired[DeclarationMeaning]}
)


# --- from the first lead to the end of the game ------------------------------------------------------------------


class FriendsCalled(SeatData):
    """The declarer calls cards for friends."""

    calls: list[Call]


class Returnable(TypedDict):
    """`returnable`: number of last plays that may be taken back after the event, at a table that allows it."""

    returnable: NotRequired[int]


class FriendJoined(SeatData, Returnable):
    """A called copy is played. `friend` False: by the declarer.

    `sides` and `attackers_points` are the values after the event.
    """

    call: int
    card: int
    ordinal: int
    friend: bool
    points_lost: int
    sides: NotRequired[list[Side]]
    attackers_points: NotRequired[int]


class RoadStated(SeatData):
    """A player states a road of Arm's Length."""

    road: str


class RoadsAsked(TypedDict):
    """Seats must state their roads; `clashes` of each side so far."""

    seats: list[int]
    clashes: list[int]


class RoadsSet(TypedDict):
    """Roads on which partners agree."""

    roads: dict[SeatText, str]


class TrumpEstablished(SeatData, Returnable):
    """The first discard of Arm's Length makes trumps."""

    trump: TrumpState
    card: str


class Played(SeatCards, Returnable):
    """A seat leads or follows."""

    units: list[Cards]
    throw: ThrowOutcome | None
    winning: int


class TakeBack(SeatData, Returnable):
    """A play is taken back, or somebody requests that, agrees or refuses.

    `done` is emitted for each play taken back, the last one first; `seat` had played it. `winning`: the seat of the
    best play left on the table, or None. `charged`: the side of `seat` loses a level for it at the end of the round.
    """

    stage: Literal["asked", "accepted", "refused", "done", "charged"]
    by_seat: NotRequired[int]
    cards: NotRequired[Cards]
    winning: NotRequired[int | None]


class ThrowFailed(SeatCards):
    """A throw fails. `levels`: owed by the leader at the end of the round; play continues."""

    units: list[Cards]
    forced: Cards
    penalty: int
    ends_round: bool
    levels: NotRequired[int]


class Claimed(SeatData, Returnable):
    """The seat that leads next claims all remaining tricks.

    `ok`: the claim holds, and the tricks are played. Otherwise it costs `penalty` points, and `levels` at the end of
    the round.
    """

    ok: bool
    penalty: int
    levels: NotRequired[int]


class TrickWon(SeatData):
    """A trick is complete. `attackers_points`: of the round so far; `seen`: what the trick newly reveals."""

    number: int
    points: int
    attackers_points: NotRequired[int]
    seen: NotRequired[Revealed]


class TrickReopened(SeatData):
    """The last trick, won by `seat`, is no longer complete, since a play of it is taken back.

    `last_trick`, `seen`: their values before the trick was complete.
    """

    number: int
    points: int
    attackers_points: int
    last_trick: Trick | None
    seen: Memory


#: The result of a round.
RoundScored: TypeAlias = RoundResult

#: The standing of a seat after a round.
LevelChange = TypedDict(
    "LevelChange",
    {
        "seat": int,
        "from": str,
        "to": str,
        "active": bool,
        "attempted": list[str],
        "penalty": int,
        "won": bool,
        "defended": NotRequired[list[str]],
        "laps": NotRequired[int],
    },
)


class LevelsChanged(TypedDict):
    """Seats whose standing changed."""

    seats: list[LevelChange]


class NextRound(TypedDict):
    """The declarer (None: the trump maker) and the first to draw in the next round."""

    declarer: int | None
    starter: int


class RoundEnded(TypedDict):
    """What is needed to verify the shuffle, and what comes next."""

    server_seed: str
    commitment: str
    entropy: dict[SeatText, str]
    shuffle_name: str
    attempts: int
    next: NextRound


class GameEnded(TypedDict):
    """A game is over, as `decided_by` something. `practice_seed`: the seed of a practice table, no longer secret."""

    winners: list[int]
    reason: Ending
    decided_by: NotRequired[DecidedBy]
    game_ends_at: NotRequired[None]
    practice_seed: NotRequired[str]


class GameKept(TypedDict):
    """The record of the game (id) is in the archive."""

    game: str
