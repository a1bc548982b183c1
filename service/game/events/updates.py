"""Ways of changing a part of the state that several events share. All return copies."""

from collections.abc import Iterable, Mapping
from typing import Any

from service.game.state.queries import ai_level
from service.game.state.table_types import Seat, Standing
from service.game.state.types import Hand, Round, State


def change_seat(state: State, number: int, seat: Seat) -> State:
    """Return the state with another value for a seat."""
    seats = list(state["seats"])
    seats[number] = seat
    return {**state, "seats": seats}


def change_round(state: State, table_round: Round) -> State:
    """Return the state with another round."""
    # Most events are of the few types that end here, and copying takes two thirds of the time of `{**state, …}`.
    changed = state.copy()
    changed["round"] = table_round
    return changed


def ready_anew(state: State) -> list[Seat]:
    """Return the seats with nobody ready for what follows but AI players."""
    return [{**seat, "ready": ai_level(state, number) is not None} for number, seat in enumerate(state["seats"])]


def standing_of(source: Standing | Mapping[str, Any]) -> Standing:
    """Return a standing alone, out of a seat or a change; what is empty is left out where it may be."""
    standing: Standing = {
        "level": source["level"],
        "active": source["active"],
        "attempted": source["attempted"],
        "penalty": source["penalty"],
    }
    if source.get("defended"):
        standing["defended"] = source["defended"]
    if source.get("laps"):
        standing["laps"] = source["laps"]
    return standing


def move_cards(hands: list[Hand], seat: int, cards: Iterable[int], step: int) -> list[Hand]:
    """Return the hands after a seat has got (`step` 1) or given away (-1) cards."""
    moved = list(hands)
    hand = list(moved[seat])
    for kind in cards:
        hand[kind] += step
    moved[seat] = hand
    return moved
