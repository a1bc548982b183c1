"""The one redactor: what a seat, or somebody without one, may see of a table and of its events.

By allow-list: only what is named here goes out. A player sees what a player at a real table could see; everything else
becomes a count, so that every viewer gets the same events with the same `seq` and gaps tell nothing (`api.md` §4–7).
"""

from collections.abc import Sequence
from typing import Any

from service.game.state.queries import attackers_points, seat_of
from service.game.state.settings import PUBLIC_SETTINGS
from service.game.state.types import State
from service.game.views import hints
from service.game.views.fields import Viewer, call_view, fields, play_view, result_view, timestamp
from service.game.views.redaction import redact
from service.rules.cards import CARDS, names_of

__all__ = ["Viewer", "decision_view", "redact", "sorted_hand", "view", "viewer_of"]


def viewer_of(state: State, player: str | None) -> Viewer:
    """Return as whom a player sees the table."""
    return seat_of(state, player) if player is not None else None


# --- the view ----------------------------------------------------------------------------------------------------

#: Rounds whose results the view shows, so that it does not grow with the game; `GET /v1/games/{game}` has all.
LATEST_RESULTS = 3


def view(state: State, viewer: Viewer, now: int) -> dict[str, Any]:
    """Return the table as the viewer sees it at `now` (`api.md` §4)."""
    table_round = state["round"]
    settings, vote = state["settings"], state["vote"]
    seen: dict[str, Any] = {
        "id": state["id"],
        "version": state["version"],
        "server_time": timestamp(now),
        "viewer": {"role": "spectator"} if viewer is None else {"role": "seat", "seat": viewer},
        "ruleset": state["ruleset"],
        **fields(state, ("options",)),
        "players": state["players"],
        "status": state["status"],
        "phase": table_round["phase"] if table_round else None,
        "direction": state["options"].get("direction", "anticlockwise"),
        "host": state["host"],
        "settings": fields(settings, PUBLIC_SETTINGS),
        **fields(settings, ("clock",)),
        "practice": _practice_view(state),
        "next_commitment": state["next_commitment"],
        "seats": [_seat_view(state, seat) for seat in range(state["players"])],
        "game": _game_view(state["game"]),
        "round": _round_view(state) if table_round else None,
        "vote": None if vote is None else fields(vote, ("id", "kind", "seat", "votes")),
        "decision": decision_view(state, viewer, now),
    }
    if viewer is not None:
        seen["my"] = _my_view(state, viewer)
        seen["join_code"] = settings["join_code"]
    return seen


def _practice_view(state: State) -> dict[str, Any] | None:
    """Mark a practice table. Its seed gives all cards away, so it is told when there is nothing left to play."""
    if state["settings"]["seed"] is None:
        return None
    return {"seed": state["settings"]["seed"] if state["status"] == "finished" else None}


_OF_A_SEAT = (
    "occupant",
    "autopilot",
    "ready",
    "presence",
    "timeouts",
    "level",
    "active",
    "penalty",
    "bank_ms",
)


def _seat_view(state: State, number: int) -> dict[str, Any]:
    table_round = state["round"]
    return {
        "seat": number,
        **fields(state["seats"][number], _OF_A_SEAT),
        "side": table_round["sides"][number] if table_round else "unknown",
        "hand_count": sum(table_round["hands"][number]) if table_round else 0,
        "tricks": table_round["tricks"][number] if table_round else 0,
        "points": table_round["points"][number] if table_round else 0,
    }


def _game_view(game: dict[str, Any] | None) -> dict[str, Any] | None:
    if game is None:
        return None
    shown = fields(game, ("id", "round", "results", "winners", "ended", "scores"))
    return shown | {"results": shown["results"][-LATEST_RESULTS:]}


_OF_A_ROUND = ("number", "starter", "level", "commitment", "trump", "passes", "declarer")


def _round_view(state: State) -> dict[str, Any]:
    table_round = state["round"]
    discard = table_round["discard"]
    result, asked = table_round["result"], table_round["take_back"]
    open_kitty = discard is not None and (table_round["revealed"] or result is not None)
    return {
        **fields(table_round, _OF_A_ROUND),
        "dealt": fields(table_round["deal"], ("count", "of")),
        "declarations": [fields(made, ("seat", "cards", "as")) for made in table_round["shown"]],
        "kitty": {
            "count": len(table_round["kitty"]) or len(discard or ()),
            "seat": table_round["kitty_seat"],
            "cards": names_of(discard) if open_kitty else None,
            "revealed": table_round["revealed"],
        },
        "calls": [{**call_view(call), "filled_by": call["filled_by"]} for call in table_round["calls"]],
        "roads": _roads_view(table_round["roads"]),
        "attackers_points": attackers_points(state),
        "played": {CARDS[kind]: count for kind, count in enumerate(table_round["played"]) if count},
        "trick": _trick_view(table_round["trick"]),
        "last_trick": _trick_view(table_round["last_trick"]),
        "take_back": None if asked is None else fields(asked, ("seat", "accepted")),
        "result": None if result is None else result_view(result),
    }


def _roads_view(roads: dict[str, Any] | None) -> dict[str, Any] | None:
    """Roads stay hidden until both partners have stated and agree; that somebody has stated may be seen."""
    if roads is None:
        return None
    return {"stated": sorted(int(seat) for seat in roads["stated"] if seat.isdigit()), **fields(roads, ("set",))}


def _trick_view(trick: dict[str, Any] | None) -> dict[str, Any] | None:
    if trick is None:
        return None
    plays = [play_view(play) for play in trick["plays"]]
    return {"plays": plays, **fields(trick, ("number", "leader", "winning", "winner", "points"))}


def _my_view(state: State, viewer: int) -> dict[str, Any]:
    table_round = state["round"]
    mine: dict[str, Any] = {"seat": viewer, "hand": [], "discard": None}
    if table_round:
        mine["hand"] = names_of(sorted_hand(state, viewer))
        if table_round["kitty_seat"] == viewer and table_round["discard"] is not None:
            mine["discard"] = names_of(table_round["discard"])
        roads = table_round["roads"]
        if roads is not None:
            mine["road"] = roads["stated"].get(str(viewer))
    return mine


def sorted_hand(state: State, seat: int) -> list[int]:
    """Return a hand for display: trumps first from high to low, then the suits, each from high to low."""
    hand: Sequence[int] = state["round"]["hands"][seat]
    order = hints.display_order(state, seat)
    return [kind for kind in order for _ in range(hand[kind])] if any(hand) else []


def decision_view(state: State, viewer: Viewer, now: int) -> dict[str, Any] | None:
    """Return the open decision; its hints only to a seat that it asks."""
    decision = state["decision"]
    if decision is None:
        return None
    deadline = decision["deadline"]
    shown = fields(decision, ("id", "kind", "seats", "opened_seq", "on_timeout"))
    shown |= {
        "deadline_at": timestamp(deadline),
        "remaining_ms": None if deadline is None else max(0, deadline - now),
    }
    if viewer is not None and viewer in decision["seats"]:
        shown["hints"] = hints.hints(state, viewer)
    return shown
