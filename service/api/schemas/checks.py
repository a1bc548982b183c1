"""Checks of records and shuffles."""

from typing import Unpack

from marshmallow import INCLUDE

from service.api.schemas import fields as f
from service.api.schemas.actions import CardCall
from service.api.schemas.common import RULESET_IDS
from service.api.schemas.tables import RecordedClock
from service.api.schemas.view import AskedLength
from service.game.records.record import FORMAT
from service.game.records.replay import MOST_ROUNDS
from service.rules.versions import FIRST, RULES

#: Most values in a record: nearly twice those of 12,000 steps, the most that are replayed.
MOST_VALUES = 250_000
SEAT = (0, f.MOST_SEATS - 1)
_COUNT = (0, 100_000)
_HEX_SEED = "^[0-9a-f]{64}$"
MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
_SHUFFLE_NAME = r"^[A-Za-z0-9_-]+$"
_COMMITMENT = "^sha256:[0-9a-f]{64}$"


def _seed() -> f.Field:
    return f.text("The server seed in hexadecimal.", 64, 64, pattern=_HEX_SEED, example="00" * 32)


def _commitment() -> f.Field:
    return f.text(
        "The commitment published before the round.", 71, 71, pattern=_COMMITMENT, example="sha256:" + "66" * 32
    )


def _entropy() -> f.Field:
    return f.mapping(
        "Seat -> bytes that its player added, in hexadecimal.",
        f.text("", 2, 128, pattern="^([0-9a-f]{2})+$"),
        high=f.MOST_SEATS,
        names=f.text("", 1, 2, pattern="^([0-9]|1[0-5])$"),
        example={"0": "00ff"},
    )


def _shuffle_name() -> f.Field:
    return f.text("Identifies the table in the shuffle.", 1, 60, pattern=_SHUFFLE_NAME, example="tb_7h2kx5q2m4na")


def _moment(about: str, **attributes: Unpack[f.Attributes]) -> f.Field:
    return f.time(about, pattern=MOMENT, **attributes)


class Part(f.Contract):
    """A part of a record. Unknown fields are ignored: later records may have more."""

    class Meta:
        """See marshmallow."""

        unknown = INCLUDE


class AskedStanding(Part):
    """The standing of a seat before the round."""

    level = f.text("Its level.", 1, 80, example="7")
    active = f.flag("Active or passive.", default=True, nullable=True)
    attempted = f.array(f.text("", 1, 80), "Must-play levels already attempted.", 0, 100)
    defended = f.array(f.text("", 1, 80), "Must-play levels already won as declarers.", 0, 100, optional=True)
    laps = f.integer("How often the last level was passed.", *_COUNT, optional=True)
    penalty = f.integer("Levels owed for failed throws.", *_COUNT)


class AskedAction(Part):
    """An action."""

    at = _moment("When it was taken.")
    seat = f.integer("The acting seat.", *SEAT)
    type = f.choice(
        "The kind of action.",
        "declare",
        "pass",
        "redeal",
        "discard",
        "reveal",
        "overcall_kitty",
        "call",
        "road",
        "play",
        "claim",
    )
    cards = f.cards("Which cards.", optional=True)
    units = f.array(f.cards("", 1), "How the cards are read.", 0, f.MOST_CARDS, optional=True)
    calls = f.array(f.nested(CardCall), "Which cards are called.", 0, f.MOST_CALLS, optional=True)
    road = f.choice("Which road.", "high", "low", "either", optional=True)
    interval_ms = f.integer("For a pass that speeds up the deal: its interval from then on.", 1, 10_000, optional=True)


class AskedResult(Part):
    """The recorded result of the round."""

    reason = f.text("Why the round ended.", 1, 40, example="played")
    points = f.integer("Points of the attackers.", nullable=True)
    side = f.choice("The side that gained; null: neither.", "declarers", "attackers", nullable=True)
    levels = f.integer("Levels gained.", nullable=True)
    summary = f.mapping("The same, with the sides of all seats.", high=100)


class AskedShuffle(Part):
    """The recorded shuffle of the round."""

    server_seed = _seed()
    commitment = _commitment()
    entropy = _entropy()
    shuffle_name = _shuffle_name()


class AskedDeal(Part):
    """Cards that were dealt instead of shuffled ones."""

    hands = f.array(f.cards(""), "The hand of each seat, in the order in which it was dealt.", 4, 16)
    kitty = f.cards("The kitty.", 0, f.MOST_KITTY)


class AskedPause(Part):
    """A pause."""

    since = _moment("When it began.", data_key="from")
    until = _moment("When it ended.")


class AskedInterruption(Part):
    """A delay of a timed deal."""

    at = _moment("When it went on.")
    ms = f.integer("How long the delay was.", 0, 10**12)


class AskedRound(Part):
    """A round."""

    round = f.integer("Its number.", 1, 100_000, example=1)
    opened_at = _moment("When it started.")
    starter = f.integer("Who drew first.", *SEAT)
    declarer = f.integer("The declarer, if already settled.", *SEAT, nullable=True)
    standings = f.array(f.nested(AskedStanding), "The standing of each seat before it.", 4, 16, nullable=True)
    actions = f.array(f.nested(AskedAction), "Every action, in order.", 0, 10_000)
    closings = f.array(_moment(""), "When declaring closed because time was up.", 0, 1_000, nullable=True)
    pauses = f.array(f.nested(AskedPause), "When the game was paused.", 0, 1_000, optional=True)
    interruptions = f.array(f.nested(AskedInterruption), "Delays of a timed deal.", 0, 1_000, optional=True)
    taken_back = f.array(
        f.integer("", *SEAT), "Seats whose take-backs cost a level (`take_back_level`).", 0, 1_000, optional=True
    )
    deals = f.array(
        f.nested(AskedDeal), "The deals of a round that this service did not shuffle.", 0, 20, optional=True
    )
    result = f.nested(AskedResult, "How it ended.")
    shuffle = f.nested(AskedShuffle, "How it was shuffled.")
    levels = f.array(f.text("", 1, 80), "The level of each seat after it.", 4, 16, nullable=True)
    clock = f.nested(RecordedClock, "The time limits, if they differ from those of the record.", optional=True)


class AskedRecord(Part):
    """A record as `GET /v1/games/{game}/record` gives it."""

    format = f.text("Format of the record.", 1, 40, example=FORMAT)
    game = f.text("Id of the game.", 1, 60, example="gm_7h2kx5q2m4na_1")
    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", 4, f.MOST_SEATS, example=4)
    rules = f.integer("Version of the rules by which it was played.", FIRST, RULES, default=FIRST, example=RULES)
    options = f.mapping("Options with their values.", high=f.MOST_OPTIONS, example={"deal_pace": "instant"})
    clock = f.nested(RecordedClock, "The time limits.")
    length = f.nested(AskedLength, "How long the game was; left out: a whole one.", optional=True)
    rounds = f.array(f.nested(AskedRound), "The finished rounds.", 0, MOST_ROUNDS)


class CheckedRound(f.Contract):
    """The result of verifying a round."""

    round = f.integer("Its number.", example=1)
    ok = f.flag("Whether it follows from its shuffle and the rules.")
    reason = f.extensible(
        "What is wrong: the seed does not match the commitment, an action breaks the rules, the round does not end, "
        "or the result or the levels differ. null: nothing.",
        ("commitment", "illegal", "unfinished", "result", "levels"),
        nullable=True,
    )
    detail = f.text("Details, for people.", nullable=True, example=None)


class RecordCheck(f.Contract):
    """The result of verifying a record."""

    ok = f.flag("Whether every round follows from its shuffle and the rules.")
    rounds = f.array(f.nested(CheckedRound), "Each round.")


class ShuffleToRepeat(f.Contract):
    """The inputs of a shuffle."""

    server_seed = _seed()
    commitment = _commitment()
    entropy = _entropy()
    shuffle_name = _shuffle_name()
    round = f.integer("Number of the round in the game.", 1, 100_000, example=1)
    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", 4, f.MOST_SEATS, example=4)
    options = f.mapping(
        "Options that differ from the ruleset's defaults.", high=f.MOST_OPTIONS, optional=True, example={}
    )
    attempt = f.integer("Which deal of the round: 0, plus 1 for each redeal.", 0, 100_000, default=0)


class ShuffleCheck(f.Contract):
    """The shuffled deck."""

    ok = f.flag("Whether the deck is the one that was committed to.")
    commitment_ok = f.flag("Whether the seed is the one that was committed to.")
    deck = f.cards("The deck from the top: the first card goes to the starter; the last ones are the kitty.", 0, 2_000)
