"""What can be checked: records by playing them again, shuffles by repeating them."""

from typing import Any

from marshmallow import INCLUDE, pre_load

from service.api.schemas import fields as f
from service.api.schemas.actions import CardCall
from service.api.schemas.common import RULESET_IDS
from service.api.schemas.tables import ClockChanges
from service.api.turns import give_way
from service.game.records import FORMAT, MOST_ROUNDS

_SEAT = (0, 11)
_COUNT = (0, 100_000)
_HEX_SEED = "^[0-9a-f]{64}$"
_MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
_SHUFFLE_NAME = r"^[A-Za-z0-9_-]+$"
_COMMITMENT = "^sha256:[0-9a-f]{64}$"


def _seed() -> f.Field:
    return f.text("The server seed in hexadecimal.", 64, 64, pattern=_HEX_SEED, example="00" * 32)


def _commitment() -> f.Field:
    return f.text("What was told of it before the round.", 71, 71, pattern=_COMMITMENT, example="sha256:" + "66" * 32)


def _entropy() -> f.Field:
    return f.mapping(
        "Seat -> bytes that its player gave, in hexadecimal.",
        f.text("", 2, 128, pattern="^([0-9a-f]{2})+$"),
        names=f.text("", 1, 2, pattern="^([0-9]|1[01])$"),
        example={"0": "00ff"},
    )


def _shuffle_name() -> f.Field:
    return f.text("What stands for the table.", 1, 60, pattern=_SHUFFLE_NAME, example="tb_7h2kx5q2m4na")


def _moment(about: str) -> f.Field:
    return f.time(about, pattern=_MOMENT)


class _Part(f.Contract):
    """A part of a record. What the check does not read is let be: later records may hold more."""

    class Meta:
        """See marshmallow."""

        unknown = INCLUDE


class AskedStanding(_Part):
    """What a seat took into the round."""

    level = f.text("Its level.", 1, 80, example="7")
    active = f.flag("Active or passive.", default=True)
    attempted = f.array(f.text("", 1, 80), "Levels that must be played and had been tried.", 0, 100)
    penalty = f.integer("Levels owed for failed throws.", *_COUNT)


class AskedAction(_Part):
    """An action."""

    at = _moment("When.")
    seat = f.integer("For which seat.", *_SEAT)
    type = f.choice("What.", "declare", "pass", "redeal", "discard", "reveal", "overcall_kitty", "call", "road", "play")
    cards = f.cards("Which cards.", optional=True)
    units = f.array(f.cards("", 1), "How the cards are to be read.", 0, f.MOST_CARDS, optional=True)
    calls = f.array(f.nested(CardCall), "Which cards are called.", 0, 5, optional=True)
    road = f.choice("Which road.", "high", "low", "either", optional=True)


class AskedResult(_Part):
    """How the round is said to have ended."""

    reason = f.text("How.", 1, 40, example="played")
    points = f.integer("Points of the attackers.")
    side = f.choice("The side that gained; null: neither.", "declarers", "attackers", nullable=True)
    levels = f.integer("Levels gained.")
    summary = f.mapping("The same with who was on which side.")


class AskedShuffle(_Part):
    """How the round is said to have been shuffled."""

    server_seed = _seed()
    commitment = _commitment()
    entropy = _entropy()
    shuffle_name = _shuffle_name()


class AskedRound(_Part):
    """A round."""

    round = f.integer("Its number.", 1, 100_000, example=1)
    opened_at = _moment("When it began.")
    starter = f.integer("Who drew first.", *_SEAT)
    declarer = f.integer("The declarer, where that was settled before.", *_SEAT, nullable=True)
    standings = f.array(f.nested(AskedStanding), "What each seat took into it.", 4, 16)
    actions = f.array(f.nested(AskedAction), "Every action, in order.", 0, 10_000)
    closings = f.array(_moment(""), "When declaring was closed because its time was over.", 0, 1_000)
    result = f.nested(AskedResult, "How it ended.")
    shuffle = f.nested(AskedShuffle, "How it was shuffled.")
    levels = f.array(f.text("", 1, 80), "The level of each seat after it.", 4, 16)

    @pre_load
    def _give_way(self, data: Any, **_: Any) -> Any:
        """A round may take milliseconds to be read, and a record has hundreds."""
        give_way()
        return data


class AskedRecord(_Part):
    """A record as `GET /v1/games/{game}/record` gives it."""

    format = f.text("What the record looks like.", 1, 40, example=FORMAT)
    game = f.text("Id of the game.", 1, 60, example="gm_7h2kx5q2m4na_1")
    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", 4, 12, example=4)
    options = f.mapping("Options with their values.", example={"deal_pace": "instant"})
    clock = f.nested(ClockChanges, "How long things took.")
    rounds = f.array(f.nested(AskedRound), "The finished rounds.", 0, MOST_ROUNDS)


class CheckedRound(f.Contract):
    """What came of playing a round again."""

    round = f.integer("Its number.", example=1)
    ok = f.flag("Whether it is just as the rules and the shuffle have it.")
    reason = f.growing(
        "What is wrong: another seed than the one committed to, an action against the rules, an end that was not "
        "reached, another result, other levels. null: nothing.",
        ("commitment", "illegal", "unfinished", "result", "levels"),
        nullable=True,
    )
    detail = f.text("What just, for people who look into it.", nullable=True, example=None)


class RecordCheck(f.Contract):
    """What came of playing a record again."""

    ok = f.flag("Whether every round is as the rules and its shuffle have it.")
    rounds = f.array(f.nested(CheckedRound), "Each round.")


class ShuffleToRepeat(f.Contract):
    """What the order of a deck follows from."""

    server_seed = _seed()
    commitment = _commitment()
    entropy = _entropy()
    shuffle_name = _shuffle_name()
    round = f.integer("Number of the round in its game.", 1, 100_000, example=1)
    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", 4, 12, example=4)
    options = f.mapping("Where the options differ from the ruleset.", optional=True, example={})
    attempt = f.integer("Which deal of the round: 0, and one more for each redeal.", 0, 100_000, default=0)


class ShuffleCheck(f.Contract):
    """The deck that follows."""

    ok = f.flag("Whether the deck is the one that the commitment promised.")
    commitment_ok = f.flag("Whether the seed is the one that was committed to.")
    deck = f.cards("The deck from the top: the first card goes to the starter; the last ones are the kitty.", 0, 400)
