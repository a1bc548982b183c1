"""State changes that several events share. All return copies."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from service.game.events.round_types import Returnable
from service.game.state.queries import ai_level
from service.game.state.table_types import Decision, Seat, Standing
from service.game.state.types import Hand, Round, SeatChange, SettledBy, State

#: Fields of a seat that belong to its player, not to the next occupant.
_OF_ITS_PLAYER: Final = frozenset({"away_since", "vote_lost_at", "since"})


def change_seat(state: State, number: int, seat: Seat) -> State:
    """Return the state with a seat replaced."""
    seats = list(state["seats"])
    seats[number] = seat
    return {**state, "seats": seats}


def change_occupant(state: State, number: int, seat: Seat) -> State:
    """Return the state with another occupant of a seat; during a game, note the previous one.

    An open decision about readiness then waits for those who are not ready.
    """
    before = state["seats"][number]["occupant"]
    # Absence and lost votes of the previous player do not concern the next one.
    fresh = cast("Seat", {name: value for name, value in seat.items() if name not in _OF_ITS_PLAYER})
    game = state["game"] if state["status"] == "playing" else None
    if game is not None and fresh["occupant"] is not None:
        fresh["since"] = game["round"] + 1
    changed = with_readiness(state, number, fresh)
    if game is not None and before is not None:
        changes, following = game.get("changes", []), game["round"] + 1
        if all((change["round"], change["seat"]) != (following, number) for change in changes):
            change: SeatChange = {"round": following, "seat": number, "before": before}
            changed["game"] = {**game, "changes": [*changes, change]}
    return changed


def with_readiness(state: State, number: int, seat: Seat) -> State:
    """Change a seat; an open decision about readiness then waits for the seats that are not ready."""
    changed = change_seat(state, number, seat)
    decision = state["decision"]
    if decision is not None and decision["kind"] == "ready":
        waiting = [number for number, seat in enumerate(changed["seats"]) if not seat["ready"]]
        changed["decision"] = {**decision, "seats": waiting}
    return changed


def change_round(state: State, table_round: Round) -> State:
    """Return the state with the round replaced."""
    # Most events end here, and `copy` takes two thirds of the time of `{**state, …}`.
    changed = state.copy()
    changed["round"] = table_round
    return changed


def with_deadline(decision: Decision, deadline: int | None, at: int) -> Decision:
    """Return a decision whose time ends at another time; when its clock will stand still after `at` is not known."""
    changed: Decision = {**decision, "deadline": deadline}
    if "stops" in decision:
        changed["stops"] = [[since, min(until, at)] for since, until in decision["stops"] if since < at]
    return changed


def ready_anew(state: State) -> list[Seat]:
    """Return the seats with only AI players ready."""
    return [{**seat, "ready": ai_level(state, number) is not None} for number, seat in enumerate(state["seats"])]


def standing_of(source: Standing | Mapping[str, Any]) -> Standing:
    """Extract the standing from a seat or a change; optional fields that are empty are left out."""
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
    """Return the hands with cards added to (`step` 1) or removed from (-1) a seat."""
    moved = list(hands)
    hand = list(moved[seat])
    for kind in cards:
        hand[kind] += step
    moved[seat] = hand
    return moved


def settled(table_round: Round, data: Returnable, by: SettledBy) -> Round:
    """Return a round with the number of plays that may still be taken back; if none, `by` is the reason."""
    if "returnable" not in data:
        return table_round
    changed = table_round.copy()
    changed["returnable"] = data["returnable"]
    if not data["returnable"]:
        changed["settled_by"] = by
    return changed
