"""Reasons of AI players as the API shows them."""

from collections.abc import Mapping
from typing import Any

from service.texts.ai_reasons import reason_text


def worded(reason: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return a reason with its text in a language."""
    return {**reason, "text": reason_text(reason, language)}


def worded_round(played: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return a recorded round with the texts of all reasons."""
    actions = [
        {**action, "reason": worded(action["reason"], language)} if "reason" in action else action
        for action in played["actions"]
    ]
    return {**played, "actions": actions}
