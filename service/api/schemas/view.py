"""The view of a table, as `service.game.views.view` writes it (docs/contract.md §4)."""

from service.api.presence import GRACE_S
from service.api.schemas import fields as f
from service.api.schemas.common import ON_TIMEOUT, RULESET_IDS, OpenDecision
from service.game.commands.together import VOTES

PHASES = ("dealing", "declaring", "kitty", "calling", "roads", "playing", "scored")
PRESENCE = ("online", "away", "gone")


class Viewer(f.Contract):
    """As whom the caller sees the table."""

    role = f.extensible("A player at the table, or somebody who watches.", ("seat", "spectator"))
    seat = f.integer("The caller's seat.", optional=True, example=2)


class Occupant(f.Contract):
    """Who sits on a seat."""

    kind = f.extensible("A person, an outside program, or an AI of the service.", ("human", "bot", "ai"))
    player = f.text("Id of the player; null for an AI.", nullable=True, example="pl_x5q2k7d3m4na")
    name = f.text("What to call the player.", example="Lin")
    level = f.text("Level of an AI.", nullable=True, example=None)


class Seat(f.Contract):
    """One seat of the table."""

    seat = f.integer("Its number, in order of play.", example=0)
    occupant = f.nested(Occupant, "Who sits there; null: it is free.", nullable=True)
    autopilot = f.text("Level of the AI that plays for the absent player, or null.", nullable=True, example=None)
    ready = f.flag("Whether its player is ready for the game, or its next round, to begin.")
    presence = f.extensible(
        f"Whether its player is there. `away`: the last stream was closed {GRACE_S:.0f} seconds ago, or a decision was "
        "let go by, and the player has done nothing since. `gone`: the player has left, or nobody sits there.",
        PRESENCE,
    )
    timeouts = f.integer("Decisions in a row that its player let go by.", example=0)
    level = f.text("Its level: a rank, `NT`, `joker`, with `+` in later laps.", example="7")
    active = f.flag("Active or passive, where the option `active_passive` is on.")
    penalty = f.integer("Levels owed for failed throws, paid off from later gains.", example=0)
    bank_ms = f.integer("Its time bank.", example=0)
    side = f.choice("Its side as far as everybody knows.", "declarers", "attackers", "unknown")
    hand_count = f.integer("Cards held.", example=12)
    tricks = f.integer("Tricks won in this round.", example=3)
    points = f.integer("Points of those tricks that count for the player.", example=25)


class ResultSummary(f.Contract):
    """How a round ended, in short."""

    points = f.integer("Points of the attackers.", optional=True, example=85)
    side = f.choice("The side that gained.", "declarers", "attackers", nullable=True, optional=True)
    levels = f.integer("Levels gained.", optional=True, example=1)
    declarer = f.integer("Seat of the declarer.", optional=True, example=0)
    declarers = f.array(f.integer(""), "Seats of the declarer's side.", optional=True, example=[0, 2])
    scores = f.array(f.integer(""), "Arm's Length: scores of the two sides.", optional=True)
    roads = f.mapping("Arm's Length: seat -> road.", f.text(""), optional=True)
    tricks = f.array(f.integer(""), "Arm's Length: tricks of the seats.", optional=True)


class RoundSummary(ResultSummary):
    """How a round of the game ended, in short."""

    round = f.integer("Its number.", example=1)


class Game(f.Contract):
    """The game, from its first round to the end of the level ladder."""

    id = f.text("Its id.", example="gm_2c7f")
    round = f.integer("Number of the round.", example=3)
    results = f.array(
        f.nested(RoundSummary), "The latest rounds that have ended, at most three; all are in `GET /v1/games/{game}`."
    )
    winners = f.array(f.integer(""), "Winning seats, once it has ended.", nullable=True)
    ended = f.text("Why it ended, once it has.", nullable=True, example=None)
    scores = f.array(f.integer(""), "Arm's Length: totals of the sides of seats 0 and 2, and 1 and 3.", nullable=True)


class Trump(f.Contract):
    """What is trumps."""

    rank = f.text("The trump rank; null: none.", nullable=True, example="7")
    suit = f.choice("The trump suit; null: none.", "S", "H", "D", "C", nullable=True, example="H")


class Declaration(f.Contract):
    """Cards that were shown to make trumps."""

    seat = f.integer("Who showed them.", example=2)
    cards = f.cards("The whole set that then lay on the table.", example=["7H", "7H"])
    meaning = f.choice("What it was.", "declare", "reinforce", "overcall", "defend", data_key="as")


class Dealt(f.Contract):
    """How far the deal has come."""

    count = f.integer("Cards dealt.", example=100)
    of = f.integer("Cards to be dealt.", example=100)


class Kitty(f.Contract):
    """The cards laid aside."""

    count = f.integer("How many lie there.", example=8)
    seat = f.integer("Who took it last.", nullable=True, example=2)
    cards = f.cards("The discard, once everybody may see it.", nullable=True, example=None)
    revealed = f.flag("Whether the declarer has shown it before the first lead.")


class CalledCard(f.Contract):
    """A card that the declarer has called for a friend."""

    card = f.card("The card.", example="AS")
    ordinal = f.integer("Which copy of it brings the friend, counted as they are played.", optional=True, example=2)
    other = f.flag("`true`: the other copy, which the declarer does not hold.", optional=True)


class StandingCall(CalledCard):
    """A called card, and who has brought it."""

    filled_by = f.integer("Who brought it; null: nobody yet.", nullable=True)


class Roads(f.Contract):
    """Arm's Length: who takes which road."""

    stated = f.array(f.integer(""), "Seats that have stated one; which one is hidden until the partners agree.")
    set = f.mapping("Seat -> road, of the sides whose partners have agreed.", f.text(""))


class ThrowOutcome(f.Contract):
    """What became of a throw."""

    ok = f.flag("Whether it held.")
    cards = f.cards("What was to be thrown.")
    forced = f.cards("What was led instead.")
    penalty = f.integer("Points that go to the other side.")


class Play(f.Contract):
    """What one seat has played to a trick."""

    seat = f.integer("Who.", example=1)
    cards = f.cards("What.", example=["KD", "KD"])
    units = f.array(
        f.cards(""), "Of a lead: how it is read, longest unit first.", optional=True, example=[["KD", "KD"]]
    )
    throw = f.nested(
        ThrowOutcome, "Of a lead: what became of a throw; null: it was none.", optional=True, nullable=True
    )


class Trick(f.Contract):
    """A trick."""

    number = f.integer("From 1 in each round.", example=5)
    leader = f.integer("Who led.", example=1)
    plays = f.array(f.nested(Play), "In order of play.")
    winning = f.integer("Whose cards are best so far.", example=1)
    winner = f.integer("Of a finished trick: who won it.", optional=True)
    points = f.integer("Of a finished trick: its points.", optional=True)


class KittyCount(f.Contract):
    """What the kitty counted."""

    cards = f.cards("The cards.", nullable=True)
    points = f.integer("Points in it.")
    factor = f.integer("How often they count.")
    bonus = f.integer("What the attackers get for it.")


class Penalty(f.Contract):
    """Points booked for a failed throw."""

    seat = f.integer("Whose throw failed.")
    points = f.integer("Points for the other side.")


class RoundResult(f.Contract):
    """How the round ended."""

    reason = f.text("`played` to the last trick, or ended by a failed throw.", example="played")
    points = f.integer("Points of the attackers in all.", example=85)
    trick_points = f.integer("Those of tricks.", example=65)
    kitty = f.nested(KittyCount, "What the kitty counted.", nullable=True)
    penalties = f.array(f.nested(Penalty), "Throw penalties.")
    sides = f.array(f.choice("", "declarers", "attackers", "unknown"), "The side of each seat.")
    side = f.choice("The side that gained; null: neither.", "declarers", "attackers", nullable=True)
    levels = f.integer("Levels gained.")
    scores = f.array(f.integer(""), "Arm's Length: totals of the two sides.", optional=True)
    summary = f.nested(ResultSummary, "The same in short.")


class TakeBack(f.Contract):
    """A player asks to take the last play back."""

    seat = f.integer("Who.")
    accepted = f.array(f.integer(""), "Seats that agree.")


class Round(f.Contract):
    """The round: one shuffle to its score."""

    number = f.integer("From 1 in each game.", example=3)
    starter = f.integer("Who draws first.", example=2)
    level = f.text("The level it is played at.", example="7")
    commitment = f.text("Hash that the server seed of the shuffle must match when it is revealed.")
    dealt = f.nested(Dealt, "How far the deal has come.")
    trump = f.nested(Trump, "What is trumps, once fixed.", nullable=True)
    declarations = f.array(f.nested(Declaration), "In order; the last one stands.")
    passes = f.array(f.integer(""), "Seats that have passed since the last declaration.")
    declarer = f.integer("Who has or will take the kitty, once known.", nullable=True)
    kitty = f.nested(Kitty, "The cards laid aside.")
    calls = f.array(f.nested(StandingCall), "The cards called for friends.")
    roads = f.nested(Roads, "Arm's Length: who takes which road; null in other games.", nullable=True)
    attackers_points = f.integer("Points of everybody not known to be on the declarer's side.", example=40)
    played = f.mapping("Card -> how many copies have been played.", f.integer(""), example={"AS": 1})
    trick = f.nested(Trick, "The trick on the table.", nullable=True)
    last_trick = f.nested(Trick, "The trick before.", nullable=True)
    take_back = f.nested(TakeBack, "The open question to take a play back.", nullable=True)
    result = f.nested(RoundResult, "How it ended, once it has.", nullable=True)


class Mine(f.Contract):
    """What only the caller's own seat sees."""

    seat = f.integer("The seat.", example=2)
    hand = f.cards("Sorted for display: trumps from high to low, then suits.", 0, 200, example=["BJ", "7H", "AS"])
    discard = f.cards("What the seat has buried.", nullable=True)
    road = f.text("Arm's Length: the road that the seat has stated.", optional=True, nullable=True)


def clock_fields(*, optional: bool) -> dict[str, f.Field]:
    """Return how long things take at a table, in milliseconds: as it is told, or as far as a host wants to say."""

    def limit(about: str, low: int, high: int) -> f.Field:
        return f.integer(about, low, high, optional=optional)

    hour = 3_600_000
    late = "What happens when the time is over."
    return {
        "deal_interval_ms": limit("A timed deal: from one card to a seat to its next.", 0, 10_000),
        "declare_ms": limit("To declare, after the last card or the last declaration.", 100, hour),
        "defence_ms": limit("To defend against being overcalled.", 100, hour),
        "discard_ms": limit("To bury the kitty.", 100, hour),
        "call_ms": limit("To call friends, or to state a road.", 100, hour),
        "play_ms": limit("To lead or follow.", 100, hour),
        "ready_ms": limit("To look at the result before the next round.", 100, hour),
        "bank_ms": limit("Time bank of each seat for a game.", 0, hour),
        "grace_ms": limit("Lateness that is forgiven.", 0, 60_000),
        "on_timeout": f.choice(late, *ON_TIMEOUT, optional=True) if optional else f.extensible(late, ON_TIMEOUT),
    }


Clock = f.Contract.from_dict(clock_fields(optional=False), name="Clock")
Clock.__doc__ = "How long things take at a table, in milliseconds."


VISIBILITY = "`public` tables are in the lobby; `private` ones are entered with the join code."
SPECTATORS = "Whether others may watch the game, after `spectator_delay_ms`."
DELAY = "How far behind the game spectators are."
CHAT = "Whether there is a chat."
TAKE_BACK = "Whether a play may be taken back if nobody minds."
PACE = "How long AI seats wait before they move, so that people can follow."


class TableSettings(f.Contract):
    """What the host has chosen."""

    visibility = f.extensible(VISIBILITY, ("public", "private"))
    spectators = f.extensible(SPECTATORS, ("off", "delayed"))
    spectator_delay_ms = f.integer(DELAY, example=60000)
    chat = f.flag(CHAT)
    take_back = f.flag(TAKE_BACK)
    ai_pace_ms = f.integer(PACE, example=600)


class Vote(f.Contract):
    """A vote."""

    id = f.text("Its id.", example="vt_77")
    kind = f.extensible("What about.", VOTES)
    seat = f.integer("Of `replace`: whose seat.", nullable=True)
    votes = f.mapping("Seat -> for it or against.", f.flag(""), example={"0": True})


class Practice(f.Contract):
    """A practice table: repeatable, never rated."""

    seed = f.text("The seed of its shuffles, once the game is over: it gives all cards away.", nullable=True)


class View(f.Contract):
    """A table as the caller may see it. What one may not know is absent."""

    id = f.text("Id of the table.", example="tb_7h2kx5q2m4na")
    version = f.integer("Seq of its last event.", example=481)
    server_time = f.time("Now.")
    viewer = f.nested(Viewer, "As whom the caller sees it.")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="zhaopengyou")
    options = f.mapping("Every option with its effective value.", example={"overcall": "longer"})
    players = f.integer("Number of seats.", example=5)
    status = f.extensible("Before, in or after a game.", ("lobby", "playing", "finished"))
    phase = f.extensible("Phase of the round.", PHASES, nullable=True)
    direction = f.choice("How to seat the players around the table.", "anticlockwise", "clockwise")
    host = f.text("Player who decides about the table.", example="pl_x5q2k7d3m4na")
    settings = f.nested(TableSettings, "What the host has chosen.")
    clock = f.nested(Clock, "How long things take.")
    practice = f.nested(Practice, "Set for a practice table.", nullable=True)
    next_commitment = f.text("Hash of the server seed of the next shuffle.")
    seats = f.array(f.nested(Seat), "In order of play.")
    game = f.nested(Game, "The game, if one has begun.", nullable=True)
    round = f.nested(Round, "The round, if one has begun.", nullable=True)
    vote = f.nested(Vote, "The open vote.", nullable=True)
    decision = f.nested(OpenDecision, "What the table waits for, if it waits for somebody.", nullable=True)
    my = f.nested(Mine, "What only the caller sees: for players at the table.", optional=True)
    join_code = f.text("What lets others sit down at a private table: for its players.", optional=True)
