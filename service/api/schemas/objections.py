"""Objections to plays of AI players."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, Page, Reason, next_cursor
from service.api.schemas.hints import AdvisedAction
from service.game.state.levels import AI_LEVELS


class AskedObjection(f.Contract):
    """What was silly about a play."""

    instead = f.cards(
        "The cards that the caller would have played or buried; left out: the caller does not say.",
        1,
        optional=True,
        example=["4D"],
    )


class Objection(f.Contract):
    """A play of an AI player that the caller finds silly."""

    at = f.time("When the caller said so.")
    game = f.text("The game.", example="gm_7h2kx5q2m4na_1")
    table = f.text("The table where it was played.", example="tb_7h2kx5q2m4na")
    round = f.integer("Number of the round.", example=1)
    seq = f.integer("Seq of the event of the play, as in the record.", example=481)
    seat = f.integer("The seat that made the play.", example=2)
    level = f.extensible("Level of the AI player.", AI_LEVELS, example="hard")
    action = f.nested(AdvisedAction, "The play.")
    reason = f.nested(Reason, "Why the AI player made it; null: it gave no reason.", nullable=True)
    instead = f.cards("The cards that the caller would have played; null: not said.", nullable=True, example=["4D"])


class Objections(f.Contract):
    """Plays of AI players that the caller finds silly."""

    items = f.array(f.nested(Objection), "The newest first; 50 at most.")
    next_cursor = next_cursor()


class Position(Objection):
    """An objection, with what the AI player decided from. It does not say who made it."""

    release = f.text("Release of the service when it was made.", example="0.3.0")
    rules = f.integer("Version of the rules of the game.", example=1)
    ruleset = f.extensible("The game that was played.", RULESET_IDS, example="shengji")
    view = f.mapping("What the AI player saw, without the people at the table.", example={})
    seed = f.text("Seed of its random choices, in hexadecimal.", example="9f86d081884c7d65")


class Positions(f.Contract):
    """Objections of all players, the newest first."""

    items = f.array(f.nested(Position), "The objections.")
    next_cursor = next_cursor()


class PositionsQuery(Page):
    """A page of objections."""
