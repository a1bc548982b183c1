"""The data of events of games and rounds, as written by `service.game.views` (docs/contract.md §4)."""

from functools import partial
from typing import Final

from service.api.schemas import fields as f
from service.api.schemas.common import CalledCard
from service.api.schemas.events import parts
from service.api.schemas.view import (
    ARMS_ONLY,
    FRIENDS_ONLY,
    NOT_IN_ARMS,
    Declaration,
    Roads,
    RoundResult,
    Seen,
    StandingCall,
    ThrowOutcome,
    Trick,
    Trump,
)

#: Type -> schema of its `data`.
ROUND_EVENTS: Final[parts.EventData] = {}
_event: Final = partial(parts.add_event, ROUND_EVENTS)


class LevelChange(f.Contract):
    """A seat's changes after a round."""

    seat = parts.seat()
    before = f.text("Its level before.", example="2", data_key="from")
    after = f.text("Its level now.", example="5", data_key="to")
    active = f.flag(f"Whether it is active now; {FRIENDS_ONLY}", nullable=True)
    attempted = f.array(f.text(""), "Must-play levels already attempted.")
    penalty = f.integer("Levels still owed for failed throws.")
    defended = f.array(f.text(""), "Must-play levels already won as declarers; left out: none.", optional=True)
    laps = f.integer("How often it has passed the last level; left out: never.", optional=True)
    won = f.flag("Whether it has passed the last level now.")


class NextRound(f.Contract):
    """What is known about the next round."""

    declarer = f.integer("The declarer; null: whoever makes trumps.", nullable=True)
    starter = f.integer("The seat that draws first; null: not known yet.", nullable=True)


_event(
    "game_started",
    "A game started.",
    game=f.text("Its id."),
    level=f.text(f"The level at which all seats start; {NOT_IN_ARMS}", nullable=True),
    starter=f.integer("The seat that draws first."),
    scores=f.array(f.integer(""), f"Arm's Length: the totals, 0 each; {ARMS_ONLY}", nullable=True),
    rounds_before=f.integer(
        "If a deal is repeated: number of rounds played in its game before it; left out: 0.", optional=True
    ),
)
_event(
    "round_opened",
    "A round started: the cards were shuffled.",
    number=f.integer("Number of the round."),
    starter=f.integer("The seat that draws first."),
    declarer=f.integer(f"The declarer, if known before the deal; {NOT_IN_ARMS}", nullable=True),
    level=f.text(f"The level it is played at; {NOT_IN_ARMS}", nullable=True),
    commitment=f.text("Hash of the server seed of this shuffle."),
    entropy=f.mapping("Seat -> bytes that its player added, in hexadecimal."),
    next_commitment=f.text("Hash of the server seed of the next shuffle."),
    declarations=f.array(f.nested(Declaration), f"None yet; {NOT_IN_ARMS}", nullable=True),
    passes=f.array(f.integer(""), f"None yet; {NOT_IN_ARMS}", nullable=True),
    calls=f.array(f.nested(StandingCall), f"None yet; {FRIENDS_ONLY}", nullable=True),
    roads=f.nested(Roads, f"Arm's Length: none yet; {ARMS_ONLY}", nullable=True),
    attackers_points=f.integer(f"0; {NOT_IN_ARMS}", nullable=True),
    **parts.deal(f.integer(f"Cards in the kitty; {NOT_IN_ARMS}", nullable=True)),
)
_event(
    "redealt",
    "The cards were shuffled again.",
    reason=f.text("`misdeal` or `no_declaration`."),
    seat=f.integer("The seat that claimed a misdeal.", nullable=True),
    starter=f.integer("The seat that draws first."),
    declarer=f.integer("null: whoever makes trumps this time; left out: as before.", optional=True, nullable=True),
    all_active=f.flag(f"Whether all players are active again; {FRIENDS_ONLY}", nullable=True),
    hand=parts.cards("The hand that proves the misdeal.", nullable=True),
    **parts.deal(f.integer("Cards in the kitty.")),
)
_event(
    "dealt",
    "Cards were dealt, the same number to every seat.",
    count=f.integer("Cards dealt so far, to all seats; each has the same number of them."),
    cards=parts.cards("The viewer's own.", hidden=True),
    hands=f.array(f.cards("", 0, 200), "For spectators who see all hands: the cards of each seat.", optional=True),
    phase=parts.phase(),
    asked=parts.asked("With the last card: the seats that the open decision asks now. Earlier passes are void."),
    hints=parts.sets(),
)
_event(
    "declared",
    "Cards were shown to declare trumps.",
    seat=parts.seat(),
    cards=parts.cards("The whole set that now lies on the table."),
    trump=f.nested(Trump, "The trumps, if it stands.", optional=True),
    defence=f.integer("The seat that may defend now, or null.", nullable=True),
    asked=parts.asked("The seats that the open decision asks now; null: it is over. Earlier passes are void."),
    hints=parts.sets(),
    deadline_at=f.time("The new end of declaring.", nullable=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", nullable=True),
    **{"as": f.choice("What it was.", "declare", "reinforce", "overcall", "defend")},
)
_event(
    "passed",
    "A player passed.",
    seat=parts.seat(),
    kind=f.text("Kind of the decision."),
    asked=parts.asked("The seats that the open decision still asks; null: it is over."),
)
_event("declaration_closed", "Declaring is over.")
_event(
    "kitty_flipped",
    "Cards of the kitty were turned up to fix trumps.",
    suit=f.text("The trump suit."),
    cards=parts.cards("The cards turned up, in order."),
)
_event(
    "trump_fixed",
    "Trumps and declarer are fixed.",
    trump=f.nested(Trump, "The trumps."),
    declarer=f.integer("The declarer, who takes the kitty."),
    sides=f.array(f.text(""), "The side of each seat, as far as it is public."),
    phase=parts.phase("kitty"),
    how=f.text("How: `declared`, `kitty`, `random`, `level` or `no_trump`."),
)
_event(
    "kitty_shown",
    "All players see the kitty before the declarer takes it (option `kitty_shown`).",
    cards=parts.cards("The cards in it."),
)
_event(
    "kitty_taken",
    "A player took the kitty.",
    seat=parts.seat(),
    phase=parts.phase("kitty"),
    count=f.integer("Number of cards."),
    cards=parts.cards("The cards: only for that player, and for spectators who see all hands.", hidden=True),
)
_event(
    "discarded",
    "A player buried the kitty.",
    seat=parts.seat(),
    count=f.integer("Number of cards."),
    cards=parts.cards("The cards: only for that player, and for spectators who see all hands.", hidden=True),
)
_event(
    "kitty_revealed",
    "The declarer revealed the buried cards.",
    seat=parts.seat(),
    cards=parts.cards("The buried cards."),
)
_event(
    "kitty_overcalled",
    "A player overcalled for the kitty.",
    seat=parts.seat(),
    cards=parts.cards("The cards shown."),
    trump=f.nested(Trump, "The new trumps."),
    hints=parts.sets(),
    meaning=f.choice(
        "With the option `chao_di_rule` `overcall`: what it is. A reinforcement does not take the kitty.",
        "declare",
        "overcall",
        "defend",
        "reinforce",
        data_key="as",
        optional=True,
    ),
)
_event(
    "friends_called",
    "The declarer called cards for friends.",
    seat=parts.seat(),
    calls=f.array(f.nested(CalledCard), "The cards."),
)
_event(
    "friend_joined",
    "A called card was played.",
    seat=parts.seat(),
    call=f.integer("Index of the call."),
    card=f.card("The card."),
    ordinal=f.integer("Which copy.", optional=True),
    other=f.flag("`true`: the copy that the declarer did not hold.", optional=True),
    friend=f.flag("Whether its player is now a friend; not if the declarer played it."),
    points_lost=f.integer("Points of the player's own tricks, which no longer count for the player."),
    sides=f.array(f.text(""), "The side of each seat, as far as it is public now.", optional=True),
    attackers_points=parts.attackers_points(),
    returnable=parts.returnable(),
)
_event(
    "road_stated",
    "Arm's Length: a player stated a road.",
    seat=parts.seat(),
    road=f.text("The road: only for that player.", optional=True),
)
_event(
    "roads_asked",
    "Arm's Length: players must state a road.",
    seats=f.array(f.integer(""), "The seats."),
    clashes=f.array(f.integer(""), "How often the partners of each side have clashed."),
    phase=parts.phase("roads"),
)
_event("roads_set", "Arm's Length: partners have agreed.", roads=f.mapping("Seat -> road.", f.text("")))
_event(
    "trump_established",
    "Arm's Length: a discard established trumps.",
    trump=f.nested(Trump, "The trumps."),
    seat=parts.seat(),
    card=f.card("The card."),
    returnable=parts.returnable(),
)
_event(
    "played",
    "Cards were led or followed with.",
    seat=parts.seat(),
    cards=parts.cards("The cards."),
    units=f.array(f.cards(""), "For a lead: its units, longest first."),
    throw=f.nested(ThrowOutcome, "For a throw: its outcome.", nullable=True),
    winning=f.integer("The seat that is winning so far."),
    returnable=parts.returnable(),
)
_event(
    "trick_reopened",
    "The last trick is no longer complete, since a play of it is taken back. It becomes the trick on the table again, "
    "and `take_back` events follow.",
    seat=f.integer("The seat that had won it.", example=2),
    number=f.integer("Its number."),
    points=f.integer(f"Its points, which the seat loses again; {NOT_IN_ARMS}", nullable=True),
    attackers_points=parts.attackers_points(),
    last_trick=f.nested(Trick, "The trick before it, which is the view's `last_trick` again.", nullable=True),
    seen=f.nested(Seen, "The view's `round.seen` as it was before the trick was complete."),
)
_event(
    "throw_failed",
    "A throw did not hold.",
    seat=parts.seat(),
    cards=parts.cards("The cards thrown."),
    forced=parts.cards("The cards led instead."),
    penalty=f.integer("Points that go to the other side."),
    ends_round=f.flag("Whether that ends the round."),
    levels=f.integer("Levels that its leader owes at the end of the round (`throw_penalty_levels`).", optional=True),
)
_event(
    "claimed",
    "A player who was to lead has claimed all remaining tricks.",
    seat=parts.seat(),
    ok=f.flag("Whether the claim is right. If so, the open decision is over, and the tricks follow."),
    penalty=f.integer("Points that go to the other side for a wrong claim."),
    levels=f.integer("Levels that the player owes for it at the end of the round.", optional=True),
    returnable=parts.returnable(),
)
_event(
    "trick_won",
    "A trick is complete.",
    seat=parts.seat(),
    number=f.integer("Its number."),
    points=f.integer(f"Its points; {NOT_IN_ARMS}", nullable=True),
    attackers_points=parts.attackers_points(),
    seen=f.nested(
        Seen,
        "Changes to `round.seen`: seats to add to `voids`, and new values; 0 or an empty list removes a value.",
        optional=True,
    ),
)


class RoundScored(RoundResult):
    """The result of the round."""

    phase = parts.phase("scored")


ROUND_EVENTS["round_scored"] = RoundScored
_event(
    "levels_changed",
    "Levels changed.",
    seats=f.array(f.nested(LevelChange), "The seats that changed."),
)
_event(
    "round_ended",
    "The round is over; its shuffle can be verified now.",
    server_seed=f.text(
        "The server seed, in hexadecimal; empty at a board of an event, which reveals it when it is over."
    ),
    commitment=f.text("Its hash, published before the shuffle."),
    entropy=f.mapping("Seat -> bytes that its player added, in hexadecimal."),
    shuffle_name=f.text("Identifies the table in the shuffle."),
    attempts=f.integer("Number of deals."),
    next=f.nested(NextRound, "What is known about the next round."),
)
_event(
    "game_ended",
    "The game is over.",
    winners=f.array(f.integer(""), "Winning seats."),
    reason=f.text("The reason."),
    practice_seed=f.text("For practice tables: the seed of their shuffles.", optional=True),
)
_event("game_kept", "The game has been archived.", game=f.text("Its id."))
