"""A legal answer to each kind of decision: its hints contain one."""

from typing import Any

from shengji_client.models import OpenDecision

#: What a player does: the `type` of an operation, and the fields that it takes.
Action = dict[str, Any]


def example(decision: OpenDecision) -> Action:
    """Return a legal action for the open decision, which asks the seat of the view that it is from.

    Where nothing has to be shown it passes.
    """
    if decision["kind"] == "ready":
        return {"type": "ready"}
    if decision["kind"] == "play" or decision["kind"] == "discard":
        return {"type": decision["kind"], "cards": decision["hints"]["example"]}
    if decision["kind"] == "call":
        return {"type": "call", "calls": decision["hints"]["example"]}
    if decision["kind"] == "road":
        return {"type": "road", "road": decision["hints"]["example"]}
    return {"type": "pass"}
