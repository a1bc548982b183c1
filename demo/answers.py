"""What to answer to a decision: the hints of the view already hold something legal for every one of them."""

from typing import Any

#: Path below the table, and body.
Answer = tuple[str, dict[str, Any]]


def answer_to(view: dict[str, Any]) -> Answer:
    """Return an answer to the open decision of a view, for the seat of the view. Plain play: always the example.

    Args:
        view: of a seat that the open decision asks.
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
    """Two cards alike, or one in a suit that is a third of the hand."""
    if not possible:
        return False
    best = max(possible, key=len)
    hand = view["my"]["hand"]
    return len(best) > 1 or 3 * sum(card[1] == best[0][1] for card in hand) >= len(hand)
