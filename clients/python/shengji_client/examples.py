"""A legal answer to each kind of decision, from its hints."""

from typing import Any

from shengji_client.models import OpenDecision

#: An action: the `type` of an operation, and its fields.
Action = dict[str, Any]


def example(decision: OpenDecision) -> Action:
    """Return a legal action for an open decision, from the view of a seat that it asks.

    It passes where showing cards is optional.
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
