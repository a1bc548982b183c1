"""The data of each type of event, as `service.game.views` tells it (docs/contract.md §4)."""

from service.api.schemas import fields as f
from service.api.schemas.common import CalledCard, DeclareHints
from service.api.schemas.view import (
    PHASES,
    PRESENCE,
    Occupant,
    RoundResult,
    Seen,
    SortedBy,
    ThrowOutcome,
    Trump,
)
from service.game.commands.table.votes import VOTES

#: type -> schema of its `data`.
EVENT_DATA: dict[str, type[f.Contract] | None] = {}


def _event(kind: str, about: str, /, **fields: f.Field) -> None:
    name = "".join(word.capitalize() for word in kind.split("_")) + "Data"
    schema = f.Contract.from_dict(dict(fields), name=name)
    schema.__doc__ = about
    EVENT_DATA[kind] = schema  # type: ignore[assignment]


def _seat() -> f.Field:
    return f.integer("The seat.", example=2)


def _cards(about: str, *, hidden: bool = False, nullable: bool = False) -> f.Field:
    return f.cards(about, 0, 200, optional=hidden, nullable=nullable)


def _phase(*phases: str) -> f.Field:
    return f.extensible("The phase that begins with it.", phases or PHASES, optional=len(phases) != 1)


def _asked(about: str) -> f.Field:
    return f.array(f.integer(""), about, optional=True, nullable=True)


_HINTS = (
    "For a seat that may answer, as long as the decision is open: its `hints` now. Of several events that are read "
    "together the last one has them."
)


def _sets() -> f.Field:
    return f.nested(DeclareHints, _HINTS, optional=True)


def _deal() -> dict[str, f.Field]:
    return {
        "phase": _phase("dealing"),
        "sorted_by": f.nested(SortedBy, "For players: what their hands are sorted by now.", optional=True),
        "of": f.integer("Cards to deal in all."),
        "kitty": f.integer("Cards in the kitty."),
        "pace": f.extensible("How the cards are dealt.", ("timed", "instant")),
        "interval_ms": f.integer("Timed deal: interval between two cards to the same seat."),
    }


def _attackers_points() -> f.Field:
    return f.integer("Points of all players not known to be on the declarer's side, afterwards.", optional=True)


class LevelChange(f.Contract):
    """A seat's changes after a round."""

    seat = _seat()
    before = f.text("Its level before.", example="2", data_key="from")
    after = f.text("Its level now.", example="5", data_key="to")
    active = f.flag("Whether it is active now.")
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
    "table_created",
    "The table was created.",
    table=f.text("Its id."),
    ruleset=f.text("The game that is played."),
    players=f.integer("Number of seats."),
    options=f.mapping("Every option with its effective value."),
    host=f.text("The player who manages the table."),
    next_commitment=f.text("Hash of the server seed of the first shuffle."),
)
_event("seat_taken", "A player sat down.", seat=_seat(), occupant=f.nested(Occupant, "The player."))
_event(
    "seat_left",
    "A player left the seat; in a running game an AI takes over.",
    seat=_seat(),
    reason=f.text("`left` or `kicked`."),
    autopilot=f.text("Level of the AI that takes over, or null.", nullable=True),
)
_event("ai_seated", "An AI took a seat.", seat=_seat(), occupant=f.nested(Occupant, "The AI."))
_event("seat_ready", "A player is ready, or no longer ready.", seat=_seat(), ready=f.flag("Whether ready."))
_event("entropy_given", "A player added entropy to the next shuffle.", seat=_seat())
_event(
    "settings_changed",
    "The host changed the table.",
    changes=f.mapping("The new values of changed `options` and `settings`."),
    options=f.mapping("If options changed: those that were chosen, as in the view.", optional=True),
    join_code=f.text("For players, if settings changed: the join code. It is a new one after a kick.", optional=True),
)
_event("presence", "A player's presence changed.", seat=_seat(), presence=f.extensible("The new presence.", PRESENCE))
_event("host_changed", "The table has a new host.", host=f.text("The player."))
_event(
    "table_closed",
    "The host closed the table.",
    practice_seed=f.text("For practice tables: the seed of their shuffles.", optional=True),
)
_event(
    "seat_taken_over",
    "An AI took over for an absent player.",
    seat=_seat(),
    level=f.text("Level of the AI."),
    reason=f.text("The reason."),
)
_event("seat_resumed", "The player took the seat back.", seat=_seat())
_event(
    "chat",
    "A chat message.",
    seat=f.integer("The sender's seat; null: a spectator.", nullable=True),
    name=f.text("The sender's name. Absent if the viewer may not read the message.", optional=True),
    text=f.text("The text.", optional=True, nullable=True),
    preset=f.text("Or the preset.", optional=True, nullable=True),
)
_event(
    "vote_opened",
    "A player opened a vote.",
    id=f.text("Id of the vote.", example="vt_77"),
    kind=f.extensible("What the vote is about.", VOTES),
    seat=f.integer("For `replace`: which seat.", nullable=True),
    by_seat=f.integer("The seat that opened it."),
    closes_at=f.time("When it fails if it is still open.", optional=True),
)
_event(
    "vote_cast",
    "A player voted.",
    vote=f.text("Id of the vote."),
    seat=_seat(),
    approve=f.flag("For or against."),
)
_event(
    "vote_closed",
    "A vote was decided.",
    vote=f.text("Id of the vote."),
    kind=f.text("What it was about."),
    passed=f.flag("Whether it passed."),
)
_event("bank_used", "A late action used the time bank.", seat=_seat(), bank_ms=f.integer("What is left of it."))
_event(
    "take_back",
    "A take-back was asked for, answered or carried out.",
    seat=_seat(),
    stage=f.extensible("The stage of the request.", ("asked", "accepted", "refused", "done")),
    by_seat=f.integer("The seat that accepted or refused.", optional=True),
    cards=_cards("The cards that returned to the hand.", hidden=True),
    winning=f.integer("`done`: the seat that is winning now; null: the table is empty.", optional=True, nullable=True),
)
_event(
    "decision_opened",
    "A decision was opened. It comes after every event that it depends on.",
    id=f.text("Id of the decision.", example="dc_481"),
    kind=f.text("Its kind."),
    seats=f.array(f.integer(""), "The seats that are asked."),
    phase=_phase(),
    hints=f.mapping(_HINTS, optional=True),
    on_timeout=f.text("What happens when time is up."),
    deadline_at=f.time("The deadline.", nullable=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", nullable=True),
)
_event(
    "decision_timed_out",
    "Time ran out.",
    decision=f.text("Id of the decision."),
    seats=f.array(f.integer(""), "The seats that were late."),
    action=f.text("What happens now."),
)
_event(
    "game_started",
    "A game started.",
    game=f.text("Its id."),
    level=f.text("The level at which all seats start."),
    starter=f.integer("The seat that draws first."),
)
_event(
    "round_opened",
    "A round started: the cards were shuffled.",
    number=f.integer("Number of the round."),
    starter=f.integer("The seat that draws first."),
    declarer=f.integer("The declarer, if known before the deal.", nullable=True),
    level=f.text("The level it is played at."),
    commitment=f.text("Hash of the server seed of this shuffle."),
    entropy=f.mapping("Seat -> bytes that its player added, in hexadecimal."),
    next_commitment=f.text("Hash of the server seed of the next shuffle."),
    **_deal(),
)
_event(
    "redealt",
    "The cards were shuffled again.",
    reason=f.text("`misdeal` or `no_declaration`."),
    seat=f.integer("The seat that claimed a misdeal.", nullable=True),
    starter=f.integer("The seat that draws first."),
    declarer=f.integer("null: whoever makes trumps now; left out: as before.", optional=True, nullable=True),
    all_active=f.flag("Whether all players are active again."),
    hand=_cards("The hand that proves the misdeal.", nullable=True),
    **_deal(),
)
_event(
    "dealt",
    "Cards were dealt, the same number to every seat.",
    count=f.integer("Cards dealt so far, to all seats; each has the same number of them."),
    cards=_cards("The viewer's own.", hidden=True),
    phase=_phase(),
    asked=_asked("With the last card: the seats that the open decision asks now. Earlier passes are void."),
    hints=_sets(),
)
_event(
    "declared",
    "Cards were shown to declare trumps.",
    seat=_seat(),
    cards=_cards("The whole set that now lies on the table."),
    trump=f.nested(Trump, "The trumps, if it stands.", optional=True),
    defence=f.integer("The seat that may defend now, or null.", nullable=True),
    asked=_asked("The seats that the open decision asks now; null: it is over. Earlier passes are void."),
    hints=_sets(),
    deadline_at=f.time("The new end of declaring.", nullable=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", nullable=True),
    **{"as": f.choice("What it was.", "declare", "reinforce", "overcall", "defend")},
)
_event(
    "passed",
    "A player passed.",
    seat=_seat(),
    kind=f.text("Kind of the decision."),
    asked=_asked("The seats that the open decision still asks; null: it is over."),
)
_event("declaration_closed", "Declaring is over.")
_event(
    "kitty_flipped",
    "Cards of the kitty were turned up to fix trumps.",
    suit=f.text("The trump suit."),
    cards=_cards("The cards turned up, in order."),
)
_event(
    "trump_fixed",
    "Trumps and declarer are fixed.",
    trump=f.nested(Trump, "The trumps."),
    declarer=f.integer("The declarer, who takes the kitty."),
    sides=f.array(f.text(""), "The side of each seat, as far as it is public."),
    phase=_phase("kitty"),
    how=f.text("How: `declared`, `kitty`, `random`, `level` or `no_trump`."),
)
_event(
    "kitty_taken",
    "A player took the kitty.",
    seat=_seat(),
    phase=_phase("kitty"),
    count=f.integer("Number of cards."),
    cards=_cards("The cards: only for that player.", hidden=True),
)
_event(
    "discarded",
    "A player buried the kitty.",
    seat=_seat(),
    count=f.integer("Number of cards."),
    cards=_cards("The cards: only for that player.", hidden=True),
)
_event("kitty_revealed", "The declarer revealed the buried cards.", seat=_seat(), cards=_cards("The buried cards."))
_event(
    "kitty_overcalled",
    "A player overcalled for the kitty.",
    seat=_seat(),
    cards=_cards("The cards shown."),
    trump=f.nested(Trump, "The new trumps."),
    hints=_sets(),
    meaning=f.choice(
        "With the option `chao_di_rule` `overcall`: what it is. What reinforces takes no kitty.",
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
    seat=_seat(),
    calls=f.array(f.nested(CalledCard), "The cards."),
)
_event(
    "friend_joined",
    "A called card was played.",
    seat=_seat(),
    call=f.integer("Index of the call."),
    card=f.card("The card."),
    ordinal=f.integer("Which copy.", optional=True),
    other=f.flag("`true`: the copy that the declarer did not hold.", optional=True),
    friend=f.flag("Whether its player is a friend now; not if the declarer played it."),
    points_lost=f.integer("Points of the player's own tricks, which no longer count for the player."),
    sides=f.array(f.text(""), "The side of each seat, as far as it is public now.", optional=True),
    attackers_points=_attackers_points(),
)
_event(
    "road_stated",
    "Arm's Length: a player stated a road.",
    seat=_seat(),
    road=f.text("The road: only for that player.", optional=True),
)
_event(
    "roads_asked",
    "Arm's Length: players must state a road.",
    seats=f.array(f.integer(""), "The seats."),
    clashes=f.array(f.integer(""), "How often the partners of each side have clashed."),
    phase=_phase("roads"),
)
_event("roads_set", "Arm's Length: partners have agreed.", roads=f.mapping("Seat -> road.", f.text("")))
_event(
    "trump_established",
    "Arm's Length: a discard established trumps.",
    trump=f.nested(Trump, "The trumps."),
    seat=_seat(),
    card=f.card("The card."),
)
_event(
    "played",
    "Cards were led or followed with.",
    seat=_seat(),
    cards=_cards("The cards."),
    units=f.array(f.cards(""), "For a lead: its units, longest first."),
    throw=f.nested(ThrowOutcome, "For a throw: its outcome.", nullable=True),
    winning=f.integer("The seat that is winning so far."),
)
_event(
    "throw_failed",
    "A throw did not hold.",
    seat=_seat(),
    cards=_cards("The cards thrown."),
    forced=_cards("The cards led instead."),
    penalty=f.integer("Points that go to the other side."),
    ends_round=f.flag("Whether that ends the round."),
    levels=f.integer("Levels that its leader owes at the end of the round (`throw_penalty_levels`).", optional=True),
)
_event(
    "trick_won",
    "A trick is complete.",
    seat=_seat(),
    number=f.integer("Its number."),
    points=f.integer("Its points."),
    attackers_points=_attackers_points(),
    seen=f.nested(
        Seen,
        "What it adds to `round.seen`: seats to `voids`, and new values; 0 and no cards: no longer so.",
        optional=True,
    ),
)


class RoundScored(RoundResult):
    """The result of the round."""

    phase = _phase("scored")


EVENT_DATA["round_scored"] = RoundScored
_event(
    "levels_changed",
    "Levels changed.",
    seats=f.array(f.nested(LevelChange), "The seats that changed."),
)
_event(
    "round_ended",
    "The round is over; its shuffle can be verified now.",
    server_seed=f.text("The server seed, in hexadecimal."),
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
