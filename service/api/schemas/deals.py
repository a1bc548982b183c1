"""How cards were dealt, beside what chance would give."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS

_VALUES = "from 0 up"


class DealChances(f.Contract):
    """What chance gives one hand, exactly."""

    pairs = f.array(f.number(""), f"Probability of each number of kinds held at least twice, {_VALUES}.", example=[1.0])
    jokers = f.array(f.number(""), f"Probability of each number of jokers, {_VALUES}.", example=[1.0])
    longest = f.array(
        f.number(""), f"Probability of each length of the longest printed suit, {_VALUES}.", example=[1.0]
    )


class DealtHands(f.Contract):
    """What the hands of a seat, or of a kind of players, had."""

    seat = f.integer("The seat.", optional=True, example=0)
    kind = f.extensible("The kind of players.", ("human", "bot", "ai"), optional=True)
    hands = f.integer("Number of hands.", example=1)
    pairs = f.array(f.integer(""), f"How many had each number of kinds at least twice, {_VALUES}.", example=[1])
    jokers = f.array(f.integer(""), f"How many had each number of jokers, {_VALUES}.", example=[1])
    longest = f.array(f.integer(""), f"How many had each length of the longest printed suit, {_VALUES}.", example=[1])


class DealDistribution(f.Contract):
    """How the cards of a game were dealt."""

    ruleset = f.extensible("The ruleset.", RULESET_IDS, example="shengji")
    players = f.integer("Number of players.", example=4)
    deals = f.integer("Number of deals.", example=1)
    chance = f.nested(DealChances, "What chance gives one hand.")
    seats = f.array(f.nested(DealtHands), "By seat.")
    kinds = f.array(f.nested(DealtHands), "By kind of players: people, programs and AI players.")
