"""Answers to decisions: the hints in the view contain a legal answer to each kind of decision."""

from typing import Any

#: Path relative to the table, and request body.
Answer = tuple[str, dict[str, Any]]


def answer_to(view: dict[str, Any]) -> Answer:
    """Return a legal answer to the open decision of a view, with the cards of the example in the hints.

    Args:
        view: the view of a seat that the open decision asks.
    """
    decision = view["decision"]
    hints = decision.get("hints", {})
    kind = decision["kind"]
    if kind == "play":
        return "play", {"cards": hints["example"]}
    if kind == "discard":
        return "discard", {"cards": hints["example"]}
    if kind == "call":
        return "call", {"calls": hints["example"]}
    if kind == "road":
        return "road", {"road": "either"}
    if kind in ("declare", "defend") and _worth_declaring(view, hints["possible"]):
        return "declare", {"cards": max(hints["possible"], key=len)}
    return "pass", {}


def _worth_declaring(view: dict[str, Any], possible: list[list[str]]) -> bool:
    """Return whether there is a pair to declare, or a single card of a suit with a third of the hand."""
    if not possible:
        return False
    best = max(possible, key=len)
    hand = view["my"]["hand"]
    return len(best) > 1 or 3 * sum(card[1] == best[0][1] for card in hand) >= len(hand)
