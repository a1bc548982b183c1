"""Deals that players send by a link, and the lines of who has played them."""

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.game.events.fields import ARMS_ONLY, NOT_IN_ARMS

PARTS = ("sender", "knows", "playing", "played")
SIDES = ("declarers", "attackers")
STAGES = ("declare", "redeal", "overcall_kitty", "discard", "reveal", "call", "road", "play")
_CODE = "K7PQ2M9XWR4T"


class DealSender(f.Contract):
    """Who has sent the deal."""

    name = f.text("The name shown to others.", example="Lin")
    vars().update(chosen.shown_fields())


class MyPartInDeal(f.Contract):
    """What the deal is to the caller."""

    part = f.extensible(
        "`sender`: has sent it. `knows`: sat in the round, and knows the cards. `playing`, `played`: has opened it.",
        PARTS,
        nullable=True,
    )
    table = f.text(
        "The table at which the caller plays it, or has played it; null: none.",
        nullable=True,
        example="tb_7h2kx5q2m4na",
    )


class DealLink(f.Contract):
    """A deal, as it is shown before it is played: nothing of its cards, nor of what anybody made of them."""

    code = f.text("The code of the link.", example=_CODE)
    sender = f.nested(DealSender, "Who has sent it.")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    options = f.mapping("Options that differ from the ruleset's.", example={"deal_pace": "instant"})
    level = f.text(
        f"The level of the declarer, or of the seat that draws first; {NOT_IN_ARMS}", nullable=True, example="2"
    )
    seat = f.integer("The seat of whoever plays it.", example=0)
    others = f.array(
        f.text("", nullable=True),
        "The level of the AI player of each seat; null: the seat of whoever plays it.",
        example=[None, "normal", "normal", "normal"],
    )
    people = f.integer("At how many of the other seats people sat when it was played first.", example=1)
    played = f.integer("How many others have played it to the end.", example=2)
    sent_at = f.time("When it was sent.")
    expires_at = f.time("When the link ends.")
    mine = f.nested(MyPartInDeal, "What it is to the caller; `part` null: nothing yet, also without a token.")


class DealLinks(f.Contract):
    """The deals that the caller has sent, the latest first."""

    items = f.array(f.nested(DealLink), "The links, 20 at most.")
    next_cursor = next_cursor()


class ComparisonQuery(f.Contract):
    """Which line is laid beside the caller's."""

    with_ = f.place(
        "A player of the comparison; left out: the one who has sent the deal, or for this player the best.",
        r"pl_[a-z2-7]{12}",
        15,
        optional=True,
        data_key="with",
        example="pl_4f7h2k6qm3xa",
    )


class Parting(f.Contract):
    """The first step in which two lines differ."""

    stage = f.extensible("What is done there.", STAGES, example="play")
    trick = f.integer("Number of the trick, from 1; null: before the first one.", nullable=True, example=7)


class ComparedLine(f.Contract):
    """What somebody made of the deal."""

    player = f.text("The player.", example="pl_4f7h2k6qm3xa")
    name = f.text("The name shown to others.", example="Mei")
    vars().update(chosen.shown_fields())
    me = f.flag("Whether this is the caller.")
    sender = f.flag("Whether this player has sent the deal, and played it first.")
    rank = f.integer("Place, the best first; the same results share one. Null: it does not count.", nullable=True)
    at = f.time("When the round was over.")
    value = f.integer(
        "What is compared: points of the player's side beyond those with which it wins, or its lead in scores; null: "
        "it was given up or an AI has played too much of it.",
        nullable=True,
        example=15,
    )
    points = f.integer(f"Points of the attackers; {NOT_IN_ARMS}", nullable=True, example=65)
    side = f.extensible(f"The side of the player; {NOT_IN_ARMS}", SIDES, nullable=True, example="declarers")
    scores = f.array(f.integer(""), f"Scores of both sides; {ARMS_ONLY}", nullable=True, example=None)
    parts = f.nested(Parting, "Where it parts from the caller's line; null: nowhere.", nullable=True)


class DealStep(f.Contract):
    """Something that a seat has done. Passes are left out."""

    seat = f.integer("The seat.", example=0)
    type = f.extensible("What it is.", STAGES, example="play")
    trick = f.integer("Number of the trick, from 1; null: before the first one.", nullable=True, example=7)
    cards = f.cards("The cards that were shown, buried or played.", example=["KS", "KS"])
    calls = f.array(f.text(""), "The called cards, each with its number or `other`.", example=["AS:1"])
    road = f.text("The stated road; null: none.", nullable=True, example=None)


class DealLine(f.Contract):
    """A line, step by step."""

    player = f.text("Whose it is.", example="pl_4f7h2k6qm3xa")
    steps = f.array(f.nested(DealStep), "What was done, in order.")


class DealPar(f.Contract):
    """What AI players of level `normal` make of the deal, at all seats."""

    replays = f.integer("How often they have played it.", example=16)
    value = f.number("Mean of their values for the seat.", example=5.6)
    values = f.array(f.integer(""), "Each of the values.", example=[5, -15, 20])


class DealComparison(f.Contract):
    """The lines of a deal side by side, for those who have played it or sat in the round."""

    code = f.text("The code of the link.", example=_CODE)
    ruleset = f.extensible("The game.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    level = f.text(f"The level of the deal; {NOT_IN_ARMS}", nullable=True, example="2")
    seat = f.integer("The seat of everybody who has played it.", example=0)
    items = f.array(f.nested(ComparedLine), "Everybody's lines, the best first.")
    mine = f.nested(DealLine, "The caller's line; for somebody else of the round, the line of who has sent the deal.")
    other = f.nested(DealLine, "The line beside it; null: there is no other yet.", nullable=True)
    par = f.nested(DealPar, "What AI players make of it; null: not known yet.", nullable=True)


class KeptDealLink(f.Contract):
    """A deal that the player has sent, or has opened."""

    code = f.text("The code of the link.", example=_CODE)
    part = f.extensible("What it is to the player.", PARTS, example="played")
    at = f.time("When the player has sent or opened it.")
    points = f.integer("Points of the attackers; null: no result.", nullable=True, example=65)
    scores = f.array(f.integer(""), f"Scores of both sides; {ARMS_ONLY}", nullable=True, example=None)
