"""The view of a table, as `service.game.views.view` writes it (docs/contract.md §4)."""

from typing import get_args, get_type_hints

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.common import ON_TIMEOUT, RULESET_IDS, CalledCard, OpenDecision
from service.game.commands.table.votes import VOTES
from service.game.events.fields import (
    ARMS_ONLY,
    CLOSED_BY,
    DECIDED_BY,
    FRIENDS_ONLY,
    NOT_IN_ARMS,
    PAUSE_REASON,
    PHASES,
    PRESENCE,
)
from service.game.state.settings import ALONE, MOST_HOURS, MOST_LEVELS, MOST_MINUTES, MOST_ROUNDS
from service.game.state.table_types import Length, PauseReason
from service.game.state.types import DecidedBy
from service.people.presence import GRACE_S
from service.texts.settings import LENGTH, SETTINGS


class Viewer(f.Contract):
    """The caller's role at the table."""

    role = f.extensible("A player with a seat, or a spectator.", ("seat", "spectator"))
    seat = f.integer("The caller's seat.", optional=True, example=2)


class Occupant(f.Contract):
    """The occupant of a seat."""

    kind = f.extensible("A person, a bot, or an AI of the service.", ("human", "bot", "ai"))
    player = f.text("Id of the player; null for an AI.", nullable=True, example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others.", example="Lin")
    level = f.text("Level of an AI.", nullable=True, example=None)
    vars().update(chosen.stored())


class Seat(f.Contract):
    """A seat of the table."""

    seat = f.integer("Its number, in order of play.", example=0)
    occupant = f.nested(Occupant, "The occupant; null: the seat is free.", nullable=True)
    autopilot = f.text("Level of the AI that plays for an absent player; null: none.", nullable=True, example=None)
    ready = f.flag("Whether its player is ready for the game or its next round.")
    presence = f.extensible(
        f"Whether its player is there. `away`: the last stream closed {GRACE_S:.0f} seconds ago, or a decision was "
        "missed, and the player has done nothing since. `gone`: the player has left, or the seat is free.",
        PRESENCE,
    )
    timeouts = f.integer("Decisions in a row that its player has missed.", example=0)
    level = f.text(
        f"Its level: a rank, `NT` or `joker`, with `+` in later laps; {NOT_IN_ARMS}", nullable=True, example="7"
    )
    active = f.flag(f"Active or passive, if the option `active_passive` is on; {FRIENDS_ONLY}", nullable=True)
    penalty = f.integer(
        f"Levels owed for failed throws, deducted from later gains; {NOT_IN_ARMS}", nullable=True, example=0
    )
    laps = f.integer("How often it has passed the last level (`after_last`); left out: never.", optional=True)
    since = f.integer(
        "The round of the game from which on the occupant has the seat; left out: since the game began.", optional=True
    )
    bank_ms = f.integer("What is left of its time bank.", example=0)
    side = f.choice(
        f"Its side, as far as it is public; {NOT_IN_ARMS}", "declarers", "attackers", "unknown", nullable=True
    )
    hand_count = f.integer("Cards in hand.", example=12)
    tricks = f.integer("Tricks won in this round.", example=3)
    points = f.integer(f"Points of those tricks that count for the player; {NOT_IN_ARMS}", nullable=True, example=25)


class ResultSummary(f.Contract):
    """A summary of a finished round."""

    points = f.integer("Points of the attackers.", optional=True, example=85)
    side = f.choice("The side that gained.", "declarers", "attackers", nullable=True, optional=True)
    levels = f.integer("Levels gained.", optional=True, example=1)
    declarer = f.integer("Seat of the declarer.", optional=True, example=0)
    declarers = f.array(f.integer(""), "Seats of the declarer's side.", optional=True, example=[0, 2])
    scores = f.array(f.integer(""), "Arm's Length: scores of the two sides.", optional=True)
    roads = f.mapping("Arm's Length: seat -> road.", f.text(""), optional=True)
    tricks = f.array(f.integer(""), "Arm's Length: tricks of the seats.", optional=True)


class RoundSummary(ResultSummary):
    """A summary of a finished round of the game."""

    round = f.integer("Its number.", example=1)


class Game(f.Contract):
    """The game, from the first round to the end of the level ladder or of its `length`."""

    id = f.text("Its id.", example="gm_2c7f")
    round = f.integer("Number of the round.", example=3)
    results = f.array(
        f.nested(RoundSummary), "The last finished rounds, at most three; `GET /v1/games/{game}` has all."
    )
    winners = f.array(f.integer(""), "Winning seats; null: the game is not over.", nullable=True)
    ended = f.text("Why it ended; null: the game is not over.", nullable=True, example=None)
    scores = f.array(
        f.integer(""), f"Arm's Length: totals of seats 0 and 2, and of seats 1 and 3; {ARMS_ONLY}", nullable=True
    )
    ends_at = f.time(
        "When its time is up (`length.minutes`). null: it is over, or paused, and its time stands still. Left out: it "
        "has no limit.",
        nullable=True,
        optional=True,
    )
    decided_by = f.extensible(DECIDED_BY, get_args(DecidedBy), optional=True)


class Trump(f.Contract):
    """The trumps."""

    rank = f.text("The trump rank; null: none.", nullable=True, example="7")
    suit = f.choice("The trump suit; null: none.", "S", "H", "D", "C", nullable=True, example="H")


class Declaration(f.Contract):
    """Cards shown to declare trumps."""

    seat = f.integer("The seat that showed them.", example=2)
    cards = f.cards("The whole set that lay on the table afterwards.", example=["7H", "7H"])
    meaning = f.choice("What it was.", "declare", "reinforce", "overcall", "defend", data_key="as")


class Dealt(f.Contract):
    """Progress of the deal."""

    count = f.integer("Cards dealt so far.", example=100)
    of = f.integer("Cards to deal in all.", example=100)


class Kitty(f.Contract):
    """The kitty."""

    count = f.integer("Cards in it.", example=8)
    seat = f.integer("The seat that took it last.", nullable=True, example=2)
    cards = f.cards(
        "The buried cards, once they are public. For spectators who see all hands: the cards in it now.",
        nullable=True,
        example=None,
    )
    revealed = f.flag("Whether the declarer revealed it before the first lead.")
    shown = f.cards("The cards in it before it was taken, if all players saw them (`kitty_shown`).", optional=True)


class StandingCall(CalledCard):
    """A called card, and who has played it."""

    filled_by = f.integer("The seat that played it; null: none yet.", nullable=True)


class Roads(f.Contract):
    """Arm's Length: the roads of the players."""

    stated = f.array(f.integer(""), "Seats that have stated a road; it is hidden until the partners agree.")
    set = f.mapping("Seat -> road, for sides whose partners have agreed.", f.text(""), go_name="Agreed")


class ThrowOutcome(f.Contract):
    """The outcome of a throw."""

    ok = f.flag("Whether it held.")
    cards = f.cards("The cards thrown.")
    forced = f.cards("The cards led instead.")
    penalty = f.integer("Points that go to the other side.")


class Play(f.Contract):
    """A seat's play to a trick."""

    seat = f.integer("The seat.", example=1)
    cards = f.cards("The cards.", example=["KD", "KD"])
    units = f.array(f.cards(""), "For a lead: its units, longest first.", optional=True, example=[["KD", "KD"]])
    throw = f.nested(
        ThrowOutcome, "For a lead: the outcome of a throw; null: not a throw.", optional=True, nullable=True
    )


class Trick(f.Contract):
    """A trick."""

    number = f.integer("Its number, from 1 in each round.", example=5)
    leader = f.integer("The seat that led.", example=1)
    plays = f.array(f.nested(Play), "In order of play.")
    winning = f.integer("The seat that is winning so far.", example=1)
    winner = f.integer("For a finished trick: the winning seat.", optional=True)
    points = f.integer(f"For a finished trick: its points; {NOT_IN_ARMS}", optional=True, nullable=True)


class KittyCount(f.Contract):
    """The points of the kitty."""

    cards = f.cards("The cards.", nullable=True)
    points = f.integer("Points in it.")
    factor = f.integer("The factor by which they are multiplied.")
    bonus = f.integer("Points that the attackers get for it.")


class Penalty(f.Contract):
    """The penalty for a failed throw."""

    seat = f.integer("The seat whose throw failed.")
    points = f.integer("Points for the other side.")


class RoundResult(f.Contract):
    """The result of the round."""

    reason = f.text("`played`: to the last trick; otherwise ended by a failed throw.", example="played")
    points = f.integer(f"Points of the attackers in all; {NOT_IN_ARMS}", nullable=True, example=85)
    trick_points = f.integer(f"Those from tricks; {NOT_IN_ARMS}", nullable=True, example=65)
    kitty = f.nested(KittyCount, f"The points of the kitty; {NOT_IN_ARMS}", nullable=True)
    penalties = f.array(f.nested(Penalty), f"Throw penalties; {NOT_IN_ARMS}", nullable=True)
    sides = f.array(
        f.choice("", "declarers", "attackers", "unknown"), f"The side of each seat; {NOT_IN_ARMS}", nullable=True
    )
    side = f.choice(
        "The side that gained; null: neither, as always in Arm's Length.", "declarers", "attackers", nullable=True
    )
    levels = f.integer(f"Levels gained; {NOT_IN_ARMS}", nullable=True)
    scores = f.array(f.integer(""), "Arm's Length: totals of the two sides.", optional=True)
    summary = f.nested(ResultSummary, "A summary.")


class Seen(f.Contract):
    """What the complete tricks of the round have shown everybody about the hands. It can be derived from the events.

    Suits are letters as in cards, T for trumps; in Arm's Length each suit keeps its letter. What is left out is empty.
    """

    voids = f.mapping(
        "Suit -> seats that have shown that they hold no card of it.",
        f.array(f.integer(""), ""),
        optional=True,
        example={"H": [1]},
    )
    most = f.mapping(
        "Suit -> seat -> the largest number of identical cards of the suit that the seat can still hold, as shown by "
        "its plays.",
        f.mapping("", f.integer("")),
        optional=True,
        example={"S": {"2": 1}},
    )
    holds = f.mapping(
        "Seat -> cards that it has shown, in a declaration or a failed throw, and must still hold.",
        f.cards(""),
        optional=True,
        example={"3": ["BJ"]},
    )


class TakeBack(f.Contract):
    """A request to take back a play and all plays since."""

    seat = f.integer("The seat that asks.")
    accepted = f.array(f.integer(""), "Seats that agree.")


class Round(f.Contract):
    """The round, from its shuffle to its score."""

    number = f.integer("Its number, from 1 in each game.", example=3)
    starter = f.integer("The seat that draws first.", example=2)
    level = f.text(f"The level it is played at; {NOT_IN_ARMS}", nullable=True, example="7")
    commitment = f.text("Hash of the server seed of the shuffle, which is revealed after the round.")
    dealt = f.nested(Dealt, "Progress of the deal.")
    trump = f.nested(Trump, "The trumps, once fixed.", nullable=True)
    declarations = f.array(f.nested(Declaration), f"In order; the last one stands; {NOT_IN_ARMS}", nullable=True)
    passes = f.array(f.integer(""), f"Seats that have passed since the last declaration; {NOT_IN_ARMS}", nullable=True)
    declarer = f.integer(f"The seat that takes the kitty, once known; {NOT_IN_ARMS}", nullable=True)
    kitty = f.nested(Kitty, f"The kitty; {NOT_IN_ARMS}", nullable=True)
    calls = f.array(f.nested(StandingCall), f"The cards called for friends; {FRIENDS_ONLY}", nullable=True)
    roads = f.nested(Roads, f"Arm's Length: the roads of the players; {ARMS_ONLY}", nullable=True)
    attackers_points = f.integer(
        f"Points of all players not known to be on the declarer's side; {NOT_IN_ARMS}", nullable=True, example=40
    )
    played = f.mapping("Card -> number of copies played.", f.integer(""), example={"AS": 1})
    trick = f.nested(Trick, "The trick on the table.", nullable=True)
    last_trick = f.nested(Trick, "The previous trick.", nullable=True)
    seen = f.nested(Seen, "What complete tricks have shown about the hands; empty except while cards are played.")
    take_back = f.nested(TakeBack, "The open request to take back a play.", nullable=True)
    returnable = f.integer(
        "How many of the last plays, on the table and in the last trick, may be taken back: a seat may ask if its last "
        "play is among them.",
        example=2,
    )
    result = f.nested(RoundResult, "Its result, once it is over.", nullable=True)
    claims = f.array(
        f.integer(""), "Seats that have claimed wrongly and cannot claim again.", optional=True, example=[2]
    )


class SortedBy(f.Contract):
    """The trumps by which a hand is sorted: those of the round, or until they are fixed, those declared so far."""

    rank = f.text("The trump rank; null: none.", nullable=True, example="7")
    suit = f.choice("The trump suit; null: none.", "S", "H", "D", "C", nullable=True, example="H")
    twos = f.flag("Whether twos are trumps at any level.")
    red_fives = f.flag("Whether red fives are the highest trumps; left out: they are not.", optional=True)


class Mine(f.Contract):
    """What only the caller's seat sees."""

    seat = f.integer("The seat.", example=2)
    hand = f.cards("Sorted for display: trumps from high to low, then the suits.", 0, 200, example=["BJ", "7H", "AS"])
    sorted_by = f.nested(SortedBy, "What the hand is sorted by.")
    discard = f.cards("The cards that the seat has buried.", nullable=True)
    road = f.text("Arm's Length: the road that the seat has stated.", optional=True, nullable=True)


_BY_CORRESPONDENCE = "By correspondence: hours for a decision, with which the limits in seconds have no meaning."
_ALONE = (
    "Whether the limits, including that between rounds, also apply to a person who plays with AI players only. "
    "Default of a new table: `limited` if it sets a limit, else `unlimited`. Left out: `limited`."
)


def _hours(about: str, example: int) -> f.Field:
    return f.integer(about, 1, MOST_HOURS, optional=True, example=example)


def _correspondence() -> dict[str, f.Field]:
    return {
        "decision_hours": _hours("Hours for each decision.", 24),
        "bank_hours": _hours("Hours in the bank of each seat when a game begins.", 72),
        "gain_hours": _hours("Hours that each decision adds to the bank.", 12),
        "most_hours": _hours("Most hours for one decision.", 120),
        "weekends_off": f.flag(
            "Whether Saturdays and Sundays in the time zone of each player do not count; left out: they do.",
            optional=True,
        ),
    }


Correspondence = f.Contract.from_dict(_correspondence(), name="Correspondence")
Correspondence.__doc__ = """Hours in place of time limits: `decision_hours` alone, or the three others.

With a bank, a seat that alone is asked has `gain_hours` and what is in its bank, but never more than `most_hours`; what
it does not need stays in the bank. When several seats are asked, each has `gain_hours`.

The clock stands still in the quiet hours and the holidays of a player who is asked (`GET /v1/me/calendar`). If several
are asked, the decision waits for the one with the latest end."""
AskedCorrespondence = f.Contract.from_dict(_correspondence(), name="AskedCorrespondence")
AskedCorrespondence.__doc__ = "Hours for a decision, or a bank of hours; see `Correspondence`."


_LAST_ROUND = get_args(get_type_hints(Length)["last_round"])


def _length(last_round: f.Field) -> dict[str, f.Field]:
    return {
        "rounds": f.integer(LENGTH["rounds"].meaning["en"], 1, MOST_ROUNDS, optional=True, example=4),
        "minutes": f.integer(LENGTH["minutes"].meaning["en"], 1, MOST_MINUTES, optional=True, example=60),
        "last_round": last_round,
        "levels": f.array(
            f.text("", 1, 8),
            LENGTH["levels"].meaning["en"],
            1,
            MOST_LEVELS,
            optional=True,
            example=["2", "3", "4", "5"],
        ),
    }


GameLength = f.Contract.from_dict(
    _length(f.extensible(LENGTH["last_round"].meaning["en"], _LAST_ROUND, optional=True)), name="GameLength"
)
GameLength.__doc__ = "How long a game is, if it is not a whole one (docs/rules.md §10.6)."
AskedLength = f.Contract.from_dict(
    _length(f.choice(LENGTH["last_round"].meaning["en"], *_LAST_ROUND, optional=True)), name="AskedLength"
)
AskedLength.__doc__ = "How long a game is; {}: a whole one. See `GameLength`."


def clock_fields(*, optional: bool) -> dict[str, f.Field]:
    """Return the fields of a table's time limits, in milliseconds; `optional` for requests."""

    def limit(about: str, low: int, high: int) -> f.Field:
        return f.integer(about, low, high, optional=optional)

    # A clock in hours, which a request sends as such, is shown in milliseconds too.
    hour = 3_600_000 if optional else MOST_HOURS * 3_600_000
    late = (
        "What happens when time is up. `remind`: nothing, and decisions say `pause`; by correspondence alone, and such "
        "games do not count for ratings."
    )
    policies = (*ON_TIMEOUT, "remind")
    hours = f.nested(AskedCorrespondence if optional else Correspondence, _BY_CORRESPONDENCE, optional=True)
    return {
        "deal_interval_ms": limit("Timed deal: interval between two cards to the same seat.", 0, 10_000),
        "declare_ms": limit("To declare, from the last card or the last declaration.", 100, hour),
        "defence_ms": limit("To defend against an overcall.", 100, hour),
        "discard_ms": limit("To bury the kitty.", 100, hour),
        "call_ms": limit("To call friends, or to state a road.", 100, hour),
        "play_ms": limit("To lead or follow.", 100, hour),
        "ready_ms": limit("To look at the result before the next round.", 100, hour),
        "bank_ms": limit("Time bank of each seat per game.", 0, hour),
        "grace_ms": limit("Grace period for late actions.", 0, 60_000),
        "on_timeout": f.choice(late, *policies, optional=True) if optional else f.extensible(late, policies),
        "alone": f.choice(_ALONE, *ALONE, optional=True) if optional else f.extensible(_ALONE, ALONE, optional=True),
        "correspondence": hours,
    }


UNTIMED = f.flag("Whether people have no time limits at all; left out: they have.", optional=True)
Clock = f.Contract.from_dict({**clock_fields(optional=False), "untimed": UNTIMED}, name="Clock")
Clock.__doc__ = "Time limits of a table, in milliseconds."


SPECTATOR_CHOICES = ("off", "delayed", "open")
HINT_CHOICES = ("off", "unrated", "on")
#: Setting of a table -> what it decides.
ABOUT = {name: meaning["en"] for name, meaning in SETTINGS.items()}


class TableSettings(f.Contract):
    """Settings of the table."""

    visibility = f.extensible(ABOUT["visibility"], ("public", "private"))
    spectators = f.extensible(ABOUT["spectators"], SPECTATOR_CHOICES)
    spectator_delay_ms = f.integer(ABOUT["spectator_delay_ms"], example=60000)
    chat = f.flag(ABOUT["chat"])
    take_back = f.flag(ABOUT["take_back"])
    ai_pace_ms = f.integer(ABOUT["ai_pace_ms"], example=600)
    takeover_level = f.text(ABOUT["takeover_level"][:-1] + "; left out: `easy`.", optional=True, example="normal")
    hints = f.extensible(ABOUT["hints"][:-1] + "; left out: `unrated`.", HINT_CHOICES, optional=True)
    random_seats = f.flag(ABOUT["random_seats"][:-1] + "; left out: they are not.", optional=True)
    start_levels = f.array(
        f.text(""), ABOUT["start_levels"][:-1] + "; left out: `start_level`.", optional=True, example=["5", "3"]
    )
    pause_limit_ms = f.integer(ABOUT["pause_limit_ms"][:-1] + ", as if left out.", optional=True, example=600000)
    claims = f.flag(ABOUT["claims"][:-1] + "; left out: no.", optional=True)
    voice = f.flag(ABOUT["voice"] + " Left out: no.", optional=True)
    length = f.nested(GameLength, ABOUT["length"] + " Left out: games are whole ones.", optional=True)


class Vote(f.Contract):
    """A vote."""

    id = f.text("Its id.", example="vt_77")
    kind = f.extensible("What the vote is about.", VOTES)
    seat = f.integer("For `replace`: which seat.", nullable=True)
    votes = f.mapping("Seat -> for or against.", f.flag(""), example={"0": True})
    closes_at = f.time("When it fails if it is still open.", optional=True)
    remaining_ms = f.integer("Milliseconds until then, when this was written.", optional=True, example=43210)


def pause_reason() -> f.Field:
    """Return the reason of a pause."""
    return f.extensible(PAUSE_REASON, get_args(PauseReason), optional=True)


class Pause(f.Contract):
    """A pause: no decision is open, no time runs, and no cards are dealt."""

    by_seat = f.integer("The seat that asked for it.", example=2)
    until = f.time("When the game resumes at the latest; `absent`: until then at least the table is kept.")
    remaining_ms = f.integer("Milliseconds until then, when this was written.", example=594210)
    reason = pause_reason()


class Practice(f.Contract):
    """A practice table: repeatable, never rated."""

    seed = f.text("The seed of its shuffles, once the game is over; it reveals all cards.", nullable=True)
    repeats = f.flag("Whether it begins with a known deal; left out: it does not.", optional=True)
    sandbox = f.flag("Whether it is a sandbox, where time stands still; left out: it is not.", optional=True)


class Closed(f.Contract):
    """Why a table has been closed."""

    reason = f.extensible("By whom: its host, or an operator of the service.", CLOSED_BY)


class View(f.Contract):
    """A table as the caller may see it. Hidden information is absent."""

    id = f.text("Id of the table.", example="tb_7h2kx5q2m4na")
    version = f.integer("Seq of its last event.", example=481)
    server_time = f.time("Now.")
    viewer = f.nested(Viewer, "The caller's role.")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="zhaopengyou")
    options = f.mapping(
        "The chosen options: those that differ from the ruleset's own for this number of players, which GET "
        "/v1/rulesets/{ruleset} lists under `games`. A table created with them has the same rules.",
        example={"overcall": "longer"},
    )
    players = f.integer("Number of seats.", example=5)
    status = f.extensible("Before, during or after a game.", ("lobby", "playing", "finished"))
    closed = f.nested(
        Closed,
        "If the table has been closed: why. Its `status` is `finished`; no further game begins.",
        nullable=True,
    )
    phase = f.extensible("Phase of the round.", PHASES, nullable=True)
    direction = f.choice("Direction of play around the table.", "anticlockwise", "clockwise")
    host = f.text(
        "The player who manages the table. Empty: nobody, at a table of quick play.", example="pl_x5q2k7d3m4na"
    )
    settings = f.nested(TableSettings, "Settings of the table.")
    clock = f.nested(Clock, "Time limits.")
    practice = f.nested(Practice, "For practice tables.", nullable=True)
    next_commitment = f.text("Hash of the server seed of the next shuffle.")
    seats = f.array(f.nested(Seat), "In order of play.")
    game = f.nested(Game, "The game, if one has started.", nullable=True)
    round = f.nested(Round, "The round, if one has started.", nullable=True)
    vote = f.nested(Vote, "The open vote.", nullable=True)
    pause = f.nested(Pause, "The pause of the game; null: the game goes on.", nullable=True)
    decision = f.nested(OpenDecision, "The open decision, if the table waits for players.", nullable=True)
    my = f.nested(Mine, "For players at the table: what only they see.", optional=True)
    hands = f.array(
        f.mapping("", f.integer("")),
        "For spectators, if `spectators` is `open` and the round is over: the hand of each seat, as card -> number of "
        "copies.",
        optional=True,
        example=[{"AS": 2, "BJ": 1}],
    )
    join_code = f.text("For players and host: the code that others need to sit down at a private table.", optional=True)
    watch_code = f.text(
        "For players and host of a private table that allows spectators: the code that others need to watch.",
        optional=True,
    )
    room = f.text("Id of the room whose table it is.", optional=True, example="rm_5kx3q2m4na7h")
    club = f.text("Id of the club whose members alone may come.", optional=True, example="cb_5kx3q2m4na7h")
