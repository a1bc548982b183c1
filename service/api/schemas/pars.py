"""Par: what the cards of a round were worth."""

from service.api.schemas import fields as f
from service.game.events.fields import ARMS_ONLY, NOT_IN_ARMS
from service.game.state.levels import AI_LEVELS

_SCORES = "of both sides: seats 0 and 2, seats 1 and 3"


class Par(f.Contract):
    """What AI players score with the same cards and trumps as in a round."""

    level = f.extensible("Level of the AI players.", AI_LEVELS, example="normal")
    replays = f.integer("How often they have replayed the round.", example=16)
    points = f.number(f"Points of the attackers, on average; {NOT_IN_ARMS}", nullable=True, example=95.0)
    least = f.number(
        f"Points that the attackers exceed in five of six replays; {NOT_IN_ARMS}", nullable=True, example=70.0
    )
    most = f.number(
        f"Points that the attackers exceed in one of six replays; {NOT_IN_ARMS}", nullable=True, example=120.0
    )
    spread = f.number(
        "Standard deviation of the points over the replays; in Arm's Length, of the first score.",
        example=24.5,
    )
    scores = f.array(f.number(""), f"Scores {_SCORES}, on average; {ARMS_ONLY}", nullable=True, example=None)


class RoundPar(f.Contract):
    """What the cards of a finished round were worth, and what was scored with them."""

    game = f.text("The game.", example="gm_7h2kx5q2m4na_1")
    round = f.integer("Number of the round.", example=1)
    status = f.extensible("`working`: not all replays are done yet.", ("ready", "working"), example="ready")
    done = f.integer("Replays done.", example=16)
    of = f.integer("Replays in all.", example=16)
    par = f.nested(Par, "Their result; null while `working`.", nullable=True)
    points = f.integer(f"Points that the attackers took; {NOT_IN_ARMS}", nullable=True, example=120)
    scores = f.array(f.integer(""), f"Scores {_SCORES}; {ARMS_ONLY}", nullable=True, example=None)
