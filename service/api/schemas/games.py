"""Standings and records of games."""

from typing import get_args

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, CalledCard, Reason
from service.api.schemas.events.envelope import Event
from service.api.schemas.pars import Par
from service.api.schemas.view import Clock, Game, GameLength, Occupant, ResultSummary, RoundSummary, View
from service.game.events.fields import DECIDED_BY, FRIENDS_ONLY, NOT_IN_ARMS
from service.game.records.record import FORMAT
from service.game.state.types import DecidedBy
from service.rules.versions import RULES

_ERASED = "The occupant; `player` is null for AIs and deleted players."
_WINNERS = "Winning seats; null: the game is not over."


class SeatOfGame(f.Contract):
    """A seat of a game."""

    seat = f.integer("Its number, in order of play.", example=0)
    occupant = f.nested(Occupant, _ERASED)


class LaterOccupant(SeatOfGame):
    """A player or AI who took a seat during the game."""

    round = f.integer("The first round with this occupant.", example=3)


def changes_field() -> f.Field:
    """Return the field with changes of occupants during a game."""
    return f.array(
        f.nested(LaterOccupant), "Who took a seat between two rounds, in order; left out: nobody.", optional=True
    )


class SeatStanding(SeatOfGame):
    """A seat of a game and its level."""

    level = f.text(
        f"Its level: a rank, `NT` or `joker`, with `+` in later laps; {NOT_IN_ARMS}", nullable=True, example="7"
    )


class GameSummary(Game):
    """The standing of a game."""

    table = f.text("The table where it is or was played.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    practice = f.flag("Whether it is a practice game, which is never rated.")
    results = f.array(f.nested(RoundSummary), "The finished rounds.")
    status = f.extensible("Whether it is over.", ("playing", "finished"))
    ended_at = f.time("When it ended.", nullable=True)
    seats = f.array(f.nested(SeatStanding), "In order of play, with the occupant now, or at the end of the game.")
    changes = changes_field()


class RoundStanding(f.Contract):
    """The standing of a seat before a round."""

    level = f.text("Its level.", example="7")
    active = f.flag(f"Active or passive, if the option `active_passive` is on; {FRIENDS_ONLY}", nullable=True)
    attempted = f.array(f.text(""), "Must-play levels already attempted.")
    penalty = f.integer("Levels owed for failed throws.", example=0)
    defended = f.array(f.text(""), "Must-play levels already won as declarers; left out: none.", optional=True)
    laps = f.integer("How often the last level was passed; left out: never.", optional=True, example=1)


class RecordedAction(f.Contract):
    """An action of a seat, or one taken for it."""

    seq = f.integer("Seq of its event.", example=481)
    at = f.time("When it was taken.")
    by = f.extensible(
        "Who took it: the player, an AI, or the service (when time was up, or after a claim).",
        ("player", "ai", "timeout", "server"),
    )
    seat = f.integer("The acting seat.", example=2)
    type = f.extensible(
        "The kind of action.",
        ("declare", "pass", "redeal", "discard", "reveal", "overcall_kitty", "call", "road", "play", "claim"),
    )
    cards = f.cards("`declare`, `discard`, `overcall_kitty`, `play`: the cards.", optional=True)
    units = f.array(f.cards(""), "`play`: how the cards are read.", optional=True)
    calls = f.array(f.nested(CalledCard), "`call`: the cards called.", optional=True)
    road = f.text("`road`: the road.", optional=True, example="high")
    interval_ms = f.integer(
        "For the `pass` after which no player wanted to watch the deal any more: its interval from then on.",
        optional=True, example=50,
    )  # fmt: skip
    reason = f.nested(Reason, "AI players: why.", optional=True)


class RecordedResult(f.Contract):
    """How a round ended."""

    reason = f.text("`played`: to the last trick; otherwise ended by a failed throw.", example="played")
    points = f.integer(f"Points of the attackers in all; {NOT_IN_ARMS}", nullable=True, example=85)
    side = f.choice(
        "The side that gained; null: neither, as always in Arm's Length.", "declarers", "attackers", nullable=True
    )
    levels = f.integer(f"Levels gained; {NOT_IN_ARMS}", nullable=True)
    summary = f.nested(ResultSummary, "The same, with the sides of all seats.")


class RecordedShuffle(f.Contract):
    """The inputs of the shuffle; `docs/shuffle.md` describes the algorithm."""

    server_seed = f.text("The server seed in hexadecimal.")
    commitment = f.text("The commitment published before the round.", example="sha256:66687aadf862bd77…")
    entropy = f.mapping("Seat -> bytes that its player added, in hexadecimal.", f.text(""), example={"0": "00ff"})
    shuffle_name = f.text("Identifies the table in the shuffle.", example="tb_7h2kx5q2m4na")
    attempts = f.integer("Number of deals: more than one after a redeal.", example=1)


class RecordedDeal(f.Contract):
    """Cards that were dealt instead of shuffled ones."""

    hands = f.array(f.cards(""), "The hand of each seat, in the order in which it was dealt.")
    kitty = f.cards("The kitty.")


class RecordedPause(f.Contract):
    """A pause of the game."""

    since = f.time("When it began.", data_key="from")
    until = f.time("When it ended.")


class RecordedInterruption(f.Contract):
    """A delay of a timed deal while nobody could reach the service."""

    at = f.time("When it went on.")
    ms = f.integer("How long the delay was.", example=67000)


class RecordedRound(f.Contract):
    """A finished round."""

    round = f.integer("Its number.", example=1)
    opened_at = f.time("When it started.")
    starter = f.integer("Who drew first.", example=2)
    declarer = f.integer("The declarer, if known before the deal; null: whoever made trumps.", nullable=True)
    standings = f.array(f.nested(RoundStanding), f"The standing of each seat before it; {NOT_IN_ARMS}", nullable=True)
    actions = f.array(f.nested(RecordedAction), "Every action, in order.")
    closings = f.array(f.time(""), f"When declaring closed because time was up; {NOT_IN_ARMS}", nullable=True)
    pauses = f.array(f.nested(RecordedPause), "When the game was paused; left out: never.", optional=True)
    interruptions = f.array(f.nested(RecordedInterruption), "Delays of a timed deal; left out: none.", optional=True)
    taken_back = f.array(
        f.integer(""), "Seats whose take-backs cost a level (`take_back_level`); left out: none.", optional=True
    )
    deals = f.array(
        f.nested(RecordedDeal),
        "Deals that replaced what the shuffle gives: the first, then any redeals. Left out: none.",
        optional=True,
    )
    result = f.nested(RecordedResult, "How it ended.")
    shuffle = f.nested(RecordedShuffle, "Its shuffle.")
    par = f.nested(Par, "What its cards were worth; left out until somebody has asked for par.", optional=True)
    levels = f.array(
        f.text(""),
        f"The level of each seat after it; {NOT_IN_ARMS}",
        nullable=True,
        example=["2", "3", "2", "3"],
    )
    clock = f.nested(Clock, "The time limits, if the host has changed them since the game began.", optional=True)


class GameRecord(f.Contract):
    """The record of a game: its finished rounds, with everything needed to replay them."""

    format = f.text("Format of the record.", example=FORMAT)
    made_at = f.time("When this record was written.")
    game = f.text("Id of the game.", example="gm_7h2kx5q2m4na_1")
    table = f.text("Id of its table.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    rules = f.integer("Version of the rules by which it was played (`docs/rules.md` §13).", example=RULES)
    options = f.mapping("Every option with its effective value.", example={"overcall": "longer"})
    clock = f.nested(Clock, "The time limits.")
    length = f.nested(GameLength, "How long the game was to be; left out: a whole one.", optional=True)
    practice = f.flag("Whether it was a practice game.")
    seats = f.array(f.nested(SeatOfGame), "In order of play, with the occupant at the start.")
    changes = changes_field()
    winners = f.array(f.integer(""), _WINNERS, nullable=True)
    ended = f.text("Why it ended.", nullable=True, example="won")
    decided_by = f.extensible(DECIDED_BY, get_args(DecidedBy), optional=True)
    rounds = f.array(f.nested(RecordedRound), "The finished rounds.")
    complete = f.flag("Whether the game is over: no more rounds follow.")


class RoundEvents(f.Contract):
    """A finished round as a seat saw it."""

    view = f.nested(View, "The table when the round was opened.")
    events = f.array(
        f.nested(Event),
        "What was dealt, asked and played, in order, without hints; other events of the table are left out.",
    )


class StateQuery(f.Contract):
    """Whose view."""

    seat = f.integer(
        "The view of this seat; without it, that of a spectator.", 0, f.MOST_SEATS - 1, query=True, optional=True
    )


class RoundQuery(StateQuery):
    """Whose view of a finished round."""

    hands = f.choice("`open`: that of a spectator who sees all hands, whatever `seat` is.", "open", optional=True)
