"""The one redactor: what a seat, or somebody without one, may see of a table and of its events.

By allow-list: only what is named here goes out. A player sees what a player at a real table could see; everything else
becomes a count, so that every viewer gets the same events with the same `seq` and gaps tell nothing (`api.md` §4–7).
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from service.game import hints
from service.game.state import PUBLIC_SETTINGS, Event, State, attackers_points, seat_of
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


def viewer_of(state: State, player: str | None) -> Viewer:
    """Return as whom a player sees the table."""
    return seat_of(state, player) if player is not None else None


# --- the view ----------------------------------------------------------------------------------------------------


def view(state: State, viewer: Viewer, now: int) -> dict[str, Any]:
    """Return the table as the viewer sees it at `now` (`api.md` §4)."""
    table_round = state["round"]
    settings = state["settings"]
    seen: dict[str, Any] = {
        "id": state["id"],
        "version": state["version"],
        "server_time": timestamp(now),
        "viewer": {"role": "spectator"} if viewer is None else {"role": "seat", "seat": viewer},
        "ruleset": state["ruleset"],
        "options": state["options"],
        "players": state["players"],
        "status": state["status"],
        "phase": table_round["phase"] if table_round else None,
        "direction": state["options"].get("direction", "anticlockwise"),
        "host": state["host"],
        "settings": {name: settings[name] for name in PUBLIC_SETTINGS},
        "clock": settings["clock"],
        "practice": None if settings["seed"] is None else {"seed": settings["seed"]},
        "next_commitment": state["next_commitment"],
        "seats": [_seat_view(state, seat) for seat in range(state["players"])],
        "game": _game_view(state["game"]),
        "round": _round_view(state) if table_round else None,
        "vote": state["vote"],
        "decision": decision_view(state, viewer, now),
    }
    if viewer is not None:
        seen["my"] = _my_view(state, viewer)
        seen["join_code"] = settings["join_code"]
    return seen


def _seat_view(state: State, number: int) -> dict[str, Any]:
    seat = state["seats"][number]
    table_round = state["round"]
    occupant = seat["occupant"]
    shown: dict[str, Any] = {
        "seat": number,
        "occupant": occupant,
        "autopilot": seat["autopilot"],
        "ready": seat["ready"],
        "presence": seat["presence"],
        "timeouts": seat["timeouts"],
        "level": seat["level"],
        "active": seat["active"],
        "penalty": seat["penalty"],
        "bank_ms": seat["bank_ms"],
        "side": "unknown",
        "hand_count": 0,
        "tricks": 0,
        "points": 0,
    }
    if table_round:
        shown["side"] = table_round["sides"][number]
        shown["hand_count"] = sum(table_round["hands"][number])
        shown["tricks"] = table_round["tricks"][number]
        shown["points"] = table_round["points"][number]
    return shown


def _game_view(game: dict[str, Any] | None) -> dict[str, Any] | None:
    if game is None:
        return None
    return {name: game[name] for name in ("id", "round", "results", "winners", "ended", "scores")}


def _round_view(state: State) -> dict[str, Any]:
    table_round = state["round"]
    deal = table_round["deal"]
    result = table_round["result"]
    discard = table_round["discard"]
    open_kitty = discard is not None and (table_round["revealed"] or result is not None)
    return {
        "number": table_round["number"],
        "starter": table_round["starter"],
        "level": table_round["level"],
        "commitment": table_round["commitment"],
        "dealt": {"count": deal["count"], "of": deal["of"]},
        "trump": table_round["trump"],
        "declarations": [
            {"seat": made["seat"], "cards": names_of(made["cards"]), "as": made["as"]} for made in table_round["shown"]
        ],
        "passes": table_round["passes"],
        "declarer": table_round["declarer"],
        "kitty": {
            "count": len(table_round["kitty"]) or len(discard or ()),
            "seat": table_round["kitty_seat"],
            "cards": names_of(discard) if open_kitty else None,
            "revealed": table_round["revealed"],
        },
        "calls": [{**_call_view(call), "filled_by": call["filled_by"]} for call in table_round["calls"]],
        "roads": _roads_view(table_round["roads"]),
        "attackers_points": attackers_points(state),
        "played": {CARDS[kind]: count for kind, count in enumerate(table_round["played"]) if count},
        "trick": _trick_view(table_round["trick"]),
        "last_trick": _trick_view(table_round["last_trick"]),
        "take_back": table_round["take_back"],
        "result": _result_view(result),
    }


def _call_view(call: dict[str, Any]) -> dict[str, Any]:
    """Show a call: the copy by its number, or 'the other copy'."""
    card = CARDS[call["card"]]
    return (
        {"card": card, "other": True} if call["ordinal"] == OTHER_COPY else {"card": card, "ordinal": call["ordinal"]}
    )


def _roads_view(roads: dict[str, Any] | None) -> dict[str, Any] | None:
    """Roads stay hidden until both partners have stated and agree; that somebody has stated may be seen."""
    if roads is None:
        return None
    return {"stated": sorted(int(seat) for seat in roads["stated"]), "set": roads["set"]}


def _trick_view(trick: dict[str, Any] | None) -> dict[str, Any] | None:
    if trick is None:
        return None
    shown = {
        "number": trick["number"],
        "leader": trick["leader"],
        "plays": [_play_view(play) for play in trick["plays"]],
        "winning": trick["winning"],
    }
    if "winner" in trick:
        shown |= {"winner": trick["winner"], "points": trick["points"]}
    return shown


def _play_view(play: dict[str, Any]) -> dict[str, Any]:
    return {
        "seat": play["seat"],
        "cards": names_of(play["cards"]),
        "units": [names_of(unit) for unit in play["units"]],
        "throw": _throw_view(play["throw"]),
    }


def _throw_view(throw: dict[str, Any] | None) -> dict[str, Any] | None:
    if throw is None:
        return None
    return {**throw, "cards": names_of(throw["cards"]), "forced": names_of(throw["forced"])}


def _result_view(result: dict[str, Any] | None) -> dict[str, Any] | None:
    if result is None:
        return None
    kitty = result["kitty"]
    return {**result, "kitty": {**kitty, "cards": names_of(kitty["cards"])} if kitty else None}


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
    shown: dict[str, Any] = {
        "id": decision["id"],
        "kind": decision["kind"],
        "seats": decision["seats"],
        "opened_seq": decision["opened_seq"],
        "deadline_at": timestamp(deadline),
        "remaining_ms": None if deadline is None else max(0, deadline - now),
        "on_timeout": decision["on_timeout"],
    }
    if viewer is not None and viewer in decision["seats"]:
        shown["hints"] = hints.hints(state, viewer)
    return shown


# --- events ------------------------------------------------------------------------------------------------------

Shower = Callable[[dict[str, Any], Viewer], dict[str, Any]]


def _as_is(*names: str) -> Shower:
    return lambda data, _: {name: data[name] for name in names}


def _named(*names: str, cards: tuple[str, ...] = ("cards",)) -> Shower:
    """Show fields as they are, and card fields by name."""

    def show(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
        shown = {name: data[name] for name in names}
        return shown | {name: None if data[name] is None else names_of(data[name]) for name in cards}

    return show


def _own(*names: str, owner: str = "seat") -> Shower:
    """Show cards to the seat that they belong to, and to others how many they are."""

    def show(data: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
        shown = {name: data[name] for name in (owner, *names)} | {"count": len(data["cards"])}
        return shown | {"cards": names_of(data["cards"])} if viewer == data[owner] else shown

    return show


def _dealt(data: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    shown: dict[str, Any] = {"count": data["count"]}
    if viewer is not None:
        shown["cards"] = names_of(data["cards"][viewer])
    return shown


def _deal_fields(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "of": data["of"],
        "kitty": len(data["deck"]) - data["of"],
        "pace": data["pace"],
        "interval_ms": data["interval"],
    }


def _round_opened(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    names = ("number", "starter", "declarer", "level", "commitment", "entropy", "next_commitment")
    return {name: data[name] for name in names} | _deal_fields(data)


def _redealt(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    shown = {name: data[name] for name in ("reason", "seat", "starter", "all_active")}
    hand = None if data["hand"] is None else names_of(data["hand"])
    return shown | {"hand": hand} | _deal_fields(data)


def _played(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return _play_view(data) | {"winning": data["winning"]}


def _declared(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    shown = {name: data[name] for name in ("seat", "as", "defence")}
    return shown | {"cards": names_of(data["cards"]), "deadline_at": timestamp(data["deadline"])}


def _friends_called(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return {"seat": data["seat"], "calls": [_call_view(call) for call in data["calls"]]}


def _friend_joined(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    shown = {name: data[name] for name in ("seat", "call", "friend", "points_lost")}
    return shown | _call_view(data)


def _round_ended(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return {name: data[name] for name in ("server_seed", "commitment", "entropy", "shuffle_name", "attempts", "next")}


def _scored(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return _result_view(data) or {}


def _table_created(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return {name: data[name] for name in ("table", "ruleset", "players", "options", "host", "next_commitment")}


def _settings_changed(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    changes = dict(data["changes"])
    if "settings" in changes:
        changes["settings"] = {name: changes["settings"][name] for name in (*PUBLIC_SETTINGS, "clock")}
    return {"changes": changes}


def _road_stated(data: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return {name: data[name] for name in ("seat", "road")} if viewer == data["seat"] else {"seat": data["seat"]}


def _decision_opened(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    shown = {name: data[name] for name in ("kind", "seats", "on_timeout")}
    return shown | {"deadline_at": timestamp(data["deadline"])}


def _chat(data: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """Players and spectators talk apart; the others learn no more than that something was said."""
    if (data["seat"] is None) != (viewer is None):
        return {"seat": data["seat"]}
    return {name: data[name] for name in ("seat", "name", "text", "preset")}


def _vote_opened(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return {name: data[name] for name in ("kind", "seat", "by_seat")}


def _take_back(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    shown = {name: data[name] for name in ("seat", "stage", "by_seat") if name in data}
    return shown | ({"cards": names_of(data["cards"])} if "cards" in data else {})


_SHOW: dict[str, Shower] = {
    "table_created": _table_created,
    "seat_taken": _as_is("seat", "occupant"),
    "seat_left": _as_is("seat", "reason", "autopilot"),
    "ai_seated": _as_is("seat", "occupant"),
    "seat_ready": _as_is("seat", "ready"),
    "entropy_given": _as_is("seat"),
    "settings_changed": _settings_changed,
    "presence": _as_is("seat", "presence"),
    "host_changed": _as_is("host"),
    "table_closed": _as_is(),
    "seat_taken_over": _as_is("seat", "level", "reason"),
    "seat_resumed": _as_is("seat"),
    "chat": _chat,
    "vote_opened": _vote_opened,
    "vote_cast": _as_is("vote", "seat", "approve"),
    "vote_closed": _as_is("vote", "kind", "passed"),
    "bank_used": _as_is("seat", "bank_ms"),
    "decision_opened": _decision_opened,
    "decision_timed_out": _as_is("decision", "seats", "action"),
    "game_started": _as_is("game", "level", "starter"),
    "round_opened": _round_opened,
    "redealt": _redealt,
    "dealt": _dealt,
    "declared": _declared,
    "passed": _as_is("seat", "kind"),
    "declaration_closed": _as_is(),
    "kitty_flipped": _named("suit"),
    "trump_fixed": _as_is("trump", "declarer", "sides", "how"),
    "kitty_taken": _own(),
    "discarded": _own(),
    "kitty_revealed": _named("seat"),
    "kitty_overcalled": _named("seat", "trump"),
    "friends_called": _friends_called,
    "friend_joined": _friend_joined,
    "road_stated": _road_stated,
    "roads_asked": _as_is("seats", "clashes"),
    "roads_set": _as_is("roads"),
    "trump_established": _as_is("trump", "seat", "card"),
    "played": _played,
    "take_back": _take_back,
    "throw_failed": _named("seat", "penalty", "ends_round", cards=("cards", "forced")),
    "trick_won": _as_is("seat", "number", "points"),
    "round_scored": _scored,
    "levels_changed": _as_is("seats"),
    "round_ended": _round_ended,
    "game_ended": _as_is("winners", "reason"),
}


#: Events that open something that is named after them.
_NAMED_BY_SEQ = {"decision_opened": "dc", "vote_opened": "vt"}


def redact(event: Event, viewer: Viewer) -> dict[str, Any]:
    """Return what the viewer may see of an event."""
    shown = _SHOW[event["type"]](event["data"], viewer)
    if event["type"] in _NAMED_BY_SEQ:
        shown["id"] = f"{_NAMED_BY_SEQ[event['type']]}_{event['seq']}"
    return {
        "seq": event["seq"],
        "type": event["type"],
        "at": timestamp(event["at"]),
        "round": event["round"],
        "by": event["by"],
        "data": shown,
    }
