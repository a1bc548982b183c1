"""What events have in common: a few ways of changing a part of the state without touching the rest."""

from collections.abc import Iterable
from typing import Any

from service.game.state.queries import ai_level
from service.game.state.types import State

Changes = dict[str, Any]


def with_member(items: list[Any], at: int, **changes: Any) -> list[Any]:
    """Return `items` with some fields of one member changed."""
    changed = list(items)
    changed[at] = {**changed[at], **changes}
    return changed


def in_seat(state: State, at: int, **changes: Any) -> Changes:
    """Return the change of some fields of a seat."""
    return {"seats": with_member(state["seats"], at, **changes)}


def in_round(state: State, **changes: Any) -> Changes:
    """Return the change of some fields of the round."""
    return {"round": state["round"] | changes}


def cards_moved(hands: list[list[int]], seat: int, cards: Iterable[int], step: int) -> list[list[int]]:
    """Return the hands after a seat has got (`step` 1) or given away (−1) cards."""
    changed = list(hands)
    hand = list(changed[seat])
    for kind in cards:
        hand[kind] += step
    changed[seat] = hand
    return changed


def asked_anew(state: State) -> list[dict[str, Any]]:
    """Return the seats with nobody ready for what follows but those that an AI plays."""
    return [{**place, "ready": ai_level(state, seat) is not None} for seat, place in enumerate(state["seats"])]
