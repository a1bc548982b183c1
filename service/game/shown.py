"""How times, calls, plays and results look from outside; the view and the events show them alike."""

from datetime import UTC, datetime
from typing import Any

from service.rules.cards import CARDS, names_of
from service.rules.friends import OTHER_COPY

#: A seat, or None for somebody who watches from outside.
Viewer = int | None

_RESULT = ("reason", "points", "trick_points", "kitty", "penalties", "sides", "side", "levels", "scores", "summary")
_KITTY = ("points", "factor", "bonus")


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
    """Show the cards that a seat has put down; `units` is how a lead is read."""
    return {
        "seat": play["seat"],
        "cards": names_of(play["cards"]),
        "units": [names_of(unit) for unit in play["units"]],
        "throw": throw_view(play["throw"]),
    }


def throw_view(throw: dict[str, Any] | None) -> dict[str, Any] | None:
    """Show what became of a throw; all cards of one that failed have been on the table."""
    if throw is None:
        return None
    return {**throw, "cards": names_of(throw["cards"]), "forced": names_of(throw["forced"])}


def result_view(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Show the result of a round, with the kitty turned up."""
    if result is None:
        return None
    shown = {name: result[name] for name in _RESULT if name in result}
    kitty = result["kitty"]
    if kitty is not None:
        shown["kitty"] = {"cards": names_of(kitty["cards"])} | {name: kitty[name] for name in _KITTY}
    return shown
