"""Hints of the AI."""

from service.api.schemas import fields as f
from service.api.schemas.common import CalledCard, Reason
from service.game.state.levels import AI_LEVELS


class HintRequest(f.Contract):
    """Which decision to give a hint for."""

    decision_id = f.text("The open decision.", 1, 40, example="dc_481")


class HintQuery(f.Contract):
    """How long to wait."""

    wait = f.integer("Seconds to wait for the hint.", 0, 25, query=True, default=5)


class AdvisedAction(f.Contract):
    """An action, with the fields that its operation takes."""

    type = f.extensible(
        "The kind of action.", ("declare", "pass", "discard", "overcall_kitty", "call", "road", "play"), example="play"
    )
    cards = f.cards("The cards.", optional=True, example=["KD", "KD"])
    calls = f.array(f.nested(CalledCard), "`call`: the cards to call.", optional=True)
    road = f.text("`road`: the road.", optional=True, example="high")


class OtherPlay(f.Contract):
    """Another play that was considered."""

    cards = f.cards("The cards.", example=["4D", "4D"])
    gain = f.number(
        "Levels by which it is better than the hint, on the first deals alone. Small gains are chance; large ones "
        "vanished on fresh deals, or are not trusted because much is still to be played.",
        example=-0.04,
    )


class Hint(f.Contract):
    """What the AI would do, given what this seat can see."""

    decision_id = f.text("The decision.", example="dc_481")
    status = f.extensible("`working`: ask again.", ("ready", "working"), example="ready")
    level = f.extensible("Level of the AI; null: not ready.", AI_LEVELS, nullable=True, example="expert")
    action = f.nested(AdvisedAction, "What it would do; null: not ready.", nullable=True)
    reason = f.nested(Reason, "Why; null: not ready.", nullable=True)
    others = f.array(f.nested(OtherPlay), "Other plays that it considered, best first.")
