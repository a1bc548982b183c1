"""How times, calls, plays and results look from outside; the view and the events show them alike."""

from datetime import UTC, datetime
from typing import Any

from service.rules.cards import CARDS, names_of
from service.rules.friends import OTHER_COPY

#: A seat, or None for somebody who watches from outside.
Viewer = int | None


def timestamp(milliseconds: int | None) -> str | None:
    """Return RFC 3339 in UTC with milliseconds."""
    if milliseconds is None:
        return None
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def call_view(call: dict[str, Any]) -> dict[str, Any]:
    """Show a call: the copy by its number, or 'the other copy'."""
    card = CARDS[call["card"]]
    return (
        {"card": card, "other": True} if call["ordinal"] == OTHER_COPY else {"card": card, "ordinal": call["ordinal"]}
    )


def play_view(play: dict[str, Any]) -> dict[str, Any]:
    return {
        "seat": play["seat"],
        "cards": names_of(play["cards"]),
        "units": [names_of(unit) for unit in play["units"]],
        "throw": throw_view(play["throw"]),
    }


def throw_view(throw: dict[str, Any] | None) -> dict[str, Any] | None:
    if throw is None:
        return None
    return {**throw, "cards": names_of(throw["cards"]), "forced": names_of(throw["forced"])}


def result_view(result: dict[str, Any] | None) -> dict[str, Any] | None:
    if result is None:
        return None
    kitty = result["kitty"]
    return {**result, "kitty": {**kitty, "cards": names_of(kitty["cards"])} if kitty else None}
