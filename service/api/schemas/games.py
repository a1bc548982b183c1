"""Games: how they stand, and their records."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS
from service.api.schemas.view import CalledCard, Clock, Game, Occupant, ResultSummary, RoundSummary
from service.game.records.record import FORMAT

_ERASED = "Who sat there; `player` is null for an AI, and for a player who has been erased."
_WINNERS = "Winning seats, once it has ended."


class SeatOfGame(f.Contract):
    """A seat of a game."""

    seat = f.integer("Its number, in order of play.", example=0)
    occupant = f.nested(Occupant, _ERASED)


class SeatStanding(SeatOfGame):
    """A seat of a game, and how far it has come."""

    level = f.text("Its level: a rank, `NT`, `joker`, with `+` in later laps.", example="7")


class GameSummary(Game):
    """How a game stands, or how it ended."""

    table = f.text("The table that it is or was played at.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    practice = f.flag("Whether it is played for practice: never rated.")
    results = f.array(f.nested(RoundSummary), "The rounds that have ended.")
    status = f.extensible("Whether it is over.", ("playing", "finished"))
    ended_at = f.time("When it ended, once it has.", nullable=True)
    seats = f.array(f.nested(SeatStanding), "In order of play.")


class RoundStanding(f.Contract):
    """What a seat took into a round."""

    level = f.text("Its level.", example="7")
    active = f.flag("Active or passive, where the option `active_passive` is on.")
    attempted = f.array(f.text(""), "Levels that must be played and had been tried.")
    penalty = f.integer("Levels owed for failed throws.", example=0)


class RecordedAction(f.Contract):
    """What a seat did, or what was done for it."""

    seq = f.integer("Seq of the event that it brought about.", example=481)
    at = f.time("When.")
    by = f.extensible("Who: the player, an AI, or the server because time was over.", ("player", "ai", "timeout"))
    seat = f.integer("For which seat.", example=2)
    type = f.extensible(
        "What.", ("declare", "pass", "redeal", "discard", "reveal", "overcall_kitty", "call", "road", "play")
    )
    cards = f.cards("`declare`, `discard`, `overcall_kitty`, `play`: which cards.", 0, 60, optional=True)
    units = f.array(f.cards(""), "`play`: how the cards were to be read.", optional=True)
    calls = f.array(f.nested(CalledCard), "`call`: which cards.", optional=True)
    road = f.text("`road`: which one.", optional=True, example="high")


class RecordedResult(f.Contract):
    """How a round ended."""

    reason = f.text("`played` to the last trick, or ended by a failed throw.", example="played")
    points = f.integer("Points of the attackers in all.", example=85)
    side = f.choice("The side that gained; null: neither.", "declarers", "attackers", nullable=True)
    levels = f.integer("Levels gained.")
    summary = f.nested(ResultSummary, "The same with who was on which side.")


class RecordedShuffle(f.Contract):
    """What the order of the deck follows from; `docs/shuffle.md` says how."""

    server_seed = f.text("The server seed in hexadecimal.")
    commitment = f.text("What was told of it before the round.", example="sha256:66687aadf862bd77…")
    entropy = f.mapping("Seat -> bytes that its player gave, in hexadecimal.", f.text(""), example={"0": "00ff"})
    shuffle_name = f.text("What stands for the table.", example="tb_7h2kx5q2m4na")
    attempts = f.integer("Deals: more than one after a redeal.", example=1)


class RecordedRound(f.Contract):
    """A finished round with everything that happened in it."""

    round = f.integer("Its number.", example=1)
    opened_at = f.time("When it began.")
    starter = f.integer("Who drew first.", example=2)
    declarer = f.integer("The declarer, where that was settled before; null: whoever made trumps.", nullable=True)
    standings = f.array(f.nested(RoundStanding), "What each seat took into it.")
    actions = f.array(f.nested(RecordedAction), "Every action, in order.")
    closings = f.array(f.time(""), "When declaring was closed because its time was over.")
    result = f.nested(RecordedResult, "How it ended.")
    shuffle = f.nested(RecordedShuffle, "How it was shuffled.")
    levels = f.array(f.text(""), "The level of each seat after it.", example=["2", "3", "2", "3"])


class Record(f.Contract):
    """The record of a game: its finished rounds, each with all that is needed to play it again."""

    format = f.text("What this record looks like.", example=FORMAT)
    made_at = f.time("When this record was made.")
    game = f.text("Id of the game.", example="gm_7h2kx5q2m4na_1")
    table = f.text("Id of its table.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    options = f.mapping("Every option with its effective value.", example={"overcall": "longer"})
    clock = f.nested(Clock, "How long things took.")
    practice = f.flag("Whether it was played for practice.")
    seats = f.array(f.nested(SeatOfGame), "In order of play.")
    winners = f.array(f.integer(""), _WINNERS, nullable=True)
    ended = f.text("Why it ended, once it has.", nullable=True, example="won")
    rounds = f.array(f.nested(RecordedRound), "The finished rounds.")
    complete = f.flag("Whether the game is over, so that no round will follow.")


class StateQuery(f.Contract):
    """Through whose eyes."""

    seat = f.integer(
        "As this seat saw it; left out: as somebody saw it who had no seat.", 0, 11, query=True, optional=True
    )
