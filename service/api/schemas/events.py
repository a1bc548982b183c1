"""Events, as `service.game.views.redaction` writes them (docs/contract.md §4): the envelope, and the data by type."""

from service.api.schemas import fields as f
from service.api.schemas.view import PRESENCE, CalledCard, Occupant, RoundResult, ThrowOutcome, Trump, View
from service.game.commands.together import VOTES

#: type -> schema of its `data`.
EVENT_DATA: dict[str, type[f.Contract]] = {}


def _event(kind: str, about: str, /, **fields: f.Field) -> None:
    name = "".join(word.capitalize() for word in kind.split("_")) + "Data"
    schema = f.Contract.from_dict(dict(fields), name=name)
    schema.__doc__ = about
    EVENT_DATA[kind] = schema  # type: ignore[assignment]


def _seat() -> f.Field:
    return f.integer("The seat.", example=2)


def _cards(about: str, *, hidden: bool = False, nullable: bool = False) -> f.Field:
    return f.cards(about, 0, 200, optional=hidden, nullable=nullable)


def _deal() -> dict[str, f.Field]:
    return {
        "of": f.integer("Cards to be dealt."),
        "kitty": f.integer("Cards of the kitty."),
        "pace": f.extensible("How it is dealt.", ("timed", "instant")),
        "interval_ms": f.integer("A timed deal: from one card to a seat to its next."),
    }


class LevelChange(f.Contract):
    """What a round changed for a seat."""

    seat = _seat()
    before = f.text("Its level before.", example="2", data_key="from")
    after = f.text("Its level now.", example="5", data_key="to")
    active = f.flag("Active or passive now.")
    attempted = f.array(f.text(""), "Levels that must be played and have been tried.")
    penalty = f.integer("Levels still owed for failed throws.")
    won = f.flag("Whether it has passed the last level.")


class NextRound(f.Contract):
    """What is known of the next round."""

    declarer = f.integer("The declarer; null: whoever makes trumps.", nullable=True)
    starter = f.integer("Who draws first; null: not known yet.", nullable=True)


_event(
    "table_created",
    "The table was made.",
    table=f.text("Its id."),
    ruleset=f.text("The game that is played."),
    players=f.integer("Number of seats."),
    options=f.mapping("Every option with its effective value."),
    host=f.text("Player who decides about the table."),
    next_commitment=f.text("Hash of the server seed of the first shuffle."),
)
_event("seat_taken", "A player sat down.", seat=_seat(), occupant=f.nested(Occupant, "Who."))
_event(
    "seat_left",
    "A player left the seat; in a game an AI plays on.",
    seat=_seat(),
    reason=f.text("`left` or `kicked`."),
    autopilot=f.text("Level of the AI that plays on, or null.", nullable=True),
)
_event("ai_seated", "An AI took a seat.", seat=_seat(), occupant=f.nested(Occupant, "The AI."))
_event("seat_ready", "A player is ready, or not any more.", seat=_seat(), ready=f.flag("Whether ready."))
_event("entropy_given", "A player gave bytes for the next shuffle.", seat=_seat())
_event(
    "settings_changed",
    "The host changed the table.",
    changes=f.mapping("`options` and `settings` as they are now, as far as they changed."),
)
_event("presence", "A player came or went.", seat=_seat(), presence=f.extensible("Now.", PRESENCE))
_event("host_changed", "Another player is host.", host=f.text("The player."))
_event("table_closed", "The host closed the table.")
_event(
    "seat_taken_over",
    "An AI plays for an absent player.",
    seat=_seat(),
    level=f.text("Level of the AI."),
    reason=f.text("Why."),
)
_event("seat_resumed", "The player plays again.", seat=_seat())
_event(
    "chat",
    "Somebody said something.",
    seat=f.integer("Who; null: a spectator.", nullable=True),
    name=f.text("The name; players and spectators do not hear each other.", optional=True),
    text=f.text("What.", optional=True, nullable=True),
    preset=f.text("Or which preset.", optional=True, nullable=True),
)
_event(
    "vote_opened",
    "A player asked for a vote.",
    id=f.text("Id of the vote.", example="vt_77"),
    kind=f.extensible("What about.", VOTES),
    seat=f.integer("Of `replace`: whose seat.", nullable=True),
    by_seat=f.integer("Who asked."),
)
_event(
    "vote_cast",
    "A player voted.",
    vote=f.text("Id of the vote."),
    seat=_seat(),
    approve=f.flag("For it or against."),
)
_event(
    "vote_closed",
    "A vote is decided.",
    vote=f.text("Id of the vote."),
    kind=f.text("What it was about."),
    passed=f.flag("Whether it passed."),
)
_event("bank_used", "A late answer took from the time bank.", seat=_seat(), bank_ms=f.integer("What is left."))
_event(
    "take_back",
    "A play is to be taken back.",
    seat=_seat(),
    stage=f.extensible("How far that is.", ("asked", "accepted", "refused", "done")),
    by_seat=f.integer("Who accepted or refused.", optional=True),
    cards=_cards("The cards that went back.", hidden=True),
)
_event(
    "decision_opened",
    "The table waits for somebody. Written after everything that it depends on.",
    id=f.text("Id of the decision.", example="dc_481"),
    kind=f.text("What is asked."),
    seats=f.array(f.integer(""), "The seats that are asked."),
    on_timeout=f.text("What happens when the time is over."),
    deadline_at=f.time("When that is.", nullable=True),
)
_event(
    "decision_timed_out",
    "Time ran out.",
    decision=f.text("Id of the decision."),
    seats=f.array(f.integer(""), "Who was late."),
    action=f.text("What is done about it."),
)
_event(
    "game_started",
    "A game began.",
    game=f.text("Its id."),
    level=f.text("The level at which everybody starts."),
    starter=f.integer("Who draws first."),
)
_event(
    "round_opened",
    "The cards were shuffled.",
    number=f.integer("Number of the round."),
    starter=f.integer("Who draws first."),
    declarer=f.integer("The declarer, where that is known before the deal.", nullable=True),
    level=f.text("The level it is played at."),
    commitment=f.text("Hash of the server seed of this shuffle."),
    entropy=f.mapping("Seat -> bytes that its player gave, in hexadecimal."),
    next_commitment=f.text("Hash of the server seed of the next shuffle."),
    **_deal(),
)
_event(
    "redealt",
    "The cards were shuffled anew.",
    reason=f.text("`misdeal` or `no_declaration`."),
    seat=f.integer("Who claimed a misdeal.", nullable=True),
    starter=f.integer("Who draws first."),
    all_active=f.flag("Whether all players are active again."),
    hand=_cards("The hand that proves the misdeal.", nullable=True),
    **_deal(),
)
_event(
    "dealt",
    "Cards were dealt, the same number to every seat.",
    count=f.integer("Cards dealt so far, to all."),
    cards=_cards("Those that the viewer got.", hidden=True),
)
_event(
    "declared",
    "Cards were shown to make trumps.",
    seat=_seat(),
    cards=_cards("The whole set that now lies on the table."),
    defence=f.integer("Who may defend at once, or null.", nullable=True),
    deadline_at=f.time("When declaring ends now.", nullable=True),
    **{"as": f.choice("What it was.", "declare", "reinforce", "overcall", "defend")},
)
_event("passed", "A player let a chance go by.", seat=_seat(), kind=f.text("Kind of the decision."))
_event("declaration_closed", "Declaring is over.")
_event(
    "kitty_flipped",
    "Kitty cards were turned to make trumps.",
    suit=f.text("The suit that they made."),
    cards=_cards("Those turned, in order."),
)
_event(
    "trump_fixed",
    "Trumps and declarer are fixed.",
    trump=f.nested(Trump, "What is trumps."),
    declarer=f.integer("Who takes the kitty."),
    sides=f.array(f.text(""), "The side of each seat, as far as known."),
    how=f.text("What made it: `declared`, `kitty`, `random` or `level`."),
)
_event(
    "kitty_taken",
    "A player took the kitty.",
    seat=_seat(),
    count=f.integer("How many cards."),
    cards=_cards("Which: for that player.", hidden=True),
)
_event(
    "discarded",
    "A player buried the kitty.",
    seat=_seat(),
    count=f.integer("How many cards."),
    cards=_cards("Which: for that player.", hidden=True),
)
_event("kitty_revealed", "The declarer showed the discard.", seat=_seat(), cards=_cards("The discard."))
_event(
    "kitty_overcalled",
    "A player overcalled for the kitty.",
    seat=_seat(),
    cards=_cards("The cards shown."),
    trump=f.nested(Trump, "What is trumps now."),
)
_event(
    "friends_called",
    "The declarer called cards for friends.",
    seat=_seat(),
    calls=f.array(f.nested(CalledCard), "The cards."),
)
_event(
    "friend_joined",
    "A called copy came to the table.",
    seat=_seat(),
    call=f.integer("Which call, counted from 0."),
    card=f.card("Its card."),
    ordinal=f.integer("Which copy.", optional=True),
    other=f.flag("`true`: the other copy.", optional=True),
    friend=f.flag("Whether that makes a friend; the declarer's own card makes none."),
    points_lost=f.integer("Points that no longer count for the attackers."),
)
_event(
    "road_stated",
    "Arm's Length: a player stated a road.",
    seat=_seat(),
    road=f.text("Which: for that player.", optional=True),
)
_event(
    "roads_asked",
    "Arm's Length: players are asked for a road.",
    seats=f.array(f.integer(""), "Who."),
    clashes=f.array(f.integer(""), "How often the partners of each side have clashed."),
)
_event("roads_set", "Arm's Length: partners have agreed.", roads=f.mapping("Seat -> road.", f.text("")))
_event(
    "trump_established",
    "Arm's Length: a discard made trumps.",
    trump=f.nested(Trump, "What is trumps."),
    seat=_seat(),
    card=f.card("The card that made it."),
)
_event(
    "played",
    "Cards were led or followed with.",
    seat=_seat(),
    cards=_cards("The cards."),
    units=f.array(f.cards(""), "Of a lead: how it is read, longest unit first."),
    throw=f.nested(ThrowOutcome, "Of a throw: what became of it.", nullable=True),
    winning=f.integer("Whose cards are best so far."),
)
_event(
    "throw_failed",
    "A throw did not hold.",
    seat=_seat(),
    cards=_cards("What was to be thrown."),
    forced=_cards("What is led instead."),
    penalty=f.integer("Points that go to the other side."),
    ends_round=f.flag("Whether that ends the round."),
)
_event(
    "trick_won",
    "A trick is complete.",
    seat=_seat(),
    number=f.integer("Its number."),
    points=f.integer("Its points."),
)
EVENT_DATA["round_scored"] = RoundResult
_event(
    "levels_changed",
    "Levels changed.",
    seats=f.array(f.nested(LevelChange), "The seats that changed."),
)
_event(
    "round_ended",
    "The round is over, and its shuffle open to be checked.",
    server_seed=f.text("The server seed, in hexadecimal."),
    commitment=f.text("Its hash, known since before the shuffle."),
    entropy=f.mapping("Seat -> bytes that its player gave, in hexadecimal."),
    shuffle_name=f.text("What stood for the table in the shuffle."),
    attempts=f.integer("How often the round was dealt."),
    next=f.nested(NextRound, "What is known of the next round."),
)
_event(
    "game_ended",
    "The game is over.",
    winners=f.array(f.integer(""), "Winning seats."),
    reason=f.text("Why."),
)
_event("game_kept", "The record of the game is kept.", game=f.text("Its id."))


DataByType = f.Contract.from_dict(
    {kind: f.nested(schema, schema.__doc__ or "", optional=True) for kind, schema in EVENT_DATA.items()},
    name="DataByType",
)
DataByType.__doc__ = """\
For each type of event what its `data` is. It is never sent as a whole: it is here for clients to be made from."""


class Event(f.Contract):
    """Something that happened at the table. Every viewer gets the same events; what one may not see is a count."""

    seq = f.integer("Its number: 1, 2, 3 … without gaps.", example=482)
    type = f.extensible(
        "What happened; see `data`. Pass over types that you do not know.", EVENT_DATA, example="trick_won"
    )
    at = f.time("When.")
    round = f.integer("Number of the round.", nullable=True, example=3)
    by = f.extensible("Who brought it about.", ("player", "ai", "timeout", "server"))
    data = f.mapping(
        "What is told of it: `DataByType` has a schema for each type, `TrickWonData` for `trick_won`.",
        example={"seat": 2, "number": 4, "points": 15},
    )


class EventPage(f.Contract):
    """A page of the log, or the answer of a long poll."""

    events = f.array(f.nested(Event), "In order; none if nothing has happened.")
    next_after = f.integer("Send it as `after` to go on.", example=482)
    version = f.integer("Seq of the last event of the table.", example=482)


class EventQuery(f.Contract):
    """Where to read the log."""

    after = f.integer("Only events with a greater seq.", 0, 1_000_000_000, query=True, optional=True)
    wait = f.integer("Wait so many seconds for the next event if there is none yet.", 0, 25, query=True, optional=True)
    limit = f.integer("Most events in one answer.", 1, 500, query=True, default=100)
    ticket = f.text(
        "A stream ticket, for browsers, which cannot send a token with an EventSource.", 1, 80, optional=True
    )


class Outcome(f.Contract):
    """What came of an action."""

    seq = f.integer("Seq of its last event.", example=482)
    version = f.integer("Seq of the last event of the table.", example=483)
    events = f.array(f.nested(Event), "Its events; on a retry those recorded when it was done.")
    view = f.nested(View, "The table now.")


class LegalPlays(f.Contract):
    """What the caller may play now."""

    plays = f.array(f.cards(""), "Legal plays.", example=[["4D", "4D"], ["9D", "9D"]])
    complete = f.flag("Whether these are all of them.")


class StreamTicket(f.Contract):
    """Opens one event stream."""

    ticket = f.text("Send it as `?ticket=` within a minute; it works once.", example="tk_mR3…")
    expires_at = f.time("When it is void.")
