"""A legal answer to each kind of decision: its hints contain one."""

from typing import Any, Final

#: Kind of decision -> the field that its example is for.
FIELDS: Final = {"play": "cards", "discard": "cards", "call": "calls", "road": "road"}


def example(decision: dict[str, Any]) -> dict[str, Any]:
    """Return a legal action for the open decision, which asks the seat of the view that it is from.

    Where nothing has to be shown it passes.
    """
    kind = decision["kind"]
    if kind == "ready":
        return {"type": "ready"}
    if kind in FIELDS:
        return {"type": kind, FIELDS[kind]: decision["hints"]["example"]}
    return {"type": "pass"}
