"""Events of a round, as types: the data of each kind of event from the start of a game to its end."""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from service.game.events.types import NextSeed, SeatData
from service.game.state.table_types import SeatText
from service.game.state.types import (
    Call,
    Cards,
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
    """A game begins, everybody at `level`."""

    game: str
    number: int
    level: str
    starter: int
    rules: NotRequired[int]
    rounds_before: NotRequired[int]
    declarer: NotRequired[int | None]


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

    `declarer` None: whoever makes trumps declares; left out, the declarer stays who it was.
    """

    reason: Literal["misdeal", "no_declaration"]
    seat: int | None
    hand: Cards | None
    starter: int
    all_active: bool
    declarer: NotRequired[None]


class Asked(TypedDict):
    """`asked`: whom the decision that is open still waits for; None: it is over."""

    asked: NotRequired[list[int] | None]


class Dealt(Asked):
    """Cards are dealt to each seat; `count` are out now. `phase`: what begins with the last of them."""

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


#: A higher set takes the kitty and makes trumps anew; where the rules of the deal decide (`chao_di_rule`), `as` says
#: what it is, and what reinforces takes no kitty.
KittyOvercalled = TypedDict(
    "KittyOvercalled", {"seat": int, "cards": Cards, "trump": TrumpState, "as": NotRequired[DeclarationMeaning]}
)


# --- from the first lead to the end of the game ------------------------------------------------------------------


class FriendsCalled(SeatData):
    """The declarer calls cards for friends."""

    calls: list[Call]


class Returnable(TypedDict):
    """`returnable`: how many of the last plays may be taken back afterwards, at a table that allows it."""

    returnable: NotRequired[int]


class FriendJoined(SeatData, Returnable):
    """A called copy is on the table. `friend` False: the declarer played it.

    `sides` and `attackers_points` are those afterwards.
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
    """Seats are to state their roads, again after so many clashes of each side."""

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
    """A play is taken back, or somebody asks for it, agrees or refuses.

    `done` comes for each play that goes back, the last one first: `seat` has played it. `winning`: the seat of the best
    play that is left on the table; None: there is none.
    """

    stage: Literal["asked", "accepted", "refused", "done"]
    by_seat: NotRequired[int]
    cards: NotRequired[Cards]
    winning: NotRequired[int | None]


class ThrowFailed(SeatCards):
    """A throw does not hold. `levels`: owed by the leader when the round is over, though play goes on."""

    units: list[Cards]
    forced: Cards
    penalty: int
    ends_round: bool
    levels: NotRequired[int]


class Claimed(SeatData, Returnable):
    """The seat to lead says that it wins all tricks that are left.

    `ok`: it does, and they are played. Otherwise it costs `penalty` points, and `levels` at the end of the round.
    """

    ok: bool
    penalty: int
    levels: NotRequired[int]


class TrickWon(SeatData):
    """A trick is complete. `attackers_points`: of the round so far; `seen`: what it tells that is new."""

    number: int
    points: int
    attackers_points: NotRequired[int]
    seen: NotRequired[Revealed]


class TrickReopened(SeatData):
    """The last trick, which `seat` has won, is not complete any more, since a play of it is taken back.

    `last_trick`, `seen`: what they were before it was complete.
    """

    number: int
    points: int
    attackers_points: int
    last_trick: Trick | None
    seen: Memory


#: The result of a round.
RoundScored: TypeAlias = RoundResult

#: Where a seat stands after a round.
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
    """Who declares (None: whoever makes trumps) and who draws first in the next round."""

    declarer: int | None
    starter: int


class RoundEnded(TypedDict):
    """All that anybody needs to check the shuffle, and what comes next."""

    server_seed: str
    commitment: str
    entropy: dict[SeatText, str]
    shuffle_name: str
    attempts: int
    next: NextRound


class GameEnded(TypedDict):
    """A game is over. `practice_seed`: of a practice table, whose cards need not be secret any more."""

    winners: list[int]
    reason: Ending
    practice_seed: NotRequired[str]


class GameKept(TypedDict):
    """The record of the game (id) is in the archive."""

    game: str
