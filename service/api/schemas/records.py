"""Records of games that were played elsewhere."""

from service.api.schemas import checks
from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS
from service.api.schemas.tables import RecordedClock
from service.api.schemas.view import AskedLength
from service.game.records.record import FORMAT
from service.game.records.replay import MOST_ROUNDS
from service.rules.versions import FIRST, RULES

#: Most characters of a record as text.
_MOST_TEXT = 2_000_000


class AskedPlayedAction(checks.AskedAction):
    """An action."""

    at = f.time("When it was taken; left out: at the time of the one before.", pattern=checks.MOMENT, optional=True)


class AskedPlayedRound(checks.AskedRound):
    """A round. It has either `deals` or a `shuffle`; what is left out follows from the rules."""

    opened_at = f.time("When it was opened.", pattern=checks.MOMENT, optional=True)
    declarer = f.integer("The declarer, if already settled.", *checks.SEAT, nullable=True, optional=True)
    standings = f.array(
        f.nested(checks.AskedStanding), "The standing of each seat before it.", 4, 16, nullable=True, optional=True
    )
    actions = f.array(f.nested(AskedPlayedAction), "Every action, in order.", 0, 10_000)
    closings = f.array(
        f.time("", pattern=checks.MOMENT), "When declaring closed because time was up.", 0, 1_000, nullable=True,
        optional=True,
    )  # fmt: skip
    result = f.nested(checks.AskedResult, "How it ended; checked if given.", nullable=True, optional=True)
    shuffle = f.nested(checks.AskedShuffle, "How it was shuffled.", optional=True)
    levels = f.array(f.text("", 1, 80), "The level of each seat after it.", 4, 16, nullable=True, optional=True)


class AskedOccupant(checks.Part):
    """The occupant of a seat."""

    name = f.name("The name.", 40, example="Lin")


class AskedSeat(checks.Part):
    """A seat and its occupant."""

    seat = f.integer("Its number.", *checks.SEAT)
    name = f.name("The name; left out: that of the occupant, if there is one.", 40, optional=True, example="Lin")
    occupant = f.nested(AskedOccupant, "Its occupant.", nullable=True, optional=True)


class AskedGameRecord(checks.Part):
    """The record of a game: as `GET /v1/games/{game}/record` returns it, or made by another program."""

    format = f.choice("Format of the record.", FORMAT, default=FORMAT)
    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", 4, f.MOST_SEATS, example=4)
    rules = f.integer("Version of the rules by which it was played.", FIRST, RULES, default=RULES, example=RULES)
    options = f.mapping(
        "Options that differ from the ruleset's.",
        high=f.MOST_OPTIONS,
        default=dict,
        example={"deal_pace": "instant"},
    )
    clock = f.nested(RecordedClock, "The time limits.", optional=True)
    length = f.nested(AskedLength, "How long the game was; left out: a whole one.", optional=True)
    seats = f.array(f.nested(AskedSeat), "Who sat where.", 0, f.MOST_SEATS, optional=True)
    rounds = f.array(f.nested(AskedPlayedRound), "The rounds, one after the other.", 1, MOST_ROUNDS)
    ended = f.text("Why the game ended.", 0, 40, nullable=True, optional=True, example="ended_early")


class RecordToImport(f.Contract):
    """A record: either as JSON or as text."""

    record = f.nested(AskedGameRecord, "The record as JSON.", optional=True)
    text = f.text("The record as text; `docs/record-format.md` describes the form.", 1, _MOST_TEXT, optional=True)


class ImportedGame(f.Contract):
    """A game that was imported."""

    game = f.text("Its id, as for `GET /v1/games/{game}`.", example="gm_7h2kx5q2m4na_1")
    rounds = f.integer("How many rounds it has.", example=12)
