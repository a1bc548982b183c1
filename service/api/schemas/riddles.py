"""Riddles: positions in which one play is best, and answers to them."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.api.schemas.view import Trump

_ID = "rd_7h2kx5q2m4na"


class RiddleCards(f.Contract):
    """Cards that a seat has played or shown."""

    seat = f.integer("The seat, counted from the one that is asked, which is 0.", example=3)
    cards = f.cards("The cards.", example=["KS"])


class RiddlePosition(f.Contract):
    """What the seat saw that is asked to play. Seats are counted from it in the order of play: it is 0."""

    ruleset = f.extensible("The game that is played, by the rules of its ruleset.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    level = f.text("The level that is played.", nullable=True, example="7")
    trump = f.nested(Trump, "The trumps.")
    declarer = f.integer("Seat of the declarer.", example=2)
    declarers = f.array(f.integer(""), "Seats of the declarers' side.", example=[0, 2])
    points = f.integer("Points that the attackers have so far.", example=35)
    hand = f.cards("The hand, sorted for display.", 0, 200, example=["BJ", "7H", "AS"])
    buried = f.cards("The cards that the seat has buried; null: another one has.", nullable=True)
    cards = f.array(f.integer(""), "Number of cards in each hand.", example=[12, 12, 12, 11])
    declared = f.array(f.nested(RiddleCards), "The cards that were shown to declare trumps, in order.")
    tricks = f.array(f.array(f.nested(RiddleCards), ""), "The tricks so far, each in the order of play.", example=[])
    trick = f.array(f.nested(RiddleCards), "The trick on the table; empty: the seat leads.")


class RiddlePlay(f.Contract):
    """One of the plays among which a riddle asks to choose."""

    cards = f.cards("The cards.", 1, example=["AS"])
    best = f.flag("Whether it is the best one.")
    cost = f.number("Levels that it loses against the best one, on average over possible deals.", example=0.24)
    error = f.number("Standard error of that.", example=0.05)
    chosen = f.integer("How many people have chosen it first.", example=12)


class RiddleChoice(f.Contract):
    """One of the plays among which a riddle asks to choose."""

    cards = f.cards("The cards.", 1, example=["AS"])


class Riddle(f.Contract):
    """A position in which one play is best, and what came of it once the caller has answered."""

    riddle = f.text("Its id.", example=_ID)
    position = f.nested(RiddlePosition, "What the seat saw.")
    choices = f.array(f.nested(RiddleChoice), "The plays among which to choose, in an order that says nothing.")
    answer = f.integer(
        "What the caller has answered first: the number of the choice, from 0; null: nothing yet.", nullable=True
    )
    solution = f.array(
        f.nested(RiddlePlay),
        "The choices in the same order, with what they are worth; null before the answer.",
        nullable=True,
    )


class Riddles(f.Contract):
    """The riddles of the day."""

    items = f.array(f.nested(Riddle), "Three at most.")
    next_cursor = next_cursor()


class RiddleAnswer(f.Contract):
    """An answer to a riddle."""

    choice = f.integer("The number of the choice, from 0.", 0, 100, example=1)


class KeptAnswer(f.Contract):
    """What the player has answered to a riddle first."""

    riddle = f.text("Id of the riddle.", example=_ID)
    play = f.integer("The number of the choice, from 0.", example=1)
    at = f.time("When.")
