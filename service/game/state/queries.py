"""The small questions that everybody asks about a table."""

from service.game.state.types import State


def seat_of(state: State, player: str) -> int | None:
    """Return the seat of a player, or None."""
    for number, seat in enumerate(state["seats"]):
        occupant = seat["occupant"]
        if occupant is not None and occupant["player"] == player and player is not None:
            return number
    return None


def ai_level(state: State, seat: int) -> str | None:
    """Return the level of the AI that plays this seat now, or None if a person or an outside bot does."""
    place = state["seats"][seat]
    if place["autopilot"]:
        return str(place["autopilot"])
    occupant = place["occupant"]
    return occupant["level"] if occupant and occupant["kind"] == "ai" else None


def waited_for(state: State) -> list[int]:
    """Return the seats that the open decision waits for still. One that asks many stays open until all have answered.

    Who has passed may declare yet, and who is ready may take that back; but nobody waits for them.
    """
    decision = state["decision"]
    if decision is None:
        return []
    if decision["kind"] == "ready":
        return [seat for seat in decision["seats"] if not state["seats"][seat]["ready"]]
    passes = state["round"]["passes"] if decision["kind"] == "declare" else ()
    return [seat for seat in decision["seats"] if seat not in passes]


def persons(state: State) -> list[int]:
    """Return the seats that a person or an outside bot plays now."""
    return [
        number for number, seat in enumerate(state["seats"]) if seat["occupant"] and ai_level(state, number) is None
    ]


def declarers(state: State) -> list[int]:
    """Return the seats known to be on the declarer's side."""
    return [seat for seat, side in enumerate(state["round"]["sides"]) if side == "declarers"]


def attackers_points(state: State) -> int:
    """Return the points of tricks that count for the attackers so far: those of every seat not of the other side."""
    table_round = state["round"]
    return sum(
        points for points, side in zip(table_round["points"], table_round["sides"], strict=True) if side != "declarers"
    )
