"""What a viewer may see of an event; the other half of the one redactor (`service.game.view`).

By allow-list, one entry for each type of event. Every viewer gets the same events with the same `seq`: what one may not
see becomes a count, so that gaps tell nothing (`api.md` §5).
"""

from collections.abc import Callable
from typing import Any

from service.game.shown import Viewer, call_view, play_view, result_view, timestamp
from service.game.state import PUBLIC_SETTINGS, Event
from service.rules.cards import names_of

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
    return play_view(data) | {"winning": data["winning"]}


def _declared(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    shown = {name: data[name] for name in ("seat", "as", "defence")}
    return shown | {"cards": names_of(data["cards"]), "deadline_at": timestamp(data["deadline"])}


def _friends_called(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return {"seat": data["seat"], "calls": [call_view(call) for call in data["calls"]]}


def _friend_joined(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    shown = {name: data[name] for name in ("seat", "call", "friend", "points_lost")}
    return shown | call_view(data)


def _round_ended(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return {name: data[name] for name in ("server_seed", "commitment", "entropy", "shuffle_name", "attempts", "next")}


def _scored(data: dict[str, Any], _: Viewer) -> dict[str, Any]:
    return result_view(data) or {}


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
    "game_kept": _as_is("game"),
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
